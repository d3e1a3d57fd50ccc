"""Verbs about the installation: ``doctor`` and ``completion``."""
