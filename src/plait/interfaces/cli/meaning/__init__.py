"""Verbs that compare code by meaning: ``similar`` and ``clusters``."""
