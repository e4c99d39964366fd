"""Rolls of the same law that are added up until they reach a target: long tasks.

With F the generating function of a roll, the total of r rolls has F^r. Where the law is not a single series, or a
roll that is not 0 counts extra, the totals below the target are added up roll by roll.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from operator import mul
from typing import Any

from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.solver.endless.mixed import Mixed
from astragal.dice.solver.packed import common_multiple
from astragal.dice.solver.series import Series


class Repeated:
    """Up to ``most`` rolls of a law until they reach a target; each roll that is not 0 counts ``extra`` more."""

    def __init__(self, law: Mixed, target: int, most: int, extra: int = 0) -> None:
        self.most = most
        self._target = target
        parts = law.parts
        alone = parts[0][1] if len(parts) == 1 and parts[0][0] == law.total else None
        self.chance: Callable[[int], Fraction] = (
            self._added_up(law, extra) if alone is None or extra else partial(self._of_power, alone)
        )
        """``chance(n)`` is the chance that n rolls, of ``most`` or fewer, come to the target."""

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

    def _added_up(self, law: Mixed, extra: int) -> Callable[[int], Fraction]:
        """The totals below the target after each roll, as convolutions."""
        last = self._target - 1
        (nothing, *more), total = law.coefficients(last)
        back = [nothing, *[0] * extra, *more][last::-1]
        sums, below = [1] + [0] * last, [1]
        for _ in range(self.most):
            sums = [sum(map(mul, sums, back[last - k :])) for k in range(last + 1)]
            below.append(sum(sums))
        return lambda rolls: 1 - Fraction(below[rolls], total**rolls)
