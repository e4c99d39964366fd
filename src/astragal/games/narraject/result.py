"""The result of a roll: degree, reading of the Step Die, IP and complications (NJ-7 to NJ-12, NJ-15)."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from astragal.author import Fields, field
from astragal.games.narraject.pool import PoolSummary

if TYPE_CHECKING:
    from astragal.games.narraject.attempt import Attempt

Degree = Literal[
    "triumph",
    "strong",
    "solid",
    "success",
    "partial_success",
    "near_miss",
    "clear_failure",
    "catastrophic_failure",
]
"""From best to worst (NJ-8, NJ-9)."""
Position = Literal["highest", "neither", "lowest"]
"""From best to worst: the rolling side gains IP, neither does, the other side does (NJ-10)."""
BROUGHT = {"catastrophic_failure": "NJ-9.brings", "partial_success": "NJ-13.brings"}
"""The degrees that bring a complication, by the key of the reason."""
IP_FOR = {
    "player": {"highest": (1, 0), "lowest": (0, 1), "neither": (0, 0)},
    "gm": {"highest": (0, 1), "lowest": (0, 0), "neither": (0, 0)},
}
"""The IP that player and GM gain, by who rolls and how the Step Die stands (NJ-10, NJ-15)."""


class Result(Fields):
    """The result of a roll; the IP are those gained, ``ip_left`` those left of the IP held.

    ``cost`` is what an accepted offer of the GM's costs, in words; at a cost or ``bought``, it is a partial success.
    """

    def __init__(self, ask: Attempt, dice: PoolSummary, ip: int, bought: bool = False, cost: str | None = None) -> None:
        self.ask = ask
        self.dice = dice
        self.ip_left = ip
        self.bought = bought
        self.cost = cost

    @field
    def marks(self) -> int:
        """Marks of all dice, the Step Die included (NJ-4)."""
        return self.dice.count

    difficulty = field(attrgetter("ask.difficulty"))
    """The number of successes needed (NJ-7)."""

    @field
    def margin(self) -> int:
        """Marks above the Difficulty."""
        return self.marks - self.ask.difficulty

    @field
    def success(self) -> bool:
        """True if there are as many Marks as the Difficulty asks for (NJ-7)."""
        return self.margin >= 0

    @field
    def degree(self) -> Degree:
        """The degree of the roll; a success may be bought (NJ-13) or offered (NJ-9)."""
        return "partial_success" if self.bought or self.cost is not None else self.rolled

    @field
    def position(self) -> Position:
        """Where the Step Die stands among the d6s; a tie is neither, and so is a Step Die alone (NJ-10)."""
        return self.dice.place

    @field
    def player_ip(self) -> int:
        """The IP that the player gains (NJ-10, NJ-15)."""
        return IP_FOR[self.ask.side][self.position][0]

    @field
    def gm_ip(self) -> int:
        """The IP that the GM gains (NJ-10, NJ-15)."""
        return IP_FOR[self.ask.side][self.position][1]

    @field
    def complications(self) -> int:
        """The number of complications that the GM is owed (NJ-12)."""
        return len(list(self.owed))

    @field
    def ip_spent(self) -> int:
        """The IP that the roll has cost so far (NJ-13)."""
        return self.ask.ip - self.ip_left

    ip_left: int = 0
    cost: str | None = None

    edition = field(attrgetter("ask.edition"))
    """By which edition dice count (NJ-4)."""

    side = field(attrgetter("ask.side"))
    """Whose character rolls (NJ-15)."""

    @property
    def rolled(self) -> Degree:
        """The degree by the dice alone (NJ-8, NJ-9)."""
        margin = self.margin
        if margin >= 0:
            return "triumph" if margin >= 5 else "strong" if margin >= 3 else "solid" if margin >= 1 else "success"
        if self.marks == 0:
            return "catastrophic_failure"
        return "near_miss" if margin >= -2 else "clear_failure"

    @property
    def owed(self) -> Iterator[str]:
        """Why the GM is owed a complication, by key; they stand side by side (NJ-12).

        One for a catastrophe (NJ-9) or a bought success (NJ-13), one for a Step Die of 1 or 2 (NJ-11), none to the GM
        who rolls (NJ-15). An accepted offer takes none back.
        """
        if self.ask.side == "gm":
            return
        degree = "partial_success" if self.bought else self.rolled
        if degree in BROUGHT:
            yield BROUGHT[degree]
        if self.dice.meaning:
            yield "NJ-11.brings"
