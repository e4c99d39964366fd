"""What a player's assistant receives is the same, byte for byte, whatever the GM hides; as over the sockets.

The same visible actions are done at two servers, the players' through the protocol. At one of them the GM does hidden
things in between. After every action each player's assistant looks, and at the end it asks whatever can be asked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from astragal.agents.tool import key_of
from astragal.games.registry import BUILT_IN
from astragal.table import action as a
from astragal.table.entry import Entry
from astragal.table.log.export import export_lines
from tests.agents.seats import PARTS, Agent, over_http, own_link, run, running
from tests.serve.hidden import NOON, Pair, Step
from tests.serve.running import FREE, Guest, Running
from tests.serve.test_secrecy import KnownTickets
from tests.share import share
from tests.table.tables import seeded_dice, started

PLAYERS = ("Jonas", "Olaf")
"""One who plays, and one who only looks on."""


class Servers(NamedTuple):
    """The server with secrets, and the one without."""

    secret: Running
    plain: Running


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    fixed = FREE._replace(question_timeout=120, clock=lambda: NOON, dice=seeded_dice, tickets=KnownTickets)
    other = fixed._replace(dice=lambda key: seeded_dice(f"other {key}" if "/blind-" in key else key))
    folder = tmp_path_factory.mktemp("secrecy")
    with running(folder / "secret.db", fixed) as secret, running(folder / "plain.db", other) as plain:
        yield Servers(secret, plain)


class AgentPair(Pair):
    """Two tables in memory, at which players act under the keys that their assistants' actions get."""

    def _decide(self, which: int, by: str, action: a.Action, key: str) -> Entry | None:
        if by in (self.ids[name] for name in PLAYERS):
            key = key_of(key, msgspec.to_builtins(action))
        return super()._decide(which, by, action, key)


class Table:
    """One of the two tables: its GM's browser, another player's, and two assistants with all that they heard."""

    def __init__(self, gm: Guest, others: dict[str, Guest], agents: dict[str, Agent], heard: list[bytes]) -> None:
        self.gm = gm
        self.others = others
        self.agents = agents
        self.heard = heard

    async def act(self, step: Step, action: dict[str, Any]) -> int:
        """Do it; the status of what is done in a browser."""
        if step.by in self.agents:
            await self.agents[step.by].client.call_tool("act", {"key": step.key, "action": action})
            return 200
        guest = self.others.get(step.by, self.gm)
        return guest.http.post(guest.at("/actions"), json=action, headers={"Idempotency-Key": step.key}).status_code

    async def look(self) -> list[dict[str, Any]]:
        return [await agent.call("look", entries=3) for agent in self.agents.values()]


@asynccontextmanager
async def _table(server: Running, game: str, seed: str) -> AsyncIterator[Table]:
    state, entries, ids = started(game)
    gm = server.guest()
    file = b"".join(export_lines(seed, state, entries))
    made = gm.http.post(
        "/api/tables/import?unsealed=true", content=file, headers={"Content-Type": "application/x-ndjson"}
    )
    gm.table = made.json()["table"]
    ada = server.guest().take_seat(gm.table, own_link(gm, ids["Ada"]))
    heard: list[bytes] = []
    async with AsyncExitStack() as stack:
        agents = {
            ids[name]: await stack.enter_async_context(over_http(server.url, own_link(gm, ids[name]), heard=heard))
            for name in PLAYERS
        }
        yield Table(gm, {ids["Ada"]: ada}, agents, heard)


@pytest.mark.parametrize("game", BUILT_IN)
def test_nothing_that_a_players_assistant_gets_tells_of_what_is_hidden(servers: Servers, game: str) -> None:
    hidden = 0
    for seed in range(n := share(25, 1)):
        pair = AgentPair(game, Random(f"{game}-agents-{seed}"))
        run(_compare(servers, game, pair, f"{game}-agents-{seed}"))
        hidden += pair.hidden
    assert hidden > n


async def _compare(servers: Servers, game: str, pair: AgentPair, seed: str) -> None:
    async with _table(servers.secret, game, seed) as secret, _table(servers.plain, game, seed) as plain:
        for step in pair.steps():
            status = await secret.act(step, step.secret)
            if step.plain is None:
                assert status == 200, step
            else:
                await plain.act(step, step.plain)
                assert await secret.look() == await plain.look()
            assert secret.heard == plain.heard or step.plain is None, step
        await _ask_everything(secret)
        await _ask_everything(plain)
        assert secret.heard == plain.heard
        assert len(plain.heard) > 30


async def _ask_everything(table: Table) -> None:
    for agent in table.agents.values():
        seen = await agent.call("look", parts=PARTS)
        for tool, arguments in (("read_log", {"limit": 200}), ("story_so_far", {}), ("story_so_far", {"last": 3})):
            await agent.call(tool, **arguments)
        for roll in (*seen.get("rolls", []), *seen.get("finished", [])):
            for tool in ("odds_of_roll", "advise_on_roll"):
                await agent.client.call_tool(tool, {"roll": roll["id"]})
        for name in ("scene", "sheets", "log", "story", *(f"sheets/{sheet['id']}" for sheet in seen["sheets"])):
            await agent.client.read_resource(f"astragal://{name}")
        for listed in ("list_tools", "list_resources", "list_resource_templates", "list_prompts"):
            await getattr(agent.client, listed)()
