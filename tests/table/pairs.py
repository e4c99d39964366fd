"""Two tables that differ in one hidden value, and everything that a player or an onlooker gets from each of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

import msgspec

from astragal.errors import Refusal
from astragal.games.registry import game as registered
from astragal.games.registry import names
from astragal.rule.game import Kind
from astragal.rule.inputs.input import Flag, Input, Numbers, OneOf, Whole
from astragal.rule.inputs.word import Named
from astragal.table import action as a
from astragal.table.access import member_of
from astragal.table.entry import Entry
from astragal.table.log.luck import luck_of
from astragal.table.log.story import story
from tests.table.test_hidden import Twin

BASES: dict[str, dict[str, Any]] = {
    "attempt": {"d6": 3, "step": 8, "difficulty": 2},
    "contest": {"ours": 3, "theirs": 3},
    "recovery": {"ours": 3, "dice": 2},
    "chronicles/attempt": {"pool": 4},
    "extended": {"pool": 5, "target": 8, "rolls": 4},
    "contested": {"ours": 4, "theirs": 4},
    "check": {"dc": 15},
    "oracle": {},
    "race": {"dc": 14},
    "split": {"dc": 14, "members": "2 Wren, 1 Kit"},
}
"""What is put into a roll of each kind besides what is hidden."""
TRAITS = {"attribute": "2 Wits", "skill": 2}
SIDES = {"attribute": 2, "skill": 2, "their_attribute": 2, "their_skill": 2}
GEAR = {"equipment": "2 rope, 1 lamp"}
OTHER_BASES: dict[str, dict[str, Any]] = {
    "attempt/trait": {"d6": 3},
    "contest/out": {"ours": 3, "theirs": 3, "even_so": True},
    "recovery/out": {"ours": 3, "dice": 2, "even_so": True},
    "check/set_up": {"dc": 15},
    "check/again": {"dc": 15, "retry": "a longer rope"},
    **{f"attempt/{name}": TRAITS for name in ("attribute", "skill", "specialty")},
    **{f"extended/{name}": {**TRAITS, "target": 8} for name in ("attribute", "skill", "specialty")},
    **{f"contested/{name}": SIDES for name in ("attribute", "skill", "specialty")},
    "attempt/second_attribute": {"attribute": 2},
    "extended/second_attribute": {"attribute": 2, "target": 8},
    "contested/second_attribute": {"attribute": 2, "their_attribute": 2},
    "attempt/unskilled": {"attribute": 4, "skill": 0},
    "extended/unskilled": {"attribute": 4, "skill": 0, "target": 8},
    "contested/unskilled": {"attribute": 4, "skill": 0, "their_attribute": 4, "their_skill": 0},
    "attempt/needs": {"pool": 4, **GEAR},
    "extended/needs": {"pool": 5, "target": 8, **GEAR},
    "contested/needs": {"ours": 4, "theirs": 4, **GEAR},
}
"""The same for inputs that need others besides them."""
INSTRUMENTS: dict[str, dict[str, Any]] = {
    "check": {"goal": "Dawn", "threat": "Alarm", "intent": "cross the yard"},
    "split": {"goal": "Dawn", "threat": "Alarm"},
    "chronicles/attempt": {"task": "the lock"},
}
"""What a player would read a hidden outcome from, if it had open effects."""
FACES = ("", "6 5 4 3", "1 1 1 1", "9 8 7 2 1", "5 3 1 | 8", "6 | 1", "10 2 | 9", "1 " * 60, "x", "99")
ANSWERS = ("settle", "reroll", "add", "partial", "keep", "take", "roll", "stop", "threat", "bleeding", "yes", "nothing")


BEGINS: tuple[a.Action, ...] = (
    a.SceneAction(title="The yard"),
    a.EditAction(holder="table", section="clocks", item="Dawn", to={"segments": 8}),
    a.EditAction(holder="table", section="clocks", item="Alarm", to={"segments": 8}),
)


class Case(NamedTuple):
    """An input to hide, and two values for it."""

    game: str
    kind: str
    input: str
    values: tuple[Any, Any]

    @property
    def base(self) -> dict[str, Any]:
        base = BASES.get(f"{self.game}/{self.kind}") or BASES[self.kind]
        return OTHER_BASES.get(f"{self.kind}/{self.input.removeprefix('their_')}", base)

    @property
    def instruments(self) -> dict[str, Any]:
        found = INSTRUMENTS.get(f"{self.game}/{self.kind}") or INSTRUMENTS.get(self.kind, {})
        return {name: value for name, value in found.items() if name != self.input}


def values_of(input: Input) -> list[Any]:
    """Some values of an input, as they are written."""
    if isinstance(input, OneOf):
        return list(input.options)
    if isinstance(input, Flag):
        return [True, False]
    if isinstance(input, Numbers):
        return [[1], [2], [3, 2, 1, 0, 0], [0, 0, 1, 1, 2], [2, 1]]
    if isinstance(input, Named):
        return [["Kit=" + option] for option in input.options] + [["Is it?=helps", "Is it so?=helps"], ["Why?=hinders"]]
    if isinstance(input, Whole):
        numbers = [n for n in (2, 4, 1, 12, 18, 3, 0, -2) if input.lowest <= n <= input.highest]
        return [*numbers, "2 Wren, 1 Kit", "1 Wren, 3 Kit", "1 Kit", "2 Kit"]
    return ["Dawn", "Alarm", "some words", "others", "Kit", "Wren", "rope", "lamp"]


class Pair:
    """The two tables. Whatever is done at both must look the same from every seat but the GM's."""

    def __init__(self, game: str) -> None:
        self.twins = (Twin(game), Twin(game))
        self.keys = count()
        self.done = self.refused = 0
        for action in BEGINS:
            self.by_gm(action, action)
        if game == "razorweave":
            self.by_gm(*[a.EditAction(holder="table", section="clocks", item="Alarm", to={"kind": "threat"})] * 2)

    @property
    def ids(self) -> dict[str, str]:
        return self.twins[0].ids

    def by_gm(self, one: a.Action, other: a.Action) -> bool:
        """Both of a GM's actions, if neither is refused; only the GM learns of a refusal."""
        key = f"{next(self.keys)}"
        found = [twin.decide(self.ids["Mira"], each, key) for twin, each in zip(self.twins, (one, other), strict=True)]
        if any(isinstance(each, Refusal) for each in found):
            return False
        for twin, entry in zip(self.twins, found, strict=True):
            assert isinstance(entry, Entry)
            twin.apply(entry)
        self.compare()
        return True

    def by_player(self, action: a.Action, name: str = "Jonas") -> bool:
        """A player's action, which gets the same answer at both tables; True if it is not refused."""
        key = f"{next(self.keys)}"
        found = [twin.decide(self.ids[name], action, key) for twin in self.twins]
        refusals = [(type(each), str(each)) if isinstance(each, Refusal) else None for each in found]
        assert refusals[0] == refusals[1], action
        if refusals[0]:
            self.refused += 1
            return False
        for twin, entry in zip(self.twins, found, strict=True):
            assert isinstance(entry, Entry)
            twin.apply(entry)
        self.done += 1
        self.compare(action)
        return True

    def compare(self, after: object = None) -> None:
        """All seats but the GM's, and nobody's."""
        for id in (*self.twins[0].others, ""):
            one, other = (twin.seen(id) for twin in self.twins)
            assert msgspec.to_builtins(one) == msgspec.to_builtins(other), after

    def compare_books(self) -> None:
        """The story and everybody's luck."""
        for id in (*self.twins[0].others, ""):
            books = [
                ([*story(twin.entries, twin.table.state, seat)], luck_of(twin.entries, twin.table.state, seat))
                for twin in self.twins
                for seat in [member_of(twin.table.state, id) if id else None]
            ]
            assert books[0] == books[1]

    @property
    def roll(self) -> str:
        """The latest roll that everybody may know."""
        return next(reversed(self.twins[0].table.state.world.rolls), "")

    @property
    def request(self) -> str:
        return next(iter(self.twins[0].table.state.world.requests), "")


