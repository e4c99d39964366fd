"""What a roll changes at a table is what its effects come to, and nothing besides; in every game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.explain.example import examples_of
from astragal.games.registry import BUILT_IN, names
from astragal.games.registry import game as registered
from astragal.rule.sheets.table_rules import Change, Participants
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Throw
from astragal.rule.tree.note import Note
from astragal.rule.tree.play import ChoiceStep
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import GM, outcome_audience, roll_audience
from astragal.table.decide.ledger import Ledger
from astragal.table.entry import Entry
from astragal.table.log.sample import play_sample
from astragal.table.rolls.ask import thaw
from astragal.table.rolls.basis import Basis, kind_of, open_items
from astragal.table.rolls.playback import played_of
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Roll, State
from astragal.table.table import Table, folded
from tests.share import share
from tests.table.tables import seeded_dice, started
from tests.table.wild import Wild

ROLE = re.compile(r"roller|player|target|(their )?helper [1-9]\d*|scene|table|gm")
ROLLING = ("roll", "throw", "answer")
RUNS = share(1000, 8)
LENGTH = 60


def changes(events: Iterable[e.Event]) -> list[e.Event]:
    """Changes of sheets and the rules' own sentences, in order."""
    return [
        replace(event, of="") if isinstance(event, e.Changed) else event
        for event in events
        if isinstance(event, (e.Changed, e.Noted))
    ]


class Account:
    """What the effects of an entry come to, found from the states before and after it."""

    def __init__(self, before: State, after: State, roll: Roll) -> None:
        self.roll = roll
        self.was = before.world.rolls.get(roll.id)
        self.ask = thaw(kind_of(after, roll), roll.ask or {})
        self.played = played_of(Basis(after, roll))
        self.ledger = Ledger(before, outcome_audience(before, roll))
        self.ledger.roll = roll.id
        self.effects: list[Effect] = []

    def events(self) -> list[e.Event]:
        """The events that the effects come to."""
        if self.was is None or self.was.ask is None:
            self.ledger.do(self._prices(), strict=True)
        came: list[Effect] = []
        known = len(self.was.steps) if self.was else 0
        waited = self.was is not None and self.was.ask is not None
        for place, step in enumerate(self.played.steps[known:]):
            if isinstance(step, ChoiceStep):
                everybody = Basis(self.ledger.state, self.roll).participants
                effects = step.choice.options[step.answer.option].effects
                paid = [effect for effect in effects if effect.cost or not self.ledger.audience]
                self.ledger.do(self._applied(paid, everybody, "answer"), strict=True)
                came += step.choice.effects if place or not waited else ()
                self._end([effect for effect in effects if effect not in paid], "answer")
        if not isinstance(self.played.node, Throw) and (len(self.played.steps) > known or not waited):
            came += self.played.node.effects
        self._end([effect for effect in came if effect.when in ("fallen", "end")], "fallen", "end")
        return changes(self.ledger.events)

    def _end(self, effects: Sequence[Effect], *when: str) -> None:
        """What is not paid: of a hidden outcome, only what nobody notices who may not know of it (T-11)."""
        done = self._applied(effects, self._seen(), *when)
        if self.ledger.audience:
            only_gms = roll_audience(self.ledger.state, self.roll) == GM
            made = [change for change in done if isinstance(change, Change)]
            unseen = [change for change in made if self.ledger.is_out_of_sight(change, only_gms)]
            done = list(unseen) if len(unseen) < len(made) else done
        self.ledger.do(done)

    def _seen(self) -> Participants:
        """What the outcome reads: nothing that is hidden from those who see it."""
        state, audience = self.ledger.state, self.ledger.audience
        return open_items(state, Basis(state, self.roll).participants, audience)

    def _prices(self) -> Iterator[Change]:
        """What each offer costs, as often as it is put in; one change for each place that pays."""
        state = self.ledger.state
        paid: dict[tuple[object, ...], Change] = {}
        basis = Basis(state, self.roll)
        offers, seen = basis.offers, basis.open_offers
        for id, taps in self.roll.use.items():
            participants = basis.open_participants if id in seen else basis.participants
            price = [effect._replace(by=effect.by * taps) for effect in offers[id].price]
            for change in self._applied(price, participants, "throw"):
                assert isinstance(change, Change)
                place = (*change[:4], (change.by or 0) > 0)
                was = paid.get(place)
                by = (change.by or 0) + (was.by or 0) if was else change.by
                paid[place] = change._replace(by=by, cause=f"{was.cause}; {change.cause}" if was else change.cause)
        yield from sorted(paid.values(), key=lambda change: (change.by or 0) > 0)

    def _applied(self, effects: Sequence[Effect], participants: Participants, *when: str) -> list[Change | Note]:
        self.effects += effects
        assert {effect.when for effect in effects} <= {*when}
        return list(ruleset_of(self.ledger.game).table_rules.apply(self.roll.kind, self.ask, effects, participants))


