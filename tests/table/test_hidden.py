"""What is hidden leaves no trace: with and without it, a table looks the same from every other seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from astragal.errors import Refusal
from astragal.games.registry import names
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import GM, may_see, seat_version
from astragal.table.entry import Entry
from astragal.table.log.lines import shown
from astragal.table.log.luck import luck_of
from astragal.table.roll_event import Proof
from astragal.table.rolls.ticket import Tickets
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State
from astragal.table.table import Table
from astragal.table.turns import seen_turns
from astragal.table.view.build import view
from tests.share import record, share
from tests.table.secret import Secret
from tests.table.tables import Party, SeededTickets, seeded_dice, started
from tests.table.wild import Wild

TICKETS = SeededTickets(seeded_dice(""))
DONE: Counter[str] = Counter()


class Twin:
    """One of two tables at which the same is done."""

    def __init__(self, game: str, tickets: Tickets | None = None) -> None:
        self.tickets = tickets
        state, self.entries, self.ids = started(game)[0], list(started(game)[1]), started(game)[2]
        first = len(self.entries)
        self.table = Table(state, lambda since: self.entries[since:first])
        self.hidden: list[str] = []
        self.others = [id for name, id in self.ids.items() if name != "Mira"]

    def member(self, id: str) -> Member | None:
        return self.table.state.members.get(id)

    def decide(self, by: str, action: a.Action, key: str, seed: str = "") -> Entry | Refusal:
        try:
            tickets = self.tickets or SeededTickets(seeded_dice(seed or key))
            return self.table.decide(by, action, key, 1, tickets=tickets)
        except Refusal as refusal:
            return refusal

    def apply(self, entry: Entry) -> None:
        self.table.apply(entry)
        self.entries.append(entry)

    def seen(self, id: str) -> tuple[Any, ...]:
        """All that this seat can see."""
        state, member = self.table.state, self.member(id)
        log = [line for entry in self.entries if (line := shown(entry, state, member))]
        tickets = TICKETS.shown(state, member) if member else {}
        chains = {audience: state.chains.get(audience) for audience in ("", member.id if member else "")}
        return view(state, member), seat_version(state, member), log, tickets, chains

    def is_hidden(self, entry: Entry) -> bool:
        return not any(may_see(self.member(id), event.audience) for event in entry.events for id in (*self.others, ""))

    def keep_a_secret(self, rng: Random, key: str) -> None:
        """Something that nobody but the GM may learn of."""
        secret = Secret(rng, self.table.state, [])
        undo = a.UndoAction(entry=secret.one(self.hidden, "nonsense"))
        self.do_hidden(undo if secret.maybe(0.15) else secret.secret(), key)

    def do_hidden(self, action: a.Action, key: str) -> None:
        """Do this, if nobody but the GM learns of it."""
        entry = self.decide(self.ids["Mira"], action, key)
        if isinstance(entry, Entry) and self.is_hidden(entry):
            self.apply(entry)
            self.hidden.append(entry.id)
            DONE["secrets"] += 1
            DONE[f"secret {entry.do}"] += 1
            DONE["secret helper"] += _has_secret_helper(self.table.state, entry)
            DONE["secret roll undone"] += entry.do == "undo" and any(
                roll.undone.dice for roll in self.table.state.world.rolls.values()
            )


def _has_secret_helper(state: State, entry: Entry) -> bool:
    """Whether somebody hidden has come into a roll as a helper, at its opening or later."""
    helpers = [id for event in entry.events if isinstance(event, e.Opened) for id in event.helpers]
    helpers += [event.helper for event in entry.events if isinstance(event, e.Assisted)]
    return any(id in state.world.holders and state.world.holders[id].seen == "gm" for id in helpers)


def is_secret_turn(state: State) -> bool:
    """Whether a GM's places in the turn order are others than everybody's: the next, the second."""
    return state.world.turns != seen_turns(state, None)


def is_vague(by: str, gm: str, action: a.Action) -> bool:
    """A GM's "the latest one" may be a hidden one; that is no leak."""
    return by == gm and not all(getattr(action, name, "x") for name in ("roll", "entry"))


