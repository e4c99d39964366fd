"""Decks: cards that are drawn and not put back, until the deck is shuffled.

There is no hidden order: each card that is left is as likely to come next as any other. What is left is a section of
the table's sheet, open to all; a roll reads it as an input, so that play, odds and playback have the same deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from astragal.dice.dice import MAX_DICE, MAX_SIDES, Cards, Dice, Faces, Pool
from astragal.dice.reading import Symbols
from astragal.errors import Malformed, Unknown
from astragal.rule.inputs.input import Input, Whole
from astragal.rule.sheets.sheet import MAX_ITEMS, MAX_NAME, Section
from astragal.rule.sheets.table_rules import TABLE, Change, Holder, Move, NoInputs, Participants

LEFT, COPIES = "left", "copies"
DRAWN = "drawn"
"""Why a card is not in the deck any more, where a throw tells of it."""
MAX_CARD = 40
"""Most characters of a card's name, as typed faces take it."""


class Deck(NamedTuple):
    """A deck, as a game declares it: how many copies of each card there are."""

    name: str
    title: str
    cards: tuple[str, ...]
    """The name of each card; of numbered cards, their numbers from 1 up, some perhaps without a copy."""
    copies: tuple[int, ...]
    numbered: bool = False
    rule: str = ""
    reshuffles: bool = False
    """True if all cards are shuffled together where too few are left to draw; otherwise that is refused."""

    @property
    def size(self) -> int:
        """The number of all cards."""
        return sum(self.copies)

    @property
    def counted(self) -> Symbols:
        """A reading of the cards drawn: a number for each card."""
        ones = [tuple([int(place == face) for place in range(len(self.cards))]) for face in range(len(self.cards))]
        return Symbols((tuple(ones),))

    def left(self, help: str = "how many of each card are left", **more: Any) -> Any:
        """The input of an ask that is this deck: at a table what is left, elsewhere all cards."""
        return CardsLeft(self, help, **more)

    def draw(self, n: int, left: Sequence[int] | None = None, name: str = "") -> Dice:
        """Draw ``n`` cards of those left, or of all; they go back after the draw where no table keeps them."""
        there = self.copies if left is None else tuple(left)
        short = self.reshuffles and n > sum(there)
        kept = "" if left is None else self.name
        cards = Cards(self.copies if short else there, kept, self.title, short)
        labels = () if self.numbered else self.cards
        return Dice(len(self.cards), n, name or self.title, role="card", labels=labels, cards=cards)

    def without(self, left: Sequence[int], drawn: Sequence[int]) -> tuple[int, ...]:
        """The cards left after these numbers of each card were drawn."""
        return tuple([there - n for there, n in zip(left, drawn, strict=True)])

    def at(self, table: Holder) -> tuple[int, ...]:
        """The number left of each card at a table."""
        return tuple([table.value(self.name, card, LEFT, n) for card, n in zip(self.cards, self.copies, strict=True)])

    def section(self) -> Section:
        """The cards left in it, for the table's sheet."""
        most = max(self.copies)
        there = {card: n for card, n in zip(self.cards, self.copies, strict=True) if n}
        return Section(
            self.name,
            self.title,
            "cards",
            {
                LEFT: Whole(0, most, "cards left", default=most, rule=self.rule),
                COPIES: Whole(0, most, "cards in all", default=most, rule=self.rule),
            },
            tuple(there),
            counts=LEFT,
            top=COPIES,
            rule=self.rule,
            told=False,
            begins={card: {LEFT: n, COPIES: n} for card, n in there.items()},
        )

    def shuffled(self) -> Change:
        """All cards go back into the deck."""
        return Change(TABLE, self.name, "", cause="shuffled", rule=self.rule)

    def put_back(self, card: str, n: int = 1) -> Change:
        """A number of copies of a card go back into the deck."""
        return Change(TABLE, self.name, card, LEFT, by=n, cause="put back", rule=self.rule)

    def shuffle_move(self, by: Literal["owner", "gm"] = "gm") -> Move:
        """A move with which people shuffle it."""

        def does(ask: NoInputs, participants: Participants) -> Iterable[Change]:
            return (self.shuffled(),)

        return Move(f"shuffle_{self.name}", f"Shuffle {self.title}", NoInputs, does, by=by, rule=self.rule)


