"""Dice with their modifiers: ``4d6r1!kh3``. ``str`` writes them so that they parse as the same again.

Modifiers apply in the order of the fields of ``DiceTerm``, however they were written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.notation.condition import Test

if TYPE_CHECKING:
    from astragal.notation.expression import Expression

FATE = "F"
FATE_VALUES = (-1, 0, 1)
PATTERNS = ("doubles", "widest", "pairs", "matches", "straight", "distinct")
"""Questions about equal and neighbouring dice, besides counts."""


class Reroll(NamedTuple):
    """Faces that are rerolled: at most ``times`` times, or until the die shows something else if ``times`` is 0."""

    test: Test
    times: int = 0

    def __str__(self) -> str:
        return f"r{'o' if self.times == 1 else ''}{self.test}{_times(self.times)}"


class Replace(NamedTuple):
    """The ``n`` lowest or highest dice are rerolled once: ``rl1``, ``rh1``."""

    highest: bool
    n: int

    def __str__(self) -> str:
        return f"r{'h' if self.highest else 'l'}{self.n}"


class Explode(NamedTuple):
    """Faces that earn one more die; ``times`` bounds how often in a row, 0 means without end.

    A compounding die adds up what it earns. Penetrating dice count one less than they show.
    """

    test: Test
    compound: bool = False
    penetrate: bool = False
    times: int = 0

    def __str__(self) -> str:
        if self.test == ("!=", self.test[-1]) and self == Explode(self.test, times=self.times) and self.times != 1:
            return f"x{self.test}{_times(self.times)}"  # "!!=" would compound.
        sign = f"!{'!' if self.compound else ''}{'p' if self.penetrate else ''}{'o' if self.times == 1 else ''}"
        return f"{sign}{self.test}{_times(self.times)}"


def _times(times: int) -> str:
    return f" {times} times" if times > 1 else ""


class Keep(NamedTuple):
    """One step of keeping or dropping: by rank (``kh3``), by a condition (``keep>=5``), or one of each (``unique``)."""

    kind: str
    n: int = 0
    test: Test | None = None

    def __str__(self) -> str:
        if self.kind == "unique":
            return " unique"
        return f" {self.kind}{self.test}" if self.test else f"{self.kind}{self.n}"


class Score(NamedTuple):
    """The number that dice add to a count if they meet a condition: 1, or −1 for failures."""

    by: int
    test: Test

    def __str__(self) -> str:
        return f" {'count' if self.by > 0 else 'fail'}{self.test}"


class Pick(NamedTuple):
    """Which dice or values are kept, and what is made of them: their sum, a count, or a pattern."""

    keeps: tuple[Keep, ...] = ()
    scores: tuple[Score, ...] = ()
    pattern: str = ""
    size: int = 0

    @property
    def adds(self) -> bool:
        """True if what is kept is added up."""
        return not self.scores and not self.pattern

    @property
    def tests(self) -> list[Test]:
        """The conditions by which values are counted and kept."""
        return [score.test for score in self.scores] + [keep.test for keep in self.keeps if keep.test is not None]

    def score(self, value: Any) -> int:
        """Return what a kept value adds to the count."""
        return sum([score.by * score.test.weight(value) for score in self.scores])

    def __str__(self) -> str:
        pattern = f" {self.pattern}{self.size or ''}" if self.pattern else ""
        return spaced([*map(str, self.keeps), *map(str, self.scores), pattern])


PLAIN = Pick()


def spaced(parts: list[str]) -> str:
    """Return the parts as one text; two words do not touch."""
    text = ""
    for part in parts:
        text += f" {part}" if text[-1:].isalpha() and part[:1].isalpha() else part
    return text


class Face(NamedTuple):
    """A face of a die of one's own: a number, a word, or a word that stands for a number."""

    value: int | str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.name}={self.value}" if self.name else str(self.value)


class DiceTerm(NamedTuple):
    """``n`` dice with their modifiers. Number and sides may be rolled themselves."""

    n: int | Expression
    sides: int | Expression
    faces: tuple[Face, ...] = ()
    fate: bool = False
    reroll: Reroll | None = None
    replace: Replace | None = None
    explode: Explode | None = None
    least: int | None = None
    most: int | None = None
    pick: Pick = PLAIN

    @property
    def die(self) -> str:
        """The name of a single die: ``d6``, ``dF``, ``d{0,1}``."""
        if self.faces:
            return "d{" + ",".join(map(str, self.faces)) + "}"
        return f"d{FATE if self.fate else self.sides}" if isinstance(self.sides, int) else f"d({self.sides})"

    def __str__(self) -> str:
        n = str(self.n) if isinstance(self.n, int) else f"({self.n})"
        limits = f"{_named('min', self.least)}{_named('max', self.most)}"
        changes = [str(change) for change in (self.reroll, self.replace, self.explode) if change]
        return spaced([f"{n}{self.die}", *changes, limits, str(self.pick)])

    def value_of(self, face: int) -> Any:
        """Return the value of a face, which is counted from 1, before ``min`` and ``max``."""
        if self.faces:
            return self.faces[face - 1].value
        return face + FATE_VALUES[0] - 1 if self.fate else face

    def limited(self, value: Any) -> Any:
        """Return a value raised to the least or lowered to the most that a die may count."""
        if self.least is not None and value < self.least:
            return self.least
        return self.most if self.most is not None and value > self.most else value

    def values(self) -> list[Any]:
        """Return the value of each face in order, for dice whose sides are known."""
        assert isinstance(self.sides, int)
        return [self.value_of(face) for face in range(1, self.sides + 1)]


def _named(name: str, limit: int | None) -> str:
    return "" if limit is None else f" {name}{limit}"
