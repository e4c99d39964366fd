"""Assistants, Discord and webhooks at several servers: guests, who find what is stored without any notice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from astragal.agents.endpoint import mcp_route
from tests.agents.seats import Agent, gm_link, over_http, over_stdio, own_link, run
from tests.databases import Databases
from tests.serve.cluster.fleet import Fleet, at
from tests.serve.discord import PUBLIC_KEY, Person, buttons, content
from tests.serve.receiver import Receiver
from tests.serve.running import FREE, Guest, until
from tests.table.tables import seeded_dice

GUESTS = FREE._replace(discord_key=PUBLIC_KEY, webhooks="any", dice=lambda key: seeded_dice("e"), keep_idle=600)

ROLL = {"inputs": "d6=4, step=8 difficulty=2"}


@pytest.fixture(scope="module")
def fleet(databases: Databases) -> Iterator[Fleet]:
    with databases.lent() as lend, Fleet(lend(), 2, GUESTS, (mcp_route,)) as fleet:
        yield fleet


@pytest.fixture
def gm(fleet: Fleet) -> Guest:
    """The GM of a new table, which the first server owns."""
    gm = fleet[0].found()
    gm.view()
    return gm


# Assistants.


async def shown(agent: Agent, done: dict[str, Any]) -> None:
    """Wait until an assistant sees an entry: if its server owns the table, a notice tells that server first."""
    while (await agent.call("look", entries=1))["log"][0]["id"] != done["entry"]["id"]:
        await asyncio.sleep(0.02)


def test_an_assistant_sees_at_one_server_what_was_done_at_the_other(fleet: Fleet, gm: Guest) -> None:
    """Over both transports: ``astragal mcp`` asks the API itself."""
    gm.invite("player", "Jonas").act("create", name="Wren")
    link = own_link(gm, "Jonas")

    async def play() -> None:
        async with (
            over_http(fleet[0].url, gm_link(gm)) as mira,
            over_http(fleet[1].url, link) as jonas,
            over_stdio(ASTRAGAL_LINK=link.replace(fleet[0].url, fleet[1].url)) as beside,
        ):
            for agent in (jonas, beside):
                asked = await mira.do("ask_for_rolls", who=["Wren"], inputs={"d6": 2, "difficulty": 1})
                done = await agent.do("roll", who="Wren", request=f"q{asked['entry']['id']}")
                seen = await mira.call("look", entries=1)
                assert seen["log"][0]["id"] == done["entry"]["id"] and seen["rolls"]
                told = await mira.do("narrate", text="The bell rings.")
                await shown(agent, told)
                read = await agent.call("read_log", limit=1)
                assert read["entries"][0]["id"] == told["entry"]["id"]
                await shown(agent, await mira.do("narrate", text="And again."))
                assert "And again." in (await agent.call("story_so_far"))["story"]

    run(play())


def test_a_link_of_one_server_to_a_member_of_its_is_good_at_the_other(fleet: Fleet, gm: Guest) -> None:
    jonas = at(fleet[1], gm).invite("player", "Jonas")
    link = at(fleet[1], gm).post(gm.at("/links"), {"member": jonas.member}, 201)
    assert fleet[0].guest().take_seat(gm.table, link["path"]).member == jonas.member
    at(fleet[1], gm).invite("player", "Ada")
    gm.post(gm.at("/links"), {"member": "Ada"}, 201)
    gm.post(gm.at("/links"), {"member": "Nobody"}, 422)


# Discord.


class Wandering(Person):
    """Somebody each of whose interactions comes to another server."""

    def __init__(self, fleet: Fleet, user: str, channel: str) -> None:
        super().__init__(fleet[0], user, channel)
        self._doors = [server.guest().http for server in fleet.servers]

    def post(self, body: bytes, headers: dict[str, str]) -> Any:
        self._doors.append(self._doors.pop(0))
        self.http = self._doors[0]
        return super().post(body, headers)


channels = iter(range(9000, 9100))


class Channel:
    """A table whose GM and player are in a channel of Discord."""

    def __init__(self, fleet: Fleet, gm: Guest) -> None:
        self.fleet, self.table, self.id = fleet, gm, str(next(channels))
        self.gm, self.player = (Wandering(fleet, user, self.id) for user in ("2001", "2002"))
        self.gm.click(self.gm.sit(gm, link=gm.links["gm"]), "Connect")
        self.jonas = gm.invite("player", "Jonas")
        assert "as Jonas" in content(self.player.sit(gm, self.jonas.member))

    def entries(self) -> int:
        """Of the log, as it is stored."""
        return int(self.fleet[0].server.repository.store.info(self.table.table).version)


@pytest.fixture
def channel(fleet: Fleet, gm: Guest) -> Channel:
    return Channel(fleet, gm)


def test_interactions_come_to_any_server(channel: Channel) -> None:
    """Seats, the channel's tie, rolls and the buttons below them: nothing of it is kept by one server."""
    assert "as Ada" in content(channel.gm.sit(channel.table, link=channel.table.links["player"], name="Ada"))
    assert "as Ada" in content(channel.gm.sit(channel.table, link=channel.table.links["player"]))
    for _ in range(3):
        said = channel.player.command("roll", **ROLL)
        rerolled = channel.player.click(said, "Reroll")
        assert rerolled["type"] == 7 and buttons(rerolled)
        settled = channel.player.click(rerolled, "Leave it")
        assert settled["type"] == 7 and not buttons(settled)
        late = channel.player.click(said, "Reroll")
        assert "nothing was done" in content(late) and "is over" in content(late)
        for _again in range(3):
            assert "asks a GM to undo" in content(channel.player.command("table undo")), "dice have fallen (T-2)"
            allowed = channel.table.act("allow")
            assert "undid" in str(allowed["entry"]["lines"])
        assert "comes first" in content(channel.player.command("roll", **ROLL)), "its dice are kept (T-1)"
        channel.table.act("withdraw")
    assert "Jonas" in content(channel.player.command("table look"))
    channel.table.act("seat", member="Jonas", role="gm")
    assert "no longer connected" in content(channel.player.command("table free")), "a GM since a moment ago"
    for _ in range(2):
        assert "not connected to a table" in content(channel.player.command("table look"))


