"""Tables over HTTP: created, viewed, acted on, read back, exported and imported."""

from __future__ import annotations

import json
from typing import Any

import pytest

from astragal.games.registry import game, names
from tests.serve.running import Guest, Running


@pytest.mark.parametrize("game", names())
def test_a_sample_campaign_is_there_at_once(server: Running, game: str) -> None:
    gm = server.found(game, sample=True)
    view = gm.view()
    assert view["you"]["role"] == "gm" and view["you"]["name"] == "Mira"
    assert view["parts"]["table"]["game"] == game
    assert view["version"] >= len(view["log"]) > 5
    assert {link["role"] for link in view["links"]} == {"gm", "player", "onlooker"}


def test_a_table_is_created_with_the_games_options(server: Running) -> None:
    gm = server.found(options={"edition": "hits"})
    assert gm.view()["parts"]["table"]["options"]["edition"] == "hits"
    refused = server.guest().post(
        "/api/tables", {"game": "narraject", "title": "T", "name": "M", "options": {"x": 1}}, 404
    )
    assert "x" in refused["detail"]


def test_a_roll_is_built_and_thrown(gm: Guest) -> None:
    gm.act("create", name="Ysolde", template="Ysolde Marrin")
    opened = gm.act("open", who="Ysolde", inputs={"difficulty": 2})
    roll = opened["entry"]["lines"][0]["roll"]
    part = gm.view()["parts"][f"rolls/{roll}"]
    offer = next(offer for offer in part["offers"] if offer["input"] == "d6")
    gm.act("build", roll=roll, use={offer["id"]: 1})
    odds = gm.get(gm.at(f"/rolls/{roll}/odds"))
    chances = gm.get(gm.at(f"/rolls/{roll}/chances"))
    assert (chances["why"], chances["helps"], chances["now"]["success"]["exact"] != "") == ("", {}, True)
    assert next(iter(odds["facts"])) == "success"
    thrown = gm.act("throw", roll=roll, faces="6 | 5", answers=["settle"])
    assert thrown["version"] == opened["version"] + 2
    assert any(line["kind"] == "verdict" for line in thrown["entry"]["lines"])
    assert gm.view()["parts"][f"rolls/{roll}"]["verdict"]


def test_an_open_choice_is_weighed(gm: Guest) -> None:
    rolled = gm.act("roll", inputs={"d6": 5, "step": 10, "difficulty": 3}, faces="6 4 4 2 1 | 3")
    roll = rolled["entry"]["lines"][0]["roll"]
    advice = gm.get(gm.at(f"/rolls/{roll}/advice"))
    assert advice["best"] in {option["name"] for option in advice["options"]}
    assert gm.get(gm.at(f"/rolls/{roll}/advice?wish={advice['wish']}")) == advice
    assert "no wish" in gm.get(gm.at(f"/rolls/{roll}/advice?wish=tea"), 404)["detail"]


def test_rolls_whose_rules_are_gone_are_shown_and_withdrawn(server: Running) -> None:
    """Every look at the table answers, and what cannot be answered is refused in a sentence."""
    gm = server.found("narraject", sample=True)
    rolled = gm.act("roll", inputs={"d6": 5, "step": 10, "difficulty": 3}, faces="6 4 4 2 1 | 3")
    roll = rolled["entry"]["lines"][0]["roll"]
    looks = [gm.at(path) for path in ("", "/log", "/story", "/stats")]
    before = gm.view()["parts"]
    kinds: dict[str, Any] = game("narraject").kinds  # type: ignore[assignment]
    kept = dict(kinds)
    kinds.clear()
    try:
        assert all(gm.http.get(look).status_code == 200 for look in looks)
        assert gm.get(gm.at("/stats"))["left_out"] > 0
        for about in ("odds", "advice"):
            assert "no roll called" in gm.get(gm.at(f"/rolls/{roll}/{about}"), 404)["detail"]
        after = gm.view()["parts"]
        assert {path for path in before if before[path] != after[path]} == {f"rolls/{roll}"}
        assert "does not fit the rules any more" in after[f"rolls/{roll}"]["missing"]
        gm.act("withdraw", roll=roll)
        assert f"rolls/{roll}" not in gm.view()["parts"]
    finally:
        kinds.update(kept)
    assert gm.get(gm.at("/stats"))["left_out"] == 0


