"""docs/chat.md shows what a server says today, and names every command and option."""

from __future__ import annotations

from typing import Any

from astragal.serve.chat.discord.commands import COMMANDS
from tests.serve.chat_examples import BLOCK, PAGE, examples


def test_the_payloads_on_the_page_are_what_a_server_sends() -> None:
    shown = dict(BLOCK.findall(PAGE.read_text("utf-8")))
    assert shown == examples()


def test_every_command_and_option_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")

    def check(command: dict[str, Any], before: str) -> None:
        below = [option for option in command.get("options", ()) if option["type"] == 1]
        assert below or f"`{before}{command['name']}" in page, command["name"]
        for option in command.get("options", ()):
            if option["type"] == 1:
                check(option, f"{before}{command['name']} ")
            else:
                assert f"`{option['name']}`" in page, option["name"]

    for command in COMMANDS:
        check(command, "/")
