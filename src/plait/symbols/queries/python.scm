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
(call function: (attribute
  object: (_) @qualifier
  attribute: (identifier) @reference.calls))

(class_definition superclasses: (argument_list [
  (identifier) @reference.extends
  (attribute object: (_) @qualifier attribute: (identifier) @reference.extends)
  (subscript value: [
    (identifier) @reference.extends
    (attribute object: (_) @qualifier attribute: (identifier) @reference.extends)
  ])
]))

(decorator (identifier) @reference.uses)
(decorator (attribute object: (_) @qualifier attribute: (identifier) @reference.uses))
(type (identifier) @reference.uses)
(type (attribute object: (_) @qualifier attribute: (identifier) @reference.uses))
(type (generic_type (identifier) @reference.uses))
; A | B and A | B | C
(type (binary_operator [
  (identifier) @reference.uses
  (attribute object: (_) @qualifier attribute: (identifier) @reference.uses)
  (subscript [
    (identifier) @reference.uses
    (attribute object: (_) @qualifier attribute: (identifier) @reference.uses)
  ])
  (binary_operator [
    (identifier) @reference.uses
    (attribute object: (_) @qualifier attribute: (identifier) @reference.uses)
    (subscript [
      (identifier) @reference.uses
      (attribute object: (_) @qualifier attribute: (identifier) @reference.uses)
    ])
  ])
]))

(import_statement name: [
  (dotted_name) @reference.imports
  (aliased_import name: (dotted_name) @reference.imports alias: (_) @import.alias)
])
(import_from_statement module_name: (_) @reference.imports)
(import_from_statement module_name: (_) @reference.imports name: [
  (dotted_name) @import.name
  (aliased_import name: (dotted_name) @import.name alias: (_) @import.alias)
])
(import_from_statement module_name: (_) @reference.imports (wildcard_import) @import.name)
(import_from_statement name: [
  (dotted_name) @reference.uses
  (aliased_import name: (dotted_name) @reference.uses)
])

; What names are said to be.
(typed_parameter . (_) @bound type: (type) @bound.parameter)
(typed_default_parameter name: (identifier) @bound type: (type) @bound.parameter)
(function_definition name: (identifier) @bound return_type: (type) @bound.returns)
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @bound type: (type) @bound.field))))
(assignment left: [(identifier) (attribute)] @bound type: (type) @bound.variable)
(assignment
  left: [(identifier) (attribute) (pattern_list) (tuple_pattern)] @bound
  right: [
    (call function: [(identifier) (attribute)] @bound.call)
    (await (call function: [(identifier) (attribute)] @bound.call))
  ])
(assignment left: (attribute) @bound right: [(identifier) (attribute)] @bound.value)
(named_expression
  name: (identifier) @bound
  value: (call function: [(identifier) (attribute)] @bound.call))
(as_pattern
  (call function: [(identifier) (attribute)] @bound.call)
  alias: (as_pattern_target [(identifier) (attribute) (tuple)] @bound))
(for_statement left: (_) @bound right: [
  (identifier) @bound.element
  (attribute) @bound.element
  (call function: [(identifier) (attribute)] @bound.element.call)
])
(for_in_clause left: (_) @bound right: [
  (identifier) @bound.element
  (attribute) @bound.element
  (call function: [(identifier) (attribute)] @bound.element.call)
])
