"""Parts: of a throw only that is read which a question needs.

A reading with parts has the odds of any of them together, by ``odds_of``. What a question needs is found by use: it
starts with the parts that it needed the last time, or with none, and starts again with one more wherever it asks for
one that was not read. That is sound as long as results are pure: in the pass that ends, nothing asked for more.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from astragal.errors import Malformed

if TYPE_CHECKING:
    from astragal.dice.dice import Pool
    from astragal.dice.distribution import Distribution

T = TypeVar("T")
P = TypeVar("P")


class Unread(BaseException):
    """A part of a throw was asked for that was not read.

    No ``Exception``: a game that catches those must not take it for a mistake of its own.
    """

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part


class Parts:
    """The parts read from a throw, one attribute each; an attribute that was not read raises ``Unread``.

    The annotations of a subclass are its parts. Two are equal if the same was read of them.
    """

    names: ClassVar[tuple[str, ...]] = ()
    __slots__ = ("__dict__",)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.names = (*cls.names, *cls.__annotations__)

    def __init__(self, read: dict[str, Any]) -> None:
        self.__dict__ = read

    @classmethod
    def made(cls, parts: tuple[str, ...], values: tuple[Any, ...]) -> Self:
        """The value with these parts."""
        return cls(dict(zip(parts, values, strict=True)))

    def __getattr__(self, name: str) -> Any:
        if name in type(self).names:
            raise Unread(name)
        raise AttributeError(name)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"


class PartReading(Generic[P]):
    """A reading whose value, a ``value``, can be read part by part; ``odds_of`` has the odds of some parts."""

    __slots__ = ()
    value: ClassVar[Any]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that can be read separately."""
        return self.value.names  # type: ignore[no-any-return]

    def made(self, parts: tuple[str, ...], values: tuple[Any, ...]) -> P:
        """The value with these parts."""
        return self.value.made(parts, values)  # type: ignore[no-any-return]

    @abstractmethod
    def odds_of(self, parts: tuple[str, ...], pool: Pool, up_to: int) -> Distribution[Any]:
        """The joint exact odds of these parts, from which ``looked_at`` takes them."""

    def odds(self, pool: Pool, up_to: int) -> Distribution[P]:
        """The exact odds of all parts together."""
        return self.odds_of(self.parts, pool, up_to).map(lambda values: self.made(self.parts, values))


def looked_at(parts: tuple[str, ...]) -> Callable[[Any], Any]:
    """Return what takes these parts out of a value: of one part what was read, of several a tuple."""
    return attrgetter(*parts) if parts else lambda value: ()


def by_need(solve: Callable[[frozenset[str]], T], known: frozenset[str] = frozenset()) -> tuple[T, frozenset[str]]:
    """Return what ``solve`` gives with the fewest parts that were found to be enough, and these parts."""
    while True:
        try:
            return solve(known), known
        except Unread as unread:
            if unread.part in known:
                raise Malformed(f'The part "{unread.part}" was read, and is missing where it is used.') from None
            known |= {unread.part}
