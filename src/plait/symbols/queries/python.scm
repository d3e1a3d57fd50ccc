; Python. Functions inside classes become methods by their place. Names in capitals that a
; module or class assigns are constants.

(function_definition
  name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)?) @body) @definition.function

(class_definition
  name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)?) @body) @definition.class

((module (expression_statement
  (assignment left: (identifier) @name) @definition.constant))
 (#match? @name "^_?[A-Z][A-Z0-9_]+$"))
((class_definition body: (block (expression_statement
  (assignment left: (identifier) @name) @definition.constant)))
 (#match? @name "^_?[A-Z][A-Z0-9_]+$"))

(type_alias_statement left: (type [
  (identifier) @name
  (generic_type . (identifier) @name)
])) @definition.type

(decorated_definition) @extent
(comment) @comment

(call function: (identifier) @reference.calls)
(call function: (attribute attribute: (identifier) @reference.calls))

(class_definition superclasses: (argument_list [
  (identifier) @reference.extends
  (attribute attribute: (identifier) @reference.extends)
  (subscript value: [
    (identifier) @reference.extends
    (attribute attribute: (identifier) @reference.extends)
  ])
]))

(decorator (identifier) @reference.uses)
(decorator (attribute attribute: (identifier) @reference.uses))
(type (identifier) @reference.uses)
(type (attribute attribute: (identifier) @reference.uses))
(type (generic_type (identifier) @reference.uses))
; A | B and A | B | C
(type (binary_operator [
  (identifier) @reference.uses
  (attribute attribute: (identifier) @reference.uses)
  (subscript [(identifier) @reference.uses (attribute attribute: (identifier) @reference.uses)])
  (binary_operator [
    (identifier) @reference.uses
    (attribute attribute: (identifier) @reference.uses)
    (subscript [(identifier) @reference.uses (attribute attribute: (identifier) @reference.uses)])
  ])
]))

(import_statement name: [
  (dotted_name) @reference.imports
  (aliased_import name: (dotted_name) @reference.imports)
])
(import_from_statement module_name: (_) @reference.imports)
(import_from_statement name: [
  (dotted_name) @reference.uses
  (aliased_import name: (dotted_name) @reference.uses)
])
