"""Rolls of the same law that are added up until they come to a target: long tasks.

With F the generating function of a roll, the total of r rolls has F^r. Where a roll that is not 0 counts e more, p is
its chance of 0, and it is p·(1 − x^e) + x^e·F; so of r rolls the part with F^j is

    C(r, j) · (p·(1 − x^e))^(r − j) · x^(ej) · F^j

Powers of a weighted sum of series are added up roll by roll, as far as the target.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import Any

from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.solver.endless.mixed import Mixed
from astragal.dice.solver.packed import common_multiple
from astragal.dice.solver.series import Series


class Repeated:
    """Up to ``most`` rolls of a law, of which each that is not 0 counts ``extra`` more, until they come to a target."""

    def __init__(self, law: Mixed, target: int, most: int, extra: int = 0) -> None:
        self.most = most
        self._target = target
        self._extra = extra
        parts = law.parts
        alone = parts[0][1] if len(parts) == 1 and parts[0][0] == law.total else None
        self.chance: Callable[[int], Fraction]
        """``chance(n)`` is the chance that n rolls, of ``most`` or fewer, come to the target."""
        if alone is None:
            self.chance = self._added_up(law)
        else:
            self.chance = self._with_extra(alone) if extra else lambda rolls: self._of_power(alone, rolls)

    def rolls(self, before: int = 0) -> Distribution[Any]:
        """Return after how many rolls the target is reached; ``before`` were made earlier."""
        done = [Fraction(0), *(self.chance(rolls) for rolls in range(1, self.most + 1))]
        total = common_multiple(chance.denominator for chance in done)
        weights: dict[Any, int] = {
            before + rolls: int((done[rolls] - done[rolls - 1]) * total) for rolls in range(1, len(done))
        }
        weights[Beyond(before + self.most)] = total - int(done[-1] * total)
        return Distribution(weights, total)

    def reached(self, reached: str, missed: str) -> Distribution[str]:
        """Return whether the target is reached at all, in these words."""
        done = self.chance(self.most)
        return Distribution({reached: done.numerator, missed: done.denominator - done.numerator}, done.denominator)

    def _of_power(self, series: Series, rolls: int) -> Fraction:
        weights, total = series.raised(rolls).weights(self._target - 1)
        return 1 - Fraction(sum(weights), total)

    def _added_up(self, law: Mixed) -> Callable[[int], Fraction]:
        weights, total = law.coefficients(self._target - 1)
        counts = ((k + self._extra if k else 0, ways) for k, ways in enumerate(weights))
        one = {k: ways for k, ways in counts if k < self._target}
        sums, below = {0: 1}, [1]
        for _ in range(self.most):
            after: dict[int, int] = {}
            for value, ways in sums.items():
                for more, inner in one.items():
                    if value + more < self._target:
                        after[value + more] = after.get(value + more, 0) + ways * inner
            sums = after
            below.append(sum(sums.values()))
        return lambda rolls: 1 - Fraction(below[rolls], total**rolls)

    def _with_extra(self, series: Series) -> Callable[[int], Fraction]:
        last, extra = self._target - 1, self._extra
        (nothing,), every = series.weights(0)
        cumulated = []
        for j in range(min(self.most, last // extra) + 1):
            weights, total = series.raised(j).weights(last - extra * j)
            cumulated.append((list(accumulate(weights)), total))

        def chance(rolls: int) -> Fraction:
            common = common_multiple(
                total * every ** (rolls - j) for j, (_, total) in enumerate(cumulated[: rolls + 1])
            )
            below = 0
            for j, (sums, total) in enumerate(cumulated[: rolls + 1]):
                fewer = range(min(rolls - j, (len(sums) - 1) // extra) + 1)
                ways = sum((-1) ** i * comb(rolls - j, i) * sums[-1 - extra * i] for i in fewer)
                below += ways * comb(rolls, j) * nothing ** (rolls - j) * (common // (total * every ** (rolls - j)))
            return 1 - Fraction(below, common)

        return chance
