"""The browser of these tests: Debian's Chromium, as a desk and as a phone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 15_000
"""Milliseconds that something may take to appear, on the slowest machine. Nothing waits for longer than it takes."""
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
KEEP_LINES = """
    window.lines = [];
    window.WebSocket = class extends WebSocket {
        constructor(...about) {
            super(...about);
            window.lines.push(this);
        }
    };
"""
"""Offline, Chromium leaves a socket alone that is open already; a test that wants it gone finds it here."""
ABSENT = "There is no Chromium here, so the page's tests are left out: apt-get install chromium."


@contextmanager
def chromium() -> Iterator[Browser]:
    """A Chromium without a window."""
    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(ABSENT)
        pytest.skip(ABSENT)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def context(browser: Browser, *, phone: bool = False, still: bool = True, **more: Any) -> BrowserContext:
    """A browser of somebody's own: a desk with a touch screen, or a phone. Dice do not tumble, unless they should."""
    size = PHONE if phone else DESK
    settings: dict[str, Any] = {"viewport": size, "has_touch": True, "is_mobile": phone, "locale": "en-GB", **more}
    made = browser.new_context(reduced_motion="reduce" if still else "no-preference", **settings)
    made.set_default_timeout(PATIENCE)
    made.add_init_script(KEEP_LINES)
    return made
