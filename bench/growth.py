"""How the cost of exact odds grows with the pool, ours and theirs: a picture, docs/images/growth.svg."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from bench.chart import Line, Panel, draw
from bench.memory import forget_all
from bench.questions import Question, joint, opposed, successes
from bench.timing import first_seconds

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "growth.svg"
PATIENCE = 0.6
"""A library that took longer than this in seconds is not asked for more dice."""


class Study(NamedTuple):
    """One question for a growing number of dice."""

    title: str
    dice: tuple[int, ...]
    question: Callable[[int], Question]


STUDIES = (
    Study(
        "10-again, n dice, successes 0 to n + 10",
        (1, 2, 5, 10, 20, 50, 100, 200),
        lambda n: successes(n, n + 10, 1, "icepool", "dyce", "lea"),
    ),
    Study(
        "Narraject joint, d10 and n d6",
        (1, 2, 5, 10, 20, 50, 100, 200),
        lambda n: joint(n, 1, "icepool", "dyce", "lea"),
    ),
    Study("TGIMH, n against n d10", (1, 2, 4, 8, 12, 16, 24, 40), lambda n: opposed(n, 1, "icepool", "dyce")),
)


def measure(study: Study) -> Panel:
    """Whoever runs out of patience drops out."""
    lines: dict[str, list[tuple[int, float]]] = {}
    out: set[str] = set()
    for dice in study.dice:
        question = study.question(dice)
        calls = {"astragal": question.ours, **question.peers}
        asked = {name: call for name, call in calls.items() if name not in out}
        for name, seconds in zip(asked, first_seconds(list(asked.values()), forget_all, budget=0.1), strict=True):
            lines.setdefault(name, []).append((dice, seconds))
            if seconds > PATIENCE:
                out.add(name)
    return Panel(study.title, tuple(Line(name, tuple(points)) for name, points in lines.items()))


def main() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dyce calls its survey experimental
        panels = [measure(study) for study in STUDIES]
    PICTURE.write_text(draw(panels), encoding="utf-8")
    print(f"wrote {PICTURE.name}")


if __name__ == "__main__":
    main()
