"""Checking: is every file there whole, and does every shard answer?"""

from __future__ import annotations

from collections.abc import Iterator

from plait.stores.cluster.counting import FILES
from plait.stores.cluster.queries import CHUNKS, Body
from plait.stores.cluster.view import View

PAGE = 5_000


def faults(view: View) -> list[str]:
    """What is wrong with a generation: a sentence each, none if all is well."""
    found = []
    health = view.connection.ask("GET", f"/_cluster/health/{view.read.index}")
    if health["status"] != "green":
        lost = health["unassigned_shards"]
        found.append(f"{lost} of the index's shards are on no node (status {health['status']})")
    chunks = dict(_chunks(view))
    for key, version, count in _files(view):
        having = chunks.pop(version, 0)
        if having != count:
            repo, path = key.split("\0")
            found.append(f"{path} of {repo} has {having} chunks in the index, not {count}")
    found += [
        f"{count} chunks of version {version} have no file" for version, count in chunks.items()
    ]
    return found


def _chunks(view: View) -> Iterator[tuple[str, int]]:
    """Versions of files, and how many chunks of each there are."""
    after: Body = {}
    while True:
        pages: Body = {
            "size": PAGE,
            "sources": [{"version": {"terms": {"field": "version"}}}],
            **after,
        }
        body: Body = {"query": CHUNKS, "size": 0, "aggs": {"versions": {"composite": pages}}}
        page = view.search(body)["aggregations"]["versions"]
        yield from ((row["key"]["version"], row["doc_count"]) for row in page["buckets"])
        if len(page["buckets"]) < PAGE:
            return
        after = {"after": page["after_key"]}


def _files(view: View) -> Iterator[tuple[str, str, int]]:
    """Key, version and number of chunks of every file."""
    body: Body = {
        "query": FILES,
        "sort": [{"key": "asc"}],
        "docvalue_fields": ["version", "chunks"],
    }
    for page in view.pages(body, 1 << 40):
        for hit in page:
            fields = hit["fields"]
            yield hit["sort"][0], fields["version"][0], fields["chunks"][0]
