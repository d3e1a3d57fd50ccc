"""Notes: a sentence where text is wanted, and a code for programs."""

from __future__ import annotations

import pickle

from plait.interfaces.schemas import notes_out
from plait.types import notes
from plait.types.notes import Note


def test_a_note_is_its_sentence_and_knows_its_code() -> None:
    note = Note(notes.SPELLING, "also looked for x")

    assert note == "also looked for x"
    assert f"note: {note}" == "note: also looked for x"
    assert note.code == "spelling"
    assert notes_out([note]) == [{"code": "spelling", "words": "also looked for x"}]


def test_a_note_survives_the_way_to_another_process() -> None:
    again = pickle.loads(pickle.dumps(Note("stale", "two files behind")))  # noqa: S301 - our own

    assert (again, again.code) == ("two files behind", "stale")


def test_no_two_codes_are_the_same() -> None:
    codes = [value for name, value in vars(notes).items() if name.isupper()]

    assert len(codes) == len(set(codes)) >= 19
    assert all(code == code.lower() for code in codes)
