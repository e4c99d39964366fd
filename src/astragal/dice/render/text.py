"""Distributions as rows of text, CSV and HTML. Chances become decimal numbers only here and in SVG."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import floor, log10
from typing import Any, NamedTuple

from astragal.dice.distribution import NUMBERS, Below, Beyond, Distribution

MAX_HTML_ROWS = 100
"""Rows of a notebook's table; more would bury the notebook."""
BAR_STYLE = "background:#0072B2;height:0.8em;min-width:1px;border-radius:2px;width:"
MINUS = "−"


class Row(NamedTuple):
    """A value with its chance, and the chances of at least and at most this value.

    Numbers rise from row to row; all other values stand from best to worst.
    """

    value: Any
    chance: Fraction
    at_least: Fraction
    at_most: Fraction


def rows(distribution: Distribution[Any], values: Iterable[Hashable] | None = None) -> list[Row]:
    """Return a row for each of ``values``, even if its chance is 0, and for every other possible value."""
    listed = listed_values([distribution], values)
    total, so_far = distribution.total, 0
    rising = is_ordered(listed)
    found = []
    for value in listed:
        weight = distribution.weights.get(value, 0)
        rest, so_far = total - so_far, so_far + weight
        more, less = (rest, so_far) if rising else (so_far, rest)
        found.append(Row(value, Fraction(weight, total), Fraction(more, total), Fraction(less, total)))
    return found


def listed_values(
    distributions: Iterable[Distribution[Any]], values: Iterable[Hashable] | None = None
) -> list[Hashable]:
    """Return ``values`` and every other value of the distributions.

    Numbers rise, yes comes before no, and words keep the order of their distribution, or else that of appearance.
    """
    listed = dict.fromkeys(values or ())
    for distribution in distributions:
        if values is None:
            listed.update(dict.fromkeys((*distribution.order, *distribution)))
        else:
            listed.update(dict.fromkeys(value for value in distribution if distribution.weights[value]))
    if listed and all(isinstance(value, bool) for value in listed):
        return sorted(listed, reverse=True)  # type: ignore[type-var]
    return sorted(listed) if is_ordered(list(listed)) else list(listed)  # type: ignore[type-var]


def is_ordered(values: Sequence[Hashable]) -> bool:
    """Return True if all values are numbers, ``Beyond`` or ``Below``, which rise by themselves."""
    return bool(values) and all(type(value) in NUMBERS or isinstance(value, (Beyond, Below)) for value in values)


def format_value(value: object) -> str:
    """Return a value as JSON, CSV and charts write it: ``true``, ``none``, ``3,highest,false``."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    if isinstance(value, Fraction):
        return format_decimal(value)
    return ",".join(map(format_value, value)) if isinstance(value, tuple) else str(value)


def format_decimal(value: Fraction) -> str:
    """Return ``1.5`` where the decimals come to an end, ``7/3`` where they do not."""
    places = next((n for n in range(20) if 10**n % value.denominator == 0), None)
    if places is None:
        return str(value)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def format_label(value: object) -> str:
    """Return a value as people read it: ``Beyond(8)`` is ``over 8``, since 8+ could mean 8 or more."""
    if isinstance(value, Beyond):
        return f"over {format_value(value.last)}"
    return f"under {format_value(value.first)}" if isinstance(value, Below) else format_value(value)


def format_exact(chance: Fraction) -> str:
    """Return ``247/324``, in lowest terms; ``0/1`` and ``1/1`` too."""
    sign = "-" if chance < 0 else ""
    return f"{sign}{_digits(abs(chance.numerator))}/{_digits(chance.denominator)}"


def _digits(n: int, at_least: int = 0) -> str:
    """An integer in decimal. Python's own conversion stops at 4,300 digits."""
    if n.bit_length() < 10_000:
        return str(n).rjust(at_least, "0")
    half = floor(n.bit_length() * 0.15)
    high, low = divmod(n, 10**half)
    return _digits(high, at_least - half) + _digits(low, half)


