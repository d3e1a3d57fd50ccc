"""The judge of the attacks: it must see what it is there to see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.attack import chamber
from tools.attack.__main__ import sampled
from tools.attack.bench import Broken, Case, Outcome, Workshop
from tools.attack.catalogue import CLASSES
from tools.attack.judging import Rules, complaints, raw_controls
from tools.attack.report import held_before, note, rows_of_log
from tools.attack.running import Command, Ran
from tools.attack.trace import parsed

RULES = Rules(
    programs=frozenset({"/usr/bin/git", "/venv/bin/python"}),
    program_folders=("/venv/bin",),
    readable=("/tree", "/cache", "/usr/lib", "/proc"),
    writable=("/cache",),
    reachable=frozenset({"127.0.0.1:8080"}),
    hidden=("hunter2",),
    own="/own",
)


def judged(*lines: str, out: str = "", err: str = "", code: int = 0) -> list[str]:
    calls = tuple(call for line in lines if (call := parsed(line)) is not None)
    command = Command(("index", "."), Path("/tree"), {})
    ran = Ran(command, code, False, 0.1, 1 << 20, out, err, calls)
    return list(complaints(ran, RULES))


@pytest.mark.parametrize(
    "line",
    [
        'execve("/usr/bin/git", ["git", "-C", "/tree", "-c", "a=b", "ls-files"], 0x1) = 0',
        'execve("/venv/bin/python", ["python", "-I"], 0x1) = 0',
        'execve("/bin/sh", ["sh"], 0x1) = -1 ENOENT (No such file or directory)',
        'openat(AT_FDCWD</tree>, "a.py", O_RDONLY|O_CLOEXEC) = 3</tree/a.py>',
        'openat(3</tree>, "../victim", O_RDONLY) = -1 ENOENT (No such file or directory)',
        'openat(AT_FDCWD</tree>, "/cache/x", O_WRONLY|O_CREAT, 0600) = 3</cache/x>',
        'unlink("/cache/x")                    = 0',
        (
            "connect(4<socket:[1]>, {sa_family=AF_INET, sin_port=htons(8080), "
            'sin_addr=inet_addr("127.0.0.1")}, 16) = 0'
        ),
    ],
)
def test_what_is_its_own_business_is_no_complaint(line: str) -> None:
    assert judged(line) == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('execve("/bin/sh", ["sh", "-c", "id"], 0x1) = 0', "it ran '/bin/sh'"),
        ('execve("/usr/bin/git", ["git", "-C", "/tree", "fetch"], 0x1) = 0', "it ran git fetch"),
        ('execve("/usr/bin/git", ["git", "log"], ["KEY=hunter2"]) = 0', "handed 'hunter2'"),
        (
            'openat(AT_FDCWD</tree>, "link.py", O_RDONLY) = 3</victim/secret>',
            "it opened '/victim/secret' for reading",
        ),
        (
            'openat(AT_FDCWD</tree>, "/proc/self/environ", O_RDONLY) = 3</proc/12/environ>',
            "it opened '/proc/12/environ' for reading",
        ),
        (
            'openat(AT_FDCWD</tree>, "new", O_RDWR|O_CREAT, 0600) = 3</tree/new>',
            "it opened '/tree/new' for writing",
        ),
        ('unlinkat(5</victim>, "secret", 0) = 0', "it called unlinkat on '/victim/secret'"),
        ('rename("/cache/x", "/victim/y") = 0', "it called rename on '/victim/y'"),
        ("fchmod(3</tree/x>, 0600) = 0", "it called fchmod on '/tree/x'"),
        (
            (
                "connect(4<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80), "
                'sin_addr=inet_addr("10.0.0.1")}, 16) = -1 ENETUNREACH (Network is unreachable)'
            ),
            "it called connect",
        ),
        ('connect(4, {sa_family=AF_UNIX, sun_path="/run/x"}, 9) = 0', "it called connect"),
    ],
)
def test_what_is_not_is_one(line: str, words: str) -> None:
    (complaint,) = judged(line)

    assert words in complaint


@pytest.mark.parametrize(
    ("out", "err", "code", "words"),
    [
        ("", "", 139, "it ended with 139"),
        ("", "Traceback (most recent call last):\n", 1, "it printed a traceback"),
        ("", "error: plait has a bug: x", 2, "it calls itself broken"),
        ("hunter2", "", 0, "it printed 'hunter2'"),
        ("a\x1b[2J", "", 0, "it printed U+001B raw"),
        ("a\u202eb", "", 0, "it printed U+202E raw"),
    ],
)
def test_how_a_command_ends_and_what_it_prints_is_judged(
    out: str, err: str, code: int, words: str
) -> None:
    (complaint,) = judged(out=out, err=err, code=code)

    assert words in complaint


def test_an_escaped_name_is_read_as_it_is() -> None:
    call = parsed(r'openat(AT_FDCWD</t>, "a\"\n\377) = 3", O_RDONLY) = 3</t/a\42\n\377>')

    assert call is not None
    assert call.paths == ('/t/a"\n\udcff) = 3',)
    assert call.opened == '/t/a"\n\udcff'


def test_raw_controls_leave_text_alone() -> None:
    assert raw_controls("plain\ttext\nüñï 文 \u05d0") == set()
    assert raw_controls("a line of code\r\nand another") == set()
    assert raw_controls("\r\x07\x9b\u2066\udc9b") == {"\r", "\x07", "\x9b", "\u2066", "\udc9b"}


def test_things_are_parted_until_the_one_that_breaks_is_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def once(_shop: Workshop, case: Case) -> list[Broken]:
        return [Broken("", "it broke")] if "evil" in case.things else []

    monkeypatch.setattr(Workshop, "_once", once)
    shop = Workshop(tmp_path, tmp_path, RULES, None)  # type: ignore[arg-type]  # nothing is run
    case = Case("several", ("a", "b", "evil", "c", "d"), lambda _bench, _things: None)

    outcome = shop.attempt(case)

    assert list(outcome.broken) == ["evil"]
    assert outcome.held == 4


def test_a_status_may_be_asked_of_the_checkout_plait_runs_from_alone() -> None:
    asked = 'execve("/usr/bin/git", ["git", "status"], ["A=1", "GIT_WORK_TREE={}"]) = 0'

    assert judged(asked.format("/own")) == []
    assert len(judged(asked.format("/tree"))) == 1


def test_a_tenth_takes_every_tenth_and_something_of_everything() -> None:
    def act(_bench: object, _things: object) -> None:
        pass

    many = [Case(str(number), (str(number),), act) for number in range(25)]
    large = [Case("a", tuple(map(str, range(25))), act), Case("b", ("x",), act)]

    assert [case.name for case in sampled(many, 0.1)] == ["0", "10", "20"]
    assert [case.name for case in sampled(many, 0.1, seed=7)] == ["7", "17"]
    assert [case.things for case in sampled(large, 0.1)] == [("0", "10", "20"), ("x",)]
    assert [case.things for case in sampled(large, 0.1, seed=3)] == [("3", "13", "23"), ("x",)]
    assert sampled(many, 1.0) == many


def test_a_case_that_held_in_a_log_is_done_and_one_that_broke_last_is_not(tmp_path: Path) -> None:
    log = tmp_path / "log"
    calm, evil = (Case(name, ("a", "b"), lambda _bench, _things: None) for name in ("calm", "evil"))
    broken = {"a": [Broken("a", "it broke")]}

    assert held_before(log) == set()
    for case, found in ((calm, broken), (calm, {}), (evil, {}), (evil, broken)):
        note(log, "class", Outcome(case, found))

    assert held_before(log) == {("class", "calm", ("a", "b"))}
    rows = rows_of_log(log)
    assert rows["classes"] == {"class": {"attempts": 4, "held": 3, "broke": 1}}
    assert [row["thing"] for row in rows["broken"]] == ["a"]
    command = [sys.executable, "-m", "tools.attack", "--report", str(log)]
    told = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2]
    )
    assert "| all | 4 | 3 | 1 |" in told.stdout, told.stderr
    assert "Tried in parts" in told.stdout
    assert told.returncode == 1


def test_there_are_at_least_1500_things_no_two_of_a_class_the_same() -> None:
    total = 0
    for name, cases in CLASSES.items():
        things = [(case.name, thing) for case in cases() for thing in case.things]
        assert len(set(things)) == len(things), name
        total += len(things)

    assert total >= 1500


@pytest.mark.slow
@pytest.mark.nightly  # by day `.ci/run` has a stage that attacks
def test_a_sample_runs_in_the_chamber_and_is_counted(tmp_path: Path) -> None:
    if lacking := chamber.missing():
        pytest.skip(f"attacks need namespaces and strace: {lacking}")
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "tools.attack", "--class", "two trees"]

    done = subprocess.run(
        [*command, "--only", "gitdir, nothing", "--jobs", "1"],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
    )

    assert "| two trees | 2 | " in done.stdout, done.stderr
