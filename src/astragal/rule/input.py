"""Inputs: what an ask takes, each declared once with its bounds, help text and rule.

Command-line options, JSON schemas, guided questions and refusals come from the declaration. ``check`` takes a value;
``read`` takes what a person or a program wrote.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from astragal.errors import Illegal, Refusal

REQUIRED: Any = object()
"""The default of an input that has none."""


class Input(ABC):
    """Base of all inputs. ``guided``: a guided roll asks for it although it has a default."""

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
        """Whether the input has no default."""
        return self.default is REQUIRED

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What is allowed, as the end of a sentence."""

    def bounds(self) -> dict[str, Any]:
        """What is allowed, as data."""
        return {}

    @abstractmethod
    def check(self, value: Any) -> Any:
        """The value if it is within bounds; otherwise a refusal."""

    def read(self, written: Any) -> Any:
        """The checked value of texts from a command line, or of a JSON value."""
        return self.check(self.parse(_texts(written)) if _is_text(written) else written)

    @abstractmethod
    def parse(self, texts: list[str]) -> Any:
        """The value of texts; the last one wins unless the input repeats."""

    def refusal(self, value: object, how: type[Refusal] = Illegal) -> Refusal:
        """The refusal that says what was given and what is allowed."""
        shown = f'"{value[:40]}"' if isinstance(value, str) else repr(value)[:40]
        return how(f"{self.option} is {shown}; {self.allowed}.", self.rule)


def _is_text(written: object) -> bool:
    if type(written) is int:
        return False
    return isinstance(written, str) or (isinstance(written, list) and set(map(type, written)) == {str})


def _texts(written: str | Iterable[str]) -> list[str]:
    return [written] if isinstance(written, str) else list(written)
