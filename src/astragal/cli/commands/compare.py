"""``astragal compare "…" "…"``: questions in the words of ``astragal odds``, side by side."""

from __future__ import annotations

import shlex
from collections.abc import Hashable
from fractions import Fraction
from string import ascii_uppercase
from typing import Any, NamedTuple

from astragal.cli.commands.odds import SVG, write_svg
from astragal.cli.commands.roll import is_notation
from astragal.cli.parser import Option, Parser
from astragal.cli.read_question import ABOUT, Question, read_question, up_to_of
from astragal.cli.render.charts import describe_chance, format_bar, frequent, print_json, say_left_out
from astragal.dice.distribution import Distribution
from astragal.dice.render.svg import compare_chart
from astragal.dice.render.text import (
    format_exact,
    format_label,
    format_number,
    format_percent,
    format_points,
    format_value,
    listed_values,
)
from astragal.errors import Malformed, Unknown

MOST_ASKS = 6
MOST_BARS = 3
BAR = 8
LONG = 15
NOTATION_UP_TO = 60
EXAMPLES = (
    'astragal compare "narraject 5 d10 3" "narraject 5 d10 3 --edition hits"',
    'astragal compare "chronicles 6" "chronicles 6 --rote" "chronicles 6 --again 8" --table successes',
    'astragal compare "5d6kh4" "4d6 + 2"',
    'astragal compare "razorweave 16 --edge 1" "razorweave 16 --attribute 2" --table tier --svg tiers.svg',
)


class Side(NamedTuple):
    """One of the questions: as it was written, in a line, for a program; its tables with titles and values."""

    words: str
    headline: str
    about: dict[str, Any]
    tables: dict[str, Distribution[Any]]
    titles: dict[str, str]
    values: dict[str, list[Hashable]]


def run(words: list[str]) -> int:
    """Answer every question, and show what they have in common."""
    parser = Parser(
        "compare",
        f"Questions in the words of astragal odds, side by side; 2 to {MOST_ASKS} of them, each in quotes. "
        "Differences are to the first.",
        ("ASK",) * MOST_ASKS,
        EXAMPLES,
    )
    parser.add("what is asked about all of them", *(option for option in ABOUT if option.name in ("table", "up-to")))
    parser.add("output", SVG, Option("json", help="one JSON object, for programs"))
    parsed = parser.parse(words)
    if len(parsed.places) < 2:
        raise Malformed(f"Give two questions or more, each in quotes: {EXAMPLES[0]}.")
    sides = [read_side(text, up_to_of(parsed) if parsed.flag("up-to") else None) for text in parsed.places]
    names = common_tables(sides, parsed.given.get("table", []))
    if parsed.flag("json"):
        print_json(describe(sides, names))
    elif (file := parsed.text("svg")) is not None:
        write_svg(file, _chart(sides, names))
    else:
        show(sides, names)
    return 0


def read_side(text: str, up_to: int | None = None) -> Side:
    """``narraject 5 d10 3`` or dice notation, with ``astragal odds`` before it or not."""
    bare = text.strip().removeprefix("astragal ").strip().removeprefix("odds ").strip()
    if bare and is_notation(bare.split()[0]):
        return _notation_side(bare, up_to)
    try:
        words = shlex.split(bare)
    except ValueError:
        raise Malformed(f'"{text[:60]}" has a quotation mark without its other half.') from None
    question = read_question(words, "odds")
    if "--up-to" in words:
        raise Malformed(
            "Values are told apart up to one limit for all that is compared; give up-to outside the quotes."
        )
    return _question_side(text.strip(), question if up_to is None else question._replace(up_to=up_to))


def _question_side(text: str, question: Question) -> Side:
    ask = question.ask
    tables = question.solve(ask)
    return Side(
        text,
        question.kind.headline(ask),
        {"game": question.game.name, "roll": question.kind.name, "ask": ask.values()},
        tables,
        {name: question.title(name) for name in tables},
        {name: list(question.domain(name, ask) or tables[name]) for name in tables},
    )


def _notation_side(text: str, up_to: int | None) -> Side:
    """A formula has one table, its value; values without end are told apart equally far on all sides."""
    from astragal.dice.notation.parser import parse
    from astragal.questions.notation import odds_of

    expression = str(parse(text))
    solved = odds_of(text, NOTATION_UP_TO if up_to is None else up_to)
    about = {"notation": expression}
    return Side(text, expression, about, {"value": solved}, {"value": "Value"}, {"value": list(solved)})