def test_the_same_key_is_never_done_twice(gm: Guest) -> None:
    first = gm.act("note", text="Once.", key="same")
    again = gm.act("note", text="Once.", key="same")
    assert again["entry"] == first["entry"]
    assert [entry["do"] for entry in gm.view()["log"]].count("note") == 1


def test_nobody_learns_what_anothers_key_did(gm: Guest) -> None:
    gm.act("note", text="The butler did it.", seen="gm", key="same")
    player = gm.invite()
    assert "butler" not in json.dumps(player.act("note", text="Hello.", key="same"))


def test_an_action_needs_a_key(gm: Guest) -> None:
    for headers in ({}, {"Idempotency-Key": ""}, {"Idempotency-Key": "a b"}, {"Idempotency-Key": "x" * 101}):
        answer = gm.http.post(gm.at("/actions"), json={"do": "close"}, headers=headers)
        assert answer.status_code == 400 and "Idempotency-Key" in answer.json()["detail"]


def test_whoever_looked_at_an_older_table_is_told_so(gm: Guest) -> None:
    version = gm.view()["version"]
    key = {"Idempotency-Key": "k1", "If-Match": f'"{version}"'}
    done = gm.post(gm.at("/actions"), {"do": "note", "text": "First."}, headers=key)
    assert gm.post(gm.at("/actions"), {"do": "note", "text": "First."}, headers=key)["entry"] == done["entry"]
    late = gm.post(gm.at("/actions"), {"do": "note", "text": "Second."}, 409, {**key, "Idempotency-Key": "k2"})
    assert late["kind"] == "stale"
    gm.post(gm.at("/actions"), {"do": "close"}, 400, {**key, "If-Match": "soon"})


def test_nobody_creates_or_joins_a_table_by_an_action(gm: Guest) -> None:
    gm.act("join", 400, name="Eve", role="gm")
    gm.act("found", 400, game="tgimh", title="T", name="Eve")


def test_the_log_is_read_back_page_by_page(gm: Guest) -> None:
    for n in range(30):
        gm.act("note", text=f"Note {n}.")
    version = gm.view()["version"]
    pages: list[Any] = []
    before = None
    while True:
        page = gm.get(gm.at("/log?limit=7" + (f"&before={before}" if before else "")))
        pages = page["entries"] + pages
        before = page["first"]
        if not page["more"]:
            break
    assert before == 1
    assert len(pages) == len({entry["id"] for entry in pages}) == version
    assert gm.view()["log"] == pages[-50:]


def test_a_seat_counts_only_what_it_sees(gm: Guest) -> None:
    player = gm.invite()
    before = player.view()["version"]
    for n in range(5):
        gm.act("note", text=f"Secret {n}.", seen="gm")
    gm.act("note", text="Open.")
    view = player.view()
    assert view["version"] == before + 1 == len(view["log"])
    assert player.get(player.at("/log?before=3"))["first"] == 1
    assert "Secret" not in json.dumps(view)


def test_undo_and_redo(gm: Guest) -> None:
    gm.act("create", name="Ysolde", template="Ysolde Marrin")
    gm.act("undo")
    assert not any(path.startswith("holders/c") for path in gm.view()["parts"])
    gm.act("redo")
    assert any(path.startswith("holders/c") for path in gm.view()["parts"])


def test_a_table_is_exported_and_imported(server: Running) -> None:
    gm = server.found("razorweave", sample=True)
    lines = gm.http.get(gm.at("/export"))
    assert lines.headers["content-type"] == "application/x-ndjson"
    other = server.guest()
    answer = other.http.post(
        "/api/tables/import", content=lines.content, headers={"Content-Type": "application/x-ndjson"}
    )
    assert answer.status_code == 201
    other.table = answer.json()["table"]
    there, here = other.view(), gm.view()
    own = {"links": 0, "here": 0, "tickets": 0, "book": 0, "unconfirmed": 0, "version": 0, "log": 0}
    assert {**there, **own} == {**here, **own}
    assert there["version"] == here["version"] + 1
    assert "The table was imported." in str(there["log"][-1])
    assert (there["unconfirmed"], here["unconfirmed"]) == (True, False)
    other.act("confirm", book=there["book"])
    assert not other.view()["unconfirmed"]


