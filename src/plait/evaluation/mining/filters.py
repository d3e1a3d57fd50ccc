"""Filters: which commits are no cases by what they say.

A case needs a subject that tells what the changed code is about. Merges, releases and
sweeps change much and say nothing of it; a revert is said of code that is gone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from plait.evaluation.mining.history import Commit
from plait.evaluation.mining.patterns import BOT, BY_KIND, BY_SUBJECT, MERGED, REVERTS
from plait.evaluation.mining.query import kind_of, query_of, telling_words

MIN_TELLING_WORDS = 3
REVERTED = re.compile(r"(?i)(?<!partially )(?<!partly )\breverts? (?:commit )?([0-9a-f]{7,64})\b")
REVERTED_SUBJECT = re.compile(r"(?i)^reverts?:? [\"'“](.+)[\"'”]")
REVERTING_BODY = re.compile(r"(?im)^This reverts commit\b")


class Messages:
    """Judges commits by their messages, knowing what else the history says of them."""

    def __init__(self, commits: Iterable[Commit]) -> None:
        self._reverted: set[str] = set()
        self._reverted_subjects: set[str] = set()
        self._queries: Counter[str] = Counter()
        for commit in commits:
            self._reverted.update(REVERTED.findall(f"{commit.subject}\n{commit.body}"))
            if found := REVERTED_SUBJECT.match(commit.subject):
                self._reverted_subjects.add(found[1])
            if len(commit.parents) < 2:
                self._queries[query_of(commit.subject).lower()] += 1
        self._lengths = {len(id_) for id_ in self._reverted}

    def reason(self, commit: Commit) -> str:
        """Why a commit is no case, "" if its message is fit for one."""
        if len(commit.parents) > 1 or MERGED.search(commit.subject):
            return "merge"
        if REVERTS.search(commit.subject) or REVERTING_BODY.search(commit.body):
            return "revert"
        if BOT.search(commit.author) or BOT.search(commit.email):
            return "bot"
        return BY_KIND.get(kind_of(commit.subject), "") or self._by_words(commit)

    def _by_words(self, commit: Commit) -> str:
        query = query_of(commit.subject)
        for reason, pattern in BY_SUBJECT.items():
            if pattern.search(commit.subject) or pattern.search(query):
                return reason
        if len(telling_words(query)) < MIN_TELLING_WORDS:
            return "short subject"
        if self._queries[query.lower()] > 1:
            return "duplicate subject"
        return "reverted later" if self._is_reverted(commit) else ""

    def _is_reverted(self, commit: Commit) -> bool:
        return commit.subject in self._reverted_subjects or any(
            commit.id[:length] in self._reverted for length in self._lengths
        )
