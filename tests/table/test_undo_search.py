"""T-1, T-2: an undo never buys new dice, a peek or a better use for a good throw, in any game, from any seat.

A search over short sequences of actions: every kind of roll of every game, contests with the other side's seat,
helpers who give and throw, a game with a deck, and a table without a GM.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.games.registry import game as registered
from astragal.games.registry import names
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.kept import fallen
from astragal.table.log.verify import LogCheck
from tests.installed import installed
from tests.share import record, share
from tests.table.pairs import BASES, INSTRUMENTS, values_of
from tests.table.tables import Party

STEPS = 20
ANSWERS = ("reroll", "add", "settle", "keep", "take", "none", "box", "yes", "more", "enough", "roll", "stop")
CORE: list[tuple[str, a.Action]] = [
    *((by, action) for by in ("Jonas", "Ada", "Mira") for action in (a.ThrowAction(), a.UndoAction())),
    ("Mira", a.AllowAction()),
    ("Ada", a.ReadyAction()),
    ("Jonas", a.UndoAction()),
]
"""What the search is about; every other action is one of these."""


class Case(NamedTuple):
    """A kind of roll, with whom it is thrown, and who may undo."""

    game: str
    kind: str
    seats: str
    """``alone``, ``contest`` with Ada's Kit, or ``helped`` by Kit."""
    undo: str
    """``gm``, ``player``, or ``nobody`` where no GM is at the table."""

    @property
    def inputs(self) -> dict[str, Any]:
        return BASES.get(f"{self.game}/{self.kind}") or BASES.get(self.kind, {})

    def __str__(self) -> str:
        return "-".join(self)


def all_cases(game: str) -> list[Case]:
    """Every kind of roll of a game, alone and with others where it takes them."""
    found = []
    for kind in registered(game).kinds.values():
        seats = ["alone", *["contest"] * bool(kind.opposed), *["helped"] * bool(kind.helpers)]
        found += [Case(game, kind.name, each, undo) for each in seats for undo in ("gm", "player", "nobody")]
    return found


def begun(case: Case) -> Party:
    """A table at which the roll is gathered; without a GM, if that is the case."""
    party = Party(case.game)
    against = "Kit" if case.seats == "contest" else ""
    if case.undo == "player":
        party.do("Mira", a.SetAction(undo="player"))
    inputs = {name: value for name, value in case.inputs.items() if case.undo != "nobody" or name != "theirs"}
    with suppress(Refusal):
        party.do("Mira", a.OpenAction(who="Wren", kind=case.kind, against=against, inputs=inputs))
    if case.seats == "helped":
        with suppress(Refusal):
            party.do("Ada", a.AssistAction(who="Kit"))
    if case.undo == "nobody":
        without_gm(party)
    return party


def without_gm(party: Party) -> None:
    """Nobody is a GM any more; an undo folds the log again, which says otherwise."""
    members = {id: replace(member, role="player") for id, member in party.state.members.items()}
    party.table.state = replace(party.state, members=members)


def moves_of(case: Case, party: Party) -> list[tuple[str, a.Action]]:
    """What anybody may try next."""
    kind = registered(case.game).kinds[case.kind]
    against = "Kit" if case.seats == "contest" else ""
    found: list[tuple[str, a.Action]] = []
    for by in ("Jonas", "Ada", "Mira"):
        found += [(by, action) for action in (a.RedoAction(), a.ReadyAction(), a.WithdrawAction())]
        found += [(by, a.AnswerAction(answer=answer)) for answer in ANSWERS]
        found += [(by, a.ThrowAction(faces=faces)) for faces in ("1 2", "6 5 4 | 3")]
    changes: list[dict[str, Any]] = [{name: value} for name, value in INSTRUMENTS.get(case.kind, {}).items()]
    for input in kind.ask.inputs.values():
        changes += [{input.name: value} for value in values_of(input)[:3]]
    found += [(by, a.BuildAction(inputs=change)) for by in ("Jonas", "Ada") for change in changes]
    found += [("Jonas", a.OpenAction(who="Wren", kind=case.kind, against=against, inputs=case.inputs))] * 2
    found += [("Jonas", a.RollAction(who="Wren", kind=name)) for name in registered(case.game).kinds]
    helper = party.holder("Kit").sheet
    stats = [(section, item) for section in helper for item in list(helper[section])[:2]]
    found += [("Ada", a.BuildAction(use={f"Kit's {item}": 1})) for _, item in stats]
    found += [("Ada", a.AssistAction(who="Kit")), ("Ada", a.AssistAction(who="Kit", leave=True))]
    return found


def searched(case: Case, seed: int) -> Counter[str]:
    """One sequence; what was seen on the way."""
    rng, party = Random(f"{case} {seed}"), begun(case)
    moves = moves_of(case, party)
    for by, action in (("Ada", a.ReadyAction()), ("Jonas", a.ThrowAction()), ("Ada", a.ThrowAction())):
        with suppress(Refusal):
            party.do(by, action)
    for _ in range(STEPS):
        with suppress(Refusal):
            party.do(*rng.choice(CORE if rng.random() < 0.5 else moves))
        if case.undo == "nobody":
            without_gm(party)
    return assert_nothing_is_bought(party)


