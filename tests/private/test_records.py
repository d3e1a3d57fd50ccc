"""Records of ours: believed only as they were written, and only under their own name."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.private.records import RecordDamaged, read_record, write_record


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "record"
    write_record(path, b"what was written")
    return path


def test_what_was_written_is_read(record: Path) -> None:
    assert read_record(record) == b"what was written"
    write_record(record, b"")
    assert read_record(record) == b""


def test_no_changed_byte_is_believed(record: Path) -> None:
    sound = record.read_bytes()
    for at in range(len(sound)):
        record.write_bytes(sound[:at] + bytes([sound[at] ^ 1]) + sound[at + 1 :])
        with pytest.raises(RecordDamaged, match="not what was written"):
            read_record(record)


def test_no_other_length_is_believed(record: Path) -> None:
    sound = record.read_bytes()
    for damaged in (*(sound[:size] for size in range(len(sound))), sound + b"\0", sound * 2):
        record.write_bytes(damaged)
        with pytest.raises(RecordDamaged):
            read_record(record)


def test_a_record_in_the_place_of_another_is_not_believed(record: Path) -> None:
    other = record.with_name("other")
    write_record(other, b"something else")
    other.replace(record)

    with pytest.raises(RecordDamaged):
        read_record(record)
