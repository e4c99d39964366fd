"""Outcomes of a written game's roll, which come up by condition, and its refusals before the dice are thrown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from astragal.errors import Illegal
from astragal.rule.verdict import TONES, Tone
from astragal.written.change import Names, WrittenChange, read_change, read_when
from astragal.written.deck import WrittenDeck
from astragal.written.document import Part, near
from astragal.written.formula import Formula, Values
from astragal.written.words import check_says, filled

MAX_OUTCOMES = 40
"""Most outcomes of one roll."""


class Band(NamedTuple):
    """An outcome: its condition, its name and tone, its sentence and what it changes."""

    name: str
    when: Formula | None
    tone: Tone
    says: str
    rule: str
    changes: tuple[WrittenChange, ...]
    shuffles: tuple[str, ...] = ()
    """The decks whose cards all go back."""
    theirs: str = ""
    """The other side's name for it."""

    def formulas(self) -> Iterator[Formula]:
        """The formulas of its condition and its changes."""
        yield from (self.when,) if self.when else ()
        yield from (formula for change in self.changes for formula in change.formulas())


def read_bands(
    roll: Part,
    names: Names,
    decks: Mapping[str, WrittenDeck],
    always: Iterable[WrittenChange],
    said: Collection[str],
) -> tuple[Band, ...]:
    """The outcomes of a roll, with the changes that ``always`` happen; sentences may have values of ``said``."""
    parts = roll.parts("outcomes", required=True)
    bands = tuple([_read_band(each, names, decks, always) for each in parts])
    if not bands or bands[-1].when is not None:
        roll.refuse("the last of [[roll.outcomes]] must have no when: it is what happens otherwise.", "outcomes")
    for band, part in zip(bands, parts, strict=True):
        if band.when is None and band is not bands[-1]:
            roll.refuse(f'the outcome "{band.name}" has no when, so those after it never come up.', "outcomes")
        check_says(part, said, "reading")
    if len({band.name for band in bands}) < len(bands):
        roll.refuse("two outcomes have the same name.", "outcomes")
    if len(bands) > MAX_OUTCOMES:
        roll.refuse(f"a roll has at most {MAX_OUTCOMES} outcomes.", "outcomes")
    return bands


def _read_band(part: Part, names: Names, decks: Mapping[str, WrittenDeck], always: Iterable[WrittenChange]) -> Band:
    tone, when, rule = part.choice("tone", TONES), read_when(part, names), part.rule()
    changes = (*(read_change(each, rule, names) for each in part.parts("changes")), *always)
    says, shuffles, theirs = part.text("says", ""), read_shuffles(part, decks), part.text("theirs", "")
    band = Band(part.text("name"), when, tone, says, rule, changes, shuffles, theirs)
    part.finish()
    return band


def read_shuffles(part: Part, decks: Mapping[str, WrittenDeck]) -> tuple[str, ...]:
    """The decks that are shuffled."""
    kept = [each.name for each in decks.values() if each.kept]
    for name in part.texts("shuffle"):
        if name not in kept:
            part.refuse(f'shuffle names "{name}", and the table keeps no such deck; {near(name, kept)}.', "shuffle")
    return part.texts("shuffle")


class Refusing(NamedTuple):
    """A refusal before the dice are thrown: its condition and its sentence."""

    when: Formula
    says: str
    rule: str

    def check(self, values: Values) -> None:
        """Refuse these values if the condition holds."""
        if self.when.value(values):
            raise Illegal(filled(self.says, values), self.rule)


def read_refusals(part: Part, names: Names) -> list[Refusing]:
    """The refusals of a roll or a move."""
    found = []
    for each in part.parts("refuses"):
        each.text("when")
        when = read_when(each, names)
        check_says(each, [*names.numbers, *names.words])
        found.append(Refusing(when, each.text("says"), each.rule()))  # type: ignore[arg-type]
        each.finish()
    return found
