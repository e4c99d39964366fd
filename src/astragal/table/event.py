"""Events: what happened, in the past tense. They are all that is kept; everything else follows from them.

``only`` says who may learn of an event: nobody named is everybody, ``gm`` the GMs, and
a member's id that member and the GMs.
"""

from __future__ import annotations

from typing import Any, TypeAlias, Union

from msgspec import Struct


class Happened(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", forbid_unknown_fields=True, gc=False
):
    """What every event has."""

    only: str = ""


class Founded(Happened, frozen=True):
    """The table was made, for one game with its options."""

    game: str
    title: str
    options: dict[str, Any] = {}


class Joined(Happened, frozen=True):
    """Somebody sat down."""

    member: str
    name: str
    role: str


class Seated(Happened, frozen=True):
    """A member's role or name changed; ``gone`` is a role too."""

    member: str
    role: str
    name: str


class Created(Happened, frozen=True):
    """A character came to the table; ``seen`` says who sees it."""

    holder: str
    name: str
    owner: str
    sheet: dict[str, dict[str, dict[str, Any]]]
    seen: str = "all"
    kind: str = "character"


class Held(Happened, frozen=True):
    """A character's name, owner or visibility changed."""

    holder: str
    name: str
    owner: str
    seen: str


class Retired(Happened, frozen=True):
    """A character left the table."""

    holder: str


class Changed(Happened, frozen=True):
    """An item of a sheet was put there, taken away, or one field of it changed by or to something."""

    holder: str
    section: str
    item: str
    field: str = ""
    by: int | None = None
    to: Any = None
    cause: str = ""
    rule: str = ""


class Veiled(Happened, frozen=True):
    """It became known that there is such an item, and no more than that."""

    holder: str
    section: str
    item: str


class Filled(Happened, frozen=True):
    """A Clock came to its end."""

    holder: str
    section: str
    item: str
    beats: str = ""


class SceneOpened(Happened, frozen=True):
    """A scene began; what belonged to the last one is gone."""

    title: str


class SceneClosed(Happened, frozen=True):
    """The scene ended."""


class Opened(Happened, frozen=True):
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


class Built(Happened, frozen=True):
    """Something was put into an open roll or taken out of it; None and 0 take out."""

    roll: str
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    hidden: list[str] | None = None
    helpers: list[str] | None = None
    against: str | None = None


class Asked(Happened, frozen=True):
    """What is rolled was fixed, just before the first die was thrown; ``covered`` dice would tell what is hidden."""

    roll: str
    ask: dict[str, Any]
    covered: bool = False


class Thrown(Happened, frozen=True):
    """Dice were thrown: faces to play back, and each die told as name, sides, face, what it did, whether it counts.

    ``mark`` tells this throw from others, for when it is undone; dice that lay there from then were
    thrown at version ``lain``.
    """

    roll: str
    faces: Any
    dice: list[tuple[str, int, int, str, bool]] = []
    mark: str = ""
    lain: int = 0


class Covered(Happened, frozen=True):
    """It was rolled where not everybody who knows of the roll may see it."""

    roll: str


class Answered(Happened, frozen=True):
    """A choice was made."""

    roll: str
    choice: str
    answer: str


class Told(Happened, frozen=True):
    """What a roll came to, so far or in the end, in sentences with their rules."""

    roll: str
    headline: str
    verdict: str
    notes: list[tuple[str, str]] = []
    over: bool = False


class Withdrawn(Happened, frozen=True):
    """The roll was given up before a die was thrown."""

    roll: str


class Noted(Happened, frozen=True):
    """A sentence for the log; ``said`` by a person, or by the rules."""

    text: str
    rule: str = ""
    said: bool = False


class Revealed(Happened, frozen=True):
    """A hidden roll, or what was hidden in it, was shown to everybody."""

    roll: str
    ask: dict[str, Any] = {}
    dice: list[tuple[str, int, int, str, bool]] = []
    headline: str = ""
    verdict: str = ""
    notes: list[tuple[str, str]] = []


class Struck(Happened, frozen=True):
    """Entries of the log were undone, the earliest of them at version ``since``."""

    entries: list[str]
    since: int


class Restored(Happened, frozen=True):
    """Undone entries were done again, the earliest of them at version ``since``."""

    entries: list[str]
    since: int


class Spared(Happened, frozen=True):
    """The dice of undone throws stay on the table, for the same throw again: versions and faces by their marks.

    None takes them away.
    """

    dice: dict[str, list[tuple[int, Any]] | None]


Event: TypeAlias = Union[
    Founded, Joined, Seated, Created, Held, Retired, Changed, Veiled, Filled, SceneOpened, SceneClosed,
    Opened, Built, Asked, Thrown, Covered, Answered, Told, Withdrawn, Noted, Revealed, Struck, Restored, Spared,
]  # fmt: skip
