; Elixir. Everything is a call, so the called name tells what a call defines. Clauses of one
; function are one symbol. A protocol's implementation is qualified by the type it is for.

; A match is complete where its last node is: with a @moduledoc, before the module's end.
((call
  target: (identifier) @_keyword
  (arguments . (alias) @name)
  (do_block (unary_operator operator: "@" operand: (call
    target: (identifier) @_moduledoc
    (arguments . [(string) (sigil)] @doc)))) @body) @definition.module
  (#eq? @_keyword "defmodule")
  (#eq? @_moduledoc "moduledoc"))
((call
  target: (identifier) @_keyword
  (arguments . (alias) @name)
  (do_block "end") @body) @definition.module
  (#eq? @_keyword "defmodule"))
((call
  target: (identifier) @_keyword
  (arguments . (alias) @name)
  (do_block (unary_operator operator: "@" operand: (call
    target: (identifier) @_moduledoc
    (arguments . [(string) (sigil)] @doc)))) @body) @definition.interface
  (#eq? @_keyword "defprotocol")
  (#eq? @_moduledoc "moduledoc"))
((call
  target: (identifier) @_keyword
  (arguments . (alias) @name)
  (do_block "end") @body) @definition.interface
  (#eq? @_keyword "defprotocol"))
((call
  target: (identifier) @_keyword
  (arguments . (alias) (keywords (pair value: (alias) @name)))
  (do_block)) @scope.type
  (#eq? @_keyword "defimpl"))

((call
  target: (identifier) @_keyword
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (identifier) @name operator: "when")
    (binary_operator left: (call target: (identifier) @name) operator: "when")]
    (keywords)? @body)
  (do_block)? @body) @definition.function.clause
  (#any-of? @_keyword "def" "defp" "defdelegate"))
((call
  target: (identifier) @_keyword
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (identifier) @name operator: "when")
    (binary_operator left: (call target: (identifier) @name) operator: "when")]
    (keywords)? @body)
  (do_block)? @body) @definition.macro.clause
  (#any-of? @_keyword "defmacro" "defmacrop" "defguard" "defguardp"))
((call
  target: (identifier) @_keyword
  (arguments . (binary_operator operator: _ @name) (keywords)? @body)
  (do_block)? @body) @definition.function.clause
  (#any-of? @_keyword "def" "defp" "defmacro")
  (#not-eq? @name "when"))

((unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_keyword
    (arguments . (binary_operator
      left: [(identifier) @name (call target: (identifier) @name)]
      operator: "::")))) @definition.type
  (#any-of? @_keyword "type" "typep" "opaque"))
((unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_keyword
    (arguments . [
      (binary_operator left: (call target: (identifier) @name) operator: "::")
      (binary_operator
        left: (binary_operator left: (call target: (identifier) @name) operator: "::"))
      ]))) @definition.function
  (#any-of? @_keyword "callback" "macrocallback"))
((do_block (unary_operator
  operator: "@"
  operand: (call target: (identifier) @name (arguments . (_) @body))) @definition.constant)
  (#not-match? @name
    "^(after_compile|before_compile|behaviour|callback|compile|deprecated|derive|describetag|dialyzer|doc|enforce_keys|external_resource|fallback_to_any|impl|macrocallback|moduledoc|moduletag|on_definition|on_load|opaque|optional_callbacks|since|spec|tag|type|typedoc|typep)$"))

((call
  target: (identifier) @_keyword
  (arguments . (string) @name)
  (do_block) @body) @definition.test
  (#any-of? @_keyword "test" "property"))

((unary_operator
  operator: "@"
  operand: (call target: (identifier) @_attribute)) @comment
  (#any-of? @_attribute "doc" "typedoc"))
((unary_operator
  operator: "@"
  operand: (call target: (identifier) @_attribute)) @attribute
  (#any-of? @_attribute
    "deprecated" "dialyzer" "impl" "since" "spec" "tag"))
(comment) @comment

; Calls.
((call target: (identifier) @reference.calls)
  (#not-match? @reference.calls
    "^(alias|behaviour|callback|case|cond|def|defdelegate|defexception|defguard|defguardp|defimpl|defmacro|defmacrop|defmodule|defp|defprotocol|defstruct|doc|for|if|import|impl|moduledoc|opaque|quote|require|spec|type|typedoc|typep|unless|unquote|use|with)$"))
(call target: (dot left: (_) @qualifier right: (identifier) @reference.calls))
(binary_operator operator: "|>" right: (identifier) @reference.calls)
(unary_operator operator: "&" operand: (binary_operator
  left: (identifier) @reference.calls
  operator: "/"))

((call target: (identifier) @_keyword (arguments . (alias) @reference.implements))
  (#any-of? @_keyword "use" "defimpl" "behaviour"))
(struct (alias) @reference.uses)
((call
  target: (identifier) @_keyword
  (arguments . [(alias) (dot)] @reference.imports))
  (#any-of? @_keyword "alias" "import" "require"))
