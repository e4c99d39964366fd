"""The honest table: acts at a steady pace and times every answer, in a process of its own, which is seldom busy.

An action that could not begin because the one before it was still being answered counts from when it was due: a server
that stands still for a second is slow for everything that the table would have done in that second.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from time import perf_counter

from bench.attack.cause import Action, Meter, Reading, commits, longest, stalls
from bench.attack.http import Http, Table

PACE = 0.04
"""Seconds between two actions: a lively table, within the rate that a member has."""
PATIENCE = 30.0
SLOW = 0.01
"""Seconds: what took longer is looked into."""
LOOK_EVERY = 25
"""Actions between two looks at the server's commits, so that a slow one is told from those long ago."""


class Probe:
    """The honest table's own connection, its times, and what the server counts about its commits."""

    def __init__(self, table: Table, meter: Meter, name: str) -> None:
        self._table, self._http, self._meter, self._name = table, Http(table.port), meter, name
        self._commits: dict[float, int] = {}
        self.actions: list[Action] = []
        self.stored: list[str] = []
        self.refused: list[str] = []

    async def run(self, seconds: float) -> tuple[int, int]:
        """Act for so long; how many commits met a stall meanwhile, and how many there were."""
        first = self._commits = await self._look()
        due = began = perf_counter()
        end = began + seconds
        while began < end:
            before = self._meter.read()
            await self._act()
            await self._note(began, before)
            due += PACE
            await asyncio.sleep(max(0.0, due - perf_counter()))
            began = due if self.actions[-1].seconds > PACE else perf_counter()
        return stalls(first, await self._look())

    async def _act(self) -> None:
        text = f"{self._name} {len(self.actions)}"
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._table.act(self._http, text.replace(" ", "-"), do="note", text=text)
            self.stored.append(text) if answer.status == 200 else self.refused.append(answer.body.decode())
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            self._http.close()
            self.refused.append(repr(error))

    async def _note(self, began: float, before: Reading) -> None:
        """Keep the time; after a slow action, look whether a commit was slow."""
        action = Action(perf_counter() - began, self._meter.read() - before)
        if action.seconds > SLOW or len(self.actions) % LOOK_EVERY == 0:
            now = await self._look()
            action = action._replace(commit=longest(self._commits, now, action.seconds))
            self._commits = now
        self.actions.append(action)

    async def _look(self) -> dict[float, int]:
        async with Http(self._table.port) as http:
            return commits((await http.ask("GET", "/metrics")).body.decode())


async def probe(table: Table, meter: Meter, name: str, seconds: float) -> None:
    """Act for so long; print the times of all answers and the texts that were stored."""
    honest = Probe(table, meter, name)
    stalled, total = await honest.run(seconds)
    told = {"actions": honest.actions, "stored": honest.stored, "refused": honest.refused}
    print(json.dumps({**told, "stalls": stalled, "commits": total}))


if __name__ == "__main__":
    port, path, cookie, seconds, name, server, folder = sys.argv[1:]
    table = Table(int(port), path, cookie, {})
    asyncio.run(probe(table, Meter(int(server), Path(folder)), name, float(seconds)))
