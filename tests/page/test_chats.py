"""A GM's chats on the page: webhooks are added and removed there, and ties to Discord are shown."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.axe import barriers, sideways
from tests.page.group import Gather


def test_a_gm_adds_a_webhook_and_removes_it(gather: Gather) -> None:
    group = gather("Narraject", phone="Mira")
    mira, jonas = group.gm, group.jonas
    mira.press(mira.button("Menu"))
    mira.press(mira.dialog("Menu").get_by_role("button", name="Discord and webhooks"))
    panel = mira.dialog("Discord and webhooks")
    expect(panel).to_contain_text("This server does not talk to Discord.")
    panel.get_by_label("Address").fill("https://10.0.0.1/hook")
    mira.press(panel.get_by_role("button", name="Add"))
    expect(mira.page.get_by_text("private network")).to_be_visible()
    panel.get_by_label("Address").fill("https://example.org/hook")
    mira.press(panel.get_by_role("button", name="Add"))
    expect(panel.get_by_role("status")).to_contain_text(re.compile(r"[\w-]{40,}"))
    expect(panel).to_contain_text("https://example.org/… · What everybody may see")
    assert sideways(mira.page) == [] and barriers(mira.page) == []
    mira.press(panel.get_by_role("button", name="Remove the webhook to"))
    mira.press(mira.page.get_by_role("dialog").last.get_by_role("button", name="Remove"))
    expect(panel).not_to_contain_text("example.org")
    jonas.press(jonas.button("Menu"))
    expect(jonas.dialog("Menu").get_by_role("button", name="Discord and webhooks")).to_have_count(0)
