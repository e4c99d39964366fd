"""Table rules: what a game adds for tables.

A game declares the sections of its sheets, what may be put into a roll (offers), what a roll reads from sheets, and
what effects change on them. It deals with holders (a character, a player, the scene, the table), not with storage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, NamedTuple

from astragal.dice.dice import Pool
from astragal.errors import Illegal, Unknown
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import OneOf, Whole
from astragal.rule.inputs.total import counted, signed
from astragal.rule.inputs.word import Words
from astragal.rule.sheets.sheet import Item, Items, Options, Section, Sheet, free_name
from astragal.rule.texts import Texts, Wording, worded
from astragal.rule.tree.effect import Effect, Role
from astragal.rule.tree.node import Choice, Lazy, Outcome, Throw
from astragal.rule.tree.note import Note

TABLE = "table"
"""The id of the table's holder."""
SCENE = "scene"
"""The id of the scene's holder."""
ROLES = ("roller", "player", "target", "scene", "table", "gm")
"""The roles besides those of helpers."""


def nothing(*about: Any) -> Iterable[Any]:
    """The default of a part that a game does not have."""
    return ()


class Change(NamedTuple):
    """A change of one field, ``by`` a number or ``to`` a value. Without a field, it replaces the whole item.

    An item set to None is removed. +n crosses box n, -n clears it.
    """

    holder: str
    section: str
    item: str
    field: str = ""
    by: int | None = None
    to: Any = None
    cause: str = ""
    rule: str = ""
    whole: bool = False
    """True if it is a price that is paid whole or not at all, also where it counts up: stress, corruption."""
    deed: str = ""
    """What is done with it, such as "uses a complication": the log says that and the cause, not what changed."""
    silent: bool = False
    """True if the log says nothing of it, since another change does."""


class Holder:
    """The owner of a sheet. The rules see this interface; ``table`` stores holders."""

    __slots__ = ()
    id: str
    name: str
    sheet: Sheet

    def items(self, section: str) -> Items:
        """The items of a section, by name."""
        return self.sheet.get(section, {})

    def find(self, section: str, name: str | None) -> str | None:
        """The name of an item as the sheet writes it, by any spelling of it; None if there is no such item."""
        wanted = (name or "").strip().lower()
        return next((item for item in self.items(section) if item.lower() == wanted), None)

    def item(self, section: str, name: str) -> Item:
        """The fields of one item; empty if there is no such item."""
        return self.items(section).get(name, {})

    def value(self, section: str, name: str, field: str, default: Any = 0) -> Any:
        """One field of an item, or the default."""
        return self.item(section, name).get(field, default)


class Participants(NamedTuple):
    """The holders that a roll or a move concerns. ``player`` is the sheet of the member whose character acts."""

    roller: Holder | None
    player: Holder | None
    target: Holder | None
    helpers: tuple[Holder, ...]
    table: Holder
    scene: Holder
    options: Options
    in_scene: bool = False
    their_helpers: tuple[Holder, ...] = ()
    gm_side: bool = False
    """True if a GM rolls: for a character without a player, or without a character."""
    characters: tuple[Holder, ...] = ()
    """Every character at the table, for a move that concerns them all; nothing shown may follow from hidden ones."""
    roller_name: str = ""
    """The name of the side that rolls, if it has no sheet."""
    target_name: str = ""
    """The GM's name for the other side, if it has no sheet."""
    sections: Mapping[tuple[str, str], Section] = {}
    """The sections of the game's sheets by kind of holder and name."""

    @property
    def acting(self) -> Holder:
        """The character who makes a move; refused without one."""
        if self.roller is None:
            raise Illegal("Choose the character who does this.")
        return self.roller

    def holder(self, role: Role) -> Holder | None:
        """The holder in this role, if any. The GM's sheet is the table's."""
        side, place = helper_place(role)
        if place:
            helpers = self.their_helpers if side == "theirs" else self.helpers
            return helpers[place - 1] if place <= len(helpers) else None
        if role not in ROLES:
            raise Unknown(f'There is no role "{role}"; there are {", ".join(ROLES)}, and helper 1 and on.')
        found: Holder | None = getattr(self, "table" if role == "gm" else role)
        return found

    def section(self, role: Role, name: str) -> Section | None:
        """The section with this name on the sheet of the one in this role, if any."""
        kind = "table" if role == "gm" else role if role in ("player", "table", "scene") else "character"
        return self.sections.get((kind, name))

    def called(self, role: Role) -> str:
        """The name of the one in this role, as a sentence begins with it."""
        holder = self.holder(role)
        name = holder.name if holder else {"roller": self.roller_name, "target": self.target_name}.get(role, "")
        unnamed = {"gm": "The GM", "roller": "Somebody", "player": "The roller's player"}
        return name or unnamed.get(role) or f"The {role}"


