"""The browser of these tests: Debian's Chromium, as a laptop or a phone."""

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
PATIENCE = 60_000
"""Milliseconds that something may take to appear. Only a test that fails waits so long."""
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
KEPT = """
    window.realTimeout = window.setTimeout.bind(window);
    window.lines = [];
    window.WebSocket = class extends WebSocket {
        constructor(...about) {
            super(...about);
            window.lines.push(this);
        }
    };
"""
"""Chromium keeps open sockets when it goes offline; tests cut them through this list. And where a test has stopped the
page's time, its own tools need timers, too."""
IMPATIENT = """
    const falling = document.getElementsByTagName("throw-view");
    const taps = () => [...falling].forEach((one) => window.watchesDice || one.querySelector(".throw")?.click());
    new MutationObserver(taps).observe(document, {subtree: true, childList: true});
"""
"""Whoever sits here taps on dice in the air, which ends their fall, unless the test is about it: see `Place`."""
NO_SOCKETS = """() => {
    window.RealSocket = window.WebSocket;
    window.WebSocket = class {
        constructor() { setTimeout(() => this.onclose?.(), 50); }
        close() {}
    };
    for (const line of window.lines ?? []) {
        const lost = line.onclose;
        line.onclose = null;
        line.close();
        lost?.call(line);
    }
}"""
"""Being offline does not keep a browser's sockets from the machine that it runs on; this does, and cuts those that are
open without a farewell to the server, which a browser that is offline might wait for."""
SOCKETS = "() => { window.WebSocket = window.RealSocket; }"
"""There is a network again."""
ABSENT = "There is no Chromium here, so the page's tests are left out: apt-get install chromium."


def program(*, whole: bool = False) -> str | None:
    """Chromium's headless shell where it is installed, since it is quicker; it has no notifications and no WebGL."""
    return (not whole and shutil.which("chromium-headless-shell")) or shutil.which("chromium")


@contextmanager
def another(browser: Browser, *arguments: str, whole: bool = False) -> Iterator[Browser]:
    """A second browser, started with more arguments."""
    other = browser.browser_type.launch(executable_path=program(whole=whole), args=[*ARGUMENTS, *arguments])
    yield other
    other.close()


@contextmanager
def chromium(*, whole: bool = False) -> Iterator[Browser]:
    """A headless Chromium."""
    path = program(whole=whole)
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
    """A browser context of one person: a laptop with a touch screen, or a phone.

    Dice tumble only if not `still`; otherwise they lie there as soon as they are thrown.

    The page's worker fetches the whole page again for each context, so only tests about it allow service workers.
    """
    size = PHONE if phone else DESK
    settings: dict[str, Any] = {"viewport": size, "has_touch": True, "is_mobile": phone, "locale": "en-GB"}
    settings |= {"service_workers": "block", **more}
    made = browser.new_context(reduced_motion="reduce" if still else "no-preference", **settings)
    made.set_default_timeout(PATIENCE)
    made.add_init_script(KEPT + (IMPATIENT if still else ""))
    return made
