; JavaScript and JSX. A function counts as defined where it is bound to a name: declared,
; assigned, or the value of a property or field. Callbacks are part of what passes them.

(method_definition
  name: (property_identifier) @name
  body: (_) @body
  (#eq? @name "constructor")) @definition.constructor

(method_definition
  name: [(property_identifier) (private_property_identifier) (string)] @name
  body: (_) @body) @definition.function

[
  (function_declaration name: (identifier) @name body: (_) @body)
  (generator_function_declaration name: (identifier) @name body: (_) @body)
] @definition.function

(class_declaration name: (identifier) @name body: (_) @body) @definition.class

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function

(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class

(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  ) @definition.function

(field_definition
  "static"
  property: [(property_identifier) (private_property_identifier)] @name
  value: (_)) @definition.constant

(pair
  key: [(property_identifier) (string)] @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function

; module.exports = function name() {}: by its own name
(assignment_expression
  left: (member_expression) @_target
  right: [
    (function_expression name: (identifier) @name body: (_) @body)
    (generator_function name: (identifier) @name body: (_) @body)
  ]
  (#eq? @_target "module.exports")) @definition.function

; Type.prototype.name = function () {}
(assignment_expression
  left: (member_expression
    object: (member_expression
      object: (_) @receiver
      property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#eq? @_prototype "prototype")) @definition.function

; exports.name = () => {} and module.exports.name = () => {}
(assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#any-of? @_exports "exports" "module.exports" "this")) @definition.function

(assignment_expression
  left: (member_expression
    object: [(identifier) (member_expression)] @receiver
    property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function

(assignment_expression
  left: [(identifier) (member_expression)] @name
  right: (class body: (_) @body)) @definition.class

(assignment_expression
  left: (identifier) @name
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  ) @definition.function

(export_statement
  "default" @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  ) @definition.function

(export_statement "default" @name value: (class body: (_) @body)) @definition.class

; the blocks of Jest, Mocha and their kin, by their sentence
((call_expression
  function: [(identifier) @_test (member_expression object: (identifier) @_test)]
  arguments: (arguments
    . [(string) (template_string)] @name
    . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))
 @definition.test
 (#any-of? @_test "describe" "context" "suite" "it" "specify" "test"))

; What a module holds under a name; what it merely requires is a reference.
([
  (program (lexical_declaration
    kind: "const"
    (variable_declarator name: (identifier) @name value: (_) @_value) @definition.constant))
  (program (export_statement (lexical_declaration
    kind: "const"
    (variable_declarator name: (identifier) @name value: (_) @_value) @definition.constant)))
 ]
 (#not-match? @_value "^(await import|require)\\("))

; the same before ECMAScript 2015
((program (variable_declaration (variable_declarator
  name: (identifier) @name
  value: [(object) (array) (call_expression) (ternary_expression) (regex)] @_value)
  @definition.constant))
 (#not-match? @_value "^require\\("))

(variable_declarator name: (identifier) @name value: (object)) @scope.module

(export_statement declaration: (lexical_declaration)) @extent
(decorator) @attribute
(comment) @comment

(call_expression function: (identifier) @reference.calls)
(call_expression function: (member_expression property: (_) @reference.calls))
(new_expression constructor: (identifier) @reference.calls)
(new_expression constructor: (member_expression property: (_) @reference.calls))
(jsx_opening_element name: (identifier) @reference.calls (#match? @reference.calls "^[A-Z]"))
(jsx_opening_element name: (member_expression property: (_) @reference.calls))
(jsx_self_closing_element name: (identifier) @reference.calls (#match? @reference.calls "^[A-Z]"))
(jsx_self_closing_element name: (member_expression property: (_) @reference.calls))

(class_heritage (identifier) @reference.extends)
(class_heritage (member_expression property: (_) @reference.extends))
(decorator (identifier) @reference.uses)
(decorator (member_expression property: (_) @reference.uses))

(import_statement source: (string) @reference.imports)
(export_statement source: (string) @reference.imports)
(call_expression function: (import) arguments: (arguments . (string) @reference.imports))
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) @reference.imports .)
  (#eq? @_require "require"))
(import_specifier name: (identifier) @reference.uses)
