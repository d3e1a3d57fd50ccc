"""Patterns: what a regular expression means, and which pieces of text it cannot do without."""
