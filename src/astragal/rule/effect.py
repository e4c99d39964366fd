"""Effects: what a roll changes, in the words of its roles. They are the only account of it."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Role: TypeAlias = str
"""A part in a roll, whoever has it at a table.

``roller``, ``player`` (whose character rolls), ``target``, ``helper 1`` and on, ``scene``, ``table`` or ``gm``.
"""


class Effect(NamedTuple):
    """``what`` of ``who`` changes by ``by``: the player's ip by +1, the target's resolve by 2 ticks.

    ``name`` says which one, where there are several. ``when`` it happens: as the dice are thrown, with an answer,
    or when the roll ends. What happens with a throw is a price; at a table the offers put in pay it.
    """

    what: str
    who: Role
    by: int
    name: str = ""
    rule: str = ""
    when: Literal["throw", "answer", "end"] = "end"
    cause: str = ""
