"""``plait index``, ``status`` and ``clear``: what they do and what they say."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.interfaces.command import SECONDS, SETTLED_S, Command
from tests.sources.repositories import tree

needs_signals = pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send")


def many_files(root: Path, count: int) -> Path:
    """A tree that takes seconds to index."""
    body = "".join(f"def zebra_{n}(stripe):\n    return stripe + {n}\n\n" for n in range(50))
    return tree(root, {f"m{n // 100}/f{n:05d}.py": f"# {n}\n{body}" for n in range(count)})


def wait_for_writer(command: Command, process: subprocess.Popen[str]) -> None:
    """Wait until a process has begun to write a second generation."""
    deadline = time.monotonic() + SECONDS
    while len(list(command.cache.glob("*/generations/*"))) < 2:
        assert process.poll() is None, "it was over too soon"
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_summary_counts_what_was_done(plait: Command, tiny: Path) -> None:
    tree(tiny, {"empty.py": "", "broken.py": "def (:\n"})
    first = plait("index", "tiny", "-v").out
    (tiny / "notes.md").unlink()
    (tiny / "client.py").write_text("import time\n")
    second = plait("index", "tiny").out

    assert "tiny: 5 added, 0 changed, 0 removed, 0 unchanged; " in first
    assert "skipped: 1 empty; 1 file with syntax problems" in first
    assert re.search(r"\d new chunks, \d+ B in [\d.]+ s, [\d.]+ MB/s", first)
    assert f"generation 1 in {plait.cache}" in first
    assert "  broken.py: has syntax problems\n  empty.py: skipped as empty" in first
    assert "tiny: 0 added, 1 changed, 1 removed, 3 unchanged; 1 new chunk" in second


def test_a_dry_run_tells_and_writes_nothing(plait: Command, tiny: Path) -> None:
    done = plait("index", "--dry-run", "tiny")

    assert done.code == 0
    assert done.out.startswith("tiny: 4 files to index (")
    assert "(an estimate)" in done.out
    assert not plait.cache.exists()


def test_the_rule_that_leaves_a_file_out_is_named(plait: Command, tiny: Path) -> None:
    tree(tiny, {".ignore": "*.log\n", "a.log": "x\n"})

    assert ".ignore" in plait("index", "--explain-ignore", "tiny/a.log", "tiny").out
    assert "client.py is indexed as python" in (
        plait("index", "--explain-ignore", "client.py", at=tiny).out
    )


def test_a_damaged_index_is_noticed_and_can_be_rebuilt(plait: Command, tiny: Path) -> None:
    plait("index", "tiny")
    sound = plait("index", "--check", "tiny")
    text = next(plait.cache.glob("*/layers/*.text"))
    text.write_bytes(text.read_bytes()[::-1])
    damaged = plait("index", "--check", "tiny")
    doctor = plait("doctor", "tiny")
    rebuilt = plait("index", "--rebuild", "tiny")

    assert (sound.code, damaged.code, doctor.code, rebuilt.code) == (0, 2, 2, 0)
    assert "is sound" in sound.out
    assert damaged.err.startswith("error: layers/")
    assert "problem  index: layers/" in doctor.out
    assert plait("index", "--check", "tiny").code == 0


def test_status_tells_what_is_there_and_what_is_stale(plait: Command, tiny: Path) -> None:
    before = plait("status", "tiny")
    plait("index", "tiny")
    (tiny / "new.py").write_text("zebra = 1\n")
    text, data = plait("status", "tiny").out, plait("status", "tiny", "--json").json

    assert before.code == 1
    assert "is not indexed yet" in before.err
    assert "generation  1, 1 file may have changed since\nfiles       4\n" in text
    assert "languages   python 2, go 1, markdown 1\n" in text
    assert {k: data[k] for k in ("schema", "generation", "files", "stale", "repo")} == {
        "schema": "plait.status/1",
        "generation": 1,
        "files": 4,
        "stale": 1,
        "repo": "tiny",
    }
    assert Path(data["index"]).is_relative_to(plait.cache)


def test_a_file_that_is_not_parsed_is_named_with_its_reason(plait: Command, tiny: Path) -> None:
    deep = "its brackets nest more than 10,000 deep"
    tree(tiny, {"deep.py": "(" * 20_000 + "\n"})
    indexed, searched = plait("index", "-v", "tiny").out, plait("retry", "tiny")
    text, data = plait("status", "tiny").out, plait("status", "tiny", "--json").json

    assert f"\n1 file indexed as plain text: {deep} (1)\n" in indexed
    assert f"\n  deep.py: indexed as plain text: {deep}" in indexed
    assert f"\nas text     1 file indexed as plain text: {deep} (1)\n" in text
    assert data["as_text"] == {deep: 1}
    assert searched.code == 0


def test_clear_asks_and_removes(plait: Command, tiny: Path) -> None:
    plait("index", "tiny")
    unasked = plait("clear", "tiny")
    cleared = plait("clear", "tiny", "-y")

    assert unasked.code == 2
    assert "give -y to remove without asking" in unasked.err
    assert cleared.code == 0
    assert cleared.out.startswith("removed the index in ")
    assert plait("clear", "--all", "-y").code == 1
    assert plait("timeout", "tiny").code == 0


# ---------------------------------------------------------------- interruptions and company


@needs_signals
def test_ctrl_c_leaves_the_old_index_answering(plait: Command, tiny: Path) -> None:
    plait("index", "tiny")
    many_files(tiny, 600)
    process = plait.start("zebra", "tiny", env={"PLAIT_WORKERS": "1"})
    wait_for_writer(plait, process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS)

    assert (process.returncode, out) == (130, ""), err
    assert err.splitlines()[-1] == "stopped; the index is unchanged"
    assert "Traceback" not in err
    after = plait("timeout", "tiny", "--no-refresh", "--json").json
    assert (after["generation"], len(after["results"])) == (1, 2)
    assert plait("index", "--check", "tiny").code == 0


@needs_signals
def test_while_another_writes_a_search_answers_and_an_index_refuses(
    plait: Command, tiny: Path
) -> None:
    time.sleep(SETTLED_S)
    plait("index", "tiny")
    many_files(tiny, 600)
    process = plait.start("index", "tiny", env={"PLAIT_WORKERS": "1"})
    wait_for_writer(plait, process)
    os.killpg(process.pid, signal.SIGSTOP)  # it holds the lock for as long as we want
    try:
        found = plait("timeout", "tiny", "--strict")
        refused = plait("index", "tiny", env={"PLAIT_WAIT_S": "0.1"})
    finally:
        os.killpg(process.pid, signal.SIGCONT)
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=SECONDS)

    assert found.code == 3
    assert found.out.startswith("tiny/server/limits.py:1: ")
    assert "note: another process is writing this index (process " in found.err
    assert "answered from generation 1, 600 files behind" in found.err
    assert refused.code == 2
    assert refused.err.startswith("error: another process is writing this index")


def test_two_first_searches_at_once_both_answer(plait: Command, tiny: Path) -> None:
    both = [plait.start("timeout", "tiny") for _ in range(2)]
    outputs = [process.communicate(timeout=SECONDS) for process in both]

    assert [process.returncode for process in both] == [0, 0], outputs
    assert outputs[0][0] == outputs[1][0]
    assert plait("index", "--check", "tiny").code == 0


def test_progress_is_plain_lines_where_there_is_no_terminal(plait: Command) -> None:
    many_files(plait.folder, 300)
    done = plait("zebra_7", "-n", "1", env={"PLAIT_WORKERS": "1"})

    assert done.code == 0
    assert "\r" not in done.err
    assert "\x1b" not in done.err
    lines = done.err.splitlines()
    pattern = r"indexing [\d,]+/300 files, [\d,]+ files/s, [\d.]+ MB/s, .* left"
    assert all(re.fullmatch(pattern, line) for line in lines[:-1])
    assert re.fullmatch(r"indexed 300 files \(.* .B\) in [\d.]+ s", lines[-1])
