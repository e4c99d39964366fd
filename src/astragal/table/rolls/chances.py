"""Chances by tone of a roll at a table: as it stands, with each help, after each option; only what a seat may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from astragal.dice.distribution import Distribution
from astragal.errors import Refusal, Unavailable, Unknown
from astragal.rule.chances.advise import advise
from astragal.rule.chances.fact import NEVER, Policy, wishes_for, wishes_of
from astragal.rule.chances.odds import UP_TO
from astragal.rule.chances.solve import Solver
from astragal.rule.chances.tones import tone_odds, tones_of
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.sheets.table_rules import Offer
from astragal.rule.tree.node import Choice, Outcome, Throw
from astragal.rule.tree.play import Hand, play
from astragal.rule.verdict import Tone, turned
from astragal.table.access import GM, dice_audience, may_see, outcome_audience, speaks_for_target
from astragal.table.rolls.ask import ask_of, kind_of, offers_for, slots_of
from astragal.table.rolls.odds import guesses
from astragal.table.rolls.playback import ask_now, played_of
from astragal.table.state import Member, Roll, State

MAX_HELPS = 12
"""Most things for which the chance with and without them is told."""
HIDDEN = "Something about this roll is hidden, so its chances are too."
Tones = Distribution[Tone]


class RollChances(NamedTuple):
    """What a seat may know of how a roll will go; ``why`` says why there is nothing."""

    now: Tones | None = None
    """As things stand, if nobody spends anything more; of a long task, the rest of it."""
    spending: Tones | None = None
    """The same if points are spent as well as they can be."""
    points: int = 0
    """How many points there are to spend."""
    options: Mapping[str, Tones] = {}
    """After each option of the open choice."""
    best: str = ""
    """The option that is best for whose choice it is, if it is better than leaving things as they are."""
    helps: Mapping[str, Tones] = {}
    """With each thing of a helper that is not in the roll, and without each that is."""
    why: str = ""


def tone_chances(state: State, roll: Roll, member: Member, offer: str = "") -> RollChances:
    """The chances of a roll by tone, for the players' side; ``offer`` is one thing more to tell the chance with."""
    try:
        found = _chances(state, roll, member, offer)
    except Unavailable:
        raise
    except Refusal as refusal:
        return RollChances(why=refusal.sentence)
    return _for_target(found) if speaks_for_target(state, roll) else found


def _chances(state: State, roll: Roll, member: Member, offer: str) -> RollChances:
    if roll.ask is None:
        return _of_tray(state, roll, member, offer)
    if not may_see(member, outcome_audience(state, roll)) or not may_see(member, dice_audience(state, roll)):
        raise Unknown(HIDDEN)
    return RollChances() if roll.over else _of_rest(state, roll)


# Before the throw.


def _of_tray(state: State, roll: Roll, member: Member, offer: str) -> RollChances:
    if roll.hidden and member.role != GM:
        return RollChances(_unaffected(state, roll))
    ask, kind = ask_of(state, roll), kind_of(state, roll)
    points = int(getattr(ask, kind.budget) or 0) if kind.budget else 0
    spending = _or_none(lambda: _spending(kind, ask)) if points else None
    return RollChances(tone_odds(ask), spending, points, helps=_helps(state, roll, member, offer))


def _unaffected(state: State, roll: Roll) -> Tones:
    """Chances that are the same whatever is hidden; the true inputs are not looked at."""
    found = [tone_odds(ask) for ask in guesses(state, roll)]
    if len(found) < 2 or found.count(found[0]) < len(found):
        raise Unknown(HIDDEN)
    return found[0]


def _spending(kind: Kind, ask: Ask) -> Tones:
    return tone_odds(ask, Policy("cheapest", next(iter(wishes_of(kind).values()))))


