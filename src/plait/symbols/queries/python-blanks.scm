; Python: what only matters when comments are blanked.

; A string that is a statement of its own only says something: a docstring, wherever it stands.
(expression_statement . [
  (string (string_content) @doc.text)
  (concatenated_string (string (string_content) @doc.text))
  (parenthesized_expression [
    (string (string_content) @doc.text)
    (concatenated_string (string (string_content) @doc.text))])
] .)
(assignment
  left: [(identifier) @_doc (attribute attribute: (identifier) @_doc)]
  right: [
    (string (string_content) @doc.text)
    (concatenated_string (string (string_content) @doc.text))
    (parenthesized_expression [
      (string (string_content) @doc.text)
      (concatenated_string (string (string_content) @doc.text))])
  ]
  (#eq? @_doc "__doc__"))
