"""Luck: how good the dice were, as an exact percentile of what the same throws could have given.

Each throw has a number of good things (the game says what) and an exact distribution of
it. Their sum's distribution is a product of polynomials, packed into whole numbers.

Only the rules can say what a throw could have given. A throw that today's rules read otherwise
than it was read then is left out and counted.
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
from astragal.dice.solver.readings import tally_odds
from astragal.errors import Refusal
from astragal.rule.play import ThrowStep
from astragal.rule.solve import reading_odds
from astragal.table import event as e
from astragal.table.access import may_see
from astragal.table.entry import Entry
from astragal.table.fold import fold_roll, opened_roll
from astragal.table.rolls.ask import thaw
from astragal.table.rolls.playback import BREAKS, dice_told, id_in_role, luck_value, replayed, same_dice
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State

MOST_THROWS = 100
"""Throws that are counted, the latest ones; the size of the numbers grows with its square."""


class Luck(NamedTuple):
    """How many throws, what they gave, what they give on average, and the percentile of that."""

    who: str
    throws: int
    total: int
    mean: Fraction
    percentile: Fraction


class LuckReport(NamedTuple):
    """Everybody's luck, and how many throws are left out because the rules have changed."""

    luck: list[Luck]
    left_out: int = 0


class LuckThrow(NamedTuple):
    """One throw: who made it, what it gave, and the dice and reading."""

    who: str
    value: int
    thrown: ThrowStep
    kind: str


def luck_of(entries: Iterable[Entry], state: State, member: Member | None) -> LuckReport:
    """Everybody's luck, for characters and for members, in what this seat may see; undone rolls do not count."""
    throws: dict[str, list[LuckThrow]] = {}
    left_out = 0
    for throw in throws_of(entries, state, member):
        if throw is None:
            left_out += 1
            continue
        throws.setdefault(throw.who, []).append(throw)
        holder = state.world.holders.get(throw.who)
        if holder and holder.owner:
            throws.setdefault(holder.owner, []).append(throw)
    return LuckReport([_luck(who, thrown[-MOST_THROWS:], state) for who, thrown in throws.items()], left_out)


class _SeenRoll:
    """What a seat knows of a roll while the log is read."""

    def __init__(self, opened: e.Opened) -> None:
        self.roll = opened_roll(opened)
        self.thrown: list[e.Thrown] = []
        self.dice: list[list[e.DieTold]] = []
        """The dice of each throw, with what they did."""
        self.valued: list[bool] = []
        """Whether its value is stored: not if it was hidden, or if the rules had changed before it was completed."""

    def read(self, event: e.Event) -> None:
        """Read the next event about the roll."""
        if isinstance(event, e.Thrown):
            self.thrown.append(event)
            self.dice.append(event.dice)
            self.valued.append(bool(event.by))
        elif isinstance(event, e.Told) and event.dice:
            self.dice[-len(event.dice) :] = event.dice
            self.valued[-len(event.dice) :] = [False] * len(event.dice)
        if isinstance(event, (e.Asked, e.Thrown, e.Answered)):
            self.roll = fold_roll(self.roll, event)


def throws_of(entries: Iterable[Entry], state: State, member: Member | None) -> Iterator[LuckThrow | None]:
    """Every throw that counts for luck and that this seat may see in full; None for one that is left out."""
    rolls: dict[str, _SeenRoll] = {}
    for entry in entries:
        if entry.id in state.struck:
            continue
        for event in entry.events:
            if not may_see(member, event.audience):
                continue
            if isinstance(event, e.Opened):
                rolls[event.roll] = _SeenRoll(event)
            elif isinstance(event, (e.Asked, e.Thrown, e.Answered, e.Told)) and event.roll in rolls:
                rolls[event.roll].read(event)
    for seen in rolls.values():
        if seen.roll.ask is not None and seen.thrown:
            yield from _throws(seen, state)


def _throws(seen: _SeenRoll, state: State) -> Iterator[LuckThrow | None]:
    ruleset, roll = ruleset_of(state.game), seen.roll
    try:
        kind = ruleset.game.kind(roll.kind)
        played = replayed(kind, thaw(kind, roll.ask or {}), roll.steps)
        steps = [step for step in played.steps if isinstance(step, ThrowStep)]
        values = [luck_value(ruleset, roll.kind, step) for step in steps]
        told = [dice_told(step.throw.tell(step.faces).dice) for step in steps]
    except (Refusal, *BREAKS):
        yield from (
            None
            for event, valued in zip(seen.thrown, seen.valued, strict=True)
            if event.value is not None or not valued
        )
        return
    for place, (event, step, value) in enumerate(zip(seen.thrown, steps, values, strict=False)):
        if not same_dice(seen.dice[place], told[place]) or (seen.valued[place] and value != event.value):
            yield None
        elif value is not None and (who := event.by or id_in_role(roll, step.throw.by)):
            yield LuckThrow(who, value, step, roll.kind)


Chances = tuple[tuple[tuple[int, int], ...], int]
"""Weights by value, and the denominator; values beyond the wanted total may be merged."""


def _luck(who: str, throws: list[LuckThrow], state: State) -> Luck:
    total = sum(throw.value for throw in throws)
    luck = ruleset_of(state.game).table_rules.luck
    tallies = [throw for throw in throws if isinstance(throw.thrown.throw.reading, Tally) and luck(throw.kind, 1) == 1]
    others = Counter(_chances(throw, state) for throw in throws if throw not in tallies)
    together = [_together(counting, pool, max(total, 0)) for counting, pool in _pools(tallies).items()]
    mean = sum((odds.mean for odds in together), Fraction(0)) + sum(_mean(chances) * n for chances, n in others.items())
    chances = others + Counter((tuple(odds.weights.items()), odds.total) for odds in together)
    return Luck(who, len(throws), total, mean, percentile(chances, total))


def _pools(tallies: list[LuckThrow]) -> dict[frozenset[int], Counter[Dice]]:
    """Dice that are counted the same way, merged into one pool, so that a long log stays cheap."""
    pools: dict[frozenset[int], Counter[Dice]] = {}
    for tally in tallies:
        throw = tally.thrown.throw
        for dice in throw.pool:
            pools.setdefault(throw.reading.counting, Counter())[dice._replace(n=1, name="")] += dice.n  # type: ignore[attr-defined]
    return pools


def _together(counting: frozenset[int], pool: Counter[Dice], up_to: int) -> Distribution[Any]:
    return tally_odds(counting, tuple(dice._replace(n=n) for dice, n in pool.items()), up_to)


def _chances(throw: LuckThrow, state: State) -> Chances:
    odds = reading_odds(throw.thrown.throw, 0)
    luck = ruleset_of(state.game).table_rules.luck
    weights: Counter[int] = Counter()
    for value, weight in odds.weights.items():
        weights[luck(throw.kind, value) or 0] += weight
    return tuple(sorted(weights.items())), odds.total


def _mean(chances: Chances) -> Fraction:
    weights, whole = chances
    return Fraction(sum(value * weight for value, weight in weights), whole)


def percentile(chances: Counter[Chances], total: int) -> Fraction:
    """The chance of less than this total, plus half the chance of exactly this."""
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
    """The sum of all slots; they are whole bytes wide, so none needs to be shifted."""
    width = slot // 8
    text = packed.to_bytes((packed.bit_length() + 7) // 8, "little")
    return sum(int.from_bytes(text[at : at + width], "little") for at in range(0, len(text), width))
