"""Four seats that watch the same throws: two laptops, a phone, and the screen of the room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, expect

from tests.page.group import Group
from tests.page.place import Place
from tests.page.server import Server


@contextmanager
def four_seats(browser: Browser, server: Server, *, still: bool = False) -> Iterator[tuple[Group, list[Place]]]:
    """A table of Razorweave with Kira, and what everybody looks at."""
    group = Group(browser, server, "Razorweave", phone="Ada", still=still)
    group.jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    expect(group.screen.page.locator(".tv-party")).to_contain_text("Kira")
    yield group, [*group.everybody, group.screen]
    group.leave()


def rolls(group: Group, faces: str = "") -> None:
    """Kira acts, and the server throws unless faces are given."""
    roll = {"do": "roll", "kind": "check", "who": "Kira", "inputs": {"dc": 14}, "use": {"Agility": 1}}
    group.jonas.does({**roll, **({"faces": faces} if faces else {})})
