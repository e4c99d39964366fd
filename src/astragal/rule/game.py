"""A game: its kinds of roll, its rules by number, its worked examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from astragal.errors import Unknown
from astragal.rule.ask import Ask
from astragal.rule.node import Node


class Decision(NamedTuple):
    """A choice that can be answered before it comes up, and how the answer is written.

    ``flag``: yes is the first answer, no the second. ``words``: any text belongs to the first answer. ``list``: several
    answers in order, all of which must be used. ``one``: one answer, optionally with a text after a colon.
    """

    name: str
    help: str
    answers: tuple[str, ...]
    written: Literal["flag", "words", "list", "one"] = "one"
    rule: str = ""

    def parse(self, text: str) -> list[str]:
        """The answers that this text stands for."""
        if self.written == "list":
            return [part.strip() for part in text.split(",") if part.strip()]
        if self.written == "words" and text.strip() not in self.answers[1:]:
            return [f"{self.answers[0]}: {text.strip()}"]
        return [text.strip()]


class Kind(NamedTuple):
    """One kind of roll: its ask, the function that builds its tree, and the texts for its result."""

    name: str
    title: str
    ask: type[Ask]
    rule: Callable[[Any], Node[Any]]
    headline: Callable[[Any], str]
    verdict: Callable[[Any], str]
    decisions: tuple[Decision, ...] = ()
    short: tuple[str, ...] = ()
    """The inputs that may be given by position on a command line."""
    example: str = ""
    """The arguments of ``astragal roll`` that the help shows."""
    counted: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """For each group of typed faces: the input that their number sets, and inputs that prevent this if given."""
    odds: str = ""
    """The module with this roll's ``FACTS`` and ``WISHES``; it is imported when odds are needed."""
    does: str = "rolls"
    """What the story says of whoever rolls: "acts", "goes up" (against somebody)."""
    budget: str = ""
    """The input with the points that pay for choices; advice says what the last point is worth."""
    helpers: int = 0
    """Most helpers of the roller at a table."""
    their_helpers: int = 0
    """Most helpers of the other side."""
    helpers_rule: str = ""
    """The rule for helpers."""

    @property
    def is_live(self) -> bool:
        """Whether some input is counted when it is spent, while a roll is open."""
        return any(input.live for input in self.ask.inputs.values())

    @property
    def several(self) -> tuple[str, ...]:
        """The choices that take a list of answers."""
        return tuple(decision.name for decision in self.decisions if decision.written == "list")


class Game(NamedTuple):
    """A game. Its first kind of roll is the default."""

    name: str
    title: str
    blurb: str
    kinds: Mapping[str, Kind]
    rules: Mapping[str, str]
    examples: str
    """The path of the worked examples, a TOML file."""
    hints: str = ""
    """The path of the hints, a TOML file, if the game gives any."""
    table_rules: str = ""
    """The module with this game's ``TABLE_RULES``; it is imported when a table is opened."""

    @property
    def main(self) -> Kind:
        """The default kind of roll."""
        return next(iter(self.kinds.values()))

    def kind(self, name: str = "") -> Kind:
        """The kind of roll with this name, by default the main one."""
        try:
            return self.kinds[name] if name else self.main
        except KeyError:
            raise Unknown(f'{self.title} has no roll called "{name[:40]}"; it has {", ".join(self.kinds)}.') from None


_KINDS: dict[type[Ask], Kind] = {}


def kinds_of(*kinds: Kind) -> dict[str, Kind]:
    """Kinds by name, the main one first. Registers them for ``kind_of``."""
    _KINDS.update({kind.ask: kind for kind in kinds})
    return {kind.name: kind for kind in kinds}


def kind_of(ask: Ask) -> Kind:
    """The kind of roll that an ask belongs to."""
    try:
        return _KINDS[type(ask)]
    except KeyError:
        raise Unknown(f"{type(ask).__name__} belongs to no game.") from None
