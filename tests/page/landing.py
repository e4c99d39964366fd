"""Four seats that watch the same throws: two laptops, a phone, and the screen of the room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from tests.page.chromium import context
from tests.page.group import Group
from tests.page.server import Server

TV = {"width": 1920, "height": 1080}
WATCH = """(word) => {
    const watch = (window.watching = {});
    window.seen = [];
    let last = document.querySelector(".verdict, .verdict-line") ? "verdict" : "";
    const look = () => {
        const lies = document.querySelector(".verdict, .verdict-line") ? "verdict" : "";
        const state = document.querySelector(".throw") ? "falls" : lies;
        const told = word !== "" && document.body.innerText.includes(word);
        if (state !== last || (state === "falls" && told)) window.seen.push([state, told, Date.now()]);
        last = state;
        if (window.watching === watch) requestAnimationFrame(look);
    };
    look();
}"""
"""Look at every frame: is a throw in the air, does a verdict lie there, and is its word to be read, if there is one?"""
PATIENCE_MS = 60_000
SHOWS = """([state, patience]) => new Promise((done, fail) => {
    const seen = () => window.seen.map(([other]) => other);
    const end = setTimeout(() => fail(new Error(`no ${state} came, only ${seen()}`)), patience);
    const look = () => {
        if (!seen().includes(state)) return requestAnimationFrame(look);
        clearTimeout(end);
        done(window.seen);
    };
    look();
})"""
"""What a page showed, as soon as it has shown this state. It fails where that never comes."""
Frame = tuple[str, bool, int]


@contextmanager
def four_seats(browser: Browser, server: Server, *, still: bool = False) -> Iterator[tuple[Group, dict[str, Page]]]:
    """A table of Razorweave with Kira, and what everybody looks at."""
    group = Group(browser, server, "Razorweave", phone="Ada", still=still)
    group.jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    screen = context(browser, still=still, viewport=TV).new_page()
    screen.goto(group.link.replace("#", "/screen#"))
    expect(screen.locator(".tv-party")).to_contain_text("Kira")
    pages = {seat.name: seat.page for seat in group.everybody}
    yield group, {**pages, "the screen": screen}
    group.leave()
    screen.context.close()


def rolls(group: Group, faces: str = "") -> None:
    """Kira acts, and the server throws unless faces are given."""
    roll = {"do": "roll", "kind": "check", "who": "Kira", "inputs": {"dc": 14}, "use": {"Agility": 1}}
    group.jonas.does({**roll, **({"faces": faces} if faces else {})})


def frames(page: Page, until: str = "verdict") -> list[Frame]:
    """What a page showed since it is watched, once it has come so far."""
    return [(state, told, at) for state, told, at in page.evaluate(SHOWS, [until, PATIENCE_MS])]
