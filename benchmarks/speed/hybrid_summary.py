"""The figures of a hybrid run that count, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HEAD = """\
| chunks | MB | bare tantivy | same terms | exact floats | bare scan | plait by meaning \
| plait hybrid | hybrid / bare | hybrid / bare, same terms | recall@100 |
|---|---|---|---|---|---|---|---|---|---|---|"""


def summary(raw: Mapping[str, Any]) -> str:
    """All sizes that were run; times are p50 / p99 in CPU milliseconds."""
    lines = ["# Words and meaning: speed, recall, memory", "", HEAD]
    lines += [_times(size) for size in raw.values()]
    for size in raw.values():
        lines += ["", _memory(size), "", _embedding(size)]
    return "\n".join(lines) + "\n"


def _times(size: Mapping[str, Any]) -> str:
    cells = [f"{size['chunks']:,}", f"{size['megabytes']:.0f}"]
    cells += [
        f"{size[f'{name}_p50_ms']:.2f} / {size[f'{name}_p99_ms']:.2f}"
        for name in ("tantivy", "tantivy_same_terms", "scan", "dense", "hybrid")
    ]
    cells.insert(4, f"{size['exact_p50_ms']:.2f}")
    for words in ("tantivy", "tantivy_same_terms"):
        ratios = [
            size[f"hybrid_{share}_ms"] / (size[f"{words}_{share}_ms"] + size[f"scan_{share}_ms"])
            for share in ("p50", "p99")
        ]
        cells.append(" / ".join(f"{ratio:.2f}" for ratio in ratios))
    cells.append(f"{size['recall']:.4f}")
    return f"| {' | '.join(cells)} |"


def _memory(size: Mapping[str, Any]) -> str:
    stages = [
        f"{stage.replace('_', ' ')} {found['RssAnon']:.0f} + {found['RssFile']:.0f} MB"
        for stage, found in size["memory"].items()
    ]
    return (
        f"{size['chunks']:,} chunks, memory of its own + mapped files: {', '.join(stages)}; "
        f"vectors on disk {size['vector_megabytes']:.0f} MB."
    )


def _embedding(size: Mapping[str, Any]) -> str:
    overhead = size["embed_cpu_s"] / size["encoder_cpu_s"] - 1
    return (
        f"{size['chunks']:,} chunks, embedding by {size['model'][:8]}: "
        f"{size['embed_cpu_s']:.1f} CPU-s, of which the encoder {size['encoder_cpu_s']:.1f} "
        f"(overhead {overhead:.0%}); after one file was added {size['one_file_cpu_s']:.2f} CPU-s."
    )
