"""Exact odds of a single die of a term: after its rerolls, and with the dice that it earns by exploding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import neg
from typing import Any, NamedTuple

from astragal.dice.distribution import Distribution, added_up, changed_weights
from astragal.dice.solver.series import Series, trimmed
from astragal.errors import Illegal
from astragal.notation.endless import Endless
from astragal.notation.odds.law import Law
from astragal.notation.term import DiceTerm
from astragal.notation.throw import law_of

Weights = dict[Any, int]
"""Values with their weights."""


UNCHANGED = DiceTerm(1, 1)[2:-1]
"""All of a term between its sides and what is picked, if its dice are thrown once and show what they show."""


class ChainOdds(NamedTuple):
    """A die that may explode: the weights of the values where it stops and where it continues, out of ``total``.

    ``times`` limits how often it continues; 0 means without end. Every later die counts ``less`` less; ``later`` has
    the weights of later dice if they differ in more than that.
    """

    stay: Weights
    go: Weights
    total: int
    times: int = 0
    less: int = 0
    later: tuple[Weights, Weights] | None = None

    @property
    def next(self) -> tuple[Weights, Weights]:
        """The weights of the values where a later die stops and where it continues."""
        return self.later or (_shifted(self.stay, -self.less), _shifted(self.go, -self.less))

    @property
    def endless(self) -> bool:
        """True if it can go on without end."""
        return bool(self.go) and not self.times

    def scored(self, score: Callable[[Any], int]) -> ChainOdds:
        """Return the same die, counting the score of each of its values."""
        stay, go, *later = [changed_weights(weights, score) for weights in (self.stay, self.go, *self.next)]
        return self._replace(stay=stay, go=go, later=(later[0], later[1]))


def chain_odds(term: DiceTerm) -> ChainOdds:
    """Return the odds of one of the term's dice, as it is after rerolls."""
    assert isinstance(term.sides, int)
    if term[2:-1] == UNCHANGED:
        return ChainOdds(dict.fromkeys(range(1, term.sides + 1), 1), {}, term.sides)
    law = law_of(term)
    sides, again = term.sides, len(law.reroll)
    rerolls = law.rerolls if law.reroll else 0
    stays = sum(again**k * sides ** (rerolls - k) for k in range(rerolls + 1))
    stay: Weights = {}
    go: Weights = {}
    total = 0
    for face, value in enumerate(term.values(), 1):
        weight = stays
        if face in law.reroll:
            weight = again**rerolls if rerolls else 0
        if not weight:
            continue
        kind = go if face in law.explode else stay
        counted = value if isinstance(value, str) else term.limited(value)
        kind[counted] = kind.get(counted, 0) + weight
        total += weight
    less = int(bool(term.explode and term.explode.penetrate))
    return ChainOdds(stay, go, total, law.explosions if law.explode else 0, less)


def joined_odds(chain: ChainOdds) -> Law:
    """Return the odds of what a die and all the dice that it earns add up to."""
    if not chain.go:
        return Distribution(chain.stay, chain.total)
    if not chain.times:
        return _joined_endless(chain)
    # At most ``times`` dice more: from the last one back to the first.
    stay, go = chain.next
    later, total = either(stay, go), chain.total
    for _ in range(chain.times - 1):
        later, total = either(_times(stay, total), _product(go, later)), total * chain.total
    return Distribution(either(_times(chain.stay, total), _product(chain.go, later)), total * chain.total)


def either(left: Weights, right: Weights) -> Weights:
    """Return the weights of two kinds of cases together."""
    return added_up((*left.items(), *right.items()))


def _shifted(weights: Weights, by: int) -> Weights:
    return {value + by: weight for value, weight in weights.items()}


def _joined_endless(chain: ChainOdds) -> Endless:
    """With stay S, go G and total T the generating function is S / (T − G).

    If later dice count less, it is that function after the first die: (S·(T − G') + G·S') / T·(T − G').
    """
    later_stay, later_go = chain.next
    low, high = min([*chain.go, *later_go]), max([*chain.go, *later_go])
    if low < 0 and high > 0:
        raise Illegal("Some dice that go on add and some subtract; without end in both directions there are no odds.")
    if high <= 0 and low < 0:
        return -_joined_endless(chain.scored(neg))
    if (later_stay, later_go) == (chain.stay, chain.go):
        below = either({0: chain.total}, _times(chain.go, -1))
        return _ratio(chain.stay, below)
    below = either({0: chain.total}, _times(later_go, -1))
    above = either(_product(chain.stay, below), _product(chain.go, later_stay))
    return _ratio(above, _times(below, chain.total))


def _times(weights: Weights, by: int) -> Weights:
    return {value: weight * by for value, weight in weights.items()}


def _product(left: Weights, right: Weights) -> Weights:
    return added_up((value + other, weight * ways) for value, weight in left.items() for other, ways in right.items())


def _ratio(above: Mapping[int, int], below: Mapping[int, int]) -> Endless:
    shift = min(value for value, weight in above.items() if weight)
    ratio = trimmed(_polynomial(above, shift), _polynomial(below, 0))
    return Endless(Series.of(ratio, 1), shift)


def _polynomial(weights: Mapping[int, int], shift: int) -> tuple[int, ...]:
    return tuple(weights.get(power + shift, 0) for power in range(max(weights) - shift + 1))
