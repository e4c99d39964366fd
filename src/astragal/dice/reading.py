"""Readings: what a rule wants to know about a throw.

A reading turns faces into a value. Besides, each class says *how* the value comes about
(a sum over dice, an automaton over faces, a walk from die to die), which lets the
solver compute exact odds without enumerating all throws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from astragal.dice.dice import NO_FACES, Faces, Pool, every_face
from astragal.dice.parts import PartReading, Parts

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution

V_co = TypeVar("V_co", covariant=True)
V = TypeVar("V")
S = TypeVar("S")


class Reading(Protocol[V_co]):
    """Anything with ``read``. Optionally ``odds(pool, up_to)`` returns the value's exact distribution.

    A reading whose value has ``parts`` may name them: ``odds_of(parts, pool, up_to)`` returns the distribution of some
    of them, as tuples, or of a single one by itself; ``made(parts, values)`` the value in which these were read.
    """

    def read(self, faces: Faces) -> V_co:
        """Return the value of these faces."""
        ...


class Tally(NamedTuple):
    """Counts the dice that show a face in ``counting``, rerolls included."""

    counting: frozenset[int]

    def read(self, faces: Faces) -> int:
        """The number of faces that count."""
        return sum(face in self.counting for waves in faces for wave in waves for face in wave)

    def odds(self, pool: Pool, up_to: int) -> Distribution[int]:
        """The exact odds of each number."""
        from astragal.dice.solver.readings import tally_odds

        return tally_odds(self.counting, pool, up_to)


class Face(NamedTuple):
    """Reads the last face of a single die."""

    def read(self, faces: Faces) -> int:
        """The face of the last wave."""
        return faces[0][-1][0]

    def odds(self, pool: Pool, up_to: int) -> Distribution[int]:
        """The exact odds of each face."""
        from astragal.dice.solver.readings import face_odds

        return face_odds(pool)


class Shown(NamedTuple):
    """Reads the faces of a handful of dice as they lie. It has no odds of its own: no roll asks for those alone."""

    def read(self, faces: Faces) -> tuple[int, ...]:
        """The faces of the first wave, in order."""
        return tuple(faces[0][0])


class Kept(NamedTuple):
    """The value of a ``Keep``: the sum of the kept dice, and whether all dice thrown show a face in its ``every``."""

    total: int
    every: bool


class Keep(NamedTuple):
    """Keeps the ``n`` best or worst dice and adds them up.

    ``every`` are faces of interest: ``frozenset({1})`` tells throws of nothing but 1s apart.
    """

    n: int
    best: bool = True
    every: frozenset[int] = NO_FACES

    def read(self, faces: Faces) -> Kept:
        """The sum of the kept faces, and whether every die shows one of ``every``."""
        n, best, every = self
        ranked = sorted(faces[0][0])
        kept = ranked[-n:] if best else ranked[:n]
        return Kept(sum(kept), every.issuperset(ranked) if every else False)

    def odds(self, pool: Pool, up_to: int) -> Distribution[Kept]:
        """The exact odds of each such pair."""
        from astragal.dice.solver.readings import keep_odds

        return keep_odds(self, pool)


Place: TypeAlias = Literal["highest", "neither", "lowest"]
"""Where a single die stands among others."""


class Handful(Parts, Generic[V]):
    """A handful of dice and a single die beside it, as far as they were read.

    ``count`` is of all dice, ``others`` of the handful alone. An empty handful has 0 as its ``lowest`` and ``highest``
    face. ``single`` is the face of the single die, ``place`` where it stands, ``meaning`` what its face means.
    """

    count: int
    others: int
    lowest: int
    highest: int
    single: int
    place: Place
    meaning: V
    __slots__ = ("_reading", "_wanted")

    def __init__(self, reading: Beside[V], read: dict[str, Any], wanted: Iterable[str] = ()) -> None:
        super().__init__(read)
        self._reading = reading
        self._wanted = tuple(wanted or read)

    @property
    def alone(self) -> Handful[V]:
        """The handful without the single die, which is thrown again."""
        kept = {name: value for name, value in self.__dict__.items() if name in ("others", "lowest", "highest")}
        return Handful(self._reading, kept, self._wanted)

    def beside(self, face: int) -> Handful[V]:
        """The handful with a single die that shows this face."""
        return self._made(
            count=lambda: self.others + (face in self._reading.counting),
            others=lambda: self.others,
            lowest=lambda: self.lowest,
            highest=lambda: self.highest,
            single=lambda: face,
            place=lambda: place_of(face, self.lowest, self.highest),
            meaning=lambda: self._reading.means(face),
        )

    def joined(self, face: int) -> Handful[V]:
        """The same with one more die in the handful."""
        counts = face in self._reading.counting
        return self._made(
            count=lambda: self.count + counts,
            others=lambda: self.others + counts,
            lowest=lambda: min(self.lowest or face, face),
            highest=lambda: max(self.highest, face),
            single=lambda: self.single,
            place=lambda: place_of(self.single, min(self.lowest or face, face), max(self.highest, face)),
            meaning=lambda: self.meaning,
        )

    def _made(self, **parts: Callable[[], Any]) -> Handful[V]:
        return Handful(self._reading, {name: parts[name]() for name in self._wanted})


def place_of(face: int, lowest: int, highest: int) -> Place:
    """Where a single die stands: above all others, below all, or neither, as where it ties or is alone."""
    if not highest:
        return "neither"
    return "highest" if face > highest else "lowest" if face < lowest else "neither"


class _Beside(NamedTuple, Generic[V]):
    counting: frozenset[int]
    means: Callable[[int], V]


class Beside(PartReading[Handful[V]], _Beside[V]):
    """Reads a handful of dice and a single die: how many count, where the single one stands, what its face means.

    It counts all dice that show a face in ``counting``. The single one is ``highest`` if it is above all others,
    ``lowest`` if it is below all, and ``neither`` where it ties or is alone. ``means(face)`` is what a face of the
    single die means; faces that mean the same are told apart only where a question looks at them.
    """

    __slots__ = ()
    value = Handful

    def read(self, faces: Faces) -> Handful[V]:
        """All parts."""
        dice, single = faces[0][0], faces[1][0][0]
        others = sum([face in self.counting for face in dice])
        lowest, highest = min(dice, default=0), max(dice, default=0)
        count, place = others + (single in self.counting), place_of(single, lowest, highest)
        return self.made(Handful.names, (count, others, lowest, highest, single, place, self.means(single)))

    def made(self, parts: tuple[str, ...], values: tuple[Any, ...]) -> Handful[V]:
        """The value in which these parts were read."""
        return Handful(self, dict(zip(parts, values, strict=True)))

    def odds_of(self, parts: tuple[str, ...], pool: Pool, up_to: int) -> Distribution[Any]:
        """The exact odds of some parts together."""
        from astragal.dice.solver.readings import beside_odds

        return beside_odds(self.counting, self.means, parts, pool)


class Added(NamedTuple):
    """Adds up what each face is worth; ``worth`` has a number for each face of each kind of dice in the pool."""

    worth: tuple[tuple[int, ...], ...]

    def read(self, faces: Faces) -> int:
        """The sum of what the faces are worth, rerolls included."""
        return sum(
            worth[face - 1] for worth, waves in zip(self.worth, faces, strict=True) for face in every_face(waves)
        )

    def odds(self, pool: Pool, up_to: int) -> Distribution[int]:
        """The exact odds of each sum."""
        vectors = tuple(tuple((worth,) for worth in die) for die in self.worth)
        return Symbols(vectors).odds(pool, up_to).map(lambda value: value[0])


class Symbols(NamedTuple):
    """Adds up several things together: hits, shields, stars. ``worth`` has a vector for each face of each kind of dice.

    All vectors have the same length, and so has the value.
    """

    worth: tuple[tuple[tuple[int, ...], ...], ...]

    def read(self, faces: Faces) -> tuple[int, ...]:
        """The sum of the faces' vectors, rerolls included."""
        shown = [worth[face - 1] for worth, waves in zip(self.worth, faces, strict=True) for face in every_face(waves)]
        return tuple([sum(column) for column in zip(self._zero, *shown, strict=True)])

    @property
    def _zero(self) -> tuple[int, ...]:
        return (0,) * len(self.worth[0][0])

    def odds(self, pool: Pool, up_to: int) -> Distribution[tuple[int, ...]]:
        """The exact odds of each sum; refused for dice that are thrown again without end."""
        from astragal.dice.solver.readings import symbol_odds

        return symbol_odds(self.worth, self._zero, pool)


