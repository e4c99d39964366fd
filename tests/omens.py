"""Omens, an outside game of the tests: decks of which a table keeps what is left."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from astragal.author import (
    Added,
    Ask,
    Barred,
    Choice,
    Decision,
    Dice,
    Die,
    Face,
    Faces,
    Fact,
    Game,
    Kind,
    Move,
    Node,
    NoInputs,
    Note,
    Option,
    Outcome,
    Participants,
    TableRules,
    Telling,
    Throw,
    Wish,
    clocks_section,
    deck,
    kinds_of,
    lazy,
    whole,
)

OMENS = deck("omens", "Omens", {"sun": 2, "moon": 1, "star": 1}, rule="O-1")
NUMBERS = deck("numbers", "Numbers", {1: 1, 2: 1, 5: 1}, rule="O-2", reshuffles=True)


class Read(Ask):
    """What a reading of omens needs to know."""

    cards: tuple[int, ...] = OMENS.left(rule="O-1")
    n: int = whole(0, 9, "cards to draw", default=1, rule="O-1")


class Seen(NamedTuple):
    """How many suns and others were drawn."""

    suns: int
    others: int
    more: int = 0


def read(ask: Read) -> Node[Seen]:
    """Draw cards, then one more if somebody likes."""
    return Throw((OMENS.draw(ask.n, ask.cards),), OMENS.counted, partial(drawn, ask), partial(tell, "Omens", OMENS))


def drawn(ask: Read, counts: tuple[int, ...]) -> Node[Seen]:
    so_far = Seen(counts[0], counts[1] + counts[2])
    left = OMENS.without(ask.cards, counts)
    stop = Option("Stop", lazy(Outcome, so_far), "O-1")
    more = Option("Draw one more", lazy(one_more, so_far, left), "O-1")
    gone = Barred("Omens has no card left.", "O-1", for_now=True, label="Draw one more", needs="Needs a card")
    options = {"stop": stop, "more": more} if sum(left) else {"stop": stop}
    barred = {} if sum(left) else {"more": gone}
    return Choice("more", "player", "One more?", options, so_far, "stop", barred)


def one_more(so_far: Seen, left: tuple[int, ...]) -> Node[Seen]:
    def then(counts: tuple[int, ...]) -> Node[Seen]:
        return Outcome(Seen(so_far.suns + counts[0], so_far.others + counts[1] + counts[2], 1))

    return Throw((OMENS.draw(1, left),), OMENS.counted, then, partial(tell, "Omens", OMENS), "one more")


class Count(Ask):
    """What a count needs to know."""

    numbers: tuple[int, ...] = NUMBERS.left()
    n: int = whole(1, 3, "cards to draw", default=1)


class Total(NamedTuple):
    """What the cards come to."""

    total: int


def count(ask: Count) -> Node[Total]:
    dice = NUMBERS.draw(ask.n, ask.numbers)
    worth = Added((tuple(range(1, 6)),))
    return Throw((dice,), worth, lambda total: Outcome(Total(total)), partial(tell, "Numbers", NUMBERS))


class Fate(Ask):
    """A die says how many omens are drawn."""

    cards: tuple[int, ...] = OMENS.left()


def fate(ask: Fate) -> Node[Seen]:
    def then(face: int) -> Node[Seen]:
        return Throw((OMENS.draw(face, ask.cards),), OMENS.counted, settled, partial(tell, "Omens", OMENS), "the cards")

    return Throw((Dice(4),), Face(), then, lambda faces: Telling((Die("d4", 4, faces[0][0][0]),)))


def settled(counts: tuple[int, ...]) -> Node[Seen]:
    return Outcome(Seen(counts[0], counts[1] + counts[2]))


def tell(name: str, of: Any, faces: Faces) -> Telling:
    return Telling(tuple(Die(name, len(of.cards), face) for wave in faces[0] for face in wave))


def turn_one(ask: NoInputs, participants: Participants) -> Node[Any]:
    """Turn over a card, for all to see."""
    dice = OMENS.draw(1, OMENS.at(participants.table))
    said = lambda face: Outcome((Note(f"It is the {OMENS.cards[face - 1]}.", "O-1"),))  # noqa: E731
    return Throw((dice,), Face(), said, partial(tell, "Omens", OMENS))


def fortune(ask: NoInputs, participants: Participants) -> Node[Any]:
    """A die says how many cards are turned over."""

    def then(face: int) -> Node[Any]:
        dice = OMENS.draw(face, OMENS.at(participants.table))
        said = (Note("So it is.", "O-1"),)
        return Throw((dice,), OMENS.counted, lambda counts: Outcome(said), partial(tell, "Omens", OMENS), "the cards")

    return Throw((Dice(4),), Face(), then, lambda faces: Telling((Die("d4", 4, faces[0][0][0]),)))


def give_back(ask: NoInputs, participants: Participants) -> Any:
    return (OMENS.put_back("sun"),)


FACTS = {
    "read": {"suns": Fact("Suns", lambda result: result.suns)},
    "count": {"total": Fact("Total", lambda result: result.total)},
    "fate": {"suns": Fact("Suns", lambda result: result.suns)},
}
WISHES = {"read": {"sun": Wish("sun", "a sun", lambda result: int(result.suns > 0))}, "count": {}, "fate": {}}
TABLE_RULES = TableRules(
    table=(clocks_section(), OMENS.section(), NUMBERS.section()),
    moves=(
        OMENS.shuffle_move(),
        Move("turn", "Turn over a card", NoInputs, turn_one, rule="O-1", throws=True),
        Move("fortune", "Turn over some cards", NoInputs, fortune, rule="O-1", throws=True),
        Move("back", "Give a sun back", NoInputs, give_back, rule="O-1"),
    ),
)


def _kind(name: str, ask: type[Ask], rule: Any, **more: Any) -> Kind:
    title = f"{name.title()} them"
    return Kind(
        name, title, ask, rule, lambda ask: title, str, example=f"omens {name}", odds=sys.modules[__name__], **more
    )


GAME = Game(
    name="omens",
    title="Omens",
    blurb="A game of the tests.",
    kinds=kinds_of(
        _kind("read", Read, read, decisions=(Decision("more", "draw one more", ("more", "stop"), "flag", rule="O-1"),)),
        _kind("count", Count, count),
        _kind("fate", Fate, fate),
    ),
    rules={"O-1": "Draw omens.", "O-2": "Count numbers."},
    examples=str(Path(__file__).with_name("omens.toml")),
    table_rules=sys.modules[__name__],
)
