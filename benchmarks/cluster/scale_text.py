"""What ``docs/scale.md`` says in words: sizes, plans, assumptions and what others publish."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.cluster.scale_model import Machine, Plan

HEAD = """\
# Scale

<!-- Written by `python -m benchmarks.cluster.scale_page`; do not edit by hand. -->

What more code would take than one machine holds: disks, memory, machines, money and waiting,
for 10^6, 10^8, 10^9 and 10^11 chunks. Every figure is computed from what was measured with a
million chunks on OpenSearch (`benchmarks/records/{record}`)
and from the assumptions below; none of the larger sizes was built. A chunk is a function, a
method, a part of a class or a few lines that belong together.
"""

ASSUMED = """\
- Bytes grow with the chunks. The corpus is {chunks:,} chunks of packages in 22 languages.
- What a search by words looks through grows with the chunks. That is the worst case: Lucene
  skips what cannot come first, so it grows more slowly, but how much depends on the words.
- What a search by meaning does grows with the shards it visits, and within a shard with the
  logarithm of its chunks: a graph is followed, not scanned. Loading and explaining ten results
  does not grow. The shares are those of the methods of the store, {growing:.0%} and
  {deepening:.0%} of a hybrid search.
- Vectors have to be in memory, with the links between them; everything else may be read from
  disk. Every shard is there twice.
- A shard has at most {shard:.0f} GB ([AWS advises 10 to 30 GB for search][aws-shards]), and its
  machine has a core for it. From {many} shards on, somebody is always waiting for a slow one, so
  p95 of one shard counts, not p50.
- A machine has {cores} cores, {memory:.0f} GB of memory of which {heap:.0f} GB are Java's, and up
  to {disk:.0f} TB of disk; for 10^6 it has {few} cores and {little:.0f} GB. At most half of its
  cores' time goes to searches. Writing the whole index once may have all of them.
