"""Lines on log-log axes as SVG: each has its own dashes and marks and is named at its end, so no colour is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH, HEIGHT = 340, 300
LEFT, RIGHT, TOP, BOTTOM = 58, 80, 40, 44
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #222; }
.title { font-weight: 600; } .small { font-size: 11px; fill: #555; }
.grid { stroke: #ddd; stroke-width: 1; } .line { fill: none; stroke-width: 2; }
.back { fill: #fff; }
@media (prefers-color-scheme: dark) {
  text { fill: #eee; } .small { fill: #bbb; } .grid { stroke: #444; } .back { fill: #1b1b1b; }
}"""


class Line(NamedTuple):
    """Seconds by number of dice."""

    name: str
    points: tuple[tuple[int, float], ...]


class Panel(NamedTuple):
    title: str
    lines: tuple[Line, ...]


class Look(NamedTuple):
    """How a library's line is drawn."""

    colour: str
    dashes: str
    mark: str


LOOKS = {
    "astragal": Look("#0072b2", "", "●"),
    "icepool": Look("#d55e00", "7 3", "■"),
    "dyce": Look("#009e73", "2 3", "▲"),
    "lea": Look("#b06aa0", "9 3 2 3", "◆"),
}


class Scale(NamedTuple):
    """Powers of ten along a stretch of the picture."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def draw(panels: Sequence[Panel]) -> str:
    """All panels side by side, over the same seconds."""
    seconds = [second for panel in panels for line in panel.lines for _, second in line.points]
    up = Scale(floor(log10(min(seconds))), ceil(log10(max(seconds))), HEIGHT - BOTTOM, TOP)
    width = WIDTH * len(panels)
    body = "\n".join(
        f'<g transform="translate({place * WIDTH} 0)">\n' + "\n".join(_panel(panel, up)) + "\n</g>"
        for place, panel in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" height="{HEIGHT}"'
        f' role="img" aria-label="Time of a first answer by number of dice, ours and other libraries\'">\n'
        f"<style>{STYLE}\n</style>\n"
        f'<rect class="back" width="{width}" height="{HEIGHT}"/>\n{body}\n</svg>\n'
    )


def _panel(panel: Panel, up: Scale) -> Iterator[str]:
    most = max(dice for line in panel.lines for dice, _ in line.points)
    along = Scale(0, log10(most), LEFT, WIDTH - RIGHT)
    yield _text(LEFT, 20, panel.title, "title")
    yield from _grid(up)
    yield from _dice_axis(panel, along)
    for line in panel.lines:
        yield from _line(line, along, up)
    yield from _names(panel, along, up)


def _grid(up: Scale) -> Iterator[str]:
    for power in range(int(up.low), int(up.high) + 1):
        y = up.at(10.0**power)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
        yield _text(LEFT - 6, y + 4, format_power(power), "small", "end")


def format_power(power: int) -> str:
    """A power of ten of seconds, in the unit one would say it in."""
    unit, shift = ("s", 0) if power >= 0 else ("ms", 3) if power >= -3 else ("µs", 6)
    return f"{10 ** (power + shift):,} {unit}"


def _dice_axis(panel: Panel, along: Scale) -> Iterator[str]:
    counts = sorted({dice for line in panel.lines for dice, _ in line.points})
    last = -100.0
    for dice in counts:
        x = along.at(dice)
        if x - last >= 18:
            yield _text(x, HEIGHT - BOTTOM + 16, str(dice), "small", "middle")
            last = x
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "dice (n)", "small", "middle")


def _line(line: Line, along: Scale, up: Scale) -> Iterator[str]:
    look = LOOKS[line.name]
    places = [(along.at(dice), up.at(seconds)) for dice, seconds in line.points]
    path = " ".join(f"{x},{y}" for x, y in places)
    yield f'<polyline class="line" points="{path}" stroke="{look.colour}" stroke-dasharray="{look.dashes or "none"}"/>'
    for x, y in places:
        style = f"font-size:10px;fill:{look.colour}"
        yield f'<text x="{x}" y="{y + 3.5:.1f}" text-anchor="middle" style="{style}">{look.mark}</text>'


def _names(panel: Panel, along: Scale, up: Scale) -> Iterator[str]:
    """At the end of each line; names that would overlap move apart."""
    ends = sorted((up.at(line.points[-1][1]), along.at(line.points[-1][0]), line.name) for line in panel.lines)
    last = -100.0
    for y, x, name in ends:
        last = max(y, last + 13)
        yield _text(x + 9, last + 4, f"{LOOKS[name].mark} {name}")


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'
