; Haskell: what only matters when comments are blanked.

; A directive is one node, and so is the branch below #else or #elif.
((cpp) @embedded.c (#not-match? @embedded.c "\n"))
((cpp) @embedded.haskell.below (#match? @embedded.haskell.below "\n"))
