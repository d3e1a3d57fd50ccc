"""Verbs about an index: ``index``, ``status`` and ``clear``."""
