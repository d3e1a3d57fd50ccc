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

(method_invocation name: (identifier) @reference.calls)
(method_reference (identifier) @reference.calls .)
(object_creation_expression type: (type_identifier) @reference.calls)
(object_creation_expression type: (generic_type . (type_identifier) @reference.calls))
(object_creation_expression type: (scoped_type_identifier (type_identifier) @reference.calls .))

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
