"""Views of rolls: what is being gathered, what lies there, what it waits for, what it came to."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from astragal.rule.verdict import Tone

RollSeen: TypeAlias = Literal["all", "owner", "gm", "blind"]
ThrowSource: TypeAlias = Literal["", "machine", "typed", "again"]
DieRole: TypeAlias = Literal["plain", "special", "card"]
Side: TypeAlias = Literal["", "ours", "theirs"]
"""The side of an opposed roll: ours is that of the roller."""
Waits: TypeAlias = Literal["", "choice", "dice", "gm"]


class PriceView(Struct, frozen=True, gc=False):
    """What an offer costs or gives; ``whose`` names the holder if it is not the giver."""

    item: str
    by: int
    whose: str


class DiceView(Struct, frozen=True, gc=False):
    """Dice of one kind."""

    name: str
    sides: int
    n: int
    role: DieRole = "plain"
    side: Side = ""
    again: list[int] = []
    """Faces that are rolled again, in every wave."""
    retry: list[int] = []
    """Faces that are rolled again once, in the first wave."""
    labels: list[str] | UnsetType = UNSET
    """The text on each face, if that is not a number."""
    left: list[int] | UnsetType = UNSET
    """Of cards: how many of each are left in the deck."""
    kept: list[dict[int, int]] | UnsetType = UNSET
    """Faces that come up again after an undo, wave by wave, by the place of their die in the first wave."""


class OfferView(Struct, frozen=True, gc=False):
    """An offer: something that may be put into a roll."""

    id: str
    group: str
    label: str
    input: str
    gives: Any
    most: int
    price: list[PriceView]
    rule: str
    yours: bool
    by: str = ""
    """The id of the holder whose it is."""
    side: Side = ""
    dice: list[DiceView] = []
    """The dice that it adds."""
    adds: str = ""
    """What it adds, in a word or two, if it adds no dice."""
    cost: str = ""
    """Its price in words: "1 Will"."""
    gains: str = ""
    """What another character gains by it, in words: "Tollmaster gains 1 Will"."""


class DieView(Struct, frozen=True, gc=False, omit_defaults=True):
    """A die that was thrown, and what it did. There may be thousands, so defaults are not sent."""

    name: str
    sides: int
    face: int
    throw: str = ""
    """The title of its throw."""
    did: str = ""
    counts: bool = False
    wave: int = 0
    """0 for the first toss; dice that were rolled again lie in the next wave."""
    earned_by: int = -1
    """The place, among all dice of the roll, of the die that earned it; -1 for none."""
    role: DieRole = "plain"
    side: Side = ""
    label: str | UnsetType = UNSET
    """The text on the face, if that is not a number."""


class ThrowView(Struct, frozen=True, gc=False):
    """A throw: whether the machine threw it, who typed it, or whether it was taken up again after an undo."""

    title: str
    source: ThrowSource
    typed_by: str
    by: str = ""
    """The id of the holder or member whose dice they are."""


class KeptView(Struct, frozen=True, gc=False):
    """Kept dice of an undone throw: whose they are, their name and sides, and the faces that come up again."""

    by: str
    name: str
    sides: int
    faces: list[int]
    throw: int = 0
    """The throw of these dice in the roll, from 0."""
    wave: int = 0
    typed: list[int] = []
    """The places of those faces that were typed, and can be corrected."""


class LeadView(Struct, frozen=True, gc=False):
    """What an option leads to for certain."""

    tone: Tone
    tier: str


class OptionView(Struct, frozen=True, gc=False):
    """An answer that may be given."""

    name: str
    label: str
    cost: int
    words: str
    needs_words: bool
    rule: str
    by: str = ""
    """The role whose it is, where that is not who decides."""
    yours: bool = False
    detail: str = ""
    """What it does, in half a line."""
    price: list[PriceView] = []
    """What it costs, by item: 1 IP."""
    picks: list[str] = []
    """What its words may name, as this seat sees it: one to tap, or "name; words"."""
    leads: LeadView | None = None
    """Where it leads, if that is certain."""
    dice: list[DiceView] = []
    """The dice that are thrown at once when it is taken."""


class BarredView(Struct, frozen=True, gc=False):
    """An answer that may not be given, and why."""

    name: str
    why: str
    rule: str
    label: str = ""
    """What it would be called if it could be given."""
    needs: str = ""
    """Why not, in as few words as there are: "Needs 3 IP"."""


class OfferedView(Struct, frozen=True, gc=False):
    """An offer that a choice answers: what it is, its maker's words, and the question that follows."""

    what: str
    words: str
    question: str


