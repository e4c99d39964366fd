"""Moves of a written game: actions besides rolling, with dice or a card that point at rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from astragal.errors import Illegal
from astragal.rule.inputs.ask import Ask
from astragal.rule.sheets.random_table import Chance, chance_of, rows_of
from astragal.rule.sheets.table_rules import Change, Move, NoInputs, Participants, changed, read_path
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Node, Outcome
from astragal.rule.tree.note import Note
from astragal.written.change import (
    CHARACTER,
    SCENE,
    TABLE,
    Sheets,
    WrittenChange,
    effects_of,
    names_in,
    path_of,
    read_change,
    read_prices,
)
from astragal.written.deck import BY, WrittenDeck
from astragal.written.document import Part
from astragal.written.formula import Values
from astragal.written.inputs import check_formula_name, check_name, read_ask
from astragal.written.outcome import Refusing, read_refusals, read_shuffles
from astragal.written.pools import symbols_on
from astragal.written.table import Written
from astragal.written.words import check_says, filled, values_of

TOTAL = "total"
"""The name, in formulas, of the number that was thrown or drawn."""


class WrittenMove(NamedTuple):
    """A move, as it was written."""

    title: str
    rule: str
    says: str
    chance: Chance | None
    rows: Mapping[Any, str]
    price: tuple[Effect, ...]
    changes: tuple[WrittenChange, ...]
    shuffles: tuple[WrittenDeck, ...]
    reads: Mapping[str, str]
    """The paths of what formulas use of the mover's sheet, or of shared sheets."""
    refusals: Sequence[Refusing]

    def does(self, ask: Ask, participants: Participants) -> Iterator[Any]:
        """The price, then the throw, or else the changes."""
        if participants.roller is None and self._needs_character():
            raise Illegal(f"{self.title}: name a character with who.", self.rule)
        read = {name: read_path(path, participants) or 0 for name, path in self.reads.items()}
        values = {**values_of(ask), **read}
        for each in self.refusals:
            each.check(values)
        for effect in self.price:
            yield from changed(effect, participants)
        if self.chance:
            yield self.chance.thrown(participants, partial(self._row, participants, values))
        else:
            yield from self._done(participants, values)

    def _needs_character(self) -> bool:
        roles = [path.partition(".")[0] for path in self.reads.values()] + [change.who for change in self.changes]
        return bool(self.price) or "roller" in roles

    def _row(self, participants: Participants, values: Values, value: Any) -> Node[Any]:
        row = (Note(f"{value}: {self.rows[value]}", self.rule),) if self.rows else ()
        return Outcome((*row, *self._done(participants, {**values, **self._shown(value)})))

    def _shown(self, value: Any) -> dict[str, Any]:
        """The names for formulas of dice or a card: the number, or how often each word is on the card."""
        if not isinstance(value, str) or self.chance is None:
            return {TOTAL: value}
        return {**dict.fromkeys(_words(self.chance), 0), **symbols_on(value)}

    def _done(self, participants: Participants, values: Values) -> Iterator[Change | Note]:
        if self.says:
            yield Note(filled(self.says, values), self.rule)
        for effect in effects_of(self.changes, values):
            yield from changed(effect, participants)
        yield from (deck.deck.shuffled() for deck in self.shuffles)


def read_moves(root: Part, table: Written) -> tuple[Move, ...]:
    """Every move of the file."""
    parts = root.parts("move", different="moves")
    found = tuple(_read_move(part, table) for part in parts)
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
    ask = read_ask(name, part.part("inputs"), table.sheets) if part.has("inputs") else NoInputs
    reads = _read_reads(part.part("reads"), ask, table.sheets)
    names = names_in(ask, table.sheets)
    names = names._replace(numbers=[*names.numbers, *reads])
    refusals = read_refusals(part, names)
    check_says(part, [*names.numbers, *names.words])
    price = read_prices(part, table.sheets[CHARACTER], Effect("", "roller", rule=rule, cause=title))
    names = names._replace(numbers=[*names.numbers, *(_words(chance) if chance else ())], who=("roller", TABLE, SCENE))
    changes = tuple(read_change(each, rule, names) for each in part.parts("changes"))
    shuffles = tuple(table.decks[each] for each in read_shuffles(part, table.decks))
    made = WrittenMove(title, rule, part.text("says", ""), chance, rows, price, changes, shuffles, reads, refusals)
    by = part.choice("by", BY, "owner")
    if not (rows or made.says or changes or shuffles):
        part.refuse("this move does nothing; give it rows, says, shuffle or [[move.changes]].")
    part.finish()
    return Move(name, title, ask, made.does, by=by, rule=rule, throws=chance is not None)


def _read_reads(part: Part, ask: type[Ask], sheets: Sheets) -> dict[str, str]:
    """The counts of sheets that formulas may use, by name: ``{ cold = "frost" }``; of shared sheets, too."""
    found: dict[str, str] = {}
    for name in part.names():
        if check_formula_name(name, part) in ask.inputs:
            part.refuse(f'"{name}" is an input already; choose another name.', name)
        what = part.text(name).partition("/")[0]
        shared = [kind for kind in (TABLE, SCENE) if what in [section.name for section in sheets[kind]]]
        role = shared[0] if shared else "roller"
        found[name] = path_of(part, part.text(name), role, sheets, name)
    return found


def _read_chance(part: Part, title: str, decks: Mapping[str, WrittenDeck]) -> Chance | None:
    if part.has("dice") and part.has("deck"):
        part.refuse("a move throws dice or draws a card of a deck, not both.", "deck")
    if part.has("deck"):
        wanted = part.among("deck", "deck", [each.name for each in decks.values() if each.kept])
        return chance_of(decks[wanted].deck, title)
    if not part.has("dice"):
        return None
    with part.telling("dice"):
        return chance_of(part.text("dice"), title)


def _read_rows(part: Part, title: str, chance: Chance | None) -> Mapping[Any, str]:
    """A text for each number, range or card: a table, or a list in order."""
    if not part.has("rows"):
        return {}
    if chance is None:
        part.refuse('rows need dice = "d6" or a deck that points at one of them.', "rows")
    listed = isinstance(part.any("rows"), list)
    rows: Any = part.texts("rows", different=False) if listed else part.part("rows").named_texts()
    with part.telling("rows"):
        return rows_of(rows, chance.values, title)


def _words(chance: Chance) -> list[str]:
    """The names for formulas of a throw or a card."""
    if chance.deck is None or chance.deck.numbered:
        return [TOTAL]
    return list(dict.fromkeys(word for card in chance.deck.cards for word in symbols_on(card)))
