"""AnyDice's own functions. Those on dice are solved as a whole, not throw by throw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from astragal.anydice.functions import ByValue, every_roll, taken_as
from astragal.anydice.operators import kept
from astragal.anydice.values import EMPTY, Name, Pool, State, Value, die_of, mixed
from astragal.dice.solver.sums import Group, sum_odds


class Native(NamedTuple):
    """A function of AnyDice's own: the types of its parameters, and what it does."""

    types: tuple[str, ...]
    do: Callable[..., Value]

    def call(self, state: State, arguments: Sequence[Value], _nested: int) -> Value:
        """Return the result, mixed from those for every roll if an argument is rolled for it."""
        taken = [taken_as(kind, each, state.highest_first) for kind, each in zip(self.types, arguments, strict=True)]
        if not any(isinstance(each, ByValue) for each in taken):
            return self.do(state, *taken)
        results: list[tuple[int, Value]] = []
        for roll, weight in every_roll(taken):
            results.append((weight, self.do(state, *roll)))
        return mixed(results)


def _contains(state: State, sequence: Value, number: int) -> Value:
    if isinstance(sequence, Pool):
        total = sum(sequence.die.values())
        without = (total - sequence.die.get(number, 0)) ** sequence.n
        every = total**sequence.n
        weights = {0: without, 1: every - without}
        return die_of({value: weight for value, weight in weights.items() if weight}) if sequence else EMPTY
    return int(number in (sequence if isinstance(sequence, tuple) else (sequence,)))


def _count(_: State, values: tuple[int, ...], sequence: Value) -> Value:
    if isinstance(sequence, Pool):
        if not sequence:
            return EMPTY
        counts: dict[int, int] = {}
        for value, weight in sequence.die.items():
            counts[values.count(value)] = counts.get(values.count(value), 0) + weight
        return die_of(sum_odds([(sequence.n, counts)]).weights)
    listed = sequence if isinstance(sequence, tuple) else (sequence,)
    return sum([values.count(each) for each in listed])


def _explode(state: State, pool: Pool) -> Value:
    """The die, rolled again and added for its highest value, up to ``explode_depth`` times."""
    if not pool:
        return EMPTY
    die = pool.sum
    top, total = max(die), sum(die.values())
    found, so_far = dict(die), total
    for _ in range(state.explode_depth):
        again = {value + top: weight * die[top] for value, weight in found.items()}
        for value, weight in die.items():
            if value != top:
                again[value] = again.get(value, 0) + weight * so_far
        found, so_far = again, so_far * total
    return die_of(found)


def _groups(pools: Sequence[Pool]) -> list[Group]:
    return [(pool.n, pool.die) for pool in pools if pool]


def _highest(_: State, keep: int, *pools: Pool) -> Value:
    return kept(_groups(pools), keep) if any(pools) else EMPTY


def _lowest(_: State, keep: int, *pools: Pool) -> Value:
    return kept(_groups(pools), keep, best=False) if any(pools) else EMPTY


def _middle(_: State, keep: int, pool: Pool) -> Value:
    if not pool:
        return EMPTY
    return kept([(pool.n, pool.die)], keep, skip=max(pool.n - keep, 0) // 2)


LIBRARY: dict[Name, Native] = {
    tuple(["" if word.isupper() else word for word in name.split()]): Native(tuple(map(str.strip, types)), do)
    for name, types, do in (
        ("absolute N", "n", lambda _, number: abs(number)),
        ("S contains N", " n", _contains),
        ("count S in S", "s ", _count),
        ("explode D", "d", _explode),
        ("highest of N and N", "nn", lambda _, one, other: max(one, other)),
        ("lowest of N and N", "nn", lambda _, one, other: min(one, other)),
        ("highest N of D", "nd", _highest),
        ("lowest N of D", "nd", _lowest),
        ("middle N of D", "nd", _middle),
        ("highest N of D and D", "ndd", _highest),
        ("lowest N of D and D", "ndd", _lowest),
        ("highest N of D and D and D", "nddd", _highest),
        ("lowest N of D and D and D", "nddd", _lowest),
        ("maximum of D", "d", lambda _, pool: pool.n * max(pool.die) if pool else 0),
        ("reverse S", "s", lambda _, sequence: sequence[::-1]),
        ("sort S", "s", lambda state, sequence: tuple(sorted(sequence, reverse=state.highest_first))),
    )
}
