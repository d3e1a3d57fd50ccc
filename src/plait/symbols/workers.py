"""Workers: processes that can be killed, because nothing else bounds a parse.

Parsers are C code fed with whatever lies in a repository: they crash, loop and eat memory,
and cannot be interrupted from inside the process. So every file is parsed in a worker that
limits its own memory and processor time and that a watchdog kills when it takes too long. The
caller gets ``WorkerLost`` for that one file and a fresh worker for the next. Messages are JSON
and raw bytes, never pickles: a worker that has been taken over cannot make its parent run code.

A worker says that it is ready before it gets its first file. One that does not is no file's
fault but the installation's: ``WorkerUnusable``, which ends the run.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import struct
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import IO, Any, NamedTuple, Self, TypeVar

from plait import children
from plait.errors import SymbolError, WorkerLost, WorkerUnusable
from plait.symbols import limits
from plait.symbols.limits import MAX_SECONDS

T = TypeVar("T")
R = TypeVar("R")

LENGTHS = struct.Struct("<II")  # of the JSON and of the bytes behind it
START_SECONDS = 120.0  # of wall time until a worker is ready, on a busy machine
WATCH_SECONDS = 0.2
COLLECT_EVERY = 5_000  # messages; for cycles that some library may have left: none was seen
MAX_REPLY_BYTES = 256 << 20
READY = "ready"
UNUSABLE = "unusable"  # key of a reply that says why no file of a language can be parsed
MAX_COMPLAINT_BYTES = 64 << 10
HINT = "plait doctor says what is missing; if nothing is, reinstall plait"


class Message(NamedTuple):
    """A JSON value and the bytes that go with it."""

    value: Any
    payload: bytes = b""


def send(stream: IO[bytes], message: Message) -> None:
    """Write one message."""
    head = json.dumps(message.value, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )
    stream.write(LENGTHS.pack(len(head), len(message.payload)))
    stream.write(head)
    stream.write(message.payload)
    stream.flush()


def receive(stream: IO[bytes]) -> Message | None:
    """Read one message; None at the end of the stream."""
    lengths = stream.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    head_size, payload_size = LENGTHS.unpack(lengths)
    if head_size + payload_size > MAX_REPLY_BYTES:
        return None
    head, payload = stream.read(head_size), stream.read(payload_size)
    if len(head) < head_size or len(payload) < payload_size:
        return None
    try:
        return Message(json.loads(head.decode("utf-8", "surrogatepass")), payload)
    except (ValueError, RecursionError):
        return None


def serve(answer: Callable[[Message], Message]) -> None:
    """The life of a worker: answer messages on standard input until it closes."""
    limits.limit_memory()
    gc.disable()  # a file's values die by reference counting; looking for cycles is lost time
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    limits.end_with_parent()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # whatever a grammar prints must not look like a reply
        os.dup2(nowhere, stream)
    send(replies, Message(READY))
    for count in itertools.count(1):
        message = receive(requests)
        if message is None:
            return
        limits.limit_cpu()
        try:
            try:
                reply = answer(message)
            except SymbolError as error:
                reply = Message({UNUSABLE: str(error), "hint": error.hint})
            send(replies, reply)
        except MemoryError:
            os._exit(limits.OUT_OF_MEMORY)
        if count % COLLECT_EVERY == 0:
            gc.collect()


class Worker:
    """One process, started when first needed and again after it was lost."""

    def __init__(self, module: str, max_seconds: float = MAX_SECONDS) -> None:
        self._module = module
        self._max_seconds = max_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self._lock = threading.Lock()  # between starting a process and ending it for good
        self._deadline: float | None = None  # when what it does now has to be done
        self._is_late = False
        self._held_bytes = 0  # of address space, when last looked at during this message

    def ask(self, message: Message) -> Message:
        """Send a message and wait for the reply.

        Raises:
            WorkerLost: The process died or was killed; the next call starts another.
            WorkerUnusable: No process can be started, or none could answer such a message.
        """
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        self._held_bytes = 0
        self._deadline = time.monotonic() + self._max_seconds
        try:
            send(process.stdin, message)
            reply = receive(process.stdout)
        except (OSError, ValueError):
            reply = None
        finally:
            self._deadline = None
        if reply is None:
            self.stop()
            code = process.returncode
            late_s = self._max_seconds if self._is_late else 0.0
            cause = limits.cause(code, self._held_bytes, late_s)
            raise WorkerLost(f"a parse worker was lost (exit code {code})", cause=cause)
        if isinstance(reply.value, dict) and UNUSABLE in reply.value:
            hint = str(reply.value.get("hint") or HINT)
            raise WorkerUnusable(f"files cannot be parsed: {reply.value[UNUSABLE]}", hint=hint)
        return reply

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._is_closed:
                raise WorkerLost("the worker pool is closed")
            pipe = subprocess.PIPE
            try:
                process = children.start_module(self._module, stdin=pipe, stdout=pipe, stderr=pipe)
            except OSError as error:
                reason = f"a parse worker could not be started: {error}"
                raise WorkerUnusable(reason, hint=HINT) from error
            self._process, self._is_late = process, False
        assert process.stdout is not None
        assert process.stderr is not None
        self._deadline = time.monotonic() + START_SECONDS
        ready = receive(process.stdout)
        self._deadline = None
        if ready is not None and ready.value == READY:
            process.stderr.close()
            return process
        process.kill()
        said = process.stderr.read(MAX_COMPLAINT_BYTES).decode("utf-8", "replace").split("\n")
        self.stop()
        if self._is_closed:
            raise WorkerLost("the worker pool is closed")
        ending = f"it ended with exit code {process.returncode}"
        last = next((line.strip() for line in reversed(said) if line.strip()), ending)
        raise WorkerUnusable(f"a parse worker could not start: {last}", hint=HINT)

    def close(self) -> None:
        """End the process and start no other; a waiting ``ask`` gets WorkerLost."""
        with self._lock:
            self._is_closed = True
            self._kill()

    def look(self, now: float) -> None:
        """End the process if what it does takes too long; ``ask`` gets WorkerLost."""
        deadline, process = self._deadline, self._process
        if deadline is None or process is None:
            return
        if now > deadline:
            self._is_late = True
            self._kill()
        else:
            self._held_bytes = limits.held_by(process.pid) or self._held_bytes

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    def stop(self) -> None:
        """End the process and forget it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(OSError):  # what was still buffered has nowhere to go
                    stream.close()
        process.wait()


