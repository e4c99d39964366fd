"""Assistants at a cluster: each message may go to another server, a revoked link ends everywhere, servers may die."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from tests.agents.seats import Agent, Rotating, over_http, over_stdio, run
from tests.cluster.spread import Spread, SpreadGuest
from tests.share import share
from tools.cluster import Cluster

SOON = share(2, 30)
"""Seconds within which a revoked link must have ended at every server: the promise in the soak, and a bound beside a
whole test run."""
TURNS = 5


@pytest.fixture
def spread(cluster: Cluster) -> Iterator[Spread]:
    made = Spread([member.url for member in cluster.members])
    yield made
    made.close()


@pytest.fixture
def gm(spread: Spread) -> SpreadGuest:
    gm = spread.found("razorweave")
    gm.invite("player", "Jonas").act("create", name="Wren")
    return gm


def apart(play: Coroutine[Any, Any, None]) -> None:
    """Run in a thread of its own: a browser of other tests may have this one's event loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(run, play).result()


def own_link(gm: SpreadGuest, member: str) -> dict[str, Any]:
    made: dict[str, Any] = gm.post(gm.at("/links"), {"member": member}, 201)
    return made


def anywhere(cluster: Cluster, path: str, mode: str = "auto") -> AbstractAsyncContextManager[Agent]:
    """An assistant each of whose messages goes to another server than the one before."""
    urls = [member.url for member in cluster.members]
    return over_http(urls[0], path, mode, transport=Rotating(urls))


def test_a_scene_is_played_though_each_message_goes_to_another_server(cluster: Cluster, gm: SpreadGuest) -> None:
    """By clients of the newest version of the protocol and of an older one, which would like to have a session."""

    async def play() -> None:
        async with (
            anywhere(cluster, gm.links["gm"]) as mira,
            anywhere(cluster, own_link(gm, "Jonas")["path"], "legacy") as jonas,
        ):
            for turn in range(TURNS):
                asked = await mira.do("ask_for_rolls", who=["Wren"], inputs={"dc": 12}, note=f"Turn {turn}.")
                seen = await jonas.call("look", parts=["requests"], entries=1)
                assert seen["log"][0]["id"] == asked["entry"]["id"]
                waiting = [request["id"] for request in seen["requests"] if request["yours"]]
                done = await jonas.do("roll", who="Wren", request=waiting[-1])
                told = await mira.call("look", parts=["rolls", "finished"], entries=1)
                assert told["log"][0]["id"] == done["entry"]["id"]
            for _ in range(4):
                again = await jonas.call("narrate", key="once", text="The bell rings.")
            assert again["repeated"]

    apart(play())
    told = [line["text"] for entry in gm.view()["log"] for line in entry["lines"]]
    assert told.count("Jonas: The bell rings.") == 1


def test_a_revoked_link_ends_an_assistant_at_every_server_within_two_seconds(cluster: Cluster, gm: SpreadGuest) -> None:
    link = own_link(gm, "Jonas")

    async def refused(agent: Agent) -> bool:
        try:
            return bool((await agent.client.call_tool("look", {"parts": []})).is_error)
        except Exception:  # at /mcp the link itself is refused
            return True

    async def play() -> None:
        at = [over_http(member.url, link["path"]) for member in cluster.members]
        async with (
            at[0] as one,
            at[1] as two,
            at[2] as three,
            over_stdio(ASTRAGAL_LINK=f"{cluster.address}{link['path']}") as beside,
        ):
            agents = [one, two, three, beside]
            assert not any([await refused(agent) for agent in agents])
            assert gm.http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
            began = time.monotonic()
            while not all([await refused(agent) for agent in agents]):
                assert time.monotonic() - began < SOON
                await asyncio.sleep(0.05)

    apart(play())


def test_a_scene_goes_on_through_the_balancer_when_a_server_dies(cluster: Cluster, gm: SpreadGuest) -> None:
    async def play() -> None:
        async with over_http(cluster.address, gm.links["gm"]) as mira:
            for turn in range(TURNS):
                if turn == 3:
                    cluster.members[0].kill()
                await mira.call("narrate", key=f"turn {turn}", text=f"Turn {turn}.")

    try:
        apart(play())
    finally:
        cluster.members[0].start()
    texts = [line["text"] for entry in gm.view()["log"] for line in entry["lines"]]
    assert [texts.count(f"Mira: Turn {turn}.") for turn in range(TURNS)] == [1] * TURNS
