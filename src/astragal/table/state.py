"""The state of a table: an immutable value, replaced by the next."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from astragal.rule.sheets.table_rules import Holder
from astragal.table.event import TurnTold
from astragal.table.roll_event import PartlyTold, Proof, Thrown, Told


class Member(Struct, frozen=True, gc=False):
    """A member of the table. A role is gm, player, onlooker or gone."""

    id: str
    name: str
    role: str


class HolderState(Struct, Holder, frozen=True, gc=False):
    """A holder of a sheet: a character, a player, the table or the scene."""

    id: str
    kind: str
    name: str
    sheet: dict[str, dict[str, dict[str, Any]]]
    owner: str = ""
    seen: str = "all"
    veiled: bool = False
    """Whether any of its items is or was hidden."""
    free: bool = False
    """Whether any player may take it over."""
    shows: tuple[str, ...] = ()
    """The sections that everybody sees although the sheet is closed."""


class RollChange(Struct, frozen=True, gc=False, array_like=True):
    """A change that a roll made on a sheet, and who may see it."""

    audience: str
    holder: str
    section: str
    item: str
    field: str = ""
    by: int | None = None
    to: Any = None
    stands: tuple[int, int] | None = None


class KeptDie(Struct, frozen=True, gc=False, array_like=True):
    """A die of an undone throw: its face, the id of the entry that threw it, who saw it, and who typed it.

    ``proven`` is the place of the throw in its proof, if the machine threw it with a ticket.
    """

    face: int
    entry: str
    audience: str = ""
    typed_by: str = ""
    proven: str = ""


Kept: TypeAlias = dict[str, dict[int, KeptDie]]
"""Kept dice by line and root; see ``kept``."""


class Undone(Struct, frozen=True, gc=False):
    """The dice and marks that the undone throws of a roll left."""

    struck: bool = False
    """Whether it was thrown, with or without dice, and that was undone."""
    dice: Kept = {}
    proofs: dict[str, tuple[Any, Proof]] = {}
    """By place: the faces that fell, and their proofs."""
    remembered: tuple[tuple[str, str, str], ...] = ()
    """What they left on sheets, since an undo does not forget it: holder, section, item."""


class OpenPart(Struct, frozen=True, gc=False):
    """The part of a roll with hidden inputs that others than the GMs know."""

    steps: tuple[dict[str, Any], ...] = ()
    throws: int = 0
    """The number of its throws that they may see, the first ones."""
    secret_steps: int = 0
    """The number of steps that only GMs know of."""
    told: PartlyTold | None = None


class Waiting(Struct, frozen=True, gc=False):
    """The changes that a roll makes when it is revealed; see ``Delayed``."""

    effects: tuple[dict[str, Any], ...] = ()
    changes: tuple[RollChange, ...] = ()
    done: tuple[tuple[str, str, str, str], ...] = ()


NOT_TOLD = Told(roll="", headline="", verdict="")


class Roll(Struct, frozen=True, gc=False):
    """A roll. ``ask`` is fixed at the first throw; ``steps`` are its faces and answers, to be played back.

    An unfinished roll is played back to see what it waits for; a finished one is shown from what is here.
    """

    id: str
    kind: str
    by: str
    who: str = ""
    against: str = ""
    helpers: tuple[str, ...] = ()
    seen: str = "all"
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    hidden: tuple[str, ...] = ()
    ask: dict[str, Any] | None = None
    steps: tuple[dict[str, Any], ...] = ()
    title: str = ""
    defaults: dict[str, Any] = {}
    """The default inputs, as they were when the ask was fixed."""
    throws: tuple[Thrown, ...] = ()
    """What was thrown; each die with what it did."""
    over: bool = False
    told: Told = NOT_TOLD
    """What it came to so far; its sentences are dropped when the roll is over and everybody has seen them."""
    audience: str = ""
    """Who could see it when it was opened; everybody, once it is revealed."""
    covered: bool = False
    """Whether its dice would give away a hidden input."""
    words: tuple[tuple[str, str], ...] = ()
    """What members said about it: their ids and texts."""
    after: str = ""
    """``open`` while a choice is left after the end, then the id of the roll with which it lapsed."""
    by_gm: tuple[str, ...] = ()
    """Inputs, offers and ``against``, where a GM put them in: only a GM changes them."""
    shares: dict[str, dict[str, Any]] = {}
    """Of inputs whose sources add up: what each member put in; ``inputs`` has all of it together (T-5)."""
    claims: dict[str, dict[str, str]] = {}
    """Inputs that are a GM's to grant, and what each member who is not a GM claims of them, in words (T-7)."""
    their_helpers: tuple[str, ...] = ()
    """The other side's helpers; ``helpers`` are the roller's."""
    does: str = ""
    """What the story says of the roller."""
    about: str = ""
    """What is attempted, in the words of the roller, else of the GM who asks for it."""
    changes: tuple[RollChange, ...] = ()
    """What it has changed on the sheets, in order."""
    name: str = ""
    """What the roller is called who has no sheet."""
    against_name: str = ""
    request: str = ""
    """The id of the request that it answers."""
    ready: tuple[str, ...] = ()
    """The sides of an opposed roll that are ready, ``ours`` and ``theirs`` (T-8)."""
    gathers_since: int = 0
    """When either side's dice last changed, in milliseconds, where the throw waits for the other side."""
    secret: tuple[str, ...] = ()
    """Offers in the roll that only GMs know of."""
    undone: Undone = Undone()
    part: OpenPart = OpenPart()
    picked: dict[str, str] = {}
    """Names of hidden things that GMs put in, by input, and answers in full, by step; see ``rolls/picks.py``."""
    waiting: Waiting | None = None

    @property
    def known_open(self) -> bool:
        """True if it waits for something that rests on nothing hidden, while an input is hidden."""
        return self.part.told is not None and self.part.told.open

    @property
    def thrown(self) -> bool:
        """True if any die was thrown or choice answered."""
        return bool(self.steps)

    @property
    def reopened(self) -> bool:
        """True if its throws were undone, and it is gathered again."""
        return self.undone.struck and self.ask is None


