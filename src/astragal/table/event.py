"""Events: what happened, in the past tense. Only they are stored; everything else follows from them.

``audience`` says who may learn of an event: empty means everybody, ``gm`` the GMs, and
a member's id that member and the GMs. A finished roll is shown from its events alone, whatever
the rules say by then.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias, Union

from astragal.table.roll_event import (
    Answered,
    Asked,
    Assisted,
    Awaited,
    BaseEvent,
    Built,
    Corrected,
    Covered,
    Delayed,
    Described,
    DieLaid,
    DieTold,
    HolderEvent,
    Lost,
    MoveThrown,
    Opened,
    PartlyTold,
    Picked,
    PleaEvent,
    Readied,
    RequestEvent,
    Revealed,
    Thrown,
    Told,
    Touches,
    Withdrawn,
)

__all__ = [
    "Answered",
    "Asked",
    "Assisted",
    "Awaited",
    "BaseEvent",
    "Built",
    "Corrected",
    "Covered",
    "Delayed",
    "Described",
    "DieLaid",
    "DieTold",
    "Event",
    "Lost",
    "MoveThrown",
    "Opened",
    "PartlyTold",
    "Picked",
    "Readied",
    "Revealed",
    "Thrown",
    "Told",
    "Withdrawn",
]

TurnTold: TypeAlias = tuple[str, str, str, bool]
"""A place in the turn order: id, name, character, whether it is secret."""


class Founded(BaseEvent, frozen=True):
    """The table was made, for one game with its options."""

    touches: ClassVar[Touches] = "everything"
    game: str
    title: str
    options: dict[str, Any] = {}


class Joined(BaseEvent, frozen=True):
    """A member sat down."""

    touches: ClassVar[Touches] = "member"
    member: str
    name: str
    role: str


class Seated(BaseEvent, frozen=True):
    """A member's role or name changed; ``gone`` is a role too."""

    touches: ClassVar[Touches] = "everything"
    member: str
    role: str
    name: str


class SettingChanged(BaseEvent, frozen=True):
    """A setting of the table changed: who may type dice, who undoes a player's throw, how long a throw waits."""

    touches: ClassVar[Touches] = "everything"
    typed_dice: str = ""
    undo: str = ""
    ready_limit: int | None = None


class Announced(BaseEvent, frozen=True):
    """Tickets were announced before any dice are thrown with them: the first of each seat and lane.

    A new ``book`` begins when the table is founded, restored or imported, which ``why`` says. ``seal`` is what became
    of the seal of an imported file. The seats that were there before a restore have to confirm the book.
    """

    touches: ClassVar[Touches] = "nothing"
    book: str
    tickets: dict[str, dict[str, str]]
    why: str = ""
    seal: str = ""


class Confirmed(BaseEvent, frozen=True):
    """A member's page confirmed the tickets of a book that a restore or import brought.

    ``lost`` is the number of open entries that the page had seen and the restored log does not have.
    """

    touches: ClassVar[Touches] = "nothing"
    member: str
    book: str
    lost: int = 0


class Created(HolderEvent, frozen=True):
    """A character came to the table; ``seen`` says who sees it."""

    touches: ClassVar[Touches] = "new holder"
    name: str
    owner: str
    sheet: dict[str, dict[str, dict[str, Any]]]
    seen: str = "all"
    kind: str = "character"
    free: bool = False
    shows: list[str] = []
    """The sections that everybody sees although the sheet is closed; its rest is in ``Equipped``."""


class Equipped(HolderEvent, frozen=True):
    """The rest of a new character's sheet: the part that not everybody who sees the character may see."""

    sheet: dict[str, dict[str, dict[str, Any]]]


class Held(HolderEvent, frozen=True):
    """A character's name, owner or visibility changed; a ``free`` one may be taken over by any player."""

    touches: ClassVar[Touches] = "everything"
    name: str
    owner: str
    seen: str
    free: bool = False
    shows: list[str] = []


class Retired(HolderEvent, frozen=True):
    """A character left the table."""

    touches: ClassVar[Touches] = "everything"


class Changed(HolderEvent, frozen=True):
    """An item of a sheet was added or removed, or one field of it changed by or to something."""

    section: str
    item: str
    field: str = ""
    by: int | None = None
    to: Any = None
    cause: str = ""
    rule: str = ""
    of: str = ""
    """The roll that it came of, if any."""
    stands: tuple[int, int] | None = None
    """Of damage: how much of it there is now, and how much there may be."""
    deed: str = ""
    silent: bool = False
    """How the log tells it; see ``Change``."""