def helper_place(role: Role) -> tuple[Literal["ours", "theirs"], int]:
    """The side and the place of a helper's role, such as ``their helper 1``; place 0 for any other role."""
    whose, word, place = role.rpartition("helper ")
    return "theirs" if whose == "their " else "ours", int(place) if word and place.isdigit() else 0


class Offer(NamedTuple):
    """Something on a sheet that may be put into a roll: it adds ``gives`` to an input, or sets it.

    Only the seat of the holder ``by`` may put it in, at most ``most`` times. The price is paid once for each time, when
    the dice are thrown; the table fills in ``changes``, what the price changes on the sheets.
    """

    id: str
    group: str
    label: str
    input: str
    gives: Any
    by: str
    most: int = 1
    held: int | None = None
    price: tuple[Effect, ...] = ()
    rule: str = ""
    also: tuple[tuple[str, Any], ...] = ()
    """Further inputs with their values: a specialty gives its dice and its level."""
    slot: str = ""
    """Of the offers with the same slot one is in a roll: a later one replaces it. What sets the same input does too."""
    changes: tuple[Change, ...] = ()
    dice: Pool = ()
    """The dice that it adds to the tray."""
    adds: str = ""
    """What it adds, in a word or two, if it adds no dice: "+3", "Burden"."""
    does: str = ""
    """What the log says of the member who puts it in, such as "tries the hatch again", in place of "puts … in"."""
    told: str = ""
    """How the log and the story tell it, such as ``"with {}"``, where it sets an input: the value has no name then."""


@worded("title")
class Move(NamedTuple):
    """An action of a game besides rolling: a Refreshment scene, an Advance spent."""

    name: str
    title: str = ""
    ask: type[Ask] = Ask
    does: Callable[[Any, Participants], Iterable[Any]] = nothing
    """What it changes and says: Changes and Notes in order, or a tree of throws whose outcome's result is these.

    A tree may come after Changes, which are a price then: it is paid before the dice are thrown, or refused.
    """
    by: Literal["owner", "gm"] = "owner"
    against: bool = False
    """True if it needs a second character."""
    nameless: bool = False
    """True if the second character may be a person without a sheet, whom an input names."""
    rule: str = ""
    throws: bool = False
    """True if it throws dice, which people may type then."""
    settled: bool = False
    """True if it has to wait until every roll of the character is settled."""

    @property
    def wording(self) -> Wording:
        """Its words in the game's file: those of its ask."""
        return self.ask.wording


def move(texts: Texts, rule: str, *, name: str = "", **more: Any) -> Callable[[Callable[..., Iterable[Any]]], Move]:
    """Make a move of a function: its parameters after the participants are the inputs of the move.

    ::

        @move(TEXTS, "CD-13")
        def give_up(participants: Participants, task: str | None = words(default=None)) -> Iterator[Change]:
            ...

        TABLE_RULES = TableRules(moves=(give_up,))

    Its words are in the section of its name. ``name`` is what the move is called if that is not the function's name;
    ``more`` are further parts of a ``Move``.
    """

    def made(does: Callable[..., Iterable[Any]]) -> Move:
        code, defaults = does.__code__, does.__defaults__
        inputs = dict(zip(code.co_varnames[1 : code.co_argcount], defaults or (), strict=True))
        ask = type(code.co_name, (Ask,), {**inputs, "__doc__": does.__doc__}, texts=texts.of(code.co_name))

        def done(ask: Ask, participants: Participants) -> Iterable[Any]:
            return does(participants, **{each: getattr(ask, each) for each in inputs})

        return Move(name or code.co_name, ask=ask, does=done, rule=rule, **more)

    return made


def read_inputs(ask: type[Ask], participants: Participants) -> dict[str, Any]:
    """The inputs that say where they are read, with the values there.

    Inputs of a sheet that no one has are left out, and so are settings that are off.
    """
    found = {name: read_path(input.reads, participants) for name, input in ask.inputs.items() if input.reads}
    off = {name for name, value in found.items() if value is False and ask.inputs[name].reads.startswith("options.")}
    return {name: value for name, value in found.items() if value is not None and name not in off}


def read_path(path: str, participants: Participants) -> Any:
    """The value at the path of an input; None if no one has that sheet, or the table lacks that setting."""
    role, _, place = path.partition(".")
    if role == "options":
        return participants.options.get(place)
    name, is_item, item = place.partition("/")
    name, _, field = (name, "", "") if is_item else name.partition(".")
    holder, section = participants.holder(role), participants.section(role, name)
    if not name:
        return holder.name if holder else None
    if holder is None or section is None:
        return None
    field = field or section.counts or next(iter(section.fields))
    value = holder.value(name, item, field) if is_item else holder.item(name, section.names[0]).get(field)
    return tuple(value) if isinstance(value, list) else value


