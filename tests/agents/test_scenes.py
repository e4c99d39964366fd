"""A GM's assistant and a player's play a scene of each game, over both transports, and only one of them knows all."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from astragal.games.registry import BUILT_IN
from astragal.table.ruleset import ruleset_of
from tests.agents.seats import PARTS, Agent, gm_link, over_http, over_stdio, own_link, run
from tests.serve.running import Running

ASKED: dict[str, dict[str, Any]] = {
    "narraject": {"inputs": {"difficulty": 2}},
    "tgimh": {"against": "Tollmaster"},
    "chronicles": {"inputs": {"modifier": 1}},
    "razorweave": {"inputs": {"dc": 14}},
}
"""What the GM asks for."""
USED: dict[str, dict[str, int]] = {
    "narraject": {"Might": 1},
    "tgimh": {"Never backs down": 1},
    "chronicles": {"Wits": 1, "Stealth": 1},
    "razorweave": {"Agility": 1, "Climbing": 1},
}
"""What the player puts in from the sheet."""
SECRET = "Nobody knows that the ferryman did it."


@pytest.mark.parametrize("game", BUILT_IN)
def test_two_assistants_play_a_scene(server: Running, game: str) -> None:
    run(_play(server, game))


async def _play(server: Running, game: str) -> None:
    gm = server.found(game)
    gm.invite("player", "Jonas")
    async with over_http(server.url, gm_link(gm), "legacy") as mira, over_stdio("--table", own_link(gm, "Jonas")) as jo:
        await _set_up(mira, jo, game)
        verdict = await _roll(mira, jo, game)
        await _hide(mira)
        await _tell(mira, jo, verdict)


async def _set_up(mira: Agent, jo: Agent, game: str) -> None:
    games = {each["name"]: each for each in (await jo.call("list_games"))["games"]}
    assert games[game]["rolls"]
    await mira.act("scene", title="The bridge at low water")
    await mira.act("create", name="Tollmaster")
    await jo.act("create", name="Wren", template=next(iter(ruleset_of(game).templates)))
    seen = await jo.call("look")
    assert seen["table"]["scene"] == {"title": "The bridge at low water", "open": True}
    assert {sheet["name"] for sheet in seen["sheets"] if sheet["kind"] == "character"} == {"Tollmaster", "Wren"}
    assert next(sheet for sheet in seen["sheets"] if sheet["name"] == "Wren")["yours"]


async def _roll(mira: Agent, jo: Agent, game: str) -> str:
    """The player answers the GM's request, opens the roll, asks for its odds, throws it and answers its choices."""
    assert "Only a GM" in await jo.refused("ask_for_rolls", key="no", who=["Wren"])
    await mira.do("ask_for_rolls", who=["Wren"], note="Cross before the water rises.", **ASKED[game])
    (request,) = (await jo.call("look", parts=["requests"]))["requests"]
    assert request["yours"] and request["note"] == "Cross before the water rises."
    opened = await jo.act("open", request=request["id"], use=USED[game])
    (roll,) = opened["rolls"]
    assert all(offer["label"] for offer in roll["offers"]) and len(roll["offers"]) > 3
    odds = await jo.call("odds_of_roll", roll=roll["id"])
    assert all(row["exact"] for fact in odds["facts"].values() for row in fact["rows"])
    done = await jo.act("throw", roll=roll["id"])
    while (now := done["rolls"][0])["waits"] == "choice":
        who = jo if now["yours"] and now["waits_name"] == "Jonas" else mira
        advice = await who.call("advise_on_roll", roll=now["id"])
        (best,) = (option for option in now["open"]["options"] if option["name"] == advice["best"])
        answer = f"{best['name']}: Wet through" if best["needs_words"] else best["name"]
        done = await who.do("answer_choice", roll=now["id"], answer=answer)
    assert now["over"]
    return str(now["verdict"])


async def _hide(mira: Agent) -> None:
    await mira.do("narrate", text=SECRET, seen="gm")
    await mira.act("create", name="Lurker", seen="gm")
    await mira.do("roll", name="Lurker's luck", seen="gm", **_enough(await mira.call("look")))


def _enough(seen: dict[str, Any]) -> dict[str, Any]:
    """What a roll of somebody without a sheet needs."""
    needed: dict[str, dict[str, Any]] = {
        "narraject": {"inputs": {"d6": 3, "difficulty": 1}},
        "tgimh": {"inputs": {"ours": 4, "theirs": 3}, "against_name": "The river"},
        "chronicles": {"inputs": {"pool": 4}},
        "razorweave": {"inputs": {"dc": 12}},
    }
    return needed[seen["table"]["game"]]


async def _tell(mira: Agent, jo: Agent, verdict: str) -> None:
    """The roll is in the log and in the story as the server says it went; what is hidden is only the GM's."""
    log = await jo.call("read_log", limit=200)
    lines = [line for entry in log["entries"] for line in entry["lines"]]
    assert any(line["kind"] == "dice" and "typed_by" not in line for line in lines)
    assert any(line["text"].startswith(verdict.partition(":")[0]) for line in lines if line["kind"] == "verdict")
    whole = await mira.call("look", entries=50, parts=["sheets", "rolls", "finished"])
    (roll,) = [each for part in ("rolls", "finished") for each in whole.get(part, []) if each["name"] == "Wren"]
    await mira.do("narrate", text="Wren wades out, wet to the waist.", roll=roll["id"])
    story = (await jo.call("story_so_far"))["story"]
    assert "Wren wades out" in story and "The bridge at low water" in story
    assert SECRET in (await mira.call("story_so_far"))["story"]
    seen = msgspec.json.encode([await jo.call("look", entries=50, parts=PARTS), story, log])
    assert SECRET.encode() not in seen and b"Lurker" not in seen
    assert b"Lurker" in msgspec.json.encode(whole)