class OpenChoice(Struct, frozen=True, gc=False, tag_field="type", tag="choice"):
    """A choice that waits for an answer."""

    choice: str
    by: str
    question: str
    options: list[OptionView]
    barred: list[BarredView]
    rest: str = ""
    """The name of the option that leaves things as they are."""
    assumes: str = ""
    """What the chances after each option take for granted about others."""
    offered: OfferedView | UnsetType = UNSET
    """The offer that the question tells, in parts."""


class OpenDice(Struct, frozen=True, gc=False, tag_field="type", tag="dice"):
    """Dice that wait to be thrown; ``instead`` are answers that may be given now, such as giving up."""

    throw: str
    dice: list[DiceView]
    instead: list[OptionView] = []


class PromptView(Struct, frozen=True, gc=False):
    """A question about a finished roll: a member is asked for words, and may leave them out."""

    by: str
    """The id of the holder or member who is asked, or ``gm``."""
    question: str
    rule: str
    yours: bool


class WordsView(Struct, frozen=True, gc=False):
    """What a member said about a finished roll."""

    by: str
    text: str


class SideView(Struct, frozen=True, gc=False):
    """One side of a roll that is being gathered: who, its dice in words, and what they are made of."""

    side: Side
    by: str
    """The id of the character or member; empty for a side that no one at the table plays."""
    name: str
    dice: str
    sources: list[str]
    price: list[PriceView]


class ShareView(Struct, frozen=True, gc=False):
    """What one member put into an input whose sources add up."""

    input: str
    by: str
    name: str
    value: Any
    """As it was written: a number, a text such as "2 rain", or a number for each label."""
    yours: bool = False


class ClaimView(Struct, frozen=True, gc=False):
    """Something that is a GM's to grant, and that a player put in: "DC 12", claimed by Bo."""

    input: str
    by: str
    name: str
    words: str


class ReadyView(Struct, frozen=True, gc=False):
    """A side of an opposed roll: the member who plays it, and whether they are ready to see it thrown."""

    side: Side
    by: str
    """The id of the member, or ``gm``."""
    name: str
    ready: bool
    yours: bool


class TrayView(Struct, frozen=True, gc=False):
    """What is being gathered, as everybody sees it who sees the roll."""

    words: str
    """The dice in a few words: "4d6 + d10"."""
    dice: list[DiceView]
    """The dice of the first throw; of an opposed roll, both sides'."""
    sides: list[SideView]
    """One side, or both of an opposed roll."""
    apart: bool = False
    """Whether each side throws its own dice, ours first."""
    questions: list[str] = []
    """What each die will answer, in order, where dice answer questions."""


class GainView(Struct, frozen=True, gc=False):
    """What a roll gave or changed: "+1 Into the granary"; ``whose`` names the holder if it is not who rolls, or if a
    player of the other side reads the outcome as theirs."""

    text: str
    whose: str = ""
    paid: bool = False
    """Whether it was a price, to be told only where it comes back."""
    stands: list[int] | UnsetType = UNSET
    """Of damage: how much of it there is now, and how much there may be, to be drawn as a small Clock."""


