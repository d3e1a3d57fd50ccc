"""Index: the write path, from what has changed to one commit."""
