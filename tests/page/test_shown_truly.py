"""What lies on the stage is what there is: dice before and after the throw, verdicts, and what waits for whom."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.axe import barriers
from tests.page.chromium import context
from tests.page.group import Gather, Group
from tests.page.place import Place
from tests.page.seat import Seat

KEEP_FACES = """() => {
    window.faces = new Set();
    const look = () => document.querySelectorAll(".die").forEach((die) => faces.add(die.textContent.trim()));
    new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
    look();
}"""
"""Whatever is written on a die from now on; one with pips has no words."""
SEEN_FALLING = """() => {
    window.heads = new Set();
    new MutationObserver(() => {
        const head = document.querySelector("throw-view .thrown-head");
        if (head) window.heads.add(head.textContent.trim());
    }).observe(document.body, {childList: true, subtree: true, characterData: true});
}"""
"""Keeps what stands above dice while they fall, which is a second or two."""
LONGER_THAN_A_GLANCE = 4_500
"""Milliseconds after which a verdict used to leave."""


def razorweave(gather: Gather, phone: str = "Jonas") -> Group:
    """Mira runs Razorweave, and Jonas plays Kira."""
    group = gather("Razorweave", phone=phone)
    group.jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    return group


def check(seat: Seat, faces: str, who: str = "Kira", dc: int = 16) -> None:
    """A whole Check with real dice, past the page."""
    seat.does({"do": "roll", "who": who, "use": {"Agility": 1}, "inputs": {"dc": dc}, "faces": faces})


def written(page: Page) -> set[str]:
    """What was written on dice since somebody began to look."""
    return set(page.evaluate("[...faces]"))


def test_dice_that_were_not_thrown_never_show_a_face(gather: Gather) -> None:
    """In the tray, folded or not, on the big screen, and in the air where nothing moves: outlines with their size."""
    group = razorweave(gather)
    places: list[Place] = [*group.everybody, group.screen]
    for place in places:
        place.watches_dice()
        place.page.evaluate(KEEP_FACES)
    group.jonas.taps("Agility")
    for place in places:
        expect(place.page.locator(".die.raw:visible")).to_have_text(["d6"] * 4)
        assert barriers(place.page) == []
    group.jonas.press(group.jonas.button("Fold the tray"))
    group.jonas.sets("DC", 16)
    group.jonas.rolls()
    for place in places:
        expect(place.page.locator(".verdict, .verdict-line")).to_be_visible()
        assert written(place.page) == {"d6", ""}


def test_a_verdict_stays_until_it_is_put_away(gather: Gather) -> None:
    """With "Why?" open, and for those who watch; afterwards total, target and dice are still in sight (P-2)."""
    group = razorweave(gather)
    mira, jonas, ada = group.everybody
    ada.does({"do": "create", "name": "Dex", "template": "Dex Harrow"})
    for seat in group.everybody:
        seat.page.clock.install()
    check(jonas, "6 5 4 3")
    jonas.press(jonas.stage.get_by_role("button", name="Why?"))
    for seat in group.everybody:
        expect(seat.verdict).to_be_visible()
        seat.page.clock.run_for(LONGER_THAN_A_GLANCE)
    expect(jonas.stage.locator(".why-list")).to_be_visible()
    for seat in (jonas, ada, mira):
        expect(seat.verdict).to_contain_text("21 against 16")
        seat.clears_stage()
    expect(jonas.stage.locator(".one-line:visible")).to_contain_text("21 against 16")
    expect(jonas.stage.locator(".one-line:visible .die")).to_have_count(4)
    expect(ada.stage).to_contain_text("21 against 16")
    jonas.press(jonas.stage.locator(".one-line:visible"))
    expect(jonas.verdict).to_contain_text("21 against 16")
    jonas.clears_stage()
    check(jonas, "6 5 4 3")
    check(ada, "1 1 2 2", "Dex")
    for seat in group.everybody:
        expect(seat.verdict).to_contain_text("Dex")
        expect(seat.stage.locator(".verdict, .verdict-line")).to_have_count(1)


@pytest.fixture
def untold(gather: Gather) -> Group:
    """Two verdicts about which Mira has said nothing, and Jonas gathers dice for the next roll."""
    group = razorweave(gather)
    for faces in ("6 5 4 3", "1 2 1 2"):
        check(group.jonas, faces)
        expect(group.gm.verdict).to_be_visible()
    group.jonas.clears_stage()
    group.jonas.taps("Might")
    return group


def test_a_roll_that_waits_for_the_gm_comes_before_verdicts_that_wait_for_words(untold: Group) -> None:
    mira, jonas = untold.gm, untold.jonas
    expect(mira.stage.locator("roll-tray .steps")).to_be_visible()
    expect(mira.stage).to_contain_text("Kira acts")
    waiting = mira.stage.locator(".to-tell")
    expect(waiting).to_contain_text("2 to tell")
    assert barriers(mira.page) == []
    mira.press(waiting.get_by_role("button", name="2 to tell"))
    expect(mira.verdict).to_contain_text("Critical success")
    mira.tells("The rope holds.")
    expect(mira.stage.locator("roll-tray .steps")).to_be_visible()
    mira.press(mira.stage.get_by_role("button", name="1 to tell"))
    words = mira.stage.get_by_role("textbox", name="What happens?")
    words.fill("The lamp")
    jonas.sets("DC", 14)
    jonas.rolls()
    expect(mira.stage.locator(".edge-chip, .strip")).to_be_visible()
    expect(words).to_have_value("The lamp")
    mira.tells("The lamp goes out.")
    untold.all_see("The rope holds.", "The lamp goes out.")


def test_verdicts_that_wait_for_words_are_waved_away_together(untold: Group) -> None:
    mira = untold.gm
    mira.press(mira.stage.locator(".to-tell").get_by_role("button", name="Wave all away"))
    expect(mira.stage.locator(".to-tell")).to_have_count(0)
    expect(mira.stage.locator("roll-tray .steps")).to_be_visible()


def test_how_hard_it_was_is_never_taken_for_how_hard_it_is(gather: Gather) -> None:
    """What the GM set is not carried over; what the player chose is, and the tray says so on both screens (P-18)."""
    group = razorweave(gather)
    mira, jonas = group.gm, group.jonas
    jonas.taps("Agility")
    mira.sets("DC", 18)
    expect(jonas.stage).to_contain_text("Mira set it to Hard 18")
    jonas.rolls()
    expect(jonas.verdict).to_be_visible()
    jonas.clears_stage()
    jonas.taps("Agility")
    chosen = ".tray .steps [aria-pressed=true]"
    expect(jonas.stage.locator(".tray .steps")).to_be_visible()
    expect(jonas.stage.locator(chosen)).to_have_count(0)
    jonas.sets("DC", 14)
    expect(jonas.stage.locator(chosen)).to_have_text(re.compile("^14"))
    expect(jonas.stage.locator(".tray")).not_to_contain_text("As last time.")
    jonas.rolls()
    expect(jonas.verdict).to_be_visible()
    jonas.clears_stage()
    jonas.taps("Agility")
    expect(jonas.stage.locator(chosen)).to_have_text(re.compile("^14"))
    expect(jonas.stage.locator(".tray")).to_contain_text("As last time. Mira has not set it.")
    expect(mira.stage.locator(".tray")).to_contain_text("As last time. You have not set it.")
    mira.sets("DC", 14)
    expect(jonas.stage).to_contain_text("Mira set it to Routine 14")
    expect(mira.stage.locator(".tray")).not_to_contain_text("As last time.")


def test_what_a_gm_hides_before_setting_it_is_never_sent_to_players(gather: Gather) -> None:
    """The eye can be pressed first: the value is hidden from its first moment, and nothing is refused."""
    group = razorweave(gather)
    mira, jonas = group.gm, group.jonas
    jonas.taps("Agility")
    mira.press(mira.stage.get_by_role("button", name="Hide How hard? from players"))
    expect(mira.stage.locator(".tray")).to_contain_text("Players will not see what you set.")
    mira.sets("DC", 18)
    expect(jonas.stage).to_contain_text("Mira hides how hard it is")
    expect(mira.stage.locator(".tray .steps [aria-pressed=true]").first).to_have_text(re.compile("^18"))
    assert not [frame for frame in jonas.frames if '"dc":18' in frame]
    mira.press(mira.stage.get_by_role("button", name="Show How hard? to players"))
    expect(jonas.stage).to_contain_text("Mira set it to Hard 18")


def test_a_player_is_not_said_to_be_asked_about_what_they_cannot_see(gather: Gather) -> None:
    """Their words are asked for once the outcome is revealed; the dice that lie there do not fall again for that."""
    group = gather("Narraject")
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Kira"}, {"do": "open", "who": "Kira", "inputs": {"d6": 1}})
    mira.does({"do": "build", "inputs": {"difficulty": 2}, "hide": ["difficulty"]})
    jonas.does({"do": "throw", "faces": "1 | 3"})
    leave = jonas.stage.get_by_role("button", name="Leave it")
    expect(jonas.verdict).to_be_visible()
    if leave.is_visible():
        jonas.press(leave)
    expect(mira.verdict).to_contain_text("Catastrophe")
    expect(mira.stage.get_by_text("What does the catastrophe look like?")).to_be_visible()
    expect(mira.verdict).not_to_contain_text("Kira is asked")
    mira.watches_dice()
    mira.page.evaluate(SEEN_FALLING)
    mira.reveals()
    expect(jonas.stage.get_by_role("textbox", name="As yourself")).to_be_visible()
    expect(mira.verdict).to_contain_text("Kira is asked")
    assert mira.page.evaluate("[...window.heads]") == []


def test_folded_changes_say_the_last_of_them(gather: Gather) -> None:
    """A Clock that was ticked is not behind "Mira: 3 changes" alone (P-16)."""
    group = gather("Razorweave", alone=True)
    mira = group.gm
    mira.starts_clock("Alarm", 6)
    for _ in range(2):
        mira.ticks("Alarm")
    expect(mira.pane("Log").locator(".folded summary")).to_contain_text(re.compile("3 changes · .*Alarm"))


def test_a_phone_names_the_target_of_its_own_roll(gather: Gather) -> None:
    """It stood nowhere on it, though everybody else read it; and no words shine through the button."""
    group = razorweave(gather)
    group.gm.does({"do": "create", "name": "Ruhl", "template": "Captain Ruhl"})
    group.jonas.does({"do": "open", "who": "Kira", "against": "Ruhl"})
    expect(group.jonas.stage.get_by_text("Kira acts against Ruhl")).to_be_visible()
    fade = "row => row.firstElementChild.getBoundingClientRect().top - row.getBoundingClientRect().top"
    for seat in (group.gm, group.jonas):
        assert seat.stage.locator(".throw-row").evaluate(fade) >= 14


def test_a_name_that_is_suggested_counts_as_filled_in(gather: Gather) -> None:
    """A ready-made character brings its name, and what was typed stays (P-5); a GM reads who sits there without one."""
    group = gather("Razorweave")
    mira, *_ = group.everybody
    expect(mira.page.locator(".side")).to_contain_text("Jonas and Ada have no character yet.")
    mira.press(mira.pane("Sheet").get_by_role("button", name="New character"))
    dialog = mira.dialog("New character")
    name = dialog.get_by_label("Name", exact=True)
    dialog.get_by_role("radio", name=re.compile("^Captain Ruhl")).check()
    expect(name).to_have_value("Captain Ruhl")
    dialog.get_by_role("radio", name=re.compile("^Kira Voss")).check()
    expect(name).to_have_value("Kira Voss")
    name.fill("Kira the Third")
    dialog.get_by_role("radio", name=re.compile("^Captain Ruhl")).check()
    expect(name).to_have_value("Kira the Third")
    name.fill("")
    dialog.get_by_role("radio", name=re.compile("^Dex Harrow")).check()
    with mira.acting():
        mira.press(dialog.get_by_role("button", name="Create"))
    expect(mira.sheet("Dex Harrow")).to_be_visible()


def test_a_character_is_made_with_the_keyboard_alone(gather: Gather) -> None:
    """The name has the focus, and Enter makes the character (P-6)."""
    jonas = gather("Razorweave", alone=True).joins("Jonas")
    jonas.page.get_by_role("button", name="Make my own").focus()
    jonas.page.keyboard.press("Enter")
    expect(jonas.dialog("New character").get_by_label("Name", exact=True)).to_be_focused()
    jonas.page.keyboard.type("Wren")
    with jonas.acting():
        jonas.page.keyboard.press("Enter")
    expect(jonas.sheet("Wren")).to_be_visible()


LOW = {"width": 360, "height": 640}
ON_TOP = """(field) => {
    const box = field.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return field === top || field.contains(top);
}"""


def test_nothing_lies_over_what_somebody_edits_on_a_low_phone(gather: Gather) -> None:
    """The sheet behind the pencil, and a GM's form of a new scene (P-7)."""
    group = gather("Razorweave", phone="Jonas", alone=True)
    jonas = group.joins("Jonas")
    jonas.page.set_viewport_size(LOW)  # type: ignore[arg-type]
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    sheet = jonas.edits("Kira")
    expect(jonas.page.locator(".stage")).to_be_hidden()
    jonas.press(sheet.get_by_role("button", name=re.compile("^Edit (the )?About")).first)
    field = jonas.page.locator(".side textarea, .side input[type=text], .side input:not([type])").first
    field.focus()
    assert field.evaluate(ON_TOP)
    assert barriers(jonas.page) == []


