"""Audit: is any pinned package known to be vulnerable, or under a licence we cannot take?

``python -m tools.audit check`` answers from ``requirements/audited.json``, without network:
every pin of every lock must have been audited in just that version, have no known
vulnerability that is not accepted with a reason, and carry an accepted licence.
``python -m tools.audit refresh`` asks a vulnerability service (through pip-audit) or a folder
of advisories, and writes that file anew.
"""
