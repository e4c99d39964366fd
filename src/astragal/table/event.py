"""Events: what happened, in the past tense. They are all that is kept; everything else follows from them.

``audience`` says who may learn of an event: nobody named is everybody, ``gm`` the GMs, and
a member's id that member and the GMs.
"""

from __future__ import annotations

from typing import Any, TypeAlias, Union

import msgspec
from msgspec import Struct


class BaseEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", forbid_unknown_fields=True, gc=False
):
    """What every event has."""

    audience: str = msgspec.field(default="", name="only")


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


class Created(BaseEvent, frozen=True):
    """A character came to the table; ``seen`` says who sees it."""

    holder: str
    name: str
    owner: str
    sheet: dict[str, dict[str, dict[str, Any]]]
    seen: str = "all"
    kind: str = "character"


class Held(BaseEvent, frozen=True):
    """A character's name, owner or visibility changed."""

    holder: str
    name: str
    owner: str
    seen: str


class Retired(BaseEvent, frozen=True):
    """A character left the table."""

    holder: str


class Changed(BaseEvent, frozen=True):
    """An item of a sheet was put there, taken away, or one field of it changed by or to something."""

    holder: str
    section: str
    item: str
    field: str = ""
    by: int | None = None
    to: Any = None
    cause: str = ""
    rule: str = ""


class Veiled(BaseEvent, frozen=True):
    """It became known that there is such an item, and no more than that."""

    holder: str
    section: str
    item: str


class Filled(BaseEvent, frozen=True):
    """A Clock came to its end."""

    holder: str
    section: str
    item: str
    beats: str = ""


class SceneOpened(BaseEvent, frozen=True):
    """A scene began; what belonged to the last one is gone."""

    title: str


class SceneClosed(BaseEvent, frozen=True):
    """The scene ended."""


class Opened(BaseEvent, frozen=True):
    """A roll was opened, to be built together, with what was put in at once."""

    roll: str
    kind: str
    by: str
    who: str = ""
    against: str = ""
    helpers: list[str] = []
    seen: str = "all"
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}


class Built(BaseEvent, frozen=True):
    """Something was put into an open roll or taken out of it; None and 0 take out."""

    roll: str
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    hidden: list[str] | None = None
    helpers: list[str] | None = None
    against: str | None = None


class Asked(BaseEvent, frozen=True):
    """What is rolled was fixed, just before the first die was thrown; ``covered`` dice would tell what is hidden."""

    roll: str
    ask: dict[str, Any]
    covered: bool = False


class Thrown(BaseEvent, frozen=True):
    """Dice were thrown: faces to play back, and each die told as name, sides, face, what it did, whether it counts.

    ``mark`` tells this throw from others, for when it is undone; dice that lay there from then were
    thrown at version ``reused_from``.
    """

    roll: str
    faces: Any
    dice: list[tuple[str, int, int, str, bool]] = []
    mark: str = ""
    reused_from: int = msgspec.field(default=0, name="lain")


class Covered(BaseEvent, frozen=True):
    """It was rolled where not everybody who knows of the roll may see it."""

    roll: str


class Answered(BaseEvent, frozen=True):
    """A choice was made."""

    roll: str
    choice: str
    answer: str


class Told(BaseEvent, frozen=True):
    """What a roll came to, so far or in the end, in sentences with their rules."""

    roll: str
    headline: str
    verdict: str
    notes: list[tuple[str, str]] = []
    over: bool = False


class Withdrawn(BaseEvent, frozen=True):
    """The roll was given up before a die was thrown."""

    roll: str


class Noted(BaseEvent, frozen=True):
    """A sentence for the log; ``said`` by a person, or by the rules."""

    text: str
    rule: str = ""
    said: bool = False


class Revealed(BaseEvent, frozen=True):
    """A hidden roll, or what was hidden in it, was shown to everybody."""

    roll: str
    ask: dict[str, Any] = {}
    dice: list[tuple[str, int, int, str, bool]] = []
    headline: str = ""
    verdict: str = ""
    notes: list[tuple[str, str]] = []


class Struck(BaseEvent, frozen=True):
    """Entries of the log were undone, the earliest of them at version ``since``."""

    entries: list[str]
    since: int


class Restored(BaseEvent, frozen=True):
    """Undone entries were done again, the earliest of them at version ``since``."""

    entries: list[str]
    since: int


class UndoneDiceKept(BaseEvent, frozen=True, tag="Spared"):
    """The dice of undone throws stay on the table, for the same throw again: versions and faces by their marks.

    None takes them away.
    """

    dice: dict[str, list[tuple[int, Any]] | None]


Event: TypeAlias = Union[
    Founded, Joined, Seated, Created, Held, Retired, Changed, Veiled, Filled, SceneOpened, SceneClosed,
    Opened, Built, Asked, Thrown, Covered, Answered, Told, Withdrawn, Noted, Revealed, Struck, Restored, UndoneDiceKept,
]  # fmt: skip
