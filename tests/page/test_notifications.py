"""Whoever allowed it is told on their device that they are asked for a roll, while they look at something else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.page.chromium import another
from tests.page.group import Gather
from tests.page.seat import Seat

LOOKS_AWAY = "() => Object.defineProperty(document, 'visibilityState', {get: () => 'hidden', configurable: true})"
LOOKS = "() => delete document.visibilityState"
SHOWN = """async () => {
    const worker = await navigator.serviceWorker.ready;
    return (await worker.getNotifications()).map(({title, body, data}) => [title, body, data]);
}"""


@pytest.fixture
def browser(browser: Browser) -> Iterator[Browser]:
    with another(browser, whole=True) as found:
        yield found


def shown(seat: Seat, text: str) -> list[list[str]]:
    """What the browser shows, once it shows this; ``wait_for_function`` waits for no promise."""
    found: list[list[str]] = []

    def look() -> None:
        found[:] = seat.page.evaluate(SHOWN)

    seat.until(lambda: any(body == text for _, body, _ in found), look)
    return found


def test_a_request_is_shown_outside_the_page_without_what_the_gm_hides(gather: Gather) -> None:
    group = gather("Narraject", service_workers="allow")
    mira, jonas, ada = group.everybody
    for seat, name, template in ((jonas, "Ysolde", "Ysolde Marrin"), (ada, "Tobren", "Tobren Quill")):
        seat.does({"do": "create", "name": name, "template": template})
        seat.page.context.grant_permissions(["notifications"])
        seat.page.reload()
        expect(seat.page.get_by_role("article", name=name)).to_be_visible()
        seat.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ada.page.evaluate(LOOKS_AWAY)
    asks = {"do": "ask", "who": [], "kind": "attempt", "note": "Hold the rope.", "seen": "all", "use": {}}
    mira.does({**asks, "inputs": {"difficulty": 4}, "hide": ["difficulty"]})

    table = ada.page.url
    asked = "Mira asks Tobren: Hold the rope."
    assert shown(ada, asked) == [["The Narraject evening", asked, table]]
    expect(jonas.request).to_be_visible()
    assert jonas.page.evaluate(SHOWN) == []  # who looks at the table sees it there
    ada.page.evaluate(LOOKS)
    expect(ada.request).to_contain_text("Mira hides how hard it is")
