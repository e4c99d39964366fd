"""The honest table: acts at a steady pace and times every answer, in a process of its own, which is seldom busy."""

from __future__ import annotations

import asyncio
import json
import sys
from time import perf_counter

from bench.attack.http import Http, Table

PACE = 0.04
"""Seconds between two actions: a lively table, within the rate that a member has."""
PATIENCE = 30.0


async def probe(port: int, path: str, cookie: str, seconds: float, name: str) -> None:
    """Act for so long; print the times of all answers and the texts that were stored."""
    table, http = Table(port, path, cookie, {}), Http(port)
    times: list[float] = []
    stored: list[str] = []
    refused: list[str] = []
    end = perf_counter() + seconds
    while perf_counter() < end:
        began, text = perf_counter(), f"{name} {len(times)}"
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await table.act(http, text.replace(" ", "-"), do="note", text=text)
            stored.append(text) if answer.status == 200 else refused.append(answer.body.decode())
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            http.close()
            refused.append(repr(error))
        times.append(perf_counter() - began)
        await asyncio.sleep(max(0.0, PACE - times[-1]))
    print(json.dumps({"times": times, "stored": stored, "refused": refused}))


if __name__ == "__main__":
    asyncio.run(probe(int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5]))