def parts_of(done: Iterable[Any]) -> Iterable[Any]:
    """The changes and notes of a move, part by part; a single tree is a part."""
    return (done,) if isinstance(done, (Throw, Choice, Outcome, Lazy)) else done


class NoInputs(Ask):
    """The ask of a move without inputs, and the options of a game without settings."""


def clocks_section(rule: str = "", kinds: tuple[str, ...] = ("goal", "threat")) -> Section:
    """A section of Clocks; any game may use it."""
    return Section(
        "clocks",
        "Clocks",
        "clock",
        {
            "filled": Whole(0, 24, "segments ticked", default=0, rule=rule),
            "segments": Whole(1, 24, "segments in all", default=6, rule=rule),
            "kind": OneOf(kinds, "what it counts", default=kinds[0], rule=rule),
            "against": Words("the Clock that it races", default=None, rule=rule),
        },
        counts="filled",
        top="segments",
        rule=rule,
    )


def named_dice(name: str, title: str, rule: str = "", most: int = 20, **more: Any) -> Section:
    """A section of named things with a number of dice each."""
    return Section(name, title, "list", {"dice": Whole(-most, most, "dice", default=1, rule=rule), **more}, rule=rule)


def counter(name: str, title: str, most: int, help: str = "", **more: Any) -> Section:
    """A section with a single count, such as Beats; its only item has the section's title."""
    now = Whole(0, most, help, **{"default": 0, **more})
    return Section(name, title, "pips", {"now": now}, (title,), counts="now", rule=now.rule)


PLAIN_CHARACTER = (
    named_dice("traits", "Traits"),
    Section("conditions", "Conditions", "list", {"note": Words("what it means", default=None)}),
)
PLAIN_SCENE = (Section("tags", "Tags", "list", {"note": Words("what it means", default=None)}),)


def changes_of(kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change | Note]:
    """The changes of effects, each by its path."""
    for effect in effects:
        yield from changed(effect, participants)


def changed(effect: Effect, participants: Participants) -> Iterator[Change | Note]:
    """The changes of an effect, by its path; a gain that no sheet can take is a note for the GM to remember.

    What is put in gets a name of its own. In a section that counts nothing, ``by`` below 0 takes the item out. A count
    goes as far as the section lets it; a price is paid whole, or the table refuses it.
    """
    who, holder = participants.called(effect.who), participants.holder(effect.who)
    section = participants.section(effect.who, effect.what)
    is_price = effect.by < 0 or effect.price or effect.when == "throw"
    if holder is None or section is None:
        if not is_price:
            lacks = f"no {effect.what}" if holder else "no sheet"
            yield Note(f"{who} has {lacks} here: {_owed(effect, section)} for the GM to remember.", effect.rule)
        return
    items, wanted = holder.items(section.name), effect.name or next(iter(section.names), "")
    name = holder.find(section.name, wanted) or wanted
    cause = effect.cause.replace("{who}", who).replace("{roller}", participants.called("roller"))
    paid_whole = effect.when == "throw"
    change = Change(holder.id, section.name, name, cause=cause, rule=effect.rule, whole=paid_whole)
    if isinstance(effect.to, Mapping):
        name = wanted if section.names else free_name(wanted, items)
        yield change._replace(item=name, to={**section.start(name), **effect.to})
    elif name not in items and not is_price and not section.names:  # one of a fixed list may only be hidden here
        what = "Clock" if section.look == "clock" else f"item of {section.title}"
        yield Note(f'{who} has no {what} "{wanted}": {_owed(effect, section)} for the GM to remember.', effect.rule)
    elif effect.to is not None:
        yield change._replace(field=section.counts or next(iter(section.fields)), to=effect.to)
    elif not section.counts:
        yield change
    elif not is_price and section.is_at_most(items.get(name, {}), participants.options):
        full, held = f"{name} was full already.", items[name][section.counts]
        more = f"{who} already holds {held} {name}, so none is gained."
        yield Note(full if section.look == "clock" else more, section.rule or effect.rule)
    else:
        yield change._replace(field=section.counts, by=effect.by)


def _owed(effect: Effect, section: Section | None) -> str:
    """The change that an effect would have made, in a few words."""
    if section and section.look == "clock":
        ticks = counted(abs(effect.by), "tick")
        return ticks if effect.name else f"{ticks} on {section.title}"
    name = effect.name or next(iter(section.names if section else ()), effect.what)
    return name if effect.to is not None else f"{name} {signed(effect.by)}"


def decider(kind: str, by: str, result: Any) -> Role:
    """A choice that names a role is answered by it, any other by the roller."""
    return by if by in ("gm", "target") or helper_place(by)[1] else "roller"


