; Elixir: what only matters when comments are blanked.

((unary_operator
  operator: "@"
  operand: (call target: (identifier) @_attribute)) @doc.text
  (#eq? @_attribute "moduledoc"))
((unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_attribute
    (arguments . (_ (quoted_content) @doc.text))))
  (#eq? @_attribute "shortdoc"))
