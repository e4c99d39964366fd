"""Forms that depend on the game: rolls with its inputs as options, and its moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from astragal.cli.options import INPUT, add_inputs, find_kind, input_option, inputs_given
from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.table.forms import BY_HAND, DICE, FACES, FRESH, ROLL, check_options
from astragal.cli.table.seat import AS, DATA, DATABASE, JSON, Seat
from astragal.errors import Malformed, Unknown
from astragal.rule.game import Kind
from astragal.rule.inputs.input import Input, Summed
from astragal.rule.inputs.total import Total
from astragal.rule.sheets.table_rules import Move
from astragal.table.access import find_roll
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Request

WHO = Option("who", "NAME", "the character who rolls; without one it is a pool without a sheet")
AGAINST = Option("against", "NAME", "the character on the other side")
HELPER = Option(
    "helper",
    "NAME",
    "a character of yours who helps; others offer help themselves (assist); may be given several times",
    many=True,
)
USE = Option("use", "NAME=N", "put in something from a sheet, N times; may be given several times", many=True)
HIDE = Option(
    "hide", "INPUT", "show an input, and with it the outcome, only to the GM; may be given several times", many=True
)
SEEN = Option("seen", "all|owner|gm|blind", "who sees the roll; blind: only the GM sees what comes up")
MOVE_SEEN = Option("seen", "all|gm", "who sees the move; gm: others see only what it changes on sheets (GM)")
REMOVE = Option("remove", '"INPUT NAME"', "take out what somebody put into an input; another's only as a GM", many=True)
DROP = Option(
    "drop", "INPUT", "take an input out of the roll; --use NAME=0 does so for something from a sheet", many=True
)
NOTE = Option("note", "WORDS", "what is going on, in words")
ASKED = Option("who", "NAME", "a character who is asked; may be given several times; default every player's", many=True)
ASK_SEEN = Option("seen", "all|owner|blind", "who sees the rolls; blind: only the GM sees what comes up")
FOR = Option("who", "NAME", "the character whose pool it is; without one it is the GM's, for somebody without a sheet")
BEGINS = (
    Option("request", "ID", "answer a GM's request, by the beginning of its id"),
    Option("repeat", help="begin with what was put into the last roll of this kind"),
    Option("saved", "NAME", "begin with a saved pool"),
    Option("called", "NAME", "what somebody without a sheet is called who rolls (GM)"),
    Option("against-called", "NAME", "what somebody without a sheet is called on the other side (GM)"),
)
FIELDS = {"saved": "pool", "called": "name", "against-called": "against_name"}
"""Fields of actions whose options have other names, since games have inputs that are called so."""
HELP = {
    "ask": "Ask characters for a roll (GM); their players answer with roll --request.",
    "save": "Save what is put into a roll under a name, to be used with roll --saved.",
    "roll": "Roll dice by the game's rules, with what the sheets say.",
    "open": "Open a roll, to be built together before the dice are thrown.",
    "build": "Put something into an open roll, or take it out.",
    "move": "Make one of the game's moves: what it allows besides rolling.",
}
EXAMPLES = {
    "ask": ("astragal table do ask --dc 16 --hide dc --note 'Something moves in the hay.'",),
    "save": ("astragal table do save Sneak --who Kira --use Agility --use Stealth",),
    "roll": ("astragal table do roll --who Kira --use Agility --use Stealth --dc 16 --faces '6 5 3 2'",),
    "open": ("astragal table do open --who Odo --against Ilse",),
    "build": ("astragal table do build --use Wits=2 --difficulty 3 --hide difficulty",),
    "move": ("astragal table do move refresh --who Odo --against Ilse",),
}


def read_roll(verb: str, words: list[str], seat: Seat) -> tuple[dict[str, Any], Parsed]:
    """``roll`` and ``open``: the kind of roll by its name, or the game's main one."""
    game = ruleset_of(seat.state.game).game
    kind, rest = find_kind(game, words)
    if wanted := _requested(seat, rest):
        kind = game.kind(wanted.kind)
    parser = roll_parser(verb, kind)
    parsed = parser.parse(rest)
    check_options((SEEN,), parsed)
    data = {"do": verb, "kind": kind.name, **_about(parsed), "inputs": _inputs(kind, parsed)}
    for key in ("who", "seen", "faces", "saved", "called", "against-called"):
        if parsed.flag(key):
            data[FIELDS.get(key, key)] = parsed.text(key)
    if parsed.flag("repeat"):
        data["again"] = True
    if parsed.flag("request"):
        data["request"] = wanted.id if wanted else parsed.text("request")
    return ({**data, "answers": parsed.given["answer"]} if parsed.flag("answer") else data), parsed


