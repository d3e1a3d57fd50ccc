"""Random and hostile input: grammars, queries, patterns, paths and bombs."""
