"""Parlour, an outside game of the tests: moves that throw dice, random tables, random costs, slots and a deck."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from astragal.author import (
    Ask,
    Change,
    Dice,
    Die,
    Face,
    Faces,
    Game,
    Illegal,
    Kind,
    Move,
    Node,
    NoInputs,
    Note,
    Outcome,
    Participants,
    TableRules,
    Tally,
    Telling,
    Throw,
    counter,
    kinds_of,
    random_table,
    whole,
)

DIE = (Dice(6),)
STRESS = counter("stress", "Stress", 9, "what it cost", rule="P-2")
COINS = counter("coins", "Coins", 9, "what is left", default=2, rule="P-2")


class Toss(Ask):
    """What a toss needs to know."""

    dice: int = whole(1, 5, "dice to throw", rule="P-1")


class Result(NamedTuple):
    """How many sixes came up."""

    sixes: int


def toss(ask: Toss) -> Node[Result]:
    def then(sixes: int) -> Node[Result]:
        return Outcome(Result(sixes), tell=lambda: [Note(f"Sixes: {sixes}.", "P-1")])

    return Throw((Dice(6, ask.dice),), Tally(frozenset({6})), then, tell_dice)


def tell_dice(faces: Faces) -> Telling:
    return Telling(tuple(Die("d6", 6, face) for waves in faces for wave in waves for face in wave))


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


def mishap(value: int, participants: Participants) -> Iterator[Change]:
    if value == 11:
        yield stress(participants, 2, "a mishap")


TABLE_RULES = TableRules(
    character=(STRESS, COINS),
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
        Kind("toss", "Toss", Toss, toss, lambda ask: f"{ask.dice} dice", lambda result: f"Sixes: {result.sixes}")
    ),
    rules={"P-1": "Toss dice.", "P-2": "Stress comes and goes.", "P-3": "A mishap is bad."},
    examples=str(Path(__file__).with_name("parlour.toml")),
    table_rules=sys.modules[__name__],
)


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make the game an installed package, as pip does; the answer is its name."""
    info = folder / "parlour-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: parlour\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[astragal.games]\nparlour = tests.parlour:GAME\n")
    monkeypatch.syspath_prepend(str(folder))
    return GAME.name