def test_the_tray_folds_in_every_state(gather: Gather) -> None:
    """At an empty table, when others roll, while one gathers and when one is asked; a tap unfolds it (P-7)."""
    group = gather("Razorweave", phone="Jonas")
    mira, jonas, ada = group.everybody
    jonas.page.set_viewport_size(LOW)  # type: ignore[arg-type]
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    ada.does({"do": "create", "name": "Dex", "template": "Dex Harrow"})

    def folds(words: str) -> None:
        stage = jonas.page.locator(".stage")
        whole = stage.evaluate("one => one.offsetHeight")
        jonas.press(jonas.button("Fold the tray"))
        expect(stage).to_contain_text(words)
        assert whole > 100
        jonas.until(lambda: stage.evaluate("one => one.offsetHeight") <= 100, lambda: None)
        assert barriers(jonas.page) == []
        jonas.press(stage.locator(".one-line, .fold .roll"))
        expect(jonas.button("Fold the tray")).to_be_visible()

    folds("Tap anything on your sheet.")
    check(ada, "6 5 4 3", "Dex")
    expect(jonas.page.locator(".verdict-line")).to_be_visible()
    folds("17 against 16")
    jonas.clears_stage()
    jonas.taps("Agility")
    folds("Choose a difficulty")
    jonas.does({"do": "withdraw", "roll": jonas.page.evaluate("document.querySelector('roll-tray').roll.id")})
    mira.does({"do": "ask", "who": ["Kira"], "note": "Jump!", "use": {"Agility": 1}, "inputs": {"dc": 14}})
    expect(jonas.request).to_be_visible()
    folds("Mira asks Kira")
    jonas.press(jonas.request.get_by_role("button", name="Change it first"))
    expect(jonas.page.locator(".stage.folded .fold")).to_be_visible()
    expect(jonas.page.locator(".side .tap-item").first).to_be_in_viewport()


