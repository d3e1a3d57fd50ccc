; Swift. One node is class, struct, enum, actor and extension: its keyword tells which.
; An extension only qualifies. A `let` is a constant at the top level and where it is static.

(class_declaration declaration_kind: "class" name: (_) @name body: (_) @body)
  @definition.class
(class_declaration declaration_kind: "actor" name: (_) @name body: (_) @body)
  @definition.class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body)
  @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body)
  @definition.enum
(class_declaration declaration_kind: "extension" name: (_) @name) @scope.type
(protocol_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type

(function_declaration "func" . _ @name body: (_) @body) @definition.function
(protocol_function_declaration "func" . _ @name) @definition.function
(init_declaration "init" @name body: (_)? @body) @definition.constructor
(deinit_declaration "deinit" @name body: (_) @body) @definition.function
(macro_declaration "macro" . (simple_identifier) @name) @definition.macro

(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (computed_property) @body) @definition.property
(subscript_declaration "subscript" @name (computed_property) @body) @definition.property

(property_declaration
  (modifiers (property_modifier "static"))
  (value_binding_pattern "let")
  name: (pattern bound_identifier: (simple_identifier) @name)
  value: (_) @body) @definition.constant
(source_file (property_declaration
  (value_binding_pattern "let")
  name: (pattern bound_identifier: (simple_identifier) @name)
  value: (_) @body) @definition.constant)

(comment) @comment
(multiline_comment) @comment

; Calls.
(call_expression . (simple_identifier) @reference.calls)
(call_expression . (navigation_expression
  target: (_) @qualifier
  suffix: (navigation_suffix suffix: (simple_identifier) @reference.calls)))
(call_expression . (prefix_expression target: (simple_identifier) @reference.calls))
(constructor_expression constructed_type: [
  (user_type (type_identifier) @reference.calls .)
  (user_type (type_identifier) @reference.calls . (type_arguments))])
(macro_invocation . (simple_identifier) @reference.calls)

; What follows the colon. Only a class's first entry can be a class.
(class_declaration
  declaration_kind: "class"
  name: (_) . ":" . (inheritance_specifier inherits_from: [
    (user_type (type_identifier) @reference.extends .)
    (user_type (type_identifier) @reference.extends . (type_arguments))]))
(class_declaration
  declaration_kind: "class"
  (type_parameters) . ":" . (inheritance_specifier inherits_from: [
    (user_type (type_identifier) @reference.extends .)
    (user_type (type_identifier) @reference.extends . (type_arguments))]))
(class_declaration
  declaration_kind: "class"
  (inheritance_specifier) (inheritance_specifier inherits_from: [
    (user_type (type_identifier) @reference.implements .)
    (user_type (type_identifier) @reference.implements . (type_arguments))]))
((class_declaration
  declaration_kind: ["struct" "enum" "actor" "extension"]
  (inheritance_specifier inherits_from: [
    (user_type (type_identifier) @reference.implements .)
    (user_type (type_identifier) @reference.implements . (type_arguments))]))
  (#not-match? @reference.implements "^(Int|String)$"))
((protocol_declaration (inheritance_specifier inherits_from: [
  (user_type (type_identifier) @reference.extends .)
  (user_type (type_identifier) @reference.extends . (type_arguments))]))
  (#not-eq? @reference.extends "AnyObject"))

; Types wherever they are written. A built-in attribute and a type parameter of one
; letter are none.
((type_identifier) @reference.uses
  (#not-match? @reference.uses
    "^([a-z].*|[A-Z]|Any|AnyObject|Bool|Character|Double|Float|Int|Never|Self|String|UInt|Void)$"))

(import_declaration (identifier) @reference.imports)
