"""What indexing a repository did, in lines for the terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from plait.index.diff import SKIPPED, masked_by_path
from plait.index.stamps import load_stamps
from plait.interfaces.cli.output import counted, sized
from plait.types import Skipped

if TYPE_CHECKING:
    from plait.answering.index import Index
    from plait.index.refresh import Report


def summary(index: Index, report: Report, seconds: float) -> list[str]:
    """What a refresh did, in two or three lines."""
    did = f"{report.added:,} added, {report.changed:,} changed, {report.removed:,} removed"
    pace = f"{sized(report.bytes)} in {seconds:.1f} s"
    if report.bytes:
        pace += f", {report.bytes / 1e6 / seconds:.1f} MB/s"
    new = counted(report.chunks, "new chunk")
    lines = [f"{index.repo}: {did}, {report.unchanged:,} unchanged; {new}, {pace}"]
    odd = []
    if report.skipped:
        odd.append(f"skipped: {reasons(report.skipped)}")
    if report.with_errors:
        odd.append(f"{counted(len(report.with_errors), 'file')} with syntax problems")
    if report.as_text:
        odd.append(as_text(Counter(report.as_text.values())))
    if report.masked[0]:
        odd.append(masked_secrets(*report.masked))
    if odd:
        lines.append("; ".join(odd))
    lines.append(f"generation {report.generation} in {index.place}")
    return lines


def reasons(skipped: dict[str, int]) -> str:
    """Why files were left out, the most frequent reason first."""
    ordered = sorted(skipped.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count:,} {reason}" for reason, count in ordered)


def as_text(why: dict[str, int]) -> str:
    """How many files are indexed as plain text, and why."""
    ordered = sorted(why.items(), key=lambda pair: (-pair[1], pair[0]))
    named = "; ".join(f"{reason} ({count:,})" for reason, count in ordered)
    return f"{counted(sum(why.values()), 'file')} indexed as plain text: {named}"


def masked_secrets(secrets: int, files: int) -> str:
    """How many secrets cannot be found although the files they stand in can."""
    return f"{counted(secrets, 'secret')} masked in {counted(files, 'file')}"


def details(index: Index, report: Report) -> list[str]:
    """What was left out and what was odd, a line each."""
    rows = [
        (item.path, f"skipped as {item.reason}" + (f": {item.detail}" if item.detail else ""))
        for item in index.source.listing()
        if isinstance(item, Skipped)
    ]
    stamps = load_stamps(index.writer.stamps_path)
    for path, (_, outcome) in stamps.items():
        if outcome.startswith(SKIPPED):
            rows.append((path, f"skipped as {outcome.removeprefix(SKIPPED)}"))
    for path, count in masked_by_path(stamps).items():
        rows.append((path, f"{counted(count, 'secret')} masked"))
    rows += [(path, "has syntax problems") for path in report.with_errors]
    rows += [(path, f"indexed as plain text: {why}") for path, why in report.as_text.items()]
    return [f"  {path}: {what}" for path, what in sorted(rows)]
