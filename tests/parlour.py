"""Parlour, an outside game of the tests: moves that throw dice, random tables, random costs, slots and a deck."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from astragal.author import (
    Ask,
    Change,
    Choice,
    Decision,
    Dice,
    Die,
    Effect,
    Face,
    Faces,
    Fact,
    Game,
    Illegal,
    Kind,
    Move,
    Node,
    NoInputs,
    Note,
    Offer,
    Option,
    Outcome,
    Participants,
    Symbols,
    TableRules,
    Tally,
    Telling,
    Throw,
    Wish,
    counter,
    kinds_of,
    lazy,
    random_table,
    summed,
    whole,
)

DIE = (Dice(6),)
STRESS = counter("stress", "Stress", 9, "what it cost", rule="P-2")
COINS = counter("coins", "Coins", 9, "what is left", default=2, rule="P-2")


class Toss(Ask):
    """What a toss needs to know."""

    dice: int = summed(1, 5, "dice to throw", rule="P-1")


class Result(NamedTuple):
    """How many sixes came up."""

    sixes: int


def toss(ask: Toss) -> Node[Result]:
    def then(sixes: int) -> Node[Result]:
        return Outcome(Result(sixes), tell=lambda: [Note(f"Sixes: {sixes}.", "P-1")])

    return Throw((Dice(6, ask.dice),), Tally(frozenset({6})), then, tell_dice)


def tell_dice(faces: Faces) -> Telling:
    return Telling(tuple(Die("d6", 6, face) for waves in faces for wave in waves for face in wave))


class Push(Ask):
    """What a push needs to know."""

    dice: int = whole(1, 4, "dice to throw", rule="P-4")


class Pushed(NamedTuple):
    """How many sixes there are, and what they cost."""

    sixes: int
    stress: int = 0


SIXES_AND_ONES = Symbols((((0, 1), (0, 0), (0, 0), (0, 0), (0, 0), (1, 0)),))


def push(ask: Push) -> Throw[int, Pushed]:
    """With no six, a coin and as much stress as 1s come up buy another throw (P-4)."""

    def then(sixes: int) -> Node[Pushed]:
        if sixes:
            return Outcome(Pushed(sixes))
        options = {
            "keep": Option("Leave it", lazy(Outcome, Pushed(0)), "P-4"),
            "push": Option(
                "Push",
                lazy(again, ask),
                "P-4",
                (Effect("coins", "roller", -1, "Coins", "P-4", "answer"),),
                also_costs="1 stress for each 1",
            ),
        }
        return Choice("push", "player", "No six. Push?", options, Pushed(0), "keep")

    return Throw((Dice(6, ask.dice),), Tally(frozenset({6})), then, tell_dice)


def again(ask: Push) -> Node[Pushed]:
    def then(value: tuple[int, ...]) -> Node[Pushed]:
        sixes, ones = value
        effects = (Effect("stress", "roller", ones, "Stress", "P-4", price=True),) if ones else ()
        return Outcome(Pushed(sixes, ones), effects)

    return Throw((Dice(6, ask.dice),), SIXES_AND_ONES, then, tell_dice, title="pushed")


FACTS = {"push": {"sixes": Fact("Sixes", lambda result: result.sixes)}}
WISHES = {"push": {"six": Wish("six", "a six", lambda result: int(result.sixes > 0))}}


def apply(kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change]:
    for effect in effects:
        holder = participants.holder(effect.who)
        if holder:
            yield Change(holder.id, effect.what, effect.name, "now", by=effect.by, cause="pushed", rule=effect.rule)


def stress(participants: Participants, by: int, cause: str) -> Change:
    if participants.roller is None:
        raise Illegal("Name a character with who.", "P-2")
    return Change(participants.roller.id, "stress", "Stress", "now", by=by, cause=cause, rule="P-2")


def recover(ask: NoInputs, participants: Participants) -> Node[Any]:
    """A die of stress is gone."""
    return Throw(DIE, Face(), lambda face: Outcome((stress(participants, -face, "a rest"),)), tell_dice)


def carouse(ask: NoInputs, participants: Participants) -> Iterator[Any]:
    """A coin is paid; then two throws come."""
    assert participants.roller
    yield Change(participants.roller.id, "coins", "Coins", "now", by=-1, cause="a night out", rule="P-2")

    def first(face: int) -> Node[Any]:
        def second(more: int) -> Node[Any]:
            return Outcome((stress(participants, -face - more, "a night out"), Note("What a night.", "P-2")))

        return Throw(DIE, Face(), second, tell_dice, title="the small hours")

    yield Throw(DIE, Face(), first, tell_dice)


def offers(kind: str, participants: Participants) -> Iterator[Offer]:
    """Of the two charms one is worn; each costs a coin."""
    if kind != "toss" or participants.roller is None:
        return
    paid = (Effect("coins", "roller", -1, "Coins", "P-1", "throw"),)
    for name in ("Ring", "Brooch"):
        id = f"{participants.roller.id}/coins/Coins!{name}"
        yield Offer(id, "Charms", name, "dice", 1, participants.roller.id, price=paid, rule="P-1", slot="charm")


def mishap(value: int, participants: Participants) -> Iterator[Change]:
    if value == 11:
        yield stress(participants, 2, "a mishap")


TABLE_RULES = TableRules(
    character=(STRESS, COINS),
    apply=apply,
    offers=offers,
    moves=(
        Move("recover", "Recover", NoInputs, recover, rule="P-2", throws=True),
        Move("carouse", "Carouse", NoInputs, carouse, rule="P-2", throws=True),
        Move("sigh", "Sigh", NoInputs, lambda ask, participants: [stress(participants, 1, "a sigh")], rule="P-2"),
        random_table(
            "mishap",
            "Roll a mishap",
            "d66",
            {11: "The rope breaks.", "12-36": "Nothing worse.", "41-66": "A door slams."},
            rule="P-3",
            changes=mishap,
        ),
        random_table("weather", "Roll the weather", "2d6", [f"Weather {n}." for n in range(2, 13)], by="gm"),
    ),
)
GAME = Game(
    name="parlour",
    title="Parlour",
    blurb="A game of the tests.",
    kinds=kinds_of(
        Kind("toss", "Toss", Toss, toss, lambda ask: f"{ask.dice} dice", lambda result: f"Sixes: {result.sixes}"),
        Kind(
            "push",
            "Push",
            Push,
            push,
            lambda ask: f"{ask.dice} dice",
            lambda result: f"Sixes: {result.sixes}",
            decisions=(Decision("push", "throw again", ("push", "keep"), "flag", rule="P-4"),),
            odds=sys.modules[__name__],
        ),
    ),
    rules={"P-1": "Toss dice.", "P-2": "Stress comes and goes.", "P-3": "A mishap is bad.", "P-4": "Push."},
    examples=str(Path(__file__).with_name("parlour.toml")),
    table_rules=sys.modules[__name__],
)
