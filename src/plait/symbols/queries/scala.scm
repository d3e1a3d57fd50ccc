; Scala 2 and 3. Fields of classes are no symbols; values of objects, packages and the top
; level are constants. Extension methods are qualified by the type they extend. Packages do
; not qualify: a name begins at its outermost type or object.

(package_object name: (_) @name body: (_)? @body) @definition.object

(class_definition name: (_) @name body: (_)? @body) @definition.class
(trait_definition name: (_) @name body: (_)? @body) @definition.trait
(enum_definition name: (_) @name body: (_)? @body) @definition.enum
(object_definition name: (_) @name body: (_)? @body) @definition.object
(type_definition name: (_) @name) @definition.type
(given_definition name: (_) @name body: (_)? @body) @definition.object
(given_definition !name
  return_type: [(type_identifier) @name (generic_type type: (_) @name)]
  body: (with_template_body)) @scope.type
(extension_definition parameters: (parameters (parameter type: [
  (type_identifier) @name
  (generic_type type: (_) @name)]))) @scope.type

; an anonymous class goes by what it extends
(instance_expression . [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (stable_type_identifier (type_identifier) @name .)
  (generic_type type: (stable_type_identifier (type_identifier) @name .))
  (compound_type base: [(type_identifier) @name (generic_type type: (type_identifier) @name)])]
  (template_body)) @scope.type

((function_definition name: (identifier) @name body: (_) @body) @definition.constructor
  (#eq? @name "this"))
(function_definition name: (_) @name body: (_)? @body) @definition.function
(function_declaration name: (_) @name) @definition.function

(compilation_unit
  (val_definition pattern: (identifier) @name value: (_) @body) @definition.constant)
(package_clause body: (template_body
  (val_definition pattern: (identifier) @name value: (_) @body) @definition.constant))
(package_object body: (template_body
  (val_definition pattern: (identifier) @name value: (_) @body) @definition.constant))
(object_definition body: (template_body
  (val_definition pattern: (identifier) @name value: (_) @body) @definition.constant))

(comment) @comment
(block_comment) @comment
(xml_comment) @comment

; Calls.
(call_expression function: [
  (identifier) @reference.calls
  (field_expression value: (_) @qualifier field: (identifier) @reference.calls)
  (generic_function function: (identifier) @reference.calls)
  (generic_function function: (field_expression value: (_) @qualifier field: (identifier) @reference.calls))])
(infix_expression operator: (identifier) @reference.calls)
(instance_expression [
  (type_identifier) @reference.calls
  (stable_type_identifier . (_) @qualifier (type_identifier) @reference.calls .)
  (generic_type type: (type_identifier) @reference.calls)
  (generic_type type: (stable_type_identifier . (_) @qualifier (type_identifier) @reference.calls .))])

; What comes after `extends` may be a class, what comes after `with` cannot. (The grammar
; hides all but the first entry from patterns rooted at the clause.)
(extends_clause "extends" . [
  (type_identifier) @reference.extends
  (stable_type_identifier . (_) @qualifier (type_identifier) @reference.extends .)
  (generic_type . (type_identifier) @reference.extends)
  (generic_type . (stable_type_identifier . (_) @qualifier (type_identifier) @reference.extends .))])
("with" . [
  (type_identifier) @reference.implements
  (stable_type_identifier . (_) @qualifier (type_identifier) @reference.implements .)
  (generic_type . (type_identifier) @reference.implements)
  (generic_type . (stable_type_identifier . (_) @qualifier (type_identifier) @reference.implements .))])
(derives_clause type: (_) @reference.implements)

; Types wherever they are written. A type parameter of one letter is none.
((type_identifier) @reference.uses
  (#not-match? @reference.uses
    "^([A-Z]|Any|AnyRef|AnyVal|Boolean|Byte|Char|Double|Float|Int|Long|Nothing|Null|Short|String|Unit)$"))

("import" . (identifier) @reference.imports ("." . (identifier) @reference.imports)*)
