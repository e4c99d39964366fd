"""Luck: how good the dice were, as an exact percentile of what the same throws could have given.

Each throw has a number of good things (the game says what) and an exact distribution of
it. Their sum's distribution is a product of polynomials, packed into whole numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

from astragal.dice.dice import Dice
from astragal.dice.distribution import Distribution
from astragal.dice.reading import Tally
from astragal.dice.solver import tally_odds
from astragal.rule.game import Kind
from astragal.rule.play import ThrowStep
from astragal.rule.solve import reading_odds
from astragal.table import event as e
from astragal.table.access import may_see
from astragal.table.entry import Entry
from astragal.table.rolls.ask import thaw
from astragal.table.rolls.playback import replayed
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State

MOST_THROWS = 100
"""The latest throws that are counted: the numbers grow with the square of it."""


class Luck(NamedTuple):
    """How many throws, what they gave, what they give on average, and the percentile of it."""

    who: str
    throws: int
    total: int
    mean: Fraction
    percentile: Fraction


class LuckThrow(NamedTuple):
    """One throw of somebody's: what it gave, and the throw that it was."""

    who: str
    value: int
    thrown: ThrowStep
    kind: str


def luck_of(entries: Iterable[Entry], state: State, member: Member | None) -> list[Luck]:
    """Everybody's luck, for characters and for members, in what this seat may see; undone rolls do not count."""
    casts: dict[str, list[LuckThrow]] = {}
    for participants in throws_of(entries, state, member):
        casts.setdefault(participants.who, []).append(participants)
        kept = state.world.holders.get(participants.who)
        if kept and kept.owner:
            casts.setdefault(kept.owner, []).append(participants)
    return [_luck(who, thrown[-MOST_THROWS:], state) for who, thrown in casts.items()]


class _Rolling:
    """What is known of a roll while the log is read."""

    def __init__(self, opened: e.Opened) -> None:
        self.opened = opened
        self.ask: dict[str, Any] | None = None
        self.steps: list[dict[str, Any]] = []


def throws_of(entries: Iterable[Entry], state: State, member: Member | None) -> Iterator[LuckThrow]:
    """Every throw in the log that matters to luck and that this seat may see whole."""
    rolls: dict[str, _Rolling] = {}
    for entry in entries:
        if entry.id in state.struck:
            continue
        for event in entry.events:
            if not may_see(member, event.audience):
                continue
            if isinstance(event, e.Opened):
                rolls[event.roll] = _Rolling(event)
            elif isinstance(event, e.Asked) and event.roll in rolls:
                rolls[event.roll].ask = event.ask
            elif isinstance(event, (e.Thrown, e.Answered)) and event.roll in rolls:
                step = {"faces": event.faces} if isinstance(event, e.Thrown) else {event.choice: event.answer}
                rolls[event.roll].steps.append(step)
    for roll in rolls.values():
        if roll.ask is not None and roll.steps:
            yield from _casts(roll, state)


def _casts(roll: _Rolling, state: State) -> Iterator[LuckThrow]:
    ruleset = ruleset_of(state.game)
    kind: Kind = ruleset.game.kind(roll.opened.kind)
    played = replayed(kind, thaw(kind, roll.ask or {}), roll.steps)
    sides = {"who": roll.opened.who or roll.opened.by, "against": roll.opened.against}
    sides |= {f"helper {place}": id for place, id in enumerate(roll.opened.helpers, 1)}
    for step in played.steps:
        if isinstance(step, ThrowStep):
            value = ruleset.table_rules.luck(kind.name, step.throw.reading.read(step.faces))
            who = sides.get(ruleset.table_rules.thrower(kind.name, step.throw.title), "")
            if value is not None and who:
                yield LuckThrow(who, value, step, kind.name)


Chances = tuple[tuple[tuple[int, int], ...], int]
"""Weights by value, and the denominator; values beyond the total asked for may be taken together."""


def _luck(who: str, casts: list[LuckThrow], state: State) -> Luck:
    total = sum(participants.value for participants in casts)
    luck = ruleset_of(state.game).table_rules.luck
    tallies = [
        participants
        for participants in casts
        if isinstance(participants.thrown.throw.reading, Tally) and luck(participants.kind, 1) == 1
    ]
    others = Counter(_chances(participants, state) for participants in casts if participants not in tallies)
    together = [_together(counting, pool, max(total, 0)) for counting, pool in _pools(tallies).items()]
    mean = sum((odds.mean for odds in together), Fraction(0)) + sum(_mean(chances) * n for chances, n in others.items())
    chances = others + Counter((tuple(odds.weights.items()), odds.total) for odds in together)
    return Luck(who, len(casts), total, mean, percentile(chances, total))


def _pools(tallies: list[LuckThrow]) -> dict[frozenset[int], Counter[Dice]]:
    """Dice that are counted the same way are one pool, whenever they were thrown: that makes long evenings cheap."""
    pools: dict[frozenset[int], Counter[Dice]] = {}
    for participants in tallies:
        throw = participants.thrown.throw
        for dice in throw.pool:
            pools.setdefault(throw.reading.counting, Counter())[dice._replace(n=1, name="")] += dice.n  # type: ignore[attr-defined]
    return pools


def _together(counting: frozenset[int], pool: Counter[Dice], up_to: int) -> Distribution[Any]:
    return tally_odds(counting, tuple(dice._replace(n=n) for dice, n in pool.items()), up_to)


def _chances(participants: LuckThrow, state: State) -> Chances:
    odds = reading_odds(participants.thrown.throw, 0)
    luck = ruleset_of(state.game).table_rules.luck
    weights: Counter[int] = Counter()
    for value, weight in odds.weights.items():
        weights[luck(participants.kind, value) or 0] += weight
    return tuple(sorted(weights.items())), odds.total


def _mean(chances: Chances) -> Fraction:
    weights, whole = chances
    return Fraction(sum(value * weight for value, weight in weights), whole)


def percentile(chances: Counter[Chances], total: int) -> Fraction:
    """The chance of less than this total, and half the chance of just this."""
    lowest = sum(weights[0][0] * n for (weights, _), n in chances.items())
    denominator = prod(whole**n for (_, whole), n in chances.items())
    slot = 8 * (denominator.bit_length() // 8 + 1)
    packed = prod(_packed(weights, slot) ** n for (weights, _), n in chances.items())
    place = total - lowest
    below = _sum_of_slots(packed & ((1 << slot * place) - 1), slot)
    just = packed >> slot * place & ((1 << slot) - 1)
    return Fraction(2 * below + just, 2 * denominator)


def _packed(weights: tuple[tuple[int, int], ...], slot: int) -> int:
    lowest = weights[0][0]
    return sum(weight << slot * (value - lowest) for value, weight in weights)


def _sum_of_slots(packed: int, slot: int) -> int:
    """All slots added up; they are whole bytes wide, so that none needs to be shifted."""
    width = slot // 8
    text = packed.to_bytes((packed.bit_length() + 7) // 8, "little")
    return sum(int.from_bytes(text[at : at + width], "little") for at in range(0, len(text), width))
