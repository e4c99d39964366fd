"""Figures: printed chances and numbers, and whether an exact value rounds to them.

A figure is an integer number of steps, where a step is one unit of its last digit: 10.80%
is 1080 steps of a hundredth of a percent.
"""

from __future__ import annotations

import re
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from astragal.dice.render.text import format_percent

MAX_LENGTH = 60
"""Characters of a figure."""
MAX_PLACES = 20
"""Digits behind the point."""
GROUPED = r"\d{1,3}(?:[,'\u202f\u00a0]\d{3})+(?:\.\d+)?(?!\d)"
NUMBER = rf"(?P<sign>[-−]?)(?P<number>{GROUPED}|\d+(?:[.,]\d+)?|\.\d+)"
ABOUT_WORDS = r"about|around|roughly|approximately|approx\.|circa|ca\.|c\.|close to|some"
BELOW_WORDS = r"nearly|almost|not quite|just under|just below|a little under|slightly under|a little less than"
ABOVE_WORDS = r"just over|just above|a little over|slightly over|a little more than|slightly more than"
NEAR = rf"(?:(?:(?P<below>{BELOW_WORDS})|(?P<above>{ABOVE_WORDS}))\s+)?"
ABOUT = rf"{NEAR}(?P<about>(?:[~≈]|{ABOUT_WORDS})\s*)?"
BOUND_WORDS = r"at least|at most|up to|no more than|no less than|less than|more than|(?<!\bor )(?:over|under)"
HEDGE = re.compile(
    rf"(?:(?P<below>\b(?:{BELOW_WORDS}))|(?P<above>\b(?:{ABOVE_WORDS}))|(?P<about>\b(?:{ABOUT_WORDS})|[~≈])"
    rf"|(?P<range>\b(?:between|from|{BOUND_WORDS})|[<≤≥]))\s*(?:an?\s+)?[\s>*_`(\[]*$",
    re.IGNORECASE,
)
"""What may stand before a figure, with a directive in between, and change what the figure means."""
GOES_ON = re.compile(
    r"\s?[–—‒−-]\s?[\d.]|\s*/\s*\d|\s*(?:to|or|bis|\.\.+|…|±|\+/-)\s*[\d.]|[)\]*_`]*(?:\+|\s+(?:or\s+)?(?:more|less|fewer"
    r"|better|worse|higher|lower)\b|\s+or\s+(?:above|below|over|under)\b|,?\s+(?:at\s+(?:the\s+)?(?:most|least|best|worst)"
    r"|plus|tops|and\s+(?:up|more|above|over)|upwards?|minimum|maximum|points?|percentage\s+points?)\b)",
    re.IGNORECASE,
)
"""A figure that continues as a range or a bound ("50% or more", "50% at most"), with how far it may be off, or as a
difference ("50% more")."""
EVEN = re.compile(r"50\s?[/:–-]\s?50|fifty[- ]fifty", re.IGNORECASE)
BOUND = r"(?P<bound>(?:[<>≤≥]|less than|under|more than|over)\s*)?"
PERCENT = re.compile(rf"{ABOUT}{BOUND}{NUMBER}(?P<unit>\s*(?:%|％|‰|percent\b|per cent\b|pct\b))", re.IGNORECASE)
ONE_IN = re.compile(rf"{ABOUT}(?P<one>1(?:\s+in\s+|-in-|\s+out\s+of\s+)){NUMBER}", re.IGNORECASE)
RATIO = re.compile(
    rf"{ABOUT}(?P<top>\d{{1,{MAX_LENGTH}}})(?P<bar>\s*[/⁄]\s*|\s+in\s+|\s+out\s+of\s+)(?P<bottom>\d{{1,{MAX_LENGTH}}})",
    re.IGNORECASE,
)
DECIMAL = re.compile(rf"{ABOUT}{BOUND}{NUMBER}", re.IGNORECASE)
WORD = re.compile(r"(?P<never>never|impossible|no chance)|(?P<always>always|certain|automatic)", re.IGNORECASE)
BELOW = ("<", "≤", "less than", "under")
NO_FIGURE = ("", "-", "–", "—", "−", "n/a")


class Rounding(Enum):
    """How an exact value became a figure; ``ROUNDED`` where half up and half even agree."""

    ROUNDED = "rounded"
    HALF_UP = "half up"
    HALF_EVEN = "half even"
    TRUNCATED = "truncated"
    EXACT = "exact"
    BOUND = "bound"


