; Kotlin. One node is class, interface and enum: their keywords tell them apart. What an
; unnamed companion object holds belongs to the class around it. An extension is qualified
; by the type it extends. Packages do not qualify: a name begins at its outermost type.

(class_declaration "interface" name: (identifier) @name (class_body)? @body)
  @definition.interface
(class_declaration
  (modifiers (class_modifier "enum"))
  name: (identifier) @name
  (enum_class_body)? @body) @definition.enum
(class_declaration "class" name: (identifier) @name (class_body)? @body) @definition.class
; The grammar takes some annotation classes without a body for `a infix b`.
((infix_expression . (identifier) @_annotation . (identifier) @_class . (identifier) @name)
  @definition.class
  (#eq? @_annotation "annotation")
  (#eq? @_class "class"))
((infix_expression
  (infix_expression . (identifier) . (identifier) @_annotation . (identifier) @_class)
    @definition.class
  . (identifier) @name)
  (#eq? @_annotation "annotation")
  (#eq? @_class "class"))
((infix_expression
  (infix_expression (identifier) @_annotation .)
  . (identifier) @_class
  . [(identifier) @name (call_expression . (identifier) @name)]) @definition.class
  (#eq? @_annotation "annotation")
  (#eq? @_class "class"))
; A class that is not closed, or that the grammar gives up on, still has its name.
(ERROR . (modifiers)? . "class" . (identifier) @name "{" @body) @definition.class
(object_declaration name: (identifier) @name (class_body)? @body) @definition.object
(companion_object name: (identifier) @name (class_body)? @body) @definition.object
; an anonymous object goes by what it extends
(object_literal (delegation_specifiers . (delegation_specifier [
  (user_type (identifier) @name .)
  (user_type (identifier) @name . (type_arguments))
  (constructor_invocation [
    (user_type (identifier) @name .)
    (user_type (identifier) @name . (type_arguments))])]))) @scope.type
(type_alias type: (identifier) @name) @definition.type

(function_declaration
  [(user_type (identifier) @receiver .)
   (user_type (identifier) @receiver . (type_arguments))
   (nullable_type (user_type (identifier) @receiver .))
   (nullable_type (user_type (identifier) @receiver . (type_arguments)))]
  . "." . name: (identifier) @name
  (function_body)? @body) @definition.function
(function_declaration name: (identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (block)? @body) @definition.constructor

(property_declaration
  [(user_type (identifier) @receiver .)
   (user_type (identifier) @receiver . (type_arguments))
   (nullable_type (user_type (identifier) @receiver .))
   (nullable_type (user_type (identifier) @receiver . (type_arguments)))]
  . "." . (variable_declaration (identifier) @name)
  (getter (function_body)) @body) @definition.property
(property_declaration
  (variable_declaration (identifier) @name)
  (getter (function_body)) @body) @definition.property

(source_file (property_declaration
  "val" (variable_declaration (identifier) @name) "=" . (_) @body) @definition.constant)
(source_file (property_declaration
  "val" (variable_declaration (identifier) @name) (property_delegate) @body)
  @definition.constant)
(companion_object (class_body (property_declaration
  "val" (variable_declaration (identifier) @name) "=" . (_) @body) @definition.constant))
(object_declaration (class_body (property_declaration
  "val" (variable_declaration (identifier) @name) "=" . (_) @body) @definition.constant))

; The grammar takes some annotations, with what they are given, for expressions.
(annotation) @attribute
(annotated_expression (annotation) @attribute . (parenthesized_expression) @attribute)
(line_comment) @comment
(block_comment) @comment

; Calls.
(call_expression . (identifier) @reference.calls)
(call_expression . (navigation_expression . (_) @qualifier (identifier) @reference.calls .))
(infix_expression (_) . (identifier) @reference.calls)
(callable_reference (identifier) @reference.calls .)
((navigation_expression "::" . (identifier) @reference.calls)
  (#not-eq? @reference.calls "class"))

; Supertypes: a class is named with its constructor's arguments, an interface without.
(delegation_specifier (constructor_invocation [
  (user_type (identifier) @reference.extends .)
  (user_type (identifier) @reference.extends . (type_arguments))]))
(class_declaration "interface" (delegation_specifiers (delegation_specifier [
  (user_type (identifier) @reference.extends .)
  (user_type (identifier) @reference.extends . (type_arguments))])))
(class_declaration "class" (delegation_specifiers (delegation_specifier [
  (user_type (identifier) @reference.implements .)
  (user_type (identifier) @reference.implements . (type_arguments))])))
(object_declaration (delegation_specifiers (delegation_specifier [
  (user_type (identifier) @reference.implements .)
  (user_type (identifier) @reference.implements . (type_arguments))])))
(companion_object (delegation_specifiers (delegation_specifier [
  (user_type (identifier) @reference.implements .)
  (user_type (identifier) @reference.implements . (type_arguments))])))
(object_literal (delegation_specifiers (delegation_specifier [
  (user_type (identifier) @reference.implements .)
  (user_type (identifier) @reference.implements . (type_arguments))])))
(explicit_delegation [
  (user_type (identifier) @reference.implements .)
  (user_type (identifier) @reference.implements . (type_arguments))])

; Types wherever they are written. A package and a type parameter of one letter are none.
((user_type (identifier) @reference.uses)
  (#not-match? @reference.uses
    "^([a-z].*|[A-Z]|Any|Boolean|Byte|Char|Double|Float|Int|Long|Nothing|Short|String|Unit)$"))

(import (qualified_identifier) @reference.imports)
(import (qualified_identifier) @reference.imports (identifier) @import.alias)
