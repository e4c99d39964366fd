"""Events: what happened, in the past tense. Only they are stored; everything else follows from them.

``audience`` says who may learn of an event: empty means everybody, ``gm`` the GMs, and
a member's id that member and the GMs. A finished roll is shown from its events alone, whatever
the rules say by then; fields that entries of version 1 lack are optional (see ``upcast``).
"""

from __future__ import annotations

from typing import Any, TypeAlias, Union

import msgspec
from msgspec import Struct

DieTold: TypeAlias = tuple[str, int, int, str, bool]
"""A die: name, sides, face, what it did, whether it counts."""
TurnTold: TypeAlias = tuple[str, str, str, bool]
"""A place in the turn order: id, name, character, whether it is secret."""


DieLaid: TypeAlias = tuple[int, int, str, str]
"""How a die lies: its wave, the place of the die that earned it (-1 for none), its role, its side."""


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


class Opened(BaseEvent, frozen=True):
    """A roll was opened, to be built together, with what was put in at once; ``title`` and ``does`` are its kind's.

    ``labels`` say what the offers in ``use`` were called; what was put in ``by_gm`` only a GM changes.
    ``name`` and ``against_name`` are sides without a sheet. ``request`` is what the roll answers, ``about`` its note.
    If the roll is ``shared``, its helpers roll as the roller does.
    """

    roll: str
    kind: str
    by: str
    title: str = ""
    does: str = ""
    who: str = ""
    against: str = ""
    helpers: list[str] = []
    seen: str = "all"
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    labels: dict[str, str] = {}
    by_gm: bool = False
    request: str = ""
    name: str = ""
    against_name: str = ""
    about: str = ""
    shared: bool = False


class Built(BaseEvent, frozen=True):
    """Something was put into an open roll or taken out of it; None and 0 take out. See ``Opened``."""

    roll: str
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    labels: dict[str, str] = {}
    by_gm: bool = False
    hidden: list[str] | None = None
    helpers: list[str] | None = None
    against: str | None = None
    against_name: str | None = None


class Assisted(BaseEvent, frozen=True):
    """Somebody began to help in a roll, on one side of it, or to share it, or does so no longer."""

    roll: str
    helper: str
    side: str = "ours"
    leaves: bool = False
    shared: bool = False


class Asked(BaseEvent, frozen=True):
    """The ask was fixed, just before the first throw; ``covered`` if its dice would give away a hidden input.

    ``ask`` has the inputs that members or sheets gave, ``defaults`` all the others.
    ``told`` says in sentences what was put in.
    """

    roll: str
    ask: dict[str, Any]
    defaults: dict[str, Any] = {}
    covered: bool = False
    told: list[str] = []


class Thrown(BaseEvent, frozen=True):
    """Dice were thrown: the faces to play back, and each die as it was read.

    ``by`` is the id of the holder or member who threw, ``value`` how good the throw is where luck counts it.
    While an input is hidden, what the dice did and their value would give it away: ``Told`` has the former.
    ``mark`` tells this throw from others, for when it is undone; dice that lay there from then were
    thrown at version ``reused_from``.
    """

    roll: str
    faces: Any
    dice: list[DieTold] = []
    title: str = ""
    by: str = ""
    value: int | None = None
    mark: str = ""
    reused_from: int = msgspec.field(default=0, name="lain")
    source: str = ""
    """Where the faces came from: ``machine``, ``typed``, or ``again`` from an undone throw; older ones do not say."""
    typed_by: str = ""
    laid: list[DieLaid] = []
    """How each die lies; empty if none was earned by another and all are plain."""
    labels: dict[str, list[str]] = {}
    """What stands on the faces of dice that have words, by the name of the dice."""
    cards: list[str] = []
    """The names of dice that are cards."""
    held: dict[str, Any] = {}
    """What was left of decks when cards were drawn, where that differs from what was known before."""


class Covered(BaseEvent, frozen=True):
    """Dice were thrown that not everybody who knows of the roll may see."""

    roll: str


class Answered(BaseEvent, frozen=True):
    """A choice was made."""

    roll: str
    choice: str
    answer: str
    held: dict[str, Any] = {}
    """Live inputs as they were then, where they differ from what was known before."""
    label: str = ""
    """What the answer was called; older ones do not say."""
    told: str = ""
    """How it is told where no result will."""


class Told(BaseEvent, frozen=True):
    """What a roll came to, so far or in the end, in sentences with their rules.

    ``dice`` are those of each new throw, where ``Thrown`` must not say what they did. At the end
    ``result`` is the game's own result as plain data, ``effects`` are all that the roll changes, and
    ``prompts`` say who is asked for words: a holder's or member's id or ``gm``, a question, its rule.
    """

    roll: str
    headline: str
    verdict: str
    notes: list[tuple[str, str]] = []
    over: bool = False
    dice: list[list[DieTold]] = []
    result: Any = None
    effects: list[dict[str, Any]] = []
    prompts: list[tuple[str, str, str]] = []
    after: bool = False
    """Whether a choice stays open until the roller's next roll."""
    tone: str = ""
    tier: str = ""
    sum: str = ""
    gains: list[str] = []
    """The parts of the verdict, for a card; an older one has only the line."""
    about: str = ""
    """What was attempted, in somebody's own words."""
    series: list[int] = []
    """Of a long task: its total, its target and the rolls that are left."""


class MoveThrown(BaseEvent, frozen=True):
    """Dice of a move were thrown, by a character or a member; see ``Thrown``."""

    move: str
    title: str
    faces: Any
    dice: list[DieTold] = []
    by: str = ""
    mark: str = ""
    reused_from: int = 0
    source: str = ""
    typed_by: str = ""
    labels: dict[str, list[str]] = {}
    cards: list[str] = []


class Described(BaseEvent, frozen=True):
    """Somebody said in words what a roll looked like, or with no text that they leave it; ``left`` are still asked."""

    roll: str
    by: str
    text: str = ""
    left: list[tuple[str, str, str]] = []


class Withdrawn(BaseEvent, frozen=True):
    """The roll was withdrawn: before a die was thrown, or because it no longer fits the rules."""

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
    told: list[str] = []
    dice: list[DieTold] = []
    headline: str = ""
    verdict: str = ""
    notes: list[tuple[str, str]] = []
    words: list[tuple[str, str]] = []


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
