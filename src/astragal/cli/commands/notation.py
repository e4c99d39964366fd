"""Dice notation in place of a game: ``astragal roll "5d6kh4+2"``, ``astragal odds "4d6 >= 14"``."""

from __future__ import annotations

import sys
from typing import Any

from astragal.cli.options import DICE, OUTPUT
from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.render.screen import Screen, print_json, print_shown
from astragal.dice.notation.expression import Expression
from astragal.dice.notation.parser import parse
from astragal.errors import Malformed
from astragal.questions.notation import FACT, listed_in, node_of, odds_of
from astragal.rule.expression_play import Value, say
from astragal.rule.node import Throw
from astragal.rule.play import Hand, Played, Rolled, Typed, play
from astragal.rule.report import explain

EXAMPLES = ("'5d6kh4+2'", "'6d10 count>=8 !10'", "'6 x 4d6kh3'", "'2d20kh1 + 5 >= 15'")


def run_roll(words: list[str]) -> int:
    """Roll dice notation, with fair dice or typed ones."""
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


def run_odds(words: list[str]) -> int:
    """Compute the exact odds of dice notation."""
    from astragal.cli.read_question import UP_TO_INPUT

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
    expression = str(parse(parsed.places[0]))
    up_to = parsed.text("up-to")
    odds = odds_of(parsed.places[0], None if up_to is None else int(UP_TO_INPUT.read(up_to)))
    if parsed.flag("json"):
        from astragal.questions.wire import show_notation

        print_shown(show_notation(expression, {FACT: odds}))
    elif parsed.flag("csv"):
        sys.stdout.write(odds.to_csv())
    elif (file := parsed.text("svg")) is not None:
        from astragal.cli.render.charts import write_svg

        write_svg(file, odds.to_svg(expression))
    else:
        from astragal.cli.render.charts import show_fact

        show_fact(Screen(), expression, odds, listed_in(odds))
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
