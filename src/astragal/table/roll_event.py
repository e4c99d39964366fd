"""Events of rolls and of moves with dice: opened, built, thrown, answered, told."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from astragal.table.base_event import BaseEvent
from astragal.table.proof import Proof

DieTold: TypeAlias = tuple[str, int, int, str, bool]
"""A die: name, sides, face, what it did, whether it counts."""
DieLaid: TypeAlias = tuple[int, int, str, str]
"""How a die lies: its wave, the place of the die that earned it (-1 for none), its role, its side."""


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
    proof: Proof | None = None
    """How the machine threw them, so that anybody can check it; of dice that come up again, how they first fell."""


class Covered(BaseEvent, frozen=True):
    """Dice were thrown that not everybody who knows of the roll may see; which ticket was used, and the next one."""

    roll: str
    ticket: str = ""
    next: str = ""


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
    proof: Proof | None = None


class Described(BaseEvent, frozen=True):
    """Somebody said in words what a roll looked like, or with no text that they leave it; ``left`` are still asked."""

    roll: str
    by: str
    text: str = ""
    left: list[tuple[str, str, str]] = []


class Withdrawn(BaseEvent, frozen=True):
    """The roll was withdrawn: before a die was thrown, or because it no longer fits the rules."""

    roll: str


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
    thrown: list[tuple[Any, Proof | None]] = []
    """The faces and the proof of each throw, where the machine threw some."""
