"""Sheets as text: pips, boxes and Clocks, readable without colour, in ASCII where the terminal needs it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from astragal.rule.sheets.sheet import Section

MOST_SIGNS = 12
"""Pips at most; a longer row is shown as a number only."""
WORDS = ("note", "text")
"""Fields of free text, shown after a colon."""
SEEN = {"owner": "its owner and the GM see it", "gm": "the GM alone sees it", "veiled": "veiled"}


class Signs(NamedTuple):
    """The characters of a row of pips or boxes."""

    full: str
    empty: str
    crossed: str
    clear: str


PICTURES = Signs("●", "○", "☒", "☐")
LETTERS = Signs("*", ".", "[x]", "[ ]")


def signs() -> Signs:
    """Unicode signs, or letters if the terminal cannot show them."""
    try:
        "".join(PICTURES).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return LETTERS
    return PICTURES


class SheetText:
    """Writes items of sheets as text; ids in them become names."""

    def __init__(self, names: Mapping[str, str], signs: Signs) -> None:
        self._names = names
        self._signs = signs

    def lines(self, sections: tuple[Section, ...], sheet: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
        """The title of each section that has something to show, with its items."""
        for section in sections:
            items = [self.item(section, name, item) for name, item in sheet.get(section.name, {}).items()]
            if drawn := [item for item in items if item]:
                yield section.title, drawn

    def item(self, section: Section, name: str, item: Mapping[str, Any]) -> str:
        """One item; empty fields are left out, and an item without content is an empty text."""
        if item.keys() == {"seen"}:
            return f"{name} (its state is hidden)"
        picture = self._picture(section, item)
        if section.look == "dots" and not item.get(section.counts):
            return ""
        details = self._details(section, name, item)
        words = next((str(item[field]) for field in WORDS if item.get(field)), "")
        alone = len(section.names) == 1
        if alone and not (picture or details or words):
            return ""
        shown = " ".join(filter(None, ("" if alone and not details else name, picture)))
        shown += f" ({', '.join(details)})" if details else ""
        return ": ".join(filter(None, (shown, words)))

    def _picture(self, section: Section, item: Mapping[str, Any]) -> str:
        if not section.counts:
            return ""
        count, top = item[section.counts], item.get(section.top) if section.top else None
        if isinstance(count, list):
            return "".join(
                self._signs.crossed if box in count else self._signs.clear for box in range(1, (top or 0) + 1)
            )
        if section.look in ("clock", "bar") and top:
            return f"[{'#' * count}{'-' * (top - count)}] {count}/{top}"
        number = f"{count}/{top}" if top is not None else f"{count}"
        if section.look not in ("pips", "dots") or not 0 <= max(count, top or 0) <= MOST_SIGNS:
            return number
        row = self._signs.full * count + self._signs.empty * ((top or 0) - count)
        return f"{row} {number}".lstrip()

    def _details(self, section: Section, name: str, item: Mapping[str, Any]) -> list[str]:
        """The other fields that are not empty, or what the game says of them."""
        if section.says:
            said = section.says(name, {field: value for field, value in item.items() if field not in WORDS})
            return [detail for detail in (said, SEEN.get(item.get("seen", ""), "")) if detail]
        shown = [field for field in section.fields if field not in (section.counts, section.top, *WORDS)]
        details = [self._detail(field, item[field]) for field in shown if field in item]
        return [detail for detail in (*details, SEEN.get(item.get("seen", ""), "")) if detail]

    def _detail(self, field: str, value: Any) -> str:
        field = field.replace("_", " ")
        if isinstance(value, bool):
            return field if value else ""
        if value is None or value in ("", []):
            return ""
        if isinstance(value, list):
            return f"{field} {', '.join(map(str, value))}"
        if field == "dice" and isinstance(value, int):
            return f"{value} {'die' if abs(value) == 1 else 'dice'}"
        word = self._names.get(str(value), str(value))
        return word if field in ("kind", "level") else f"{field} {word}"