class Figure(NamedTuple):
    """A printed figure: its steps, how many of them make 1, and how it is written.

    ``kind`` is percent, number, one in, fraction, word or even (50/50). ``before`` and ``after`` surround the
    digits; ``bare`` means that the 0 before the point is missing. ``about`` marks a figure that need not be exact,
    ``near`` one that is a little below or above what is printed ("nearly 90%").
    """

    text: str
    kind: str
    steps: int
    scale: int
    places: int = 0
    before: str = ""
    after: str = ""
    point: str = "."
    group: str = ""
    bound: str = ""
    bare: bool = False
    about: bool = False
    near: str = ""

    @property
    def can_be_rewritten(self) -> bool:
        """True if another figure in its place says the same of another chance; "nearly" and 50/50 may not."""
        return not self.near and self.kind != "even"

    def hedged(self, found: re.Match[str]) -> Figure:
        """The figure with the word before it: "about", "nearly", "just over"."""
        if found["about"]:
            return self._replace(about=True)
        return self._replace(near="below" if found["below"] else "above")

    @property
    def value(self) -> Fraction:
        """The number that is printed."""
        said = Fraction(self.steps, self.scale)
        return said if self.kind != "one in" else (1 / said if said else Fraction(0))

    @property
    def step(self) -> Fraction:
        """One unit of the last digit; 0 for a fraction, which is exact."""
        if self.kind in EXACT_KINDS or self.bound:
            return Fraction(0)
        if self.kind != "one in":
            return Fraction(1, self.scale)
        return abs(self.value - 1 / Fraction(self.steps + 1, self.scale))

    def rounding_of(self, exact: Fraction) -> Rounding | None:
        """Return how the exact value became this figure; None if the figure is wrong."""
        if self.bound:
            return Rounding.BOUND if self._is_within(exact) else None
        if self.near:
            return Rounding.BOUND if self._is_near(exact) else None
        if self.kind in EXACT_KINDS and not self.about:
            return Rounding.EXACT if exact == self.value else None
        steps = self._steps_of(exact)
        if steps is None:
            return None
        if steps == self.steps:
            return Rounding.EXACT
        return next((way for way in _ways_of(steps) if ROUNDERS[way](steps) == self.steps), None)

    def _is_near(self, exact: Fraction) -> bool:
        """A tenth, or one unit of the last digit, is still nearly as much."""
        far = max(abs(self.value) / 10, self.step, Fraction(1, self.scale) if self.kind == "fraction" else self.step)
        off = self.value - exact if self.near == "below" else exact - self.value
        return 0 <= off <= far

    def _is_within(self, exact: Fraction) -> bool:
        bound = self.bound.strip().lower()
        if exact == self.value:
            return bound in ("≤", "≥")
        return (exact < self.value) == (bound in BELOW)

    def _steps_of(self, exact: Fraction) -> Fraction | None:
        if self.kind == "one in":
            return self.scale / exact if exact else None
        return exact * self.scale

    def right(self, exact: Fraction, rounding: Rounding = Rounding.HALF_UP) -> str:
        """Return the figure that should be printed, in the same format."""
        if self.kind == "even":
            return format_percent(exact)
        if self.kind == "word":
            return ("always" if exact else "never") if exact in (0, 1) else format_percent(exact)
        if self.kind == "fraction":
            return self._ratio(exact)
        steps = self._steps_of(exact)
        if steps is None:
            return "never"
        rounder = ROUNDERS.get(rounding, half_up)
        return f"{self.before}{self._number(rounder(steps))}{self.after}"

    def _ratio(self, exact: Fraction) -> str:
        bar, bottom = self.after, self.scale
        if self.about:
            return f"{self.before}{half_up(exact * bottom)}{bar}{bottom}"
        if bottom % exact.denominator:
            return f"{exact.numerator}{bar}{exact.denominator}"
        return f"{exact.numerator * (bottom // exact.denominator)}{bar}{bottom}"

    def _number(self, steps: int) -> str:
        digits = str(abs(steps)).rjust(self.places + 1, "0")
        whole, rest = (digits[: -self.places], digits[-self.places :]) if self.places else (digits, "")
        if self.group and len(whole) > 3:
            whole = f"{int(whole):,}".replace(",", self.group)
        if self.bare and whole == "0":
            whole = ""
        return f"{'−' if steps < 0 else ''}{whole}{self.point if rest else ''}{rest}"


EXACT_KINDS = ("fraction", "word", "even")
"""Kinds of figures that are not rounded, unless "about" comes before them."""