def test_a_gm_on_a_phone_folds_the_first_steps(gather: Gather) -> None:
    mira = gather("Razorweave", phone="Mira", alone=True).gm
    expect(mira.page.locator(".first-steps")).to_be_visible()
    mira.press(mira.button("Fold the tray"))
    expect(mira.page.locator(".first-steps")).to_have_count(0)
    mira.press(mira.button("Unfold the tray"))
    mira.press(mira.page.get_by_role("navigation").get_by_role("button", name="Table"))
    expect(mira.page.get_by_label("Title of a new scene")).to_be_in_viewport()
    expect(mira.page.locator(".first-steps")).to_have_count(0)


WORDS_CUT = """() => [...document.querySelectorAll(".opt :is(b, small), .tabs2 button, .vfoot *")].filter((one) => {
    const range = document.createRange();
    return [...one.childNodes].filter((node) => node.nodeType === 3).some((node) => {
        let at = 0;
        return node.data.split(/(?<=\\s)/).some((word) => {
            range.setStart(node, at);
            range.setEnd(node, (at += word.length) - (/\\s$/.test(word) ? 1 : 0));
            return new Set([...range.getClientRects()].map((box) => Math.round(box.top / 12))).size > 1;
        });
    });
}).map((one) => one.innerText)"""
"""Texts in which a word goes on in another line."""


