"""Data: locales, migrations and certificates, told by where they are and what they are called."""

from __future__ import annotations

import re

from plait.sources.tags.place import Place

LOCALE_SUFFIXES = frozenset("po pot xlf xliff arb ftl strings stringsdict".split())
LOCALE_FOLDERS = frozenset(
    "locale locales localization localisation i18n l10n lang langs translation translations nls "
    "intl locale-data messages languages".split()
)
# Elsewhere these are languages of programs.
LOOSE_FOLDERS = frozenset("lang langs languages messages".split())
TEXTS = frozenset("json yml yaml php properties toml xml txt csv".split())
LOCALE_DATA = frozenset(
    "json yml yaml php js mjs ts rb py properties toml xml lua txt ex csv".split()
)
# ISO 639-1, and some of 639-3 that programs are often translated to.
CODES = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv "
    "cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr "
    "ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw "
    "ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv "
    "ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr "
    "ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi "
    "yo za zh zu ast ckb fil hsb dsb kab nds scn bar gsw szl cnr haw".split()
)
CODE = re.compile(
    r"^(?:[A-Za-z]\w*\.)?([a-z]{2,3})"
    r"(?:[-_@.](?:[A-Za-z]{2}|[A-Z][a-z]{3}|\d{3}|hans|hant|latin|latn|cyrillic|cyrl|valencia|x|formal"
    r"|informal|POSIX)){0,2}$"
)
LOCALE_NAME = re.compile(
    r"^(?:messages?|strings|bundle|translations?|labels|errors|text)[-_.]([a-z]{2,3})(?:[-_][A-Za-z]{2,4})?"
    r"\.(?:properties|json|ya?ml|xml|php|resx)$"
    r"|^Messages[A-Z][a-z]+(?:_[a-z]+)*\.php$|\.([a-z]{2})(?:-[A-Z][A-Za-z]+)?\.resx$",
    re.IGNORECASE,
)
ANDROID_VALUES = re.compile(r"^values-[a-z]{2,3}(?:-r[a-z]{2})?$")

MIGRATION_FOLDERS = frozenset("migrations migrate migration".split())
NUMBERED = re.compile(r"^(?:V\d+(?:[._]\d+)*__|U\d+__|R__|\d{3,}[-_]|Version\d{8,})")
FLYWAY = re.compile(r"^[VUR][\d_.]*__\w+\.sql$")
MODEL_SNAPSHOT = re.compile(r"ModelSnapshot\.cs$")
ALEMBIC = re.compile(rb"(?m)^down_revision\b")

CERTIFICATE_SUFFIXES = frozenset("crt cer der csr p7b p7c crl asc pub".split())
PEM = re.compile(
    rb"-----BEGIN (?:TRUSTED |X509 )?(?:CERTIFICATE|CERTIFICATE REQUEST|X509 CRL|PUBLIC KEY"
    rb"|RSA PUBLIC KEY|PGP PUBLIC KEY BLOCK)-----"
)
HEAD_BYTES = 2048


def is_locale(place: Place, _content: bytes) -> bool:
    """Whether a file holds texts or formats of one language of people."""
    if place.suffix in LOCALE_SUFFIXES or LOCALE_NAME.search(place.name):
        return True
    if place.suffix not in LOCALE_DATA:
        return False
    if place.lowered and ANDROID_VALUES.match(place.lowered[-1]):
        return True
    for number, folder in enumerate(place.lowered):
        if folder in LOCALE_FOLDERS and (folder not in LOOSE_FOLDERS or place.suffix in TEXTS):
            return any(map(_is_code, (*place.folders[number + 1 :], place.stem)))
    return False


def is_migration(place: Place, content: bytes) -> bool:
    """Whether a file is a numbered step in the history of a database's tables."""
    if place.suffix == "py" and place.lowered[-1:] == ("versions",):
        return ALEMBIC.search(content, 0, HEAD_BYTES) is not None
    for number, folder in enumerate(place.lowered):
        if folder in MIGRATION_FOLDERS:
            names = (*place.folders[number + 1 :], place.name)
            return any(map(NUMBERED.match, names)) or MODEL_SNAPSHOT.search(place.name) is not None
    return FLYWAY.match(place.name) is not None


def is_certificate(place: Place, content: bytes) -> bool:
    """Whether a file is nothing but certificates or public keys."""
    if place.suffix in CERTIFICATE_SUFFIXES or place.suffix == "pem":
        return PEM.search(content, 0, HEAD_BYTES) is not None or b"ssh-" in content[:4]
    return content.startswith(b"-----BEGIN ") and PEM.match(content) is not None


def _is_code(name: str) -> bool:
    found = CODE.match(name)
    return found is not None and found[1] in CODES
