"""A server that was stopped in the middle of a batch, and continues after another has taken over."""

from __future__ import annotations

import asyncio

import pytest

from astragal.errors import Refusal
from astragal.storage import Moved
from astragal.table import action as a
from tests.simulation.evening import Evening, Plan, small_limits
from tests.simulation.loop import VirtualLoop
from tests.simulation.store import HOLD

FIRST = a.CreateAction(name="Vey", sheet={"stats": {"Might": {"now": 3, "full": 9}}})
SECOND = a.ChangeAction(holder="Vey", section="stats", item="Might", by=-1)
"""It can be done after the first only."""


@pytest.mark.parametrize("seed", range(5))
def test_a_server_that_was_stopped_stores_nothing_that_another_has_refused(seed: int) -> None:
    """Though nobody has stored anything meanwhile, so what it sends would be the next entries."""

    async def play(evening: Evening) -> None:
        old, new = evening.servers
        old.store.rate = new.store.rate = old.store.sent = 0
        await old.process.start(old.act(evening.gm, a.NoteAction(text="It is mine."), "claimed"))
        tries = [old.process.start(old.act(evening.gm, each, key)) for key, each in (("1", FIRST), ("2", SECOND))]
        while not old.store.is_writing:
            await asyncio.sleep(0)
        old.process.stopped = True
        await asyncio.sleep(HOLD)
        with pytest.raises(Refusal, match="Vey"):
            await new.process.start(new.act(evening.gm, SECOND, "2"))
        old.process.go_on()
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        assert all(isinstance(outcome, Moved) for outcome in outcomes)
        assert not {"1", "2"} & evening.rows.keys.keys()

    loop = VirtualLoop(seed)
    try:
        with small_limits():
            loop.run_until_complete(play(Evening(Plan(seed, servers=2), loop)))
    finally:
        loop.end()
        loop.close()