LOW_END_SHOWN = """(button) => {
    const { left, width, bottom } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(left + width / 2, bottom - 12));
}"""
"""Whether nothing lies over the low end of a button, where it is in sight."""


def test_every_choice_of_a_disastrous_strike_is_in_sight_on_a_laptop(gather: Gather) -> None:
    """With two threats to tap and whole words (P-8), and "Why?" takes no button out of sight (P-44)."""
    group = razorweave(gather)
    mira, jonas = group.gm, group.jonas
    mira.does({"do": "create", "name": "Ruhl", "template": "Captain Ruhl"}, {"do": "scene", "title": "The yard"})
    for clock in ("Alarm", "The Duke betrays us"):
        edit = {"do": "edit", "holder": "table", "section": "clocks", "item": clock}
        mira.does({**edit, "to": {"segments": 4, "kind": "threat"}})
    strike = {"dc": 16, "strike": True}
    jonas.does({"do": "roll", "who": "Kira", "against": "Ruhl", "inputs": strike, "faces": "1 1 2 2"})
    options = mira.stage.locator(".opt:not(.pen)")
    expect(options).to_have_count(4)
    for size in ((1440, 900), (1280, 800)):
        mira.page.set_viewport_size({"width": size[0], "height": size[1]})
        for option in options.all():
            assert option.evaluate(LOW_END_SHOWN), (size, option.inner_text())
    assert mira.page.evaluate(WORDS_CUT) == []
    mira.answers("Something major", words="The gate falls.")
    mira.press(mira.stage.get_by_role("button", name="Why?"))
    expect(mira.stage.get_by_role("button", name="Done", exact=True)).to_be_in_viewport(ratio=0.9)
    mira.clears_stage()
    mira.press(mira.stage.get_by_role("button", name="Ask for a roll"))
    expect(mira.stage.locator("new-roll .roll")).to_be_in_viewport(ratio=0.9)


