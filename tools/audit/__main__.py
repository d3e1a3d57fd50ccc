"""Commands: ``python -m tools.audit check|refresh``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from tools.audit import advisories, services
from tools.audit.ledger import FILE, Entry, Ledger
from tools.audit.licences import licences
from tools.audit.locks import REQUIREMENTS, pins, unhashed

OLD_DAYS = 60
PIP_AUDIT = Path(".venv/audit/bin/pip-audit")
ENVIRONMENTS = (Path(".venv"), Path(".venv/audit"), Path(".venv/uv"))


def main(words: Sequence[str] | None = None) -> int:
    """Run one command. Exit 0 if all is well, 1 if a pin is not, 2 if nothing could be learnt."""
    told = _parser().parse_args(words)
    try:
        if told.command == "refresh":
            _refresh(told)
        ledger = Ledger.read(told.ledger)
    except (OSError, ValueError, services.ServiceError) as error:
        _say(f"error: {error}")
        return 2
    wanted = pins(told.requirements)
    faults = [
        *(f"{each} is not pinned with a hash" for each in unhashed(told.requirements)),
        *ledger.faults(wanted),
    ]
    for fault in faults:
        _say(f"fault: {fault}")
    age = (datetime.now(UTC).date() - date.fromisoformat(ledger.date)).days
    if age > OLD_DAYS:
        _say(f"note: the audit is {age} days old; python -m tools.audit refresh brings a new one")
    audited = f"audited on {ledger.date} against {ledger.source}"
    sys.stdout.write(f"{len(wanted)} pins, {len(faults)} faults; {audited}\n")
    return 1 if faults else 0


def _refresh(told: argparse.Namespace) -> None:
    wanted = pins(told.requirements)
    if told.advisories:
        found = advisories.known(told.advisories, wanted)
        source = told.source or f"a database in {told.advisories.name}"
    else:
        found = services.known(told.pip_audit, wanted, *told.option)
        source = told.source or "the vulnerability service of pip-audit"
    accepted = Ledger.read(told.ledger).accepted if told.ledger.exists() else {}
    terms = licences(wanted, ENVIRONMENTS)
    packages = {str(pin): Entry(terms[pin], found.get(pin, [])) for pin in wanted}
    today = datetime.now(UTC).date().isoformat()
    Ledger(today, source, accepted, packages).write(told.ledger)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tools.audit", description=__doc__)
    parser.add_argument("--requirements", type=Path, default=REQUIREMENTS)
    parser.add_argument("--ledger", type=Path, default=FILE)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="hold the locks against the last audit; needs no network")
    refresh = commands.add_parser("refresh", help="audit every pin anew, then check")
    refresh.add_argument("--advisories", type=Path, help="a folder of OSV records, not a service")
    refresh.add_argument("--source", default="", help="what was asked, in words for the ledger")
    refresh.add_argument("--pip-audit", type=Path, default=PIP_AUDIT)
    refresh.add_argument("--option", action="append", default=[], help="of pip-audit")
    return parser


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