@given(st.sampled_from(names()), st.lists(st.integers(0, 2**40), min_size=8, max_size=25))
@settings(
    max_examples=share(4_000, 50),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_nobody_can_tell_whether_there_is_something_hidden(game: str, numbers: list[int]) -> None:
    plain, full = Twin(game), Twin(game)
    gm = plain.ids["Mira"]
    for place, number in enumerate(numbers):
        rng = Random(number)
        full.keep_a_secret(rng, f"secret {place}")
        by = rng.choice([*plain.ids.values(), gm, gm])
        action = Wild(rng, plain.table.state, [entry.id for entry in plain.entries]).action()
        if is_vague(by, gm, action) or isinstance(action, a.SeatAction):
            continue
        if by == gm and isinstance(action, a.TurnAction) and is_secret_turn(full.table.state):
            continue
        ours, theirs = plain.decide(by, action, f"{place}"), full.decide(by, action, f"{place}")
        if by == gm and (isinstance(ours, Refusal) or isinstance(theirs, Refusal)):
            continue
        DONE["refused" if isinstance(ours, Refusal) else "acts"] += 1
        assert (type(ours), str(ours)) == (type(theirs), str(theirs)) if isinstance(ours, Refusal) else True
        if isinstance(ours, Refusal) or isinstance(theirs, Refusal):
            assert type(ours) is type(theirs)
            continue
        plain.apply(ours)
        full.apply(theirs)
        for id in (*plain.others, ""):
            assert plain.seen(id) == full.seen(id)
    for id in (*plain.others, ""):
        assert luck_of(plain.entries, plain.table.state, plain.member(id)) == luck_of(
            full.entries, full.table.state, full.member(id)
        )
    DONE["sequences"] += 1


def test_a_gm_keeps_all_sorts_of_secrets() -> None:
    """Always with the same numbers, so that no kind is left out by chance."""
    before, twin = DONE.copy(), Twin("chronicles")
    for number in range(500):
        twin.keep_a_secret(Random(number), f"secret {number}")
    secrets = DONE - before
    kinds = {"note", "create", "edit", "change", "roll", "helper", "assist", "ask", "turn", "save", "undo"}
    assert kinds <= {what.removeprefix("secret ") for what in secrets}


def test_the_secrets_were_there() -> None:
    secrets = DONE["secrets"]
    assert secrets > DONE["sequences"] / 2  # examples are drawn at random: about one a sequence
    assert DONE["acts"] > DONE["sequences"]
    record(
        "tables with and without hidden things, seen from every seat",
        f"{DONE['sequences']:,} pairs, {DONE['acts']:,} entries beside {secrets:,} hidden ones: no difference",
    )


# Undoing: whoever undoes, rolls again and redoes learns no more than whoever only looks.

ASKS: dict[str, tuple[dict[str, Any], ...]] = {
    "narraject": ({"d6": 3, "difficulty": 2}, {"d6": 3, "difficulty": 4}),
    "razorweave": ({"dc": 12}, {"dc": 16}),
    "chronicles": ({"attribute": 2, "skill": 1}, {"attribute": 2, "skill": 3}),
    "tgimh": ({}, {}),
}
"""Two asks that differ in one input, which the GM may hide."""
HIDES = {"narraject": "difficulty", "razorweave": "dc", "chronicles": "skill"}


class Fisher:
    """Makes up a few actions again and again, so that rolls that were undone are rolled once more."""

    def __init__(self, rng: Random, game: str) -> None:
        self.rng = rng
        self.asks = ASKS[game]
        self.hides = HIDES.get(game, "")
        self.kind = next(iter(ruleset_of(game).game.kinds))

    def roll(self, ask: int, **more: Any) -> a.RollAction:
        return a.RollAction(kind=self.kind, who="Wren", inputs=self.asks[ask], answers=["settle"], **more)

    def open_action(self) -> tuple[str, a.Action]:
        """Something that is done at both tables, in the same words."""
        ask, seen = self.rng.choice((0, 1)), self.rng.choice(("all", "all", "blind", "owner"))
        faces = self.rng.choice(("", "", "1 2 3 | 4", "1 2 3 4"))
        actions: list[tuple[str, a.Action]] = [
            ("Jonas", self.roll(ask, seen=seen, faces=faces)),
            ("Jonas", self.roll(ask, seen=seen)),
            ("Jonas", a.UndoAction()),
            ("Mira", a.AllowAction()),
            ("Mira", a.AllowAction()),
            ("Mira", a.DeclineAction()),
            ("Jonas", a.ThrowAction()),
            ("Jonas", a.ThrowAction(faces=faces)),
            ("Jonas", a.BuildAction(inputs=self.asks[1 - ask])),
            ("Jonas", a.WithdrawAction()),
            ("Jonas", a.RedoAction()),
            ("Mira", a.SceneAction(title="Dusk")),
        ]
        return self.rng.choice(actions)

    def secret_roll(self) -> a.Action:
        return self.roll(self.rng.choice((0, 1)), seen="gm")


def others_see(twin: Twin) -> list[tuple[Any, ...]]:
    return [twin.seen(id) for id in (*twin.others, "")]


def done_alike(ours: Twin, theirs: Twin, by: str, actions: tuple[a.Action, a.Action], key: str) -> None:
    """An action at both tables, where nobody but the GM may notice a difference: neither in dice nor in refusals.

    At the second table dice that nobody else sees are others, if such are found that nobody notices.
    """
    entry = ours.decide(by, actions[0], key)
    tries = [f"{key} {n}" for n in range(6)] if isinstance(entry, Entry) and hides_dice(entry) else []
    for seed in (*tries, key):
        other = theirs.decide(by, actions[1], key, seed)
        if by == ours.ids["Mira"] and (isinstance(entry, Refusal) or isinstance(other, Refusal)):
            return  # a GM may know why
        if isinstance(entry, Entry) and isinstance(other, Entry):
            if seed != key and not same_to_others(ours, theirs, entry, other):
                continue
            DONE["other dice"] += seed != key
            ours.apply(entry)
            theirs.apply(other)
        else:
            assert (type(entry), str(entry)) == (type(other), str(other))
        break
    assert others_see(ours) == others_see(theirs), (actions, key)


def hides_dice(entry: Entry) -> bool:
    return any(isinstance(event, e.Thrown) and event.audience == "gm" for event in entry.events)


def same_to_others(ours: Twin, theirs: Twin, one: Entry, other: Entry) -> bool:
    """Whether these entries, applied, would look the same to everybody but the GM."""
    events = [
        [event for event in entry.events if event.audience != "gm" and not isinstance(event, e.Thrown)]
        for entry in (one, other)
    ]
    return events[0] == events[1]


@given(st.sampled_from(sorted(ASKS)), st.lists(st.integers(0, 2**40), min_size=10, max_size=25))
@example("narraject", [0, 0, 239107, 0, 0, 0, 0, 0, 0, 40366198])  # one complication hidden, one to come
@settings(max_examples=share(2_000, 80), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_nobody_learns_what_is_hidden_by_undoing(game: str, numbers: list[int]) -> None:
    """Hidden inputs and hidden dice differ, and hidden rolls are made and undone at one of the tables only."""
    ours, theirs = Twin(game), Twin(game)
    gm = ours.ids["Mira"]
    for place, number in enumerate(numbers):
        rng = Random(number)
        fisher = Fisher(rng, game)
        turn = rng.random()
        if turn < 0.2:
            ours.do_hidden(fisher.secret_roll() if rng.random() < 0.6 else a.UndoAction(), f"hidden {place}")
        elif turn < 0.35 and fisher.hides:
            hiding = (fisher.roll(0, hide=[fisher.hides]), fisher.roll(1, hide=[fisher.hides]))
            done_alike(ours, theirs, gm, hiding, f"{place}")
        else:
            by, action = fisher.open_action()
            done_alike(ours, theirs, ours.ids[by], (action, action), f"{place}")
    DONE["fished"] += 1


def test_dice_that_nobody_saw_were_others() -> None:
    assert DONE["other dice"] > 0
    assert DONE["secret roll undone"] > 0
    record("undoing and rolling again, with other hidden inputs, dice and rolls", f"{DONE['fished']:,} pairs")


def proofs_in(event: e.Event) -> Iterator[Proof]:
    """The proofs that an event tells those who see it: each has the key of a throw, and its place."""
    if isinstance(event, (e.Thrown, e.MoveThrown)) and event.proof:
        yield event.proof
    elif isinstance(event, e.Revealed):
        yield from (proof for _, proof in event.thrown if proof)


@pytest.mark.parametrize("game", sorted(ASKS))
def test_no_key_that_somebody_knows_has_thrown_dice_that_they_may_not_see(game: str) -> None:
    """Whoever has a key and their own nonce can compute dice: those of a blind roll that was undone, for one."""
    for seed in range(share(250, 8)):
        rng, twin = Random(f"{game} {seed}"), Twin(game, Tickets("road", b"secret" * 6))
        fisher = Fisher(rng, game)
        for place in range(25):
            roll = fisher.roll(rng.choice((0, 1)), seen=rng.choice(("all", "blind", "owner")))
            actions: list[tuple[str, a.Action]] = [("Jonas", roll)] * 5 + [
                ("Mira", roll),
                ("Mira", fisher.secret_roll()),
            ]
            actions += [("Jonas", a.UndoAction())] * 2 + [("Jonas", a.RedoAction()), ("Mira", a.RevealAction())]
            by, action = rng.choice(actions)
            entry = twin.decide(twin.ids[by], action, f"{place}")
            if isinstance(entry, Entry):
                twin.apply(entry)
        refuse_known_keys(twin)


def refuse_known_keys(twin: Twin) -> None:
    """Fail if a seat has the key of a throw that it was not told of; dice that came up again are the same throw."""
    events = [event for entry in twin.entries for event in entry.events]
    for id in (*twin.others, ""):
        seen = [event for event in events if may_see(twin.member(id), event.audience)]
        known = {proof for event in seen for proof in proofs_in(event)}
        unknown = {proof for event in events for proof in proofs_in(event)} - known
        assert {proof.key for proof in unknown}.isdisjoint(proof.key for proof in known)
        DONE["keys known"] += len(known)
        DONE["keys unknown"] += len(unknown)


def test_there_were_keys_that_nobody_may_know() -> None:
    assert DONE["keys known"] > 20 and DONE["keys unknown"] > 20


def test_rw14_what_a_players_own_oracle_leaves_does_not_count_the_hidden_ones_of_the_gm() -> None:
    def told(secret: bool) -> list[e.Event]:
        party = Party("razorweave")
        if secret:
            party.do("Mira", a.RollAction(kind="oracle", seen="gm"), key="secret")
        own = a.RollAction(kind="oracle", who="Wren", seen="owner", faces="3 4 6")
        return [event for event in party.do("Jonas", own, key="own").events if event.audience != GM]

    assert told(secret=True) == told(secret=False)
