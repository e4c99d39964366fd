"""Events of rolls and of moves with dice: opened, built, thrown, answered, told; and what every event has."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Struct

Touches: TypeAlias = Literal[
    "nothing", "everything", "member", "holder", "new holder", "pools", "scene", "turns", "roll", "throw", "card",
    "request", "plea",
]  # fmt: skip
"""The views that an event may change; ``view/touched.py`` finds their paths."""


class BaseEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", forbid_unknown_fields=True, gc=False
):
    """The base of every event; ``touches`` says which views it may change."""

    touches: ClassVar[Touches]
    audience: str = msgspec.field(default="", name="only")


class RollEvent(BaseEvent, frozen=True):
    """An event about a roll."""

    touches: ClassVar[Touches] = "roll"
    roll: str


class HolderEvent(BaseEvent, frozen=True):
    """An event about the sheet of a character, a player, the table or the scene."""

    touches: ClassVar[Touches] = "holder"
    holder: str


class RequestEvent(BaseEvent, frozen=True):
    """An event about a GM's request for a roll."""

    touches: ClassVar[Touches] = "request"
    request: str


class PleaEvent(BaseEvent, frozen=True):
    """An event about a player's request for an undo."""

    touches: ClassVar[Touches] = "plea"
    plea: str


class Proof(Struct, frozen=True, array_like=True, gc=False):
    """How a throw came about: the key, whose hash was the ticket, the thrower's nonce, the place, the dice.

    ``next`` is the thrower's next ticket, for dice that the same people will see.
    """

    nonce: str
    """The nonce of the thrower's page or program; empty if it gave none, and then the throw is not proven."""
    key: str
    next: str
    place: str
    """Which throw it was: the table and its tickets, the roll (of a move: the entry), the entry and the step."""
    pool: str
    confirmed: bool = True
    """False for a throw after a restore or import, before the thrower's page had confirmed the new tickets."""


DieTold: TypeAlias = tuple[str, int, int, str, bool]
"""A die: name, sides, face, what it did, whether it counts."""
DieLaid: TypeAlias = tuple[int, int, str, str]
"""How a die lies: its wave, the place of the die that earned it (-1 for none), its role, its side."""


class Opened(RollEvent, frozen=True):
    """A roll was opened, to be built together, with what was put in with it; ``title`` and ``does`` are its kind's.

    ``labels`` say what the offers in ``use`` were called, and some ``inputs``; what was put in ``by_gm`` only a GM
    changes.
    Those of the inputs in ``sources`` are added to what others put in (T-5); those in ``claims`` are a GM's to grant
    and were put in by a player; their names are told (T-7).
    ``name`` and ``against_name`` are sides without a sheet. ``request`` is what the roll answers, ``about`` its note.
    If the roll is ``shared``, its helpers roll as the roller does.
    """

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
    sources: list[str] = []
    claims: dict[str, str] = {}
    by_gm: bool = False
    request: str = ""
    name: str = ""
    against_name: str = ""
    about: str = ""
    shared: bool = False
    tends: bool = False
    """Whether the other character is tended by it, and not its opponent."""
    begins: str = ""
    """What the roller does, as far as the inputs say; see ``Kind``."""
    deeds: dict[str, str] = {}
    """What the log says of an offer of ``use`` that says itself how it is put in; see ``Offer.does``."""


class Built(RollEvent, frozen=True):
    """Something was put into an open roll or taken out of it; None and 0 take out. See ``Opened``.

    ``by`` is the id of the member whose entries the inputs are; a GM may take out another member's.
    """

    by: str = ""
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    labels: dict[str, str] = {}
    sources: list[str] = []
    claims: dict[str, str] = {}
    by_gm: bool = False
    hidden: list[str] | None = None
    helpers: list[str] | None = None
    against: str | None = None
    against_name: str | None = None
    tends: bool = False
    deeds: dict[str, str] = {}


class Lost(RollEvent, frozen=True):
    """Something that was in an open roll has left the table, and the roll with it (T-4).

    ``use`` are offers, by what they were called. ``left`` is the holder who takes part no longer, where it is because
    of them. ``opponent``: they were the other side, and the roll needs another one.
    """

    use: dict[str, str] = {}
    helpers: list[str] = []
    left: str = ""
    opponent: bool = False


class Awaited(RollEvent, frozen=True):
    """Both sides of a roll gather, from this time on; neither is ready. ``again``: one was ready, and dice changed."""

    at: int
    whom: str
    """The id of the member whose "ready" the throw waits for."""
    again: bool = False


class Readied(RollEvent, frozen=True):
    """A side of a roll has gathered its dice, says a member who plays it or a GM; or it has not after all."""

    side: str
    whom: str
    """The id of the member who plays the side, or ``gm``."""
    ready: bool = True


class Assisted(RollEvent, frozen=True):
    """A character began or stopped helping in a roll, on one side of it, or sharing it."""

    helper: str
    side: str = "ours"
    leaves: bool = False
    shared: bool = False
    idle: bool = False
    """Whether only what they put in helps, and nothing of theirs is in."""


class Asked(RollEvent, frozen=True):
    """The ask was fixed, just before the first throw; ``covered`` if its dice would give away a hidden input.

    ``ask`` has the inputs that members or sheets gave, ``defaults`` all the others.
    ``told`` says in sentences what was put in.
    """

    touches: ClassVar[Touches] = "throw"
    ask: dict[str, Any]
    defaults: dict[str, Any] = {}
    covered: bool = False
    told: list[str] = []
    claims: list[tuple[str, list[str]]] = []
    """Who claims what, of all that is a GM's to grant: a member's id, and what it is in words (T-7)."""
    deed: str = ""
    """What the roller does, where the kind of roll says it with what was put in."""