class Walk(NamedTuple, Generic[S]):
    """Goes from die to die in order: ``step(state, place, face)`` returns the next state."""

    start: S
    step: Callable[[S, int, int], S]

    def read(self, faces: Faces) -> S:
        """The state after the last die."""
        state = self.start
        for place, face in enumerate(every_face(faces[0])):
            state = self.step(state, place, face)
        return state

    def odds(self, pool: Pool, up_to: int) -> Distribution[S]:
        """The exact odds of each final state."""
        from astragal.dice.solver.readings import walk_odds

        return walk_odds(self.start, self.step, pool)


class Scored(NamedTuple, Generic[S, V_co]):
    """Compares handfuls of dice from the highest face down: ``step(state, counts)`` returns a state and points.

    A step depends on how many dice of each handful show a face, not on the face. Points only add up. In a state of
    ``settled``, lower faces change nothing more. The value is what ``makes(state, points)`` makes of the end.
    """

    start: S
    step: Callable[[S, tuple[int, ...]], tuple[S, int]]
    makes: Callable[[S, int], V_co]
    settled: frozenset[S] = frozenset()
    known: tuple[int, ...] | None = None
    """Faces of the first handful, if it was thrown before: only the others are read."""

    def given(self, faces: tuple[int, ...], makes: Callable[[S, int], V] | None = None) -> Scored[S, V]:
        """The same reading once the first handful shows these faces."""
        return Scored(self.start, self.step, makes or self.makes, self.settled, faces)  # type: ignore[arg-type]

    def read(self, faces: Faces) -> V_co:
        """The state after the lowest face, with the points on the way to it."""
        shown = [every_face(waves) for waves in faces]
        if self.known is not None:
            shown.insert(0, self.known)
        state, points = self.start, 0
        for face in sorted(set().union(*shown), reverse=True):
            if state in self.settled:
                break
            state, more = self.step(state, tuple([dice.count(face) for dice in shown]))
            points += more
        return self.makes(state, points)

    def odds(self, pool: Pool, up_to: int) -> Distribution[V_co]:
        """The exact odds of each end."""
        from astragal.dice.solver.readings import scored_odds

        return scored_odds(self, pool).map(lambda end: self.makes(*end))
