"""A simulated storm: a server dies at the peak, and all its browsers come back at the others, as the page does."""

from __future__ import annotations

from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

FIRST_WAIT, LONGEST_WAIT = 0.5, 3.0
"""Seconds before the page's first try to reconnect, and at most; page/src/live/connection.ts."""
PATIENCE = 5.0
"""Seconds that a server lets a request wait for its turn; then it is refused, and the browser tries again."""


class Storm(NamedTuple):
    """How long half of the browsers, and nearly all, took to be back."""

    half: float
    most: float
    tries: float
    """Tries for each browser, on average."""


def simulate(browsers: int, servers: int, rate: float, seed: int = 16) -> Storm:
    """Browsers of a server that died, the servers that are left, and the reconnects a second that each can take."""
    rng = Random(seed)
    free = [0.0] * servers
    """When each server has done all that waits for it."""
    waiting = [(FIRST_WAIT * rng.uniform(0.7, 1.3), n, 0) for n in range(browsers)]
    waiting.sort()
    back: list[float] = []
    tries = 0
    while waiting:
        at, browser, before = heappop(waiting)
        tries += 1
        server = rng.randrange(servers)
        begins = max(at, free[server])
        if begins - at > PATIENCE:
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(before + 1, 10))
            heappush(waiting, (at + PATIENCE + wait * rng.uniform(0.7, 1.3), browser, before + 1))
        else:
            free[server] = begins + 1 / rate
            back.append(free[server])
    back.sort()
    return Storm(back[len(back) // 2], back[int(len(back) * 0.999)], tries / browsers)
