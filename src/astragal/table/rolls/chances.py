"""Chances of a roll at a table, as far as a seat may know: by tone, by fact and by wish.

Hidden inputs are guessed, never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from astragal.dice.distribution import Distribution, mix
from astragal.dice.estimates import HELP_TREE, SPENDING_TREE, trees_up_to
from astragal.errors import Illegal, Refusal, Unavailable, Unknown
from astragal.explain.tones import tone_odds, tones_of
from astragal.rule.chances.advise import Advice, advise
from astragal.rule.chances.fact import NEVER, Policy, Wish, facts_of, wish_of, wishes_for, wishes_of
from astragal.rule.chances.odds import UP_TO, all_odds, odds, results_odds
from astragal.rule.chances.solve import Solver
from astragal.rule.game import Kind, LongTask
from astragal.rule.inputs.ask import Ask
from astragal.rule.sheets.table_rules import Offer
from astragal.rule.tree.node import Choice, Node, Outcome, Throw
from astragal.rule.verdict import WINS, Tone, turned
from astragal.table.access import GM, dice_audience, may_see, outcome_audience, verdict_for_target
from astragal.table.rolls.ask import slots_of, thaw
from astragal.table.rolls.basis import Basis
from astragal.table.rolls.kept_tree import kept_results, refuse_unseen_kept, rest_of
from astragal.table.rolls.known import guesses
from astragal.table.rolls.playback import ask_now
from astragal.table.rolls.ready import is_empty, ruling_of
from astragal.table.state import Member, Roll, State

MAX_HELPS = 12
"""Most things that get a chance with and without them."""
HIDDEN = "Something about this roll is hidden, so its chances are too."
EMPTY = "A side has no dice in this roll yet, so there are no chances."
KEPT_TASK = "Dice of the undone roll are kept (T-1), so the odds of the whole task from fresh dice are left out."
Tones = Distribution[Tone]


class RollChances(NamedTuple):
    """The chances of a roll that a seat may know; ``why`` says why there are none."""

    now: Tones | None = None
    """The chances if nothing more is spent; of a long task, for the rest of it."""
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
    wins: frozenset[Tone] = WINS
    """The tones in which the roller succeeds: bad ones, where the players are on the other side."""


def tone_chances(state: State, roll: Roll, member: Member, offer: str = "") -> RollChances:
    """The chances of a roll by tone, for the players' side; ``offer`` is one thing more to tell the chance with."""
    basis = Basis(state, roll)
    try:
        if roll.ask is None:
            found = _of_tray(basis, member, offer)
        elif not _sees_all(basis, member):
            raise Unknown(HIDDEN)
        else:
            found = RollChances() if roll.over else _of_rest(basis)
    except Unavailable:
        raise
    except Refusal as refusal:
        return RollChances(why=refusal.sentence)
    return _for_target(found) if verdict_for_target(state, roll) else found


def _sees_all(basis: Basis, member: Member) -> bool:
    """True if a seat may see both the dice and the outcome of a roll."""
    state, roll = basis.state, basis.roll
    return may_see(member, outcome_audience(state, roll)) and may_see(member, dice_audience(state, roll))


# Before the throw.


def _of_tray(basis: Basis, member: Member, offer: str) -> RollChances:
    roll = basis.roll
    if ruling_of(basis):
        return RollChances()  # nothing is left to chance
    refuse_unseen_kept(basis, member)
    if roll.hidden and member.role != GM:
        # Chances that are the same whatever is hidden; the true inputs are not looked at.
        tones = [_odds(basis, ask) for ask in guesses(basis)]
        if len(tones) < 2 or tones.count(tones[0]) < len(tones):
            raise Unknown(HIDDEN)
        return RollChances(tones[0])
    ask, kind = basis.ask, basis.kind
    if is_empty(basis):
        raise Unknown(EMPTY)
    points = int(getattr(ask, kind.budget) or 0) if kind.budget else 0
    spending = None
    if points:
        cheapest = Policy("cheapest", next(iter(wishes_of(kind).values())))
        spending = _or_none(lambda: _odds(basis, ask, cheapest), SPENDING_TREE)
    return RollChances(_odds(basis, ask), spending, points, helps=_helps(basis, member, offer))


