"""What looks pasted, and what it tells."""

from __future__ import annotations

import pytest

from plait.messages.frames import Frame, frames_in
from plait.messages.pasted import Message, is_pasted, messages_in

TRACEBACK = """Traceback (most recent call last):
  File "/home/me/app/main.py", line 12, in <module>
    run(x)
  File "/home/me/app/core.py", line 3, in run
    raise ValueError(f"no such thing: {x!r}")
ValueError: no such thing: 'abc'
"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: Could not load 'a' from b
\tat com.foo.Bar.baz(Bar.java:123)
Caused by: java.io.IOException: Stream closed
\t... 3 more"""
GO = """panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.main()
\t/tmp/sandbox/prog.go:8 +0x1d"""
RUST = """thread 'main' panicked at src/main.rs:3:5:
called `Result::unwrap()` on an `Err` value: ParseIntError"""
RUSTC = """error[E0382]: borrow of moved value: `x`
 --> src/main.rs:4:20"""
NODE = """TypeError: Cannot read properties of undefined (reading 'foo')
    at Object.run (/home/x/index.js:3:7)"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TRACEBACK, Message("no such thing: 'abc'", "ValueError")),
        (JAVA, Message("Could not load 'a' from b", "IllegalStateException")),
        (GO, Message("runtime error: index out of range [3] with length 3")),
        (RUST, Message("called `Result::unwrap()` on an `Err` value: ParseIntError")),
        (
            "thread 'a' panicked at 'index too large: 5', src/m.rs:3:5",
            Message("index too large: 5"),
        ),
        (RUSTC, Message("borrow of moved value: `x`")),
        (NODE, Message("Cannot read properties of undefined (reading 'foo')", "TypeError")),
        (
            "main.c:12:5: error: expected ';' before 'return'",
            Message("expected ';' before 'return'"),
        ),
        ("E   AssertionError: expected 3, got 4", Message("expected 3, got 4", "AssertionError")),
        (
            "2026-03-01 12:33:01,123 ERROR [main] org.foo.Bar - Could not connect to db1:5432",
            Message("Could not connect to db1:5432"),
        ),
        (
            "2026-03-01T12:33:01.1Z  WARN tower::trace: retrying in 3 ms",
            Message("retrying in 3 ms"),
        ),
        ('{"level":"error","ts":1,"msg":"failed to open"}', Message("failed to open")),
        ('level=error ts=1 msg="opening storage failed"', Message("opening storage failed")),
        (
            "E0312 12:00:00.000000   1 reflector.go:147] failed to list foo",
            Message("failed to list foo"),
        ),
        (
            "[2026-01-01 10:00:00] production.ERROR: Call to undefined f()",
            Message("Call to undefined f()"),
        ),
        ("app.rb:12:in `bar': undefined method `baz'", Message("undefined method `baz'")),
        (
            "I get ValueError: invalid literal for int()",
            Message("invalid literal for int()", "ValueError"),
        ),
        ('why do I get "Model class has no label"', Message("Model class has no label")),
        (
            "Could not connect to host 'a' on port 80",
            Message("Could not connect to host 'a' on port 80"),
        ),
        ("npm ERR! code ERESOLVE", Message("code ERESOLVE")),
        ("a.b.OperationalError: no such table: x", Message("no such table: x", "OperationalError")),
    ],
)
def test_a_pasted_text_tells_what_stands_behind_its_prefix(text: str, message: Message) -> None:
    assert is_pasted(text)
    assert messages_in(text)[0] == message


@pytest.mark.parametrize(
    "question",
    [
        "how are invalid values rejected",
        "parse error handling",
        "ValueError",
        "connection pool timeout",
        "turn a panic in a handler into a response with status 500",
        "reject certificates that are not among the pinned hashes",
        "Returns the container or null if this container is empty.",
        "Foo.bar",
        "lang:go path:src error",
        "",
    ],
)
def test_a_question_does_not_look_pasted(question: str) -> None:
    assert not is_pasted(question)
    assert messages_in(question) == ()


def test_causes_come_behind_what_happened() -> None:
    assert [message.kind for message in messages_in(JAVA)] == [
        "IllegalStateException",
        "IOException",
    ]


def test_places_come_in_the_order_of_the_text() -> None:
    assert frames_in(TRACEBACK) == (
        Frame("/home/me/app/main.py", 12, "<module>"),
        Frame("/home/me/app/core.py", 3, "run"),
    )
    assert frames_in(JAVA) == (Frame("Bar.java", 123, "com.foo.Bar.baz"),)
    assert frames_in(GO) == (Frame("/tmp/sandbox/prog.go", 8, "main.main"),)
    assert frames_in(RUST) == (Frame("src/main.rs", 3, ""),)
    assert frames_in(RUSTC) == (Frame("src/main.rs", 4, ""),)
    assert frames_in(NODE) == (Frame("/home/x/index.js", 3, "Object.run"),)
    assert frames_in("app.rb:12:in `bar': no") == (Frame("app.rb", 12, "bar"),)
    assert frames_in("#0 /w/a.php(12): App\\B->run()") == (Frame("/w/a.php", 12, "App\\B->run"),)
