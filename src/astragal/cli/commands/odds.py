"""``astragal odds`` and ``astragal race``: the exact chances of a roll, of dice notation, or of an AnyDice program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from astragal.cli.options import CSV, DIALECT, SVG, is_notation, is_program, named_game, print_help
from astragal.cli.parser import JSON, TIMEOUT, Option, Parsed, command, file_errors
from astragal.cli.render.charts import csv_lines, one_fact, show_columns, show_fact, write_svg
from astragal.cli.render.screen import Screen, print_shown
from astragal.cli.watch import answering
from astragal.dice.render.text import csv_text
from astragal.errors import Malformed, Unknown
from astragal.questions import SolvedQuestion
from astragal.questions.notation import PROGRAM_TITLE, solve_notation, solve_program

if TYPE_CHECKING:
    from astragal.cli.read_question import Varied, WrittenQuestion

RACE = "race"
FORMATS = ("csv", "svg", "json")
SUMMED = ("at-least", "at-most")


def run_odds(words: list[str]) -> int:
    """Compute the odds, and show them."""
    if words[:1] in (["-h"], ["--help"]):
        from astragal.cli.read_question import example_of
        from astragal.games.registry import all_games

        print_help(
            "usage: astragal odds GAME [ROLL] …",
            '       astragal odds "NOTATION" …',
            "       astragal odds --program FILE\n\nExact odds of a roll, as tables and charts.\n\nexamples:",
            '  astragal odds "4d6 >= 14"',
            *(f"  {example_of(kind, 'odds')}" for found in all_games() for kind in found.kinds.values()),
            "  astragal odds razorweave 16 --attribute 2 --vary edge=-2..2 --show tier",
            "  astragal odds chronicles 7 --show successes --up-to 10 --svg successes.svg",
            "\nastragal odds GAME --help lists the options, the facts and the wishes of a game.",
        )
    if is_program(words):
        return _program_odds(words)
    return _notation_odds(words) if is_notation(words) else _roll_odds(words, "odds")


def run_race(words: list[str]) -> int:
    """The odds of a race of Clocks, for a game that has one."""
    from astragal.games.registry import all_games

    racing = {found.name: found.kinds[RACE] for found in all_games() if RACE in found.kinds}
    if words[:1] in (["-h"], ["--help"]):
        from astragal.cli.read_question import example_of

        print_help(
            "usage: astragal race GAME …\n\nTwo Clocks: which fills first, and after how many rounds.\n\nexamples:",
            *(f"  {example_of(kind, RACE)}" for kind in racing.values()),
            "\nastragal race GAME --help lists the options.",
        )
    found = named_game(words, "race razorweave --dc 16", racing)
    if RACE not in found.kinds:
        raise Unknown(f"{found.title} has no race; {', '.join(racing)} has one.")
    rest = words[2:] if words[1:2] == [RACE] else words[1:]
    return _roll_odds([found.name, RACE, *rest], RACE)


@command(
    "odds NOTATION",
    what_is_asked_about_it=(
        Option("up-to", "K", "where values have no end, list them up to K; by default, the usual ones"),
        DIALECT,
    ),
    output=(CSV, SVG, JSON, TIMEOUT),
)
def _notation_odds(parsed: Parsed) -> None:
    """Solve dice notation exactly.

    astragal odds '5d6kh4+2'
    astragal odds '6d10 count>=8 !10'
    astragal odds '6 x 4d6kh3'
    astragal odds '2d20kh1 + 5 >= 15'
    """
    up_to = None
    if parsed.flag("up-to"):
        from astragal.rule.chances.odds import MAX_UP_TO

        up_to = parsed.whole("up-to", 0, MAX_UP_TO)
    parsed.refuse_both(*FORMATS)
    with answering("odds", parsed):
        solved = solve_notation(parsed.places[0], up_to, parsed.text("dialect") or "")
    _print(solved, parsed)


@command(
    "odds",
    what_is_asked=(Option("program", "FILE", "the program; - reads it from standard input"),),
    output=(CSV, JSON, TIMEOUT),
)
def _program_odds(parsed: Parsed) -> None:
    """Solve an AnyDice program exactly.

    astragal odds --program advantage.anydice
    echo 'output [highest 3 of 4d6]' | astragal odds --program -
    """
    from pathlib import Path

    file = parsed.text("program") or "-"
    parsed.refuse_both("csv", "json")
    with answering("the program", parsed):
        with file_errors(file, "read"):
            text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
        solved = solve_program(text, PROGRAM_TITLE if file == "-" else Path(file).name)
    _print(solved, parsed)


def _roll_odds(words: list[str], command: str) -> int:
    """The odds of a game's roll, or of several that differ in one input."""
    from astragal.cli.read_question import OUTPUT, read_question, vary
    from astragal.questions.odds import solve

    written = read_question(words, command, *OUTPUT)
    parsed = written.parsed
    parsed.refuse_both(*FORMATS)
    parsed.refuse_both(*SUMMED)
    for format in filter(parsed.flag, FORMATS):
        for summed in filter(parsed.flag, SUMMED):
            raise Malformed(f"--{format} has the chance of each value; leave out --{summed}.")
    text = parsed.text("vary")
    varied = None if text is None else vary(written.kind, written.given, text)
    questions = [written.question(**{varied.input.name: [each]}) for each in varied.texts] if varied else []
    questions = questions or [written.question()]
    solved: list[SolvedQuestion] = []
    with answering(f"odds of {written.game.title}", parsed) as progress:
        for question in questions:
            solved.append(solve(question))
            progress(len(solved), len(questions))
    if varied:
        _print_varied(solved, written, varied)
    else:
        _print(solved[0], parsed, written)
    return 0


