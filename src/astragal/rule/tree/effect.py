"""Effects: what a roll changes, by role. Sheets and reports both follow from them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

Role: TypeAlias = str
"""A part in a roll, independent of who plays it at a table.

``roller``, ``player`` (the member whose character rolls), ``target``, ``helper 1`` and so on, ``their helper 1`` and so
on (the target's), ``scene``, ``table`` or ``gm``.
"""


def is_theirs(role: Role) -> bool:
    """Return True for the other side: its leader, or one of its helpers."""
    return role == "target" or role.startswith("their ")


class Effect(NamedTuple):
    """``what`` of ``who`` changes by ``by``: the player's ip by +1, the target's resolve by 2 ticks.

    ``who``, ``what`` and ``name`` are a path: a role, a section of that one's sheet, and an item in it, where there are
    several. ``when`` says when it happens: as the dice are thrown, when they
    have fallen, with an answer, or when the roll ends. An effect of a throw is a price; at a table, the offers in the
    roll pay it.
    """

    what: str
    who: Role
    by: int = 0
    name: str = ""
    rule: str = ""
    when: Literal["throw", "fallen", "answer", "end"] = "end"
    cause: str = ""
    """Why, for the log; ``{who}`` stands for whose sheet it is, ``{roller}`` for who rolls."""
    price: bool = False
    """True if it is a cost also where it counts up, such as stress, or comes with the outcome, as the dice fall."""
    to: Any = None
    """A value to which the item is set, or the fields of an item that is put in, in place of ``by``."""

    @property
    def cost(self) -> int:
        """Its cost: the amount that it takes away, or that a price adds."""
        return abs(self.by) if self.price else max(0, -self.by)
