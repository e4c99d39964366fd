"""``astragal odds GAME …`` and ``astragal race GAME …``: the exact chances of a roll, before a die is thrown."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

from astragal.cli.options import is_notation, is_program
from astragal.cli.parser import Finished, Option
from astragal.cli.read_question import VARY, Varied, WrittenQuestion, example_of, read_question, vary
from astragal.cli.render.charts import show_columns, show_fact, write_svg
from astragal.cli.render.screen import print_shown
from astragal.cli.watch import TIMEOUT, answering
from astragal.dice.render.svg import bar_chart, compare_chart
from astragal.dice.render.text import csv_chance, csv_text, format_value, listed_values, rows
from astragal.errors import Malformed, Unknown
from astragal.games.registry import all_games, game_at
from astragal.questions.odds import Question, Solved, solve, title_of, values_of
from astragal.rule.game import Game

if TYPE_CHECKING:
    from astragal.cli.render.screen import Screen

RACE = "race"
SVG = Option("svg", "FILE", "write a chart of one fact into a file; - prints it")
JSON = Option("json", help="one JSON object, for programs")
OUTPUT = (
    VARY,
    Option("at-least", help="chances of each value or more"),
    Option("at-most", help="chances of each value or less"),
    Option("csv", help="lines of CSV, for spreadsheets"),
    SVG,
    JSON,
    TIMEOUT,
)


def run(words: list[str]) -> int:
    """Compute the odds, and show them."""
    if words[:1] in (["-h"], ["--help"]):
        _help()
    if is_program(words):
        from astragal.cli.commands.program import run as run_program

        return run_program(words)
    if is_notation(words):
        from astragal.cli.commands.notation import run_odds

        return run_odds(words)
    return _answer(words, "odds")


def run_race(words: list[str]) -> int:
    """The odds of a race of Clocks, for a game that has one."""
    if words[:1] in (["-h"], ["--help"]):
        _help_race()
    racing = ", ".join(found.name for found in _games_with_race())
    if not words or words[0].startswith("-"):
        raise Malformed(f"Name a game: {racing}; for example astragal race razorweave --dc 16.")
    found = game_at(words[0])
    if RACE not in found.kinds:
        raise Unknown(f"{found.title} has no race; {racing} has one.")
    rest = words[2:] if words[1:2] == [RACE] else words[1:]
    return _answer([found.name, RACE, *rest], RACE)


def _answer(words: list[str], command: str) -> int:
    written = read_question(words, command, *OUTPUT)
    _check_output(written)
    varied = written.parsed.text("vary")
    if varied is not None:
        _answer_varied(written, vary(written.kind, written.given, varied))
    else:
        _answer_one(written, written.question())
    return 0


def _title(written: WrittenQuestion) -> str:
    return f"odds of {written.game.title}"


def _check_output(written: WrittenQuestion) -> None:
    parsed = written.parsed
    parsed.refuse_both("csv", "svg", "json")
    parsed.refuse_both("at-least", "at-most")
    for format in filter(parsed.flag, ("csv", "svg", "json")):
        for summed in filter(parsed.flag, ("at-least", "at-most")):
            raise Malformed(f"--{format} has the chance of each value; leave out --{summed}.")


def _summed(written: WrittenQuestion) -> str:
    """What is shown of each value: its chance, or that of at least or at most as much."""
    return next((name.replace("-", " ") for name in ("at-least", "at-most") if written.parsed.flag(name)), "chance")


def _refuse_unordered(shown: str, solved: Solved) -> None:
    """Refuse “at least” if no fact that was asked for has an order; among others, it is left out of that one."""
    if shown != "chance" and solved and not any(odds.is_ordered for odds in solved.values()):
        next(iter(solved.values())).refuse_unordered()


def _answer_one(written: WrittenQuestion, question: Question) -> None:
    parsed = written.parsed
    with answering(_title(written), parsed):
        solved = solve(question)
    if parsed.flag("json"):
        from astragal.questions.wire import show_odds

        print_shown(show_odds(question, solved))
    elif parsed.flag("csv"):
        head = ("fact", "value", "exact", "chance")
        print(csv_text(line[len(solved) == 1 :] for line in (head, *_csv_lines(question, solved))), end="")
    elif (file := parsed.text("svg")) is not None:
        name = _one_fact(solved)
        title = f"{question.kind.headline(question.ask)}: {title_of(question.kind, name, question.ask)}"
        write_svg(file, bar_chart(solved[name], title, values_of(question.kind, name, question.ask)))
    else:
        _show_one(written, question, solved)


def _show_one(written: WrittenQuestion, question: Question, solved: Solved) -> None:
    from astragal.cli.render.screen import Screen

    screen = Screen()
    kind = question.kind
    shown = _summed(written)
    _refuse_unordered(shown, solved)
    screen.say(kind.headline(question.ask), "bold")
    _say_policy(screen, written)
    for name, odds in solved.items():
        screen.say("")
        show_fact(screen, title_of(kind, name, question.ask), odds, values_of(kind, name, question.ask), shown)


def _say_policy(screen: Screen, written: WrittenQuestion) -> None:
    policy, wish = written.policy.name, written.policy.wish
    if wish:
        cheaply = ", at least cost" if policy == "cheapest" else ""
        screen.say(f'Choices are answered as is best for the wish "{wish.name}": {wish.help}{cheaply}.')
        if written.policy.offers:
            screen.say("What others may offer is offered.")


def _answer_varied(written: WrittenQuestion, varied: Varied) -> None:
    """The odds of several questions, a column for each."""
    questions = [written.question(**{varied.input.name: [text]}) for text in varied.texts]
    parsed, columns = written.parsed, []
    with answering(_title(written), parsed) as progress:
        for question in questions:
            columns.append(solve(question))
            progress(len(columns), len(questions))
    if parsed.flag("json"):
        from astragal.questions.wire import show_varied

        print_shown(show_varied(varied.input.name, varied.texts, zip(questions, columns, strict=True)))
    elif parsed.flag("csv"):
        print(csv_text(_varied_lines(varied, questions, columns)), end="")
    elif (file := parsed.text("svg")) is not None:
        write_svg(file, _varied_chart(written, varied, questions, columns))
    else:
        _show_varied(written, varied, questions, columns)


def _varied_chart(
    written: WrittenQuestion, varied: Varied, questions: list[Question], columns: Sequence[Solved]
) -> str:
    name = _one_fact(columns[0])
    named = dict(zip(varied.heads, (column[name] for column in columns), strict=True))
    given = ", ".join(f"{each} {' '.join(texts)}" for each, texts in written.given.items())
    title = f"{written.game.title} ({given}): {title_of(written.kind, name, questions[0].ask)} by {varied.input.option}"
    return compare_chart(named, title, _all_values(questions, name))


def _show_varied(
    written: WrittenQuestion, varied: Varied, questions: list[Question], columns: Sequence[Solved]
) -> None:
    from astragal.cli.render.screen import Screen

    shown = _summed(written)
    _refuse_unordered(shown, columns[0])
    screen = Screen()
    screen.say(f"{written.game.title}: {written.kind.title}, {varied.input.option} varied", "bold")
    _say_policy(screen, written)
    for name in columns[0]:
        each = [column[name] for column in columns]
        values = listed_values(each, _all_values(questions, name))
        screen.say("")
        title = title_of(written.kind, name, questions[0].ask)
        show_columns(screen, title, varied.heads, each, [rows(one, values) for one in each], shown=shown)


def _all_values(questions: list[Question], name: str) -> list[Hashable] | None:
    """Every value that the fact lists for one of the questions."""
    listed = [values_of(question.kind, name, question.ask) for question in questions]
    return None if None in listed else list(dict.fromkeys(value for values in listed for value in values or ()))


def _one_fact(solved: Solved) -> str:
    if len(solved) != 1:
        raise Malformed(f"A chart shows one fact; choose it with --show: {', '.join(solved)}.")
    return next(iter(solved))


def _csv_lines(question: Question, solved: Solved) -> Iterator[tuple[object, ...]]:
    """Fact, value, exact chance and decimal chance."""
    for name, odds in solved.items():
        for row in rows(odds, values_of(question.kind, name, question.ask)):
            yield name, format_value(row.value), *csv_chance(row.chance)


def _varied_lines(varied: Varied, questions: list[Question], columns: Sequence[Solved]) -> Iterator[tuple[object, ...]]:
    yield varied.input.name, "fact", "value", "exact", "chance"
    for text, question, solved in zip(varied.texts, questions, columns, strict=True):
        for line in _csv_lines(question, solved):
            yield text, *line


def _games_with_race() -> list[Game]:
    return [found for found in all_games() if RACE in found.kinds]


def _help() -> NoReturn:
    print("usage: astragal odds GAME [ROLL] …")
    print('       astragal odds "NOTATION" …')
    print("       astragal odds --program FILE\n\nExact odds of a roll, as tables and charts.\n\nexamples:")
    print('  astragal odds "4d6 >= 14"')
    for found in all_games():
        for kind in found.kinds.values():
            print(f"  {example_of(kind, 'odds')}")
    print("  astragal odds razorweave 16 --attribute 2 --vary edge=-2..2 --show tier")
    print("  astragal odds chronicles 7 --show successes --up-to 10 --svg successes.svg")
    print("\nastragal odds GAME --help lists the options, the facts and the wishes of a game.")
    raise Finished


def _help_race() -> NoReturn:
    print("usage: astragal race GAME …\n\nTwo Clocks: which fills first, and after how many rounds.\n\nexamples:")
    for found in _games_with_race():
        print(f"  {example_of(found.kinds[RACE], RACE)}")
    print("\nastragal race GAME --help lists the options.")
    raise Finished