def common_tables(sides: list[Side], wanted: list[str]) -> list[str]:
    """The tables that all the questions have, and that are wanted."""
    common = [name for name in sides[0].tables if all(name in side.tables for side in sides)]
    for name in wanted:
        if name not in common:
            raise Unknown(f'They have no table "{name[:40]}" in common; they have {", ".join(common) or "none"}.')
    if not common:
        raise Malformed("These questions have no table in common, so there is nothing to compare.")
    return list(dict.fromkeys(wanted)) or common


def values_of(sides: list[Side], name: str) -> list[Hashable]:
    """Every value that one of the questions lists."""
    listed = dict.fromkeys(value for side in sides for value in side.values[name])
    return listed_values([side.tables[name] for side in sides], listed)


def show(sides: list[Side], names: list[str]) -> None:
    from astragal.cli.render.screen import Screen

    screen = Screen()
    for letter, side in zip(ascii_uppercase, sides, strict=False):
        told = side.words if side.words == side.headline else f"{side.words}: {side.headline}"
        screen.say(f"{letter}  {told}", "bold")
    for name in names:
        screen.say("")
        screen.say(sides[0].titles[name], "bold")
        values = values_of(sides, name)
        lines = [(value, [side.tables[name][value] for side in sides]) for value in values]
        kept = frequent(lines, lambda line: line[1])
        most = max((chance for _, chances in kept for chance in chances), default=Fraction(1)) or Fraction(1)
        cells = [[format_label(value), *_cells(chances, most)] for value, chances in kept]
        screen.show_grid(["", *_heads(len(sides))], cells, _left(len(sides)))
        say_left_out(screen, len(lines) - len(kept))
        if all(side.tables[name].is_numeric for side in sides):
            screen.say(f"  {_means(sides, name)}")


def _heads(n: int) -> list[str]:
    heads = [head for letter in ascii_uppercase[:n] for head in (("", letter) if n <= MOST_BARS else (letter,))]
    for letter in ascii_uppercase[1:n]:
        heads += [f"{letter} − A", "exactly"] if n <= MOST_BARS else [f"{letter} − A"]
    return heads


def _left(n: int) -> tuple[int, ...]:
    """The columns that hold words and bars."""
    return (0, *(1 + 2 * place for place in range(n))) if n <= MOST_BARS else (0,)


def _cells(chances: list[Fraction], most: Fraction) -> list[str]:
    """Chances with bars, then the differences in percentage points and, if there is room, exactly."""
    bars = len(chances) <= MOST_BARS
    cells = []
    for chance in chances:
        cells += [format_bar(chance / most, BAR)] * bars + [format_percent(chance)]
    for chance in chances[1:]:
        cells += [format_points(chance - chances[0])] + [_exactly(chance - chances[0])] * bars
    return cells


def _exactly(difference: Fraction) -> str:
    text = format_exact(difference)
    return text if len(text) <= LONG else "…"


def _means(sides: list[Side], name: str) -> str:
    first = sides[0].tables[name].mean
    parts = [f"mean A {format_number(first)}"]
    for letter, side in zip(ascii_uppercase[1:], sides[1:], strict=False):
        mean = side.tables[name].mean
        sign = "+" if mean > first else ""
        parts.append(f"{letter} {format_number(mean)} ({sign}{format_number(mean - first)})")
    return ", ".join(parts)


def _chart(sides: list[Side], names: list[str]) -> str:
    if len(names) != 1:
        raise Malformed(f"A chart shows one table; choose it with table: {', '.join(names)}.")
    named = {}
    for side in sides:
        named[side.words if side.words not in named else f"{side.words} "] = side.tables[names[0]]
    return compare_chart(named, sides[0].titles[names[0]], values_of(sides, names[0]))


def describe(sides: list[Side], names: list[str]) -> dict[str, Any]:
    """The asks, and for every table and value the chances and the differences to the first ask."""
    return {
        "asks": [{"words": side.words, **side.about} for side in sides],
        "tables": {name: _described(sides, name) for name in names},
    }


def _described(sides: list[Side], name: str) -> dict[str, Any]:
    described = {}
    for value in values_of(sides, name):
        chances = [side.tables[name][value] for side in sides]
        described[format_value(value)] = {
            "chances": [describe_chance(chance) for chance in chances],
            "differences": [_difference(chance - chances[0]) for chance in chances[1:]],
        }
    return described


def _difference(difference: Fraction) -> dict[str, Any]:
    return {"exact": format_exact(difference), "points": float(difference * 100)}
