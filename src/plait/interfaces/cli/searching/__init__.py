"""Verbs that find chunks and symbols: ``search``, ``symbols``, ``def`` and ``explain``."""
