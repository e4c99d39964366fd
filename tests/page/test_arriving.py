"""Coming to a table: by a link that says who invites, by a code read aloud, or with a seat from another device."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.axe import barriers, sideways, small_targets
from tests.page.chromium import context
from tests.page.group import Gather, Group
from tests.page.place import PRESS
from tests.page.seat import Seat
from tests.page.server import Server


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Callable[..., Seat]]:
    """Somebody on a device of their own; at the end nothing may have gone wrong on it."""
    seats: list[Seat] = []

    def comes(path: str = "/", *, name: str = "Nina", phone: bool = True) -> Seat:
        page = context(browser, phone=phone).new_page()
        seats.append(Seat(page, name, server.address, phone=phone))
        page.goto(path if path.startswith("http") else server.address + path)
        return seats[-1]

    yield comes
    for seat in seats:
        seat.page.context.close()
    assert [trouble for seat in seats for trouble in seat.troubles] == []


def is_fine(page: Page) -> None:
    """No barrier, nothing too small for a thumb, nothing wider than the phone."""
    assert [*barriers(page), *small_targets(page), *sideways(page)] == []


def shows_code(group: Group) -> str:
    """The GM looks at the code that is read aloud."""
    mira = group.gm
    mira.press(mira.page.get_by_role("button", name=re.compile("^People")).first)
    code = mira.page.locator(".join-code .code-words")
    shows = mira.button("Show a code")
    expect(code.or_(shows).first).to_be_visible()
    shows.evaluate_all(PRESS)  # unless the code has come by itself
    expect(code).not_to_be_empty()
    return code.inner_text()


def test_a_table_is_made_on_the_start_page_and_its_link_leads_to_it(visitor: Callable[..., Seat]) -> None:
    mira = visitor(name="Mira", phone=False)
    mira.creates_table("Narraject", "The Drowned Bell")
    nina = visitor(mira.hands_out_link())
    expect(nina.page.get_by_role("heading", name="The Drowned Bell")).to_be_visible()
    nina.joins()
    expect(mira.page.get_by_role("button", name="People: 2 here")).to_be_visible()


def test_an_invitation_says_who_invites_to_what(gather: Gather, visitor: Callable[..., Seat]) -> None:
    nina = visitor(gather("Narraject", alone=True).link)
    expect(nina.page.get_by_text("Mira invites you to")).to_be_visible()
    expect(nina.page.get_by_role("heading", name="The Narraject evening")).to_be_visible()
    expect(nina.page.locator(".welcome")).to_contain_text("Narraject")
    is_fine(nina.page)
    nina.joins()


def test_who_sits_there_already_goes_on_with_one_tap(gather: Gather, visitor: Callable[..., Seat]) -> None:
    link = gather("Narraject", alone=True).link
    nina = visitor(link)
    nina.joins()
    nina.page.goto("about:blank")
    nina.page.goto(link)
    nina.press(nina.button("Go on as Nina"))
    expect(nina.page.get_by_role("button", name="Menu")).to_be_visible()


def test_a_newcomer_is_asked_whom_to_play_and_sees_no_other_sheet_first(
    gather: Gather, visitor: Callable[..., Seat]
) -> None:
    """Every character has a player already: a phone shows the question, and a sheet only after a tap on its face."""
    group = gather("Razorweave")
    group.jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    nina = visitor(group.link)
    nina.joins()
    expect(nina.page.get_by_role("heading", name="Who will you play?")).to_be_in_viewport()
    kira = nina.page.locator("sheet-pane .characters").get_by_role("button", name="Kira")
    expect(kira).to_be_visible()
    expect(nina.page.locator("character-sheet")).to_have_count(0)
    nina.press(kira)
    expect(nina.page.locator("character-sheet")).to_contain_text("Kira")
    is_fine(nina.page)


def test_a_dead_link_leads_somewhere(gather: Gather, visitor: Callable[..., Seat]) -> None:
    link = gather("Narraject", alone=True).link
    nina = visitor(link.partition("#")[0] + "#dead")
    expect(nina.page.get_by_role("heading", name="This link no longer opens")).to_be_visible()
    expect(nina.page.get_by_role("alert").first).not_to_be_empty()
    is_fine(nina.page)
    nina.press(nina.page.get_by_role("link", name="I have a code"))
    expect(nina.page.get_by_role("heading", name="Come in")).to_be_visible()


def test_an_address_that_is_not_there_leads_to_the_start(visitor: Callable[..., Seat]) -> None:
    nina = visitor("/no/such/page")
    expect(nina.page.get_by_role("status").filter(has_text="nothing at this address")).to_be_visible()
    expect(nina.page.get_by_role("radio").first).to_be_attached()


def test_a_code_read_aloud_knocks_and_the_gm_lets_in(gather: Gather, visitor: Callable[..., Seat]) -> None:
    group = gather("Narraject", alone=True)
    code = shows_code(group)
    nina = visitor("/join")
    is_fine(nina.page)
    nina.page.get_by_label("The code").fill(code)
    nina.press(nina.button("Next"))
    nina.page.get_by_label("What is your name?").fill("Nina")
    nina.press(nina.button("Knock"))
    expect(nina.page.get_by_role("heading", name="The Narraject evening")).to_be_visible()
    expect(nina.page.get_by_text("Mira can let you in now.")).to_be_visible()
    is_fine(nina.page)
    knock = group.gm.dialog("People and links").locator(".knock")
    expect(knock).to_contain_text("Nina knocks.")
    assert barriers(group.gm.page) == []
    group.gm.press(knock.get_by_role("button", name="Let in"))
    expect(group.gm.page.locator(".knock")).to_have_count(0)
    expect(nina.page.get_by_role("button", name="Menu")).to_be_visible()


def test_a_knock_follows_the_gm_into_dialogs_and_out_of_them(gather: Gather, visitor: Callable[..., Seat]) -> None:
    """On a phone, with the code no longer in sight: it works until it is hidden, and the knock is on top (P-1)."""
    group = gather("Narraject", phone="Mira", alone=True)
    mira = group.gm
    code = shows_code(group)
    mira.closes(mira.dialog("People and links"))
    nina = visitor(f"/join#{code.replace(' ', '-')}")
    nina.page.get_by_label("What is your name?").fill("Nina")
    nina.press(nina.button("Knock"))
    knock = mira.page.locator(".knock")
    expect(knock).to_be_in_viewport()
    mira.press(mira.button("Menu"))
    expect(mira.dialog("Menu").locator(".knock")).to_be_in_viewport()
    mira.press(mira.dialog("Menu").get_by_role("button", name="Keys"))
    expect(mira.dialog("Keys").locator(".knock")).to_be_in_viewport()
    mira.closes(mira.dialog("Keys"))
    mira.closes(mira.dialog("Menu"))
    mira.press(knock.get_by_role("button", name="Let in"))
    expect(nina.page.get_by_role("button", name="Menu")).to_be_visible()
    shows_code(group)
    mira.press(mira.button("Hide the code"))
    expect(mira.button("Show a code")).to_be_visible()
    late = visitor(f"/join#{code.replace(' ', '-')}")
    late.page.get_by_label("What is your name?").fill("Lou")
    late.press(late.button("Knock"))
    expect(late.page.locator(".refusal")).not_to_be_empty()


def test_nobody_is_let_in_whom_the_gm_refuses(gather: Gather, visitor: Callable[..., Seat]) -> None:
    group = gather("Narraject", alone=True)
    code = shows_code(group)
    nina = visitor("/join")
    nina.page.get_by_label("The code").fill(code.upper())
    nina.press(nina.button("Next"))
    nina.page.get_by_label("What is your name?").fill("Nina")
    nina.press(nina.button("Knock"))
    group.gm.press(group.gm.page.locator(".knock").get_by_role("button", name="No"))
    expect(nina.page.locator(".refusal")).to_contain_text("Nobody opened")


def test_a_code_that_is_not_shown_opens_nothing(visitor: Callable[..., Seat]) -> None:
    nina = visitor("/join")
    nina.page.get_by_label("The code").fill("amber fox lantern")
    nina.press(nina.button("Next"))
    nina.page.get_by_label("What is your name?").fill("Nina")
    nina.press(nina.button("Knock"))
    expect(nina.page.locator(".refusal")).not_to_be_empty()
    expect(nina.page.get_by_label("The code")).to_be_visible()


def test_a_seat_goes_along_to_another_device(gather: Gather, visitor: Callable[..., Seat]) -> None:
    group = gather("Narraject")
    jonas = group.jonas
    jonas.press(jonas.button("Menu"))
    jonas.press(jonas.button("Play on another device"))
    words = jonas.dialog("Another device").locator(".code-words")
    expect(words).not_to_be_empty()
    code = words.inner_text()
    phone = visitor("/join")
    phone.page.get_by_label("The code").fill(code.lower().replace("-", " "))
    phone.press(phone.button("Next"))
    expect(phone.page.get_by_role("button", name="Menu")).to_be_visible()
    assert (
        phone.page.evaluate("fetch(`/api${location.pathname.replace('/t/', '/tables/')}`).then(r => r.json())")["you"][
            "name"
        ]
        == "Jonas"
    )


def test_a_qr_code_is_there_for_phones_in_the_room(gather: Gather) -> None:
    mira = gather("Narraject", alone=True).gm
    mira.press(mira.page.get_by_role("button", name=re.compile("^People")).first)
    mira.press(mira.button("QR code"))
    picture = mira.page.get_by_role("img", name="The players’ link as a QR code")
    expect(picture).to_be_visible()
    assert picture.evaluate("one => one.decode().then(() => one.naturalWidth > 0)")
