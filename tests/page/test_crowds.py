"""A crowd: twelve characters with long names, ten Clocks, a long log, small screens and large text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.page.axe import barriers, sideways
from tests.page.group import Gather, Group

NAMES = (
    "Maximiliane of Hohenlohe", "Sister Concepción de la Vega y Montemayor", "The Cartographer's Apprentice",
    "Pell", "Brother Ansgar", "Wren", "Oyelaran", "Fen", "Ardashir", "Kit", "Ysolde", "Tobren",
)  # fmt: skip
CLOCKS = (
    "The harbour master hears of it", "Raise the bell", "Read the tide-song", "The tide comes back", "Pell's fever",
    "The guild's men arrive by the causeway", "The lamp oil runs out", "Mend the boat", "Win over the sexton",
    "What the sea is owed",
)  # fmt: skip
SIZES = ((1440, 900), (1000, 760), (390, 844), (320, 568))
LARGE_TEXT = "document.documentElement.style.fontSize = '200%'"
CLIPPED = """() => [...document.querySelectorAll("button, h1, h2, h3, b")].filter((one) => {
    if (!one.checkVisibility({checkVisibilityCSS: true}) || one.closest(".visually-hidden")) return false;
    const box = one.getBoundingClientRect();
    const scroller = one.closest(".characters, .log-list, .side, dialog, .turns");
    return box.width > 0 && box.right > innerWidth + 1 && !scroller?.matches(".characters, .turns");
}).map((one) => `${one.localName} ${one.innerText}`)"""


@pytest.fixture(scope="module")
def clock_kinds() -> tuple[str, ...]:
    return ("goal", "threat")


@pytest.fixture
def crowd(gather: Gather, clock_kinds: tuple[str, ...]) -> Iterator[Group]:
    group = gather("Narraject", phone="Ada")
    mira = group.gm
    people = [{"do": "create", "name": name, "template": "Ysolde Marrin", "free": True} for name in NAMES]
    clocks = [
        {"do": "edit", "holder": "table", "section": "clocks", "item": name,
         "to": {"segments": 4 + 2 * n, "filled": n, "kind": clock_kinds[n % 2]}}
        for n, name in enumerate(CLOCKS)
    ]  # fmt: skip
    mira.does({"do": "scene", "title": "The flooded nave, and everybody who came back for the bell"})
    mira.does(*people[:6], *clocks)
    group.jonas.does(*({"do": "note", "text": f"Line {n} of a long evening, and it rains."} for n in range(40)))
    group.ada.does(*({"do": "take", "holder": name} for name in NAMES[:6]))
    mira.does(*people[6:], {"do": "turn", "add": list(NAMES)})
    group.jonas.does(*({"do": "take", "holder": name} for name in NAMES[6:]))
    yield group


def faults(page: Page, state: str) -> list[str]:
    return [f"{state}: {one}" for one in [*sideways(page), *page.evaluate(CLIPPED)]]


def test_nothing_is_wider_than_the_screen_in_a_crowd(crowd: Group) -> None:
    """On a laptop, a tablet, a phone and the smallest phone, with usual text and with text of twice the size."""
    found = []
    for seat in (crowd.gm, crowd.ada):
        expect(seat.page.locator(".stage")).to_contain_text("The flooded nave")
        for width, height in SIZES if seat is crowd.gm else SIZES[2:]:
            seat.page.set_viewport_size({"width": width, "height": height})
            found += faults(seat.page, f"{seat.name} at {width}")
            seat.page.evaluate(LARGE_TEXT)
            found += faults(seat.page, f"{seat.name} at {width} with large text")
            seat.page.evaluate("document.documentElement.style.fontSize = ''")
    assert found == []


def test_a_crowd_has_no_barriers(crowd: Group) -> None:
    for seat in (crowd.gm, crowd.ada):
        expect(seat.page.locator(".stage")).to_contain_text("The flooded nave")
        assert barriers(seat.page) == []
