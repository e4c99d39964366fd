"""``astragal compare "…" "…"``: questions in the words of ``astragal odds``, side by side."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from fractions import Fraction
from string import ascii_uppercase
from typing import Any

from astragal.cli.commands.notation import show_read
from astragal.cli.commands.odds import JSON, SVG
from astragal.cli.options import DIALECT, is_notation
from astragal.cli.parser import Parser
from astragal.cli.read_question import SHOW, UP_TO_OPTION, read_question, up_to_given
from astragal.cli.render.charts import format_bar, frequent, say_left_out, write_svg
from astragal.cli.render.screen import print_shown
from astragal.cli.watch import TIMEOUT, answering
from astragal.dice.distribution import Distribution
from astragal.dice.render.svg import compare_chart
from astragal.dice.render.text import format_exact, format_label, format_number, format_percent, format_points
from astragal.errors import Malformed
from astragal.games.registry import names
from astragal.questions.compare import MOST, Compared, CompareSide, FactCompared, compare, side_of, side_of_notation

MOST_BARS = 3
"""With more sides there is no room for bars and exact differences."""
BAR = 8
LONG = 15
"""Characters of an exact difference; longer ones are left out."""
EXAMPLES = (
    'astragal compare "narraject 5 d10 3" "narraject 5 d10 3 --edition hits"',
    'astragal compare "chronicles 6" "chronicles 6 --rote" "chronicles 6 --again 8" --show successes',
    'astragal compare "5d6kh4" "4d6 + 2"',
    'astragal compare "razorweave 16 --edge 1" "razorweave 16 --attribute 2" --show tier --svg tiers.svg',
)


def run(words: list[str]) -> int:
    """Answer every question, and show what they have in common."""
    parser = Parser(
        "compare",
        f"Questions in the words of astragal odds, side by side; 2 to {MOST} of them, each in quotes. "
        "Differences are to the first.",
        ("ASK",) * MOST,
        EXAMPLES,
    )
    parser.add("what is asked about all of them", SHOW, UP_TO_OPTION, DIALECT)
    parser.add("output", SVG, JSON, TIMEOUT)
    parsed = parser.parse(words)
    parsed.refuse_both("svg", "json")
    if len(parsed.places) < 2:
        raise Malformed(f"Give two questions or more, each in quotes: {EXAMPLES[0]}.")
    up_to, dialect = up_to_given(parsed) if parsed.flag("up-to") else None, parsed.text("dialect") or ""
    sides: list[CompareSide] = []
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
    return 0


def read_side(text: str, up_to: int | None = None, dialect: str = "") -> CompareSide:
    """The side in these words: ``narraject 5 d10 3`` or dice notation, with ``astragal odds`` before it or not."""
    bare = text.strip().removeprefix("astragal ").strip().removeprefix("odds ").strip()
    named = bare.partition(" ")[0] in names()
    if is_notation(bare.split()) or (dialect and not named):
        return side_of_notation(bare, up_to, dialect)
    try:
        words = shlex.split(bare)
    except ValueError:
        raise Malformed(f'"{text[:60]}" has a quotation mark that is not closed.') from None
    question = read_question(words, "odds").question()
    if "--up-to" in words:
        raise Malformed("One limit holds for all sides; give --up-to outside the quotes.")
    return side_of(question if up_to is None else question._replace(up_to=up_to))


def _show(compared: Compared, texts: Sequence[str]) -> None:
    from astragal.cli.render.screen import Screen

    screen = Screen()
    for letter, text, side in zip(ascii_uppercase, texts, compared.sides, strict=False):
        words = text.strip()
        screen.say(f"{letter}  {words if words == side.headline else f'{words}: {side.headline}'}", "bold")
    for fact in compared.facts.values():
        screen.say("")
        _show_fact(screen, fact)
    show_read(screen, list(dict.fromkeys(note for side in compared.sides for note in side.notes)))


def _show_fact(screen: Any, fact: FactCompared) -> None:
    screen.say(fact.title, "bold")
    lines = [(value, [odds.get(value) for odds in fact.odds]) for value in fact.values]
    kept = frequent(lines, lambda line: line[1])
    most = max((chance for _, chances in kept for chance in chances), default=Fraction(1)) or Fraction(1)
    cells = [[format_label(value), *_cells(chances, most)] for value, chances in kept]
    screen.show_grid(["", *_heads(len(fact.odds))], cells, _left(len(fact.odds)))
    say_left_out(screen, len(lines) - len(kept))
    if all(odds.is_numeric for odds in fact.odds):
        screen.say(f"  {_means(fact.odds)}")


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


def _means(columns: Sequence[Distribution[Any]]) -> str:
    first = columns[0].mean
    parts = [f"mean A {format_number(first)}"]
    for letter, odds in zip(ascii_uppercase[1:], columns[1:], strict=False):
        sign = "+" if odds.mean > first else ""
        parts.append(f"{letter} {format_number(odds.mean)} ({sign}{format_number(odds.mean - first)})")
    return ", ".join(parts)


def _chart(compared: Compared, texts: Sequence[str]) -> str:
    if len(compared.facts) != 1:
        raise Malformed(f"A chart shows one fact; choose it with --show: {', '.join(compared.facts)}.")
    (fact,) = compared.facts.values()
    named: dict[str, Distribution[Any]] = {}
    for text, odds in zip(texts, fact.odds, strict=True):
        words = text.strip()
        named[words if words not in named else f"{words} "] = odds
    return compare_chart(named, fact.title, fact.values)
