"""Names of secrets: which files hold credentials, as far as their names say?

Exact names and suffixes are looked up; what people make of them (``prod.env``,
``credentials.bak``, ``gcp-sa-key.json``) is told by the words a name consists of. Such a name
has to end like data: ``credentials.go`` is code, and what is secret in it is masked instead.
Templates (``.env.example``) are for everyone to read.
"""

from __future__ import annotations

from itertools import pairwise

from plait.sources.secrets.tables import (
    ABOUT,
    BACKUPS,
    CODE_SUFFIXES,
    CREDENTIAL_NAMES,
    DATA_SUFFIXES,
    EXAMPLES,
    KEY_SUFFIXES,
    KEY_WORDS,
    SECRET_FOLDERS,
    SECRET_PATHS,
    STAGES,
    TELLING,
)

Refusal = tuple[str, str]

KEY: Refusal = ("secret", "a key store or private key by its name")
CREDENTIALS: Refusal = ("secret", "a credentials file by its name")

BY_NAME: dict[str, Refusal] = dict.fromkeys(CREDENTIAL_NAMES, CREDENTIALS)
BY_SUFFIX: dict[str, Refusal] = dict.fromkeys(KEY_SUFFIXES, KEY)
SEPARATORS = str.maketrans(dict.fromkeys(".-_ ~()", " "))
PASSWORDS = frozenset({"password", "passwords", "passwd", "passphrase"})
# Names that mean something else in a folder of translations, completions or pages.
NAMES_OF_THEIR_OWN = frozenset("auth.json .auth.json token.json passwd shadow htpasswd".split())
PLAIN_SUFFIXES = frozenset({"", "txt", "json", "csv"})


def secret_name(path: str, name: str, suffix: str) -> Refusal | None:
    """Why a file that no table lists is a secret; None if its name does not say so.

    Args:
        path: In lower case, with forward slashes.
        name: Its last part.
        suffix: Of the name, without the dot.
    """
    if suffix in BACKUPS or name.endswith("~"):
        return _of_original(path, name)
    return _of_name(path, name, suffix)


def _of_name(path: str, name: str, suffix: str) -> Refusal | None:
    if suffix not in CODE_SUFFIXES:
        words = name.translate(SEPARATORS).split()
        if not TELLING.isdisjoint(words):
            found = _by_words(path, name, suffix, words)
            if found is not None:
                return found
    if "/." in path or path[0] == ".":
        return _by_folder(path)
    return None


def _of_original(path: str, name: str) -> Refusal | None:
    """A copy is what its original is: ``.npmrc.bak``, ``server.key~``."""
    original = name
    while True:
        stem, dot, suffix = original.rpartition(".")
        if original.endswith("~") and len(original) > 1:
            original = original[:-1]
        elif suffix in BACKUPS and dot and stem:
            original = stem
        else:
            break
    suffix = suffix if dot and stem else ""
    found = BY_NAME.get(original) or BY_SUFFIX.get(suffix)
    folder = path[: len(path) - len(name)]
    return found or _of_name(folder + original, original, suffix)


def _by_folder(path: str) -> Refusal | None:
    """Names that mean something only where they lie."""
    if path.endswith(SECRET_PATHS):
        return CREDENTIALS
    folders = path.split("/")[:-1]
    return None if SECRET_FOLDERS.isdisjoint(folders) else CREDENTIALS


def _by_words(path: str, name: str, suffix: str, words: list[str]) -> Refusal | None:
    said = set(words)
    if suffix == "pub" or not EXAMPLES.isdisjoint(said):
        return None
    if _is_ssh_key(name, words):
        return KEY
    if not ABOUT.isdisjoint(path.split("/")[:-1]):
        return None
    if _is_environment(name, said, words) or said & {"tfvars", "tfstate"}:
        return CREDENTIALS
    if suffix not in DATA_SUFFIXES and suffix not in said & TELLING:
        return None
    stem = [word for word in (words[:-1] if suffix else words) if word not in STAGES] or words
    return CREDENTIALS if _is_credentials(path, name, suffix, said, stem) else None


def _is_ssh_key(name: str, words: list[str]) -> bool:
    """``id_rsa.old``, ``deploy_id_ed25519``, ``ssh_host_rsa_key``, ``deploy_key``."""
    if "." in name.lstrip("."):
        return False
    kinds = {"rsa", "dsa", "ecdsa", "ed25519"}
    if name.startswith("ssh_host_") or words[-2:] == ["deploy", "key"]:
        return words[-1] == "key"
    return any(word == "id" and following in kinds for word, following in pairwise(words))


def _is_environment(name: str, said: set[str], words: list[str]) -> bool:
    """Variables for a process, however they are spelled: ``.env-prod``, ``env.production``."""
    if name.startswith(".env") and name[4:5] in ("", ".", "-", "_"):
        return True
    if name.endswith((".env", ".envrc", ".flaskenv", ".dotenv")):
        return True
    return (
        words[0] in ("env", "dotenv")
        and len(words) > 1
        and said - {words[0]} <= STAGES | {"private", "secret", "secrets"}
    )


def _is_credentials(path: str, name: str, suffix: str, said: set[str], stem: list[str]) -> bool:
    """Whether data is a secret by its words; the first and the last of them tell most."""
    ends = {stem[0], stem[-1]}
    if ends & {"credential", "credentials", "creds", "kubeconfig"} or "adminsdk" in said:
        return True
    if name in NAMES_OF_THEIR_OWN or name.startswith(("client_secret", "client-secret")):
        return True
    if ends & {"secret", "secrets"}:  # a manifest that only names secrets of a store holds none
        is_template = "/templates/" in f"/{path}"
        return not is_template and not said & {"sealed", "external", "store", "provider"}
    if "vault" in said and said & (PASSWORDS | {"pass"}):
        return True
    if suffix == "sql":
        return bool(ends & {"dump", "backup"})
    if suffix == "json" and said & {"key", "keyfile", "sa", "serviceaccount", "account", "admin"}:
        return len(said & KEY_WORDS) > 1
    if suffix in PLAIN_SUFFIXES and stem[-1] in PASSWORDS:
        return True
    if suffix in PLAIN_SUFFIXES and "token" in ends:
        return bool(said & {"access", "refresh", "auth", "oauth", "oauth2", "api", "bot"})
    return suffix in ("token", "secret", "secrets", "password", "passwd", "creds")