def test_resolve_reads_as_what_is_left_and_as_what_breaks(gather: Gather) -> None:
    """On the sheet, in the party list, on the card, in the log and on the big screen, with a small Clock (P-14)."""
    group = razorweave(gather)
    mira, jonas = group.gm, group.jonas
    expect(jonas.page.get_by_label("Resolve: 6 of 6 left")).to_be_visible()
    expect(mira.page.locator(".pc-card").first).to_contain_text("6 Resolve left")
    expect(mira.page.locator(".pc-card .clock-face").first).to_be_visible()
    strike = {"dc": 14, "strike": True}
    mira.does({"do": "create", "name": "Ruhl", "template": "Captain Ruhl", "seen": "all"})
    mira.does({"do": "roll", "who": "Ruhl", "against": "Kira", "inputs": strike, "faces": "5 5 5 2"})
    broken = "Kira's Resolve breaks: 2 of 6"
    for place in (mira, group.screen):
        expect(place.page.locator(".gains li").filter(has_text=broken).locator(".clock-face")).to_be_visible()
    group.screen.shows("4 Resolve left")
    expect(group.screen.page.locator(".tv-party")).not_to_contain_text("0 Resolve")
    assert barriers(group.screen.page) == []
    mira.sees("Ruhl", broken)


def test_the_big_screen_clears_the_last_verdict_with_the_scene(gather: Gather) -> None:
    """And the GM finds the screen among the people (P-41, P-47)."""
    group = razorweave(gather)
    mira, jonas = group.gm, group.jonas
    check(jonas, "6 5 4 3")
    expect(group.screen.page.locator(".verdict")).to_contain_text("21 against 16")
    mira.does({"do": "scene", "title": "The roofs"})
    expect(group.screen.page.locator("h1")).to_have_text("The roofs")
    expect(group.screen.page.locator(".verdict")).to_have_count(0)
    mira.press(mira.page.get_by_role("button", name=re.compile("^People")).first)
    expect(mira.dialog("People and links").locator(".person").filter(has_text="Big screen")).to_contain_text("here")


