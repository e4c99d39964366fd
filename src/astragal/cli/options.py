"""Options of a game's rolls, from its declarations, and the values given for them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from astragal.cli.parser import JSON, Finished, Option, Parsed, Parser
from astragal.errors import Malformed
from astragal.notation.dialect import DIALECTS

if TYPE_CHECKING:
    from astragal.rule.game import Decision, Game, Kind
    from astragal.rule.inputs.input import Input
    from astragal.rule.tree.play import Hand

INPUT = "input:"
DECISION = "decision:"
DICE = (
    Option("faces", '"6 5 | 7"', "the faces of real dice: | between kinds and throws, / between waves of rerolls"),
    Option("by-hand", help="ask at the terminal for the faces of every throw"),
    Option("seed", "SEED", "the same dice every time, for tests and tutorials"),
)
DIALECT = Option("dialect", "TOOL", f"read notation the way that tool does: {', '.join(DIALECTS)}")
CSV = Option("csv", help="lines of CSV, for spreadsheets")
SVG = Option("svg", "FILE", "write a chart of one fact into a file; - prints it")
OUTPUT = (
    Option("explain", help="every step, with its rule"),
    JSON,
)


def roll_parser(command: str, found: Game, kind: Kind, about: str, examples: Iterable[str]) -> Parser:
    """The parser of a command about a kind of roll, with an option for every input."""
    roll = "" if kind is found.main or command == kind.name else f" {kind.name}"
    places = [f"[{name}]" for name in kind.short]
    parser = Parser(f"{command} {found.name}{roll}", f"{found.title}: {kind.title}. {about}", places, examples)
    parser.add("what is rolled", *map(input_option, kind.ask.inputs.values()))
    return parser


def add_answers(parser: Parser, kind: Kind) -> None:
    """Add the options that answer the choices of a kind of roll beforehand."""
    if kind.decisions:
        parser.add("answers to choices", *itertools.chain(*map(decision_options, kind.decisions)))


def print_help(*lines: str) -> NoReturn:
    """Print the help of a command before a game is named, and end."""
    print(*lines, sep="\n")
    raise Finished


def input_option(input: Input) -> Option:
    """The option of an input."""
    metavar = "" if input.kind == "flag" else input.metavar
    names = tuple(map(str, input.bounds().get("options", ())))
    return Option(input.option, metavar, help_of(input), f"{INPUT}{input.name}", many=input.repeats, names=names)


def help_of(input: Input) -> str:
    """An input's help text, bounds, default and rule."""
    bounds = input.bounds()
    limits = f"; {bounds['min']} to {bounds['max']}" if "min" in bounds else ""
    shown = not input.required and input.default is not False and isinstance(input.default, (int, str))
    default = f"; default {input.default}" if shown else "; required" if input.required else ""
    return f"{input.help}{limits}{default}{f' ({input.rule})' if input.rule else ''}"


def decision_options(decision: Decision) -> list[Option]:
    """The options of a choice; a flag has its opposite, ``--no-…``."""
    key = f"{DECISION}{decision.name}"
    help = f"{decision.help}{f' ({decision.rule})' if decision.rule else ''}"
    if decision.written == "flag":
        yes, no = decision.answers
        return [
            Option(decision.name, "", help, key, yes),
            Option(f"no-{decision.name}", "", f"the other answer: {no}", key, no),
        ]
    metavar = {"words": "NAME", "list": '"A,B"'}.get(decision.written) or "|".join(decision.answers) or "ANSWER"
    return [Option(decision.name, metavar, help, key, names=tuple(decision.answers))]


def inputs_given(kind: Kind, parsed: Parsed) -> dict[str, Any]:
    """The texts of every input given, by name or by position; typed faces count the dice."""
    from astragal.rule.typed import counted_dice

    given: dict[str, Any] = {
        key.removeprefix(INPUT): texts for key, texts in parsed.given.items() if key.startswith(INPUT)
    }
    for name, text in zip(kind.short, parsed.places, strict=False):
        if name in given:
            raise Malformed(f"{name} is given twice, by position and by name.")
        given[name] = [text]
    return {**counted_dice(kind, parsed.text("faces"), given), **given}


def answers_given(kind: Kind, parsed: Parsed) -> dict[str, list[str]]:
    """The answers given beforehand, by choice."""
    return {
        decision.name: decision.parse(text)
        for decision in kind.decisions
        if (text := parsed.text(f"{DECISION}{decision.name}")) is not None
    }


def named_game(words: Sequence[str], example: str, among: Iterable[str] = ()) -> Game:
    """The game that the first word names; without one, those to choose ``among``, or all, are named."""
    from astragal.games.registry import game_at, names

    if not words or words[0].startswith("-"):
        raise Malformed(f"Name a game: {', '.join(among or names())}; for example astragal {example}.")
    return game_at(words[0])


def find_roll(words: list[str], command: str) -> tuple[Game, Kind, list[str]]:
    """The game and the kind of roll that the first words name, and the words after them."""
    found = named_game(words, f"{command} chronicles 7")
    return found, *find_kind(found, words[1:])


def find_kind(found: Game, words: list[str]) -> tuple[Kind, list[str]]:
    """The kind of roll that the first word names, or the game's main roll, and the words after it."""
    if words and words[0] in found.kinds:
        return found.kinds[words[0]], words[1:]
    if words and words[0].isalpha() and not found.main.short:
        found.kind(words[0])
    return found.main, words


def is_notation(words: Sequence[str]) -> bool:
    """True if a command is about dice notation: a dialect is named, or the first word has a digit or a bracket."""
    first = next((word for word in words if word != "--"), "")
    dialect = any(word.partition("=")[0] == "--dialect" for word in words)
    if not (dialect or any(sign in first for sign in "0123456789({%[")) or first.endswith(".toml"):
        return False
    # A name begins with a letter: no game is imported for dice that begin with their number.
    if not first[:1].isalpha():
        return True
    from astragal.games.registry import is_game

    return not is_game(first)


def is_program(words: Iterable[str]) -> bool:
    """True if a command names a file with an AnyDice program."""
    return any(word.partition("=")[0] == "--program" for word in words)


def hand_given(kind: Kind, parsed: Parsed, fair: bool = True) -> Hand:
    """The hand with the given dice and answers; without dice, fair ones unless ``fair`` is false."""
    from astragal.questions.play import hand_for

    faces, seed, by_hand = parsed.text("faces"), parsed.text("seed"), parsed.flag("by-hand")
    if by_hand and (faces is not None or seed is not None):
        raise Malformed("--faces, --seed and --by-hand cannot be combined; choose one.")
    return hand_for(faces, seed, kind, answers_given(kind, parsed), fair and not by_hand)