class Veiled(HolderEvent, frozen=True):
    """It became known that an item exists, and nothing else about it."""

    section: str
    item: str


class Filled(HolderEvent, frozen=True):
    """A Clock filled."""

    section: str
    item: str
    beats: str = ""


class SceneOpened(BaseEvent, frozen=True):
    """A scene began; what belonged to the previous one is gone, but for the sections in ``keeps``."""

    touches: ClassVar[Touches] = "scene"
    title: str
    keeps: list[str] = []


class SceneClosed(BaseEvent, frozen=True):
    """The scene ended."""

    touches: ClassVar[Touches] = "scene"


class Turned(BaseEvent, frozen=True):
    """The turn order, if it changed, and the id of the place whose turn it is; without an id, it is no one's turn."""

    touches: ClassVar[Touches] = "turns"
    order: list[TurnTold] | None = None
    now: str = ""
    round: int = 1
    name: str = ""
    """What the one is called whose turn it is."""
    who: str = ""
    """Their id, if they have a sheet."""


class Saved(HolderEvent, frozen=True):
    """A pool was saved under a name, for a character or the table; without ``kind``, it was removed."""

    touches: ClassVar[Touches] = "pools"
    name: str
    kind: str = ""
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}


class Requested(RequestEvent, frozen=True):
    """A GM asked characters for a roll; an event for each audience names those of them that it may know.

    ``labels`` say what some inputs are called.
    """

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
    noun: str = ""
    labels: dict[str, str] = {}


class Concealed(RequestEvent, frozen=True):
    """The inputs of a request that only GMs know, with what some of them are called."""

    inputs: dict[str, Any]
    labels: dict[str, str] = {}


class Excused(RequestEvent, frozen=True):
    """These characters need not roll any more, for a request that was made to them."""

    who: list[str]


class Noted(BaseEvent, frozen=True):
    """A sentence for the log; ``said`` by a person, or by the rules. ``card`` is a roll that shows it, too."""

    touches: ClassVar[Touches] = "card"
    text: str
    rule: str = ""
    said: bool = False
    card: str = ""


class MoveDelayed(BaseEvent, frozen=True):
    """The changes of a hidden move to things that others see wait until a GM reveals the move (T-11).

    ``told`` are its sentences with their rules, ``changes`` holder, section, item, field, by, to, cause, rule.
    """

    touches: ClassVar[Touches] = "nothing"
    move: str
    """The id of its entry."""
    title: str
    told: list[tuple[str, str]]
    changes: list[tuple[str, str, str, str, int | None, Any, str, str]]
    said: list[str]
    """The changes in words."""


class MoveRevealed(BaseEvent, frozen=True):
    """A hidden move was shown to everybody, and what has waited for that happens."""

    touches: ClassVar[Touches] = "nothing"
    move: str
    title: str
    told: list[tuple[str, str]] = []


class Struck(BaseEvent, frozen=True):
    """Entries of the log were undone, the earliest of them at version ``since``; ``told`` names them.

    Of several with different audiences, the one for GMs tells it in full.
    """

    touches: ClassVar[Touches] = "everything"
    entries: list[str]
    since: int
    told: list[str] = []


class Restored(BaseEvent, frozen=True):
    """Undone entries were redone, the earliest of them at version ``since``; ``told`` names them."""

    touches: ClassVar[Touches] = "everything"
    entries: list[str]
    since: int
    told: list[str] = []


class UndoAsked(PleaEvent, frozen=True):
    """A player asked a GM to undo an entry; ``told`` names all that would go, in a second event for GMs in full."""

    by: str
    entry: str
    told: list[str] = []


class UndoAnswered(PleaEvent, frozen=True):
    """A GM allowed or declined what a player asked to undo, or the player no longer asks."""

    by: str
    allowed: bool = False
    told: list[str] = []


Event: TypeAlias = Union[
    Founded, Joined, Seated, Announced, Confirmed,
    SettingChanged, Created, Equipped, Held, Retired, Changed, Veiled, Filled, SceneOpened,
    SceneClosed, Turned, Saved, Requested, Concealed, Excused,
    Opened, Built, Lost, Awaited, Readied, Assisted, Asked, Thrown, Covered, Answered, Told, PartlyTold, Delayed,
    Picked, Described, Withdrawn, Noted, MoveThrown, Revealed,
    MoveDelayed, MoveRevealed, Corrected, Struck, Restored, UndoAsked, UndoAnswered,
]  # fmt: skip
