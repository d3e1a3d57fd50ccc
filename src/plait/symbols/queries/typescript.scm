; TypeScript and TSX, read like JavaScript. Overloads are clauses of one function.

(method_definition
  name: (property_identifier) @name
  body: (_) @body
  (#eq? @name "constructor")) @definition.constructor.clause

(method_signature
  name: (property_identifier) @name
  (#eq? @name "constructor")) @definition.constructor.clause

(method_definition
  name: [(property_identifier) (private_property_identifier) (string)] @name
  body: (_) @body) @definition.function.clause

[
  (function_declaration name: (identifier) @name body: (_) @body)
  (generator_function_declaration name: (identifier) @name body: (_) @body)
  (function_signature name: (identifier) @name)
] @definition.function.clause

(class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(type_alias_declaration
  name: (type_identifier) @name
  value: (object_type) @body) @definition.type
(type_alias_declaration name: (type_identifier) @name) @definition.type
(internal_module name: (_) @name body: (_) @body) @definition.module
(module name: (_) @name body: (_)? @body) @definition.module

[
  (method_signature name: (_) @name)
  (abstract_method_signature name: (_) @name)
] @definition.function.clause

(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  ) @definition.function

(public_field_definition
  "static"
  name: [(property_identifier) (private_property_identifier)] @name
  value: (_)) @definition.constant

; What a module holds under a name; what it merely requires is a reference.
([
  (program (lexical_declaration
    kind: "const"
    (variable_declarator name: (identifier) @name value: (_) @_value) @definition.constant))
  (export_statement (lexical_declaration
    kind: "const"
    (variable_declarator name: (identifier) @name value: (_) @_value) @definition.constant))
 ]
 (#not-match? @_value "^(await import|require)\\("))

; in declaration files there is no value
[
  (ambient_declaration (lexical_declaration
    (variable_declarator name: (identifier) @name) @definition.constant))
  (ambient_declaration (variable_declaration
    (variable_declarator name: (identifier) @name) @definition.constant))
  (export_statement (lexical_declaration
    kind: "const"
    (variable_declarator name: (identifier) @name !value) @definition.constant))
]

; the same before ECMAScript 2015
((program (variable_declaration (variable_declarator
  name: (identifier) @name
  value: [(object) (array) (call_expression) (ternary_expression) (regex)] @_value)
  @definition.constant))
 (#not-match? @_value "^require\\("))

(variable_declarator name: (identifier) @name value: (object)) @scope.module

(export_statement declaration: (lexical_declaration)) @extent
(decorator) @attribute
(comment) @comment

(call_expression function: (identifier) @reference.calls)
(call_expression function: (member_expression
  object: (_) @qualifier
  property: (_) @reference.calls))
(new_expression constructor: (identifier) @reference.calls)
(new_expression constructor: (member_expression
  object: (_) @qualifier
  property: (_) @reference.calls))

(extends_clause value: (identifier) @reference.extends)
(extends_clause value: (member_expression
  object: (_) @qualifier
  property: (_) @reference.extends))
(extends_type_clause (type_identifier) @reference.extends)
(extends_type_clause (nested_type_identifier name: (_) @reference.extends))
(extends_type_clause (generic_type name: (type_identifier) @reference.extends))
(extends_type_clause (generic_type name: (nested_type_identifier name: (_) @reference.extends)))
(implements_clause (type_identifier) @reference.implements)
(implements_clause (nested_type_identifier name: (_) @reference.implements))
(implements_clause (generic_type name: (type_identifier) @reference.implements))
(implements_clause (generic_type name: (nested_type_identifier name: (_) @reference.implements)))
(type_identifier) @reference.uses
(nested_type_identifier module: (_) @qualifier name: (_) @qualified)
(decorator (identifier) @reference.uses)
(decorator (member_expression object: (_) @qualifier property: (_) @reference.uses))

(import_statement source: (string) @reference.imports)
(import_require_clause (identifier) @import.alias source: (string) @reference.imports)

; What names are said to be.
(required_parameter
  (accessibility_modifier)
  pattern: (identifier) @bound
  type: (type_annotation (_) @bound.field))
(required_parameter
  pattern: (_) @bound
  type: (type_annotation (_) @bound.parameter))
(optional_parameter
  pattern: (_) @bound
  type: (type_annotation (_) @bound.parameter))
(function_declaration name: (_) @bound return_type: (type_annotation (_) @bound.returns))
(function_signature name: (_) @bound return_type: (type_annotation (_) @bound.returns))
(method_definition name: (_) @bound return_type: (type_annotation (_) @bound.returns))
(method_signature name: (_) @bound return_type: (type_annotation (_) @bound.returns))
(abstract_method_signature name: (_) @bound return_type: (type_annotation (_) @bound.returns))
(public_field_definition name: (_) @bound type: (type_annotation (_) @bound.field))
(public_field_definition name: (_) @bound value: [
  (new_expression constructor: (_) @bound.variable)
  (call_expression function: [(identifier) (member_expression)] @bound.call)
])
(property_signature name: (_) @bound type: (type_annotation (_) @bound.field))
(variable_declarator name: (_) @bound type: (type_annotation (_) @bound.variable))
(variable_declarator
  name: (identifier) @bound
  value: (as_expression . (_) . [(type_identifier) (generic_type) (nested_type_identifier)]
    @bound.variable .))
(arrow_function return_type: (type_annotation (_) @bound.returns)) @bound
(function_expression return_type: (type_annotation (_) @bound.returns)) @bound
