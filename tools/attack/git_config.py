"""git: configuration that names programs, paths and protocols, and repositories that lack
objects, shipped with a tree and read by every verb that asks git."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence

from tools.attack import repositories as repos
from tools.attack.bench import CANARY, Bench, Case, batched

PORT = 9  # nothing listens there
# Every key of git's documentation that names a program or a shell command.
PROGRAMS = """core.fsmonitor core.sshCommand core.gitProxy core.askPass core.editor core.pager
    core.alternateRefsCommand sequence.editor gpg.program gpg.openpgp.program gpg.x509.program
    gpg.ssh.program gpg.ssh.defaultKeyCommand credential.helper diff.external
    diff.evil.command diff.evil.textconv merge.evil.driver filter.evil.clean filter.evil.smudge
    filter.evil.process uploadpack.packObjectsHook interactive.diffFilter pager.log pager.diff
    pager.config pager.branch pager.ls-files pager.cat-file pager.rev-list pager.show pager.status
    browser.evil.cmd browser.evil.path man.evil.cmd man.evil.path difftool.evil.cmd
    difftool.evil.path mergetool.evil.cmd mergetool.evil.path guitool.evil.cmd
    sendemail.tocmd sendemail.ccCmd sendemail.headerCmd sendemail.sendmailCmd
    sendemail.smtpServer trailer.evil.command trailer.evil.cmd imap.tunnel instaweb.httpd
    remote.origin.vcs remote.origin.uploadpack remote.origin.receivepack
    submodule.evil.update web.browser help.browser alias.log alias.ls-files alias.rev-parse
    alias.cat-file alias.check-ignore alias.diff-tree alias.config credential.https://x.helper
    tar.tgz.command tar.tar.xz.command receive.procReceiveRefs hook.evil.command
    core.hooksPath fsmonitor.socketDir trace2.normalTarget trace2.eventTarget trace2.perfTarget
    transfer.bundleURI fetch.bundleURI extensions.partialClone bundle.evil.uri""".split()
# Every key that names a file or a folder.
PATHS = """core.excludesFile core.attributesFile core.hooksPath core.worktree include.path
    includeIf.gitdir:/.path commit.template init.templateDir blame.ignoreRevsFile mailmap.file
    mailmap.blob diff.orderFile format.signatureFile gpg.ssh.allowedSignersFile
    gpg.ssh.revocationFile http.cookieFile http.sslCAInfo http.sslCAPath http.sslCert http.sslKey
    http.proxySSLCAInfo http.proxySSLCert http.proxySSLKey http.pinnedPubkey
    sendemail.aliasesFile gitcvs.logFile gitcvs.dbName instaweb.modulePath help.htmlPath
    core.alternateRefsPrefixes core.sharedRepository core.preloadIndex fsck.skipList
    receive.fsck.skipList fetch.fsck.skipList safe.directory trace2.eventTarget
    trace2.normalTarget trace2.perfTarget user.signingKey log.mailmap notes.displayRef
    extensions.worktreeConfig core.splitIndex core.untrackedCache index.sparse
    core.sparseCheckout core.commitGraph core.multiPackIndex""".split()
FLAGS = """[log]
showSignature = true
[protocol]
allow = always
[protocol "ext"]
allow = always
[protocol "file"]
allow = always
[core]
repositoryformatversion = 1
fsmonitorHookVersion = 2
[fetch]
recurseSubmodules = true
[submodule]
recurse = true
[diff]
submodule = log
[http]
proxy = http://127.0.0.1:9
[commit]
gpgSign = true"""
TRANSPORTS = {
    "uploadpack": '[remote "origin"]\nurl = {tree}\npromisor = true\nuploadpack = {program}',
    "sshCommand": '[remote "origin"]\nurl = ssh://h/x\npromisor = true\n'
    "[core]\nsshCommand = {program}",
    "scp": '[remote "origin"]\nurl = h:x\npromisor = true\n[core]\nsshCommand = {program}',
    "ext": '[remote "origin"]\nurl = "ext::{program} %S x"\npromisor = true',
    "gitProxy": '[remote "origin"]\nurl = git://h/x\npromisor = true\n[core]\ngitProxy = {program}',
    "vcs": '[remote "origin"]\nurl = x\nvcs = ../../../../../../{program}\npromisor = true',
    "http": '[remote "origin"]\nurl = http://127.0.0.1:9/x\npromisor = true',
    "git": '[remote "origin"]\nurl = git://127.0.0.1:9/x\npromisor = true',
    "file": '[remote "origin"]\nurl = file://{victim}\npromisor = true\nuploadpack = {program}',
    "insteadOf": '[remote "origin"]\nurl = https://h/x\npromisor = true\n'
    '[url "ext::{program} "]\ninsteadOf = https://',
    "credential": '[remote "origin"]\nurl = http://127.0.0.1:9/x\npromisor = true\n'
    "[credential]\nhelper = !{program}",
}
ALLOWED = {
    "plain": "",
    "allow": "[protocol]\nallow = always",
    "each": "".join(
        f'[protocol "{name}"]\nallow = always\n' for name in ("ext", "file", "ssh", "git", "http")
    ),
}
LOST = ("blob", "old blob", "tree", "commit")
VERBS: tuple[tuple[str, ...], ...] = (
    ("good_neighbour", "{tree}", "--json"),
    ("eval", "mine", "{tree}", "--out", "{scratch}/mined"),
    ("index", "--rebuild", "{tree}"),
    ("status", "{tree}"),
    ("index", "--explain-ignore", "first.py", "{tree}"),
)


def cases() -> Iterator[Case]:
    """Keys in portions; every way to a missing object; whatever else a .git may hold."""
    for number, portion in enumerate(batched(tuple(f"program {key}" for key in PROGRAMS), 8)):
        yield Case(f"programs {number}", portion, _programs)
    for number, portion in enumerate(batched(tuple(f"path {key}" for key in PATHS), 6)):
        yield Case(f"paths {number}", portion, _paths)
    for number, portion in enumerate(batched(tuple(f"key {key}" for key in known_keys()), 50)):
        yield Case(f"keys {number}", portion, _keys)
    fetches = tuple(
        f"fetch {lost}, {transport}, {allowed}"
        for lost, transport, allowed in itertools.product(LOST, TRANSPORTS, ALLOWED)
    )
    for thing in fetches:
        yield Case(thing, (thing,), _fetch)
    for name, act in SINGLES.items():
        yield Case(name, (name,), act)


def known_keys() -> list[str]:
    """Every key this git knows, whatever it is for; what stands for any name is "evil"."""
    told = subprocess.run(
        ["git", "help", "--config"], capture_output=True, text=True, check=False
    ).stdout
    keys = {re.sub(r"<[^>]*>|\*", "evil", key).rstrip(".") for key in told.split()}
    return sorted(key for key in keys if re.fullmatch(r"[a-zA-Z0-9]+\.[a-zA-Z0-9.-]+", key))


def over_verbs(bench: Bench, thing: str = "", most: int = len(VERBS), **options: object) -> None:
    """Every verb that asks git, over the tree; its good file must be found."""
    for verb in VERBS[: 2 if bench.is_sample else most]:
        told = [part.format(tree=bench.tree, scratch=bench.scratch) for part in verb]
        ran = bench.run(*told, thing=thing, seconds=60, **options)  # type: ignore[arg-type]
        if verb[0] == "good_neighbour" and not ran.is_late and "good_neighbour.py" not in ran.out:
            bench.breaks(thing, f"the good file is not found: {ran.said[-200:]!r}")


def _config_line(key: str, value: str) -> str:
    section, _, rest = key.partition(".")
    inner, _, name = rest.rpartition(".")
    head = f'[{section} "{inner}"]' if inner else f"[{section}]"
    return f"{head}\n{name} = {value}"


def named(thing: str) -> str:
    """What the trace of a thing is called."""
    return thing.replace("/", "_")


def _programs(bench: Bench, things: Sequence[str]) -> None:
    repos.make(bench.tree)
    for thing in things:
        path = repos.program(
            bench.tree / "bin", bench.traces / named(thing), named(thing).replace(" ", "-")
        )
        key = thing.partition(" ")[2]
        is_shell = key.startswith("alias.") or key == "credential.helper"
        if key == "core.hooksPath":
            for hook in (
                "post-index-change",
                "pre-commit",
                "reference-transaction",
                "post-checkout",
            ):
                repos.program(bench.tree / "hooks", bench.traces / named(thing), hook)
            path = bench.tree / "hooks"
        repos.configure(bench.tree, _config_line(key, f"!{path}" if is_shell else str(path)))
    repos.configure(bench.tree, FLAGS)
    over_verbs(bench)


def _paths(bench: Bench, things: Sequence[str]) -> None:
    repos.make(bench.tree)
    for thing in things:
        key = thing.partition(" ")[2]
        repos.configure(bench.tree, _config_line(key, str(bench.victim / "secret")))
    over_verbs(bench)


def _keys(bench: Bench, things: Sequence[str]) -> None:
    """A program in place of whatever a key is for; git would stop at some of these values."""
    repos.make(bench.tree)
    for thing in things:
        path = repos.program(
            bench.tree / "bin", bench.traces / named(thing), named(thing).replace(" ", "-")
        )
        repos.configure(bench.tree, _config_line(thing.partition(" ")[2], str(path)))
    over_verbs(bench, most=3)


def _fetch(bench: Bench, things: Sequence[str]) -> None:
    (thing,) = things
    lost, transport, allowed = thing.partition(" ")[2].split(", ")
    repos.make(bench.tree)
    program = repos.program(bench.tree / "bin", bench.traces / thing, "evil")
    text = TRANSPORTS[transport].format(tree=bench.tree, victim=bench.victim, program=program)
    repos.configure(
        bench.tree,
        "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n"
        f"{text}\n{ALLOWED[allowed]}",
    )
    repos.lose(bench.tree, lost)
    over_verbs(bench, thing, most=2)


# ---------------------------------------------------------------- whatever else a .git may hold


def _git_with(change: Callable[[Bench], None]) -> Callable[[Bench, Sequence[str]], None]:
    def act(bench: Bench, things: Sequence[str]) -> None:
        repos.make(bench.tree)
        change(bench)
        over_verbs(bench, things[0])
        if bench.run("grep", CANARY, bench.tree, thing=things[0], seconds=60).exit == 0:
            bench.breaks(things[0], "what lies outside the tree is found")

    return act


def _config(text: str) -> Callable[[Bench], None]:
    return lambda bench: repos.configure(bench.tree, text.format(bench=bench))


def _written(name: str, content: str | bytes) -> Callable[[Bench], None]:
    def change(bench: Bench) -> None:
        path = bench.tree / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = content.encode() if isinstance(content, str) else content
        path.write_bytes(raw.replace(b"{victim}", os.fsencode(bench.victim)))

    return change


def _fifo(name: str) -> Callable[[Bench], None]:
    def change(bench: Bench) -> None:
        path = bench.tree / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        os.mkfifo(path)

    return change


def _linked(name: str, target: str) -> Callable[[Bench], None]:
    def change(bench: Bench) -> None:
        path = bench.tree / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(target.format(bench=bench))

    return change


def _hooks(bench: Bench) -> None:
    names = """applypatch-msg pre-applypatch post-applypatch pre-commit prepare-commit-msg
        commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update
        proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc
        post-rewrite sendemail-validate fsmonitor-watchman post-index-change""".split()
    for name in names:
        repos.program(bench.tree / ".git" / "hooks", bench.traces / f"hook {name}", name)


def _index_entry(path: str) -> Callable[[Bench], None]:
    """An index that names a file outside, as no git would write it."""

    def change(bench: Bench) -> None:
        blob = repos.git(bench.tree, "rev-parse", "HEAD:first.py")
        placeholder = "P" * len(path.encode())
        repos.git(
            bench.tree, "update-index", "--add", "--cacheinfo", f"100644,{blob},{placeholder}"
        )
        index = bench.tree / ".git" / "index"
        import hashlib

        raw = index.read_bytes()[:-20].replace(placeholder.encode(), path.encode())
        index.write_bytes(raw + hashlib.sha1(raw).digest())  # noqa: S324 - git's own format

    return change


def _broken_index(cut: int) -> Callable[[Bench], None]:
    def change(bench: Bench) -> None:
        index = bench.tree / ".git" / "index"
        raw = bytearray(index.read_bytes())
        if cut < 0:
            raw[8:12] = b"\xff\xff\xff\xff"  # so many entries
            index.write_bytes(raw)
        else:
            index.write_bytes(raw[: len(raw) * cut // 10])

    return change


def _path_in_tree(name: str) -> Callable[[Bench], None]:
    """A commit whose tree names what no tree may."""

    def change(bench: Bench) -> None:
        blob = repos.git(bench.tree, "rev-parse", "HEAD:first.py")
        raw = f"100644 {name}\0".encode() + bytes.fromhex(blob)
        path = bench.scratch / "tree"
        path.write_bytes(raw)
        tree = repos.git(bench.tree, "hash-object", "-t", "tree", "-w", "--literally", str(path))
        commit = repos.git(bench.tree, "commit-tree", "-p", "HEAD", "-m", "Add what is none", tree)
        repos.git(bench.tree, "update-ref", "refs/heads/main", commit)

    return change


OUTSIDE = "{bench.victim}/secret"
SINGLES: dict[str, Callable[[Bench, Sequence[str]], None]] = {
    "all hooks": _git_with(_hooks),
    **{
        f"config: {label}": _git_with(_config(text))
        for label, text in {
            "work tree of another": "[core]\nworktree = {bench.victim}",
            "work tree /": "[core]\nworktree = /",
            "bare": "[core]\nbare = true",
            "no boolean": "[core]\nbare = maybe",
            "unknown extension": "[core]\nrepositoryformatversion = 1\n[extensions]\nevil = 1",
            "format 99": "[core]\nrepositoryformatversion = 99",
            "includes itself": "[include]\npath = config",
            "includes /dev/zero": "[include]\npath = /dev/zero",
            "includes its environment": "[include]\npath = /proc/self/environ",
            "includes outside": "[include]\npath = {bench.victim}/secret",
            "a broken line": "[core\n= =",
            "a long line": "[core]\nx = " + "y" * 1_000_000,
            "many sections": "[a]\n" * 200_000,
            "many aliases": "".join(f"[alias]\nx{n} = !touch x\n" for n in range(20_000)),
            "sparse": "[core]\nsparseCheckout = true\n[index]\nsparse = true",
            "sha256": "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha256",
            "many ignore files": "[core]\nexcludesFile = /proc/self/mounts",
            "quotes": "[core]\nquotePath = false\nprecomposeUnicode = true\nignoreCase = true",
        }.items()
    },
    **{
        f".git/{name}: fifo": _git_with(_fifo(name))
        for name in """shallow info/grafts objects/info/alternates commondir config.worktree
            refs/heads/other refs/replace/x packed-refs FETCH_HEAD ORIG_HEAD info/sparse-checkout
            logs/HEAD objects/info/commit-graph objects/pack/x.idx""".split()
    },
    **{
        f".git/{name}: outside": _git_with(_linked(name, OUTSIDE))
        for name in """shallow info/grafts objects/info/alternates commondir config.worktree
            refs/heads/other packed-refs info/exclude info/attributes info/sparse-checkout
            logs/HEAD objects/info/commit-graph""".split()
    },
    **{
        f".git/{label}": _git_with(change)
        for label, change in {
            "alternates to another": _written("objects/info/alternates", "{victim}\n"),
            "alternates to itself": _written("objects/info/alternates", "../objects\n" * 1000),
            "alternates, many": _written("objects/info/alternates", "/nowhere\n" * 100_000),
            "http-alternates": _written("objects/info/http-alternates", "http://127.0.0.1:9/\n"),
            "commondir to another": _written("commondir", "{victim}\n"),
            "commondir of zeros": _written("commondir", bytes(5000)),
            "gitdir": _written("gitdir", "{victim}/.git\n"),
            "HEAD elsewhere": _written("HEAD", "ref: ../../../../victim/secret\n"),
            "HEAD absolute": _written("HEAD", "ref: {victim}/secret\n"),
            "HEAD in circles": _written("HEAD", "ref: HEAD\n"),
            "HEAD long": _written("HEAD", "ref: refs/heads/" + "a/" * 50_000),
            "packed-refs of 5 MB": _written("packed-refs", "# pack-refs\n" + "x" * 5_000_000),
            "grafts of 5 MB": _written("info/grafts", "a" * 5_000_000),
            "commit graph of garbage": _written("objects/info/commit-graph", b"CGPH" + bytes(5000)),
            "midx of garbage": _written("objects/pack/multi-pack-index", b"MIDX" + b"\xff" * 5000),
            "pack of garbage": _written("objects/pack/pack-x.idx", b"\xfftOc" + b"\xff" * 5000),
        }.items()
    },
    **{
        f"index names {path!r}": _git_with(_index_entry(path))
        for path in (
            *("../victim/secret", "../../etc/passwd", ".git/config", ".git/hooks/x", "a/../../x"),
            *("/etc/passwd", "./x", "a//b", ".", "..", "dir/.git/x", "a\\..\\b", "con", "git~1/x"),
        )
    },
    **{f"index cut to {part} tenths": _git_with(_broken_index(part)) for part in (0, 1, 5, 9, -1)},
    **{
        f"tree names {name!r}": _git_with(_path_in_tree(name))
        for name in ("..", ".", ".git", "../x", "a/b", "/etc/passwd", "x" * 5000, "\x1b[2J", "\xff")
    },
}
