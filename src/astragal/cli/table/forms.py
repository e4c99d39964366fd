"""Forms: how each action of ``astragal table do`` is written, and how its words are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.table.seat import AS, DATA, DATABASE, JSON, Seat
from astragal.errors import Malformed, Unknown
from astragal.rule.inputs.input import Whole, parse_whole
from astragal.rule.sheets.table_rules import TABLE
from astragal.table.access import find_holder
from astragal.table.decide.sheets import templates_of
from astragal.table.ruleset import ruleset_of
from astragal.table.view.build import holder_view

BY = Whole(-1000, 1000, "how far a count moves")
BY.name = "by"
PLACE = Whole(0, 100, "a place in the turn order")
PLACE.name = "at"

WHY = Option("why", "WORDS", "why, for the log")
ROLE = Option("role", "gm|player|onlooker", "what they may do; default player")
SEEN = Option("seen", "all|owner|gm", "who sees it; default all")
HOLDER_SEEN = Option("seen", "all|name|owner|gm", "who sees it; name: all its name and how it stands, the GM its sheet")
FREE = Option("free", help="any player may take the character over")
OWNER = Option("owner", "MEMBER", 'whose it is; "" is the GM\'s')
NAME = Option("name", "NAME", "another name")
ROLL = Option("roll", "ID", "which roll, by the beginning of its id; otherwise the latest that is open")
FACES = Option("faces", '"6 5 | 7"', "the faces of real dice: | between kinds and throws, / between waves of rerolls")
ANSWER = Option(
    "answer", "ANSWER", "what to answer when a choice comes up; may be given several times, in order", many=True
)
BY_HAND = Option("by-hand", help="ask at the terminal for the faces of every throw")
DICE = (FACES, ANSWER, BY_HAND)
FRESH = Option("fresh", help="do not reuse the dice of an undone throw (GM only)")

TAKES_VALUE = (DATA.name, DATABASE.name, AS.name)

Make = Callable[[Parsed, Seat], dict[str, Any]]


class DoWords(NamedTuple):
    """The options that every action takes, an action in JSON if there is one, and the other words."""

    common: Parsed
    raw: str | None
    words: list[str]


def split_words(words: list[str]) -> DoWords:
    """Take out --data, --database, --as and --json wherever they are; which other options exist depends on the table.

    ``--json`` says how the answer is printed; an action in JSON may follow it.
    """
    common, raw, left = Parsed({}, []), None, list[str]()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.removeprefix("--").partition("=")
        if word == "--":
            return DoWords(common, raw, [*left, word, *rest])
        if word.startswith("--") and name in common.given:
            raise Malformed(f"--{name} is given twice; leave out one of them.")
        if word.startswith("--") and name in TAKES_VALUE:
            common.given[name] = [value if equals else _value(name, rest)]
        elif word.startswith("--") and name == "json":
            common.given[name] = ["yes"]
            if equals or (rest and rest[0].lstrip().startswith("{")):
                raw = value if equals else rest.pop(0)
        else:
            left.append(word)
    return DoWords(common, raw, left)


def _value(name: str, rest: list[str]) -> str:
    if not rest or rest[0].startswith("--"):
        raise Malformed(f"--{name} needs a value.")
    return rest.pop(0)


class Form(NamedTuple):
    """An action's words: by position (``?`` may be left out, ``…`` takes all that follow) and by option."""

    help: str
    places: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    make: Make | None = None
    """Makes the action's data where that is more than fields by name."""
    example: str = ""

    def parser(self, name: str) -> Parser:
        """The parser for the words after the action's name."""
        places = tuple(place.rstrip("?").upper() for place in self.places)
        parser = Parser(f"table do [TABLE] {name}", self.help, places, [f"astragal table do {self.example}"])
        if self.options:
            parser.add("what", *self.options)
        parser.add("how", AS, DATA, DATABASE, JSON)
        return parser

    def read(self, name: str, words: list[str], seat: Seat) -> tuple[dict[str, Any], Parsed]:
        """The action as plain data, and what was given."""
        parsed = self.parser(name).parse(words)
        check_options(self.options, parsed)
        self._refuse_missing(name, parsed)
        data = self.make(parsed, seat) if self.make else {"do": name, **self.fields(parsed)}
        return data, parsed

    def fields(self, parsed: Parsed) -> dict[str, Any]:
        """Fields of the action by name."""
        given: dict[str, Any] = {}
        for place, field in enumerate(self.places):
            words = parsed.places[place:] if "…" in field else parsed.places[place : place + 1]
            if words:
                given[field.rstrip("?…")] = " ".join(words)
        for option in self.options:
            if option.name != "by-hand" and parsed.flag(option.name):
                many = parsed.given[option.name]
                given[option.name] = True if not option.metavar else many[-1]
        if "answer" in given and parsed.flag("answer"):
            given["answers"] = parsed.given["answer"]
            del given["answer"]
        return given

    def _refuse_missing(self, name: str, parsed: Parsed) -> None:
        needed = [place for place in self.places if not place.endswith("?")]
        if len(parsed.places) < len(needed):
            missing = needed[len(parsed.places)].rstrip("…").upper()
            raise Malformed(f"{missing} is missing; for example astragal table do {self.example}.")


