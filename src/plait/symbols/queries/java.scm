; Java. Packages do not qualify: a name begins at its outermost type.

(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(record_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(module_declaration name: (_) @name body: (_) @body) @definition.module

(method_declaration name: (identifier) @name body: (_)? @body) @definition.function
(annotation_type_element_declaration name: (identifier) @name) @definition.function
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor

(field_declaration
  (modifiers "static" "final")
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration
  (modifiers "final" "static")
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(constant_declaration
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant

; an anonymous class goes by what it extends
(object_creation_expression
  type: [(type_identifier) @name (generic_type . (type_identifier) @name)]
  (class_body)) @scope.type

(line_comment) @comment
(block_comment) @comment

(method_invocation !object name: (identifier) @reference.calls)
(method_invocation object: (_) @qualifier name: (identifier) @reference.calls)
(method_reference (identifier) @reference.calls .)
(method_reference . (_) @qualifier (identifier) @qualified .)
(object_creation_expression type: (type_identifier) @reference.calls)
(object_creation_expression type: (generic_type . (type_identifier) @reference.calls))
(object_creation_expression type: (scoped_type_identifier (type_identifier) @reference.calls .))
(scoped_type_identifier . (_) @qualifier (type_identifier) @qualified .)
(annotation name: (scoped_identifier scope: (_) @qualifier) @qualified)
(marker_annotation name: (scoped_identifier scope: (_) @qualifier) @qualified)

(superclass (type_identifier) @reference.extends)
(superclass (generic_type . (type_identifier) @reference.extends))
(superclass (scoped_type_identifier (type_identifier) @reference.extends .))
(superclass (generic_type . (scoped_type_identifier (type_identifier) @reference.extends .)))
(extends_interfaces (type_list (type_identifier) @reference.extends))
(extends_interfaces (type_list (generic_type . (type_identifier) @reference.extends)))
(extends_interfaces (type_list (scoped_type_identifier (type_identifier) @reference.extends .)))
(super_interfaces (type_list (type_identifier) @reference.implements))
(super_interfaces (type_list (generic_type . (type_identifier) @reference.implements)))
(super_interfaces (type_list (scoped_type_identifier (type_identifier) @reference.implements .)))
(super_interfaces (type_list (generic_type .
  (scoped_type_identifier (type_identifier) @reference.implements .))))

(type_identifier) @reference.uses
(annotation name: (_) @reference.uses)
(marker_annotation name: (_) @reference.uses)

(import_declaration [(identifier) (scoped_identifier)] @reference.imports)
(import_declaration
  (scoped_identifier
    scope: (_) @import.module
    name: (identifier) @import.name) @reference.imports .)
(import_declaration (scoped_identifier) @reference.imports (asterisk) @import.name)

; What names are said to be. Primitive types have nothing to call.
(record_declaration parameters: (formal_parameters (formal_parameter
  type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @bound.field
  name: (identifier) @bound)))
(formal_parameter
  type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @bound.parameter
  name: (identifier) @bound)
(spread_parameter
  [(type_identifier) (generic_type) (scoped_type_identifier)] @bound.parameter
  (variable_declarator name: (identifier) @bound))
(catch_formal_parameter (catch_type) @bound.variable name: (identifier) @bound)
(method_declaration
  type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @bound.returns
  name: (identifier) @bound)
(field_declaration
  type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @bound.field
  declarator: (variable_declarator name: (identifier) @bound))
(constant_declaration
  type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @bound.field
  declarator: (variable_declarator name: (identifier) @bound))
(local_variable_declaration
  type: (type_identifier) @_var
  declarator: (variable_declarator name: (identifier) @bound value: [
    (object_creation_expression type: (_) @bound.variable)
    (cast_expression type: (_) @bound.variable)
    (method_invocation !object name: (identifier) @bound.call)
  ])
  (#eq? @_var "var"))
(local_variable_declaration
  type: (type_identifier) @_var
  declarator: (variable_declarator
    name: (identifier) @bound
    value: (method_invocation object: (_)) @bound.value)
  (#eq? @_var "var"))
((local_variable_declaration
  type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @bound.variable
  declarator: (variable_declarator name: (identifier) @bound))
 (#not-eq? @bound.variable "var"))
(resource
  type: [(type_identifier) (generic_type) (scoped_type_identifier)] @bound.variable
  name: (identifier) @bound)
(enhanced_for_statement
  type: (type_identifier) @_var
  name: (identifier) @bound
  value: [(identifier) (field_access) (method_invocation)] @bound.element
  (#eq? @_var "var"))
((enhanced_for_statement
  type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @bound.variable
  name: (identifier) @bound)
 (#not-eq? @bound.variable "var"))
(instanceof_expression
  right: [(type_identifier) (generic_type) (scoped_type_identifier)] @bound.variable
  name: (identifier) @bound)
