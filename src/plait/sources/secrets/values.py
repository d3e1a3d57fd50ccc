"""Values: is what somebody is said to sign in with a secret, or a word that stands for one?

``password = "correct"`` in a test, ``token: ${TOKEN}`` and ``secretName`` are no secrets. A value
is taken for one if a machine may have drawn it, or if it is made as passwords have to be:
of small letters, capitals, digits and signs.
"""

from __future__ import annotations

import re

from plait.sources.secrets.randomness import CLASSES, is_random_hex, surprise, turns

LEAST, MOST = 8, 256  # what is longer is judged by how it begins
DRAWN = 16  # so long is what machines draw
SURPRISING = 5.2  # bits a letter, for what is that long
PASSWORD_SURPRISING = 4.9  # for a shorter one of several classes
HEX_LEAST = 16
KEY_LEAST = 40

PLACEHOLDER = re.compile(
    rb"(?i)example|sample|change.?me|change.?it|place.?holder|your|dummy|fake|mock|redacted|insert|"
    rb"replace|lorem|foobar|foo.?bar|(?-i:xxxx|XXXX)|xxx-|\*\*\*|\.\.\.|\$[\{(]|\{\{|#\{|"
    rb"%[({]|(?-i:%[sd])(?![A-Za-z0-9])|[<>]|123456|234567|987654|abcdef|qwerty|asdf|aaaaa|00000|"
    rb"11111|"
    rb"passw|secret|token|letmein|p[a@]ssw|testing|test_|_test|-test|test-|^test|test$|"
    rb"unknown|invalid|undefined|default|"
    # names, calls and places
    rb"://|^\.{0,2}/|::|->|=>|\(\)|\[\]|^(?:null|none|true|false|self|this|ctx|req|request|"
    rb"process|params|config|settings|os|env|user|data|props|options|args)[.\[]"
)
UUID = re.compile(rb"(?i)[0-9a-f]{8}-?(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
NUMBER = re.compile(rb"[-+]?[0-9][0-9._,:/T-]*[a-zA-Z%]{0,3}")
# What a name of something else looks like: parts of letters, parted by signs.
NAMES = re.compile(rb"[A-Za-z]*[0-9]{0,3}(?:[._:/@ \\$#,=&?|+-]+[A-Za-z]*[0-9]{0,2})*")
CODE = re.compile(rb"[A-Za-z_$][\w$]*(?:[.(\[]|::|->)[\w$.()\[\]:>'\"-]*")
DRAWN_FROM = re.compile(rb"[^\s\"'`\\{}\[\]<>|$]+")
IMAGES = (b"data:", b"iVBOR", b"R0lGOD", b"/9j/", b"UklGR", b"AAAA", b"MIIB", b"MIIC", b"MIID")


def is_placeholder(value: bytes) -> bool:
    """Whether it stands for a secret, or is drawn from so few letters that it must."""
    return PLACEHOLDER.search(value) is not None or len(set(value)) < min(6, len(value))


def is_secret(value: bytes, *, is_password: bool, is_quoted: bool) -> bool:
    """Whether a value that is called a secret is one.

    Args:
        value: As it stands there, without quotes.
        is_password: What it is called is something people make up themselves.
        is_quoted: It stands in quotes; what does not may be code.
    """
    value = value[:MOST]
    size = len(value)
    if is_quoted and _is_key(value):
        return True
    if size < LEAST or is_placeholder(value):
        return False
    if UUID.fullmatch(value) or NUMBER.fullmatch(value) or value.startswith(IMAGES):
        return False
    if not is_quoted and CODE.fullmatch(value):
        return False
    if size >= HEX_LEAST and is_random_hex(value):
        return True
    classes = set(value.translate(CLASSES))
    if size >= DRAWN and DRAWN_FROM.fullmatch(value):
        least = SURPRISING if 2 in classes else SURPRISING + 0.5
        if surprise(value) >= least and 5 * turns(value) >= size:
            return True
    if not is_password or NAMES.fullmatch(value):
        return False
    return _is_made_up(value, classes)


def _is_key(value: bytes) -> bool:
    """Whether it is so long and mixed that a part like ``()`` or ``%s`` stands there by chance."""
    return (
        len(value) >= KEY_LEAST
        and 2 * len(set(value)) >= len(value)
        and 9 * turns(value) >= 4 * len(value)
        and len(set(value.translate(CLASSES))) >= 3
        and b"://" not in value
        and DRAWN_FROM.fullmatch(value) is not None
    )


def _is_made_up(value: bytes, classes: set[int]) -> bool:
    """Whether it is built as passwords are: of three or four classes, in turns."""
    if not {0, 2} <= classes and not {1, 2} <= classes:
        return False
    if len(classes) == 4:
        return turns(value) >= 2
    return len(classes) == 3 and turns(value) >= 3 and surprise(value) >= PASSWORD_SURPRISING
