; Bash and other POSIX-like shells. Every command is a call, except paths to programs and the
; builtins every script is full of.

(function_definition name: (word) @name body: (_) @body) @definition.function
; A function whose body the grammar gives up on still has its name.
((command name: (command_name (word) @name) .) @definition.function . (ERROR . "(" . ")"))

(program (declaration_command
  "readonly"
  (variable_assignment name: (variable_name) @name)) @definition.constant)
(program (declaration_command
  ["declare" "typeset"]
  (word) @_flags
  (variable_assignment name: (variable_name) @name)) @definition.constant
  (#match? @_flags "^-[a-zA-Z]*r"))

(comment) @comment

((command name: (command_name (word) @reference.calls))
  (#not-match? @reference.calls
    "[./]|^(:|\\[|alias|break|cd|command|continue|declare|echo|eval|exec|exit|export|false|let|local|printf|pwd|read|return|set|shift|shopt|source|test|trap|true|type|typeset|unset|wait)$"))
((command name: (command_name (word) @_trap) . argument: (word) @reference.calls)
  (#eq? @_trap "trap"))

((command name: (command_name (word) @_source) . argument: [
  (word) (string) (raw_string) (concatenation)] @reference.imports)
  (#match? @_source "^(\\.|source)$"))
