"""Secrets: planted in code and in files of their own, and not found in anything kept or printed.

A kind of secret holds if at most one in twenty of those planted is found: some, such as a password
that is an ordinary word, cannot be told from code.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

from tools.attack.bench import Bench, Case
from tools.attack.planted_secrets import KINDS, Planted, planted

PER_KIND = 20
MOST_FOUND = 0.05
WORD = "planted_value"
NAMES = """.env prod.env .env.local .env.production secrets.env terraform.tfvars prod.auto.tfvars
    sa-key.json service-account.json credentials.json auth.json kubeconfig.yaml .kube/config
    .aws/credentials .npmrc .pypirc .netrc .git-credentials .docker/config.json id_rsa id_ed25519
    server.key private.pem secrets.yaml secrets.yml secrets.json client_secret.json .htpasswd
    .pgpass vault.token .ssh/id_ecdsa keystore.p12""".split()
ASKED: tuple[tuple[str, ...], ...] = (
    ("index", "-v", "{tree}"),
    ("grep", ".", "{tree}"),
    ("grep", "--json", ".", "{tree}"),
    ("password token key secret", "{tree}", "-n", "200", "--per-file", "0", "--format", "json"),
    ("password token key secret", "{tree}", "-n", "200", "--per-file", "0", "--format", "llm"),
    ("symbols", "value", "{tree}"),
    ("status", "{tree}"),
    ("clusters", "{tree}"),
)


def cases() -> Iterator[Case]:
    """Every kind in code, then every name of a file."""
    yield Case("in code", tuple(f"kind {kind}" for kind in KINDS), _in_code)
    yield Case("in files", tuple(f"file {name}" for name in NAMES), _in_files)


def _in_code(bench: Bench, things: Sequence[str]) -> None:
    by_kind: dict[str, list[Planted]] = defaultdict(list)
    for number, one in enumerate(planted(len(KINDS) * PER_KIND, seed=11)):
        thing = f"kind {one.kind}"
        if thing in things:
            by_kind[thing].append(one)
            code = f"def {WORD}_{number}():\n    return {number}\n" if one.suffix == "py" else ""
            (bench.tree / f"file{number}.{one.suffix}").write_text(f"{code}{one.text}\n")
    bench.plant_good()
    told = _told(bench)
    for thing, several in by_kind.items():
        found = [one for one in several if one.secret.encode() in told]
        if len(found) > MOST_FOUND * len(several):
            shown = [(one.suffix, one.text[:80]) for one in found[:3]]
            bench.breaks(thing, f"{len(found)} of {len(several)} are found: {shown}")


def _in_files(bench: Bench, things: Sequence[str]) -> None:
    rng = random.Random(5)
    words = {}
    for number, thing in enumerate(things):
        path = bench.tree / f"d{number}" / thing.partition(" ")[2]
        path.parent.mkdir(parents=True)
        words[thing] = "".join(rng.choices("abcdefghijkmnpqrstuvwxyz", k=20))
        path.write_text(f"value = {words[thing]}\n")
    bench.plant_good()
    told = _told(bench, hidden=True)
    for thing, word in words.items():
        if word.encode() in told:
            bench.breaks(thing, "what it holds is found")


def _told(bench: Bench, *, hidden: bool = False) -> bytes:
    """All that was printed and all that was kept."""
    env = {"PLAIT_HIDDEN": "1"} if hidden else {}
    said = []
    for arguments in ASKED:
        ran = bench.run(*(part.format(tree=bench.tree) for part in arguments), env=env)
        said.append(ran.said.encode("utf-8", "surrogateescape"))
    bench.finds_good(env=env)
    kept = [path.read_bytes() for path in bench.cache.rglob("*") if path.is_file()]
    return b"\0".join((*said, *kept))
