; JavaScript and JSX. A function counts as defined where it is bound to a name: declared,
; assigned, or the value of a property or field. Callbacks are part of what passes them.

(method_definition
  name: (property_identifier) @name
  body: (_) @body
  (#eq? @name "constructor")) @definition.constructor

(method_definition
  name: [(property_identifier) (private_property_identifier) (string)] @name
  body: (_) @body) @definition.function

[
  (function_declaration name: (identifier) @name body: (_) @body)
  (generator_function_declaration name: (identifier) @name body: (_) @body)
] @definition.function

(class_declaration name: (identifier) @name body: (_) @body) @definition.class

(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  ) @definition.function

(field_definition
  "static"
  property: [(property_identifier) (private_property_identifier)] @name
  value: (_)) @definition.constant

; What a module holds under a name; what it merely requires is a reference.
([
  (program (lexical_declaration
    kind: "const"
    (variable_declarator name: (identifier) @name value: (_) @_value) @definition.constant))
  (program (export_statement (lexical_declaration
    kind: "const"
    (variable_declarator name: (identifier) @name value: (_) @_value) @definition.constant)))
 ]
 (#not-match? @_value "^(await import|require)\\("))

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
(jsx_opening_element name: (identifier) @reference.calls (#match? @reference.calls "^[A-Z]"))
(jsx_opening_element name: (member_expression
  object: (_) @qualifier
  property: (_) @reference.calls))
(jsx_self_closing_element name: (identifier) @reference.calls (#match? @reference.calls "^[A-Z]"))
(jsx_self_closing_element name: (member_expression
  object: (_) @qualifier
  property: (_) @reference.calls))

(class_heritage (identifier) @reference.extends)
(class_heritage (member_expression
  object: (_) @qualifier
  property: (_) @reference.extends))
(decorator (identifier) @reference.uses)
(decorator (member_expression object: (_) @qualifier property: (_) @reference.uses))

(import_statement source: (string) @reference.imports)

(field_definition
  property: [(property_identifier) (private_property_identifier)] @bound
  value: [
    (new_expression constructor: (_) @bound.variable)
    (call_expression function: [(identifier) (member_expression)] @bound.call)
  ])
