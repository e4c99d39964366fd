"""Actions: what a member wants to do, named in the imperative. Each is read from JSON, within bounds.

Holders and rolls are named by id or by name; a roll that is not named is the latest unfinished one.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from astragal.errors import Malformed

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"\S")]
Ref: TypeAlias = Annotated[str, Meta(max_length=80)]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=4000, pattern=r"\S")]
Why: TypeAlias = Annotated[str, Meta(max_length=400)]
Faces: TypeAlias = Annotated[str, Meta(max_length=20_000)]
Nonce: TypeAlias = Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9_-]*$(?!\n)")]
Steps: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
Few: TypeAlias = Annotated[list[Ref], Meta(max_length=50)]
Taps: TypeAlias = dict[Annotated[str, Meta(max_length=300)], Annotated[int, Meta(ge=0, le=1000)]]
Suggested: TypeAlias = Annotated[Taps, Meta(max_length=50)]
Inputs: TypeAlias = Annotated[dict[Ref, Any], Meta(max_length=50)]
Role: TypeAlias = Literal["gm", "player", "onlooker"]
Seen: TypeAlias = Literal["all", "owner", "gm"]
HolderSeen: TypeAlias = Literal["all", "name", "owner", "gm"]
"""Who sees a character; ``name``: all know its name and how it stands, and only owner and GMs its sheet."""
TypedDice: TypeAlias = Literal["everybody", "gm", "nobody"]
WhoUndoes: TypeAlias = Literal["gm", "player"]
RollSeen: TypeAlias = Literal["all", "owner", "gm", "blind"]
AskSeen: TypeAlias = Literal["all", "owner", "blind"]


def _tag(name: str) -> str:
    """The name that is sent: RollAction is ``roll``."""
    return name.removesuffix("Action").lower()


class BaseAction(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="do", tag=_tag, forbid_unknown_fields=True
):
    """The base of every action."""


class FoundAction(BaseAction, frozen=True):
    """Found a table for a game; the founder is its first GM."""

    game: Name
    title: Name
    name: Name
    options: Inputs = {}


class JoinAction(BaseAction, frozen=True):
    """Sit down at the table."""

    name: Name
    role: Role = "player"


class SeatAction(BaseAction, frozen=True):
    """Change a member's role or name (GM only), or your own name."""

    member: Name
    role: Role | None = None
    name: Name | None = None


class LeaveAction(BaseAction, frozen=True):
    """Leave the table, or remove a member (GM only)."""

    member: Ref = ""


class SetAction(BaseAction, frozen=True):
    """Change settings of the table (GM): who may type dice, who undoes throws, how long an opposed roll waits.

    ``ready_limit``: seconds that a throw waits for the other side's "ready". With 0 it waits without end, until a
    player or a GM says it.
    """

    typed_dice: TypedDice | None = None
    undo: WhoUndoes | None = None
    ready_limit: Annotated[int, Meta(ge=0, le=3600)] | None = None


class AnnounceAction(BaseAction, frozen=True):
    """Announce the tickets that the machine throws with from now on; only the server itself does this."""

    why: Literal["restored", "imported"] = "restored"
    seal: Literal["", "right", "broken", "missing"] = ""


class ConfirmAction(BaseAction, frozen=True):
    """Confirm the tickets that a restore or import brought, as a page does that remembers what it was shown.

    ``lost``: how many open entries the page had seen that the restored log does not have.
    """

    book: Ref
    lost: Annotated[int, Meta(ge=0, le=10**9)] = 0


class CreateAction(BaseAction, frozen=True):
    """Create a character from a template, from a sheet, or blank."""

    name: Name
    template: Ref = ""
    sheet: dict[str, Any] | None = None
    owner: Ref | None = None
    seen: HolderSeen | None = None
    """Without it, everybody sees a player's character, and of a GM's the name and how it stands."""
    free: bool = False


class EditAction(BaseAction, frozen=True):
    """Put an item onto a sheet, change fields of one, or remove it."""

    holder: Ref
    section: Name
    item: Name
    to: dict[str, Any] = {}
    remove: bool = False
    why: Why = ""


class ChangeAction(BaseAction, frozen=True):
    """Move a count up or down: spend a point, tick a Clock, cross a box."""

    holder: Ref
    section: Name
    item: Name
    by: Annotated[int, Meta(ge=-1000, le=1000)]
    field: Ref = ""
    why: Why = ""


