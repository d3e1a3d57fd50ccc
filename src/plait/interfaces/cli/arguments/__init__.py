"""What several verbs accept: options, values, filters and globs."""
