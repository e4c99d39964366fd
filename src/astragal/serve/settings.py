"""Settings: what a server may be told, each with a value that is right for a group at home."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from astragal.repository.stored_table import now
from astragal.table.decide.context import Roller, machine


class Rate(NamedTuple):
    """So many a second on the long run, and so many at once."""

    per_second: float
    burst: float


def any_dice(key: str) -> Roller:
    """The machine's dice, whatever the action's key is."""
    return machine


class Settings(NamedTuple):
    """How a server behaves. Clock and dice are here so that a test can have the same ones twice."""

    secure: bool = False
    """Cookies are for https only, whatever the request says."""
    actions: Rate = Rate(30, 60)
    """For each member."""
    reads: Rate = Rate(40, 120)
    """For each member."""
    questions: Rate = Rate(20, 80)
    """For each address, without a seat: rolls, odds, advice."""
    foundings: Rate = Rate(0.2, 20)
    """For each address: new tables."""
    sittings: Rate = Rate(1, 40)
    """For each address: tokens tried."""
    ping_every: float = 20
    silence: float = 60
    """A socket that says nothing for so long is gone."""
    patience: float = 10
    """A socket that takes nothing for so long is cut off."""
    poll_every: float = 1
    """How often watched tables are looked at for what other programs did."""
    keep_idle: float = 60
    """A table that nobody looks at stays open for so long."""
    clock: Callable[[], int] = now
    dice: Callable[[str], Roller] = any_dice


UNLIMITED = Rate(1e9, 1e9)
