"""Workers: real processes that die in every way there is, and what their parent makes of it."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from plait.errors import WorkerLost, WorkerUnusable
from plait.index.prepare import MODULE, Prepared, prepared
from plait.lanes.lexical import Lexical
from plait.symbols import limits
from plait.symbols.limits import cause
from plait.symbols.workers import LENGTHS, Message, Worker, WorkerPool
from plait.types import SourceFile

HERE = Path(__file__).parent
BUSY_S = 60  # a worker that is not ended at once is busy for so long
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc what runs")

MALFORMED = {
    "short": b"\x01",
    "too-long": LENGTHS.pack(0xFFFFFFFF, 0xFFFFFFFF),
    "cut": LENGTHS.pack(100, 0) + b"[1",
    "not-json": LENGTHS.pack(3, 0) + b"{,}",
    "not-utf-8": LENGTHS.pack(2, 0) + b"\xff\xfe",
    "nothing": b"",
}
BOTTOMLESS = LENGTHS.pack(200_000, 0) + b"[" * 200_000


@pytest.fixture(autouse=True)
def _module_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    with WorkerPool("obedient", 1, max_seconds=5) as made:
        yield made


def tell(worker: Worker, command: object) -> object:
    """What a worker answers; "lost" if it is."""
    message = Message(["write"], command) if isinstance(command, bytes) else Message(command)
    try:
        return worker.ask(message).value[0]
    except WorkerLost:
        return "lost"


def children() -> set[int]:
    """Processes this one has started and that have not been waited for."""
    found: set[int] = set()
    for thread in Path(f"/proc/{os.getpid()}/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that ended meanwhile
            found.update(map(int, (thread / "children").read_text().split()))
    return found


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


# ---------------------------------------------------------------- one worker


def test_a_message_and_its_bytes_come_back(pool: WorkerPool) -> None:
    def ask(worker: Worker, payload: bytes) -> Message:
        return worker.ask(Message({"é\ud800": [1, None, 2.5]}, payload))

    payloads = [b"", b"\x00\xff", b"x" * 3_000_000]
    replies = list(pool.map(ask, payloads))

    assert [reply.value[0] for reply in replies] == [{"é\ud800": [1, None, 2.5]}] * 3
    assert [reply.payload for reply in replies] == payloads


@pytest.mark.parametrize("command", ["exit", "raise", "crash", "eat"])
def test_a_death_costs_one_message_and_no_more(pool: WorkerPool, command: str) -> None:
    assert list(pool.map(tell, ["a", command, "b", command, command, "c"])) == [
        *("a", "lost", "b", "lost", "lost", "c")
    ]


@LINUX
@pytest.mark.parametrize("raw", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_reply_costs_one_message_and_no_more(pool: WorkerPool, raw: bytes) -> None:
    assert list(pool.map(tell, ["a", raw, "b"])) == ["a", "lost", "b"]


@LINUX
def test_a_bottomless_reply_costs_one_message_and_no_more(pool: WorkerPool) -> None:
    assert list(pool.map(tell, ["a", BOTTOMLESS, "b"])) == ["a", "lost", "b"]


def test_what_a_worker_prints_is_no_reply(pool: WorkerPool) -> None:
    assert list(pool.map(tell, ["print", "a"])) == ["print", "a"]


def test_a_worker_is_used_again_and_replaced_only_when_lost(pool: WorkerPool) -> None:
    def pid(worker: Worker, command: str) -> int:
        try:
            answered: int = worker.ask(Message(command)).value[1]
        except WorkerLost:
            return 0
        return answered

    first, second, lost, third, fourth = pool.map(pid, ["a", "b", "exit", "c", "d"])

    assert first == second != third == fourth
    assert lost == 0


def test_an_endless_loop_is_ended_when_its_time_is_over() -> None:
    with WorkerPool("obedient", 1, max_seconds=1) as pool:
        assert list(pool.map(tell, ["a"])) == ["a"]
        began = time.monotonic()
        assert list(pool.map(tell, ["loop"])) == ["lost"]
        took = time.monotonic() - began
        assert list(pool.map(tell, ["b"])) == ["b"]

    assert took >= 1


def test_the_reason_names_the_exit_code(pool: WorkerPool) -> None:
    def reason(worker: Worker, command: str) -> str:
        with pytest.raises(WorkerLost) as caught:
            worker.ask(Message(command))
        return str(caught.value)

    exited, crashed = pool.map(reason, ["exit", "crash"])

    assert "exit code 3" in exited
    assert f"exit code {-signal.SIGSEGV}" in crashed


def cause_of(worker: Worker, command: str) -> str:
    with pytest.raises(WorkerLost) as caught:
        worker.ask(Message(command))
    return caught.value.cause


@LINUX
def test_the_cause_says_what_ended_a_parser(pool: WorkerPool) -> None:
    assert list(pool.map(cause_of, ["crash", "exit", "hoard"])) == [
        "its parser crashed (SIGSEGV)",
        "its parser failed (exit code 3)",
        "its parser needed more than 512 MB of memory",
    ]


def test_the_cause_names_the_deadline_that_was_missed() -> None:
    with WorkerPool("obedient", 1, max_seconds=1) as pool:
        assert list(pool.map(cause_of, ["loop"])) == ["its parser took more than 1 s"]


def test_the_cause_tells_time_from_memory_from_a_crash() -> None:
    assert "10 s of processor time" in cause(-signal.SIGXCPU, limits.MAX_MEMORY_BYTES)
    assert "512 MB" in cause(-signal.SIGSEGV, 400 << 20)
    assert cause(-signal.SIGSEGV, 100 << 20) == "its parser crashed (SIGSEGV)"
    assert "had to be ended" in cause(-signal.SIGKILL, 400 << 20)


# ---------------------------------------------------------------- one that cannot start

UNSTARTABLE = {
    "import": ("import no_such_thing\n", "No module named 'no_such_thing'"),
    "exit": ("import os\nos._exit(7)\n", "exit code 7"),
    "words": ("import sys\nsys.exit('out of luck')\n", "out of luck"),
    "silent": ("", "exit code 0"),
    "chatter": ("import os\nos.write(1, b'x' * 100)\nimport time\ntime.sleep(600)\n", "exit code"),
}


@pytest.mark.parametrize(("body", "reason"), UNSTARTABLE.values(), ids=UNSTARTABLE.keys())
def test_a_worker_that_cannot_start_says_why_and_blames_no_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, reason: str
) -> None:
    (tmp_path / "unstartable.py").write_text(body, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    with (
        WorkerPool("unstartable", 1) as pool,
        pytest.raises(WorkerUnusable, match=f"could not start: .*{reason}"),
    ):
        list(pool.map(tell, ["a", "b"]))


def test_an_interpreter_that_cannot_be_run_ends_it_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))

    with (
        WorkerPool("obedient", 1) as pool,
        pytest.raises(WorkerUnusable, match=r"could not be started: .*No such file"),
    ):
        list(pool.map(tell, ["a"]))


def test_a_grammar_that_is_not_installed_ends_the_run_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tree_sitter_bash.py").write_text("raise ImportError('gone')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    script = SourceFile("repo", "a.sh", "bash", b"greet() {\n  echo hello\n}\n", "1")

    with (
        WorkerPool(MODULE, 1) as pool,
        pytest.raises(WorkerUnusable, match="no grammar for language 'bash': gone"),
    ):
        list(pool.map(prepare, [script]))


# ---------------------------------------------------------------- what it knows


def test_a_worker_has_no_keys_stands_in_an_empty_folder_and_imports_nothing_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: WorkerPool
) -> None:
    for name in ("PLAIT_MODEL_KEY", "AWS_SECRET_ACCESS_KEY", "PYTHONSTARTUP", "PYTHONPATH"):
        monkeypatch.setenv(name, "sesame")
    (tmp_path / "struct.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for entry in (".", "", str(tmp_path)):
        monkeypatch.syspath_prepend(entry)

    (world,) = pool.map(lambda worker, _: worker.ask(Message("world")).value[2], [0])

    assert "sesame" not in world["environment"].values()
    assert world["listing"] == []
    assert world["folder"] not in ("", str(tmp_path), str(Path.cwd()))
    assert stat.S_IMODE(Path(world["folder"]).stat().st_mode) == 0o700
    assert str(tmp_path) not in world["path"]
    assert all(Path(entry).is_absolute() for entry in world["path"])


# ---------------------------------------------------------------- many


def test_results_keep_the_order_of_the_items_whoever_is_slow_or_lost() -> None:
    commands: list[object] = [["sleep", 0.3], "a", "exit", ["sleep", 0.1], *map(str, range(40))]
    with WorkerPool("obedient", 3, max_seconds=10) as pool:
        answers = list(pool.map(tell, commands))

    assert answers == [*commands[:2], "lost", *commands[3:]]


def test_items_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def items() -> Iterator[str]:
        for number in range(1000):
            taken.append(number)
            yield str(number)

    with WorkerPool("obedient", 2) as pool:
        answers = pool.map(tell, items())
        assert [next(answers) for _ in range(5)] == list("01234")
        assert len(taken) < 20


# ---------------------------------------------------------------- the end


@LINUX
def test_close_leaves_no_process_and_no_zombie() -> None:
    before = children()
    with WorkerPool("obedient", 3) as pool:
        list(pool.map(tell, ["a", "exit", "b", "crash", "c", "d"]))
        assert children() > before

    assert children() == before


@LINUX
def test_close_ends_a_busy_worker_at_once() -> None:
    before = children()
    pool = WorkerPool("obedient", 2, max_seconds=BUSY_S)
    assert list(pool.map(tell, ["a", "b", "c", "d"])) == ["a", "b", "c", "d"]
    answers = pool.map(tell, ["loop"] * 30)
    thread = threading.Thread(target=lambda: next(answers, None), daemon=True)
    thread.start()
    time.sleep(0.3)
    began = time.monotonic()
    pool.close()

    assert time.monotonic() - began < BUSY_S
    assert children() == before
    thread.join(5)


@LINUX
def test_close_ends_a_worker_that_is_being_started() -> None:
    before = children()
    stuck = []
    for delay_ms in (0, 1, 2, 3, 5, 8):
        pool = WorkerPool("obedient", 1, max_seconds=1)
        answers = pool.map(tell, ["loop"])
        asking = threading.Thread(target=lambda a=answers: next(a, None), daemon=True)
        asking.start()
        time.sleep(delay_ms / 1000)
        closing = threading.Thread(target=pool.close, daemon=True)
        closing.start()
        closing.join(BUSY_S)
        if closing.is_alive():
            stuck.append(delay_ms)
            for pid in children() - before:
                os.kill(pid, signal.SIGKILL)
            closing.join(5)

    assert stuck == []


@LINUX
def test_a_failing_consumer_leaves_nothing_behind() -> None:
    before = children()

    def consume() -> None:
        with WorkerPool("obedient", 2, max_seconds=BUSY_S) as pool:
            for answer in pool.map(tell, ["a", *["loop"] * 20]):
                raise LookupError(answer)

    began = time.monotonic()
    with pytest.raises(LookupError):
        consume()

    assert time.monotonic() - began < BUSY_S
    assert children() == before


@LINUX
def test_a_failing_function_is_the_callers_to_hear_of(pool: WorkerPool) -> None:
    def fail(worker: Worker, item: int) -> int:
        return item // 0

    with pytest.raises(ZeroDivisionError):
        list(pool.map(fail, [1, 2]))

    assert list(pool.map(tell, ["a"])) == ["a"]


PARENT = """
import sys, threading, time
from plait.symbols.workers import Message, WorkerPool
pool = WorkerPool("obedient", 1, max_seconds=600)
print(*pool.map(lambda worker, _: worker.ask(Message("a")).value[1], [1]), flush=True)
if sys.argv[1] != "idle":
    threading.Thread(target=lambda: list(
        pool.map(lambda worker, _: worker.ask(Message(sys.argv[1])), [1])), daemon=True).start()
