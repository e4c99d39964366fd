"""Exact odds of pools: independent dice and values of several kinds, kept, dropped, counted, matched.

Steps of keeping and dropping become windows on ranks, which the solver adds up or scans. What no scan can tell is
enumerated: every different throw, read as in play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from astragal.dice.distribution import Beyond, Distribution, changed_weights
from astragal.dice.solver.keep import kept_odds
from astragal.dice.solver.scan import scan_odds
from astragal.dice.solver.sums import one_by_one, sum_odds
from astragal.notation.pool import Pattern, picked, refuse_alike, throws_of
from astragal.notation.term import Keep, Pick


class Kind(NamedTuple):
    """``n`` equal dice, as the solver takes them: the weights of a die's values."""

    n: int
    weights: Mapping[Any, int]


class Window(NamedTuple):
    """Ranks that are kept, from the end at which a scan starts."""

    start: int
    end: int | None


class Filter(NamedTuple):
    """Values that are kept by a condition, or one of each if there is none."""

    keep: Keep

    def counted(self, value: Any, count: int) -> int:
        """Return how many of ``count`` equal values are kept."""
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
    known = 0 if n is None else next((k for k, keep in enumerate(keeps) if not by_rank(keep)), len(keeps))
    start, end = window_of(keeps[:known], n or 0)
    ends = {keep.kind in ("kh", "dh") for keep in keeps[known:] if by_rank(keep)}
    if len(ends) > 1:
        return None
    downwards = ends != {False}
    stages: list[Window | Filter] = []
    if n is not None and (start, end) != (0, n):
        stages.append(Window(start, end) if downwards else Window(n - end, n - start))
    for keep in keeps[known:]:
        if not by_rank(keep):
            stages.append(Filter(keep))
        else:
            stages.append(Window(0, keep.n) if keep.kind[0] == "k" else Window(keep.n, None))
    return Stages(tuple(stages), downwards)


def by_rank(keep: Keep) -> bool:
    """Return True if a step keeps or drops by rank."""
    return keep.test is None and keep.kind != "unique"


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


def kept_count(stages: tuple[Window | Filter, ...], used: tuple[int, ...], value: Any, count: int) -> Any:
    """Return how many of ``count`` equal values are kept, and how many each window has seen then."""
    after = []
    for stage, seen in zip(stages, used, strict=True):
        if isinstance(stage, Filter):
            after.append(0)
            count = stage.counted(value, count)
            continue
        end = seen + count if stage.end is None else min(seen + count, stage.end)
        after.append(min(seen + count, stage.start if stage.end is None else stage.end))
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
        """Return the sum with ``count`` equal values more; a value beyond the bound makes it one of those."""
        if not count or state is None:
            return state
        if self.score is not None:
            return state + count * self.score(value)
        return None if isinstance(value, Beyond) else state + count * value


def pick_odds(kinds: Sequence[Kind], pick: Pick) -> Distribution[Any]:
    """Return the odds of what is picked of a pool of independent dice."""
    kinds = [kind for kind in kinds if kind.n]
    if pick.pattern or any(keep.kind == "unique" for keep in pick.keeps):
        refuse_alike((value for kind in kinds for value in kind.weights), str(pick).strip())
    stages = stages_of(pick.keeps, sum([kind.n for kind in kinds]))
    words = any(isinstance(value, str) for kind in kinds for value in kind.weights)
    if stages is None or (words and not pick.scores) or (words and pick.keeps):
        return multisets(kinds).map(partial(picked, pick))
    if words:
        kinds = [Kind(n, changed_weights(weights, pick.score)) for n, weights in kinds]
        pick = Pick()
    if pick.pattern:
        pattern = Pattern(pick.pattern, pick.size)
        return kept_scan(kinds, stages, pattern).map(pattern.result)
    return ranked_sum(kinds, stages, pick.score if pick.scores else None)


def goes_on(kinds: Sequence[Kind]) -> bool:
    """Return True if some values are one value beyond a bound."""
    return any(isinstance(value, Beyond) for kind in kinds for value in kind.weights)


def kept_scan(kinds: Sequence[Kind], stages: Stages, reader: Sum | Pattern) -> Distribution[Any]:
    """Return the odds of a reader's last state, which sees what is kept."""
    windows = stages.stages
    if not windows:
        same = reader.same_from if isinstance(reader, Pattern) else None
        return scan_odds(kinds, reader.start, lambda read, value, counts: reader.add(read, value, sum(counts)), same)

    def step(state: Any, value: Any, counts: tuple[int, ...]) -> Any:
        read, used = state
        kept, used = kept_count(windows, used, value, sum(counts))
        return reader.add(read, value, kept), used

    found = scan_odds(kinds, (reader.start, (0,) * len(windows)), step, downwards=stages.downwards)
    return found.map(lambda state: state[0])


def ranked_sum(kinds: Sequence[Kind], stages: Stages, score: Callable[[Any], Any] | None = None) -> Distribution[Any]:
    """Return the odds of the sum of what is kept, or of its score."""
    if not kinds:
        return Distribution.certain(0)
    beyond = [value.last for kind in kinds for value in kind.weights if isinstance(value, Beyond)]
    if not stages.stages and (not beyond or score):
        return added([Kind(n, changed_weights(weights, score)) for n, weights in kinds] if score else kinds)
    window = stages.stages[0] if len(stages.stages) == 1 else None
    if isinstance(window, Window) and window.end is not None and whole(kinds):
        return kept_odds(kinds, window.end - window.start, stages.downwards, window.start, score)
    return _scanned_sum(kinds, stages, score, beyond)


def whole(kinds: Sequence[Kind]) -> bool:
    """Return True if all values are whole numbers."""
    return all(type(value) is int for kind in kinds for value in kind.weights)


def _scanned_sum(
    kinds: Sequence[Kind], stages: Stages, score: Callable[[Any], Any] | None, beyond: list[int]
) -> Distribution[Any]:
    """The same by a scan; a sum with a value beyond the bound is one of those above the bound."""
    found = kept_scan(kinds, stages, Sum(score))
    if None not in found.weights:
        return found
    least = min(0, *(value for kind in kinds for value in kind.weights if not isinstance(value, Beyond)))
    limit = min(beyond) + least * (sum(kind.n for kind in kinds) - 1)
    return found.map(lambda value: Beyond(limit) if value is None or value > limit else value)


def added(kinds: Sequence[Kind]) -> Distribution[Any]:
    """Return the odds of the sum of all dice."""
    return sum_odds(kinds) if whole(kinds) else one_by_one(kinds)


def multisets(kinds: Sequence[Kind]) -> Distribution[tuple[Any, ...]]:
    """Return the odds of every different throw of a pool, sorted."""
    words = any(isinstance(value, str) for kind in kinds for value in kind.weights)
    values = sorted({value for kind in kinds for value in kind.weights}, key=str if words else None)
    if len(kinds) == 1:
        ((n, weights),) = kinds
        return Distribution(throws_of(n, weights, values), sum(weights.values()) ** n)
    coded = [Kind(n, {values.index(value): weight for value, weight in weights.items()}) for n, weights in kinds]
    return scan_odds(coded, (), lambda state, place, counts: state + (values[place],) * sum(counts), downwards=False)