def _odds(basis: Basis, ask: Ask, policy: Policy = NEVER) -> Tones:
    """The odds of a roll before its throw, with its kept dice; of one roll of a long task, those of all that follow."""
    kind = basis.kind
    if not basis.roll.undone.dice:
        return tone_odds(kind.series.whole(ask) if kind.series else ask, policy)
    results = kept_results(basis, ask, policy)
    return _of_task_results(kind, ask, results) if kind.series else tones_of(kind, results)


def _of_task_results(kind: Kind, ask: Ask, results: Distribution[Any]) -> Tones:
    """The odds of a long task, given the possible results of one of its rolls."""
    assert kind.series is not None
    parts = []
    for result, weight in results.weights.items():
        rest = kind.series.rest(ask, result)
        parts.append((weight, tone_odds(rest) if rest else tones_of(kind, Distribution.certain(result))))
    return mix(parts, results.total)


def _helps(basis: Basis, member: Member, offer: str) -> dict[str, Tones]:
    """The tray with and without what helpers have; a chance whose tree is large is left out."""
    roll, offers = basis.roll, basis.offers_for(member)
    helpers = {*roll.helpers, *roll.their_helpers}
    wanted = [id for id, each in offers.items() if id == offer or each.by in helpers][:MAX_HELPS]
    found: dict[str, Tones] = {}
    for id in wanted:
        tapped = basis.at(basis.state, _tapped(basis, id, offers))
        tones = _or_none(lambda tapped=tapped: _odds(tapped, tapped.ask), HELP_TREE)  # type: ignore[misc]
        if tones is not None:
            found[id] = tones
    return found


def _tapped(basis: Basis, id: str, offers: Mapping[str, Offer]) -> Roll:
    """The roll without an offer that is in it, or with one that is not, in place of what shares its slot."""
    roll, kind = basis.roll, basis.kind
    others = {other: n for other, n in roll.use.items() if other != id}
    if roll.use.get(id):
        return replace(roll, use=others)
    taken = slots_of(kind, offers[id])
    kept = {other: n for other, n in others.items() if other not in offers or not taken & slots_of(kind, offers[other])}
    inputs = {name: value for name, value in roll.inputs.items() if name not in taken}
    return replace(roll, use={**kept, id: 1}, inputs=inputs)


def _or_none(find: Callable[[], Tones], nodes: int) -> Tones | None:
    """The chances, or None where they are refused or their tree has more nodes than these."""
    try:
        with trees_up_to(nodes):
            return find()
    except Unavailable:
        raise
    except Refusal:
        return None


# After the throw.


def _of_rest(basis: Basis) -> RollChances:
    kind = basis.kind
    if kind.series:
        return _of_task(basis, kind.series)
    node = rest_of(basis)
    if isinstance(node, Throw):
        return RollChances(tones_of(kind, Solver(NEVER, UP_TO).solve(node).results))
    if isinstance(node, Outcome):  # its last dice are kept
        return RollChances(tones_of(kind, Distribution.certain(node.result)))
    return choice_chances(kind, node) if isinstance(node, Choice) else RollChances()


def _of_task(basis: Basis, series: LongTask) -> RollChances:
    """The chances of a long task: this roll by its tree, and the rest as a task of its own, which needs no walk."""
    kind, ask, node = basis.kind, ask_now(basis), rest_of(basis, alone=True)
    after = cache(lambda result: _of_task_results(kind, ask, Distribution.certain(result)))

    def worth(result: Any) -> Any:
        """The chance that the task succeeds after this roll; the solver averages fractions as it does numbers."""
        return sum([after(result)[tone] for tone in WINS])

    wish = next(iter(wishes_of(kind).values()))._replace(worth=worth)
    if isinstance(node, Choice):
        found = choice_chances(kind, node, wish, partial(_of_task_results, kind, ask))
        continues = node.so_far is not None and series.rest(ask, node.so_far) is not None
        return found._replace(now=after(node.so_far)) if continues else found
    results = Solver(Policy("best", wish), UP_TO).solve(node).results
    return RollChances(_of_task_results(kind, ask, results))


