"""Odds of a push: each die, thrown and perhaps thrown again, is one die with s² faces.

Its columns are what a question needs of the dice before and after. The odds of all columns together are one product
over the dice, which are independent. What a push is worth depends on the counts before it, on what the dice that stay
count, and on how many of each sort are thrown again: grouped by these, the odds say where it is best, and what comes
of it then.

A push that can only help needs no groups. If no count falls by it, if the same counts are worth as much either way, and
worth never falls as they rise, then the best policy gains what a push in every case would: the odds of the counts
after it are all there is to know of whatever follows from the worth alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from math import prod
from operator import itemgetter
from typing import Any, NamedTuple

from astragal.dice.dice import Pool, refuse_short
from astragal.dice.distribution import Distribution, added_up
from astragal.dice.parts import Unread, by_need
from astragal.dice.solver.product import vector_odds
from astragal.errors import Refusal
from astragal.rule.tree.push import Counts, Push

MAX_BOX = 400
"""Most combinations of counts that are looked at to find out whether a push can only help."""
MAX_CELLS = 200_000
"""Most combinations of all columns; beyond these, a tree that leaves many of them out is faster."""


class Column(NamedTuple):
    """Something that adds up over dice: ``before`` a push, ``after`` it, of those that ``stay``, or how many are
    ``loose`` and count alike; ``adds`` is what each face counts."""

    when: str
    adds: tuple[tuple[int, ...], ...]


class _Asked(dict[str, int]):
    """Counts of 0, and what was asked for of them."""

    def __missing__(self, name: str) -> int:
        self[name] = 0
        return 0


class Pushed:
    """The odds of ``of`` each result of a push, where it is made if that is best by ``worth``; never without one."""

    def __init__(
        self, push: Push[Any], pool: Pool, of: Callable[[Any], Hashable], worth: Callable[[Any], int] | None
    ) -> None:
        refuse_short(pool)
        self._push, self._pool, self._of, self._worth = push, pool, of, worth
        self._uses: dict[str, Callable[[Any], Any]] = {
            "kept": lambda counts: of(push.kept(counts)),
            "pushed": lambda counts: of(push.pushed(counts)),
        }
        if worth is not None:
            self._uses["worth kept"] = lambda counts: (worth(push.kept(counts)), push.may(counts))
            self._uses["worth pushed"] = lambda counts: worth(push.pushed(counts))
        self._names: dict[str, list[str]] = {}

    def odds(self) -> Distribution[Any] | None:
        """The odds, of as few counts as are found to be enough; None if they would be too many to list."""
        needed: list[str] = []
        for use, ask in self._uses.items():  # first those that matter where all counts are 0
            asked = _Asked()
            with suppress(Refusal):  # counts of 0 may never come up
                ask(Counts(asked))
            needed += [f"{use}/{name}" for name in asked]
        return by_need(self._solved, frozenset(needed))[0]

    def _solved(self, needed: frozenset[str]) -> Distribution[Any] | None:
        """The same, if each use needs these counts."""
        parts = [each.split("/") for each in sorted(needed)]
        self._names = {use: [name for of, name in parts if of == use] for use in self._uses}
        if self._worth is None:
            before = self._columns("before", "kept")
            return self._law(before).map(lambda value: self._use("kept", value))
        found = self._helping()
        return self._weighed() if found is None else found

    def _use(self, use: str, values: Sequence[int]) -> Any:
        """What a use makes of the counts that it needs."""
        try:
            return self._uses[use](Counts(dict(zip(self._names[use], values, strict=False))))
        except Unread as unread:
            raise Unread(f"{use}/{unread.part}") from None

    def _columns(self, when: str, use: str) -> list[Column]:
        return [Column(when, self._push.counts(name)) for name in self._names[use]]

    def _law(self, columns: Iterable[Column]) -> Distribution[tuple[int, ...]]:
        """The odds of all columns together."""
        listed = list(columns)
        groups = [(dice.n, added_up(self._faces(place, listed))) for place, dice in enumerate(self._pool) if dice.n]
        if not listed or not groups:
            return Distribution.certain((0,) * len(listed))
        return vector_odds(groups)

    def _faces(self, place: int, columns: Sequence[Column]) -> Iterator[tuple[tuple[int, ...], int]]:
        """The faces of a die and its second throw, as one die: what they add to the columns, and their weights."""
        stays, sides = self._push.stays[place], self._pool[place].sides
        for first in range(1, sides + 1):
            loose = first not in stays
            seconds = range(1, sides + 1) if loose and any(each.when == "after" for each in columns) else (first,)
            for second in seconds:
                adds = []
                for when, counts in columns:
                    if when == "loose":
                        adds.append(counts[place][0] if loose else 0)
                    elif when == "stay":
                        adds.append(0 if loose else counts[place][first - 1])
                    else:
                        adds.append(counts[place][(second if when == "after" else first) - 1])
                yield tuple(adds), sides // len(seconds)

    def _helping(self) -> Distribution[Any] | None:
        """The odds if the push can only help; None if that is not known."""
        names = sorted({name for use in self._uses for name in self._names[use]})
        columns = [self._push.counts(name) for name in names]
        if self._falls(columns):
            return None
        bounds = [self._bounds(column) for column in columns]
        if prod([high - low + 1 for low, high in bounds]) > MAX_BOX:
            return None
        push, of, worth_of = self._push, self._of, self._worth
        assert worth_of is not None
        worths: dict[tuple[int, ...], tuple[int, bool]] = {}
        facts: dict[int, Any] = {}
        told: dict[tuple[int, ...], Any] = {}
        for values in product(*[range(low, high + 1) for low, high in bounds]):
            counts = Counts(dict(zip(names, values, strict=True)))
            try:
                kept, pushed = push.kept(counts), push.pushed(counts)
                worth, fact = worth_of(kept), of(kept)
                same = worth == worth_of(pushed) and fact == of(pushed) == facts.setdefault(worth, fact)
                worths[values], told[values] = (worth, push.may(counts)), fact
            except Refusal:  # these counts may never come up
                return None
            except Unread as unread:
                raise Unread(f"kept/{unread.part}") from None
            if not same:
                return None
        most = max(worth for worth, _ in worths.values())
        for values, (worth, may) in worths.items():
            above = [(*values[:place], n + 1, *values[place + 1 :]) for place, n in enumerate(values)]
            if (not may and worth < most) or any(worths.get(each, (worth, may))[0] < worth for each in above):
                return None
        return self._law([Column("after", column) for column in columns]).map(told.__getitem__)

    def _falls(self, columns: Iterable[tuple[tuple[int, ...], ...]]) -> bool:
        """True if some count may be less after the push than before it."""
        for column in columns:
            for stays, dice, adds in zip(self._push.stays, self._pool, column, strict=True):
                loose = [adds[face - 1] for face in range(1, dice.sides + 1) if face not in stays]
                if dice.n and loose and max(loose) > min(adds):
                    return True
        return False

    def _cells(self, columns: Iterable[Column]) -> int:
        """The largest possible number of combinations of columns."""
        found = 1
        for when, adds in columns:
            low, high = self._bounds(adds)
            found *= high - min(low, 0 if when in ("loose", "stay") else low) + 1
        return found

    def _bounds(self, column: tuple[tuple[int, ...], ...]) -> tuple[int, int]:
        shown = [(dice.n, adds) for dice, adds in zip(self._pool, column, strict=True)]
        return sum([n * min(adds) for n, adds in shown]), sum([n * max(adds) for n, adds in shown])

    def _weighed(self) -> Distribution[Any] | None:
        """The odds where a push is made as often as it is better, by everything that its worth depends on."""
        before, after = self._columns("before", "worth kept"), self._columns("after", "worth pushed")
        state = list(dict.fromkeys((*before, *map(self._staying, after), *self._loose(after))))
        pick = _picker(state, before)
        length, is_loose = len(state), [place for place, each in enumerate(state) if each.when == "loose"]
        kept, pushed = self._columns("before", "kept"), self._columns("after", "pushed")
        columns = list(dict.fromkeys((*state, *kept, *pushed)))
        if max(self._cells((*state, *after)), self._cells(columns)) > MAX_CELLS:
            return None
        cases: dict[tuple[int, ...], list[tuple[tuple[int, ...], int]]] = {}
        for value, weight in self._law([*state, *after]).weights.items():
            cases.setdefault(value[:length], []).append((value[length:], weight))
        best = {}
        for value, ends in cases.items():
            worth, may = self._use("worth kept", pick(value))
            best[value] = may and any(value[place] for place in is_loose) and (
                sum([weight * self._use("worth pushed", end) for end, weight in ends])
                > worth * sum([weight for _, weight in ends])
            )  # fmt: skip
        pick_kept, pick_pushed = _picker(columns, kept), _picker(columns, pushed)
        known: dict[Any, Any] = {}

        def told(value: tuple[int, ...]) -> Any:
            use, pick = ("pushed", pick_pushed) if best[value[:length]] else ("kept", pick_kept)
            picked = pick(value)
            if (use, picked) not in known:
                known[use, picked] = self._use(use, picked)
            return known[use, picked]

        return self._law(columns).map(told)

    def _staying(self, after: Column) -> Column:
        """What the dice that stay count: the same as all of them at first where those that do not count nothing."""
        shown = zip(self._push.stays, after.adds, strict=True)
        counts = any(n and face not in stays for stays, adds in shown for face, n in enumerate(adds, 1))
        return after._replace(when="stay" if counts else "before")

    def _loose(self, after: Sequence[Column]) -> Iterator[Column]:
        """The number of dice thrown again, of each sort that counts differently."""
        sorts = [tuple([each.adds[place] for each in after]) for place in range(len(self._pool))]
        for sort in dict.fromkeys(sorts):
            yield Column("loose", tuple([(int(each == sort),) for each in sorts]))


def _picker(columns: Sequence[Column], wanted: Sequence[Column]) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    """What takes the values of some columns out of those of all."""
    places = [columns.index(each) for each in wanted]
    if len(places) > 1:
        return itemgetter(*places)
    return lambda value: tuple([value[place] for place in places])