class Pool(Struct, frozen=True, gc=False):
    """The contents of a roll, to be put in again; only ``audience`` knows of it."""

    kind: str
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    name: str = ""
    """What the roller was called who has no sheet."""
    audience: str = ""


class Request(Struct, frozen=True, gc=False):
    """A GM's request for a roll. ``asked`` says how far each character is, and by which roll."""

    id: str
    by: str
    kind: str
    title: str
    seen: str = "all"
    note: str = ""
    against: str = ""
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    hidden: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    """Inputs whose setting only GMs know of, since they name a hidden thing."""
    asked: dict[str, tuple[str, str]] = {}
    """By character: waiting, gathering or rolled, and the id of the roll."""


class DelayedMove(Struct, frozen=True, gc=False, array_like=True):
    """The changes that a hidden move makes when it is revealed; see ``MoveDelayed``."""

    title: str
    told: list[tuple[str, str]]
    changes: list[tuple[str, str, str, str, int | None, Any, str, str]]


class Turns(Struct, frozen=True, gc=False):
    """The turn order: places, the id of the one whose turn it is, and the round."""

    order: tuple[TurnTold, ...] = ()
    now: str = ""
    round: int = 1


class World(Struct, frozen=True, gc=False):
    """The part of the state that undo can change back."""

    holders: dict[str, HolderState] = {}
    rolls: dict[str, Roll] = {}
    in_scene: bool = False
    retired: dict[str, tuple[str, str]] = {}
    """Names of characters that are no longer at the table, and who may know them."""
    requests: dict[str, Request] = {}
    """Requests that still wait for an answer."""
    turns: Turns = Turns()
    pools: dict[str, dict[str, Pool]] = {}
    """Saved pools by holder and name; the table's own are those without a character."""
    last: dict[str, dict[str, Pool]] = {}
    """What was last put into a roll, by holder, kind of roll and audience; the latest at the end."""
    typed_dice: str = "everybody"
    """Who may type dice: everybody, gm or nobody."""
    ready_limit: int = 120
    """Seconds after which an opposed roll may be thrown although a player has not said "ready"; 0 for never (T-8)."""
    undo: str = "gm"
    """Who undoes a player's throw: gm, or player, without asking one."""
    delayed_moves: dict[str, DelayedMove] = {}
    """Hidden moves whose changes wait, by the id of their entry."""
    kept_moves: dict[str, Kept] = {}
    """The dice of undone moves, by move and whose it is."""


FORMAT = 8
"""The format of snapshots that is written and read; one of another format is ignored, and the log folded again."""


class Plea(Struct, frozen=True, gc=False):
    """A player's wish that a GM undoes an entry; ``told`` says what would go, as far as the player knows it."""

    id: str
    by: str
    entry: str
    told: list[str] = []
    audience: str = ""
    in_full: list[str] = []
    """The same as GMs know it, where that is more."""


class State(Struct, frozen=True, gc=False):
    """A table: its game, its members, its world, and what undo needs."""

    format: int = FORMAT
    game: str = ""
    title: str = ""
    options: dict[str, Any] = {}
    version: int = 0
    members: dict[str, Member] = {}
    world: World = World()
    struck: dict[str, int] = {}
    """Undone entries, and the version that undid each."""
    pleas: dict[str, Plea] = {}
    """What players ask a GM to undo, by id; at most one of each member."""
    public: int = 0
    """Number of entries that everybody may see part of."""
    private: dict[str, int] = {}
    """Number of entries that only this member and the GMs may see part of, by member."""
    tickets: dict[str, int] = {}
    """Number of tickets of the book that were used, by seat and lane; an undo gives none back."""
    book: str = ""
    """The book of tickets that was announced last; empty if none was."""
    lanes: dict[str, tuple[str, ...]] = {}
    """The lanes of each seat whose tickets were announced, of this book."""
    unconfirmed: tuple[str, ...] = ()
    """Members who were there before the last restore or import, and whose pages have not confirmed the new tickets."""
    chains: dict[str, tuple[int, str]] = {}
    """The number of entries and the head of each audience's chain."""


class _Format(Struct):
    """The format field of a snapshot."""

    format: int = 0


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(State)
_format_decoder = msgspec.json.Decoder(_Format)


def encode_state(state: State) -> bytes:
    """The state as bytes; the same log always gives the same bytes."""
    return _encoder.encode(state)


def decode_state(body: bytes) -> State:
    """Decode a state; ``ValueError`` if it cannot be read or has another format."""
    if (found := _format_decoder.decode(body).format) != FORMAT:
        raise ValueError(f"a snapshot of format {found}, not {FORMAT}")
    return _decoder.decode(body)