def check_options(options: tuple[Option, ...], parsed: Parsed) -> None:
    """Refuse a value that is not among those that its option lists."""
    for option in options:
        allowed = option.metavar.split("|")
        text = parsed.text(option.name)
        if len(allowed) > 1 and '"' not in option.metavar and text is not None and text not in allowed:
            *first, last = allowed
            raise Malformed(f'--{option.name} is "{text[:40]}"; it must be {", ".join(first)} or {last}.')


def _set(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    data: dict[str, Any] = {"do": "set"}
    if parsed.flag("typed-dice"):
        data["typed_dice"] = parsed.text("typed-dice")
    if parsed.flag("undo"):
        data["undo"] = parsed.text("undo")
    if parsed.flag("ready-limit"):
        data["ready_limit"] = parse_whole(parsed.text("ready-limit") or "", READY_LIMIT)
    if len(data) == 1:
        raise Malformed(f"Say which setting; for example astragal table do {FORMS['set'].example}.")
    return data


READY_LIMIT = Whole(0, 3600, "seconds")
READY_LIMIT.name = "ready_limit"


def _ready(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    data = {"do": "ready", **FORMS["ready"].fields(parsed)}
    return {**data, "ready": False} if data.pop("not-yet", False) else data


def _create(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    """A template may be named by its beginning, in upper or lower case."""
    data = {"do": "create", **FORMS["create"].fields(parsed)}
    wanted = str(data.get("template", "")).lower()
    ready = [name for name in templates_of(seat.state.game) if wanted and name.lower().startswith(wanted)]
    return {**data, "template": ready[0]} if len(ready) == 1 else data


def _change(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    fields = FORMS["change"].fields(parsed)
    place = _placed(seat, *parsed.places[:3])
    return {"do": "change", **fields, **place, "by": BY.read(fields["by"])}


def _placed(seat: Seat, holder: str, section: str, item: str) -> dict[str, str]:
    """A place on a sheet: the section by name or title, the item in upper or lower case."""
    found = find_holder(seat.state, seat.member, holder)
    for known in ruleset_of(seat.state.game).table_rules.sections(found.kind):
        if section.lower() in (known.name, known.title.lower()):
            section = known.name
            there = (*known.names, *_items(seat, found.id, section))
            item = next((name for name in there if name.lower() == item.strip().lower()), item)
    return {"holder": found.id, "section": section, "item": item}


def _items(seat: Seat, holder: str, section: str) -> list[str]:
    """The names of the items that this seat sees there."""
    seen = holder_view(seat.state, seat.member, holder)
    return list(seen.sheet.get(section, {})) if seen else []


def _edit(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    """Fields as ``name=value``; without a value the field is emptied."""
    holder, section, item, *written = parsed.places
    to: dict[str, Any] = {}
    for text in written:
        field, equals, value = text.partition("=")
        if not equals:
            raise Malformed(f'"{text[:40]}" changes nothing; write a field, = and its value, such as dice=2.')
        if field.strip() in to:
            raise Malformed(f"{field.strip()} is given twice; leave out one of them.")
        to[field.strip()] = value or None
    remove = {"remove": True} if parsed.flag("remove") else {}
    why = {"why": parsed.given["why"][-1]} if parsed.flag("why") else {}
    return {"do": "edit", **_placed(seat, holder, section, item), "to": to, **remove, **why}


def _clock(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    """A Clock of the table, new or changed."""
    name, *segments = parsed.places
    to: dict[str, Any] = {"segments": segments[0]} if segments else {}
    to |= {field: parsed.given[field][-1] for field in ("kind", "against", "filled", "seen") if parsed.flag(field)}
    remove = {"remove": True} if parsed.flag("remove") else {}
    why = {"why": parsed.given["why"][-1]} if parsed.flag("why") else {}
    return {"do": "edit", **_placed(seat, TABLE, "clocks", name), "to": to, **remove, **why}


def _tick(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    """A Clock that this seat sees: the table's, or that of a character."""
    name, *more = parsed.places
    holder = find_holder(seat.state, seat.member, parsed.text("who") or TABLE)
    clocks = [
        (section.name, item)
        for section in ruleset_of(seat.state.game).table_rules.sections(holder.kind)
        if section.look == "clock"
        for item in _items(seat, holder.id, section.name)
    ]
    found = [clock for clock in clocks if clock[1].lower() == name.strip().lower()]
    if not found:
        there = ", ".join(item for _, item in clocks) or "none"
        raise Unknown(f'There is no Clock "{name[:40]}"; there are {there}.')
    why = {"why": parsed.given["why"][-1]} if parsed.flag("why") else {}
    by = BY.read(more[0]) if more else 1
    return {"do": "change", "holder": holder.id, "section": found[0][0], "item": found[0][1], "by": by, **why}


WHO = Option("who", "NAME", "whose Clock it is; default the table's")
CLOCK = (
    Option("kind", "KIND", "goal or threat, or what the game has besides"),
    Option("seen", "all|gm|veiled", "who sees it; veiled: everybody knows of it, and the GM how it stands"),
    Option("filled", "N", "segments ticked"),
    Option("against", "CLOCK", "the Clock that it races"),
    Option("remove", help="remove it"),
    WHY,
)


def _scene(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    return {**_close(parsed, seat), "do": "scene", "title": " ".join(parsed.places)}


def _close(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    return {"do": "close", "ends": parsed.given.get("end", [])}


def _withdraw(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    roll = {"roll": parsed.places[0]} if parsed.places else {}
    ref = parsed.text("request")
    if ref is None:
        return {"do": "withdraw", **roll}
    found = [id for id in seat.state.world.requests if ref and id.startswith(ref)]
    return {"do": "withdraw", "request": found[0] if len(found) == 1 else ref, "who": parsed.given.get("who", [])}


def _turn(parsed: Parsed, seat: Seat) -> dict[str, Any]:
    lists = {name: parsed.given[name] for name in ("add", "remove", "order") if parsed.flag(name)}
    flags = {name: True for name in ("next", "back", "end", "secret") if parsed.flag(name)}
    now = {"now": parsed.text("now")} if parsed.flag("now") else {}
    at = {"at": PLACE.read(parsed.text("at"))} if parsed.flag("at") else {}
    return {"do": "turn", **lists, **flags, **now, **at}


TURN = (
    Option("add", "NAME", "put a character or any name at the end; may be given several times", many=True),
    Option("at", "N", "put them at this place instead; the first is 0"),
    Option("secret", help="only GMs know of those who are added"),
    Option("remove", "NAME", "take somebody out; may be given several times", many=True),
    Option(
        "order",
        "NAME",
        "who comes first, then who comes next; the others follow; may be given several times",
        many=True,
    ),
    Option("now", "NAME", "whose turn it is"),
    Option("next", help="the turn goes on"),
    Option("back", help="the turn goes back"),
    Option("end", help="there are no turns any more"),
)
END = Option(
    "end", "NAME", "something of the scene that ends with it instead of lasting; may be given several times", many=True
)
FORMS: dict[str, Form] = {
    "join": Form("Somebody sits down at the table.", ("name",), (ROLE,), example="join Jonas --role player"),
    "seat": Form("Change a member's role or name.", ("member",), (ROLE, NAME), example="seat Jonas --role gm"),
    "leave": Form("Leave the table, or remove a member.", ("member?",), example="leave Jonas"),
    "set": Form(
        "Change a setting of the table (GM): who may type dice, who undoes a throw, how long an opposed roll waits.",
        (),
        (
            Option("typed-dice", "everybody|gm|nobody", "who may type the faces of dice"),
            Option("undo", "gm|player", "who undoes a player's throw: a GM who is asked, or the player"),
            Option("ready-limit", "SECONDS", "how long a throw waits until the other side is ready; 0 for no limit"),
        ),
        _set,
        "set --typed-dice gm",
    ),
    "create": Form(
        "Create a character, from a template or blank.",
        ("name",),
        (Option("template", "NAME", "a ready-made character of the game"), OWNER, HOLDER_SEEN, FREE),
        _create,
        'create Kira --template "Kira Voss"',
    ),
    "edit": Form(
        "Put an item onto a sheet, change its fields, or remove it. HOLDER is a character, a player, table or scene.",
        ("holder", "section", "item", "field=value?", "…?"),
        (Option("remove", help="remove the item"), WHY),
        _edit,
        'edit scene tags "Loose tiles" note="Good cover"',
    ),
    "change": Form(
        "Move a count up or down. A box is crossed by its number and cleared by its number with a minus.",
        ("holder", "section", "item", "by"),
        (Option("field", "NAME", "the field, if it is not the one that the section counts"), WHY),
        _change,
        "change Kira stats Agility -1",
    ),
    "tick": Form("Tick a Clock.", ("clock", "n?"), (WHO, WHY), _tick, 'tick "The bell rings" 2'),
    "clock": Form(
        "Put a Clock on the table, or change it.", ("name", "segments?"), CLOCK, _clock, "clock Doom 6 --kind threat"
    ),
    "hold": Form(
        "Rename a character, give it to somebody, hide or show it, let any player take it over.",
        ("holder",),
        (NAME, OWNER, HOLDER_SEEN, FREE),
        example="hold Ruhl --seen gm",
    ),
    "take": Form("Take over a character that is free.", ("holder",), example="take Kira"),
    "retire": Form("Remove a character from the table.", ("holder",), example="retire Ruhl"),
    "scene": Form(
        "Open a scene; one that is open is closed first.",
        ("title…",),
        (END,),
        make=_scene,
        example='scene "The bridge"',
    ),
    "close": Form("Close the scene.", options=(END,), make=_close, example='close --end "Slick planks"'),
    "ready": Form(
        "Say that your side of an opposed roll has gathered its dice; a GM may say it for a player who is away.",
        ("roll?",),
        (
            Option("side", "ours|theirs", "for whom a GM says it: the one who rolls, or the other side"),
            Option("not-yet", help="take it back"),
        ),
        _ready,
        "ready",
    ),
    "assist": Form(
        "Help in an open roll with a character of your own, or take a helper out.",
        ("who",),
        (
            ROLL,
            Option("side", "ours|theirs", "whom to help: the one who rolls (default), or the other side"),
            Option("leave", help="help no longer"),
        ),
        example="assist Dex",
    ),
    "throw": Form(
        "Throw the next dice of a roll, or type them.",
        ("roll?",),
        (*DICE, FRESH),
        example='throw --faces "6 5 | 7"',
    ),
    "correct": Form(
        "Correct typed dice of an undone throw (GM): write all typed faces of the roll again.",
        ("faces…",),
        (ROLL,),
        example='correct "6 5 4 | 7"',
    ),
    "answer": Form(
        "Answer the choice that a roll waits for; words that go with it follow a colon.",
        ("answer…",),
        (ROLL, FACES, BY_HAND),
        example='answer "make: Off balance"',
    ),
    "withdraw": Form(
        "Withdraw a roll before its dice are thrown, or a request (GM).",
        ("roll?",),
        (
            Option("request", "ID", "which request, by the beginning of its id"),
            Option(
                "who", "NAME", "who need not roll any more; may be given several times; default everybody", many=True
            ),
        ),
        _withdraw,
        "withdraw",
    ),
    "turn": Form(
        "Change the turn order (GM). A player may pass their own turn on with --next.",
        (),
        TURN,
        _turn,
        "turn --add Kira --add Wolves --next",
    ),
    "describe": Form(
        "Say what a finished roll looked like; without words, leave what you are asked.",
        ("text…?",),
        (ROLL,),
        example='describe "She lands on the ledge, laughing."',
    ),
    "note": Form("Write a sentence into the log.", ("text…",), (SEEN,), example='note "The bell rings once."'),
    "reveal": Form("Show everybody a hidden roll, or what is hidden in it.", ("roll?",), example="reveal"),
    "undo": Form("Undo the latest entry, or the one that is named.", ("entry?",), example="undo"),
    "allow": Form("Allow what a player asked to undo (GM).", ("plea?",), example="allow"),
    "decline": Form(
        "Decline what a player asked to undo (GM), or no longer ask for it.", ("plea?",), example="decline"
    ),
    "redo": Form("Redo what was undone.", ("entry?",), example="redo"),
}