def test_players_are_offered_heroes_only(gather: Gather) -> None:
    jonas = gather("Razorweave", alone=True).joins("Jonas")
    expect(jonas.page.get_by_role("button", name=re.compile("Play Kira Voss"))).to_be_visible()
    expect(jonas.page.get_by_role("button", name=re.compile("Captain Ruhl"))).to_have_count(0)


def test_nobody_types_dice_that_they_may_not_see(gather: Gather) -> None:
    """ "My own dice" does not stick to a roll under the cup, and the tray says who throws before anybody does (T-3)."""
    group = razorweave(gather)
    mira, jonas = group.gm, group.jonas
    jonas.taps("Agility")
    jonas.sets("DC", 14)
    jonas.throws("6 5 4 3")
    expect(jonas.verdict).to_be_visible()
    jonas.clears_stage()
    jonas.does(
        {"do": "open", "who": "Kira", "kind": "check", "seen": "blind", "inputs": {"dc": 14}, "use": {"Agility": 1}}
    )
    expect(jonas.stage.locator(".tray")).to_contain_text("The machine throws this one")
    expect(jonas.roll_button).to_have_text("Roll")
    jonas.opens_more()
    expect(jonas.stage.get_by_role("button", name="My own dice")).to_have_count(0)
    jonas.press(jonas.stage.get_by_role("button", name="Back to the tray"))
    jonas.rolls()
    expect(jonas.stage.locator("dice-cup .cup")).to_be_visible()
    jonas.clears_stage()
    mira.does({"do": "ask", "who": ["Kira"], "seen": "blind", "use": {"Agility": 1}, "inputs": {"dc": 14}})
    with jonas.acting():
        jonas.press(jonas.request.get_by_role("button", name="Roll", exact=True))
    expect(jonas.request).to_be_hidden()
    expect(jonas.stage.locator("dice-pad")).to_have_count(0)


def test_p40_falling_dice_speak_german_on_a_german_phone(gather: Gather, browser: Browser) -> None:
    group = gather("Razorweave", alone=True)
    page = context(browser, phone=True, locale="de-DE").new_page()
    uwe = Seat(page, "Uwe", group.link.partition("/t/")[0], phone=True)
    page.goto(group.link)
    page.get_by_role("textbox").fill("Uwe")
    page.get_by_role("button", name="Platz nehmen").tap()
    expect(page.locator(".app")).to_be_visible()
    uwe.stops_time()
    group.gm.does({"do": "roll", "name": "Kira", "inputs": {"dc": 12}})
    expect(page.locator("throw-view .thrown-head")).to_have_text("KKira handelt")
    verdict = page.locator(".verdict, .verdict-line").first
    uwe.lets_time_pass(verdict.is_visible)
    expect(verdict).to_contain_text("Kira handelt")
    page.context.close()
