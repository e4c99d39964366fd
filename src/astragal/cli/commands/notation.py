"""Dice notation in place of a game: ``astragal roll "5d6kh4+2"``, ``astragal odds "4d6 >= 14"``."""

from __future__ import annotations

import sys
from typing import Any

from astragal.cli.options import DICE, OUTPUT
from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.render.screen import Screen, print_json, print_shown
from astragal.dice.notation.dialect import DIALECTS
from astragal.dice.notation.parser import Read, read
from astragal.errors import Malformed
from astragal.questions.notation import FACT, listed_in, node_of, odds_of
from astragal.rule.expression_play import Value, say
from astragal.rule.node import Throw
from astragal.rule.play import Hand, Played, Rolled, play
from astragal.rule.report import explain
from astragal.rule.typed import Typed

DIALECT = Option("dialect", "TOOL", f"read it the way that tool does: {', '.join(DIALECTS)}")
EXAMPLES = ("'5d6kh4+2'", "'6d10 count>=8 !10'", "'6 x 4d6kh3'", "'2d20kh1 + 5 >= 15'")


def run_roll(words: list[str]) -> int:
    """Roll dice notation, with fair dice or typed ones."""
    parser = Parser("roll", "Dice notation, rolled and explained.", ("NOTATION",), _examples("roll"))
    parser.add("dice", *(option for option in DICE if option.name != "by-hand"))
    parser.add("notation", DIALECT)
    parser.add("output", *OUTPUT)
    parsed = parser.parse(words)
    written = read(parsed.places[0], parsed.text("dialect") or "")
    played = play(node_of(written.expression), _hand(parsed))
    if isinstance(played.node, Throw):
        raise Malformed(f"Too few faces: {played.node.title} is thrown next, and no face was typed for it.")
    if parsed.flag("json"):
        print_json(_described(written, played, parsed.flag("explain")))
    else:
        _show(written, played, parsed.flag("explain"))
    return 0


def run_odds(words: list[str]) -> int:
    """Compute the exact odds of dice notation."""
    from astragal.cli.read_question import UP_TO_INPUT

    parser = Parser("odds", "Dice notation, solved exactly.", ("NOTATION",), _examples("odds"))
    parser.add(
        "what is asked about it",
        Option("up-to", "K", "tell values without end apart up to K; by default as far as the usual ones go"),
        DIALECT,
    )
    parser.add(
        "output",
        Option("csv", help="value, exact chance and decimal chance"),
        Option("svg", "FILE", "a bar chart"),
        Option("json", help="one JSON object, for programs"),
    )
    parsed = parser.parse(words)
    dialect = parsed.text("dialect") or ""
    written = read(parsed.places[0], dialect)
    expression = str(written.expression)
    up_to = parsed.text("up-to")
    odds = odds_of(parsed.places[0], None if up_to is None else int(UP_TO_INPUT.read(up_to)), dialect)
    if parsed.flag("json"):
        from astragal.questions.wire import show_notation

        print_shown(show_notation(expression, {FACT: odds}, written.notes))
    elif parsed.flag("csv"):
        sys.stdout.write(odds.to_csv())
    elif (file := parsed.text("svg")) is not None:
        from astragal.cli.render.charts import write_svg

        write_svg(file, odds.to_svg(expression))
    else:
        from astragal.cli.render.charts import show_fact

        screen = Screen()
        show_fact(screen, expression, odds, listed_in(odds))
        show_read(screen, written)
    return 0


def _examples(command: str) -> list[str]:
    return [f"astragal {command} {example}" for example in EXAMPLES]


def _hand(parsed: Parsed) -> Hand:
    faces, seed = parsed.text("faces"), parsed.text("seed")
    if faces is not None and seed is not None:
        raise Malformed("Dice come from faces or from a seed; give one of them.")
    return Typed(faces) if faces is not None else Rolled(seed=seed)


def show_read(screen: Screen, written: Read) -> None:
    """Say how the text was read, where tools differ."""
    if written.notes:
        screen.say(f"Read: {' '.join(written.notes)}", "dim")


def _described(written: Read, played: Played[Value], notes: bool) -> dict[str, Any]:
    told = explain(played)
    return {
        "notation": str(written.expression),
        **({"read": list(written.notes)} if written.notes else {}),
        "faces": played.faces,
        "value": played.result.value if played.result else None,
        "dice": [{"throw": title, **die._asdict()} for title, dice in told.throws for die in dice],
        **({"notes": [note._asdict() for note in told.notes]} if notes else {}),
    }


def _show(written: Read, played: Played[Value], every_note: bool) -> None:
    screen = Screen()
    told = explain(played)
    screen.say(str(written.expression), "bold")
    for title, dice in told.throws:
        screen.show_dice(title if len(told.throws) > 1 else "", dice)
    assert played.result is not None
    screen.say(say(played.result.value), "bold green")
    if every_note:
        screen.show_notes(told.notes[:-1])
    show_read(screen, written)
