"""Events: what happened, in the past tense. Only they are stored; everything else follows from them.

``audience`` says who may learn of an event: empty means everybody, ``gm`` the GMs, and
a member's id that member and the GMs. A finished roll is shown from its events alone, whatever
the rules say by then; fields that entries of version 1 lack are optional (see ``upcast``).
"""

from __future__ import annotations

from typing import Any, TypeAlias, Union

from astragal.table.base_event import BaseEvent
from astragal.table.roll_event import (
    Answered,
    Asked,
    Assisted,
    Built,
    Covered,
    Described,
    DieLaid,
    DieTold,
    MoveThrown,
    Opened,
    Revealed,
    Thrown,
    Told,
    Withdrawn,
)

__all__ = [
    "Answered",
    "Asked",
    "Assisted",
    "BaseEvent",
    "Built",
    "Covered",
    "Described",
    "DieLaid",
    "DieTold",
    "Event",
    "MoveThrown",
    "Opened",
    "Revealed",
    "Thrown",
    "Told",
    "Withdrawn",
]

TurnTold: TypeAlias = tuple[str, str, str, bool]
"""A place in the turn order: id, name, character, whether it is secret."""


class Founded(BaseEvent, frozen=True):
    """The table was made, for one game with its options."""

    game: str
    title: str
    options: dict[str, Any] = {}


class Joined(BaseEvent, frozen=True):
    """Somebody sat down."""

    member: str
    name: str
    role: str


class Seated(BaseEvent, frozen=True):
    """A member's role or name changed; ``gone`` is a role too."""

    member: str
    role: str
    name: str


class SettingChanged(BaseEvent, frozen=True):
    """A setting of the table changed: who may type dice."""

    typed_dice: str


class Created(BaseEvent, frozen=True):
    """A character came to the table; ``seen`` says who sees it."""

    holder: str
    name: str
    owner: str
    sheet: dict[str, dict[str, dict[str, Any]]]
    seen: str = "all"
    kind: str = "character"
    free: bool = False


class Held(BaseEvent, frozen=True):
    """A character's name, owner or visibility changed; a ``free`` one may be taken over by any player."""

    holder: str
    name: str
    owner: str
    seen: str
    free: bool = False


class Retired(BaseEvent, frozen=True):
    """A character left the table."""

    holder: str


class Changed(BaseEvent, frozen=True):
    """An item of a sheet was added or removed, or one field of it changed by or to something."""

    holder: str
    section: str
    item: str
    field: str = ""
    by: int | None = None
    to: Any = None
    cause: str = ""
    rule: str = ""
    of: str = ""
    """The roll that it came of, if any."""


class Veiled(BaseEvent, frozen=True):
    """It became known that an item exists, and nothing else about it."""

    holder: str
    section: str
    item: str


class Filled(BaseEvent, frozen=True):
    """A Clock filled."""

    holder: str
    section: str
    item: str
    beats: str = ""


class SceneOpened(BaseEvent, frozen=True):
    """A scene began; what belonged to the previous one is gone, but for the sections in ``keeps``."""

    title: str
    keeps: list[str] = []


class SceneClosed(BaseEvent, frozen=True):
    """The scene ended."""


class Turned(BaseEvent, frozen=True):
    """The turn order is this now, or still the same, and it is the turn of the place with this id; nobody ends it."""

    order: list[TurnTold] | None = None
    now: str = ""
    round: int = 1
    name: str = ""
    """What the one is called whose turn it is."""
    who: str = ""
    """Their id, if they have a sheet."""


class Saved(BaseEvent, frozen=True):
    """What is put into a roll was saved under a name, for a character or the table; with no ``kind``, removed."""

    holder: str
    name: str
    kind: str = ""
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}


class Requested(BaseEvent, frozen=True):
    """A GM asked characters for a roll; an event for each audience names those of them that it may know."""

    request: str
    by: str
    kind: str
    title: str
    who: list[str]
    seen: str = "all"
    note: str = ""
    against: str = ""
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    hidden: list[str] = []


class Concealed(BaseEvent, frozen=True):
    """The inputs of a request that only GMs know."""

    request: str
    inputs: dict[str, Any]


class Excused(BaseEvent, frozen=True):
    """These characters need not roll any more, for a request that was made to them."""

    request: str
    who: list[str]


class Noted(BaseEvent, frozen=True):
    """A sentence for the log; ``said`` by a person, or by the rules."""

    text: str
    rule: str = ""
    said: bool = False


class Struck(BaseEvent, frozen=True):
    """Entries of the log were undone, the earliest of them at version ``since``."""

    entries: list[str]
    since: int


class Restored(BaseEvent, frozen=True):
    """Undone entries were redone, the earliest of them at version ``since``."""

    entries: list[str]
    since: int


class UndoneDiceKept(BaseEvent, frozen=True, tag="Spared"):
    """The dice of undone throws are kept for the same throw: versions and faces by mark, and who typed them.

    None drops them.
    """

    dice: dict[str, list[tuple[Any, ...]] | None]


Event: TypeAlias = Union[
    Founded, Joined, Seated, SettingChanged, Created, Held, Retired, Changed, Veiled, Filled, SceneOpened, SceneClosed,
    Turned, Saved, Requested, Concealed, Excused,
    Opened, Built, Assisted, Asked, Thrown, Covered, Answered, Told, Described, Withdrawn, Noted, MoveThrown, Revealed,
    Struck, Restored, UndoneDiceKept,
]  # fmt: skip
