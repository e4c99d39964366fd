"""Verdicts: a result as people see it, in a tone, a name and numbers, for a card and for a line of text."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

Tone: TypeAlias = Literal["triumph", "good", "mixed", "bad", "disaster"]
"""The tone of a result for the side that rolls."""
TONES: tuple[Tone, ...] = ("triumph", "good", "mixed", "bad", "disaster")
"""Every tone, the best first."""
WINS: frozenset[Tone] = frozenset({"triumph", "good"})
"""The tones that count as success."""


class Verdict(NamedTuple):
    """What a result is called (``tier``), the numbers behind it (``sum``), what else it gives, and its tone.

    ``theirs`` is the tier as the other side of an opposed roll would call it.
    """

    tone: Tone
    tier: str
    sum: str = ""
    gains: tuple[str, ...] = ()
    theirs: str = ""
    line: str = ""
    """The whole verdict in a line, where it is not tier, sum and gains in a row."""

    @property
    def turned(self) -> Verdict:
        """The verdict for the other side: what is good for one is bad for the other."""
        return self._replace(tone=turned(self.tone), tier=self.theirs or self.tier, theirs=self.tier, line="")


def turned(tone: Tone) -> Tone:
    """The tone for the other side."""
    return TONES[-1 - TONES.index(tone)]


def verdict_of(said: str, result: Any) -> Verdict:
    """A verdict from a plain sentence: numbers in brackets are the sum, the tone follows from ``success``."""
    success = getattr(result, "success", None)
    tier, numbers = split_verdict(said)
    return Verdict("mixed" if success is None else "good" if success else "bad", tier, numbers, line=said)


def split_verdict(said: str) -> tuple[str, str]:
    """The name and the numbers of "Failure (heads: 1)" or "Done: 4 of 4"; no numbers if it has neither sign."""
    if said.endswith(")") and " (" in said:
        tier, _, numbers = said[:-1].partition(" (")
        return tier, numbers
    tier, _, numbers = said.partition(": ")
    return tier, numbers
