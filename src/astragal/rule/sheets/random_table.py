"""Random tables: dice are thrown, and the row that they point at happens. Each is a move, and needs no kind of roll."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, Literal, NamedTuple

from astragal.dice.dice import MAX_DICE, MAX_SIDES, Dice, Faces
from astragal.dice.reading import Added, Face, Walk
from astragal.errors import Malformed
from astragal.rule.sheets.deck import Deck
from astragal.rule.sheets.table_rules import Change, Move, NoInputs, Participants, nothing
from astragal.rule.tree.node import Node, Outcome, Throw
from astragal.rule.tree.note import Die, Note, Telling

Rows = Mapping[int | str, str] | Sequence[str]
"""What happens: a text for each number, range such as ``"2-5"`` or card, or one for each in order."""
DIGITS = {"d66": 2, "d666": 3}
"""Dice that are read as digits, in their order."""
MOST_ROWS = 1000


def random_table(
    name: str,
    title: str,
    dice: str | Deck,
    rows: Rows,
    *,
    by: Literal["owner", "gm"] = "owner",
    rule: str = "",
    changes: Callable[[Any, Participants], Iterable[Change | Note]] = nothing,
) -> Move:
    """A move that throws dice such as ``d6``, ``2d6``, ``d100`` or ``d66`` and says what its row says.

    Of a deck it draws a card, and rows are by card. ``changes`` says what a number, or a card, changes besides.
    """
    chance = chance_of(dice, title)
    said = rows_of(rows, chance.values, title)

    def row(participants: Participants, value: Any) -> Node[Any]:
        return Outcome((Note(f"{value}: {said[value]}", rule), *changes(value, participants)))

    def does(ask: NoInputs, participants: Participants) -> Node[Any]:
        return chance.thrown(participants, partial(row, participants))

    return Move(name, title, NoInputs, does, by=by, rule=rule, throws=True)


class Chance(NamedTuple):
    """What is thrown or drawn to point at something: dice, or one card of a deck; and everything it can come to."""

    dice: Dice
    reading: Added | Walk[int] | Face
    values: list[Any]
    deck: Deck | None = None

    def thrown(self, participants: Participants, then: Callable[[Any], Node[Any]]) -> Node[Any]:
        """The throw, or the draw of what is left at the table, and what follows."""
        dice = self.deck.draw(1, self.deck.at(participants.table)) if self.deck else self.dice
        return Throw((dice,), self.reading, lambda value: then(self._value(value)), partial(_tell, dice))

    def _value(self, read: int) -> Any:
        return self.deck.cards[read - 1] if self.deck and not self.deck.numbered else read


def _tell(thrown: Dice, faces: Faces) -> Telling:
    return Telling(tuple([Die(thrown.title, thrown.sides, face) for face in faces[0][0]]))


def chance_of(text: str | Deck, title: str) -> Chance:
    """The dice that a text stands for, or a card of a deck; refused if no table has such dice."""
    if isinstance(text, Deck):
        there = [(card, face) for face, (card, n) in enumerate(zip(text.cards, text.copies, strict=True), 1) if n]
        return Chance(text.draw(1), Face(), [face if text.numbered else card for card, face in there], text)
    return Chance(*_dice(text, title))


def _dice(text: str, title: str) -> tuple[Dice, Added | Walk[int], list[int]]:
    """The dice, how they are read, and every number that they can show."""
    if text in DIGITS:
        places = DIGITS[text]
        values = [int("".join(map(str, faces))) for faces in product(range(1, 7), repeat=places)]
        return Dice(6, places), Walk(0, _digit), values
    count, _, sides = text.partition("d")
    n, faces = int(count or 1) if (count or "1").isdigit() else 0, int(sides) if sides.isdigit() else 0
    if not (1 <= n <= MAX_DICE and 2 <= faces <= MAX_SIDES and n * faces <= MOST_ROWS):
        raise Malformed(f'{title}: "{text[:20]}" is not dice for a table; write them like d6, 2d6, d66 or d100.')
    return Dice(faces, n), Added((tuple(range(1, faces + 1)),)), list(range(n, n * faces + 1))


def _digit(value: int, place: int, face: int) -> int:
    return value * 10 + face


def rows_of(rows: Rows, values: list[Any], title: str) -> dict[Any, str]:
    """The row of each number; every number has exactly one."""
    if not isinstance(rows, Mapping):
        if len(rows) != len(values):
            raise Malformed(f"{title}: it has {len(rows)} rows, and the dice can show {len(values)} numbers.")
        return dict(zip(values, rows, strict=True))
    found: dict[Any, str] = {}
    for key, text in rows.items():
        for value in _range(key, values, title):
            if value in found:
                raise Malformed(f"{title}: {value} has two rows.")
            found[value] = text
    if missing := [value for value in values if value not in found]:
        raise Malformed(f"{title}: {missing[0]} has no row.")
    return found


def _range(key: int | str, values: list[Any], title: str) -> list[Any]:
    if isinstance(values[0], str):
        if key in values:
            return [key]
        raise Malformed(f'{title}: "{key}" is not a card; there are {", ".join(values)}.')
    low, _, high = str(key).replace("–", "-").partition("-")
    ends = [end.strip() for end in (low, high or low)]
    if all(end.isascii() and end.isdigit() for end in ends) and set(map(int, ends)) <= set(values):
        found = [value for value in values if int(ends[0]) <= value <= int(ends[1])]
        if found:
            return found
    raise Malformed(f'{title}: "{key}" is not a row; rows are numbers or ranges from {values[0]} to {values[-1]}.')