def test_an_interaction_that_comes_to_every_server_acts_once_and_is_answered_the_same(channel: Channel) -> None:
    sent = channel.player.says("roll", inputs=ROLL["inputs"])
    for _ in range(2):
        before = channel.entries()
        people = [Person(channel.fleet[n % 2], "2002", channel.id) for n in range(6)]
        with ThreadPoolExecutor(6) as threads:
            answers = list(threads.map(lambda person: person.send(sent), people))  # noqa: B023
        assert channel.entries() == before + 1
        assert all(answer == answers[0] for answer in answers)
        sent = channel.player.clicks(answers[0], "Reroll")


def test_two_who_press_at_two_servers_answer_one_choice(channel: Channel) -> None:
    for _ in range(2):
        said = channel.player.command("roll", **ROLL)
        before = channel.entries()
        people = [Person(channel.fleet[n % 2], ("2001", "2002")[n // 2], channel.id) for n in range(4)]
        with ThreadPoolExecutor(4) as threads:
            answers = list(threads.map(lambda person: person.click(said, "Reroll"), people))  # noqa: B023
        assert channel.entries() == before + 1
        assert sum("nothing was done" in content(answer) for answer in answers) == 3


def test_a_seat_of_discord_ends_with_its_tie_at_every_server(channel: Channel) -> None:
    gm = channel.table
    assert gm.http.delete(gm.at("/chat/ties/user-2002")).status_code == 204
    for _ in range(2):
        assert "no seat here" in content(channel.player.command("table look"))


# Webhooks.


def test_each_entry_is_posted_once_though_every_server_could(fleet: Fleet, gm: Guest) -> None:
    with Receiver() as receiver, Receiver() as secret:
        for address, audience in ((receiver.url, "all"), (secret.url, "gm")):
            gm.post(gm.at("/webhooks"), {"address": address, "audience": audience}, 201)
        for n in range(30):
            gm.act("note", text=f"Note {n}.")
        for found in (receiver, secret):
            told = [post.json["entry"]["lines"][0]["text"] for post in found.wait(30)]
            assert told == [f"Mira: Note {n}." for n in range(30)]
        until(lambda: all(hook["behind"] == 0 for hook in gm.get(gm.at("/chat"))["webhooks"]))
        assert (len(receiver.posts), len(secret.posts)) == (30, 30)
