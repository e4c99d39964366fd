"""The state of a table: an immutable value, replaced by the next."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from astragal.rule.sheets.table_rules import Holder
from astragal.table.event import DieLaid, DieTold, TurnTold
from astragal.table.proof import Proof


class Member(Struct, frozen=True, gc=False):
    """Somebody at the table. A role is gm, player, onlooker or gone."""

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


class RollChange(Struct, frozen=True, gc=False, array_like=True):
    """A change that a roll made on a sheet, and who may see it."""

    audience: str
    holder: str
    section: str
    item: str
    field: str = ""
    by: int | None = None
    to: Any = None


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
    verdict: str = ""
    over: bool = False
    title: str = ""
    defaults: dict[str, Any] = {}
    """The default inputs, as they were when the ask was fixed."""
    throws: tuple[tuple[str, list[DieTold]], ...] = ()
    """Title and dice of each throw, with what each die did."""
    headline: str = ""
    notes: list[tuple[str, str]] = []
    """The sentences so far; dropped when the roll is over and everybody has seen them."""
    result: Any = None
    revealed: bool = False
    audience: str = ""
    """Who could see it when it was opened; everybody, once it is revealed."""
    covered: bool = False
    """Whether its dice would give away a hidden input."""
    prompts: tuple[tuple[str, str, str], ...] = ()
    """Who is still asked for words, the question, its rule."""
    words: tuple[tuple[str, str], ...] = ()
    """What members said about it: their ids and texts."""
    after: str = ""
    """``open`` while a choice is left after the end, then the id of the roll with which it lapsed."""
    sources: tuple[tuple[str, str], ...] = ()
    """Where the faces of each throw came from, and who typed them."""
    by_gm: tuple[str, ...] = ()
    """Inputs, offers and ``against``, where a GM put them in: only a GM changes them."""
    their_helpers: tuple[str, ...] = ()
    """The other side's helpers; ``helpers`` are the roller's."""
    does: str = ""
    """What the story says of whoever rolls."""
    tone: str = ""
    tier: str = ""
    sum: str = ""
    gains: tuple[str, ...] = ()
    """The parts of the verdict; of an older roll there is only the line."""
    about: str = ""
    """What is attempted, in the words of whoever rolls, else of the GM who asks for it."""
    series: tuple[int, ...] = ()
    """Of a long task: its total, its target and the rolls that are left."""
    laid: tuple[list[DieLaid], ...] = ()
    """How the dice of each throw lie, one list for each of ``throws``."""
    labels: dict[str, list[str]] = {}
    """What stands on the faces of dice that have words, by the name of the dice."""
    thrown_by: tuple[str, ...] = ()
    """The id of the holder or member who threw each of ``throws``."""
    changes: tuple[RollChange, ...] = ()
    """What it has changed on the sheets, in order."""
    name: str = ""
    """What the roller is called who has no sheet."""
    against_name: str = ""
    request: str = ""
    """The id of the request that it answers."""
    secret: tuple[str, ...] = ()
    """Offers of which only GMs know that they are in it."""
    proofs: tuple[Proof | None, ...] = ()
    """How the machine threw each of ``throws``; None for those that were typed."""

    @property
    def thrown(self) -> bool:
        """Whether any die was thrown or choice answered."""
        return bool(self.steps)


class Pool(Struct, frozen=True, gc=False):
    """What was put into a roll, to be put in again; nobody knows of it who is not in ``audience``."""

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
    asked: dict[str, tuple[str, str]] = {}
    """By character: waiting, gathering or rolled, and the id of the roll."""


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
    """Requests that somebody still has to answer."""
    turns: Turns = Turns()
    pools: dict[str, dict[str, Pool]] = {}
    """Saved pools by holder and name; the table's own are those without a character."""
    last: dict[str, dict[str, Pool]] = {}
    """What was last put into a roll, by holder, kind of roll and audience; the latest at the end."""
    typed_dice: str = "everybody"
    """Who may type dice: everybody, gm or nobody."""


FORMAT = 5
"""The format of snapshots that is written and read; one of another format is ignored, and the log folded again."""


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
    undone_dice: dict[str, list[tuple[Any, ...]]] = {}
    """Undone throws by their marks, in order: version, faces, and who typed them if somebody did."""
    public: int = 0
    """Number of entries that everybody may see part of."""
    private: dict[str, int] = {}
    """Number of entries that only this member and the GMs may see part of, by member."""
    tickets: dict[str, int] = {}
    """Number of tickets that were used, by seat and lane; an undo gives none back."""
    chains: dict[str, tuple[int, str]] = {}
    """The number of entries and the head of each audience's chain."""


class _Format(Struct):
    """The format field of a snapshot; those of 0.5 have none."""

    format: int = 1


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
