"""The verbs of ``plait eval``."""
