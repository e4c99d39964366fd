"""Exact odds of pools: independent dice and values of several kinds, kept, dropped, counted, matched.

A scan goes through the values from one end and keeps the number of dice of each kind that are left. Steps of keeping
and dropping become windows on ranks. What no scan can tell is enumerated: every different throw, read as in play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any, NamedTuple

from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.notation.pool import kept_places, made_of
from astragal.dice.notation.term import Keep, Pick
from astragal.dice.work import spend

STEP = 6
"""Steps of work that one state of a scan costs."""


class Kind(NamedTuple):
    """``n`` equal dice: the weights of a die's values."""

    weights: dict[Any, int]
    total: int
    n: int


class Window(NamedTuple):
    """Ranks that are kept, from the end at which a scan starts."""

    start: int
    end: int | None


class Filter(NamedTuple):
    """Values that are kept by a condition, or one of each if there is none."""

    keep: Keep

    def counted(self, value: Any, count: int) -> int:
        """Return how many of so many equal values are kept."""
        if self.keep.test is None:
            return min(count, 1)
        return count if self.keep.test.holds(value) == (self.keep.kind == "keep") else 0


class Stages(NamedTuple):
    """Keeping and dropping as a scan sees it: filters and windows, in order, and the end at which it starts."""

    stages: tuple[Window | Filter, ...]
    downwards: bool = True


def stages_of(keeps: Sequence[Keep], n: int | None) -> Stages | None:
    """Return the stages of keeping and dropping of ``n`` values, or of any number; None if a scan cannot tell.

    While the number is known, steps by rank are one window. After that, all must count from the same end.
    """
    known = 0 if n is None else next((k for k, keep in enumerate(keeps) if not _by_rank(keep)), len(keeps))
    start, end = window_of(keeps[:known], n or 0)
    ends = {keep.kind in ("kh", "dh") for keep in keeps[known:] if _by_rank(keep)}
    if len(ends) > 1:
        return None
    downwards = ends != {False}
    stages: list[Window | Filter] = []
    if n is not None and (start, end) != (0, n):
        stages.append(Window(start, end) if downwards else Window(n - end, n - start))
    for keep in keeps[known:]:
        stages.append(_near(keep) if _by_rank(keep) else Filter(keep))
    return Stages(tuple(stages), downwards)


def _by_rank(keep: Keep) -> bool:
    return keep.test is None and keep.kind != "unique"


def _near(keep: Keep) -> Window:
    return Window(0, keep.n) if keep.kind[0] == "k" else Window(keep.n, None)


def window_of(keeps: Sequence[Keep], n: int) -> tuple[int, int]:
    """Return the ranks that steps by rank keep of ``n`` values, from the highest: the first, and one after the last."""
    start, end = 0, n
    for keep in keeps:
        if keep.kind == "kh":
            end = min(end, start + keep.n)
        elif keep.kind == "kl":
            start = max(start, end - keep.n)
        elif keep.kind == "dh":
            start = min(end, start + keep.n)
        else:
            end = max(start, end - keep.n)
    return start, end


def scan(
    kinds: Sequence[Kind],
    start: Any,
    step: Callable[[Any, Any, tuple[int, ...]], Any],
    downwards: bool = True,
) -> Distribution[Any]:
    """Return the odds of the last state; ``step(state, value, counts)`` is asked at every value, for all kinds."""
    values = sorted({value for kind in kinds for value in kind.weights}, reverse=downwards)
    last = [max(map(values.index, kind.weights)) if kind.n else -1 for kind in kinds]
    states: dict[tuple[Any, tuple[int, ...]], int] = {(start, tuple(kind.n for kind in kinds)): 1}
    for place, value in enumerate(values):
        after: dict[tuple[Any, tuple[int, ...]], int] = {}
        for (state, left), ways in states.items():
            for counts, orders in _counts(kinds, left, value, [place >= end for end in last]):
                key = step(state, value, counts), tuple([n - count for n, count in zip(left, counts, strict=True)])
                after[key] = after.get(key, 0) + ways * orders
        spend(STEP * (len(after) + len(states)))
        states = after
    weights: dict[Any, int] = {}
    for (state, _), ways in states.items():
        weights[state] = weights.get(state, 0) + ways
    total = 1
    for kind in kinds:
        total *= kind.total**kind.n
    return Distribution(weights, total)


def _counts(
    kinds: Sequence[Kind], left: tuple[int, ...], value: Any, closing: list[bool]
) -> list[tuple[tuple[int, ...], int]]:
    """How many dice of each kind may show a value, and in how many ways; all that are left on a kind's last value."""
    found: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for kind, n, closes in zip(kinds, left, closing, strict=True):
        weight = kind.weights.get(value, 0)
        if not weight or not n:
            choices = [(0, 1)] if not closes or not n else []
        elif closes:
            choices = [(n, weight**n)]
        else:
            choices = [(count, comb(n, count) * weight**count) for count in range(n + 1)]
        found = [((*counts, count), ways * more) for counts, ways in found for count, more in choices]
        spend(STEP * len(found))
    return found


def kept_count(stages: tuple[Window | Filter, ...], used: tuple[int, ...], value: Any, count: int) -> Any:
    """Return how many of ``count`` equal values are kept, and how many each window has seen then."""
    after = []
    for stage, seen in zip(stages, used, strict=True):
        if isinstance(stage, Filter):
            after.append(0)
            count = stage.counted(value, count)
            continue
        end = seen + count if stage.end is None else min(seen + count, stage.end)
        after.append(seen + count)
        count = max(end - max(seen, stage.start), 0)
    return count, tuple(after)


