; C: what only matters when comments are blanked.

; Behind a directive that blanks follow, the grammar goes on reading on the next line.
(preproc_def (comment) @comment.directive)
(preproc_function_def (comment) @comment.directive)
(preproc_include (comment) @comment.directive)
; What a directive says is not read: a comment at its end is part of it.
(preproc_def (preproc_arg) @embedded.c)
(preproc_function_def (preproc_arg) @embedded.c)
(preproc_call (preproc_arg) @embedded.c)
