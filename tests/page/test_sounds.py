"""Sounds are made in the browser; here they are rendered and measured."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.page.chromium import context
from tests.page.server import Server

LEVELS = {"drop": -30, "landing": -18, "pair": -26, "seal": -20, "triumph": -16, "disaster": -16, "prompt": -20}
"""The peak of each sound in decibels below full scale, as the design says."""
APART = 4
RENDERED = """async ([file, sounds]) => {
    const offline = new OfflineAudioContext(1, 48000 * 2.2, 48000);
    Object.defineProperty(offline, "state", {get: () => "running"});
    window.AudioContext = function () { return offline; };
    let seed = 1; // the same noise in every run
    Math.random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    const {playSound} = await import(`${file}?${JSON.stringify(sounds)}`);
    for (const [name, dice] of sounds) playSound(name, dice, 1);
    const samples = (await offline.startRendering()).getChannelData(0);
    const loud = samples.findLastIndex((sample) => Math.abs(sample) > 0.001);
    return [20 * Math.log10(Math.max(...samples.map(Math.abs))), loud / 48000];
}"""
"""Plays sounds into memory instead of a loudspeaker: their peak, and when they are over."""


@pytest.fixture
def page(browser: Browser, server: Server) -> Page:
    page = context(browser).new_page()
    page.goto(server.address)
    return page


@pytest.fixture
def player(page: Page) -> str:
    """The file of the build that plays sounds; other files name it."""
    found: str = page.evaluate("""async () => {
        const worker = await (await fetch("/worker.js")).text();
        return worker.match(/\\/assets\\/sound-player-[\\w-]+\\.js/)[0];
    }""")
    return found


def test_every_sound_is_heard_at_the_level_of_the_design_and_none_is_clipped(page: Page, player: str) -> None:
    for name, level in LEVELS.items():
        for dice in (1, 5, 12) if name == "landing" else (1,):
            peak, over = page.evaluate(RENDERED, [player, [[name, dice]]])
            assert level - APART <= peak <= level + APART, (name, dice, peak)
            assert over < 2
    together, _ = page.evaluate(RENDERED, [player, [[name, 12] for name in LEVELS]])
    assert together < -1
    page.context.close()
