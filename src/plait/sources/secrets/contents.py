"""Contents: is a file a secret as a whole?

A key, and a list of variables most of which are secrets, are left out: what is between the
secrets tells nobody anything. Code that holds secrets is code, however short, and is masked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plait.sources.secrets.finding import Secret
from plait.sources.secrets.tables import CODE_SUFFIXES

HEAD_BYTES = 4096
PRIVATE_KEY = re.compile(
    rb"-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|^PuTTY-User-Key-File-[0-9]"
    rb"|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY"
)
PRIVATE_KEY_END = re.compile(
    rb"-----END [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|^Private-MAC|---- END SSH2"
)
UNMASKED = b"---- BEGIN SSH2"  # keys that finding does not know the letters of
HALF = 0.5
FEWEST = 2  # secrets that make a list of variables
ASSIGNED = re.compile(rb"\s*(?:export\s+|set\s+)?[\"']?[A-Za-z_][\w.-]*[\"']?\s*[=:]\s*\S")
REMARK = (b"#", b";", b"//", b"[", b"{", b"}", b"---")


def why_secret(path: str, content: bytes, secrets: Sequence[Secret]) -> str:
    """Why a file is a secret as a whole; "" if it is not.

    Args:
        path: Of the file.
        content: Its text.
        secrets: What of it is secret.
    """
    is_code = path.lower().rpartition(".")[2] in CODE_SUFFIXES
    share = key_share(content)
    if share == 1 or (share > HALF and not (is_code and UNMASKED not in content)):
        return "its main content is a private key"
    if not secrets or is_code:
        return ""
    size = len(content.strip())
    if 2 * sum(secret.end - secret.begin for secret in secrets) > size:
        return "its main content is secrets"
    return "most of its lines assign secrets" if _is_list(content, len(secrets)) else ""


def key_share(content: bytes) -> float:
    """How much of a file a private key makes up, from 0 to 1."""
    start = PRIVATE_KEY.search(content, 0, HEAD_BYTES)
    if start is None:
        return 0.0
    end = PRIVATE_KEY_END.search(content, start.end())
    length = (end.end() if end else len(content)) - start.start()
    return min(length / len(content.strip()), 1.0)


def _is_list(content: bytes, secrets: int) -> bool:
    if secrets < FEWEST:
        return False
    lines = [line.lstrip() for line in content.splitlines()]
    telling = [line for line in lines if line and not line.startswith(REMARK)]
    return 2 * secrets >= len(telling) and all(map(ASSIGNED.match, telling))
