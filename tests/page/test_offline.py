"""The page as an app: installed, read without a network, and honest about what plain http leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.page.chromium import NO_SOCKETS, SOCKETS, another, context
from tests.page.place import DO_ALL
from tests.page.server import Server, running_server

TAKES_OVER = "() => navigator.serviceWorker.controller !== null"
KEPT = """async (address) => {
    for (let tries = 0; tries < 600; tries++) {
        const kept = await (await caches.match(address))?.text();
        if (kept?.includes("The lamp went out.")) return true;
        await new Promise((done) => setTimeout(done, 100));
    }
    return false;
}"""


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """A player's phone at a table, with a character, long enough for everything to be kept."""
    elsewhere = context(browser)
    about = {"game": "narraject", "title": "The Drowned Bell", "name": "Mira"}
    made = elsewhere.request.post(f"{server.address}/api/tables", data=about).json()
    elsewhere.close()
    page = context(browser, phone=True, service_workers="allow").new_page()
    page.goto(server.address + made["links"]["player"])
    page.get_by_label("What is your name?").fill("Ada")
    page.get_by_role("button", name="Sit down").tap()
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    page.wait_for_function(TAKES_OVER)
    page.reload()  # now the worker answers, and keeps what it hears
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    note: dict[str, Any] = {"do": "note", "text": "The lamp went out."}
    page.evaluate(DO_ALL, [{"do": "create", "name": "Pell", "template": "Pell of the Ladders"}, note])
    assert page.evaluate(KEPT, f"/api/tables/{made['table']}")
    yield page
    page.context.close()


def is_lost(page: Page) -> None:
    expect(page.get_by_text("No connection")).to_be_visible()


def test_sheet_and_log_are_read_without_a_network(phone: Page) -> None:
    phone.context.set_offline(True)
    phone.add_init_script(f"({NO_SOCKETS})()")
    phone.reload()
    is_lost(phone)
    expect(phone.get_by_role("article", name="Pell")).to_contain_text("Agility")
    phone.get_by_role("navigation").get_by_role("button", name=re.compile("^Log")).tap()
    expect(phone.get_by_text("The lamp went out.")).to_be_visible()
    is_lost(phone)


def test_dice_stay_in_the_tray_and_nothing_is_sent_by_itself(phone: Page) -> None:
    agility = phone.get_by_role("article", name="Pell").get_by_role("button", name=re.compile("^Agility")).first
    agility.tap()
    roll = phone.get_by_role("button", name="Roll", exact=True)
    expect(roll).to_be_enabled()
    phone.evaluate(NO_SOCKETS)
    is_lost(phone)
    phone.context.set_offline(True)
    waiting = phone.get_by_role("button", name=re.compile("^Waiting for the table"))
    expect(waiting).to_be_visible()
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(sent(request)))
    agility.tap()
    expect(waiting).to_be_visible()
    is_lost(phone)
    phone.evaluate(SOCKETS)
    phone.context.set_offline(False)
    expect(roll).to_be_enabled()
    assert [one for one in asked if '"throw"' in one or '"roll"' in one] == []
    expect(phone.get_by_text("d6 + d6")).to_be_visible()


def sent(request: Request) -> str:
    return (request.post_data or "") if request.method == "POST" else ""


def test_the_page_can_be_installed(browser: Browser, server: Server) -> None:
    page = context(browser, service_workers="allow").new_page()
    page.goto(server.address)
    address = page.locator("link[rel=manifest]").get_attribute("href") or ""
    manifest = page.request.get(server.address + address).json()
    assert manifest["display"] == "standalone"
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        assert page.request.get(server.address + icon["src"]).ok
    page.wait_for_function(TAKES_OVER)
    page.context.close()


def test_over_plain_http_a_sentence_says_what_the_browser_leaves_out(browser: Browser, tmp_path: Path) -> None:
    """Browsers trust this machine even without https, so the page is opened under another name."""
    with (
        running_server(tmp_path, hosts="table.test") as server,
        another(browser, "--host-resolver-rules=MAP table.test 127.0.0.1") as elsewhere,
    ):
        page = context(elsewhere).new_page()
        page.goto(server.address.replace("127.0.0.1", "table.test").replace("localhost", "table.test"))
        assert not page.evaluate("window.isSecureContext")
        page.get_by_label("Your name").fill("Mira")
        page.get_by_role("button", name="Try the sample first").click()
        page.get_by_role("dialog", name="People and links").get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Menu").click()
        menu = page.get_by_role("dialog", name="Menu")
        expect(menu).to_contain_text("Installing, notifications and reading offline need https.")
        for button in ("Install", "Notify"):
            expect(menu.get_by_role("button", name=re.compile(button))).to_have_count(0)
        page.context.close()
