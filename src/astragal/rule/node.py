"""The three nodes that every rule is made of: a throw, a choice, an outcome.

A tree knows nothing about where faces and answers come from. It is a value: to play
it, to compute its odds and to explain it are different walks over the same tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, Union

from astragal.dice.dice import Faces, Pool
from astragal.dice.reading import Reading
from astragal.rule.effect import Effect, Role
from astragal.rule.note import Note, Telling

R = TypeVar("R")
V = TypeVar("V")


class Outcome(NamedTuple, Generic[R]):
    """What happened: the game's own result, its effects on the table, and why."""

    result: R
    effects: tuple[Effect, ...] = ()
    tell: Callable[[], Iterable[Note]] = tuple


class Throw(NamedTuple, Generic[V, R]):
    """Throw these dice, read the faces this way, go on with ``then(reading)``."""

    pool: Pool
    reading: Reading[V]
    then: Callable[[V], Node[R]]
    tell: Callable[[Faces], Telling]
    title: str = ""
    by: Role = "roller"
    """Who throws these dice."""
    enough: int | None = None
    """For a count without end: from here on, more makes no difference but to the number that is shown."""


class Lazy(NamedTuple, Generic[R]):
    """A node still to be made. Two are equal when the same rule would be asked the same."""

    make: Callable[..., Node[R]]
    args: tuple[Any, ...] = ()

    def node(self, *more: object) -> Node[R]:
        return self.make(*self.args, *more)


class Option(NamedTuple, Generic[R]):
    """One answer to a choice.

    ``effects`` happen with the answer. ``words`` names what is put into words with it; ``needs`` makes them a must.
    """

    label: str
    then: Lazy[R]
    rule: str = ""
    effects: tuple[Effect, ...] = ()
    words: str = ""
    needs: bool = True

    @property
    def cost(self) -> int:
        """What the answer costs: all that its effects take away."""
        return -sum([effect.by for effect in self.effects if effect.by < 0])


class Barred(NamedTuple):
    """An answer that the rules do not allow here, and why not."""

    why: str
    rule: str = ""


class Choice(NamedTuple, Generic[R]):
    """Somebody decides. ``so_far`` is the result if nothing more is done.

    ``rest`` names the option that lets things stand, where there is one.
    """

    name: str
    by: str
    question: str
    options: Mapping[str, Option[R]]
    so_far: R
    rest: str = ""
    barred: Mapping[str, Barred] = {}
    tell: Callable[[], Iterable[Note]] = tuple


Node: TypeAlias = Union[Throw[Any, R], Choice[R], Outcome[R], Lazy[R]]


def lazy(make: Callable[..., Node[R]], *args: object) -> Lazy[R]:
    """``make(*args)``, but not before somebody needs it."""
    return Lazy(make, args)
