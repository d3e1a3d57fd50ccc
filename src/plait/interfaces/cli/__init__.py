"""The command line: arguments in, results on standard output, all else on standard error."""
