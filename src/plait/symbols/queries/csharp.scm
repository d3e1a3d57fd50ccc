; C#. Attributes and modifiers are part of a declaration's own node. Records are classes
; (or structs), delegates are types. A property is a symbol only where it computes.
; Namespaces do not qualify: a name begins at its outermost type.

(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(record_declaration "struct" name: (identifier) @name body: (_)? @body) @definition.struct
(record_declaration name: (identifier) @name body: (_)? @body) @definition.class
(struct_declaration name: (identifier) @name body: (_)? @body) @definition.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(delegate_declaration name: (identifier) @name) @definition.type

(method_declaration name: (identifier) @name body: (_)? @body) @definition.function
(local_function_statement name: (identifier) @name body: (_)? @body) @definition.function
(operator_declaration "operator" @name operator: _ @name body: (_)? @body) @definition.function
(conversion_operator_declaration type: (_) @name body: (_)? @body) @definition.function
(constructor_declaration name: (identifier) @name body: (_)? @body) @definition.constructor
(destructor_declaration "~" @name name: (identifier) @name body: (_)? @body) @definition.function

(property_declaration
  name: (identifier) @name
  accessors: (accessor_list (accessor_declaration body: (_))) @body) @definition.property
(property_declaration
  name: (identifier) @name
  value: (arrow_expression_clause) @body) @definition.property
(indexer_declaration "this" @name accessors: (_) @body) @definition.property
(indexer_declaration "this" @name value: (_) @body) @definition.property
(event_declaration name: (identifier) @name accessors: (_) @body) @definition.property

(field_declaration
  (modifier "const")
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
(field_declaration
  (modifier "static")
  (modifier "readonly")
  (variable_declaration
    (variable_declarator name: (identifier) @name "=" (_) @body))) @definition.constant

(comment) @comment

; Calls.
(invocation_expression function: [
  (identifier) @reference.calls
  (generic_name (identifier) @reference.calls)
  (member_access_expression expression: _ @qualifier name: (identifier) @reference.calls)
  (member_access_expression expression: _ @qualifier name: (generic_name (identifier) @reference.calls))
  (conditional_access_expression
    condition: _ @qualifier
    (member_binding_expression name: (identifier) @reference.calls))
  (conditional_access_expression
    condition: _ @qualifier
    (member_binding_expression name: (generic_name (identifier) @reference.calls)))])
(object_creation_expression type: [
  (identifier) @reference.calls
  (generic_name (identifier) @reference.calls)
  (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.calls)
  (qualified_name qualifier: (_) @qualifier name: (generic_name (identifier) @reference.calls))])

; Bases. A base list does not say which entry is a class: by convention interfaces are
; named I and a capital, and only a class's first entry can be anything else.
(class_declaration (base_list . [
  (identifier) @reference.extends
  (generic_name (identifier) @reference.extends)
  (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.extends)
  (qualified_name qualifier: (_) @qualifier name: (generic_name (identifier) @reference.extends))])
  (#not-match? @reference.extends "^I[A-Z]"))
(class_declaration (base_list [
  (identifier) @reference.implements
  (generic_name (identifier) @reference.implements)
  (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.implements)
  (qualified_name qualifier: (_) @qualifier name: (generic_name (identifier) @reference.implements))])
  (#match? @reference.implements "^I[A-Z]"))
(record_declaration (base_list (primary_constructor_base_type type: (_) @reference.extends)))
(record_declaration (base_list . [
  (identifier) @reference.extends
  (generic_name (identifier) @reference.extends)]))
(struct_declaration (base_list [
  (identifier) @reference.implements
  (generic_name (identifier) @reference.implements)
  (qualified_name qualifier: (_) @qualifier name: (_) @reference.implements)]))
(interface_declaration (base_list [
  (identifier) @reference.extends
  (generic_name (identifier) @reference.extends)
  (qualified_name qualifier: (_) @qualifier name: (_) @reference.extends)]))

; Types in signatures, fields and attributes. A type parameter of one letter is none.
([
  (parameter type: [
    (identifier) @reference.uses
    (generic_name (identifier) @reference.uses)
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.uses)
    (qualified_name qualifier: (_) @qualifier name: (generic_name (identifier) @reference.uses))])
  (method_declaration returns: [
    (identifier) @reference.uses
    (generic_name (identifier) @reference.uses)
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.uses)
    (qualified_name qualifier: (_) @qualifier name: (generic_name (identifier) @reference.uses))])
  (property_declaration type: [
    (identifier) @reference.uses
    (generic_name (identifier) @reference.uses)
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.uses)
    (qualified_name qualifier: (_) @qualifier name: (generic_name (identifier) @reference.uses))])
  (field_declaration (variable_declaration type: [
    (identifier) @reference.uses
    (generic_name (identifier) @reference.uses)
    (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.uses)
    (qualified_name qualifier: (_) @qualifier name: (generic_name (identifier) @reference.uses))]))
  (event_field_declaration (variable_declaration type: (identifier) @reference.uses))
  (delegate_declaration type: (identifier) @reference.uses)
  (operator_declaration type: (identifier) @reference.uses)
  (nullable_type type: (identifier) @reference.uses)
  (nullable_type type: (generic_name (identifier) @reference.uses))
  (array_type type: (identifier) @reference.uses)
  (array_type type: (generic_name (identifier) @reference.uses))
  (tuple_element type: (identifier) @reference.uses)
  (type_argument_list (identifier) @reference.uses)
  (type_argument_list (generic_name (identifier) @reference.uses))
  (type_argument_list (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.uses))
  (type_parameter_constraint type: (identifier) @reference.uses)
  (type_parameter_constraint type: (generic_name (identifier) @reference.uses))
  (typeof_expression type: (identifier) @reference.uses)
  (attribute name: (identifier) @reference.uses)
  (attribute name: (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.uses))
] (#not-match? @reference.uses "^[A-Z]$"))

(using_directive (identifier) @reference.imports .)
(using_directive (qualified_name) @reference.imports)
(using_directive name: (identifier) @import.alias (qualified_name) @reference.imports)
