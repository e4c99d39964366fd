"""Questions that need no table: odds, advice, comparisons, rolls. The command line and the server both ask here."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.errors import Malformed

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution
    from astragal.questions.odds import Question


class SolvedQuestion(NamedTuple):
    """A solved question: the odds of each fact, by name, and what was asked: a game's roll, notation or a program."""

    headline: str
    facts: dict[str, Distribution[Any]]
    question: Question | None = None
    notation: str = ""
    """Dice notation as it was understood."""
    notes: tuple[str, ...] = ()
    """How it was read where tools differ."""

    @property
    def odds(self) -> Distribution[Any]:
        """The odds of the only value; several outputs of a program are refused."""
        if len(self.facts) > 1:
            raise Malformed(f"The program has {len(self.facts)} outputs; here, one can be asked for at a time.")
        return next(iter(self.facts.values()))

    def title(self, fact: str) -> str:
        """The fact's title; an output of a program is its own."""
        if self.question:
            from astragal.questions.odds import title_of

            return title_of(self.question.kind, fact, self.question.ask)
        return fact.capitalize() if self.notation else fact

    def values(self, fact: str) -> list[Hashable] | None:
        """The values to list, in order and with impossible ones; None for those that can happen."""
        if self.question:
            from astragal.questions.odds import values_of

            return values_of(self.question.kind, fact, self.question.ask)
        weights = self.facts[fact].weights
        return [True, False] if self.notation and all(isinstance(value, bool) for value in weights) else None