- Prices, in dollars: {core} an hour of a core and {gb} an hour of a GB of memory
  ([AWS Fargate, x86, us-east-1][fargate]); {ssd} a month of a GB on SSD and {objects} in object
  storage ([turbopuffer's comparison][tpuf-architecture]). No discount, no traffic, nobody's wages.
- What lies in object storage answers more slowly than the tables say, which are about the rest.
- Searches a second are those of an organisation of that size, and stand in the tables. 200 a
  second is what [GitHub's Elasticsearch cluster][github-history] answered on average.
"""


SPREAD = """\
All nodes of one cluster ran on the same two cores, which others used too. So more nodes cannot
be quicker here; the table shows what spreading costs. Two shards are asked with one more round
that adds up how often words occur, so that both score alike.
"""


class SizeText(NamedTuple):
    """A size: how it is met without and with a plan, what breaks first, and the plan."""

    chunks: float
    title: str
    now: Plan
    then: Plan
    breaks: str
    plan: str
    machine: Machine = Machine()


SMALL = Machine(cores=2, memory_gb=8.0, heap_gb=4.0, disk_tb=0.1)

SIZES = (
    SizeText(
        1e6,
        "10^6: a team",
        Plan(load=2),
        Plan(load=2),
        "Nothing breaks: it is what was measured. Two machines are for the copy, not for the work.",
        "None is needed. Up to about this size the embedded store does it on one machine, without "
        "servers.",
        SMALL,
    ),
    SizeText(
        1e8,
        "10^8: a company",
        Plan(load=20),
        Plan(load=20, visited=0.2),
        "That every search looks at everything. Disks and memory are no trouble; the work of "
        "searches is.",
        "Route by repository: documents carry their repository as routing, and most searches are "
        "about a few repositories; searches would have to say so to the cluster, which they do "
        "not yet. That a search looks at a fifth of the index on average is a guess.",
    ),
    SizeText(
        1e9,
        "10^9: a large company with its history and its dependencies",
        Plan(load=50),
        Plan(load=50, unique=0.25, visited=0.1, bits=1),
        "The same, ten times over. Then that copies are indexed as often as they occur, and that "
        "vectors have a byte a coordinate in memory.",
        "De-duplicate by blob: a file's chunks are written once under the digest of its content, "
        "with the repositories that hold it as tags; GitHub is left with a quarter of its bytes. "
        "Quantise: one bit a coordinate in memory, the bytes on disk for the best few hundred. "
        "Route by repository as before.",
    ),
    SizeText(
        1e11,
        "10^11: all public code",
        Plan(load=200),
        Plan(load=200, unique=0.25, hot=0.05, visited=0.005, bits=1),
        "One cluster: so many shards can neither be visited by one search nor managed by one "
        "elected node, and memory for vectors is unaffordable.",
        "Lexical first, in tiers: vectors and fast disks for the twentieth that is asked for "
        "(default branches of living repositories), the rest by words alone from searchable "
        "snapshots in object storage. Many clusters, cut by blob as GitHub does, behind one "
        "front that asks few of them: a search without a repository goes to the hot tier only. "
        "At this size an engine made for it (as Blackbird is) earns its cost.",
    ),
)


class Published(NamedTuple):
    """What somebody says of a size."""

    who: str
    size: str
    figures: str
    source: str


PUBLISHED = (
    Published(
        "GitHub on Elasticsearch, until 2023",
        "53 G files, 200 M repositories",
        "5,184 vCPUs, 40 TB of memory, 1.25 PB of disk; 200 requests a second on average",
        "[GitHub][github-history]",
    ),
    Published(
        "GitHub Blackbird",
        "45 M repositories, 115 TB, 15.5 G documents; 28 TB unique",
        "index 25 TB with the text; 120,000 documents a second; all anew in 18 hours; p99 of a "
        "shard 100 ms; 640 queries a second on 64 cores",
        "[GitHub][blackbird]",
    ),
    Published(
        "Zoekt",
        "2 GB of text on one machine",
        "under 50 ms; index 3.5 times the text; memory 1.2 times the text",
        "[design][zoekt]",
    ),
    Published(
        "Zoekt at Sourcegraph",
        "19,000 repositories, 2.6 G lines, 166 GB on disk",
        "memory cut to a fifth, without a measurable change in latency",
        "[Sourcegraph][zoekt-memory]",
    ),
    Published(
        "turbopuffer, words",
        "1 M documents",
        "p50 13 ms warm, 316 ms from object storage",
        "[turbopuffer][tpuf]",
    ),
    Published(
        "turbopuffer, vectors of 768",
        "10 M documents",
        "p50 14 ms warm, 874 ms from object storage",
        "[turbopuffer][tpuf]",
    ),
    Published("turbopuffer, vectors", "100 G", "p50 46 ms, p99 185 ms", "[turbopuffer][tpuf]"),
    Published(
        "Cursor, on turbopuffer",
        "more than 10^12 documents, 80 M namespaces",
        "writes of 10 GB a second at peaks; 95 % cheaper than before",
        "[turbopuffer][tpuf-cursor]",
    ),
    Published(
        "Cursor",
        "a team's copies of a code base, 92 % alike",
        "first answer after 525 ms instead of 7.87 s (median), by the index of a team mate",
        "[Cursor][cursor]",
    ),
)

OTHERS = """\
Read beside ours: GitHub's old cluster shows that an engine of our kind carries such a size, with
5,184 cores, which are 324 of the machines assumed here, and without vectors; that is far less
than the tables say for a search that looks at everything, and more than they say for one that
does not. Blackbird's index is smaller than the text that is unique because
it cuts by blob and keeps no words, only grams. turbopuffer's and Cursor's figures are those of
many small indexes of which few are warm: what routing by repository gives us, taken to its end.

[aws-shards]: https://docs.aws.amazon.com/wellarchitected/latest/amazon-opensearch-service-lens/aosperf01-bp01.html
[blackbird]: https://github.blog/2023-02-06-the-technology-behind-githubs-new-code-search/
[cursor]: https://cursor.com/blog/secure-codebase-indexing
[fargate]: https://www.vantage.sh/blog/fargate-pricing
[github-history]: https://github.blog/2021-12-15-a-brief-history-of-code-search-at-github/
[tpuf]: https://turbopuffer.com/docs-md/index.md
[tpuf-architecture]: https://turbopuffer.com/docs-md/architecture.md
[tpuf-cursor]: https://turbopuffer.com/customers/cursor
[zoekt]: https://github.com/sourcegraph/zoekt/blob/main/doc/design.md
[zoekt-memory]: https://sourcegraph.com/blog/zoekt-memory-optimizations-for-sourcegraph-cloud
"""