def format_percent(chance: Fraction) -> str:
    """Return ``76.2%``; ``0%`` only for the impossible and ``100%`` only for the certain."""
    if chance in (0, 1):
        return "100%" if chance else "0%"
    percent = float(chance * 100)
    if percent > 99.9:
        return f"{percent:.2f}%" if percent < 99.99 else ">99.99%"
    if percent < 0.1:
        return f"{percent:.2g}%" if percent > 0.0001 else "<0.0001%"
    return f"{percent:.1f}%"


def format_points(difference: Fraction) -> str:
    """Return ``+2.3``: the difference of two chances in percentage points."""
    points = float(abs(difference) * 100)
    shown = f"{points:.1f}" if points >= 0.05 or not difference else f"{points:.2g}"
    return "0" if not difference else f"{'+' if difference > 0 else MINUS}{shown}"


def format_one_in(chance: Fraction) -> str:
    """Return ``1 in 13.9``; ``never`` for 0 and ``always`` for 1."""
    if chance in (0, 1):
        return "always" if chance else "never"
    n = 1 / chance
    if n >= 10**9:
        power = floor(log10(n.numerator) - log10(n.denominator))
        return f"1 in {float(n / 10**power):.1f} × 10^{power}"
    if n.denominator == 1 or n >= 1000:
        return f"1 in {round(n):,}"
    if n < Fraction(1005, 1000):
        return "nearly always"
    return f"1 in {float(n):.1f}" if n >= 10 else f"1 in {float(n):.2f}"


def format_number(number: Fraction | float) -> str:
    """Return ``14`` or ``15.24``: a mean or a deviation, with at most two decimals."""
    shown = f"{float(number):.2f}".rstrip("0").rstrip(".")
    return shown.replace("-", MINUS) if shown != "-0" else "0"


def format_csv(distribution: Distribution[Any], values: Iterable[Hashable] | None = None) -> str:
    """Return CSV with the columns ``value``, ``exact`` and ``chance``, a line for each value."""
    lines = ((format_value(row.value), *csv_chance(row.chance)) for row in rows(distribution, values))
    return csv_text([("value", "exact", "chance"), *lines])


def csv_chance(chance: Fraction) -> tuple[str, float]:
    """Return the two CSV columns of a chance."""
    return format_exact(chance), float(chance)


def csv_text(lines: Iterable[Sequence[object]]) -> str:
    """Return lines as CSV, quoted where necessary."""
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def format_html(distribution: Distribution[Any]) -> str:
    """Return a small table for a notebook: each value with a bar, in percent and as 1 in N."""
    listed = rows(distribution)
    most = max((row.chance for row in listed), default=Fraction(1)) or Fraction(1)
    body = "".join(_html_row(row, most) for row in listed[:MAX_HTML_ROWS])
    hidden = len(listed) - MAX_HTML_ROWS
    more = f'<tr><td colspan="4">… and {hidden} more values</td></tr>' if hidden > 0 else ""
    foot = ""
    if distribution.is_numeric and listed:
        mean, deviation = format_number(distribution.mean), format_number(distribution.deviation)
        foot = f'<tfoot><tr><td colspan="4">mean {mean}, standard deviation {deviation}</td></tr></tfoot>'
    head = "".join(f"<th>{name}</th>" for name in ("value", "", "chance", ""))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}{more}</tbody>{foot}</table>"


def _html_row(row: Row, most: Fraction) -> str:
    from html import escape

    bar = f'<div style="{BAR_STYLE}{float(row.chance / most) * 100:.1f}%"></div>' if row.chance else ""
    cells = (escape(format_label(row.value)), format_percent(row.chance), format_one_in(row.chance))
    value, percent, one_in = cells
    return (
        f'<tr><td style="text-align:right">{value}</td><td style="width:12em;text-align:left">{bar}</td>'
        f'<td title="{format_exact(row.chance)}">{escape(percent)}</td><td style="text-align:left">{one_in}</td></tr>'
    )
