"""Decks of a written game: which cards there are, and how rolls draw them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from astragal.dice.dice import Dice
from astragal.rule.sheets.deck import Deck, deck
from astragal.rule.sheets.table_rules import Move
from astragal.written.document import Part
from astragal.written.formula import Formula, Values
from astragal.written.inputs import check_formula_name, check_name
from astragal.written.pools import BLANK, number_of

BY: tuple[Literal["owner", "gm"], ...] = ("owner", "gm")
"""Who may make a move: a character's player, or the GM."""


class WrittenDeck(NamedTuple):
    """A deck; ``kept`` by the table or not, and shuffled by ``by``."""

    deck: Deck
    kept: bool = True
    by: Literal["owner", "gm"] = "gm"

    @property
    def name(self) -> str:
        return self.deck.name

    def shuffle_move(self) -> Move:
        return self.deck.shuffle_move(self.by)

    def draw(self, n: int, inputs: Values, name: str) -> Dice:
        """A draw of n cards: of those left at the table, or of all if they go back after each draw."""
        return self.deck.draw(n, inputs[self.name] if self.kept else None, name)


class DrawnCards(NamedTuple):
    """Cards that a roll draws from a deck."""

    name: str
    of: WrittenDeck
    n: Formula | int

    def called(self, dice: Dice) -> str:
        """What a single card is called."""
        return f" from {self.of.deck.title}"

    def thrown(self, inputs: Values) -> Dice:
        """The draw for these inputs."""
        return self.of.draw(number_of(self.name, self.n, inputs), inputs, self.name)


class NumberCards(DrawnCards):
    """Cards with numbers; formulas use them as they use dice."""

    __slots__ = ()

    def value(self, face: int) -> int:
        """The number on a card."""
        return face


class SymbolCards(DrawnCards):
    """Cards with words; formulas use the words on them, as with symbol dice."""

    __slots__ = ()

    @property
    def labels(self) -> Sequence[str]:
        """The words on each card."""
        return self.of.deck.cards


def read_decks(root: Part) -> dict[str, WrittenDeck]:
    """Every deck of the file, by name."""
    return {each.name: each for each in map(_read_deck, root.parts("deck", different="decks"))}


def _read_deck(part: Part) -> WrittenDeck:
    name, title, rule = check_name(part.text("name"), part), part.text("title"), part.rule()
    cards = _cards(part)
    with part.telling("cards"):
        made = deck(name, title, cards, rule=rule, reshuffles=part.yes("reshuffle"))
    kept = not part.yes("goes_back")
    by = part.choice("by", BY, "gm")
    part.finish()
    return WrittenDeck(made, kept, by)


def _cards(part: Part) -> Mapping[Any, Any] | Iterable[Any]:
    """The number of each card, or a list with each card once; a name of digits is a number on a card."""
    given = part.any("cards")
    if not isinstance(given, (dict, list)) or not given:
        part.refuse('cards is missing; write { sun = 3, moon = 2 }, or a list such as ["sun", "moon"] or [1, 2, 3].')
    if isinstance(given, list) and not all(type(card) in (str, int) for card in given):
        part.refuse("cards must have texts in quotes, or whole numbers.", "cards")
    if isinstance(given, list) and len(set(map(str, given))) < len(given):
        part.refuse("cards has a card twice; write { sun = 2 } for two of it.", "cards")
    copies = given if isinstance(given, dict) else dict.fromkeys(given, 1)
    numbers = [str(card).isascii() and str(card).isdigit() and len(str(card)) < 5 for card in copies]
    if all(numbers):
        return {int(card): n for card, n in copies.items()}
    if any(numbers):
        part.refuse("cards has numbers and words; a deck has one or the other.", "cards")
    for card in copies:
        for word in str(card).split("+"):
            if word != BLANK:
                check_formula_name(word, part)
    return copies


def read_cards(name: str, part: Part, decks: Mapping[str, WrittenDeck], n: Formula | int) -> NumberCards | SymbolCards:
    """What a roll draws: ``{ deck = "omens", n = 2 }``."""
    found = decks[part.among("deck", "deck", decks)]
    part.finish()
    return NumberCards(name, found, n) if found.deck.numbered else SymbolCards(name, found, n)
