"""SVG charts: valid, self-contained, readable without colours and by screen readers."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from astragal.dice.distribution import Distribution
from astragal.dice.render.svg import COLOURS, bar_chart, compare_chart

NAMESPACE = "{http://www.w3.org/2000/svg}"
COINS: Distribution[int] = Distribution({0: 1, 1: 2, 2: 1})
WORDS: Distribution[str] = Distribution({"<won> & more": 1, "lost": 2})


def texts(picture: str) -> list[str]:
    return [found.text or "" for found in ElementTree.fromstring(picture).iter(f"{NAMESPACE}text")]


def test_a_bar_chart_says_every_value_and_its_percent() -> None:
    picture = COINS.to_svg("Two coins")
    assert texts(picture) == [
        "Two coins",
        *("0", "25.0%", "1", "50.0%", "2", "25.0%"),
        "mean 1, standard deviation 0.71",
    ]


def test_a_comparison_has_a_letter_for_each_distribution() -> None:
    picture = compare_chart({"fair": COINS, "two-headed": Distribution({2: 1})}, "Coins")
    assert {"0", "A 25.0%", "B 0%", "2", "B 100%"} <= set(texts(picture))
    assert any(text.startswith("A  fair") for text in texts(picture))


def test_a_comparison_tells_twelve_apart() -> None:
    picture = compare_chart({f"n {n}": Distribution({n: 1}) for n in range(12)})
    assert {f"{letter} 100%" for letter in "ABCDEFGHIJKL"} <= set(texts(picture))


PICTURES = [bar_chart(WORDS, 'A "title" & <more>'), compare_chart({"<a>": WORDS, "b": WORDS}), bar_chart(COINS)]


@pytest.mark.parametrize("picture", PICTURES)
def test_pictures_stand_alone(picture: str) -> None:
    root = ElementTree.fromstring(picture)
    assert root.get("role") == "img"
    assert not re.search(r"(href|src|url\(|@import|http(?!://www\.w3\.org/2000/svg\"))", picture)
    assert "prefers-color-scheme:dark" in picture


@pytest.mark.parametrize("picture", PICTURES)
def test_pictures_can_be_read_out(picture: str) -> None:
    root = ElementTree.fromstring(picture)
    title, said = root.find(f"{NAMESPACE}title"), root.find(f"{NAMESPACE}desc")
    assert title is not None
    assert root.get("aria-label") == title.text
    assert said is not None
    assert "%" in (said.text or "")


def test_bars_are_as_long_as_their_chances() -> None:
    widths = [
        float(found.get("width") or 0)
        for found in ElementTree.fromstring(bar_chart(COINS)).iter(f"{NAMESPACE}rect")
        if found.get("fill") == COLOURS[0]
    ]
    assert widths[0] == widths[2] == pytest.approx(widths[1] / 2, abs=0.1)


def test_what_cannot_happen_has_no_bar() -> None:
    assert bar_chart(COINS, values=range(5)).count('<rect class="bar"') == 3
