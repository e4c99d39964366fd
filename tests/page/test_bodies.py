"""Dice that fall as bodies: the same throw on every screen, with the server's faces. Drawn without a graphics card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import astragal.serve
from tests.page.chromium import another, context
from tests.page.seat import Seat
from tests.page.server import Server

BUILT = Path(astragal.serve.__file__).parent / "page" / ".vite" / "manifest.json"
CARD = """
    const real = WebGL2RenderingContext.prototype.getParameter;
    WebGL2RenderingContext.prototype.getParameter = function (name) {
        return name === 0x9246 ? "A graphics card" : real.call(this, name);
    };
    Object.defineProperty(navigator, "hardwareConcurrency", { get: () => 8 });
"""
"""The page believes that it has a graphics card."""
THROW = """async ([address, dice, seed]) => {
    const host = document.createElement("div");
    host.className = "throw in-3d felt";
    host.style.cssText = "position: fixed; inset: 0; z-index: 99";
    document.body.append(host);
    const { throw3d } = await import(address);
    const lying = await throw3d(host, dice, seed, 300);
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [100, 100];
    const flat = copy.getContext("2d");
    flat.drawImage(host.querySelector("canvas"), 0, 0, 100, 100);
    const colours = flat.getImageData(0, 0, 100, 100).data;
    let drawn = 0;
    for (let at = 0; at < colours.length; at += 4) drawn += colours[at + 1] > 150 && colours[at + 3] > 200;
    host.remove();
    return { lying, drawn };
}"""
"""Where the dice of a throw lie, and how many of 10,000 points of the canvas are as light as a die."""
POOL: list[dict[str, Any]] = [
    *({"name": "d6", "sides": 6, "face": face} for face in (6, 5, 2, 1)),
    {"name": "Step Die", "sides": 10, "face": 7, "role": "special"},
]
SHAPES = ((4, 3), (6, 4), (8, 8), (10, 10), (12, 11), (20, 17))
KINDS: list[dict[str, Any]] = [{"name": "", "sides": sides, "face": face} for sides, face in SHAPES]


@pytest.fixture(scope="module")
def artist(browser: Browser) -> Iterator[Browser]:
    """A browser that draws bodies, slowly."""
    with another(browser, "--enable-unsafe-swiftshader", whole=True) as found:
        yield found


def throws(page: Page, dice: list[dict[str, Any]], seed: str) -> Any:
    address = json.loads(BUILT.read_text("utf-8"))["src/dice/dice-3d.ts"]["file"]
    return page.evaluate(THROW, [f"/{address}", dice, seed])


def test_the_same_throw_falls_on_every_screen_and_shows_the_server_s_faces(artist: Browser, server: Server) -> None:
    seen = []
    for phone in (False, True):
        page = context(artist, phone=phone, still=False).new_page()
        page.goto(server.address)
        seen.append([throws(page, dice, seed) for dice, seed in ((POOL, "r1 0"), (KINDS, "r2 0"))])
        page.context.close()
    desk, phone_ = seen
    for thrown, dice in zip(desk, (POOL, KINDS), strict=True):
        assert [lies["face"] for lies in thrown["lying"]] == [die["face"] for die in dice]
        assert thrown["drawn"] > 200
    assert [thrown["lying"] for thrown in desk] == [thrown["lying"] for thrown in phone_]
    assert desk[0]["lying"][0]["x"] != desk[1]["lying"][0]["x"], "another roll falls another way"


def test_a_tap_ends_the_fall(artist: Browser, server: Server) -> None:
    made = context(artist)
    about = {"game": "razorweave", "title": "The Toll Bridge", "name": "Mira"}
    table = made.request.post(f"{server.address}/api/tables", data=about).json()
    made.close()
    page = context(artist, still=False).new_page()
    ada = Seat(page, "Ada", server.address)
    page.add_init_script(CARD)
    page.goto(server.address + table["links"]["player"])
    ada.joins()
    ada.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    expect(page.get_by_role("article", name="Kira")).to_be_visible()
    ada.stops_time()
    ada.does({"do": "roll", "who": "Kira", "inputs": {"dc": 14}, "faces": "6 6 5 5"})
    expect(page.locator(".throw.in-3d canvas")).to_be_visible()
    expect(page.locator(".verdict")).to_have_count(0)
    page.locator(".throw").click()
    expect(page.locator(".verdict")).to_be_visible()
    page.context.close()