def choice_chances(
    kind: Kind,
    choice: Choice[Any],
    wish: Wish | None = None,
    tones: Callable[[Distribution[Any]], Tones] | None = None,
) -> RollChances:
    """The chances after each option of an open choice, and the best of them, as a card shows them.

    ``wish`` and ``tones`` say what results are worth and come to, if not what the kind of roll says.
    """
    tones = tones or partial(tones_of, kind)
    wish = wish or next(iter(wishes_for(kind, choice)), None)
    if wish is None:
        solver = Solver(NEVER, UP_TO)
        return RollChances(options={name: tones(solver.option(each).results) for name, each in choice.own.items()})
    advice = advise(choice, wish)
    # The chance is shown next to the option that costs it. Where a member offers something, nothing is called best: the
    # member who gets the offer decides whether it is better than a chance.
    offers = {name for name, option in choice.own.items() if option.offered}
    options = {option.name: tones(option.results) for option in advice.options if option.name not in offers}
    return RollChances(options=options, best=advice.best if advice.helps and not offers else "")


def _for_target(found: RollChances) -> RollChances:
    """The same for the other side; the best option is the business of whose choice it is."""
    return found._replace(
        now=found.now and found.now.map(turned),
        spending=found.spending and found.spending.map(turned),
        options={name: tones.map(turned) for name, tones in found.options.items()},
        helps={id: tones.map(turned) for id, tones in found.helps.items()},
        wins=frozenset(map(turned, found.wins)),
    )


# Odds and advice by fact and wish.


def chances(state: State, roll: Roll, member: Member, up_to: int = 20) -> dict[str, Distribution[Any]]:
    """The odds of each fact of a roll; with hidden inputs, only of facts that these do not affect."""
    basis = Basis(state, roll)
    kind = basis.kind
    refuse_unseen_kept(basis, member)
    if roll.hidden and member.role != GM:
        return _unaffected(basis, up_to)
    ask = thaw(kind, roll.ask) if roll.ask is not None else basis.ask
    if roll.reopened and roll.undone.dice:
        return _with_kept(basis, ask, up_to)
    return all_odds(kind.series.whole(ask) if kind.series else ask, up_to=up_to)


def _with_kept(basis: Basis, ask: Ask, up_to: int) -> dict[str, Distribution[Any]]:
    """The odds of each fact of an undone roll, whose dice are kept; of a long task, those of the roll alone are not."""
    if basis.kind.series:
        raise Illegal(KEPT_TASK)
    return results_odds(basis.kind, ask, kept_results(basis, ask, up_to=up_to), up_to)


def _unaffected(basis: Basis, up_to: int) -> dict[str, Distribution[Any]]:
    """Odds that are the same whatever the hidden inputs are, so that they tell nothing about them."""
    asks, found = guesses(basis), {}
    for name in facts_of(basis.kind) if len(asks) > 1 else ():
        first, *others = [_odds_of(basis, ask, name, up_to) for ask in asks]
        if first is not None and all(first == other for other in others):
            found[name] = first
    if not found:
        raise Unknown("What is hidden has a bearing on every chance; ask the GM.")
    return found


def _odds_of(basis: Basis, ask: Ask, name: str, up_to: int) -> Distribution[Any] | None:
    try:
        if basis.roll.reopened and basis.roll.undone.dice:
            return _with_kept(basis, ask, up_to).get(name)
        return odds(ask, name, up_to=up_to)
    except Refusal:
        return None


def advice(state: State, roll: Roll, member: Member, wish: str = "", up_to: int = 20) -> Advice:
    """How each answer to the open choice would change the chances."""
    basis = Basis(state, roll)
    return advise(_weighed_node(basis, member), wish_of(basis.kind, wish), up_to)


def every_advice(state: State, roll: Roll, member: Member) -> list[Advice]:
    """The same for each wish of whose choice it is."""
    basis = Basis(state, roll)
    node = _weighed_node(basis, member)
    wishes = wishes_for(basis.kind, node) if isinstance(node, Choice) else [wish_of(basis.kind)]
    return [advise(node, wish) for wish in wishes]


def _weighed_node(basis: Basis, member: Member) -> Node[Any]:
    """The node that a roll waits for, if this member may know all that bears on it."""
    if not _sees_all(basis, member):
        raise Unknown("What is hidden has a bearing on every answer; ask the GM.")
    if basis.roll.ask is None:
        raise Illegal("Advice is about a choice, and no die is thrown yet.")
    if basis.roll.over:
        raise Illegal("Nothing is left to decide here: the roll is settled.")
    return rest_of(basis)
