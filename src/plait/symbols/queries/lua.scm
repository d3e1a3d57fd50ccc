; Lua. A function is a symbol where it is declared, assigned to a field, or assigned to a
; variable at the top level; in a table it is qualified by the table's name. Constants are
; the top-level variables and fields written in capitals. What busted is given is a test.

(function_declaration name: (_) @name body: (_)? @body) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression) @name)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(chunk (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function)
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function))
(field
  name: [(identifier) (string)] @name
  value: (function_definition body: (_)? @body)) @definition.function

(chunk (assignment_statement
  (variable_list . name: (_) @name)
  (expression_list . value: (_) @body)) @definition.constant
  (#match? @name "(^|[.])[A-Z][A-Z0-9_]+$"))
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (_) @body)) @definition.constant)
  (#match? @name "^[A-Z][A-Z0-9_]+$"))

(chunk (assignment_statement
  (variable_list . name: [(identifier) (dot_index_expression)] @name)
  (expression_list . value: (table_constructor))) @scope.type)
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (table_constructor))) @scope.type))
(field name: (identifier) @name value: (table_constructor)) @scope.type

((function_call
  name: (identifier) @_keyword
  arguments: (arguments
    . (string) @name
    . (function_definition body: (_)? @body))) @definition.test
  (#any-of? @_keyword "context" "describe" "expose" "insulate" "it" "pending" "test"))

(comment) @comment

(function_call name: [
  (identifier) @reference.calls
  (dot_index_expression table: (_) @qualifier field: (identifier) @reference.calls)
  (method_index_expression table: (_) @qualifier method: (identifier) @reference.calls)]
  (#not-eq? @reference.calls "require"))
((function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (_) @reference.imports)))
  (#eq? @_require "require"))