def _helps(state: State, roll: Roll, member: Member, offer: str) -> dict[str, Tones]:
    """The tray with and without what helpers have, as far as the work for one question goes."""
    offers, helpers = offers_for(state, roll, member), {*roll.helpers, *roll.their_helpers}
    wanted = [id for id, each in offers.items() if id == offer or each.by in helpers][:MAX_HELPS]
    found: dict[str, Tones] = {}
    for id in wanted:
        tones = _or_none(lambda id=id: tone_odds(ask_of(state, _tapped(state, roll, id, offers))))
        if tones is not None:
            found[id] = tones
    return found


def _tapped(state: State, roll: Roll, id: str, offers: Mapping[str, Offer]) -> Roll:
    """The roll without an offer that is in it, or with one that is not, in place of what shares its slot."""
    others = {other: n for other, n in roll.use.items() if other != id}
    if roll.use.get(id):
        return replace(roll, use=others)
    kind = kind_of(state, roll)
    taken = slots_of(kind, offers[id])
    kept = {other: n for other, n in others.items() if other not in offers or not taken & slots_of(kind, offers[other])}
    inputs = {name: value for name, value in roll.inputs.items() if name not in taken}
    return replace(roll, use={**kept, id: 1}, inputs=inputs)


def _or_none(find: Any) -> Tones | None:
    """What is found, or nothing where it is refused or would be too much work."""
    try:
        found: Tones = find()
    except Unavailable:
        raise
    except Refusal:
        return None
    return found


# After the throw.


def _of_rest(state: State, roll: Roll) -> RollChances:
    kind, node = kind_of(state, roll), played_of(state, roll).node
    if isinstance(node, Throw) and kind.series:
        return _of_next(kind, node, ask_now(state, roll))
    if isinstance(node, Throw):
        return RollChances(tones_of(kind, Solver(NEVER, UP_TO).solve(node).results))
    if not isinstance(node, Choice):
        return RollChances()
    rest = kind.series.rest(ask_now(state, roll), node.so_far) if kind.series and node.so_far is not None else None
    return _of_task(kind, node, rest) if rest is not None else _of_choice(kind, node)


def _of_next(kind: Kind, throw: Throw[Any, Any], ask: Ask) -> RollChances:
    """Before a roll of a long task, the rest as a task of its own; after a helper's dice nothing, which is no walk."""
    so_far = throw.instead.so_far if throw.instead and kind.series else None
    rest = kind.series.rest(ask, so_far) if kind.series and so_far is not None else None
    if rest is None:
        return RollChances()
    first = play(kind.rule(rest), Hand()).node
    begins = isinstance(first, Throw) and first.by == throw.by
    return RollChances(tone_odds(rest)) if begins else RollChances()


def _of_task(kind: Kind, choice: Choice[Any], rest: Ask) -> RollChances:
    """The rest of a long task is a task of its own, with odds that need no walk through every roll."""
    going_on = tone_odds(rest)
    options = {name: _certain(kind, option.then.node()) or going_on for name, option in choice.own.items()}
    return RollChances(going_on, options=options)


def _certain(kind: Kind, node: Any) -> Tones | None:
    return tones_of(kind, Distribution.certain(node.result)) if isinstance(node, Outcome) else None


def _of_choice(kind: Kind, choice: Choice[Any]) -> RollChances:
    wish = next(iter(wishes_for(kind, choice)), None)
    if wish is None:
        solver = Solver(NEVER, UP_TO)
        return RollChances(
            options={name: tones_of(kind, solver.option(option).results) for name, option in choice.own.items()}
        )
    advice = advise(choice, wish)
    options = {option.name: tones_of(kind, option.results) for option in advice.options}
    return RollChances(options=options, best=advice.best if advice.helps else "")


def _for_target(found: RollChances) -> RollChances:
    """The same for the other side; the best option is the business of whose choice it is."""
    return found._replace(
        now=found.now and found.now.map(turned),
        spending=found.spending and found.spending.map(turned),
        options={name: tones.map(turned) for name, tones in found.options.items()},
        helps={id: tones.map(turned) for id, tones in found.helps.items()},
    )