class Book:
    """What a log says of rolls and their dice, entry by entry."""

    def __init__(self, party: Party) -> None:
        self.party = party
        self.faces: dict[tuple[str, str, int], int] = {}
        self.rollers: dict[str, str] = {}
        self.kinds: dict[str, tuple[str, str]] = {}
        self.thrown: dict[str, str] = {}
        """The first throw of each roll, by the entry."""
        self.owed: dict[str, str] = {}
        """The rolls whose dice were undone, by roll, with their rollers; one of these is thrown next."""
        self.begun: set[str] = set()
        """Rolls that have been thrown."""
        self.own: set[str] = set()
        """Those in which the roller's own dice fell, and not only a helper's."""
        self.seen: Counter[str] = Counter()

    def take(self, entry: Any) -> None:
        gms = [member.id for member in self.party.state.members.values() if member.role == "gm"]
        for event in entry.events:
            if isinstance(event, e.Opened):
                self.rollers[event.roll] = event.who or event.name or event.by
                self.kinds[event.roll] = event.kind, event.who
            elif isinstance(event, e.Asked):
                self.thrown[event.roll] = entry.id
            elif isinstance(event, e.Thrown):
                self._throw(event)
            elif isinstance(event, e.Struck):
                for roll in [roll for roll, by in self.thrown.items() if by in event.entries]:
                    self.seen["undone"] += 1
                    if roll in self.own:
                        self.owed[roll] = self.rollers[roll]
            elif isinstance(event, e.Restored):
                back = [roll for roll, by in self.thrown.items() if by in event.entries]
                self.owed = {roll: who for roll, who in self.owed.items() if roll not in back}
            elif isinstance(event, e.Withdrawn) and event.roll in self.owed:
                assert entry.by in gms, "only a GM withdraws a roll whose dice are kept"
                del self.owed[event.roll]
                self.faces = {known: face for known, face in self.faces.items() if known[0] != event.roll}

    def _throw(self, event: e.Thrown) -> None:
        first = self.rollers[event.roll] in self.owed.values() and event.roll not in self.owed
        assert not first or event.roll in self.begun, "the undone roll comes first"
        self.begun.add(event.roll)
        own = event.by == self.rollers[event.roll]
        self.own.update([event.roll] if own else [])
        if own and self.owed.pop(event.roll, ""):
            self.seen["thrown again"] += 1
        for die in fallen(event):
            known = (event.roll, die.line, die.root)
            self.seen["dice again"] += known in self.faces
            # A card goes back into the deck, and somebody else may have drawn it since.
            same = self.faces.setdefault(known, die.face) == die.face
            assert same or event.cards, "a die of a roll has one face"


def assert_nothing_is_bought(party: Party) -> Counter[str]:
    """Dice keep their faces, the undone roll comes first, its kind and character stay, and the check finds nothing."""
    book, check = Book(party), LogCheck()
    for entry in party.entries:
        check.take(entry)
        book.take(entry)
    for id, roll in party.state.world.rolls.items():
        assert book.kinds[id] == (roll.kind, roll.who)
    assert [finding for finding in check.findings if finding.weight == "wrong"] == []
    return book.seen


@pytest.mark.parametrize("game", names())
def test_no_sequence_of_actions_buys_anything_with_an_undo(game: str) -> None:
    for case in all_cases(game):
        seen: Counter[str] = Counter()
        for seed in range(share(400, 12)):
            seen += searched(case, seed)
        assert seen["undone"] or case.undo != "player", case
        record(
            "sequences of actions around an undo", f"{STEPS} actions in each, {case}: {dict(seen)}: nothing is bought"
        )


@pytest.mark.parametrize("undo", ["gm", "player", "nobody"])
def test_nor_where_cards_are_drawn(undo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = installed("omens", tmp_path, monkeypatch)
    seen: Counter[str] = Counter()
    for kind in registered(game).kinds:
        for seed in range(share(400, 20)):
            seen += searched(Case(game, kind, "alone", undo), seed)
    assert seen["undone"]
    assert seen["thrown again"]


def test_a_roll_that_is_only_begun_again_still_comes_first() -> None:
    """The search found it: a leader began the undone roll, did not throw, and threw another one."""
    party = Party("chronicles")
    party.do("Mira", a.SetAction(undo="player"))
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"pool": 5}))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.ThrowAction())
    party.do("Jonas", a.ThrowAction())
    first = party.roll
    assert first.who in [thrown.by for thrown in first.throws]
    while not party.state.world.rolls[first.id].reopened:
        party.do("Mira", a.UndoAction())
    party.do("Jonas", a.ThrowAction())
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"pool": 5}))
    with pytest.raises(Refusal, match="undone roll comes first"):
        party.do("Jonas", a.ThrowAction(roll=party.roll.id))
