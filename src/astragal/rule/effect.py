"""Effects: what an outcome changes on the table."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Role: TypeAlias = str
"""Who takes part in a roll, whoever that is at a table.

``roller``, ``player`` (whose character rolls), ``target``, ``helper 1`` and on, ``scene``, ``table`` or ``gm``.
"""


class Effect(NamedTuple):
    """``what`` of ``who`` changes by ``by``: the player's ip by +1, the target's resolve by 2 ticks."""

    what: str
    who: str
    by: int
    name: str = ""
    rule: str = ""
