"""Made-up runs whose measures are computed from their outcomes, as the runner does it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plait.evaluation.measures import summary
from plait.evaluation.runs import Outcome, Run, Shown

LANGUAGES = {"Python": 0.06, "Go": 0.03, "Java": 0.0, "TypeScript": -0.04, "Ruby": -0.02}
MODES = {"hybrid": (0.56, 33.1), "lexical": (0.47, 6.2), "dense": (0.43, 29.4)}
CATEGORIES = ("how to", "where is", "bug report")
VERBS = "reject rename drop flush cache parse fold retry sign merge".split()
NOUNS = "webhook tenant session token index ledger queue header cursor lease".split()


def outcome(mode: str = "lexical", question: str = "q1", **changes: Any) -> Outcome:
    """A question whose one right answer is ``src/a.py``, found second."""
    values: dict[str, Any] = {
        "mode": mode,
        "part": "ledger",
        "language": "Python",
        "split": "tuning",
        "category": "how to",
        "question": question,
        "text": "retry with backoff",
        "relevant": {"src/a.py": 1},
        "ranking": ("src/b.py", "src/a.py"),
        "ranks": {},
        "shown": (
            Shown("src/b.py", "src/b.py:3-9", 2.5, ("2.5000  sum of", "  2.5000  retry")),
            Shown("src/a.py", "src/a.py:1-4", 1.25, ("1.2500  sum of",)),
        ),
        "cpu_ms": 4.0,
        "wall_ms": 5.0,
    }
    return Outcome(**(values | changes))


def run_of(folder: Path, outcomes: Sequence[Outcome], **config: Any) -> Run:
    """A complete run with these outcomes."""
    level = config.pop("level", "file")
    dataset = {
        "name": "own-history",
        "digest": config.pop("digest", "d1"),
        "level": level,
        "average": "question",
        "notes": config.pop("notes", []),
    }
    measures = {}
    for mode in dict.fromkeys(each.mode for each in outcomes):
        own = [each for each in outcomes if each.mode == mode]
        measures[mode] = summary(own, is_target=level == "target")
    made: Mapping[str, Any] = {
        "format": 1,
        "dataset": dataset,
        "modes": list(measures),
        "settings": {"k": 60, "weights": {"lexical": 1.0}, "exclude": ["vendor"]},
        "commit": "0f9d2c41",
        "command": "plait eval run own-history",
        "machine": "2 x Example CPU, Linux",
        "versions": {"plait": "0.1.0", "python": "3.11.9"},
        "started": "2026-01-20T10:00:00+00:00",
        "finished": "2026-01-20T10:04:00+00:00",
        "parts": [
            {
                "name": "ledger",
                "language": "Python",
                "split": "tuning",
                "questions": len(outcomes),
                "files": 120,
                "chunks": 2400,
                "index_cpu_s": 3.5,
            }
        ],
        **config,
    }
    return Run(folder, made, tuple(outcomes), measures)


def large_run(
    folder: Path,
    questions: int,
    modes: Mapping[str, tuple[float, float]] = MODES,
    seed: int = 7,
    **config: Any,
) -> Run:
    """A run over five languages; a mode has a quality and a typical time."""
    chance = random.Random(seed)
    outcomes = []
    for number in range(questions):
        language = chance.choice(list(LANGUAGES))
        text = " ".join((chance.choice(VERBS), *chance.sample(NOUNS, 2), f"in case {number}"))
        about = {
            "part": f"{language.lower()}-{number % 3}",
            "language": language,
            "split": "tuning" if number % 3 else "held_out",
            "category": chance.choice(CATEGORIES),
            "text": text,
            "relevant": {f"src/{number}/right.py": 1},
        }
        for mode, (quality, cost_ms) in modes.items():
            answers = [
                f"src/{chance.choice(NOUNS)}/{chance.choice(VERBS)}_{at}.py" for at in range(10)
            ]
            if chance.random() < quality + LANGUAGES[language] + 0.2:
                place = min(int(chance.expovariate(quality)), 9)
                answers[place] = f"src/{number}/right.py"
            cpu_ms = cost_ms * chance.lognormvariate(0, 0.5)
            shown = tuple(_shown(chance, answer, at) for at, answer in enumerate(answers))
            outcomes.append(
                outcome(
                    mode,
                    f"q{number}",
                    **about,
                    ranking=tuple(answers),
                    shown=shown,
                    cpu_ms=cpu_ms,
                    wall_ms=cpu_ms * 1.1,
                )
            )
    return run_of(folder, outcomes, **config)


def _shown(chance: random.Random, answer: str, at: int) -> Shown:
    score = 12.0 / (at + 1)
    words = chance.sample(NOUNS, 3)
    reasons = [
        f"{score:.4f}  sum of",
        *(f"  {score / 3:.4f}  {word} in code: idf" for word in words),
    ]
    first = chance.randint(1, 400)
    return Shown(answer, f"{answer}:{first}-{first + 30}", score, tuple(reasons))
