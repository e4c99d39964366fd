"""Moves of a written game: what people do besides rolling, with dice or a card that point at rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from astragal.errors import Illegal, Refusal
from astragal.rule.sheets.random_table import Chance, chance_of, rows_of
from astragal.rule.sheets.table_rules import Change, Move, NoInputs, Participants, changed
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Node, Outcome
from astragal.rule.tree.note import Note
from astragal.written.change import WrittenChange, placed, read_change
from astragal.written.deck import BY, WrittenDeck, symbols_on
from astragal.written.document import Part, check_different, near
from astragal.written.formula import Formula, read_condition, said
from astragal.written.inputs import check_name
from astragal.written.roll import read_shuffles
from astragal.written.table import Written, read_price

TOTAL = "total"
"""What formulas call the number that was thrown or drawn."""


class MoveChange(NamedTuple):
    """A change that a move makes, always or when a formula holds."""

    change: WrittenChange
    when: Formula | None


class WrittenMove(NamedTuple):
    """A move, as it was written."""

    title: str
    rule: str
    says: str
    chance: Chance | None
    rows: Mapping[Any, str]
    price: tuple[Effect, ...]
    changes: tuple[MoveChange, ...]
    shuffles: tuple[WrittenDeck, ...]

    def does(self, ask: NoInputs, participants: Participants) -> Iterator[Any]:
        """The price, then what is thrown, or else what it changes."""
        if participants.roller is None and self._needs_somebody():
            raise Illegal(f"{self.title}: name a character with who.", self.rule)
        for effect in self.price:
            yield from changed(effect, participants)
        if self.chance:
            yield self.chance.thrown(participants, partial(self._row, participants))
        else:
            yield from self._done(participants, {})

    def _needs_somebody(self) -> bool:
        return bool(self.price) or any(each.change.who == "roller" for each in self.changes)

    def _row(self, participants: Participants, value: Any) -> Node[Any]:
        row = (Note(f"{value}: {self.rows[value]}", self.rule),) if self.rows else ()
        return Outcome((*row, *self._done(participants, self._values(value))))

    def _values(self, value: Any) -> dict[str, Any]:
        """What formulas may use: the number, or how often each word stands on the card."""
        if not isinstance(value, str) or self.chance is None:
            return {TOTAL: value}
        return {**dict.fromkeys(_words(self.chance), 0), **symbols_on(value)}

    def _done(self, participants: Participants, values: Mapping[Any, Any]) -> Iterator[Change | Note]:
        if self.says:
            yield Note(self.says, self.rule)
        for each in self.changes:
            effect = each.change.effect(values) if each.when is None or each.when.value(values) else None
            if effect:
                yield from changed(effect, participants)
        yield from (deck.deck.shuffled() for deck in self.shuffles)


def read_moves(root: Part, table: Written) -> tuple[Move, ...]:
    """Every move of the file."""
    parts = root.parts("move")
    found = tuple(_read_move(part, table) for part in parts)
    check_different([move.name for move in found], parts, "moves")
    shuffles = [f"shuffle_{each.name}" for each in table.decks.values() if each.kept]
    for move, part in zip(found, parts, strict=True):
        if move.name in shuffles:
            part.refuse(f'"{move.name}" is the move that shuffles a deck; choose another name.', "name")
    return found


def _read_move(part: Part, table: Written) -> Move:
    name, title, rule = check_name(part.text("name"), part), part.text("title"), part.rule()
    if not title[:1].isupper() or title.endswith("."):
        part.refuse("title begins with a capital, and has no full stop at its end.", "title")
    chance = _read_chance(part, title, table.decks)
    rows = _read_rows(part, title, chance)
    price = tuple(read_price(each, table.sections, rule, title) for each in part.parts("price"))
    changes = tuple(_read_change(each, rule, chance, table) for each in part.parts("changes"))
    shuffles = tuple(table.decks[each] for each in read_shuffles(part, table.decks))
    made = WrittenMove(title, rule, part.text("says", ""), chance, rows, price, changes, shuffles)
    by = part.choice("by", BY, "owner")
    if not (rows or made.says or changes or shuffles):
        part.refuse("this move does nothing; give it rows, says, shuffle or [[move.changes]].")
    part.finish()
    return Move(name, title, NoInputs, made.does, by=by, rule=rule, throws=chance is not None)


def _read_chance(part: Part, title: str, decks: Mapping[str, WrittenDeck]) -> Chance | None:
    if part.has("dice") and part.has("deck"):
        part.refuse("a move throws dice or draws a card of a deck, not both.", "deck")
    if part.has("deck"):
        wanted, kept = part.text("deck"), [each.name for each in decks.values() if each.kept]
        if wanted not in kept:
            part.refuse(f'there is no deck "{wanted}" that the table keeps; {near(wanted, kept)}.', "deck")
        return chance_of(decks[wanted].deck, title)
    if not part.has("dice"):
        return None
    dice = part.text("dice")
    try:
        return chance_of(dice, title)
    except Refusal as refusal:
        part.refuse(refusal.sentence, "dice")


def _read_rows(part: Part, title: str, chance: Chance | None) -> Mapping[Any, str]:
    """A text for each number, range or card: a table, or a list in order."""
    if not part.has("rows"):
        return {}
    if chance is None:
        part.refuse('rows need dice = "d6" or a deck that points at one of them.', "rows")
    listed = isinstance(part.any("rows"), list)
    rows: Any = part.texts("rows", different=False) if listed else part.part("rows").named_texts()
    try:
        return rows_of(rows, chance.values, title)
    except Refusal as refusal:
        part.refuse(refusal.sentence, "rows")


def _words(chance: Chance) -> list[str]:
    """What formulas may use of a throw or a card."""
    if chance.deck is None or chance.deck.numbered:
        return [TOTAL]
    return list(dict.fromkeys(word for card in chance.deck.cards for word in symbols_on(card)))


def _read_change(part: Part, rule: str, chance: Chance | None, table: Written) -> MoveChange:
    words = _words(chance) if chance else []
    try:
        when = read_condition(part.text("when"), (), words, ()) if part.has("when") else None
    except Refusal as refusal:
        part.refuse(f"{said(refusal)}.", "when")
    if part.has("who") and part.text("who") == "target":
        part.refuse('a move has no target; who may be "roller" or "table".', "who")
    return MoveChange(placed(read_change(part, rule, [], words, []), part, table.sections), when)
