"""Mining: which evaluation cases does a git history hold, or a package's documentation?

A commit says in words what it changes, and its diff says where that is. So its subject is
a query and the code it touched, as far as it still stands, is the answer. Most commits
are no use as a case; ``filters`` and ``query`` say which and why, and every one that is
left out is counted by its reason. Sections of documentation, and the definitions they name, are
the other source of cases (``docs``).
"""

from plait.evaluation.mining.cases import Case, Mined, Options
from plait.evaluation.mining.docs.cases import DocCase, DocOptions, MinedDocs
from plait.evaluation.mining.docs.mine import mine_docs
from plait.evaluation.mining.mine import Progress, mine
from plait.evaluation.mining.write import write_mined

__all__ = [
    "Case",
    "DocCase",
    "DocOptions",
    "Mined",
    "MinedDocs",
    "Options",
    "Progress",
    "mine",
    "mine_docs",
    "write_mined",
]
