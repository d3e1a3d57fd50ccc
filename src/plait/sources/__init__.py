"""Sources: where does code come from?

A source lists files and reads them: a directory (with git's help where there is a
repository) or a commit, thinned by ignore rules, each file classified, decoded and named
by language.
"""

from plait.sources.directory import DirectorySource
from plait.sources.languages import LANGUAGES, canonical, language_of
from plait.sources.revision import RevisionSource
from plait.sources.roots import Root, root_of
from plait.sources.selection import Selection

__all__ = [
    "LANGUAGES",
    "DirectorySource",
    "RevisionSource",
    "Root",
    "Selection",
    "canonical",
    "language_of",
    "root_of",
]
