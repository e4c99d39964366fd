"""``astragal odds --program FILE``: the exact odds of every output of an AnyDice program."""

from __future__ import annotations

import sys
from pathlib import Path

from astragal.anydice import run_program
from astragal.cli.parser import Option, Parser
from astragal.cli.watch import TIMEOUT, answering
from astragal.dice.render.text import csv_chance, csv_text
from astragal.errors import Malformed
from astragal.questions.notation import PROGRAM_TITLE, by_name
from astragal.questions.odds import Solved

PROGRAM = Option("program", "FILE", "the program; - reads it from standard input")
EXAMPLES = ("astragal odds --program advantage.anydice", "echo 'output [highest 3 of 4d6]' | astragal odds --program -")


def run(words: list[str]) -> int:
    """Solve a program, and show its outputs."""
    parser = Parser("odds", "An AnyDice program, solved exactly.", (), EXAMPLES)
    parser.add("what is asked", PROGRAM)
    parser.add(
        "output",
        Option("csv", help="output, value, exact chance and decimal chance"),
        Option("json", help="one JSON object, for programs"),
        TIMEOUT,
    )
    parsed = parser.parse(words)
    file = parsed.text(PROGRAM.name) or "-"
    parsed.refuse_both("csv", "json")
    with answering("the program", parsed):
        solved = by_name(run_program(_text_of(file)))
    if parsed.flag("json"):
        from astragal.cli.render.screen import print_shown
        from astragal.questions.wire import show_program

        print_shown(show_program(_title(file), solved))
    elif parsed.flag("csv"):
        print_csv(solved)
    else:
        show_outputs(solved)
    return 0


def print_csv(solved: Solved) -> None:
    """Print a line for each value of each output."""
    lines = [(name, value, *csv_chance(chance)) for name, odds in solved.items() for value, chance in odds.items()]
    sys.stdout.write(csv_text([("output", "value", "exact", "chance"), *lines]))


def _title(file: str) -> str:
    return PROGRAM_TITLE if file == "-" else Path(file).name


def _text_of(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text"
        raise Malformed(f'"{file[:80]}" cannot be read: {reason}.') from None


def show_outputs(solved: Solved) -> None:
    """Show every output; the empty die has nothing to show."""
    from astragal.cli.render.charts import show_fact
    from astragal.cli.render.screen import Screen

    screen = Screen()
    for place, (name, odds) in enumerate(solved.items()):
        if place:
            screen.say("")
        if odds.weights:
            show_fact(screen, name, odds)
        else:
            screen.say(name, "bold")
            screen.say("  no value: this is the empty die", "dim")
