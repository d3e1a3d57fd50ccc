"""Degraded, not dead: full and read-only disks, endpoints that fail or lie, proxies that listen."""

from __future__ import annotations

import itertools
import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tools.attack import chamber
from tools.attack.bench import GOOD_NAME, GOOD_WORD, Bench, Case, touch
from tools.attack.hostile_replies import (
    Reply,
    bodies,
    embedding_replies,
    embeddings,
    raw_replies,
    serve,
)

KEY = "canary-key-of-the-model"
SIZES = ("64k", "128k", "256k", "512k", "1m", "2m", "4m")
EVERY = 9  # of the wrong replies that differ in one value
PROXIES = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
HOSTS = ("127.0.0.1", "localhost", "127.0.0.2", "[::1]", "127.1")
SLOW = {
    "never answers": Reply(hangs=True),
    "drips its head": Reply(raw=b"HTTP/1.1 200 OK\r\n", drip_s=0.5, endless=b"A: b\r\n"),
    "drips its body": Reply(
        raw=b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n{", drip_s=0.2, endless=b" "
    ),
    "sends for ever": Reply(raw=b"HTTP/1.1 200 OK\r\n\r\n{", endless=b" " * 65536),
    "heads for ever": Reply(raw=b"HTTP/1.1 200 OK\r\n", endless=b"A: b\r\n" * 1000),
    "chunks for ever": Reply(
        raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", endless=b"1\r\n \r\n" * 1000
    ),
}


def replies() -> dict[str, Reply]:
    """Every reply, by what is wrong with it."""
    found = {name: Reply().of(body) for name, body in bodies()}
    found |= {f"raw: {name}": Reply(raw=raw) for name, raw in raw_replies()}
    several = itertools.islice(embedding_replies(), 0, None, EVERY)
    found |= {f"vectors: {name}": Reply().of(body) for name, body in several}
    return found | {f"slow: {name}": reply for name, reply in SLOW.items()}


def cases() -> Iterator[Case]:
    """Disks, then replies, then proxies."""
    for size in SIZES:
        yield Case(f"full disk of {size}", (f"full disk of {size}",), _full)
    for when in ("from the start", "after an index"):
        yield Case(f"read-only {when}", (f"read-only {when}",), _read_only)
    for name in ("refused", *replies()):
        yield Case(f"endpoint: {name}", (f"endpoint: {name}",), _endpoint)
    for variable, host in itertools.product(PROXIES, HOSTS):
        yield Case(f"proxy: {variable}, {host}", (f"proxy: {variable}, {host}",), _proxy)


def _full(bench: Bench, things: Sequence[str]) -> None:
    """The disk of the cache is full: what is found is found, or said in words."""
    bench.plant_good()
    for number in range(60):
        (bench.tree / f"filler{number}.py").write_text(
            f"def filler_{number}():\n" + "    x\n" * 900
        )
    bench.cache.mkdir()
    chamber.mount_memory(bench.cache, things[0].rpartition(" ")[2])
    try:
        for arguments in (
            (GOOD_WORD, str(bench.tree)),
            ("index", str(bench.tree)),
            ("grep", GOOD_WORD, str(bench.tree)),
            ("status", str(bench.tree)),
            ("clear", str(bench.tree)),
        ):
            ran = bench.run(*arguments, thing=things[0])
            if ran.exit == 1 and arguments[0] not in ("status", "clear"):
                bench.breaks(things[0], f"no result and no error: {ran.said[-200:]!r}")
    finally:
        chamber.unmount(bench.cache)


def _read_only(bench: Bench, things: Sequence[str]) -> None:
    bench.plant_good()
    bench.cache.mkdir()
    chamber.mount_memory(bench.cache, "64m")
    try:
        if "after" in things[0]:
            bench.run("index", bench.tree, thing=things[0])
        chamber.remount_read_only(bench.cache)
        if "after" in things[0]:
            bench.finds_good(thing=things[0])
            touch(bench.tree / GOOD_NAME)
            bench.finds_good(thing=things[0])
        elif bench.run(GOOD_WORD, bench.tree, thing=things[0]).exit != 2:
            bench.breaks(things[0], "there is no index, and it does not say so")
        for verb in ("index", "status", "doctor", "clusters", "clear"):
            bench.run(verb, bench.tree, thing=things[0])
    finally:
        chamber.unmount(bench.cache)


def _endpoint(bench: Bench, things: Sequence[str]) -> None:
    """Words answer, marked, whatever the endpoint does."""
    name = things[0].partition(": ")[2]
    bench.plant_good()
    if name == "refused":
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = int(taken.getsockname()[1])
        _ask(bench, things[0], port)
        return
    with serve(replies()[name]) as port:
        _ask(bench, things[0], port)


def _ask(bench: Bench, thing: str, port: int) -> None:
    env = {"PLAIT_MODEL": f"http://127.0.0.1:{port}/v1#tiny", "PLAIT_MODEL_KEY": KEY}
    bench.finds_good(
        thing=thing,
        env=env,
        seconds=60,
        reachable=frozenset({f"127.0.0.1:{port}"}),
        hidden=(*bench.rules.hidden, KEY),
    )


@contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A proxy that remembers what it was told and answers nothing; its port."""
    heard: list[bytes] = []
    closing = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)

        def hear() -> None:
            while not closing.is_set():
                try:
                    connection, _ = server.accept()
                except OSError:
                    continue
                with connection:
                    connection.settimeout(1)
                    try:
                        heard.append(connection.recv(65536))
                    except OSError:
                        heard.append(b"")

        thread = threading.Thread(target=hear)
        thread.start()
        try:
            yield int(server.getsockname()[1]), heard
        finally:
            closing.set()
            thread.join()


def _proxy(bench: Bench, things: Sequence[str]) -> None:
    """Key and code never go through a proxy on their way to this machine."""
    variable, host = things[0].partition(": ")[2].split(", ")
    bench.plant_good()
    right = Reply().of(json.dumps(embeddings(1, 64)).encode())
    with serve(right) as port, listening() as (proxy, heard):
        env = {
            variable: f"http://127.0.0.1:{proxy}",
            "PLAIT_MODEL": f"http://{host}:{port}/v1#tiny",
            "PLAIT_MODEL_KEY": KEY,
        }
        places = ("127.0.0.1", "127.0.0.2", "::1")
        reachable = frozenset(f"{place}:{port}" for place in places)
        bench.finds_good(thing=things[0], env=env, seconds=60, reachable=reachable)
        if heard:
            bench.breaks(things[0], f"the proxy was told {heard[0][:200]!r}")
