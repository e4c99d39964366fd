"""How far dice reach: a kept sum as a word, the words of several throws, and counters that go up by words.

Each is a reading with parts: where a question needs one part alone, a law of its own answers, and no throw is listed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.dice.cache import cached
from astragal.dice.dice import Faces, Pool, refuse_short
from astragal.dice.estimates import refuse_throws
from astragal.dice.parts import PartReading, Parts, looked_at
from astragal.dice.reading import Keep, Kept

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution
    from astragal.dice.solver.reached import Reached


class Bands:
    """Words by how far a number reaches: ``steps`` are the least number for each word, best first, ``last`` the rest.

    ``Reached`` has their odds.
    """

    def __init__(self, steps: tuple[tuple[int, str], ...], last: str) -> None:
        self.steps = steps
        self.last = last
        self.most, self.least = steps[0][0], steps[-1][0]
        self.words = (*[word for _, word in steps], last)
        """All words, best first."""
        self.ranks = {word: rank for rank, word in enumerate(self.words)}
        """The place of each word, 0 for the best."""
        self._limits, self._rising = [least for least, _ in steps[::-1]], self.words[::-1]

    def __repr__(self) -> str:
        return f"Bands({self.steps}, {self.last!r})"

    def word(self, number: int) -> str:
        """Return the word for a number."""
        return self._rising[bisect_right(self._limits, number)]


class Reach(Parts):
    """The value of a ``Reaches``: what the kept dice add up to, whether all show a face in ``every``, and the word."""

    total: int
    every: bool
    word: str


class _Reaches(NamedTuple):
    keep: Keep
    bands: Bands
    needed: int = 0


class Reaches(PartReading[Reach], _Reaches):
    """Keeps dice, and has a word for how far their sum is above or below what is ``needed``.

    A throw whose dice all show a face in ``keep.every`` has the last word.
    """

    __slots__ = ()
    value = Reach

    def read(self, faces: Faces) -> Reach:
        """All parts."""
        return self._reach(self.keep.read(faces))

    def _reach(self, kept: Kept) -> Reach:
        (total, every), (_, bands, needed) = kept, self
        return Reach({"total": total, "every": every, "word": bands.last if every else bands.word(total - needed)})

    def odds_of(self, parts: tuple[str, ...], pool: Pool, up_to: int) -> Distribution[Any]:
        """The exact odds of some parts together; of the word alone, no sum is looked at."""
        if parts == ("word",):
            return _reached(self.keep, pool).odds(self.bands, self.needed)
        look = looked_at(parts)
        return self.keep.odds(pool, up_to).map(lambda kept: look(self._reach(kept)))


@cached(64)
def _reached(keep: Keep, pool: Pool) -> Reached:
    from astragal.dice.solver.reached import Reached

    refuse_short(pool)
    (dice,) = pool
    return Reached.kept(keep, dice)


class Several(Parts):
    """The value of an ``Independent``: what each throw came to, and all words, best first, without their owners."""

    each: tuple[Reach, ...]
    words: tuple[str, ...]


class _Independent(NamedTuple):
    readings: tuple[Reaches, ...]


class Independent(PartReading[Several], _Independent):
    """Reads several throws that do not depend on each other, each by its own reading; all have words of one kind.

    Their chances multiply. Throws that come to the same words in any order are one, so n throws with w words have as
    many values as there are ways to share n among w, and not w to the power of n.
    """

    __slots__ = ()
    value = Several

    def read(self, faces: Faces) -> Several:
        """All parts; the dice of each reading are a group."""
        return self.of([reading.read((group,)) for reading, group in zip(self.readings, faces, strict=True)])

    def of(self, each: Iterable[Reach]) -> Several:
        """All parts of throws that were read one after the other."""
        each = tuple(each)
        return Several({"each": each, "words": tuple(sorted([one.word for one in each], key=self._rank))})

    def _rank(self, word: str) -> int:
        return self.readings[0].bands.ranks[word]

    def made(self, parts: tuple[str, ...], values: tuple[Any, ...]) -> Several:
        """The value with these parts; the reading of each throw gives the words, too."""
        read = Several.made(parts, values)
        return self.of(read.each) if "each" in parts else read

    def odds(self, pool: Pool, up_to: int) -> Distribution[Several]:
        """The exact odds of all parts together; refused where that is too much to list."""
        from astragal.dice.distribution import chained

        alone = [reading.odds((dice,), 0) for reading, dice in zip(self.readings, pool, strict=True)]
        refuse_throws(prod(map(len, alone)), "results")
        return chained(alone, (), lambda so_far, one: (*so_far, one)).map(self.of)

    def odds_of(self, parts: tuple[str, ...], pool: Pool, up_to: int) -> Distribution[Any]:
        """The exact odds of some parts together; for the words alone, no sum is looked at."""
        from astragal.dice.distribution import chained

        if parts != ("words",):
            return self.odds(pool, up_to).map(looked_at(parts))
        alone = [
            reading.odds_of(("word",), (dice,), 0).map(self._rank)
            for reading, dice in zip(self.readings, pool, strict=True)
        ]
        words = self.readings[0].bands.words
        ranks = chained(alone, (), lambda so_far, rank: tuple(sorted((*so_far, rank))))
        return ranks.map(lambda found: tuple([words[rank] for rank in found]))


class Climbed(Parts):
    """The value of a ``Climbing``: how far each counter has come, which is full first, after how many rounds."""

    ends: tuple[int, ...]
    first: str
    rounds: int


class _Climbing(NamedTuple):
    reading: Reaches
    counters: tuple[tuple[str, int], ...]
    adds: tuple[tuple[int, ...], ...]
    tie: str


class Climbing(PartReading[Climbed], _Climbing):
    """Throws the same dice round after round. The word of each round adds to counters, until one of them is full.

    ``counters`` are names and sizes; none goes beyond its size. ``adds`` has, for each word from the best to the last,
    what it adds to each counter. ``tie`` is said if one round fills several.
    """

    __slots__ = ()
    value = Climbed

    @property
    def start(self) -> Climbed:
        """The value before the first round."""
        return self._at((0,) * len(self.counters), 0)

    def after(self, so_far: Climbed, reach: Reach) -> Climbed:
        """The value after one more round."""
        adds = self.adds[self.reading.bands.ranks[reach.word]]
        at = [min(end + more, size) for end, more, (_, size) in zip(so_far.ends, adds, self.counters, strict=True)]
        return self._at(tuple(at), so_far.rounds + 1)

    def _at(self, ends: tuple[int, ...], rounds: int) -> Climbed:
        first = self._first([end == size for end, (_, size) in zip(ends, self.counters, strict=True)])
        return Climbed({"ends": ends, "first": first, "rounds": rounds})

    def _first(self, full: Iterable[bool]) -> str:
        """The counter that is full, by name; nothing while there is none."""
        names = [name for (name, _), is_full in zip(self.counters, full, strict=True) if is_full]
        return self.tie if len(names) > 1 else "".join(names)

    def read(self, faces: Faces) -> Climbed:
        """All parts; each wave is a round."""
        climbed = self.start
        for wave in faces[0]:
            climbed = self.after(climbed, self.reading.read(((wave,),)))
        return climbed

    def odds_of(self, parts: tuple[str, ...], pool: Pool, up_to: int) -> Distribution[Any]:
        """The exact odds of some parts together; rounds that add nothing are waited out where one part is asked."""
        from astragal.dice.solver.climb import Climb

        words = self.reading.odds_of(("word",), pool, 0)
        climb = Climb(tuple([size for _, size in self.counters]), zip(self.adds, words.weights.values(), strict=True))
        if parts == ("first",):
            return climb.full().map(self._first)
        if len(parts) == 1:
            return climb.ends() if parts == ("ends",) else climb.rounds(up_to)
        look = looked_at(parts)
        return climb.ends_and_rounds().map(lambda end: look(self._at(*end)))

    def moving(self, pool: Pool) -> Fraction:
        """The chance that a round adds anything to a counter."""
        words = self.reading.odds_of(("word",), pool, 0)
        return sum([words[word] for word, adds in zip(words, self.adds, strict=True) if any(adds)], Fraction(0))