class TableRules(NamedTuple):
    """The table rules of a game. Every part has a default, so a game with only rolls can have tables too."""

    character: tuple[Section, ...] = PLAIN_CHARACTER
    player: tuple[Section, ...] = ()
    table: tuple[Section, ...] = (clocks_section(),)
    scene: tuple[Section, ...] = PLAIN_SCENE
    options: type[Ask] = NoInputs
    offers: Callable[[str, Participants], Iterable[Offer]] = nothing
    """The offers for a roll of this kind."""
    reads: Callable[[str, Participants], Mapping[str, Any]] = lambda *about: {}
    """The inputs that a roll of this kind reads from the sheets."""
    completes: Callable[[str, Mapping[str, Any], Participants], Mapping[str, Any]] = lambda *about: {}
    """The inputs that follow from all others and from the sheets, such as the pools of helpers; they replace theirs."""
    apply: Callable[[str, Any, Sequence[Effect], Participants], Iterable[Change | Note]] = changes_of
    """The changes of effects on the sheets: kind, ask, effects, participants. For a price alone, the ask is None.

    Without it, each effect changes what its path names; a game that has more to say calls ``changed`` for the rest.
    """
    uses_up: Callable[[str, Any, Participants], Iterable[Change]] = nothing
    """What is gone as soon as the dice are thrown, besides what offers cost: kind, ask, participants.

    What a roll reads by itself, such as what others have set up for it, is used by one roll alone that way.
    """
    follows: Callable[[Holder, Holder], Iterable[Change | Note]] = nothing
    """Further changes after a change by hand, given the holder before it and after it."""
    decides: Callable[[str, str, Any], Role] = decider
    """Who answers a choice: kind, the choice's ``by``, its ``so_far``. The role is roller, target, gm or a helper's."""
    moves: tuple[Move, ...] = ()
    begins: Callable[[Options], Mapping[str, Any]] = lambda options: {}
    """Sections of a new character's sheet under the table's options; the sheet may override them."""
    joins: Callable[[Holder, Holder, Options], Iterable[Change]] = nothing
    """Changes when a player joins, given the player's sheet, the table's, the options."""
    closes: Callable[[tuple[Holder, ...], Options], Iterable[Change | Note]] = nothing
    """Changes at the end of a scene, given all characters."""
    opens: Callable[[tuple[Holder, ...], Options], Iterable[Change | Note]] = nothing
    """Changes at the beginning of a scene, given all characters."""
    luck: Callable[[str, Any], int | None] = lambda kind, value: value if type(value) is int else None
    """The rank of a throw's value, as a number; None if it does not count for luck."""
    templates: str = ""
    """The path of the ready-made characters, a TOML file."""
    sample: str = ""
    """The path of the sample campaign, a TOML file."""

    def sections(self, kind: str) -> tuple[Section, ...]:
        """The sections of a kind of holder: character, player, table or scene."""
        found: tuple[Section, ...] = getattr(self, kind)
        return found

    def every_section(self) -> dict[tuple[str, str], Section]:
        """The sections of all sheets, by kind of holder and name."""
        kinds = ("character", "player", "table", "scene")
        return {(kind, part.name): part for kind in kinds for part in self.sections(kind)}


PARTS = {
    "sheet": {"character": "CHARACTER", "player": "PLAYER", "table": "TABLE", "scene": "SCENE", "options": "Settings"},
    "offers": {"offers": "offers", "reads": "reads", "completes": "completes"},
    "effects": {"apply": "apply", "uses_up": "uses_up", "follows": "follows", "decides": "decides", "luck": "luck"},
    "moves": {"moves": "MOVES", "begins": "begins", "joins": "joins", "closes": "closes", "opens": "opens"},
}
"""The modules of a game's package that have the parts of its table rules, with the name of each part there."""


def table_rules_in(package: str) -> TableRules:
    """The table rules of a package, made from its modules in ``PARTS``, its templates and its sample."""
    found: dict[str, Any] = {}
    for name, parts in PARTS.items():
        module = import_module(f"{package}.{name}")
        found |= {part: vars(module)[called] for part, called in parts.items() if called in vars(module)}
    folder = str(module.__file__).removesuffix("moves.py")
    return TableRules(**found, templates=f"{folder}templates.toml", sample=f"{folder}sample.toml")


PLAIN = TableRules()
"""The table rules of a game that declares none."""


def table_rules_of(module: str | ModuleType) -> TableRules:
    """The table rules in this module, imported on demand; ``PLAIN`` if there is no module."""
    if not module:
        return PLAIN
    found: TableRules = (import_module(module) if isinstance(module, str) else module).TABLE_RULES
    return found
