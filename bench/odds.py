"""How long exact odds take when first asked, beside icepool, dyce and lea at their best."""

from __future__ import annotations

import warnings
from typing import NamedTuple

from bench.memory import forget_all, left_over
from bench.questions import QUESTIONS, Question
from bench.timing import first_seconds


class Row(NamedTuple):
    """One measured question; seconds by library."""

    name: str
    wanted: float
    ours: float
    peers: dict[str, float]

    @property
    def fastest(self) -> str:
        return min(self.peers, key=self.peers.__getitem__)

    @property
    def ratio(self) -> float:
        return self.peers[self.fastest] / self.ours

    @property
    def reached(self) -> bool:
        return self.ratio >= self.wanted


def measure(question: Question) -> Row:
    """Answers are compared first, then timed."""
    question.check()
    ours, *peers = first_seconds([question.ours, *question.peers.values()], forget_all)
    return Row(question.name, question.wanted, ours, dict(zip(question.peers, peers, strict=True)))


def measure_all() -> list[Row]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dyce calls its survey experimental
        return [measure(question) for question in QUESTIONS]


def main() -> None:
    for row in measure_all():
        peers = ", ".join(f"{name} {seconds * 1e3:.3g} ms" for name, seconds in row.peers.items())
        verdict = "" if row.reached else "   MISSED"
        print(
            f"{row.name:<44} {row.ours * 1e3:8.4f} ms   {peers}   {row.ratio:.1f} × (wanted {row.wanted:g} ×){verdict}"
        )
    for name in left_over([question.ours for question in QUESTIONS]):
        print(f"forget() leaves what {name} remembers")


if __name__ == "__main__":
    main()
