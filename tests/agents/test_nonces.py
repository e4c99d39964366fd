"""Dice that an assistant throws can be checked: it adds a nonce, and a repeat with another one throws nothing more."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from hashlib import sha256
from typing import Any

import pytest

from astragal.agents.api import nonce_of_key
from astragal.table.log.verify import check_file
from tests.agents.seats import Agent, gm_link, over_http, over_stdio, run
from tests.serve.running import Guest, Running

CHECK = {"name": "Guard", "inputs": {"dc": 14}}


@pytest.fixture
def gm(server: Running) -> Guest:
    return server.found("razorweave")


def nonces(gm: Guest) -> list[str]:
    """Of every throw at the table, all of which must be checked."""
    lines = gm.http.get(gm.at("/export")).content.splitlines(keepends=True)
    checked = check_file(lines)
    assert checked.is_right and not checked.log.throws["unproven"], checked.log.throws
    told = [line for entry in gm.view()["log"] for line in entry["lines"]]
    return [thrown["proof"][0] for line in told for thrown in line.get("thrown", ())]


def played(agent: AbstractAsyncContextManager[Agent], play: Callable[[Agent], Any]) -> None:
    async def playing() -> None:
        async with agent as found:
            await play(found)

    run(playing())


def test_at_a_server_the_key_is_the_nonce_unless_the_assistant_gives_one(server: Running, gm: Guest) -> None:
    async def play(mira: Agent) -> None:
        await mira.call("roll", key="kfjq-1850-wmxa", **CHECK)
        await mira.call("roll", key="of other characters!", **CHECK)
        await mira.call("roll", key="given", nonce="my-own", **CHECK)
        await mira.call("act", key="opened", action={"do": "open", **CHECK})
        await mira.call("act", key="thrown", action={"do": "throw"})
        assert "nonce" in await mira.refused("roll", key="bad", nonce="not one!", **CHECK)

    played(over_http(server.url, gm_link(gm)), play)
    hashed = sha256(b"of other characters!").hexdigest()
    assert nonces(gm) == ["kfjq-1850-wmxa", hashed, "my-own", "thrown"]


def test_beside_the_assistant_every_throw_has_a_new_random_nonce(server: Running, gm: Guest) -> None:
    async def play(mira: Agent) -> None:
        first = await mira.call("roll", key="1", **CHECK)
        again = await mira.call("roll", key="1", **CHECK)
        assert again["repeated"] and again["entry"] == first["entry"], "a repeat is one, whatever nonce is made for it"
        await mira.call("roll", key="2", **CHECK)
        await mira.call("roll", key="3", nonce="my-own", **CHECK)
        assert (await mira.call("roll", key="3", nonce="another", **CHECK))["repeated"]

    played(over_stdio(ASTRAGAL_LINK=gm_link(gm)), play)
    first, second, own = nonces(gm)
    assert len(first) == len(second) == 32 and first != second and own == "my-own"


@pytest.mark.parametrize("key", ["k" * 65, "a b", "é", "a\n"])
def test_what_is_no_nonce_is_hashed(key: str) -> None:
    assert nonce_of_key(key) == sha256(key.encode()).hexdigest()
