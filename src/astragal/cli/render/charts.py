"""Odds in a terminal: rows with bars, columns side by side; and charts in files."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from astragal.cli.render.screen import Screen
from astragal.dice.distribution import Distribution
from astragal.dice.render.text import (
    Row,
    format_label,
    format_number,
    format_one_in,
    format_percent,
    is_ordered,
    rows,
)
from astragal.errors import Malformed

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
    listed = rows(odds, values)
    if shown != "chance" and not odds.is_ordered:
        shown, title = "chance", f"{title} (no order, so the chance of each)"
    ordered = is_ordered([row.value for row in listed])
    chance = CUMULATIVE[shown]
    kept = frequent(listed, lambda row: [row.chance])
    most = max((chance(row) for row in kept), default=Fraction(1)) or Fraction(1)
    both = ordered and shown == "chance"
    screen.say(title if shown == "chance" else f"{title}, {shown}", "bold")
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


def show_columns(
    screen: Screen,
    title: str,
    heads: Sequence[str],
    columns: Sequence[Distribution[Any]],
    lines: Sequence[list[Row]],
    *,
    shown: str = "chance",
) -> None:
    """Print the same values in several distributions; ``lines`` has the rows of each."""
    across = frequent(list(zip(*lines, strict=True)), lambda line: [row.chance for row in line])
    if shown != "chance" and not all(column.is_ordered for column in columns):
        shown, title = "chance", f"{title} (no order, so the chance of each)"
    chance = CUMULATIVE[shown]
    screen.say(title if shown == "chance" else f"{title}, {shown}", "bold")
    cells = [[format_label(line[0].value), *(format_percent(chance(row)) for row in line)] for line in across]
    if all(column.is_numeric for column in columns):
        cells.append(["mean", *(format_number(column.mean) for column in columns)])
        cells.append(["deviation", *(format_number(column.deviation) for column in columns)])
    screen.show_grid(("", *heads), cells)
    say_left_out(screen, len(lines[0]) - len(across))


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
    try:
        Path(file).write_text(picture, "utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Malformed(f'"{file[:80]}" cannot be written: {reason}.') from None
    print(f"The chart is in {file}.")
