; Ruby. Modules are symbols, and what they define are methods. Every constant that is read
; counts as a use, since classes and modules are constants.

(module name: (_) @name body: (_)? @body) @definition.module
(class name: (_) @name body: (_)? @body) @definition.class

((method name: (identifier) @name body: (_)? @body) @definition.constructor
 (#eq? @name "initialize"))
(module body: (body_statement
  (method name: (_) @name body: (_)? @body) @definition.method))
(method name: (_) @name body: (_)? @body) @definition.function
(singleton_method object: (self) name: (_) @name body: (_)? @body) @definition.method
(singleton_method object: (_) @receiver name: (_) @name body: (_)? @body) @definition.method

((call
  method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) (string)] @name)
  block: (_) @body) @definition.method
 (#any-of? @_define "define_method" "define_singleton_method"))

; Minitest's and RSpec's blocks.
((call
  !receiver
  method: (identifier) @_keyword
  arguments: (argument_list . (string) @name)
  block: (_) @body) @definition.test
 (#any-of? @_keyword "context" "describe" "it" "scenario" "specify" "test"))

; Point = Struct.new(:x) do ... end
((assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_new
    block: (_)? @body)) @definition.class
 (#any-of? @_maker "Struct" "Class" "Data")
 (#any-of? @_new "new" "define"))
(assignment left: (constant) @name) @definition.constant

(comment) @comment

(call !receiver method: (identifier) @reference.calls)
(call receiver: (_) @qualifier method: (identifier) @reference.calls)
((call receiver: [
    (constant) @reference.calls
    (scope_resolution name: (constant) @reference.calls)
  ]
  method: (identifier) @_new)
 (#eq? @_new "new"))

(superclass (constant) @reference.extends)
(superclass (scope_resolution scope: (_)? @qualifier name: (_) @reference.extends))
((call
  method: (identifier) @_mixin
  arguments: (argument_list [
    (constant) @reference.implements
    (scope_resolution name: (_) @reference.implements)
  ]))
 (#any-of? @_mixin "include" "extend" "prepend"))

(constant) @reference.uses
(scope_resolution scope: (_) @qualifier name: (_) @qualified)

((call
  method: (identifier) @_require
  arguments: (argument_list . (string) @reference.imports))
 (#any-of? @_require "require" "require_relative" "load" "autoload"))