def deck(
    name: str,
    title: str,
    cards: Mapping[Any, int] | Iterable[Any],
    *,
    rule: str = "",
    reshuffles: bool = False,
) -> Deck:
    """A deck of cards with words on them, or with whole numbers from 1 up; ``cards`` has how many there are of each.

    A list has one of each. Refused where a card could not be typed, or there are too many.
    """
    copies = dict(cards) if isinstance(cards, Mapping) else dict.fromkeys(cards, 1)
    for card, n in copies.items():
        if type(n) is not int or not 1 <= n <= MAX_DICE:
            raise Malformed(f'{title}: there are {n!r} of "{card}"; a deck has from 1 to {MAX_DICE:,} of each card.')
    if not copies or len(copies) > MAX_ITEMS:
        raise Malformed(f"{title} has {len(copies)} kinds of cards; a deck has from 1 to {MAX_ITEMS}.")
    if sum(copies.values()) > MAX_DICE:
        raise Malformed(f"{title} has {sum(copies.values()):,} cards; {MAX_DICE:,} are the most.")
    if all(type(card) is int for card in copies):
        return _numbered(Deck(name, title, (), (), True, rule, reshuffles), copies)
    names = [_card_name(title, card) for card in copies]
    if len({card.lower() for card in names}) < len(names):
        raise Malformed(f"{title}: two cards have the same name.")
    return Deck(name, title, tuple(names), tuple(copies.values()), False, rule, reshuffles)


def _numbered(plain: Deck, copies: Mapping[int, int]) -> Deck:
    highest = max(copies)
    if min(copies) < 1 or highest > MAX_SIDES:
        raise Malformed(f"{plain.title}: numbers on cards go from 1 to {MAX_SIDES:,}.")
    faces = range(1, highest + 1)
    return plain._replace(cards=tuple(map(str, faces)), copies=tuple(copies.get(face, 0) for face in faces))


def _card_name(title: str, card: Any) -> str:
    """A name that can be typed among others."""
    known = isinstance(card, str) and card[:1].isalpha() and len(card) <= min(MAX_CARD, MAX_NAME)
    if not known or any(sign in card for sign in " ,|/\t\n"):
        raise Malformed(
            f'{title}: "{str(card)[:60]}" is not a name for a card; it is a word of at most {MAX_CARD} characters that '
            "begins with a letter and has no space, comma, / or | in it."
        )
    return str(card)


class CardsLeft(Input):
    """The number left of each card of a deck: all of them by default, at a table the numbers of its sheet."""

    kind = "cards"
    metavar = '"N CARD, …"'
    repeats = True

    def __init__(self, deck: Deck, help: str, **more: Any) -> None:
        super().__init__(help, **{"default": deck.copies, "whose": "sheet", "live": deck.name, **more})
        self.deck = deck

    @property
    def allowed(self) -> str:
        cards = [card for card, n in zip(self.deck.cards, self.deck.copies, strict=True) if n]
        return f'it must say how many of which cards are left, such as "2 × {cards[0]}, {cards[-1]}"'

    def bounds(self) -> dict[str, Any]:
        return {"cards": list(self.deck.cards), "copies": list(self.deck.copies)}

    def check(self, value: Any) -> tuple[int, ...]:
        """Return a number for each card; an object has one by name, and none of what it leaves out."""
        if isinstance(value, Mapping):
            return self.check(self._by_name(value.items()))
        if not isinstance(value, (tuple, list)) or len(value) != len(self.deck.cards):
            raise self.refusal(value, Malformed)
        if any(type(n) is not int or not 0 <= n <= MAX_DICE for n in value) or sum(value) > 2 * MAX_DICE:
            raise self.refusal(value)
        return tuple(value)

    def parse(self, texts: list[str]) -> tuple[int, ...]:
        """Parse texts such as ``"2 sun, moon"``; a card alone is one of it."""
        parts = [part.split() for text in texts for part in text.replace("×", " ").split(",") if part.strip()]
        found: list[tuple[str, Any]] = []
        for words in parts:
            number = words[0] if len(words) == 2 else "1"
            if len(words) > 2 or not (number.isascii() and number.isdigit() and len(number) < 5):
                raise self.refusal(" ".join(words), Malformed)
            found.append((words[-1], int(number)))
        return self._by_name(found)

    def _by_name(self, given: Iterable[tuple[Any, Any]]) -> tuple[int, ...]:
        places = {card.lower(): place for place, card in enumerate(self.deck.cards)}
        found = [0] * len(places)
        for card, n in given:
            place = places.get(str(card).lower())
            if place is None:
                there = ", ".join(card for card, of in zip(self.deck.cards, self.deck.copies, strict=True) if of)
                raise Unknown(f'{self.deck.title} has no "{str(card)[:40]}"; there are {there}.', self.rule)
            if type(n) is not int:
                raise self.refusal(n, Malformed)
            found[place] += n
        return tuple(found)


def drawn_of(name: str, throws: Iterable[tuple[Pool, Faces]], cards: int) -> tuple[int, ...]:
    """The number of each card of a deck that these throws have drawn."""
    faces = [
        face
        for pool, thrown in throws
        for dice, waves in zip(pool, thrown, strict=False)
        if dice.cards and dice.cards.deck == name
        for wave in waves
        for face in wave
    ]
    return tuple([faces.count(face) for face in range(1, cards + 1)])
