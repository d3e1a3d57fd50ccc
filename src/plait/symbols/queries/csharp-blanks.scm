; C#: what only matters when comments are blanked.

(preproc_define (preproc_arg) @embedded.csharp)
