"""Heads: does the head of a file contradict the licence its package names?

A tag is judged as an expression; otherwise words of a licence that is not permissive keep
the file out, unless the head itself offers a choice.
"""

from __future__ import annotations

import re

from training.licences import Verdict, judge

HEAD_CHARACTERS = 6_000

SPDX = re.compile(r"SPDX-License-Identifier:\s*([^\n\r]+)")
SPDX_END = re.compile(r"\s*(?:\*/|-->|\*\)|\"{3}|'{3}|-}|%}|#}).*$")
COPYLEFT_TEXT = re.compile(
    r"""(?ix) GNU\s+(?:Lesser\s+|Library\s+|Affero\s+)?(?:General\s+)?Public
    | \b[AL]?GPL(?:v?\d|-\d|\b) | Mozilla\s+Public | \bMPL[\s/-]?[12] | \bEPL[\s-]?[12]
    | Eclipse\s+(?:Public|Distribution) | Common\s+Development\s+and\s+Distribution | \bCDDL\b
    | Common\s+Public\s+License | Sleepycat | Berkeley\s+DB\s+(?:Java|XML|Open)
    | Creative\s+Commons\s+Attribution | \bCC[\s-]BY\b | European\s+Union\s+Public
    | Reciprocal\s+License | Artistic\s+License | Open\s+Software\s+License
    | Microsoft\s+Public\s+License | \bMs-PL\b | Netscape\s+Public | CeCILL
    | Q\s+Public\s+License"""
)
CLOSED_TEXT = re.compile(
    r"""(?ix) Business\s+Source\s+License | Server\s+Side\s+Public | Elastic\s+License
    | Commons\s+Clause | PROPRIETARY/CONFIDENTIAL
    | (?:proprietary|confidential)\s+(?:and|information|material|property|to\b)
    | unauthori[sz]ed\s+(?:copying|use|reproduction)
    | may\s+not\s+be\s+(?:copied|reproduced|distributed|disclosed|used)\s+(?:or|without|in\s+any)
    | trade\s+secret | for\s+non-?commercial | Stack\s*Overflow\.com
    | taken\s+from\s+stack\s?overflow | Nvidia\s+(?:Software|End\s+User)
    | license\s+agreement\s+(?:provided|accompanying)"""
)
CHOICE_TEXT = re.compile(
    r"""(?isx) dual[\s-]+licen[cs]
    | (?:MIT|BSD|Apache)\b[^.]{0,60}\b(?:or|and/or)\b[^.]{0,60}\b(?:L?GPL|GNU|MPL|EPL)
    | \b(?:L?GPL(?:v?[23])?|MPL|EPL|GNU\s+\S+\s+\S+\s+License)\b[^.]{0,80}\bor\b
        [^.]{0,40}\b(?:MIT|BSD|Apache)
    | alternatively\b[^.]{0,200}\b(?:MIT|BSD|Apache|permitted)"""
)
PERMISSIVE_TEXT = re.compile(r"\b(?:MIT|BSD|Apache)\b|Redistribution and use in source")
# Words without which none of the above can match: looking for them is a hundred times cheaper.
SIGNS = (
    *("gpl", "gnu", "public", "sleepycat", "berkeley db", "creative", "cc by", "cc-by", "cddl"),
    *("mpl", "epl", "eclipse", "artistic", "open software", "ms-pl", "cecill", "reciprocal"),
    *("common", "source license", "server side", "elastic", "proprietary", "confidential"),
    *("unauthori", "may not", "trade", "commercial", "stack", "nvidia", "license agreement"),
)


def head_verdict(text: str) -> Verdict:
    """Judge what the head of a file says: permissive if it says nothing against it."""
    head = text[:HEAD_CHARACTERS]
    choice = False
    for tag in SPDX.findall(head):
        verdict = judge(SPDX_END.sub("", tag).strip(" *#/;-"))
        if not verdict.is_permissive:
            return verdict._replace(reason=f"head: {verdict.reason}")
        choice = choice or verdict.is_choice
    lowered = " ".join(head.lower().split())
    if not any(sign in lowered for sign in SIGNS):
        return Verdict(True, "", "", choice)
    if CLOSED_TEXT.search(head):
        return Verdict(False, "", "head: closed licence")
    found = COPYLEFT_TEXT.search(head)
    if found and not choice:
        if CHOICE_TEXT.search(head) and PERMISSIVE_TEXT.search(head):
            return Verdict(True, "", "", is_choice=True)
        return Verdict(False, " ".join(found[0].split()), "head: copyleft licence")
    return Verdict(True, "", "", choice)