class Sum(NamedTuple):
    """Adds up scores."""

    score: Callable[[Any], Any] | None

    @property
    def start(self) -> Any:
        """The sum of nothing."""
        return 0

    def add(self, state: Any, value: Any, count: int) -> Any:
        """Return the sum with so many equal values more; a value beyond the bound makes it one of those."""
        if not count or state is None:
            return state
        if self.score is not None:
            return state + count * self.score(value)
        return None if isinstance(value, Beyond) else state + count * value


class Pattern(NamedTuple):
    """Follows a pattern: the state that counts of equal values lead to."""

    name: str
    size: int

    @property
    def start(self) -> Any:
        """The state before the first value."""
        return (0, 0, None) if self.name == "straight" else 0

    def add(self, state: Any, value: Any, count: int) -> Any:
        """Return the state after so many equal values."""
        if not count:
            return state
        if self.name == "straight":
            longest, run, last = state
            run = run + 1 if last is not None and abs(value - last) == 1 else 1
            return max(longest, run), run, value
        if self.name == "widest":
            return max(state, count)
        if self.name == "doubles":
            return max(state, int(count > 1))
        counted = {"pairs": count // 2, "matches": count >= (self.size or 2), "distinct": 1}[self.name]
        return state + int(counted)

    def result(self, state: Any) -> Any:
        """Return the value that a last state stands for."""
        return state[0] if self.name == "straight" else bool(state) if self.name == "doubles" else state


def pick_odds(kinds: Sequence[Kind], pick: Pick) -> Distribution[Any]:
    """Return the odds of what is picked of a pool of independent dice."""
    kinds = [kind for kind in kinds if kind.n]
    stages = stages_of(pick.keeps, sum([kind.n for kind in kinds]))
    words = any(isinstance(value, str) for kind in kinds for value in kind.weights)
    if stages is None or (words and not pick.scores) or (words and pick.keeps):
        return _enumerated(kinds, pick)
    if words:
        kinds = [_scored(kind, pick.score) for kind in kinds]
        pick = Pick()
    if pick.pattern:
        pattern = Pattern(pick.pattern, pick.size)
        return kept_scan(kinds, stages, pattern).map(pattern.result)
    return ranked_sum(kinds, stages, pick.score if pick.scores else None)


def _scored(kind: Kind, score: Callable[[Any], int]) -> Kind:
    weights: dict[Any, int] = {}
    for value, weight in kind.weights.items():
        weights[score(value)] = weights.get(score(value), 0) + weight
    return Kind(weights, kind.total, kind.n)


def kept_scan(kinds: Sequence[Kind], stages: Stages, reader: Sum | Pattern) -> Distribution[Any]:
    """Return the odds of a reader's last state, which sees what is kept."""
    windows = stages.stages

    def step(state: Any, value: Any, counts: tuple[int, ...]) -> Any:
        read, used = state
        kept, used = kept_count(windows, used, value, sum(counts))
        return reader.add(read, value, kept), used

    found = scan(kinds, (reader.start, (0,) * len(windows)), step, stages.downwards)
    return found.map(lambda state: state[0])


def ranked_sum(kinds: Sequence[Kind], stages: Stages, score: Callable[[Any], Any] | None = None) -> Distribution[Any]:
    """Return the odds of the sum of what is kept, or of its score."""
    if not kinds:
        return Distribution.certain(0)
    beyond = [value.last for kind in kinds for value in kind.weights if isinstance(value, Beyond)]
    if not stages.stages and (not beyond or score):
        return _added([_scored(kind, score) for kind in kinds] if score else kinds)
    found = kept_scan(kinds, stages, Sum(score))
    if None not in found.weights:
        return found
    least = min(0, *(value for kind in kinds for value in kind.weights if not isinstance(value, Beyond)))
    limit = min(beyond) + least * (sum(kind.n for kind in kinds) - 1)
    return found.map(lambda value: Beyond(limit) if value is None or value > limit else value)


def _added(kinds: Sequence[Kind]) -> Distribution[Any]:
    """The sum of all dice: one die after the other."""
    whole = Distribution({0: 1}, 1)
    for kind in kinds:
        whole = _convolved(whole, _power(Distribution(kind.weights, kind.total), kind.n))
    return whole


def _power(one: Distribution[Any], n: int) -> Distribution[Any]:
    whole: Distribution[Any] = Distribution({0: 1}, 1)
    while n:
        if n & 1:
            whole = _convolved(whole, one)
        n >>= 1
        if n:
            one = _convolved(one, one)
    return whole


def _convolved(left: Distribution[Any], right: Distribution[Any]) -> Distribution[Any]:
    spend(2 * len(left) * len(right))
    return left.convolve(right)


def multisets(kinds: Sequence[Kind]) -> Distribution[tuple[Any, ...]]:
    """Return the odds of every different throw of a pool, sorted."""
    words = any(isinstance(value, str) for kind in kinds for value in kind.weights)
    values = sorted({value for kind in kinds for value in kind.weights}, key=str if words else None)
    coded = [Kind({values.index(v): w for v, w in kind.weights.items()}, kind.total, kind.n) for kind in kinds]
    found = scan(coded, (), lambda state, place, counts: state + (values[place],) * sum(counts), False)
    return found


def _enumerated(kinds: Sequence[Kind], pick: Pick) -> Distribution[Any]:
    throws = multisets(kinds)

    def read(values: tuple[Any, ...]) -> Any:
        return made_of(pick, [values[place] for place in kept_places(pick.keeps, values)])

    return throws.map(read)
