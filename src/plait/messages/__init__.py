"""Messages: text that was pasted from a terminal or a log, and what is fixed in it."""
