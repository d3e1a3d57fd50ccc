"""Search: the read path, from a question to an answer."""