def _requested(seat: Seat, words: list[str]) -> Request | None:
    """The request that these words answer, by the beginning of its id."""
    ref = next((words[place + 1] for place, word in enumerate(words[:-1]) if word == "--request"), "")
    found = [request for id, request in seat.state.world.requests.items() if ref and id.startswith(ref)]
    return found[0] if len(found) == 1 else None


def read_ask(verb: str, words: list[str], seat: Seat) -> tuple[dict[str, Any], Parsed]:
    """``ask``: the kind of roll, its inputs, whom, and what is hidden."""
    kind, rest = find_kind(ruleset_of(seat.state.game).game, words)
    parsed = roll_parser(verb, kind).parse(rest)
    check_options((ASK_SEEN,), parsed)
    data = {"do": verb, "kind": kind.name, **_about(parsed), "inputs": _inputs(kind, parsed)}
    data |= {key: parsed.text(key) for key in ("seen", "note") if parsed.flag(key)}
    return {**data, "who": [name for name in parsed.given.get("who", ()) if name]}, parsed


def read_save(verb: str, words: list[str], seat: Seat) -> tuple[dict[str, Any], Parsed]:
    """``save``: a name, then what is put in, or a roll to take it from."""
    if not words or words[0].startswith("-"):
        if {"-h", "--help"} & set(words):
            return {}, roll_parser(verb, ruleset_of(seat.state.game).game.main).parse(words)
        raise Malformed(f"The pool's name is missing; for example {EXAMPLES[verb][0]}.")
    kind, rest = find_kind(ruleset_of(seat.state.game).game, words[1:])
    parsed = roll_parser(verb, kind).parse(rest)
    data = {"do": verb, "name": words[0], "kind": kind.name, **_about(parsed), "inputs": _inputs(kind, parsed)}
    data |= {key: parsed.text(key) for key in ("who", "roll") if parsed.flag(key)}
    return ({**data, "remove": True} if parsed.flag("remove") else data), parsed


def roll_parser(verb: str, kind: Kind) -> Parser:
    """The game's inputs, then the table's own options, which win where a game has one of the same name."""
    parser = Parser(f"table do [TABLE] {verb}", f"{HELP[verb]} {kind.title}.", kind.short, EXAMPLES[verb])
    add_inputs(parser, kind)
    _add_table_options(parser, verb)
    return parser


def plain_parser(verb: str) -> Parser:
    """What the action takes at every table."""
    parser = Parser(f"table do [TABLE] {verb}", HELP[verb], (), EXAMPLES[verb])
    if verb == "move":
        parser.add("at the table", Option("who", "NAME", "the character who does it"), AGAINST, MOVE_SEEN)
        parser.add("how", AS, DATA, DATABASE, JSON)
    else:
        _add_table_options(parser, verb)
    return parser


def _add_table_options(parser: Parser, verb: str) -> None:
    if verb == "build":
        parser.add("at the table", ROLL, AGAINST, BEGINS[-1], HELPER, USE, HIDE, DROP, REMOVE)
    elif verb == "ask":
        parser.add("at the table", ASKED, AGAINST, USE, HIDE, ASK_SEEN, NOTE)
    elif verb == "save":
        parser.add("at the table", FOR, USE, ROLL, Option("remove", help="remove the pool"))
    else:
        parser.add("at the table", WHO, AGAINST, HELPER, USE, HIDE, SEEN, *BEGINS)
    if verb == "roll":
        parser.add("dice and answers", *DICE)
    parser.add("how", AS, DATA, DATABASE, JSON)


def _about(parsed: Parsed) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if parsed.flag("against"):
        data["against"] = parsed.text("against")
    for field, key in (("helpers", "helper"), ("hide", "hide")):
        if parsed.flag(key):
            data[field] = [text.replace("-", "_") if key == "hide" else text for text in parsed.given[key] if text]
    if parsed.flag("use"):
        data["use"] = taps(parsed.given["use"])
    return data


def taps(texts: Iterable[str]) -> dict[str, int]:
    """What is put in; a name that is given twice is put in twice."""
    found: dict[str, int] = {}
    for name, n in map(tap, texts):
        found[name] = found.get(name, 0) + n
    return found


