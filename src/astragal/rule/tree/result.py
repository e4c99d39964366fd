"""Results whose fields are worked out on demand: what no question asks of the dice is never read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar, overload

T = TypeVar("T")


class field(Generic[T]):  # noqa: N801
    """A field that follows from the others; worked out once, when it is first asked for, and without a lock."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, result: None, owner: type) -> field[T]: ...
    @overload
    def __get__(self, result: object, owner: type) -> T: ...
    def __get__(self, result: object | None, owner: type) -> T | field[T]:
        if result is None:
            return self
        value = self.make(result)
        result.__dict__[self.name] = value
        return value


class Fields:
    """A result: its fields are methods marked ``field``, and annotated attributes with a default, in their order.

    It behaves like a named tuple of them: two with equal fields are equal, and ``_asdict`` and ``_replace`` are there.
    What ``__init__`` keeps besides is not shown.
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _worked_out: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own, annotated = cls.__dict__, cls.__annotations__
        cls._worked_out |= {name for name, value in own.items() if isinstance(value, field)}
        cls._fields = (*cls._fields, *(name for name in own if name in cls._worked_out or name in annotated))

    def _values(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self._fields])

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self._values(), strict=True))

    def _replace(self: T, **changes: Any) -> T:
        """The same with other values of fields that are not worked out; those that are, are worked out again."""
        made = object.__new__(type(self))
        kept = {name: value for name, value in self.__dict__.items() if name not in self._worked_out}  # type: ignore[attr-defined]
        made.__dict__.update({**kept, **changes})
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._values() == other._values()

    def __lt__(self, other: Any) -> bool:
        return bool(self._values() < other._values())

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"