class WorkerPool:
    """Workers that share a stream of messages.

    Args:
        module: Run as ``python -m module``; its main program calls ``serve``.
        count: How many processes.
        max_seconds: How long one message may take on the wall; what it may take of a
            processor is ``limits.MAX_CPU_SECONDS``, where the system can say.
    """

    def __init__(self, module: str, count: int, *, max_seconds: float = MAX_SECONDS) -> None:
        self._workers = [Worker(module, max_seconds) for _ in range(count)]
        self._free: deque[Worker] = deque(self._workers)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="plait-worker")
        self._closing = threading.Event()
        self._watchdog = threading.Thread(target=self._watch, daemon=True)
        self._watchdog.start()

    def map(self, function: Callable[[Worker, T], R], items: Iterable[T]) -> Iterator[R]:
        """Apply a function that uses a worker to every item; results in the items' order."""
        window: deque[Future[R]] = deque()
        ahead = 4 * len(self._workers)  # enough to keep every worker busy behind a slow file
        try:
            for item in items:
                window.append(self._threads.submit(self._with_worker, function, item))
                if len(window) >= ahead:
                    yield window.popleft().result()
            while window:
                yield window.popleft().result()
        finally:
            for future in window:
                future.cancel()

    def _with_worker(self, function: Callable[[Worker, T], R], item: T) -> R:
        worker = self._free.pop()
        try:
            return function(worker, item)
        finally:
            self._free.append(worker)

    def _watch(self) -> None:
        while not self._closing.wait(WATCH_SECONDS):
            now = time.monotonic()
            for worker in self._workers:
                worker.look(now)

    def close(self) -> None:
        """End every worker."""
        self._closing.set()
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in self._workers:
            worker.stop()
        self._watchdog.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
