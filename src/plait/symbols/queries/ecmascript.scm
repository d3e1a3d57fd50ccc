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

; What is taken from a module, and what it is called here.
(import_statement
  (import_clause (identifier) @import.default)
  source: (string) @reference.imports)
(import_statement
  (import_clause (namespace_import (identifier) @import.alias))
  source: (string) @reference.imports)
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name !alias)))
  source: (string) @reference.imports)
(import_statement
  (import_clause (named_imports (import_specifier name: _ @import.name alias: (_) @import.alias)))
  source: (string) @reference.imports)
(export_statement "*" @import.name source: (string) @reference.imports)
(export_statement
  (namespace_export (_) @import.alias)
  source: (string) @reference.imports)
(export_statement
  (export_clause (export_specifier name: _ @import.name !alias))
  source: (string) @reference.imports)
(export_statement
  (export_clause (export_specifier name: _ @import.name alias: _ @import.alias))
  source: (string) @reference.imports)
(variable_declarator
  name: (identifier) @import.alias
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @reference.imports .))
  (#eq? @_require "require"))
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.name
    (pair_pattern key: (_) @import.name value: (identifier) @import.alias)
  ])
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @reference.imports .))
  (#eq? @_require "require"))
(variable_declarator
  name: (identifier) @import.alias
  value: (await_expression (call_expression
    function: (import)
    arguments: (arguments . (string) @reference.imports))))

; What names are bound to.
((variable_declarator
  name: [(identifier) (object_pattern) (array_pattern)] @bound
  value: (call_expression function: [(identifier) (member_expression)] @bound.call))
 (#not-eq? @bound.call "require"))
(variable_declarator
  name: [(identifier) (object_pattern) (array_pattern)] @bound
  value: [
    (new_expression constructor: (_) @bound.variable)
    (await_expression (call_expression function: [(identifier) (member_expression)] @bound.call))
  ])
(assignment_expression
  left: [(identifier) (member_expression)] @bound
  right: [
    (new_expression constructor: (_) @bound.variable)
    (call_expression function: [(identifier) (member_expression)] @bound.call)
    (await_expression (call_expression function: [(identifier) (member_expression)] @bound.call))
  ])
(assignment_expression
  left: (member_expression) @bound
  right: [(identifier) (member_expression)] @bound.value)
(for_in_statement left: [(identifier) (object_pattern) (array_pattern)] @bound right: [
  (identifier) @bound.element
  (member_expression) @bound.element
  (call_expression function: [(identifier) (member_expression)] @bound.element.call)
])

(html_comment) @comment