def _print(solved: SolvedQuestion, parsed: Parsed, written: WrittenQuestion | None = None) -> None:
    """Print the odds of one question, in the format that was asked for."""
    if parsed.flag("json"):
        from astragal.questions.wire import show_odds

        print_shown(show_odds(solved))
    elif parsed.flag("csv"):
        # A single fact needs no name; an output of a program has one of its own.
        unnamed = len(solved.facts) == 1 and bool(written or solved.notation)
        head = ("fact" if written else "output", "value", "exact", "chance")
        print(csv_text(line[unnamed:] for line in (head, *csv_lines(solved))), end="")
    elif (file := parsed.text("svg")) is not None:
        from astragal.dice.render.svg import bar_chart

        name = one_fact(solved.facts) if written else ""
        odds = solved.facts[name] if written else solved.odds
        title = f"{solved.headline}: {solved.title(name)}" if written else solved.headline
        write_svg(file, bar_chart(odds, title, solved.values(name) if written else None))
    else:
        _show(solved, written)


def _show(solved: SolvedQuestion, written: WrittenQuestion | None) -> None:
    screen = Screen()
    shown = _summed(written, solved) if written else "chance"
    if written:
        screen.say(solved.headline, "bold")
        _say_policy(screen, written)
    for place, (name, odds) in enumerate(solved.facts.items()):
        if place or written:
            screen.say("")
        title = solved.headline if solved.notation else solved.title(name)
        show_fact(screen, title, odds, solved.values(name), shown)
    screen.show_read(solved.notes)


def _summed(written: WrittenQuestion, solved: SolvedQuestion) -> str:
    """The chance to show of each value: exactly, at least or at most; the latter two need a fact with an order."""
    shown = next((name.replace("-", " ") for name in filter(written.parsed.flag, SUMMED)), "chance")
    if shown != "chance" and solved.facts and not any(odds.is_ordered for odds in solved.facts.values()):
        next(iter(solved.facts.values())).refuse_unordered()
    return shown


def _say_policy(screen: Screen, written: WrittenQuestion) -> None:
    policy, wish = written.policy.name, written.policy.wish
    if wish:
        cheaply = ", at least cost" if policy == "cheapest" else ""
        screen.say(f'Choices are answered as is best for the wish "{wish.name}": {wish.help}{cheaply}.')
        if written.policy.offers:
            screen.say("What others may offer is offered.")


def _print_varied(solved: list[SolvedQuestion], written: WrittenQuestion, varied: Varied) -> None:
    """Print the odds of several questions, a column for each."""
    from astragal.questions.compare import side_by_side

    parsed, option, first = written.parsed, varied.input.option, solved[0]
    if parsed.flag("json"):
        from astragal.questions.wire import show_varied

        print_shown(show_varied(varied.input.name, varied.texts, solved))
    elif parsed.flag("csv"):
        lines = [(text, *line) for text, each in zip(varied.texts, solved, strict=True) for line in csv_lines(each)]
        print(csv_text([(varied.input.name, "fact", "value", "exact", "chance"), *lines]), end="")
    elif (file := parsed.text("svg")) is not None:
        from astragal.dice.render.svg import compare_chart

        fact = side_by_side(solved, one_fact(first.facts))
        given = ", ".join(f"{name} {' '.join(texts)}" for name, texts in written.given.items())
        title = f"{written.game.title} ({given}): {fact.title} by {option}"
        write_svg(file, compare_chart(dict(zip(varied.heads, fact.odds, strict=True)), title, fact.values))
    else:
        screen, shown = Screen(), _summed(written, first)
        screen.say(f"{written.game.title}: {written.kind.title}, {option} varied", "bold")
        _say_policy(screen, written)
        for name in first.facts:
            screen.say("")
            show_columns(screen, side_by_side(solved, name), varied.heads, shown)
