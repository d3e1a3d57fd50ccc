"""Secrets: what is never indexed, by its name, by its content, or as part of a file."""

# Counts up when other things are found to be secrets: what was indexed before is read again.
MASKING = 3