class PairView(Struct, frozen=True, gc=False):
    """A rung of the ladder: the places of two dice among those of the roll, and how the first compares."""

    ours: int
    theirs: int
    sign: Literal["=", ">", "<"]


class SeriesView(Struct, frozen=True, gc=False):
    """How far a long task has come: its total, its target, and the rolls that are left."""

    total: int
    target: int
    left: int


OpenNode: TypeAlias = OpenChoice | OpenDice | None
"""What a roll waits for: a choice, dice, or nothing."""


class RollView(Struct, frozen=True, gc=False):
    """A roll, at ``rolls/<id>``: inputs and offers while it is built, then dice and outcome."""

    id: str
    kind: str
    title: str
    by: str
    who: str
    against: str
    helpers: list[str]
    seen: RollSeen
    hidden: list[str]
    over: bool
    thrown: bool
    typed: bool = True
    """Whether this seat may type its dice, where the table lets people; else the machine throws them (T-3)."""
    their_helpers: list[str] = []
    against_name: str = ""
    """What the other side is called that has no sheet."""
    request: str = ""
    """The id of the request that it answers."""
    blind: bool | UnsetType = UNSET
    yours: bool | UnsetType = UNSET
    headline: str | UnsetType = UNSET
    ask: dict[str, Any] | UnsetType = UNSET
    inputs: dict[str, Any] | UnsetType = UNSET
    use: dict[str, int] | UnsetType = UNSET
    offers: list[OfferView] | UnsetType = UNSET
    missing: str | UnsetType = UNSET
    dice: list[DieView] | UnsetType = UNSET
    throws: list[ThrowView] | UnsetType = UNSET
    verdict: str | UnsetType = UNSET
    result: Any | UnsetType = UNSET
    waits: Waits | UnsetType = UNSET
    waits_for: str | UnsetType = UNSET
    """The id of the member for whom it waits, or ``gm``."""
    locked: list[str] | UnsetType = UNSET
    """Inputs and offers that this seat may not change: another member's, the sheets', or put in by a GM."""
    takes: list[int] | UnsetType = UNSET
    """How many more helpers it takes, on the roller's side and on the other."""
    open: OpenNode | UnsetType = UNSET
    name: str = ""
    """The roller's name: of the character, of a side without a sheet, or else of the member."""
    does: str = ""
    """What they do, in a few words: "tries it"."""
    about: str | UnsetType = UNSET
    """The attempted action, in the member's own words."""
    needs: str | UnsetType = UNSET
    """What a button says while something is missing: "Choose a difficulty"."""
    wants: str | UnsetType = UNSET
    """The input that answers what is missing, where the rules ask something."""
    tray: TrayView | UnsetType = UNSET
    shares: list[ShareView] | UnsetType = UNSET
    """What members put into inputs whose sources add up; ``inputs`` has all of it together."""
    claims: list[ClaimView] | UnsetType = UNSET
    ready: list[ReadyView] | UnsetType = UNSET
    """Both sides of an opposed roll that waits for a player's "ready"."""
    ready_at: int | UnsetType = UNSET
    """When it may be thrown without, in milliseconds; 0 for never."""
    tone: Tone | UnsetType = UNSET
    tier: str | UnsetType = UNSET
    sum: str | UnsetType = UNSET
    gains: list[GainView] | UnsetType = UNSET
    waiting: list[GainView] | UnsetType = UNSET
    """What it will change when it is revealed."""
    pairs: list[PairView] | UnsetType = UNSET
    """The ladder of a roll whose dice are compared in pairs, from the highest down to the first that differ."""
    series: SeriesView | UnsetType = UNSET
    waits_name: str | UnsetType = UNSET
    """The name of the member for whom it waits; of several GMs the first."""
    prompts: list[PromptView] | UnsetType = UNSET
    words: list[WordsView] | UnsetType = UNSET
    kept: list[KeptView] | UnsetType = UNSET
    """Of a roll whose throw was undone: the dice that come up again, as far as this seat saw them."""
