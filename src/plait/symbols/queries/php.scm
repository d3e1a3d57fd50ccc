; PHP. A namespace qualifies only where it has braces.

(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(function_definition name: (name) @name body: (_) @body) @definition.function

((method_declaration name: (name) @name body: (_)? @body) @definition.constructor
 (#eq? @name "__construct"))
(method_declaration name: (name) @name body: (_)? @body) @definition.function

(const_element . (name) @name) @definition.constant
((function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string) @name))) @definition.constant
 (#eq? @_define "define"))

(assignment_expression
  left: (variable_name (name) @name)
  right: [
    (anonymous_function body: (_) @body)
    (arrow_function body: (_) @body)
  ]) @definition.function

(namespace_definition name: (_) @name body: (_)) @scope.module

; an anonymous class goes by what it extends
(object_creation_expression (anonymous_class [
  (base_clause . [(name) @name (qualified_name (name) @name)])
  (class_interface_clause . [(name) @name (qualified_name (name) @name)])
])) @scope.type

(comment) @comment

(function_call_expression function: (name) @reference.calls)
(function_call_expression function: (qualified_name (name) @reference.calls))
(member_call_expression object: (_) @qualifier name: (name) @reference.calls)
(nullsafe_member_call_expression object: (_) @qualifier name: (name) @reference.calls)
(scoped_call_expression scope: (_) @qualifier name: (name) @reference.calls)
(object_creation_expression (name) @reference.calls)
(object_creation_expression (qualified_name (name) @reference.calls))

(class_declaration (base_clause [
  (name) @reference.extends
  (qualified_name (name) @reference.extends)
]))
(interface_declaration (base_clause [
  (name) @reference.extends
  (qualified_name (name) @reference.extends)
]))
(anonymous_class (base_clause [
  (name) @reference.extends
  (qualified_name (name) @reference.extends)
]))
(class_interface_clause [
  (name) @reference.implements
  (qualified_name (name) @reference.implements)
])
(use_declaration [
  (name) @reference.implements
  (qualified_name (name) @reference.implements)
])

((named_type (name) @reference.uses) (#not-match? @reference.uses "^(self|static)$"))
(named_type (qualified_name (name) @reference.uses))
(attribute [(name) @reference.uses (qualified_name (name) @reference.uses)])
(scoped_call_expression scope: (name) @reference.uses)
(scoped_call_expression scope: (qualified_name (name) @reference.uses))
(class_constant_access_expression . (name) @reference.uses)
(class_constant_access_expression . (qualified_name (name) @reference.uses))
(binary_expression operator: "instanceof" right: (name) @reference.uses)
(binary_expression operator: "instanceof" right: (qualified_name (name) @reference.uses))

(namespace_use_declaration (namespace_use_clause . [(name) (qualified_name)] @reference.imports))
(namespace_use_declaration (namespace_use_clause
  . [(name) (qualified_name)] @reference.imports
  alias: (_) @import.alias))
(namespace_use_declaration (namespace_name) @reference.imports)
(namespace_use_declaration
  (namespace_name) @reference.imports
  body: (namespace_use_group (namespace_use_clause . (name) @import.name !alias)))
(namespace_use_declaration
  (namespace_name) @reference.imports
  body: (namespace_use_group (namespace_use_clause
    . (name) @import.name
    alias: (_) @import.alias)))
(qualified_name prefix: (_) @qualifier (name) @qualified)
(namespace_use_group (namespace_use_clause . (name) @reference.uses))
(namespace_use_group (namespace_use_clause . (qualified_name) @reference.imports))
(require_expression [(string) @reference.imports (_ (string) @reference.imports)])
(require_once_expression [(string) @reference.imports (_ (string) @reference.imports)])
(include_expression [(string) @reference.imports (_ (string) @reference.imports)])
(include_once_expression [(string) @reference.imports (_ (string) @reference.imports)])
