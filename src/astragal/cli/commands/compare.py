"""``astragal compare "…" "…"``: questions in the words of ``astragal odds``, side by side."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from fractions import Fraction
from string import ascii_uppercase
from typing import Any

from astragal.cli.options import DIALECT, SVG, is_notation
from astragal.cli.parser import JSON, TIMEOUT, Parsed, command
from astragal.cli.read_question import SHOW, UP_TO_OPTION, read_question, up_to_given
from astragal.cli.render.charts import format_bar, frequent, one_fact, say_left_out, write_svg
from astragal.cli.render.screen import Screen, print_shown
from astragal.cli.watch import answering
from astragal.dice.distribution import Distribution
from astragal.dice.render.svg import compare_chart
from astragal.dice.render.text import format_exact, format_label, format_number, format_percent, format_points
from astragal.errors import Malformed
from astragal.games.registry import is_game
from astragal.questions import SolvedQuestion
from astragal.questions.compare import FEWEST, Compared, FactCompared, compare, side_of_notation
from astragal.questions.odds import solve

MOST_BARS = 3
"""Most sides for which bars and exact differences fit into a line."""
BAR = 8
LONG = 15
"""Characters of an exact difference; longer ones are left out."""


@command(
    "compare [ASK] [ASK] [ASK] [ASK] [ASK] [ASK]",
    what_is_asked_about_all_of_them=(SHOW, UP_TO_OPTION, DIALECT),
    output=(SVG, JSON, TIMEOUT),
)
def run_compare(parsed: Parsed) -> None:
    """Compare 2 to 6 questions in the words of astragal odds, each in quotes. Differences are to the first.

    astragal compare "narraject 5 d10 3" "narraject 5 d10 3 --edition hits"
    astragal compare "chronicles 6" "chronicles 6 --rote" "chronicles 6 --again 8" --show successes
    astragal compare "5d6kh4" "4d6 + 2"
    astragal compare "razorweave 16 --edge 1" "razorweave 16 --attribute 2" --show tier --svg tiers.svg
    """
    parsed.refuse_both("svg", "json")
    if len(parsed.places) < FEWEST:
        raise Malformed(
            "Give two questions or more, each in quotes: "
            'astragal compare "narraject 5 d10 3" "narraject 5 d10 3 --edition hits".'
        )
    up_to, dialect = up_to_given(parsed) if parsed.flag("up-to") else None, parsed.text("dialect") or ""
    sides: list[SolvedQuestion] = []
    with answering("comparison", parsed) as progress:
        for text in parsed.places:
            sides.append(read_side(text, up_to, dialect))
            progress(len(sides), len(parsed.places))
        compared = compare(sides, parsed.texts("show"))
    if parsed.flag("json"):
        from astragal.questions.wire import show_compared

        print_shown(show_compared(compared))
    elif (file := parsed.text("svg")) is not None:
        write_svg(file, _chart(compared, parsed.places))
    else:
        _show(compared, parsed.places)


def read_side(text: str, up_to: int | None = None, dialect: str = "") -> SolvedQuestion:
    """The side in these words: ``narraject 5 d10 3`` or dice notation, with ``astragal odds`` before it or not."""
    bare = text.strip().removeprefix("astragal ").strip().removeprefix("odds ").strip()
    named = is_game(bare.partition(" ")[0])
    if is_notation(bare.split()) or (dialect and not named):
        return side_of_notation(bare, up_to, dialect)
    try:
        words = shlex.split(bare)
    except ValueError:
        raise Malformed(f'"{text[:60]}" has a quotation mark that is not closed.') from None
    question = read_question(words, "odds").question()
    if "--up-to" in words:
        raise Malformed("One limit holds for all sides; give --up-to outside the quotes.")
    return solve(question if up_to is None else question._replace(up_to=up_to))


def _show(compared: Compared, texts: Sequence[str]) -> None:
    screen = Screen()
    for letter, text, side in zip(ascii_uppercase, texts, compared.sides, strict=False):
        words = text.strip()
        screen.say(f"{letter}  {words if words == side.headline else f'{words}: {side.headline}'}", "bold")
    for fact in compared.facts.values():
        screen.say("")
        _show_fact(screen, fact)
    screen.show_read(list(dict.fromkeys(note for side in compared.sides for note in side.notes)))


def _show_fact(screen: Screen, fact: FactCompared) -> None:
    """Print chances, with bars if there is room, then differences in percentage points and, with room, exactly."""
    screen.say(fact.title, "bold")
    lines = [(value, [odds.get(value) for odds in fact.odds]) for value in fact.values]
    kept = frequent(lines, lambda line: line[1])
    most = max((chance for _, chances in kept for chance in chances), default=Fraction(1)) or Fraction(1)
    roomy = len(fact.odds) <= MOST_BARS
    columns = [("", [format_label(value) for value, _ in kept])]
    for letter, chances in zip(ascii_uppercase, zip(*(chances for _, chances in kept), strict=True), strict=False):
        columns += [("", [format_bar(chance / most, BAR) for chance in chances])] * roomy
        columns.append((letter, [format_percent(chance) for chance in chances]))
    left = [n for n, (head, _) in enumerate(columns) if not head]
    for n, letter in enumerate(ascii_uppercase[1 : len(fact.odds)], 1):
        differences = [chances[n] - chances[0] for _, chances in kept]
        columns.append((f"{letter} − A", [format_points(each) for each in differences]))
        columns += [("exactly", [_exactly(each) for each in differences])] * roomy
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    screen.show_grid([head for head, _ in columns], rows, left)
    say_left_out(screen, len(lines) - len(kept))
    if all(odds.is_numeric for odds in fact.odds):
        screen.say(f"  {_means(fact.odds)}")


def _exactly(difference: Fraction) -> str:
    text = format_exact(difference)
    return text if len(text) <= LONG else "…"


def _means(columns: Sequence[Distribution[Any]]) -> str:
    first = columns[0].mean
    parts = [f"mean A {format_number(first)}"]
    for letter, odds in zip(ascii_uppercase[1:], columns[1:], strict=False):
        sign = "+" if odds.mean > first else ""
        parts.append(f"{letter} {format_number(odds.mean)} ({sign}{format_number(odds.mean - first)})")
    return ", ".join(parts)


def _chart(compared: Compared, texts: Sequence[str]) -> str:
    fact = compared.facts[one_fact(compared.facts)]
    named: dict[str, Distribution[Any]] = {}
    for text, odds in zip(texts, fact.odds, strict=True):
        words = text.strip()
        named[words if words not in named else f"{words} "] = odds
    return compare_chart(named, fact.title, fact.values)