def test_a_file_with_a_broken_seal_is_imported_only_if_somebody_says_so(server: Running) -> None:
    gm = server.found("razorweave")
    gm.act("note", text="A quiet night.")
    changed = gm.http.get(gm.at("/export")).content.replace(b"A quiet night.", b"A loud night.")
    text, other = {"Content-Type": "application/x-ndjson"}, server.guest()
    refused = other.http.post("/api/tables/import", content=changed, headers=text)
    assert (refused.status_code, refused.json()["kind"]) == (422, "unsealed")
    made = other.http.post("/api/tables/import?unsealed=true", content=changed, headers=text)
    assert made.status_code == 201
    other.table = made.json()["table"]
    assert "the seal was broken" in str(other.view()["log"][-1])


def test_a_throw_with_tickets_of_another_book_is_refused(server: Running) -> None:
    gm = server.found("razorweave")
    refused = gm.act("roll", 409, name="Guard", inputs={"dc": 12}, nonce="mine", book="elsewhere.1")
    assert "no longer used. Throw again." in str(refused)
    assert gm.act("roll", name="Guard", inputs={"dc": 12}, nonce="mine", book=gm.view()["book"])


@pytest.mark.parametrize("junk", [b"", b"{}", b"\xff\xfe", b'{"astragal":"sheet"}\n', b"[" * 10_000])
def test_junk_is_not_imported(server: Running, junk: bytes) -> None:
    answer = server.guest().http.post("/api/tables/import", content=junk, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422 and answer.json()["detail"].endswith(".")


def test_story_stats_and_sheet(server: Running) -> None:
    gm = server.found("narraject", sample=True)
    story = gm.http.get(gm.at("/story"))
    assert story.headers["content-type"].startswith("text/markdown") and story.text.startswith("# The Drowned Bell")
    luck = gm.get(gm.at("/stats"))["luck"]
    assert all(0 <= each["share"] <= 1 and each["throws"] for each in luck)
    sheet = gm.get(gm.at("/sheets/Ysolde"))
    assert sheet["astragal"] == "sheet" and sheet["sheet"]["stats"]
    gm.act("create", name="Twin", sheet=sheet["sheet"])


def test_a_story_is_told_in_the_language_that_is_asked_for(gm: Guest) -> None:
    gm.act("scene", title="The harbour")
    assert "Mira tells the story" in gm.http.get(gm.at("/story")).text
    assert "Mira erzählt die Geschichte" in gm.http.get(gm.at("/story?language=de")).text
    assert "Mira tells the story" in gm.http.get(gm.at("/story?language=xx")).text
    assert gm.http.get(gm.at("/story?language=../de")).status_code == 400


def test_a_sheet_is_exported_without_what_is_hidden_on_it(gm: Guest) -> None:
    player = gm.invite()
    gm.act("create", name="Ysolde", template="Ysolde Marrin", owner=player.member)
    gm.act("edit", holder="Ysolde", section="gear", item="Cursed ring", to={"dice": 1, "seen": "gm"})
    gm.act("edit", holder="Ysolde", section="gear", item="Odd box", to={"dice": 3, "seen": "veiled"})
    assert {"Cursed ring", "Odd box"} <= set(gm.get(gm.at("/sheets/Ysolde"))["sheet"]["gear"])
    assert not {"Cursed ring", "Odd box"} & set(player.get(player.at("/sheets/Ysolde"))["sheet"]["gear"])


def test_a_refused_action_changes_nothing(gm: Guest) -> None:
    before = gm.view()
    for action in ({"do": "throw"}, {"do": "change", "holder": "nobody", "section": "a", "item": "b", "by": 1}):
        answer = gm.http.post(gm.at("/actions"), json=action, headers={"Idempotency-Key": "no"})
        assert answer.status_code in (404, 422) and answer.json()["detail"].endswith(".")
    assert gm.view() == before
