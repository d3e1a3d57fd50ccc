"""Metadata: what a package of each ecosystem says its licence is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from email.parser import HeaderParser
from html import unescape

from training.licences import UNKNOWN, Verdict, all_of, any_of, identify, judge

CLASSIFIER = re.compile(r"^License :: (?:OSI Approved(?: :: )?)?(.*)$")
LICENSE_BLOCK = re.compile(r"<licenses>(.*?)</licenses>", re.DOTALL)
LICENSE_NAME = re.compile(r"<license>.*?</license>", re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# Names that a project file shortens or spells in its own way, by address.
ADDRESSES = (
    (re.compile(r"apache\.org/licenses/LICENSE-2\.0"), "Apache-2.0"),
    (re.compile(r"opensource\.org/licenses?/(?:mit|MIT)"), "MIT"),
    (re.compile(r"opensource\.org/licenses?/(?:bsd|BSD)"), "BSD"),
)


def wheel(text: str) -> Verdict:
    """The ``METADATA`` of a wheel: the expression, else the classifiers, else the free field."""
    headers = HeaderParser().parsestr(text)
    expression = headers.get("License-Expression", "")
    if expression:
        return judge(expression)
    named = [CLASSIFIER.match(value) for value in headers.get_all("Classifier", [])]
    classes = [match[1] for match in named if match and match[1]]
    free = headers.get("License", "")
    said = judge(free.strip().splitlines()[0]) if free.strip() else UNKNOWN
    if classes:
        judged = all_of([identify(name) for name in classes])
        # Several classifiers do not say "and" or "or"; the free field may.
        return said if not judged.is_permissive and said.is_choice else judged
    return said


def npm(text: str) -> Verdict:
    """A ``package.json``: ``license``, or the old list of ``licenses`` to choose from."""
    try:
        described = json.loads(text)
    except ValueError:
        return UNKNOWN
    if not isinstance(described, dict):
        return UNKNOWN
    said = described.get("license", described.get("licenses"))
    if isinstance(said, str):
        return judge(said)
    arms = said if isinstance(said, list) else [said]
    names = [arm.get("type", "") if isinstance(arm, dict) else str(arm or "") for arm in arms]
    return any_of([judge(name) for name in names]) if names else UNKNOWN


def maven(projects: Sequence[str]) -> Verdict:
    """Project files, the package's own first: the nearest that names licences decides."""
    for text in projects:
        block = LICENSE_BLOCK.search(COMMENT.sub("", text))
        if block is None:
            continue
        arms = []
        for licence in LICENSE_NAME.findall(block[1]):
            name = re.search(r"<name>\s*(.*?)\s*</name>", licence, re.DOTALL)
            url = re.search(r"<url>\s*(.*?)\s*</url>", licence, re.DOTALL)
            verdict = judge(unescape(name[1])) if name else UNKNOWN
            if not verdict.is_permissive and verdict.reason == "licence unknown" and url:
                known = [licence for pattern, licence in ADDRESSES if pattern.search(url[1])]
                verdict = judge(known[0]) if known else verdict
            arms.append(verdict)
        if arms:
            return any_of(arms)  # Maven: a user may select any of the licences listed
    return UNKNOWN
