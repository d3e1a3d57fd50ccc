"""The verbs of ``plait model``."""
