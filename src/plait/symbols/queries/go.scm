; Go. A method is qualified by its receiver's type; embedding counts as extending.

(function_declaration name: (identifier) @name body: (_)? @body) @definition.function

(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @receiver
    (pointer_type (type_identifier) @receiver)
    (generic_type type: (type_identifier) @receiver)
    (pointer_type (generic_type type: (type_identifier) @receiver))
    (parenthesized_type (_) @receiver)
  ]))
  name: (field_identifier) @name
  body: (_)? @body) @definition.function

(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec
  name: (type_identifier) @name
  type: (interface_type "{" @body)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(method_elem name: (field_identifier) @name) @definition.function

; package level only; "_" asserts something and names nothing
((source_file (var_declaration [
  (var_spec
    name: (identifier) @name
    value: (expression_list . (func_literal body: (_) @body))) @definition.function
  (var_spec_list (var_spec
    name: (identifier) @name
    value: (expression_list . (func_literal body: (_) @body))) @definition.function)
 ])))

((source_file [
  (const_declaration (const_spec name: (identifier) @name) @definition.constant)
  (var_declaration (var_spec name: (identifier) @name) @definition.constant)
  (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.constant))
 ])
 (#not-eq? @name "_"))

(comment) @comment

(call_expression function: (identifier) @reference.calls)
(call_expression function: (selector_expression field: (_) @reference.calls))
(call_expression function: (parenthesized_expression
  (selector_expression field: (_) @reference.calls)))
(type_conversion_expression type: (generic_type type: (type_identifier) @reference.calls))

(field_declaration !name type: (type_identifier) @reference.extends)
(field_declaration !name type: (qualified_type name: (_) @reference.extends))
(field_declaration !name type: (generic_type type: (type_identifier) @reference.extends))
(interface_type (type_elem . (type_identifier) @reference.extends .))
(interface_type (type_elem . (qualified_type name: (_) @reference.extends) .))

((type_identifier) @reference.uses
 (#not-match? @reference.uses
  "^(any|bool|byte|comparable|complex\\d+|error|float\\d+|u?int\\d*|rune|string|uintptr)$"))

(import_spec path: (_) @reference.imports)
