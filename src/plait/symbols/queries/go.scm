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
(call_expression function: (selector_expression
  operand: (_) @qualifier
  field: (_) @reference.calls))
(call_expression function: (parenthesized_expression
  (selector_expression operand: (_) @qualifier field: (_) @reference.calls)))
(type_conversion_expression type: (generic_type type: (type_identifier) @reference.calls))

(field_declaration !name type: (type_identifier) @reference.extends)
(field_declaration !name type: (qualified_type name: (_) @reference.extends))
(field_declaration !name type: (generic_type type: (type_identifier) @reference.extends))
(interface_type (type_elem . (type_identifier) @reference.extends .))
(interface_type (type_elem . (qualified_type name: (_) @reference.extends) .))

((type_identifier) @reference.uses
 (#not-match? @reference.uses
  "^(any|bool|byte|comparable|complex\\d+|error|float\\d+|u?int\\d*|rune|string|uintptr)$"))

(qualified_type package: (_) @qualifier name: (_) @qualified)

(import_spec path: (_) @reference.imports)
(import_spec
  name: [(package_identifier) (blank_identifier)] @import.alias
  path: (_) @reference.imports)
(import_spec name: (dot) @import.name path: (_) @reference.imports)

; What names are said to be.
(parameter_declaration name: (identifier) @bound type: (_) @bound.parameter)
(variadic_parameter_declaration name: (identifier) @bound type: (_) @bound.parameter)
(function_declaration name: (_) @bound result: (_) @bound.returns)
(method_declaration name: (_) @bound result: (_) @bound.returns)
(method_elem name: (_) @bound result: (_) @bound.returns)
(field_declaration name: (_) @bound type: (_) @bound.field)
(var_spec name: (identifier) @bound type: (_) @bound.variable)
(var_spec name: (identifier) @bound value: (expression_list . [
  (call_expression function: [(identifier) (selector_expression)] @bound.call)
  (type_conversion_expression type: (generic_type type: (_) @bound.call))
  (composite_literal type: (_) @bound.variable)
  (unary_expression operand: (composite_literal type: (_) @bound.variable))
] .))
(short_var_declaration left: (expression_list) @bound right: (expression_list . [
  (call_expression function: [(identifier) (selector_expression)] @bound.call)
  (type_conversion_expression type: (generic_type type: (_) @bound.call))
  (composite_literal type: (_) @bound.variable)
  (unary_expression operand: (composite_literal type: (_) @bound.variable))
  (type_assertion_expression type: (_) @bound.variable)
] .))
(assignment_statement
  left: (expression_list . [(identifier) (selector_expression)] .) @bound
  right: (expression_list . [
    (call_expression function: [(identifier) (selector_expression)] @bound.call)
  (type_conversion_expression type: (generic_type type: (_) @bound.call))
    (composite_literal type: (_) @bound.variable)
    (unary_expression operand: (composite_literal type: (_) @bound.variable))
    (type_assertion_expression type: (_) @bound.variable)
  ] .))
(range_clause left: (expression_list) @bound right: [
  (identifier) @bound.element
  (selector_expression) @bound.element
  (call_expression function: [(identifier) (selector_expression)] @bound.element.call)
])
