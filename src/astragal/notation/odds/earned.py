"""Exact odds of exploding dice that are kept, dropped or matched one by one.

Of ``n`` dice that go on with chance G/T, the ``n`` dice that stay and the g dice that went on are independent; there
are C(n − 1 + g, g) orders, and any g is possible. A window of ranks from one end needs only finitely many dice: the
rest is summed up as 1/(1 − q)^(n + g). Where one die of each value is as good as many, it only matters with which
values dice went on: with none but those in A, of weight G(A), in (S / (T − G(A)))^n of all cases. Otherwise a larger g
gives larger values: up to a bound finitely many matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb, factorial, prod
from typing import Any

from astragal.dice.distribution import Beyond, Distribution, added_up, chained, of_chances
from astragal.dice.estimates import refuse_throws
from astragal.errors import Illegal
from astragal.notation.odds.die import ChainOdds, either
from astragal.notation.odds.pools import Kind, Stages, Window, pick_odds, stages_of
from astragal.notation.term import Pick

GROWS = {"widest": 1, "pairs": 2}
"""Patterns whose value grows with the number of equal dice: one more for each of these."""
SATURATES = {"doubles": 2, "distinct": 1, "straight": 1, "matches": 2}
"""Patterns for which this number of equal dice is as good as any larger one."""


def earned_odds(chain: ChainOdds, n: int, pick: Pick, up_to: int) -> Distribution[Any]:
    """Return the odds of a pick from exploding dice, where each earned die is a die of its own."""
    if chain.times:
        return mixed_cases(_times_cases(chain, n), pick)
    if not n:
        return pick_odds([], pick)
    if chain.less:
        most, grows = _most(chain, n, pick, up_to)
        return mixed_cases(_endless_cases(chain, n, most, grows), pick, up_to if grows else None)
    # One die of each value may be as good as many.
    if pick.keeps[0].kind == "unique" if pick.keeps else pick.pattern in ("distinct", "straight"):
        return _by_values(chain, n, pick)
    if not pick.pattern:
        stages = bounded(pick, n)
        if stages is not None:
            return _swept(chain, n, stages, pick)
    return _by_number(chain, n, pick, up_to)


def bounded(pick: Pick, n: int) -> Stages | None:
    """Return the window of ranks that is kept of ``n`` dice or more, if it needs finitely many dice from one end."""
    keeps = list(pick.keeps)
    if any(keep.test is not None or keep.kind == "unique" for keep in keeps):
        return None
    for place, keep in enumerate(keeps):
        if keep.kind in ("kh", "kl") and keep.n <= n - sum(k.n for k in keeps[:place] if k.kind in ("dh", "dl")):
            # From here on the number of dice is known: the rest is a window inside of these.
            top = keep.kind == "kh"
            if any((k.kind in ("kh", "dh")) != top for k in keeps[:place]):
                return None
            start = sum(k.n for k in keeps[:place])
            inner = stages_of(keeps[place + 1 :], keep.n)
            window = inner.stages[0] if inner and inner.stages else Window(0, keep.n)
            assert isinstance(window, Window)
            end = keep.n if window.end is None else window.end
            first, last = (window.start, end) if top else (keep.n - end, keep.n - window.start)
            return Stages((Window(start + first, start + last),), top)
    stages = stages_of(keeps, None)
    return _one_window(stages) if stages is not None else None


def _one_window(stages: Stages) -> Stages | None:
    """Windows from the same end as one; None if it has no end."""
    first = 0
    last: int | None = None
    for stage in stages.stages:
        assert isinstance(stage, Window)
        end = None if stage.end is None else first + stage.end
        first += stage.start
        last = end if last is None else last if end is None else min(last, end)
    return None if last is None else Stages((Window(first, last),), stages.downwards)


def _swept(chain: ChainOdds, n: int, stages: Stages, pick: Pick) -> Distribution[Any]:
    """Go through the values from one end until the window is full; the dice after it may be any."""
    (window,) = stages.stages
    assert isinstance(window, Window)
    assert window.end is not None
    score = pick.score if pick.scores else (lambda value: value)
    sweep = _Sweep(chain, n, window.start, window.end, score)
    values = sorted({*chain.stay, *chain.go}, reverse=stages.downwards)
    states: dict[tuple[int, int, int], Fraction] = {(0, 0, 0): Fraction(1)}
    found: dict[int, Fraction] = {}
    for value in values:
        states = sweep.step(states, value, found)
    for (earned, stayed, points), ways in states.items():
        if stayed == n:
            found[points] = found.get(points, Fraction(0)) + ways * sweep.rest(earned, stayed)
    return of_chances(found)


class _Sweep:
    """One sweep: what is left of the dice that stay and that go on, below the values that have been seen."""

    def __init__(self, chain: ChainOdds, n: int, start: int, end: int, score: Any) -> None:
        self.chain, self.n, self.start, self.end, self.score = chain, n, start, end, score
        self.stay_left = Fraction(sum(chain.stay.values()), chain.total)
        self.go_left = Fraction(sum(chain.go.values()), chain.total)

    def rest(self, earned: int, stayed: int) -> Fraction:
        """The weight of all that can follow, apart from orders of what has been seen."""
        ahead = Fraction(factorial(self.n - 1 + earned), factorial(self.n - 1))
        return ahead * self.stay_left ** (self.n - stayed) / (1 - self.go_left) ** (self.n + earned)

    def step(
        self, states: dict[tuple[int, int, int], Fraction], value: Any, found: dict[int, Fraction]
    ) -> dict[tuple[int, int, int], Fraction]:
        """Count the dice that show a value; throws that fill the window are done."""
        stay = Fraction(self.chain.stay.get(value, 0), self.chain.total)
        go = Fraction(self.chain.go.get(value, 0), self.chain.total)
        whole = {(earned, stayed): self.rest(earned, stayed) for earned, stayed, _ in states}
        self.stay_left -= stay
        self.go_left -= go
        after: dict[tuple[int, int, int], Fraction] = {}
        for (earned, stayed, points), ways in states.items():
            missing = self.end - earned - stayed
            filled = whole[earned, stayed]
            for more in range(missing):
                for stays in range(min(more, self.n - stayed) + 1):
                    goes = more - stays
                    weight = comb(self.n - stayed, stays) * stay**stays * go**goes / factorial(goes)
                    if not weight:
                        continue
                    key = earned + goes, stayed + stays
                    filled -= weight * self.rest(*key)
                    state = (*key, points + self._points(earned + stayed, more, value))
                    after[state] = after.get(state, Fraction(0)) + ways * weight
            if filled:
                done = points + self._points(earned + stayed, missing, value)
                found[done] = found.get(done, Fraction(0)) + ways * filled
        return after

    def _points(self, seen: int, count: int, value: Any) -> int:
        kept = max(min(seen + count, self.end) - max(seen, self.start), 0)
        return kept * int(self.score(value)) if kept else 0


def _by_values(chain: ChainOdds, n: int, pick: Pick) -> Distribution[Any]:
    """Add up over the values with which dice went on: sums over all sets, from those over their subsets."""
    values = sorted(chain.go)
    refuse_throws(2 ** len(values), "sets of values")
    stay = sum(chain.stay.values())
    sets: list[frozenset[Any]] = [frozenset()]
    for value in values:
        sets += [found | {value} for found in sets]
    chances = [Fraction(stay, chain.total - sum(chain.go[value] for value in found)) ** n for found in sets]
    for place in range(len(values)):
        chances = [chance - chances[k - (1 << place)] if k >> place & 1 else chance for k, chance in enumerate(chances)]
    cases = [
        (chance, [Kind(n, chain.stay), *(Kind(1, {value: 1}) for value in sorted(gone))])
        for gone, chance in zip(sets, chances, strict=True)
    ]
    return mixed_cases(cases, pick)


def _by_number(chain: ChainOdds, n: int, pick: Pick, up_to: int) -> Distribution[Any]:
    """Add up over the number of dice that went on; values up to the bound need finitely many of them."""
    most, grows = most_earned(chain, pick, up_to)
    stay, go = sum(chain.stay.values()), sum(chain.go.values())
    cases = []
    left = Fraction(1)
    for earned in range(most + 1):
        chance = Fraction(comb(n - 1 + earned, earned) * stay**n * go**earned, chain.total ** (n + earned))
        cases.append((chance if grows or earned < most else left, [Kind(n, chain.stay), Kind(earned, chain.go)]))
        left -= chance
    return mixed_cases(cases, pick, up_to if grows else None)


def mixed_cases(
    cases: Iterable[tuple[Fraction, Sequence[Kind]]], pick: Pick, last: int | None = None
) -> Distribution[Any]:
    """Return the odds of what is picked in several cases, each with its chance.

    Values above ``last`` are one, and what comes of cases that are left out is among them.
    """
    found: list[tuple[Any, Fraction]] = []
    left = Fraction(1)
    for chance, kinds in cases:
        left -= chance
        for value, share in pick_odds(kinds, pick).items():
            found.append((value if last is None or value <= last else Beyond(last), chance * share))
    if last is not None:
        found.append((Beyond(last), left))
    return of_chances(added_up(found))


def most_earned(chain: ChainOdds, pick: Pick, up_to: int) -> tuple[int, bool]:
    """Return how many dice that went on matter, and whether more of them always lead beyond the bound."""
    dropped = sum(keep.n for keep in pick.keeps)
    by_test = [keep for keep in pick.keeps if keep.test is not None or keep.kind == "unique"]
    if pick.pattern in GROWS and not pick.keeps:
        return GROWS[pick.pattern] * (up_to + 1) * len(chain.go), True
    if pick.pattern and len(chain.go) == 1 and not pick.keeps:
        return max(pick.size, SATURATES[pick.pattern]), False
    score = pick.score if pick.scores else (lambda value: value)
    least = min(score(value) for value in chain.go)
    unknown = any(
        keep.test is None or not all(keep.test.holds(value) == (keep.kind == "keep") for value in chain.go)
        for keep in by_test
    )
    if pick.pattern or unknown or least < 1 or min(map(score, chain.stay)) < 0:
        raise Illegal(f"Exploding dice with {str(pick).strip()} have no exact odds, since there is no end of dice; "
                      "compound them with !!, or explode a number of times, as in !o.")  # fmt: skip
    return up_to // least + dropped + 1, True


def _times_cases(chain: ChainOdds, n: int) -> Iterator[tuple[Fraction, list[Kind]]]:
    """Give each case with its chance: at most ``times`` more dice for each, the last of which may show any face."""
    (stay, go), (later_stay, later_go) = (chain.stay, chain.go), chain.next
    dice = stay, go, later_stay, later_go, either(later_stay, later_go)
    for i in range(n + 1):
        for (stays, goes, last), orders in levels(i, chain.times - 1).items():
            kinds = list(map(Kind, (n - i, i, stays, goes, last), dice))
            chance = comb(n, i) * orders * chance_of(kinds, chain.total)
            if not chain.less:
                kinds = [Kind(n - i + stays, stay), Kind(i + goes, go), kinds[-1]]
            yield chance, kinds


def chance_of(kinds: Iterable[Kind], total: int) -> Fraction:
    """Return the chance that each die shows a value of its kind, out of ``total`` for each."""
    return prod([Fraction(sum(weights.values()), total) ** n for n, weights in kinds], start=Fraction(1))


def levels(n: int, times: int) -> dict[tuple[int, int, int], int]:
    """Return how many dice stay, go on and come last, with the ways: some go on, some of those again, and so on."""
    states = {(0, 0, n): 1}
    for _ in range(times):
        states = added_up(
            ((stay + left - more, go + more, more), ways * comb(left, more))
            for (stay, go, left), ways in states.items()
            for more in range(left + 1)
        )
    return states


def _most(chain: ChainOdds, n: int, pick: Pick, up_to: int) -> tuple[int, bool]:
    """How many later dice that went on matter, and whether more of them always lead beyond the bound."""
    _, later_go = chain.next
    window = None if pick.pattern else bounded(pick, n)
    if window is None:
        return most_earned(ChainOdds(*chain.next, chain.total), pick, up_to)
    if len(later_go) > 1:
        raise Illegal(f"Penetrating dice that explode on several faces have no exact odds with {str(pick).strip()}, as "
                      "those that are earned are lower in several ways; compound them with !!p, or explode on one "
                      "face.")  # fmt: skip
    (ranks,) = window.stages
    assert isinstance(ranks, Window)
    return ranks.end or 0, False


def _endless_cases(chain: ChainOdds, n: int, most: int, grows: bool) -> Iterator[tuple[Fraction, list[Kind]]]:
    """Give each case with its chance, where later dice count less than first ones: there are four kinds of dice.

    Of n first dice i go on, in C(n, i) ways; each of these earns a die that stays in the end, and g more dice went on
    before, in C(i − 1 + g, g) orders. If later dice go on with a single value, more of them than a window of ranks has
    room for change nothing.
    """
    (stay, go), (later_stay, later_go) = (chain.stay, chain.go), chain.next
    for i in range(n + 1):
        first = [Kind(n - i, stay), Kind(i, go)]
        left = comb(n, i) * chance_of(first, chain.total)
        stays = left * chance_of([Kind(i, later_stay)], chain.total)
        for g in range(most + 1 if i else 1):
            chance = stays * (comb(i - 1 + g, g) if i else 1) * chance_of([Kind(g, later_go)], chain.total)
            if not grows and (g == most or not i):
                chance = left
            left -= chance
            yield chance, [*first, Kind(i, later_stay), Kind(g, later_go)]


def earned_throws(chain: ChainOdds, n: int) -> Distribution[tuple[Any, ...]]:
    """Return the odds of every different throw of dice that go on at most ``times`` times."""
    return chained([_tuples(chain)] * n, (), lambda values, more: tuple(sorted((*values, *more))))


def _tuples(chain: ChainOdds) -> Distribution[tuple[Any, ...]]:
    """Every different outcome of one die: its own value and those of the dice that it earned."""
    last: dict[tuple[Any, ...], int] = {(value,): w for value, w in either(chain.stay, chain.go).items()}
    total = chain.total
    for _ in range(chain.times):
        found: dict[tuple[Any, ...], int] = {(value,): weight * total for value, weight in chain.stay.items()}
        for value, weight in chain.go.items():
            for later, ways in last.items():
                key = tuple(sorted((value, *later)))
                found[key] = found.get(key, 0) + weight * ways
        last, total = found, total * chain.total
    return Distribution(last, total)