time.sleep(600)
"""


def orphan(state: str) -> int:
    """The process id of a worker whose parent was killed while it was in this state."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, state],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    time.sleep(0.3)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    return pid


@LINUX
def test_an_idle_worker_ends_with_its_parent() -> None:
    pid = orphan("idle")

    assert within(5, lambda: not is_running(pid))


@LINUX
def test_a_looping_worker_ends_with_its_parent() -> None:
    pid = orphan("loop")
    try:
        assert within(3, lambda: not is_running(pid))
    finally:
        if is_running(pid):
            os.kill(pid, signal.SIGKILL)


# ---------------------------------------------------------------- grammars that crash

# A letter far beyond the tables of the C library, after a brace, reads memory that may not be
# there (tree-sitter-bash#337): with eighty of them, most processes die, but not all.
CRASHER = "".join(f"{{{chr(0x10000 + n * 0x3000)}\n" for n in range(80)) + "echo findme\n"
FAKE_GRAMMAR = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"


def prepare(worker: Worker, file: SourceFile) -> Prepared:
    return prepared(worker, file, Lexical())


def test_a_file_that_crashes_its_grammar_comes_back_as_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tree_sitter_bash.py").write_text(FAKE_GRAMMAR, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    text = "greet() {\n  echo hello\n}\n" * 300
    crasher = SourceFile("repo", "bad.sh", "bash", text.encode(), "1")
    sound = SourceFile("repo", "good.py", "python", b"def greet():\n    pass\n", "2")
    with WorkerPool(MODULE, 1) as pool:
        before, lost, after = pool.map(prepare, [sound, crasher, sound])

    assert lost.was_lost
    assert "".join(entry.chunk.text for entry in lost.change.entries) == text
    assert not before.was_lost
    assert before == after


