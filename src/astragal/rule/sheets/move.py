"""Moves as functions: what a function takes besides the participants are the inputs of the move.

::

    @move(TEXTS, "CD-13")
    def give_up(participants: Participants, task: str | None = words(default=None)) -> Iterator[Change]:
        ...

    TABLE_RULES = TableRules(moves=(give_up,))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from astragal.rule.inputs.ask import Ask
from astragal.rule.sheets.table_rules import Move, Participants
from astragal.rule.texts import Texts


def move(texts: Texts, rule: str, *, name: str = "", **more: Any) -> Callable[[Callable[..., Iterable[Any]]], Move]:
    """Make a move of a function, with its words in the section of its name; ``more`` are further parts of a ``Move``.

    ``name`` is what the move is called if that is not the function's name.
    """

    def made(does: Callable[..., Iterable[Any]]) -> Move:
        code, defaults = does.__code__, does.__defaults__
        inputs = dict(zip(code.co_varnames[1 : code.co_argcount], defaults or (), strict=True))
        ask = type(code.co_name, (Ask,), {**inputs, "__doc__": does.__doc__}, texts=texts.of(code.co_name))

        def done(ask: Ask, participants: Participants) -> Iterable[Any]:
            return does(participants, **{each: getattr(ask, each) for each in inputs})

        return Move(name or code.co_name, ask=ask, does=done, rule=rule, **more)

    return made
