"""The actions of ``astragal table do``: the words, options and help of each, from the action's own type.

A required field is a word by position, and every other field an option. Where no field is required, the first one may
be given as a word. To rolls and moves a table's game adds its inputs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec.inspect import BoolType, DictType, IntType, ListType, LiteralType, NoneType, StrType, UnionType, type_info

from astragal.cli.options import INPUT, find_kind, input_option, inputs_given
from astragal.cli.parser import Option, Parsed, Parser, read_whole
from astragal.cli.table.names import clock_named, given_word, move_named, only_id, placed, requested, with_ids
from astragal.cli.table.seat import HOW, Seat
from astragal.errors import Malformed, cited
from astragal.rule.game import Kind
from astragal.rule.inputs.input import Input, Summed
from astragal.rule.inputs.total import Total
from astragal.rule.sheets.table_rules import TABLE
from astragal.table.access import find_roll
from astragal.table.action import Action, Name, Ref, Why, read_action
from astragal.table.ruleset import ruleset_of

WORDS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("actions.toml").read_text("utf-8"))
"""The names and meanings of fields, options and values, and an example of each action."""
EXAMPLES: dict[str, str] = WORDS["examples"]
NOT_SAID = ("nonce", "book", "steps", "sheet", "inputs", "kind", "to")
"""Fields without an option: programs add them, or words of their own give them."""
BY_HAND = Option("by-hand", help="ask at the terminal for the faces of every throw")
DROP = Option(
    "drop",
    "INPUT",
    "take an input out of the roll; --use NAME=0 does so for something from a sheet; may be given several times",
    many=True,
)


class Clock(msgspec.Struct, tag="clock"):
    """Put a Clock on the table, or change it."""

    name: Name
    segments: Ref = ""
    kind: Ref = ""
    seen: Literal["all", "gm", "veiled"] = "all"
    filled: Ref = ""
    against: Ref = ""
    remove: bool = False
    why: Why = ""


class Tick(msgspec.Struct, tag="tick"):
    """Tick a Clock."""

    clock: Name
    n: Ref = ""
    who: Ref = ""
    why: Why = ""


SHORT = {"clock": ("name", "segments"), "tick": ("clock", "n")}
"""Actions that are short for others, and which of their fields are given as words."""
TYPES: dict[str, type[msgspec.Struct]] = {
    each.__struct_config__.tag: each
    for each in (*get_args(Action), Clock, Tick)
    if each.__struct_config__.tag not in ("found", "announce", "confirm")
}
"""Every action that a command line takes, by name; of the others, ``table new`` does one and pages the rest."""
VERBS = tuple(EXAMPLES)


class Field(NamedTuple):
    """A field of an action, with the option or the word that gives it."""

    name: str
    type: msgspec.inspect.Type
    option: Option
    default: Any

    def read(self, texts: list[str]) -> Any:
        """The field's value from what was given."""
        if isinstance(self.type, BoolType):
            return self.default is not True
        if isinstance(self.type, DictType):
            return taps(texts) if self.name == "use" else _removed(texts)
        if isinstance(self.type, ListType):
            texts = [] if texts == [""] else texts
            return [text.replace("-", "_") for text in texts] if self.name == "hide" else texts
        text = texts[-1]
        if isinstance(self.type, IntType):
            return read_whole(self.name, text, self.type.ge or 0, self.type.le or 0)
        most = self.type.max_length if isinstance(self.type, StrType) else None
        if most is not None and len(text) > most:
            raise Malformed(f"The {self.name} has at most {most} characters, not {len(text)}.")
        return text


class GamePart(NamedTuple):
    """The part of an action that the table's game adds: the roll or the move that its words name, with inputs."""

    words: list[str]
    """The words that are left."""
    about: str = ""
    data: Mapping[str, Any] = MappingProxyType({})
    inputs: Mapping[str, Input] = MappingProxyType({})
    kind: Kind | None = None
    move: str = ""