def tap(text: str) -> tuple[str, int]:
    """What is put in and how often, from ``Agility=2``; a name alone counts once."""
    name, equals, n = text.rpartition("=")
    if equals and n.strip().isascii() and n.strip().isdigit() and len(n) < 6:
        return name.strip(), int(n)
    return text.strip(), 1


def _inputs(kind: Kind, parsed: Parsed) -> dict[str, Any]:
    """The inputs as plain values. Typed dice set the pool only where nothing else does."""
    if parsed.flag("use") or parsed.flag("helper"):
        parsed = Parsed({key: texts for key, texts in parsed.given.items() if key != "faces"}, parsed.places)
    return {name: plain_input(kind.ask.inputs[name], texts) for name, texts in inputs_given(kind, parsed).items()}


def plain_input(input: Input, texts: list[str]) -> Any:
    """The value as plain data; a total stays a text, so that it keeps its sources."""
    value = input.part(texts) if isinstance(input, Summed) else input.read(texts)
    if isinstance(value, Total):
        return ", ".join(texts)
    return [list(part) if isinstance(part, tuple) else part for part in value] if isinstance(value, tuple) else value


def read_build(verb: str, words: list[str], seat: Seat) -> tuple[dict[str, Any], Parsed]:
    """``build``: inputs of the roll's own kind."""
    named = [word for place, word in enumerate(words) if words[place - 1 : place] == ["--roll"]]
    roll = find_roll(seat.state, seat.member, roll_id(seat, named[-1]) if named else "")
    kind = ruleset_of(seat.state.game).game.kind(roll.kind)
    parsed = roll_parser(verb, kind).parse(words)
    dropped = {name.replace("-", "_"): None for name in parsed.given.get("drop", [])}
    data: dict[str, Any] = {"do": verb, "roll": roll.id, **_about(parsed)}
    data["inputs"] = {**_inputs(kind, parsed), **dropped}
    for text in parsed.given.get("remove", []):
        name, _, whose = text.strip().partition(" ")
        data.setdefault("remove", {}).setdefault(name.replace("-", "_"), []).append(whose.strip())
    called = parsed.text("against-called")
    return (data if called is None else {**data, "against_name": called}), parsed


def roll_id(seat: Seat, ref: str) -> str:
    """A roll's id from its beginning, among the rolls in the state."""
    found = [id for id in seat.state.world.rolls if ref and id.startswith(ref)]
    return found[0] if len(found) == 1 else ref


def read_move(verb: str, words: list[str], seat: Seat) -> tuple[dict[str, Any], Parsed]:
    """``move NAME``, with the move's inputs as options."""
    moves = {move.name: move for move in ruleset_of(seat.state.game).table_rules.moves}
    title = ruleset_of(seat.state.game).game.title
    listed = ", ".join(f"{move.name} ({move.title})" for move in moves.values()) or "none"
    if not words or words[0].startswith("-"):
        raise Malformed(f"Say which move: {title} has {listed}.")
    name = words[0].replace("-", "_")
    if name not in moves:
        raise Unknown(f'{title} has no move "{words[0][:40]}"; there are {listed}.')
    parsed = move_parser(moves[name]).parse(words[1:])
    written = {key.removeprefix(INPUT): texts for key, texts in parsed.given.items() if key.startswith(INPUT)}
    inputs = {key: plain_input(moves[name].ask.inputs[key], texts) for key, texts in written.items()}
    check_options((MOVE_SEEN,), parsed)
    about = {key: parsed.text(key) for key in ("who", "against", "faces", "seen") if parsed.flag(key)}
    fresh = {"fresh": True} if parsed.flag("fresh") else {}
    return {"do": verb, "name": name, **about, "inputs": inputs, **fresh}, parsed


def move_parser(move: Move) -> Parser:
    """The parser of a move: its inputs, then who makes it."""
    description = f"{move.title}{f' ({move.rule})' if move.rule else ''}."
    parser = Parser(f"table do [TABLE] move {move.name}", description, (), EXAMPLES["move"])
    parser.add("what", *map(input_option, move.ask.inputs.values()))
    parser.add("at the table", Option("who", "NAME", "the character who does it"), AGAINST, MOVE_SEEN)
    if move.throws:
        parser.add("dice", FACES, BY_HAND, FRESH)
    parser.add("how", AS, DATA, DATABASE, JSON)
    return parser


READERS = {
    "roll": read_roll,
    "open": read_roll,
    "build": read_build,
    "ask": read_ask,
    "save": read_save,
    "move": read_move,
}