def test_known_crashers_cost_nobody_a_line() -> None:
    crasher = SourceFile("repo", "bad.sh", "bash", CRASHER.encode(), "1")
    with WorkerPool(MODULE, 1) as pool:
        for done in pool.map(prepare, [crasher] * 5):
            lines = {
                n for e in done.change.entries for n in range(e.chunk.span[0], e.chunk.span[1] + 1)
            }

            assert lines == set(range(1, 82))


@LINUX
@pytest.mark.slow  # a parser needs seconds to fill its memory
def test_a_file_that_needs_too_much_memory_comes_back_as_lines_and_says_so() -> None:
    text = "x = [" + "1," * 1_400_000 + "]\n"
    file = SourceFile("repo", "flat.py", "python", text.encode(), "1")
    with WorkerPool(MODULE, 1) as pool:
        (done,) = pool.map(prepare, [file])

    assert done.as_text == "its parser needed more than 512 MB of memory"
    assert "".join(entry.chunk.text for entry in done.change.entries) == text


def test_a_hundred_thousand_parentheses_harm_nobody() -> None:
    text = "(" * 100_000 + "\nfindme\n"
    file = SourceFile("repo", "deep.js", "javascript", text.encode(), "1")
    with WorkerPool(MODULE, 1) as pool:
        (done,) = pool.map(prepare, [file])

    assert "".join(entry.chunk.text for entry in done.change.entries) == text
