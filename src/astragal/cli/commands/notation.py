"""Dice notation in place of a game: ``astragal roll "5d6kh4+2"``, ``astragal odds "4d6 >= 14"``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from astragal.cli.options import DIALECT, DICE, OUTPUT
from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.render.screen import Screen, print_shown
from astragal.cli.watch import TIMEOUT, answering
from astragal.explain.report import explain
from astragal.notation.parser import Read
from astragal.notation.play import Value, say
from astragal.questions.notation import NotationAnswer, answer, hand_of, listed_in, read, roll_read
from astragal.rule.tree.play import Played

EXAMPLES = ("'5d6kh4+2'", "'6d10 count>=8 !10'", "'6 x 4d6kh3'", "'2d20kh1 + 5 >= 15'")


def run_roll(words: list[str]) -> int:
    """Roll dice notation, with fair dice or typed ones."""
    parser = Parser("roll", "Dice notation, rolled and explained.", ("NOTATION",), _examples("roll"))
    parser.add("dice", *(option for option in DICE if option.name != "by-hand"))
    parser.add("notation", DIALECT)
    parser.add("output", *OUTPUT)
    parsed = parser.parse(words)
    written = read(parsed.places[0], parsed.text("dialect") or "")
    played = roll_read(written, hand_of(parsed.text("faces"), parsed.text("seed")))
    if parsed.flag("json"):
        from astragal.questions.wire import show_rolled

        print_shown(show_rolled(written, played, parsed.flag("explain")))
    else:
        _show(written, played, parsed.flag("explain"))
    return 0


def run_odds(words: list[str]) -> int:
    """Compute the exact odds of dice notation."""
    from astragal.rule.chances.odds import MAX_UP_TO

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
        TIMEOUT,
    )
    parsed = parser.parse(words)
    parsed.refuse_both("csv", "svg", "json")
    with answering("odds", parsed):
        found = answer(parsed.places[0], parsed.whole("up-to", 0, MAX_UP_TO), parsed.text("dialect") or "")
    _print_answer(found, parsed)
    return 0


def _print_answer(found: NotationAnswer, parsed: Parsed) -> None:
    if parsed.flag("json"):
        from astragal.questions.wire import show_notation

        print_shown(show_notation(found))
    elif parsed.flag("csv"):
        _print_csv(found)
    elif (file := parsed.text("svg")) is not None:
        from astragal.cli.render.charts import write_svg

        write_svg(file, found.odds.to_svg(found.headline))
    else:
        _show_answer(found)


def _print_csv(found: NotationAnswer) -> None:
    from astragal.cli.commands.program import print_csv

    if len(found.solved) > 1:
        print_csv(found.solved)
    else:
        sys.stdout.write(found.odds.to_csv())


def _show_answer(found: NotationAnswer) -> None:
    from astragal.cli.render.charts import show_fact

    screen = Screen()
    if len(found.solved) > 1 or not found.odds.weights:
        from astragal.cli.commands.program import show_outputs

        show_outputs(found.solved if len(found.solved) > 1 else {found.headline: found.odds})
    else:
        show_fact(screen, found.headline, found.odds, listed_in(found.odds))
    show_read(screen, found.notes)


def _examples(command: str) -> list[str]:
    return [f"astragal {command} {example}" for example in EXAMPLES]


def show_read(screen: Screen, notes: Sequence[str]) -> None:
    """Say how the text was read, where tools differ."""
    if notes:
        screen.say(f"Read: {' '.join(notes)}", "dim")


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
    show_read(screen, written.notes)
