"""``astragal odds GAME …``: the exact chances of a roll, before a die is thrown."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from astragal.cli.commands.roll import is_notation
from astragal.cli.parser import Finished, Option
from astragal.cli.read_question import Question, example_of, read_question
from astragal.cli.render.charts import describe_moments, describe_table, print_json, show_columns, show_table
from astragal.cli.vary import VARY, Varied, vary
from astragal.dice.distribution import Distribution
from astragal.dice.render.svg import bar_chart, compare_chart
from astragal.dice.render.text import csv_chance, csv_text, format_value, listed_values, rows
from astragal.errors import Malformed
from astragal.games.registry import all_games
from astragal.rule.ask import Ask

SVG = Option("svg", "FILE", "write a chart of one table into a file; - prints it")
OUTPUT = (
    VARY,
    Option("at-least", help="chances of each value or more"),
    Option("at-most", help="chances of each value or less"),
    Option("csv", help="lines of CSV, for spreadsheets"),
    SVG,
    Option("json", help="one JSON object, for programs"),
)


def run(words: list[str]) -> int:
    """Compute the tables, and show them."""
    if words[:1] in (["-h"], ["--help"]):
        print_help()
    if words and is_notation(words[0]):
        from astragal.cli.commands import notation as formula

        return formula.odds(words)
    return answer(words, "odds")


def answer(words: list[str], command: str) -> int:
    question = read_question(words, command, *OUTPUT)
    check_output(question)
    written = question.parsed.text("vary")
    if written is not None:
        answer_varied(question, vary(question, written))
    else:
        answer_one(question, question.ask)
    return 0


def check_output(question: Question) -> None:
    parsed = question.parsed
    formats = [name for name in ("csv", "svg", "json") if parsed.flag(name)]
    if len(formats) > 1:
        raise Malformed(f"{' and '.join(formats)} are given; the odds are printed in one of these ways.")
    if parsed.flag("at-least") and parsed.flag("at-most"):
        raise Malformed("at-least and at-most are given; show one of them at a time.")


def answer_one(question: Question, ask: Ask) -> None:
    """The tables of one ask."""
    solved = question.solve(ask)
    parsed = question.parsed
    if parsed.flag("json"):
        print_json({**_about(question), "ask": ask.values(), **_described(question, ask, solved)})
    elif parsed.flag("csv"):
        lines = csv_lines(question, ask, solved)
        head = ("table", "value", "exact", "chance")
        print(csv_text(line[len(solved) == 1 :] for line in (head, *lines)), end="")
    elif (file := parsed.text("svg")) is not None:
        name = one_table(solved)
        title = f"{question.kind.headline(ask)}: {question.title(name)}"
        write_svg(file, bar_chart(solved[name], title, question.domain(name, ask)))
    else:
        _show_one(question, ask, solved)


def _show_one(question: Question, ask: Ask, solved: dict[str, Distribution[Any]]) -> None:
    from astragal.cli.render.screen import Screen

    screen = Screen()
    shown = (
        "at least" if question.parsed.flag("at-least") else "at most" if question.parsed.flag("at-most") else "chance"
    )
    screen.say(question.kind.headline(ask), "bold")
    say_policy(screen, question)
    for name, distribution in solved.items():
        screen.say("")
        show_table(screen, question.title(name), distribution, question.domain(name, ask), shown)


def say_policy(screen: Any, question: Question) -> None:
    wish = question.policy.wish
    if wish:
        cheaply = ", at least cost" if question.policy.name == "cheapest" else ""
        screen.say(f'Choices are answered as is best for the wish "{wish.name}": {wish.help}{cheaply}.')


def answer_varied(question: Question, varied: Varied) -> None:
    """The tables of several asks, a column for each."""
    columns = [question.solve(ask) for ask in varied.asks]
    parsed = question.parsed
    if parsed.flag("json"):
        print_json(_described_columns(question, varied, columns))
    elif parsed.flag("csv"):
        print(csv_text(_varied_lines(question, varied, columns)), end="")
    elif (file := parsed.text("svg")) is not None:
        name = one_table(columns[0])
        named = dict(zip(varied.heads, (column[name] for column in columns), strict=True))
        given = ", ".join(f"{each} {' '.join(texts)}" for each, texts in question.given.items())
        title = f"{question.game.title} ({given}): {question.title(name)} by {varied.input.option}"
        write_svg(file, compare_chart(named, title, shared_domain(question, name, varied.asks)))
    else:
        _show_varied(question, varied, columns)


def _show_varied(question: Question, varied: Varied, columns: list[dict[str, Distribution[Any]]]) -> None:
    from astragal.cli.render.screen import Screen

    if question.parsed.flag("at-least") or question.parsed.flag("at-most"):
        raise Malformed("vary shows the chance of each value; leave out at-least and at-most.")
    screen = Screen()
    screen.say(f"{question.game.title}: {question.kind.title}, {varied.input.option} varied", "bold")
    say_policy(screen, question)
    for name in columns[0]:
        each = [column[name] for column in columns]
        values = listed_values(each, shared_domain(question, name, varied.asks))
        screen.say("")
        show_columns(screen, question.title(name), varied.heads, each, [rows(one, values) for one in each])


def shared_domain(question: Question, name: str, asks: tuple[Ask, ...]) -> list[Hashable] | None:
    """Every value that the table has for one of the asks."""
    domains = [question.domain(name, ask) for ask in asks]
    return None if None in domains else list(dict.fromkeys(value for values in domains for value in values or ()))


def one_table(solved: dict[str, Distribution[Any]]) -> str:
    """The table of a chart."""
    if len(solved) != 1:
        raise Malformed(f"A chart shows one table; choose it with table: {', '.join(solved)}.")
    return next(iter(solved))


def write_svg(file: str, picture: str) -> None:
    if file == "-":
        print(picture, end="")
        return
    try:
        Path(file).write_text(picture, "utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Malformed(f'"{file[:80]}" cannot be written: {reason}.') from None
    print(f"The chart is in {file}.")


def _about(question: Question) -> dict[str, Any]:
    policy = question.policy
    wish = {"wish": policy.wish.name} if policy.wish else {}
    return {"game": question.game.name, "roll": question.kind.name, "policy": policy.name, **wish}


def _described(question: Question, ask: Ask, solved: dict[str, Distribution[Any]]) -> dict[str, Any]:
    described = {name: describe_table(each, question.domain(name, ask)) for name, each in solved.items()}
    return {"tables": described, "moments": describe_moments(solved)}


def _described_columns(
    question: Question, varied: Varied, columns: list[dict[str, Distribution[Any]]]
) -> dict[str, Any]:
    return {
        **_about(question),
        "vary": {"input": varied.input.name, "values": list(varied.texts)},
        "columns": [
            {"value": text, "ask": ask.values(), **_described(question, ask, solved)}
            for text, ask, solved in zip(varied.texts, varied.asks, columns, strict=True)
        ],
    }


def csv_lines(question: Question, ask: Ask, solved: dict[str, Distribution[Any]]) -> Iterator[tuple[object, ...]]:
    """Table, value, exact chance and decimal chance."""
    for name, distribution in solved.items():
        for row in rows(distribution, question.domain(name, ask)):
            yield name, format_value(row.value), *csv_chance(row.chance)


def _varied_lines(
    question: Question, varied: Varied, columns: list[dict[str, Distribution[Any]]]
) -> Iterator[tuple[object, ...]]:
    yield varied.input.name, "table", "value", "exact", "chance"
    for text, ask, solved in zip(varied.texts, varied.asks, columns, strict=True):
        for line in csv_lines(question, ask, solved):
            yield text, *line


def print_help() -> NoReturn:
    """What the command takes, with an example for every roll of every game."""
    print("usage: astragal odds GAME [ROLL] …")
    print('       astragal odds "NOTATION" …\n\nExact odds of a roll, as tables and charts.\n\nexamples:')
    print('  astragal odds "4d6 >= 14"')
    for found in all_games():
        for kind in found.kinds.values():
            print(f"  {example_of(kind, 'odds')}")
    print("  astragal odds razorweave 16 --attribute 2 --vary edge=-2..2 --table tier")
    print("  astragal odds chronicles 7 --table successes --up-to 10 --svg successes.svg")
    print("\nastragal odds GAME --help lists the options, the tables and the wishes of a game.")
    raise Finished
