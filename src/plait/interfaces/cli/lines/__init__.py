"""Verbs that find lines: ``grep``, and ``search`` for a pattern."""