class Form:
    """The words and options of an action on a command line."""

    def __init__(self, verb: str) -> None:
        made = TYPES[verb]
        info: Any = type_info(made)
        hints = get_type_hints(made)
        names = [*(f"{each.__struct_config__.tag}." for each in made.__mro__ if issubclass(each, msgspec.Struct)), ""]
        self.verb = verb
        about = " ".join((made.__doc__ or "").partition("\n\n")[0].split()).replace("``", "")
        self.about = f"{about.partition('. ')[0].rstrip('.')}."
        self.has_inputs = "inputs" in hints
        self.sets_fields = "to" in hints
        said = [each for each in info.fields if verb in SHORT or each.name not in NOT_SAID]
        self.fields = [_field(each, hints[each.name], names) for each in said]
        self.required = sum(each.required for each in said)
        words = SHORT.get(verb) or [field.name for field, each in zip(self.fields, said, strict=True) if each.required]
        if not words and not self.has_inputs and isinstance(self.fields[0].type, StrType):
            words = [self.fields[0].name]
        self.places = [field for field in self.fields if field.name in words]
        self.joins = bool(self.places) and isinstance(self.places[-1].type, StrType)
        self.joins = self.joins and not (self.has_inputs or self.sets_fields or verb in SHORT)
        """The last place takes all words that follow, so that a sentence or a name needs no quotation marks."""

    @property
    def options(self) -> list[Option]:
        """The options of the action's own fields."""
        options = [field.option for field in self.fields if field not in self.places]
        types_dice = any(option.name == "faces" for option in options)
        return [*options, *[BY_HAND] * types_dice, *[DROP] * (self.verb == "build")]

    def parser(self, part: GamePart | None = None) -> Parser:
        """The parser of the words after the action; without a table, of those that it takes at every table."""
        part = part or GamePart([])
        about = {field.option.metavar: field.option.help for field in self.places[bool(part.move) :]}
        if self.sets_fields:
            about["FIELD=VALUE…"] = WORDS["fields"]["to"][1]
        if self.joins:
            last, help = about.popitem()
            about[f"{last}…"] = help
        names, needed = (*about, *(part.kind.short if part.kind else ())), self.required - bool(part.move)
        parser = Parser(
            f"table do [TABLE] {self.verb}{part.move and f' {part.move}'}",
            part.about or self.about,
            [name if n < needed else f"[{name}]" for n, name in enumerate(names)],
            [f"astragal table do {EXAMPLES[self.verb]}"],
            about=about,
        )
        if part.inputs:
            parser.add("what is rolled" if part.kind else "what", *map(input_option, part.inputs.values()))
        if self.options:
            parser.add("at the table", *self.options)
        parser.add("how", *HOW)
        return parser

    def game_part(self, words: list[str], seat: Seat) -> GamePart:
        """Return the part that the game of this table adds, by the roll or the move that the words name."""
        if not self.has_inputs:
            return GamePart(words)
        game = ruleset_of(seat.state.game).game
        if self.verb == "move":
            move, rest = move_named(words, seat)
            return GamePart(
                rest, cited(f"{move.title}.", move.rule), {"name": move.name}, move.ask.inputs, None, move.name
            )
        if self.verb == "build":
            roll = find_roll(seat.state, seat.member, only_id(seat.state.world.rolls, given_word(words, "--roll")))
            kind, data = game.kind(roll.kind), {"roll": roll.id}
        else:
            first = [word for word in words[: self.required] if not word.startswith("-")]
            kind, rest = find_kind(game, words[len(first) :])
            words = [*first, *rest]
            request = requested(seat, given_word(words, "--request"))
            kind = game.kind(request.kind) if request else kind
            data = {"kind": kind.name}
        return GamePart(words, f"{self.about} {kind.title}.", data, kind.ask.inputs, kind)

    def read(self, words: list[str], seat: Seat, ask: Callable[[str], str] | None = None) -> tuple[Action, Parsed]:
        """The action in these words, and what was given; ``ask`` asks a person for words that are missing."""
        part = self.game_part(words, seat)
        parsed = self.parser(part).parse(part.words, ask)
        places = self.places[bool(part.move) :]
        given = {field.name: field.read([word]) for field, word in zip(places, parsed.places, strict=False)}
        if self.joins and parsed.places:
            given[places[-1].name] = places[-1].read([" ".join(parsed.places[len(places) - 1 :])])
        options = {field.option.name: field for field in self.fields if field not in self.places}
        given |= {options[key].name: options[key].read(texts) for key, texts in parsed.given.items() if key in options}
        if self.has_inputs:
            given["inputs"] = _inputs(part, parsed._replace(places=parsed.places[len(places) :]))
        if self.sets_fields:
            given["to"] = _assigned(parsed.places[len(places) :])
        if self.verb == "set" and not given:
            raise Malformed(f"Name a setting to change; for example astragal table do {EXAMPLES['set']}.")
        return read_action(_long_form(self.verb, {**given, **part.data}, seat)), parsed


@cache
def form_of(verb: str) -> Form:
    """The form of an action."""
    return Form(verb)


