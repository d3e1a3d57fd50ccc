"""Workers: processes that can be killed, because nothing else bounds a parse.

Parsers are C code fed with whatever lies in a repository: they crash, loop and eat memory,
and cannot be interrupted from inside the process. So every file is parsed in a worker that
limits its own memory and that a watchdog kills when it takes too long. The caller gets
``WorkerLost`` for that one file and a fresh worker for the next. Messages are JSON and raw
bytes, never pickles: a worker that has been taken over cannot make its parent run code.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import IO, Any, NamedTuple, Self, TypeVar

from plait.errors import WorkerLost

T = TypeVar("T")
R = TypeVar("R")

LENGTHS = struct.Struct("<II")  # of the JSON and of the bytes behind it
MAX_SECONDS = 20.0  # of wall time for one file; the slowest sound file seen takes under 2
MAX_MEMORY_BYTES = 1 << 30
WATCH_SECONDS = 0.2
COLLECT_EVERY = 5_000  # messages; for cycles that some library may have left: none was seen
PR_SET_PDEATHSIG = 1
MAX_REPLY_BYTES = 256 << 20


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
    _limit_memory(MAX_MEMORY_BYTES)
    gc.disable()  # a file's values die by reference counting; looking for cycles is lost time
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a grammar prints must not look like a reply
    _end_with_parent()
    for count in itertools.count(1):
        message = receive(requests)
        if message is None:
            return
        send(replies, answer(message))
        if count % COLLECT_EVERY == 0:
            gc.collect()


def _end_with_parent() -> None:
    """Have the kernel kill this process when its parent, and the watchdog with it, is gone."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_memory(size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows: the watchdog's time limit remains
        return
    for kind, limit in ((resource.RLIMIT_AS, size), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (soft, hard))


class Worker:
    """One process, started when first needed and again after it was lost."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self._lock = threading.Lock()  # between starting a process and ending it for good
        self.busy_since: float | None = None

    def ask(self, message: Message) -> Message:
        """Send a message and wait for the reply.

        Raises:
            WorkerLost: The process died or was killed; the next call starts another.
        """
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        self.busy_since = time.monotonic()
        try:
            send(process.stdin, message)
            reply = receive(process.stdout)
        except (OSError, ValueError):
            reply = None
        finally:
            self.busy_since = None
        if reply is None:
            self.stop()
            raise WorkerLost(f"a parse worker was lost (exit code {process.returncode})")
        return reply

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._is_closed:
                raise WorkerLost("the worker pool is closed")
            self._process = subprocess.Popen(
                [sys.executable, "-m", self._module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
            return self._process

    def close(self) -> None:
        """End the process and start no other; a waiting ``ask`` gets WorkerLost."""
        with self._lock:
            self._is_closed = True
            self.kill()

    def kill(self) -> None:
        """End the process at once; a waiting ``ask`` gets WorkerLost."""
        if self._process is not None:
            self._process.kill()

    def stop(self) -> None:
        """End the process and forget it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):  # what was still buffered has nowhere to go
                    stream.close()
        process.wait()


class WorkerPool:
    """Workers that share a stream of messages.

    Args:
        module: Run as ``python -m module``; its main program calls ``serve``.
        count: How many processes.
        max_seconds: How long one message may take.
    """

    def __init__(self, module: str, count: int, *, max_seconds: float = MAX_SECONDS) -> None:
        self._workers = [Worker(module) for _ in range(count)]
        self._free: deque[Worker] = deque(self._workers)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="plait-worker")
        self._max_seconds = max_seconds
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
                since = worker.busy_since
                if since is not None and now - since > self._max_seconds:
                    worker.kill()

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
