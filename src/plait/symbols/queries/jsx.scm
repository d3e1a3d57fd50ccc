; JSX elements, for the grammars that have them; tags in lower case are HTML.

(jsx_opening_element name: (identifier) @reference.calls (#match? @reference.calls "^[A-Z]"))
(jsx_opening_element name: (member_expression
  object: (_) @qualifier
  property: (_) @reference.calls))
(jsx_self_closing_element name: (identifier) @reference.calls (#match? @reference.calls "^[A-Z]"))
(jsx_self_closing_element name: (member_expression
  object: (_) @qualifier
  property: (_) @reference.calls))