def _field(field: Any, hint: Any, scopes: Iterable[str]) -> Field:
    """A field with its option: its type says how it is given, the table of words what it means."""
    keys = [f"{scope}{field.name}" for scope in scopes]
    metavar, help = next(WORDS["fields"][key] for key in keys if key in WORDS["fields"])
    usual = field.name.replace("_", "-")
    name = next((WORDS["options"][key] for key in keys if key in WORDS["options"]), usual)
    plain = field.type
    if isinstance(plain, UnionType):
        plain = next(each for each in plain.types if not isinstance(each, NoneType))
    choices: tuple[str, ...] = ()
    if isinstance(plain, LiteralType):
        literal = hint if get_origin(hint) is Literal else get_args(hint)[0]
        choices = tuple(value for value in get_args(literal) if value)
        help += "".join(f"; {value}: {WORDS['values'][value]}" for value in choices if value in WORDS["values"])
        help += f"; default {field.default}" if field.default else ""
    many = isinstance(plain, ListType | DictType)
    help += "; may be given several times" if many else ""
    return Field(field.name, plain, Option(name, metavar, help, many=many, choices=choices), field.default)


def _long_form(verb: str, given: dict[str, Any], seat: Seat) -> dict[str, Any]:
    """The action as plain data with full ids; tick and clock become the actions that they are short for."""
    if verb == "tick":
        by = read_whole("by", given.get("n", "1"), -1000, 1000)
        why = {"why": given["why"]} if "why" in given else {}
        return {"do": "change", **clock_named(seat, given.get("who", ""), given["clock"]), "by": by, **why}
    if verb == "clock":
        kept = {name: value for name, value in given.items() if name in ("remove", "why")}
        to = {name: value for name, value in given.items() if name not in ("name", *kept)}
        verb, given = "edit", {"holder": TABLE, "section": "clocks", "item": given["name"], "to": to, **kept}
    data = {"do": verb, **given}
    return placed(seat, data) if "section" in data else with_ids(seat, data)


def _inputs(part: GamePart, parsed: Parsed) -> dict[str, Any]:
    """The inputs as plain values; typed dice set the pool only where nothing else does."""
    if part.kind:
        others = parsed.flag("use") or parsed.flag("helper")
        given = {key: texts for key, texts in parsed.given.items() if key != "faces" or not others}
        written = inputs_given(part.kind, Parsed(given, parsed.places))
    else:
        written = {key.removeprefix(INPUT): texts for key, texts in parsed.given.items() if key.startswith(INPUT)}
    dropped = {name.replace("-", "_"): None for name in parsed.given.get(DROP.name, [])}
    return {**{name: plain_input(part.inputs[name], texts) for name, texts in written.items()}, **dropped}


def taps(texts: Iterable[str]) -> dict[str, int]:
    """The names and counts of things to put in; a name that is given twice is put in twice."""
    found: dict[str, int] = {}
    for name, n in map(tap, texts):
        found[name] = found.get(name, 0) + n
    return found


def tap(text: str) -> tuple[str, int]:
    """The name and count of a thing to put in, from ``Agility=2``; a name alone counts once."""
    name, equals, n = text.rpartition("=")
    if equals and n.strip().isascii() and n.strip().isdigit() and len(n) < 6:
        return name.strip(), int(n)
    return text.strip(), 1


def plain_input(input: Input, texts: list[str]) -> Any:
    """The value as plain data; a total stays a text, so that it keeps its sources."""
    value = input.part(texts) if isinstance(input, Summed) else input.read(texts)
    if isinstance(value, Total):
        return ", ".join(texts)
    return [list(part) if isinstance(part, tuple) else part for part in value] if isinstance(value, tuple) else value


def _removed(texts: Iterable[str]) -> dict[str, list[str]]:
    """The members whose entries are taken out, by input, from ``modifier Ada``."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, _, whose = text.strip().partition(" ")
        found.setdefault(name.replace("-", "_"), []).append(whose.strip())
    return found


def _assigned(words: Iterable[str]) -> dict[str, str | None]:
    """Fields of an item from ``name=value``; without a value the field is emptied."""
    to: dict[str, str | None] = {}
    for text in words:
        field, equals, value = text.partition("=")
        if not equals:
            raise Malformed(f'"{text[:40]}" has no =; write a field, = and its value, such as dice=2.')
        if field.strip() in to:
            raise Malformed(f"{field.strip()} is given twice; leave out one of them.")
        to[field.strip()] = value or None
    return to
