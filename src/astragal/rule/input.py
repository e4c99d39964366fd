"""Inputs: what an ask takes, each declared once with its bounds, its help and its rule.

Command-line options, the listing for programs, a guided question and every refusal
come from the declaration. ``check`` takes a value, ``read`` what a person or a
program wrote.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from astragal.errors import Illegal, Refusal

REQUIRED: Any = object()


class Input(ABC):
    """What every kind of input has."""

    kind = "input"
    metavar = ""
    repeats = False
    name = ""

    def __init__(self, help: str, default: Any = REQUIRED, rule: str = "", guided: bool = False) -> None:
        self.help = help
        self.default = default
        self.rule = rule
        self.guided = guided or default is REQUIRED

    @property
    def option(self) -> str:
        """The name as it is written on a command line."""
        return self.name.replace("_", "-")

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What is allowed, to end a sentence with."""

    def bounds(self) -> dict[str, Any]:
        """What is allowed, for a program."""
        return {}

    @abstractmethod
    def check(self, value: Any) -> Any:
        """The value, if it is within bounds."""

    def read(self, written: Any) -> Any:
        """The value of what was written: texts from a command line, or a JSON value."""
        return self.check(self.parse(_texts(written)) if _is_text(written) else written)

    @abstractmethod
    def parse(self, texts: list[str]) -> Any:
        """The value of a text; the last one wins unless the input repeats."""

    def refusal(self, value: object, how: type[Refusal] = Illegal) -> Refusal:
        shown = f'"{value[:40]}"' if isinstance(value, str) else repr(value)[:40]
        return how(f"{self.option} is {shown}; {self.allowed}.", self.rule)


def _is_text(written: object) -> bool:
    if type(written) is int:
        return False
    return isinstance(written, str) or (isinstance(written, list) and set(map(type, written)) == {str})


def _texts(written: str | Iterable[str]) -> list[str]:
    return [written] if isinstance(written, str) else list(written)
