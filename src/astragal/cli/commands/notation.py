"""Dice notation on the command line: ``astragal roll "5d6kh4+2"``, ``astragal odds "4d6 >= 14"``."""

from __future__ import annotations

import sys
from typing import Any

from astragal.cli.options import DICE, OUTPUT
from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.render.charts import describe_moments, describe_table, print_json, show_table
from astragal.cli.render.screen import Screen
from astragal.dice.notation.expression import Expression
from astragal.dice.notation.parser import parse
from astragal.errors import Malformed
from astragal.questions.notation import node_of, odds_of
from astragal.rule.explain import explain
from astragal.rule.expression_play import Value, say
from astragal.rule.hand import Hand, Rolled, Typed
from astragal.rule.node import Throw
from astragal.rule.play import Played, play
from astragal.rule.total import parse_total

EXAMPLES = ("'5d6kh4+2'", "'6d10 count>=8 !10'", "'6 x 4d6kh3'", "'2d20kh1 + 5 >= 15'")
TABLE = "value"


def roll(words: list[str]) -> int:
    """Roll a formula, by machine or with typed faces."""
    parser = Parser("roll", "Dice notation, rolled and explained.", ("NOTATION",), _examples("roll"))
    parser.add("dice", *(option for option in DICE if option.name != "by-hand"))
    parser.add("output", *OUTPUT)
    parsed = parser.parse(words)
    expression = parse(parsed.places[0])
    played = play(node_of(expression), _hand(parsed))
    if isinstance(played.node, Throw):
        raise Malformed(f"Too few faces: {played.node.title} is thrown next, and no face was typed for it.")
    if parsed.flag("json"):
        print_json(_described(expression, played, parsed.flag("explain")))
    else:
        _show(expression, played, parsed.flag("explain"))
    return 0


def _examples(command: str) -> list[str]:
    return [f"astragal {command} {example}" for example in EXAMPLES]


def _hand(parsed: Parsed) -> Hand:
    faces, seed = parsed.text("faces"), parsed.text("seed")
    if faces is not None and seed is not None:
        raise Malformed("Dice come from faces or from a seed; give one of them.")
    return Typed(faces) if faces is not None else Rolled(seed=seed)


def _described(expression: Expression, played: Played[Value], notes: bool) -> dict[str, Any]:
    told = explain(played)
    return {
        "notation": str(expression),
        "faces": played.faces,
        "value": played.result.value if played.result else None,
        "dice": [{"throw": title, **die._asdict()} for title, dice in told.throws for die in dice],
        **({"notes": [note._asdict() for note in told.notes]} if notes else {}),
    }


def _show(expression: Expression, played: Played[Value], every_note: bool) -> None:
    screen = Screen()
    told = explain(played)
    screen.say(str(expression), "bold")
    for title, dice in told.throws:
        screen.show_dice(title if len(told.throws) > 1 else "", dice)
    assert played.result is not None
    screen.say(say(played.result.value), "bold green")
    if every_note:
        screen.show_notes(told.notes[:-1])


def odds(words: list[str]) -> int:
    """The exact odds of a formula."""
    parser = Parser("odds", "Dice notation, solved exactly.", ("NOTATION",), _examples("odds"))
    parser.add(
        "what is asked about it",
        Option("up-to", "K", "tell values without end apart up to K; by default as far as the usual ones go"),
    )
    parser.add(
        "output",
        Option("csv", help="value, exact chance and decimal chance"),
        Option("svg", "FILE", "a bar chart"),
        Option("json", help="one JSON object, for programs"),
    )
    parsed = parser.parse(words)
    expression = parse(parsed.places[0])
    text = parsed.text("up-to")
    solved = odds_of(parsed.places[0], None if text is None else _up_to(text))
    if parsed.flag("json"):
        tables = {TABLE: describe_table(solved)}
        print_json({"notation": str(expression), "tables": tables, "moments": describe_moments({TABLE: solved})})
    elif parsed.flag("csv"):
        sys.stdout.write(solved.to_csv())
    elif (file := parsed.text("svg")) is not None:
        from astragal.cli.commands.odds import write_svg

        write_svg(file, solved.to_svg(str(expression)))
    else:
        asks = all(isinstance(value, bool) for value in solved.weights)
        show_table(Screen(), str(expression), solved, (True, False) if asks else None)
    return 0


def _up_to(text: str) -> int:
    n = int(parse_total([text], "up-to"))
    if not 0 <= n <= 1000:
        raise Malformed(f"up-to is {n}; it must be a whole number from 0 to 1,000.")
    return n
