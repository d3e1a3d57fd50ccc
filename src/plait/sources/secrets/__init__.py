"""Secrets: what is never indexed, by its name, by its content, or as part of a file."""
