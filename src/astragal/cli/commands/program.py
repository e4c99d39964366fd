"""``astragal odds --program FILE``: the exact odds of every output of an AnyDice program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from astragal.cli.parser import Option, Parser
from astragal.dice.anydice import run_program
from astragal.dice.distribution import Distribution
from astragal.dice.render.text import csv_chance, csv_text
from astragal.errors import Malformed
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
    )
    parsed = parser.parse(words)
    file = parsed.text(PROGRAM.name) or "-"
    if parsed.flag("csv") and parsed.flag("json"):
        raise Malformed("--csv and --json cannot be combined; choose one.")
    solved = _by_name(run_program(_text_of(file)))
    if parsed.flag("json"):
        from astragal.cli.render.screen import print_shown
        from astragal.questions.wire import show_program

        print_shown(show_program(_title(file), solved))
    elif parsed.flag("csv"):
        lines = [(name, value, *csv_chance(chance)) for name, odds in solved.items() for value, chance in odds.items()]
        sys.stdout.write(csv_text([("output", "value", "exact", "chance"), *lines]))
    else:
        _show(solved)
    return 0


def _title(file: str) -> str:
    return "AnyDice program" if file == "-" else Path(file).name


def _text_of(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise Malformed(f'"{file[:80]}" cannot be read: {reason}.') from None


def _by_name(outputs: list[tuple[str, Distribution[Any]]]) -> Solved:
    """The outputs by name; a name that was there before gets a number."""
    found: dict[str, Distribution[Any]] = {}
    for name, odds in outputs:
        known, n = name, 1
        while known in found:
            n += 1
            known = f"{name} ({n})"
        found[known] = odds
    return found


def _show(solved: Solved) -> None:
    from astragal.cli.render.charts import show_fact
    from astragal.cli.render.screen import Screen

    screen = Screen()
    for place, (name, odds) in enumerate(solved.items()):
        if place:
            screen.say("")
        show_fact(screen, name, odds)
