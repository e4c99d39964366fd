"""Figures: distributions in a terminal, as rows with bars, and for programs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from astragal.cli.render.screen import Screen
from astragal.dice.distribution import Distribution
from astragal.dice.render.text import (
    Row,
    format_exact,
    format_label,
    format_number,
    format_one_in,
    format_percent,
    format_value,
    is_ordered,
    rows,
)

BAR = 20
MANY_ROWS = 12
RARE = Fraction(1, 1_000_000)
EIGHTHS = " ▏▎▍▌▋▊▉"
CUMULATIVE: dict[str, Callable[[Row], Fraction]] = {
    "chance": lambda row: row.chance,
    "at least": lambda row: row.at_least,
    "at most": lambda row: row.at_most,
}


def format_bar(share: Fraction, width: int = BAR) -> str:
    """A bar of blocks, dotted to its full width; what is not nothing shows at least a sliver."""
    eighths = max(round(share * width * 8), 1) if share else 0
    whole, part = divmod(eighths, 8)
    return ("█" * whole + (EIGHTHS[part] if part else "")).ljust(width, "·")


def best_first(listed: list[Row], ordered: bool) -> list[Row]:
    """Numbers grow down a table; words stand from best to worst, so that "at least" looks up the table there."""
    return listed if ordered else [row._replace(at_least=row.at_most, at_most=row.at_least) for row in listed]


def show_table(
    screen: Screen,
    title: str,
    distribution: Distribution[Any],
    values: Iterable[Hashable] | None = None,
    shown: str = "chance",
) -> None:
    """A row for each value: its chance, or that of this value at least or at most."""
    listed = rows(distribution, values)
    ordered = is_ordered([row.value for row in listed])
    chance = CUMULATIVE[shown]
    kept = frequent(best_first(listed, ordered), lambda row: [row.chance])
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
    if distribution.is_numeric:
        screen.say(f"  {format_moments(distribution)}")


def show_columns(
    screen: Screen, title: str, heads: Sequence[str], columns: Sequence[Distribution[Any]], lines: Sequence[list[Row]]
) -> None:
    """The same values in several distributions; ``lines`` has the rows of each."""
    across = frequent(list(zip(*lines, strict=True)), lambda line: [row.chance for row in line])
    screen.say(title, "bold")
    cells = [[format_label(line[0].value), *(format_percent(row.chance) for row in line)] for line in across]
    if all(column.is_numeric for column in columns):
        cells.append(["mean", *(format_number(column.mean) for column in columns)])
        cells.append(["deviation", *(format_number(column.deviation) for column in columns)])
    screen.show_grid(("", *heads), cells)
    say_left_out(screen, len(lines[0]) - len(across))


def frequent(listed: list[Any], chances: Callable[[Any], Iterable[Fraction]]) -> list[Any]:
    """A long table leaves out what is as good as impossible."""
    if len(listed) <= MANY_ROWS:
        return listed
    return [row for row in listed if any(chance >= RARE for chance in chances(row))]


def say_left_out(screen: Screen, n: int) -> None:
    if n:
        screen.say(f"  ({n} more, each rarer than 1 in 1,000,000 or impossible; --json and --csv list them)", "dim")


def format_moments(distribution: Distribution[Any]) -> str:
    return f"mean {format_number(distribution.mean)}, standard deviation {format_number(distribution.deviation)}"


def describe_chance(chance: Fraction) -> dict[str, Any]:
    """The exact fraction, and the same as a decimal number."""
    return {"exact": format_exact(chance), "chance": float(chance)}


def describe_table(distribution: Distribution[Any], values: Iterable[Hashable] | None = None) -> dict[str, Any]:
    return {format_value(row.value): describe_chance(row.chance) for row in rows(distribution, values)}


def describe_moments(solved: Mapping[str, Distribution[Any]]) -> dict[str, Any]:
    """Mean and standard deviation of the tables that have them."""
    return {
        name: {"mean": format_exact(each.mean), "mean_number": float(each.mean), "deviation": each.deviation}
        for name, each in solved.items()
        if each.is_numeric
    }


def print_json(described: Mapping[str, Any]) -> None:
    import json

    print(json.dumps(described, ensure_ascii=False))
