; Python. Functions inside classes become methods by their place.

(function_definition
  name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)? ) @body) @definition.function

(class_definition
  name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)? ) @body) @definition.class

(module (expression_statement
  (assignment left: (identifier) @name) @definition.constant)
  (#match? @name "^[A-Z][A-Z0-9_]+$"))

(type_alias_statement left: (type) @name) @definition.type

(decorated_definition) @extent
(comment) @comment

(call function: (identifier) @reference.calls)
(call function: (attribute attribute: (identifier) @reference.calls))
(class_definition superclasses: (argument_list (identifier) @reference.extends))
(class_definition superclasses: (argument_list (attribute) @reference.extends))
(class_definition superclasses: (argument_list (subscript value: (_) @reference.extends)))
(decorator (identifier) @reference.uses)
(decorator (attribute attribute: (identifier) @reference.uses))
(type (identifier) @reference.uses)
(type (attribute attribute: (identifier) @reference.uses))
(type (generic_type (identifier) @reference.uses))
(import_statement name: (dotted_name) @reference.imports)
(import_statement name: (aliased_import name: (dotted_name) @reference.imports))
(import_from_statement module_name: (_) @reference.imports)
(import_from_statement name: (dotted_name) @reference.uses)
