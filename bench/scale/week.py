"""A simulated week of many tables: when groups meet, how many play at once, and how much they do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

STEP = 5
"""Minutes between two counts."""
MINUTES = 7 * 24 * 60


class Assumptions(NamedTuple):
    """What is assumed of people. Everything about the program is measured."""

    tables: int = 1_000_000
    evenings_a_week: float = 1.3
    hours: float = 3.5
    """The middle of an evening's length; some are a third longer or shorter."""
    seats: float = 5.0
    """Browsers at a table that plays: a GM, players, a screen now and then."""
    entries: int = 280
    """What a group does in an evening: one entry every 45 seconds."""
    regions: tuple[tuple[float, float], ...] = ((0.45, 1.0), (0.35, -6.0), (0.2, 9.0))
    """Shares of the tables, and the hours that their clocks are ahead of ours."""
    days: tuple[float, ...] = (0.6, 0.7, 0.8, 0.9, 1.5, 2.0, 1.4)
    """How often groups meet on each day, from Monday on."""
    begin: float = 19.5
    """The hour at which most begin; two thirds of them within an hour and a half of it."""
    sample: int = 40_000
    """Tables that are simulated; the others are as these are."""
    seed: int = 16


class Week(NamedTuple):
    """What was counted, for all tables."""

    live: list[int]
    """Tables that play, every five minutes."""
    evenings: int
    entries: int
    bursts: float
    """Entries in the busiest second of a table's evening, as a multiple of its mean."""

    @property
    def peak(self) -> int:
        """The most tables at once."""
        return max(self.live)

    @property
    def mean(self) -> float:
        """Tables at once, on average over the week."""
        return sum(self.live) / len(self.live)


def simulate(about: Assumptions) -> Week:
    """A week of a sample of tables, multiplied."""
    rng, times = Random(about.seed), about.tables / about.sample
    change = [0] * (MINUTES // STEP + 1)
    evenings, entries = 0, 0
    for _ in range(about.sample):
        for begin, length in _evenings(about, rng):
            evenings += 1
            entries += max(20, round(rng.lognormvariate(math.log(about.entries) - 0.125, 0.5)))
            for step in range(begin // STEP, (begin + length) // STEP):
                change[step % (MINUTES // STEP)] += 1
    live = [round(n * times) for n in change[:-1]]
    return Week(live, round(evenings * times), round(entries * times), _bursts(about, rng))


def _evenings(about: Assumptions, rng: Random) -> Iterator[tuple[int, int]]:
    """The evenings of one table: minute of the week at which each begins, and its length."""
    (ahead,) = rng.choices([ahead for _, ahead in about.regions], [share for share, _ in about.regions])
    for _ in range(_poisson(about.evenings_a_week, rng)):
        (day,) = rng.choices(range(7), about.days)
        hour = rng.gauss(about.begin, 1.5) - ahead
        length = rng.gauss(about.hours, about.hours / 3)
        yield round((day * 24 + hour) * 60) % MINUTES, round(max(1.0, length) * 60)


def _poisson(mean: float, rng: Random) -> int:
    """A number with this mean."""
    n, left = 0, rng.random()
    limit = math.exp(-mean)
    while left > limit:
        n, left = n + 1, left * rng.random()
    return n


def _bursts(about: Assumptions, rng: Random) -> float:
    """The busiest second of 2,000 tables together, as a multiple of the mean: people act in turns, several at once."""
    tables, seconds = 2_000, 600
    each = about.entries / (about.hours * 3600)
    counts = [0] * (seconds + 10)
    for _ in range(tables):
        at = rng.expovariate(each / 4)
        while at < seconds:
            for _ in range(_poisson(4, rng)):
                counts[int(at + rng.uniform(0, 8))] += 1
            at += rng.expovariate(each / 4)
    return max(counts[10:seconds]) / (tables * each)
