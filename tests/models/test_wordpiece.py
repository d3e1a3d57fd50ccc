"""Word pieces: the same ids as the reference, from a vocabulary small enough to read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plait.errors import ModelError
from plait.models.wordpiece import SHAPE, WordPieces, load_word_pieces, words

VOCABULARY = {
    piece: number
    for number, piece in enumerate(
        "[UNK] http server get user by id 2 un ##known ##s ##er serve a ##b".split()
    )
}


def pieces() -> WordPieces:
    return WordPieces(VOCABULARY, unknown=0)


def named(text: str) -> list[str]:
    names = list(VOCABULARY)
    return [names[number] for number in pieces().ids(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HTTPServer", ["http", "server"]),
        ("getUserByID2", ["get", "user", "by", "id", "2"]),
        ("get_user_by_id", ["get", "user", "by", "id"]),
        ("GET USERS", ["get", "user", "##s"]),
        ("servers unknown", ["server", "##s", "un", "##known"]),
        ("server serve", ["server", "serve"]),  # the longest piece first
        ("get zebra", ["get", "[UNK]"]),
        ("ab aB", ["a", "##b", "a", "[UNK]"]),  # a rest is no beginning
        ("a" * 41, ["[UNK]"]),
        ("", []),
        ("+-*/ ()", []),
    ],
)
def test_a_text_is_cut(text: str, expected: list[str]) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("naïveCafé", ["na", "ve", "caf"]),
        ("ÉcoleHTTPServer", ["cole", "http", "server"]),
        ("İstanbul", ["i", "stanbul"]),  # lower-cased it is an i and a dot above
        ("日本語getUser", ["get", "user"]),
        ("K9", ["k", "9"]),  # the sign for kelvin
    ],
)
def test_letters_beyond_ascii_separate_words(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


def write(path: Path, **changes: object) -> Path:
    model = {
        "type": "WordPiece",
        "vocab": VOCABULARY,
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 40,
    }
    path.write_text(json.dumps({"model": model, "added_tokens": [], **SHAPE, **changes}))
    return path


def test_it_is_read_from_a_tokenizer_file(tmp_path: Path) -> None:
    loaded = load_word_pieces(write(tmp_path / "tokenizer.json"))

    assert loaded.ids("HTTPServer") == pieces().ids("HTTPServer")
    assert loaded.size == len(VOCABULARY)


@pytest.mark.parametrize(
    "changes",
    [
        {"normalizer": {"type": "Lowercase"}},
        {"pre_tokenizer": None},
        {"model": {"type": "BPE"}},
        {"model": {"type": "WordPiece", "vocab": {}}},
        {"model": None},
        {"added_tokens": [{"id": 0, "content": "[PAD]"}]},
    ],
)
def test_a_tokeniser_of_another_kind_is_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    with pytest.raises(ModelError):
        load_word_pieces(write(tmp_path / "tokenizer.json", **changes))


def test_a_missing_or_damaged_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "damaged.json").write_bytes(b"{\xff")

    for name in ("nowhere.json", "damaged.json"):
        with pytest.raises(ModelError, match="cannot read the tokeniser"):
            load_word_pieces(tmp_path / name)
