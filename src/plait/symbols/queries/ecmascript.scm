; What JavaScript and TypeScript have in common; read before the query file of either.

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function

(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class

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

(export_statement source: (string) @reference.imports)

(call_expression function: (import) arguments: (arguments . (string) @reference.imports))

(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) @reference.imports .)
  (#eq? @_require "require"))

(import_specifier name: (identifier) @reference.uses)

(html_comment) @comment
