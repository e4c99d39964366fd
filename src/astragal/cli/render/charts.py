"""Odds in a terminal: rows with bars, columns side by side; and charts in files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from astragal.cli.parser import file_errors
from astragal.cli.render.screen import Screen
from astragal.dice.distribution import Distribution
from astragal.dice.render.text import (
    Row,
    csv_chance,
    format_label,
    format_number,
    format_one_in,
    format_percent,
    format_value,
    is_ordered,
    rows,
)
from astragal.errors import Malformed
from astragal.questions import SolvedQuestion

if TYPE_CHECKING:
    from astragal.questions.compare import FactCompared

BAR = 20
"""Columns of a bar."""
MANY_ROWS = 12
"""Beyond this many rows, rare ones are left out."""
RARE = Fraction(1, 1_000_000)
EIGHTHS = " ▏▎▍▌▋▊▉"
CUMULATIVE: dict[str, Callable[[Row], Fraction]] = {
    "chance": lambda row: row.chance,
    "at least": lambda row: row.at_least,
    "at most": lambda row: row.at_most,
}


def format_bar(share: Fraction, width: int = BAR) -> str:
    """A bar of blocks, dotted to its full width; any share above zero is visible."""
    eighths = max(round(share * width * 8), 1) if share else 0
    whole, part = divmod(eighths, 8)
    return ("█" * whole + (EIGHTHS[part] if part else "")).ljust(width, "·")


def show_fact(
    screen: Screen,
    title: str,
    odds: Distribution[Any],
    values: Iterable[Hashable] | None = None,
    shown: str = "chance",
) -> None:
    """Print a row for each value: its chance, or that of this value at least or at most if it has an order."""
    if not odds.weights:
        screen.say(title, "bold")
        screen.say("  no value: this is the empty die", "dim")
        return
    listed = rows(odds, values)
    title, shown = _headed(title, shown, [odds])
    ordered = is_ordered([row.value for row in listed])
    chance = CUMULATIVE[shown]
    kept = frequent(listed, lambda row: [row.chance])
    most = max((chance(row) for row in kept), default=Fraction(1)) or Fraction(1)
    both = ordered and shown == "chance"
    screen.say(title, "bold")
    screen.show_grid(
        ("", "", *((shown, "", "at least", "at most") if both else ("", ""))),
        [
            (
                format_label(row.value),
                format_bar(chance(row) / most),
                format_percent(chance(row)),
                format_one_in(chance(row)),
                *((format_percent(row.at_least), format_percent(row.at_most)) if both else ()),
            )
            for row in kept
        ],
        (0, 1, 3),
    )
    say_left_out(screen, len(listed) - len(kept))
    if odds.is_numeric:
        mean, deviation = format_number(odds.mean), format_number(odds.deviation)
        screen.say(f"  mean {mean}, standard deviation {deviation}")


def show_columns(screen: Screen, fact: FactCompared, heads: Sequence[str], shown: str = "chance") -> None:
    """Print a fact of several questions, a column for each."""
    columns = fact.odds
    lines = list(zip(*(rows(odds, fact.values) for odds in columns), strict=True))
    across = frequent(lines, lambda line: [row.chance for row in line])
    title, shown = _headed(fact.title, shown, columns)
    chance = CUMULATIVE[shown]
    screen.say(title, "bold")
    cells = [[format_label(line[0].value), *(format_percent(chance(row)) for row in line)] for line in across]
    if all(odds.is_numeric for odds in columns):
        cells.append(["mean", *(format_number(odds.mean) for odds in columns)])
        cells.append(["deviation", *(format_number(odds.deviation) for odds in columns)])
    screen.show_grid(("", *heads), cells)
    say_left_out(screen, len(lines) - len(across))


def _headed(title: str, shown: str, odds: Iterable[Distribution[Any]]) -> tuple[str, str]:
    """The title with what is shown of each value, which is its chance where values have no order."""
    if shown != "chance" and not all(each.is_ordered for each in odds):
        return f"{title} (no order, so the chance of each)", "chance"
    return (title if shown == "chance" else f"{title}, {shown}"), shown


def csv_lines(solved: SolvedQuestion) -> Iterator[tuple[object, ...]]:
    """Fact, value, exact chance and decimal chance."""
    for name, odds in solved.facts.items():
        for row in rows(odds, solved.values(name) if solved.question else None):
            yield name, format_value(row.value), *csv_chance(row.chance)


def one_fact(facts: Collection[str]) -> str:
    """The fact that a chart shows; several are refused."""
    if len(facts) != 1:
        raise Malformed(f"A chart shows one fact; choose it with --show: {', '.join(facts)}.")
    return next(iter(facts))


def frequent(listed: list[Any], chances: Callable[[Any], Iterable[Fraction]]) -> list[Any]:
    """All rows of a short list; of a long one, those that are not too rare to matter."""
    if len(listed) <= MANY_ROWS:
        return listed
    return [row for row in listed if any(chance >= RARE for chance in chances(row))]


def say_left_out(screen: Screen, n: int) -> None:
    """Say how many rows were left out."""
    if n:
        screen.say(f"  ({n} more, each rarer than 1 in 1,000,000 or impossible; --json and --csv list them)", "dim")


def write_svg(file: str, picture: str) -> None:
    """Write a chart into a file and say so; ``-`` prints it."""
    if file == "-":
        print(picture, end="")
        return
    from pathlib import Path

    with file_errors(file, "written"):
        Path(file).write_text(picture, "utf-8")
    print(f"The chart is in {file}.")