def cases(game: str) -> Iterator[Case]:
    """Every input of every kind that a GM can hide, with two values that both can be thrown."""
    for kind in registered(game).kinds.values():
        for input in kind.ask.inputs.values():
            case = _case(game, kind, input)
            if case is not None:
                yield case


def _case(game: str, kind: Kind, input: Input) -> Case | None:
    found: list[Any] = []
    for value in values_of(input):
        if _can_be_thrown(Case(game, kind.name, input.name, (value, value))):
            found.append(value)
        if len(found) == 2:
            return Case(game, kind.name, input.name, (found[0], found[1]))
    return None


def _can_be_thrown(case: Case) -> bool:
    twin = Twin(case.game)
    for action in (*BEGINS, asked(case, 0), None, a.ThrowAction()):
        made = action or a.OpenAction(request=next(iter(twin.table.state.world.requests)), who="Wren")
        entry = twin.decide(twin.ids["Mira"], made, f"try {len(twin.entries)}")
        if isinstance(entry, Refusal):
            return False
        twin.apply(entry)
    return True


def asked(case: Case, place: int) -> a.AskAction:
    """The GM's request, with one of the two values hidden."""
    inputs = {**case.base, case.input: case.values[place]}
    return a.AskAction(who=["Wren"], kind=case.kind, inputs=inputs, hide=[case.input])


def all_cases() -> list[Case]:
    return [case for game in names() for case in cases(game)]