class Thrown(RollEvent, frozen=True):
    """Dice were thrown: the faces to play back, and each die as it was read.

    ``by`` is the id of the holder or member who threw, ``value`` how good the throw is where luck counts it.
    While an input is hidden, what the dice did and their value would give it away: ``Told`` has the former.
    ``slots`` and ``roots`` tell each die from others, for when the throw is undone (see ``kept``). Dice of ``kept``
    were not thrown: they are those of an undone throw.
    """

    touches: ClassVar[Touches] = "throw"
    faces: Any
    dice: list[DieTold] = []
    title: str = ""
    by: str = ""
    value: int | None = None
    slots: list[str] = []
    """The name of each group of dice."""
    roots: list[list[list[int]]] = []
    """By group and wave, the place of each die in the first wave; nothing if there is no other wave."""
    kept: dict[str, list[tuple[int, int, int]]] = {}
    """By the id of the entry that threw them, the dice that were kept: group, wave, place."""
    kept_proofs: list[tuple[Any, Proof]] = []
    """How the machine threw those: the faces that fell then, and their proof."""
    fresh: bool = False
    """Whether a GM ordered fresh dice, and all that were kept are discarded."""
    paid: bool = False
    """Whether something was paid for this throw."""
    source: str = ""
    """Where the new faces came from: ``machine`` or ``typed``; ``again`` if all dice were kept."""
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
    """How the machine threw those that were not kept, so that anybody can check it."""


class Covered(RollEvent, frozen=True):
    """Dice were thrown that not everybody who knows of the roll may see; which ticket was used, and the next one."""

    touches: ClassVar[Touches] = "throw"
    ticket: str = ""
    next: str = ""


class Answered(RollEvent, frozen=True):
    """A choice was made."""

    choice: str
    answer: str
    held: dict[str, Any] = {}
    """Live inputs as they were then, where they differ from what was known before."""
    label: str = ""
    """What the answer was called."""
    told: str = ""
    """Its sentence, used where no result tells it."""


class Told(RollEvent, frozen=True):
    """What a roll came to, so far or in the end, in sentences with their rules.

    ``dice`` are those of each new throw, where ``Thrown`` must not say what they did. At the end
    ``result`` is the game's own result as plain data, ``effects`` are all that the roll changes, and
    ``prompts`` say who is asked for words: a holder's or member's id or ``gm``, a question, its rule.
    """

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
    """The parts of the verdict, for a card."""
    other_tier: str = ""
    """What the verdict is called for the other side of an opposed roll: "Odo loses"."""
    about: str = ""
    """The attempted action, in the member's own words."""
    series: list[int] = []
    """Of a long task: its total, its target and the rolls that are left."""


class Picked(RollEvent, frozen=True):
    """A GM put the name of something hidden into a roll, or took it out: of an input, or as an answer at a step."""

    names: dict[str, str | None]


class PartlyTold(RollEvent, frozen=True):
    """What a roll with a hidden input came to so far, as far as it rests on nothing hidden; GMs get ``Told``.

    ``dice`` are those of all throws that are open, ``result`` has the fields of the result that are known. ``open``
    says that the roll waits for dice or an answer that everybody who sees its dice may know of.
    """

    sum: str = ""
    gains: list[str] = []
    notes: list[tuple[str, str]] = []
    dice: list[list[DieTold]] = []
    result: dict[str, Any] = {}
    open: bool = False


class Delayed(RollEvent, frozen=True):
    """A roll's changes that wait for the reveal (T-11): a member sees the changed things but not the outcome.

    ``changes`` say what that would be now: holder, section, item, field, by, to. Of ``effects``, what is ``done``
    already changed only things that are hidden too.
    """

    effects: list[dict[str, Any]]
    changes: list[tuple[str, str, str, str, int | None, Any]] = []
    done: list[tuple[str, str, str, str]] = []


class MoveThrown(BaseEvent, frozen=True):
    """Dice of a move were thrown, by a character or a member; see ``Thrown``."""

    touches: ClassVar[Touches] = "nothing"
    move: str
    title: str
    faces: Any
    dice: list[DieTold] = []
    by: str = ""
    slots: list[str] = []
    roots: list[list[list[int]]] = []
    kept: dict[str, list[tuple[int, int, int]]] = {}
    kept_proofs: list[tuple[Any, Proof]] = []
    fresh: bool = False
    source: str = ""
    typed_by: str = ""
    labels: dict[str, list[str]] = {}
    cards: list[str] = []
    proof: Proof | None = None


class Described(RollEvent, frozen=True):
    """A member's description of a roll; with no text, they skip it. ``left`` are still asked."""

    by: str
    text: str = ""
    left: list[tuple[str, str, str]] = []


class Withdrawn(RollEvent, frozen=True):
    """The roll was withdrawn: before a die was thrown, or because it no longer fits the rules.

    ``discarded``: its throws had been undone, and their dice are gone with it.
    """

    discarded: bool = False


class Corrected(RollEvent, frozen=True):
    """Typed faces of an undone throw were corrected: line, root, name of the die, old face, new face."""

    dice: list[tuple[str, int, str, int, int]]


class Revealed(RollEvent, frozen=True):
    """A hidden roll, or what was hidden in it, was shown to everybody."""

    ask: dict[str, Any] = {}
    told: list[str] = []
    claims: list[tuple[str, list[str]]] = []
    dice: list[DieTold] = []
    headline: str = ""
    verdict: str = ""
    notes: list[tuple[str, str]] = []
    words: list[tuple[str, str]] = []
    thrown: list[tuple[Any, Proof | None]] = []
    """The faces and the proof of each throw, where the machine threw some."""
    tone: str = ""
    tier: str = ""
    sum: str = ""
    gains: list[str] = []
    """The parts of the verdict, as ``Told`` has them."""