def half_up(steps: Fraction) -> int:
    """Return the nearest integer; of two, the one further from 0."""
    top, bottom = steps.numerator, steps.denominator
    return (2 * top + bottom) // (2 * bottom) if top >= 0 else -((bottom - 2 * top) // (2 * bottom))


def half_even(steps: Fraction) -> int:
    """Return the nearest integer; of two, the even one."""
    return round(steps)


def truncated(steps: Fraction) -> int:
    """Return the integer part."""
    return int(steps)


ROUNDERS = {
    Rounding.ROUNDED: half_up,
    Rounding.HALF_UP: half_up,
    Rounding.HALF_EVEN: half_even,
    Rounding.TRUNCATED: truncated,
}


def _ways_of(steps: Fraction) -> tuple[Rounding, ...]:
    """The ways that can be distinguished: half up and half even differ only where half up gives an odd number."""
    return TIES if steps.denominator == 2 and half_up(steps) % 2 else OTHERS


TIES = (Rounding.HALF_UP, Rounding.HALF_EVEN, Rounding.TRUNCATED)
OTHERS = (Rounding.ROUNDED, Rounding.TRUNCATED)


def parse_figure(text: str, percent: bool = False) -> tuple[Figure, int, int] | None:
    """Return the figure at the beginning of a text, with its start and end, or None.

    ``percent``: a number without a unit is in percent, since its heading has a % sign.
    """
    start = len(text) - len(text.lstrip())
    for pattern, parse in PARSERS:
        found = pattern.match(text, start, start + MAX_LENGTH)
        if found and not text[found.end() :][:1].isalnum():
            figure = parse(found)
            if figure and (near := found.groupdict().get("below") or found.groupdict().get("above")):
                figure = figure._replace(near="below" if found["below"] else "above", before=f"{near} {figure.before}")
            if figure and percent and figure.kind == "number":
                figure = figure._replace(kind="percent", scale=figure.scale * 100)
            if figure:
                return figure, start, found.end()
    return None


def _parse_percent(found: re.Match[str]) -> Figure | None:
    number = _parse_number(found, commas_group=False)
    if number is None:
        return None
    times = 1000 if "‰" in found["unit"] else 100
    return number._replace(kind="percent", scale=number.scale * times, after=found["unit"])


def _parse_one_in(found: re.Match[str]) -> Figure | None:
    number = _parse_number(found)
    if number is None or number.steps <= 0:
        return None
    return number._replace(kind="one in", before=(found["about"] or "") + found["one"])


def _parse_ratio(found: re.Match[str]) -> Figure | None:
    if not int(found["bottom"]):
        return None
    top, bottom = int(found["top"]), int(found["bottom"])
    about = found["about"] or ""
    return Figure(found[0], "fraction", top, bottom, before=about, after=found["bar"], about=bool(about))


def _parse_even(found: re.Match[str]) -> Figure:
    return Figure(found[0], "even", 1, 2)


def _parse_word(found: re.Match[str]) -> Figure:
    return Figure(found[0], "word", 0 if found["never"] else 1, 1)


def _parse_number(found: re.Match[str], commas_group: bool = True) -> Figure | None:
    """The digits of a figure. A comma groups thousands in 1,296 and is a decimal point in 0,56 and 12,346%."""
    digits = found["number"]
    groups = re.findall(r"[,'\u202f\u00a0](?=\d{3})", digits) if re.fullmatch(GROUPED, digits) else []
    if groups and (commas_group or groups[0] != "," or len(groups) > 1 or "." in digits) and digits[0] != "0":
        group, point = groups[0], "."
    else:
        group, point = "", "," if "," in digits else "."
    whole, _, rest = digits.replace(group, "").partition(point) if group else digits.partition(point)
    if len(rest) > MAX_PLACES:
        return None
    steps = int(whole + rest or "0") * (-1 if found["sign"] else 1)
    named = found.groupdict()
    return Figure(
        found[0],
        "number",
        steps,
        10 ** len(rest),
        len(rest),
        before=named["about"] or "",
        about=bool(named["about"]),
        point=point,
        group=group or ("," if named.get("one") and len(whole) < 4 else ""),
        bound=named.get("bound") or "",
        bare=not whole,
    )


PARSERS = (
    (EVEN, _parse_even),
    (PERCENT, _parse_percent),
    (ONE_IN, _parse_one_in),
    (RATIO, _parse_ratio),
    (DECIMAL, _parse_number),
    (WORD, _parse_word),
)
