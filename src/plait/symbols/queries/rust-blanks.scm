; Rust: what only matters when comments are blanked.

; #[doc = "..."], also on a condition; what a macro is given is tokens.
((attribute
  (identifier) @_doc
  value: [
    (_ [(string_content) (escape_sequence)] @doc.text)
    (macro_invocation
      macro: (identifier) @_concat
      (token_tree (_ [(string_content) (escape_sequence)] @doc.text))
      (#eq? @_concat "concat"))
  ])
  (#eq? @_doc "doc"))
((attribute
  (identifier) @_condition
  arguments: (token_tree
    (identifier) @_doc . "=" . (_ [(string_content) (escape_sequence)] @doc.text)))
  (#eq? @_condition "cfg_attr")
  (#eq? @_doc "doc"))
(("#" . (token_tree "[" .
    (identifier) @_doc . "=" . (_ [(string_content) (escape_sequence)] @doc.text)))
  (#eq? @_doc "doc"))
(("#" . (token_tree "[" . (identifier) @_condition . (token_tree
    (identifier) @_doc . "=" . (_ [(string_content) (escape_sequence)] @doc.text))))
  (#eq? @_condition "cfg_attr")
  (#eq? @_doc "doc"))