def accounted(before: State, after: State, entry: Entry) -> list[Effect]:
    """The effects of an entry that rolls dice or answers a choice; they must come to what it changes."""
    if entry.do not in ROLLING:
        return []
    rolled = (e.Asked, e.Thrown, e.Answered, e.Told)
    touched = next((event.roll for event in entry.events if isinstance(event, rolled)), "")
    if not touched:  # both sides gather first, or somebody's word settles it
        assert changes(entry.events) == []
        return []
    account = Account(before, after, after.world.rolls[touched])
    assert account.events() == changes(entry.events), entry.do
    assert all(ROLE.fullmatch(effect.who) for effect in account.effects)
    return account.effects


@pytest.mark.parametrize("game", names())
def test_the_changes_of_a_roll_are_those_of_its_effects_whatever_people_do(game: str) -> None:
    seen: Counter[str] = Counter()
    for run in range(RUNS):
        for before, after, entry in wild_entries(game, run):
            seen.update(effect.when for effect in accounted(before, after, entry))
    assert seen["end"], seen
    assert seen["throw"], seen


def wild_entries(game: str, run: int) -> Iterator[tuple[State, State, Entry]]:
    """A wild sequence of actions, each with the states before and after it."""
    rng = Random(f"{game} {run}")
    state, first, ids = started(game)
    entries = list(first)
    table = Table(state, lambda since: entries[since : len(first)])
    for number in range(LENGTH):
        by = rng.choice([*ids.values(), ids["Mira"], ids["Jonas"]])
        wild = Wild(rng, table.state, [entry.id for entry in entries])
        action = wild.action() if rng.random() < 0.5 else rolled(wild, game)
        if number == 0 and game == "razorweave":
            action, by = position(wild), ids["Mira"]
        try:
            entry = table.decide(by, action, f"{run} {number}", 1, seeded_dice(f"{run} {number}"))
        except Refusal:
            continue
        before = table.state
        table.apply(entry)
        entries.append(entry)
        yield before, table.state, entry


def position(wild: Wild) -> a.Action:
    """Somebody has the high ground: Razorweave's only price of a throw, and a rare one."""
    whose = wild.holder("character").id
    return a.EditAction(holder="scene", section="positions", item="High ground", to={"whose": whose})


def rolled(wild: Wild, game: str) -> a.Action:
    """A roll that mostly makes sense: a worked example's, with what sheets offer put in; or one step on."""
    waiting = [roll for roll in wild.state.world.rolls.values() if roll.ask is not None and not roll.over]
    if waiting and wild.maybe(0.6):
        return wild.answer() if wild.maybe(0.8) else wild.throw()
    example = wild.rng.choice([example for example in examples_of(registered(game)) if not example.refused])
    kind = registered(game).kind(example.roll).name
    who, target = wild.holder("character").id, wild.holder("character").id if wild.maybe(0.5) else ""
    helpers = [wild.holder("character").id] if registered(game).kind(kind).helpers and wild.maybe(0.3) else []
    offers = Basis(wild.state, Roll("r", kind, "", who, target, tuple(helpers))).offers
    priced = [id for id, offer in offers.items() if offer.price and wild.maybe(0.5)]
    use = dict.fromkeys([*priced, *wild.rng.sample(list(offers), min(len(offers), wild.rng.randint(0, 2)))][:2], 1)
    return a.RollAction(kind=kind, who=who, against=target, helpers=helpers, inputs=dict(example.given), use=use)


@pytest.mark.parametrize("game", BUILT_IN)
def test_the_changes_of_a_sample_are_those_of_its_effects(game: str) -> None:
    entries = play_sample(game, 0)[1]
    states = [folded(entries[:end]) for end in range(len(entries) + 1)]
    steps = zip(states, states[1:], entries, strict=False)
    effects = [effect for before, after, entry in steps if before.game for effect in accounted(before, after, entry)]
    assert any(effect.when == "end" for effect in effects)
