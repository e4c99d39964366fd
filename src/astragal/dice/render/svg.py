"""Bar charts as self-contained SVG that follows the reader's light or dark mode.

Every bar has its value and percentage as text, and each of several distributions has a
letter as well as a colour, so that no information depends on colour alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from string import ascii_uppercase
from typing import Any

from astragal.dice.distribution import Distribution
from astragal.dice.render.text import format_label, format_number, format_percent, listed_values

WIDTH = 680
"""All sizes are in pixels."""
MARGIN = 16
ROW_HEIGHT = 22
GROUPED_ROW_HEIGHT = 16
"""Height of a row where several distributions share a group."""
LEGEND_ROW_HEIGHT = 20
PERCENT_WIDTH = 90
"""Room to the right of the longest bar for its percentage."""
LETTER_WIDTH = 7.4
"""Average width of a letter at 13 px, for the width of the label column."""
MAX_LABEL = 40
"""Characters of a label; longer ones are shortened."""
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
"""The palette of Okabe and Ito, distinguishable with any kind of colour vision."""
STYLE = """\
.astragal text{font:13px system-ui,sans-serif;fill:#1f2328}
.astragal .head{font-size:15px;font-weight:600}
.astragal .small{font-size:12px}
.astragal .paper{fill:#ffffff}
.astragal .axis{stroke:#59636e;stroke-width:1}
.astragal .bar{stroke:#59636e;stroke-width:0.6}
@media (prefers-color-scheme:dark){.astragal text{fill:#f0f6fc}.astragal .paper{fill:#0d1117}
.astragal .axis,.astragal .bar{stroke:#9198a1}}"""


def bar_chart(distribution: Distribution[Any], title: str = "", values: Iterable[Hashable] | None = None) -> str:
    """Return a chart with a bar for each value; ``values`` are listed even if their chance is 0."""
    listed = listed_values([distribution], values)
    left, top = _label_width(listed), _head_height(title)
    parts = _rows([distribution], listed, (left, top), (ROW_HEIGHT, 3))
    end = top + len(listed) * ROW_HEIGHT
    if distribution.is_numeric and listed:
        parts.append(_text(left, end + 18, _moments(distribution), "small"))
        end += 26
    return _svg(end + MARGIN, title, _spoken(distribution, listed), parts)


def compare_chart(
    named: Mapping[str, Distribution[Any]], title: str = "", values: Iterable[Hashable] | None = None
) -> str:
    """Return a chart of several distributions side by side, with a letter and a colour for each."""
    listed = listed_values(named.values(), values)
    top = _head_height(title)
    parts: list[str] = []
    for place, (name, distribution) in enumerate(named.items()):
        mean = f" ({_moments(distribution)})" if distribution.is_numeric and listed else ""
        parts += _legend(top + place * LEGEND_ROW_HEIGHT, place, f"{name}{mean}")
    top += len(named) * LEGEND_ROW_HEIGHT + 10
    group = len(named) * GROUPED_ROW_HEIGHT + 8
    parts += _rows([*named.values()], listed, (_label_width(listed), top), (group, 4), ascii_uppercase)
    spoken = "; ".join(f"{name}: {_spoken(each, listed)}" for name, each in named.items())
    return _svg(top + len(listed) * group + MARGIN, title, spoken, parts)


def _rows(
    each: Sequence[Distribution[Any]],
    listed: Sequence[Hashable],
    at: tuple[float, float],
    row_size: tuple[int, int],
    letters: str = "",
) -> list[str]:
    """Labels, bars and axis from (left, top) down: a bar for each distribution in each row, with its letter if given.

    A row has a height, and a margin above and below its bars.
    """
    (left, top), (height, margin) = at, row_size
    most = max((one.get(value) for one in each for value in listed), default=Fraction(0)) or Fraction(1)
    step = (height - 2 * margin) / len(each)
    thick = step - 3 if letters else step
    parts: list[str] = []
    for row, value in enumerate(listed):
        y = top + row * height
        label = _shortened(format_label(value), MAX_LABEL)
        parts.append(_text(left - 8, y + height / 2 + 4, label, anchor="end"))
        for place, one in enumerate(each):
            chance = one.get(value)
            letter = f"{letters[place % 26]} " if letters else ""
            bar = left, y + margin + place * step, thick
            parts += _bar(bar, chance / most, place, f"{letter}{format_percent(chance)}")
    end = top + len(listed) * height
    return [*parts, f'<line class="axis" x1="{left:.1f}" y1="{top:.1f}" x2="{left:.1f}" y2="{end:.1f}"/>']


def _spoken(distribution: Distribution[Any], values: Iterable[Hashable]) -> str:
    """The chart in words, for screen readers."""
    return ", ".join(f"{format_label(value)} {format_percent(distribution.get(value))}" for value in values)


def _moments(distribution: Distribution[Any]) -> str:
    return f"mean {format_number(distribution.mean)}, standard deviation {format_number(distribution.deviation)}"


def _head_height(title: str) -> float:
    return MARGIN + (28 if title else 0)


def _label_width(values: Iterable[object]) -> float:
    longest = max((min(len(format_label(value)), MAX_LABEL) for value in values), default=1)
    return MARGIN + 10 + longest * LETTER_WIDTH


def _bar(at: tuple[float, float, float], share: Fraction, place: int, label: str) -> Iterator[str]:
    """A bar at (left, top, height) and its label; its length is a share of the longest bar's."""
    left, y, height = at
    width = float(share) * (WIDTH - left - PERCENT_WIDTH)
    if share:
        size = f'x="{left:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}"'
        yield f'<rect class="bar" {size} rx="2" fill="{COLOURS[place % len(COLOURS)]}"/>'
    yield _text(left + width + 6, y + height / 2 + 4, label, "small")


def _legend(y: float, place: int, name: str) -> Iterator[str]:
    colour = COLOURS[place % len(COLOURS)]
    yield f'<rect class="bar" x="{MARGIN}" y="{y + 2:.1f}" width="12" height="12" rx="2" fill="{colour}"/>'
    yield _text(MARGIN + 20, y + 12, f"{ascii_uppercase[place % 26]}  {_shortened(name, 88)}", "small")


def _text(x: float, y: float, text: str, style: str = "", anchor: str = "") -> str:
    more = (f' class="{style}"' if style else "") + (f' text-anchor="{anchor}"' if anchor else "")
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{escape(text)}</text>'


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _svg(height: float, title: str, spoken: str, parts: Iterable[str]) -> str:
    """The complete document; title and description serve screen readers."""
    name = escape(title or "Chances")
    head = _text(MARGIN, MARGIN + 12, _shortened(title, 80), "head") if title else ""
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="astragal" role="img" aria-label="{name}" '
            f'width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}">',
            f"<title>{name}</title>",
            f"<desc>{escape(spoken)}</desc>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{WIDTH}" height="{height:.0f}"/>',
            *filter(None, (head, *parts)),
            "</svg>\n",
        )
    )
