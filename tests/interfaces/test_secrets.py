"""Secrets in a tree: nothing that is printed or kept holds one, unless its owner says so."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tests.interfaces.command import SETTLED_S, Command
from tests.sources.repositories import tree
from tools.attack.planted_secrets import Planted, plant, planted

CORPUS = Path(__file__).resolve().parent.parent / "fixtures" / "corpus"
PASSWORD = "Tr7!vq" + "Zp2#xW"
TOKEN = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"


def kept(command: Command) -> bytes:
    """All that plait wrote."""
    return b"\0".join(file.read_bytes() for file in command.cache.rglob("*") if file.is_file())


def has_secrets(folder: Path) -> list[Planted]:
    """A copy of real code with 300 secrets in it."""
    rng = random.Random(3)
    code = [file for file in sorted(CORPUS.rglob("*")) if file.suffix in (".py", ".go", ".java")]
    texts = [file.read_text(encoding="utf-8") for file in code]
    secrets = planted(300, seed=3)
    for number, secret in enumerate(secrets):
        at = number % len(texts)
        texts[at] = plant(texts[at], secret, rng)
    tree(
        folder,
        {file.relative_to(CORPUS).as_posix(): text for file, text in zip(code, texts, strict=True)},
    )
    return secrets


def test_no_planted_secret_is_kept_or_printed(plait: Command) -> None:
    secrets = has_secrets(plait.folder / "shop")
    logs = plait("index", "-v", "shop").out
    kept_ = kept(plait)
    printed = logs + plait("grep", "-n", ".", "shop").out + plait("grep", "--json", ".", "shop").out
    for form in ("json", "md", "llm"):
        printed += plait("search", "password token key", "shop", "-n", "200", "--format", form).out
    leaked = [one for one in secrets if one.secret.encode() in kept_ or one.secret in printed]

    assert "secrets masked in" in logs
    assert len(leaked) <= 0.05 * len(secrets), leaked
    assert "PRIVATE KEY" in printed  # what is around them is there


@pytest.fixture
def shop(plait: Command) -> Path:
    code = "def pay(order):\n    return order.total\n" * 5
    return tree(
        plait.folder / "shop",
        {
            "pay.py": f'password = "{PASSWORD}"\n{code}',
            "mail.py": f'send("{TOKEN}", "{TOKEN}")\n{code}',
            "plain.py": code,
            "notes": f"DB_PASSWORD={PASSWORD}\nAPI_TOKEN={TOKEN}\n",
            ".env": f"DB_PASSWORD={PASSWORD}\n",
            "prod.env": f"DB_PASSWORD={PASSWORD}\n",
        },
    )


def test_status_says_how_many_files_are_left_out_and_secrets_masked(
    plait: Command, shop: Path
) -> None:
    time.sleep(SETTLED_S)
    assert plait("index", "shop").code == 0

    assert (
        "secrets     2 files left out, 3 secrets masked in 2 files" in plait("status", "shop").out
    )
    found = plait("status", "shop", "--json").json
    assert (found["secret_files"], found["masked_secrets"], found["masked_files"]) == (2, 3, 2)
    (shop / "mail.py").write_text("x = 1\n")
    plait("index", "shop")
    assert plait("status", "shop", "--json").json["masked_secrets"] == 1


def test_the_owner_may_see_them_and_they_are_gone_afterwards(plait: Command, shop: Path) -> None:
    found = plait("grep", "-l", "-F", PASSWORD, "shop", "--include-secrets").out

    assert sorted(found.split()) == ["shop/notes", "shop/pay.py", "shop/prod.env"]
    assert PASSWORD.encode() in kept(plait)
    assert plait("grep", "-F", PASSWORD, "shop").code == 1
    assert PASSWORD.encode() not in kept(plait)
    assert TOKEN.encode() not in kept(plait)


def test_a_project_cannot_ask_for_its_secrets_to_be_shown(plait: Command, shop: Path) -> None:
    (shop / ".plait.toml").write_text("include_secrets = true\n")
    done = plait("grep", "-F", PASSWORD, "shop")

    assert (done.code, done.out) == (1, "")
    assert "note: ignored: setting include_secrets cannot be made in" in done.err
    assert PASSWORD.encode() not in kept(plait)


def test_an_index_from_before_secrets_were_masked_is_built_anew(plait: Command, shop: Path) -> None:
    plait("index", "shop", "--include-secrets")
    before = kept(plait)
    done = plait("search", "pay order", "shop")

    assert PASSWORD.encode() in before
    assert "rebuilt" in done.err
    assert PASSWORD.encode() not in kept(plait)


def test_status_and_doctor_tell_of_an_index_with_secrets_shown_and_work(
    plait: Command, shop: Path
) -> None:
    plait("index", "shop", "--include-secrets")
    status, doctor = plait("status", "shop"), plait("doctor", "shop")

    told = "the index was built with secrets shown, and is now asked for with secrets masked"
    assert status.code == 0
    assert f"built       {told}; the next search rebuilds it" in status.out
    assert "secrets     shown, as the index was built" in status.out
    assert f"{told}; the next search rebuilds it" in doctor.out
    assert doctor.code == 0
    assert plait("status", "shop", "--json").json["built_otherwise"] == told
    assert plait("index", "--dry-run", "shop").code == 0
    assert f"note: {told}; the index was rebuilt" in plait("search", "pay", "shop").err
    assert "built   " not in plait("status", "shop").out


@pytest.mark.parametrize(
    "verb", [["grep", "-F", "pay"], ["search", "-F", "pay"], ["search", "pay"]], ids=" ".join
)
def test_a_file_that_is_named_and_left_out_is_told_with_the_reason(
    plait: Command, shop: Path, verb: list[str]
) -> None:
    (shop / "big.txt").write_text("pay\n" * 400_000)
    (shop / ".gitignore").write_text("out.txt\n")
    (shop / "out.txt").write_text("pay\n")
    secret, big, out, plain = (
        plait(*verb, f"shop/{name}") for name in ("prod.env", "big.txt", "out.txt", "plain.py")
    )

    assert secret.code == 1
    assert (
        "note: prod.env is skipped as secret: a credentials file by its name; "
        "--include-secrets shows it" in secret.err
    )
    assert "note: big.txt is skipped as oversized" in big.err
    assert "note: out.txt is left out by" in out.err
    assert "note" not in plain.err
    assert plain.code == 0


def test_verbose_lists_why_files_are_left_out_and_where_secrets_are_masked_on_every_run(
    plait: Command, shop: Path
) -> None:
    (shop / "key.txt").write_text(f"{TOKEN}\n")
    for _ in range(2):
        told = plait("index", "-v", "shop").out

        assert "  key.txt: skipped as secret: its main content is secrets" in told
        assert "  mail.py: 2 secrets masked" in told
        assert "  pay.py: 1 secret masked" in told
        assert "prod.env: skipped as secret: a credentials file by its name" in told
