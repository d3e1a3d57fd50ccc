"""Classifying: is what was read text that somebody may look for?

A file is worth indexing if it is text, of a size a person could have written, and no
secret. Whatever its encoding, it leaves here as UTF-8 with its line ends as they were, and
secrets in it are asterisks: nothing behind this place ever sees them. Its digest is of the
bytes as they lay on disk, or, if something was masked, of what is left.
"""

from __future__ import annotations

import codecs
import hashlib

from plait.beneath import Refused
from plait.sources.languages import language_of
from plait.sources.names import refused_name
from plait.sources.selection import Selection
from plait.sources.tags import tags_of
from plait.types import SourceFile

BINARY_HEAD_BYTES = 8192
# 128 bits: no two files of one tree will meet by chance, and half the bytes to store.
# SHA-256 because processors know it by heart: 3.3 us for 4 KB, BLAKE2b takes 5.8.
DIGEST_LENGTH = 32

# Seen on the 5,200 scripts, style sheets and JSON files of a Debian system: all 16 named *.min.*
# have most bytes on lines above 500 and long lines on average. Long lines alone also hit data
# with one long string in it, the average alone misses a minified line under a long licence.
LONG_LINE = 500
LONG_AVERAGE = 250
MINIFIED_MIN_BYTES = 2048
MINIFIABLE = frozenset({"javascript", "css", "html", "json"})

MASKED = b"masked\0"  # so begins what a masked file's digest is of: no text does
CONTROLS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x1b"})
HIGH = bytes(range(128, 256))
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


def digest_of(raw: bytes) -> str:
    """The first 32 hexadecimal digits of the bytes' SHA-256."""
    return hashlib.sha256(raw).hexdigest()[:DIGEST_LENGTH]


def classify(repo: str, path: str, raw: bytes, selection: Selection) -> SourceFile:
    """Make a source file of raw bytes.

    Raises:
        Refused: The bytes are not worth indexing, with the reason.
    """
    refused = refused_name(path, selection)
    if refused is not None:
        raise Refused(*refused)
    if len(raw) > selection.max_bytes:
        raise Refused("oversized", f"more than {selection.max_bytes} bytes")
    content = as_utf8(raw)
    if not content.strip():
        raise Refused("empty", "the file is empty" if not raw else "nothing but white space")
    language = language_of(path, content)
    if language in MINIFIABLE and is_minified(content):
        raise Refused("minified", f"most of it stands on lines above {LONG_LINE} bytes")
    digest, count = "", 0
    if not selection.include_secrets:
        # Not before: its patterns take as long to compile as a search that reads no file.
        from plait.sources.secrets.contents import why_secret
        from plait.sources.secrets.masking import masked

        shown, secrets = masked(content)
        if why := why_secret(path, content, secrets):
            raise Refused("secret", why)
        if secrets:
            content, count, digest = shown, len(secrets), digest_of(MASKED + shown)
    tags = tags_of(path, content)
    return SourceFile(repo, path, language, content, digest or digest_of(raw), tags, masked=count)


def as_utf8(raw: bytes) -> bytes:
    """Text as UTF-8 without its byte-order mark.

    Raises:
        Refused: It is not text.
    """
    if raw.startswith(UTF32):
        return transcoded(raw, "utf-32")
    if raw.startswith(UTF16):
        return transcoded(raw, "utf-16")
    if raw.find(b"\0", 0, BINARY_HEAD_BYTES) >= 0:
        raise Refused("binary", f"a NUL byte in the first {BINARY_HEAD_BYTES}")
    body = raw.removeprefix(codecs.BOM_UTF8)
    try:
        body.decode()
    except UnicodeDecodeError:
        return from_8_bit(body)
    return body


def transcoded(raw: bytes, encoding: str) -> bytes:
    """Text whose byte-order mark names its encoding, as UTF-8."""
    try:
        return raw.decode(encoding).encode()
    except UnicodeError:
        raise Refused("binary", f"begins as {encoding.upper()} but is not") from None


def from_8_bit(raw: bytes) -> bytes:
    """Text in an unknown 8-bit encoding, read as Windows-1252.

    A few bad bytes in what is otherwise UTF-8 are replaced. East Asian encodings come out
    garbled in their comments but right in their code, which beats not finding it.
    """
    plain = len(raw) - len(raw.translate(None, HIGH))
    if len(raw) != len(raw.translate(None, CONTROLS)) or 2 * plain > len(raw):
        raise Refused("binary", "not text in UTF-8, UTF-16 or an 8-bit encoding")
    text = raw.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    if sum(char > "\x7f" for char in text) > 2 * bad:
        return text.encode()
    try:
        return raw.decode("cp1252").encode()
    except UnicodeDecodeError:
        return raw.decode("latin-1").encode()


def is_minified(content: bytes) -> bool:
    """Whether most bytes stand on lines nobody would write."""
    if len(content) < MINIFIED_MIN_BYTES:
        return False
    lines = content.split(b"\n")
    if len(content) < LONG_AVERAGE * len(lines):
        return False
    return 2 * sum(len(line) for line in lines if len(line) > LONG_LINE) > len(content)