class HoldAction(BaseAction, frozen=True):
    """Rename a character, give it to another member, hide or reveal it, or let any player take it over."""

    holder: Name
    name: Name | None = None
    owner: Ref | None = None
    seen: HolderSeen | None = None
    free: bool | None = None


class TakeAction(BaseAction, frozen=True):
    """Take over a character that is free."""

    holder: Name


class RetireAction(BaseAction, frozen=True):
    """Remove a character from the table."""

    holder: Name


class SceneAction(BaseAction, frozen=True):
    """Open a scene; an open one is closed first. ``ends`` names what ends with that one instead of lasting."""

    title: Name
    ends: Few = []


class CloseAction(BaseAction, frozen=True):
    """Close the scene. ``ends`` names what ends with it instead of lasting."""

    ends: Few = []


class AskAction(BaseAction, frozen=True):
    """Ask these characters for a roll, or every player's (GM only). ``use`` is suggested, ``inputs`` are set."""

    who: Few = []
    kind: Ref = ""
    against: Ref = ""
    inputs: Inputs = {}
    use: Suggested = {}
    hide: Few = []
    seen: AskSeen = "all"
    note: Why = ""


class OpenAction(BaseAction, frozen=True):
    """Open a roll, to be built together before the dice are thrown.

    ``request`` answers a GM's request. ``pool`` begins with a saved pool, ``again`` with the last one of this kind.
    ``name`` and ``against_name`` (GM only) are sides without a sheet.
    """

    kind: Ref = ""
    who: Ref = ""
    against: Ref = ""
    helpers: Few = []
    inputs: Inputs = {}
    use: Taps = {}
    hide: Few = []
    seen: RollSeen = "all"
    request: Ref = ""
    pool: Ref = ""
    again: bool = False
    name: Ref = ""
    against_name: Ref = ""


class RollAction(OpenAction, frozen=True):
    """Open a roll and throw its first dice immediately.

    ``nonce`` is made up by the program that throws, so that the machine's dice can be checked. ``book`` names the
    tickets that the thrower was shown: the machine throws with no others.
    """

    faces: Faces = ""
    answers: Few = []
    nonce: Nonce = ""
    book: Ref = ""


class BuildAction(BaseAction, frozen=True):
    """Put something into an open roll, or take it out. Null or 0 takes it out."""

    roll: Ref = ""
    against: Ref | None = None
    against_name: Ref | None = None
    helpers: Few | None = None
    inputs: Inputs = {}
    use: Taps = {}
    hide: Few | None = None
    remove: Annotated[dict[Ref, Few], Meta(max_length=50)] = {}
    """Of inputs whose sources add up: the members whose entries are taken out; another's only by a GM."""


class ReadyAction(BaseAction, frozen=True):
    """Say that your side of an opposed roll has gathered its dice, or take that back.

    A GM may say it for the side of a player who is away: ``theirs``, or ``ours`` for the side that began.
    """

    roll: Ref = ""
    side: Literal["", "ours", "theirs"] = ""
    ready: bool = True


class AssistAction(BaseAction, frozen=True):
    """Help in an open roll with a character of your own, or take a helper out."""

    who: Name
    roll: Ref = ""
    side: Literal["ours", "theirs"] = "ours"
    leave: bool = False


class ThrowAction(BaseAction, frozen=True):
    """Throw the next dice of a roll, or type their faces.

    ``fresh`` (GM only) does not reuse an undone roll's dice. ``steps``: only if the roll has had this number of throws
    and answers, so that nobody continues what another member did.
    """

    roll: Ref = ""
    faces: Faces = ""
    answers: Few = []
    fresh: bool = False
    nonce: Nonce = ""
    book: Ref = ""
    steps: Steps | None = None


class CorrectAction(BaseAction, frozen=True):
    """Correct faces that were typed wrong (GM only), after their throw is undone.

    All typed faces of the roll are written again, as they are typed, group by group and wave by wave: ``6 5 4 | 7``.
    """

    faces: Faces
    roll: Ref = ""


class AnswerAction(BaseAction, frozen=True):
    """Answer the choice that a roll waits for. Dice that follow directly are thrown, or typed. ``steps`` as above."""

    answer: Annotated[str, Meta(min_length=1, max_length=500)]
    roll: Ref = ""
    faces: Faces = ""
    nonce: Nonce = ""
    book: Ref = ""
    steps: Steps | None = None


