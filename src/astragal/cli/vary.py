"""``--vary INPUT=A..B``: the same question for several values of one input, side by side."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from astragal.cli.parser import Option
from astragal.errors import Illegal, Malformed, Unknown
from astragal.rule.game import Kind
from astragal.rule.input import Input, parse_whole

MOST_COLUMNS = 12
"""Columns that a terminal has room for."""
VARY = Option("vary", "INPUT=A..B", f"a column for each value: edge=-2..2, again=10,9,8; {MOST_COLUMNS} at the most")


class Varied(NamedTuple):
    """An input, and the values that it takes in turn, as they were written."""

    input: Input
    texts: tuple[str, ...]

    @property
    def heads(self) -> list[str]:
        """A heading for each value."""
        return [f"{self.input.option} {text.replace('-', '−')}" for text in self.texts]


def vary(kind: Kind, given: Container[str], written: str) -> Varied:
    """The input and the values in ``edge=-2..2`` or ``again=10,9,8``; inputs that are given are refused."""
    name, equals, values = written.partition("=")
    if not equals or not values.strip():
        raise Malformed(f'"{written[:40]}" cannot be varied; write an input and its values, such as edge=-2..2.')
    input = _input(kind, name.strip().removeprefix("--").replace("-", "_"))
    if input.name in given:
        raise Malformed(f"{input.option} is given and varied as well; do one of them.")
    texts = tuple(_texts(input, values))
    if len(texts) > MOST_COLUMNS:
        raise Illegal(
            f"{input.option} is varied over more than {MOST_COLUMNS} values; at most {MOST_COLUMNS} are shown."
        )
    return Varied(input, texts)


def _input(kind: Kind, name: str) -> Input:
    inputs = kind.ask.inputs
    if name not in inputs:
        options = ", ".join(input.option for input in inputs.values())
        raise Unknown(f'There is no input "{name[:40]}" to vary here; there are {options}.')
    return inputs[name]


def _texts(input: Input, values: str) -> list[str]:
    """``-2..2`` counts up or down; otherwise commas separate the values."""
    first, dots, last = values.partition("..")
    if not dots:
        return list(dict.fromkeys(text.strip() for text in values.split(",")))
    low, high = parse_whole(first, input), parse_whole(last, input)
    step = 1 if low <= high else -1
    return [str(n) for n in range(low, high + step, step)[: MOST_COLUMNS + 1]]