class WithdrawAction(BaseAction, frozen=True):
    """Withdraw a roll before its dice are thrown, or a request for some or all of its characters (GM only)."""

    roll: Ref = ""
    request: Ref = ""
    who: Few = []


class SaveAction(BaseAction, frozen=True):
    """Save what is put into a roll under a name, or remove a saved pool. Only GMs save pools without a character."""

    name: Name
    who: Ref = ""
    kind: Ref = ""
    inputs: Inputs = {}
    use: Suggested = {}
    roll: Ref = ""
    remove: bool = False


class TurnAction(BaseAction, frozen=True):
    """Change the turn order (GM only), or pass on your own turn."""

    add: Few = []
    at: Annotated[int, Meta(ge=0, le=100)] | None = None
    secret: bool = False
    remove: Few = []
    order: Few = []
    now: Ref = ""
    next: bool = False
    back: bool = False
    end: bool = False


class MoveAction(BaseAction, frozen=True):
    """Make one of the game's moves: what it allows besides rolling. Faces may be typed for one that throws dice.

    ``seen`` with "gm" (GM only) hides it; what it changes on things that others see waits. ``fresh`` (GM only) does
    not reuse an undone move's dice.
    """

    name: Name
    who: Ref = ""
    against: Ref = ""
    inputs: Inputs = {}
    faces: Faces = ""
    seen: Literal["all", "gm"] = "all"
    fresh: bool = False
    nonce: Nonce = ""
    book: Ref = ""


class NoteAction(BaseAction, frozen=True):
    """Write a sentence into the log."""

    text: Text
    seen: Seen = "all"


class DescribeAction(BaseAction, frozen=True):
    """Say in words what a finished roll looked like. Without words, there is nothing to say."""

    text: Annotated[str, Meta(max_length=2000)] = ""
    roll: Ref = ""


class RevealAction(BaseAction, frozen=True):
    """Show everybody a hidden roll, or its hidden inputs (GM only).

    A hidden move whose changes wait is named by the id of its entry; they are made then.
    """

    roll: Ref = ""


class UndoAction(BaseAction, frozen=True):
    """Undo an entry of the log, or your own latest one; only a GM undoes entries of others.

    Where dice have fallen, or others have acted since, a player's undo asks a GM.
    """

    entry: Ref = ""


class AllowAction(BaseAction, frozen=True):
    """Allow what a player asked to undo (GM only)."""

    plea: Ref = ""


class DeclineAction(BaseAction, frozen=True):
    """Decline what a player asked to undo (GM only), or stop asking for it."""

    plea: Ref = ""


class RedoAction(BaseAction, frozen=True):
    """Redo an undone entry, or the one undone last."""

    entry: Ref = ""


Action: TypeAlias = Union[
    FoundAction,
    JoinAction,
    SeatAction,
    LeaveAction,
    SetAction,
    AnnounceAction,
    ConfirmAction,
    CreateAction,
    EditAction,
    ChangeAction,
    HoldAction,
    TakeAction,
    RetireAction,
    SceneAction,
    CloseAction,
    TurnAction,
    AskAction,
    OpenAction,
    RollAction,
    BuildAction,
    ReadyAction,
    AssistAction,
    ThrowAction,
    CorrectAction,
    AnswerAction,
    WithdrawAction,
    SaveAction,
    MoveAction,
    NoteAction,
    DescribeAction,
    RevealAction,
    UndoAction,
    AllowAction,
    DeclineAction,
    RedoAction,
]

_decoder = msgspec.json.Decoder(Action)
MAX_ACTION = 256 * 1024


def parse_action(text: bytes | str) -> Action:
    """Read an action from JSON."""
    if len(text) > MAX_ACTION:
        raise Malformed(f"An action of {len(text):,} bytes is too long; at most {MAX_ACTION:,} are taken.")
    try:
        found: Action = _decoder.decode(text)
        return found
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Malformed(f"The action cannot be read: {_sentence(error)}") from None


def read_action(data: Any) -> Action:
    """Read an action from plain data."""
    try:
        found: Action = msgspec.convert(data, Action)
        return found
    except msgspec.ValidationError as error:
        raise Malformed(f"The action cannot be read: {_sentence(error)}") from None


def _sentence(error: Exception) -> str:
    return f"{str(error).rstrip('.')}."


A = TypeVar("A", bound=Action)


def with_nonce(action: A, nonce: str) -> A:
    """The action with a nonce, if it may throw dice and has none of its own."""
    return replace(action, nonce=nonce) if getattr(action, "nonce", None) == "" else action
