"""Whether steps are good estimates: seconds of random questions beside the steps that were counted for them.

Each kind of question is asked in many sizes. A step is 50 ns; what is told is by which factor that was wrong. Run with
``python -m bench.estimates``; the machine should do nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

from astragal import odds
from astragal.dice.solver.keep import kept_odds
from astragal.dice.solver.lattice import best_rerolls
from astragal.dice.solver.product import vector_odds
from astragal.dice.solver.sets import highest_left, left_over, longest_straight, pairs_won, widest_match
from astragal.dice.solver.sums import sum_odds
from astragal.dice.work import Work, working
from astragal.errors import Refusal
from bench.memory import forget_all
from bench.peers.symbols import genesys

STEP = 50e-9
SMALL = 20_000
"""Steps of a millisecond: of a call below it the work around takes a good part, and nothing is told."""
Sizes = Callable[[Random], Callable[[], Any]]


def fair(sides: int) -> dict[int, int]:
    return dict.fromkeys(range(1, sides + 1), 1)


def odd(sides: int) -> dict[int, int]:
    return {value: value * value % 7 + 1 for value in range(sides)}


def size(random: Random, most: int) -> int:
    """Small numbers as often as large ones."""
    return int(most ** random.random() + 0.5)


def kept(random: Random, die: Callable[[int], dict[int, int]], most: int) -> Callable[[], Any]:
    n, sides = 1 + size(random, most), 1 + size(random, 60)
    keep, best = random.randint(1, n), random.random() < 0.5
    return lambda: kept_odds([(n, die(sides))], keep, best)


def _mixed_kept(random: Random) -> Callable[[], Any]:
    groups = [(size(random, 12), fair(1 + size(random, 40))) for _ in range(random.randint(2, 5))]
    keep = random.randint(1, sum(n for n, _ in groups))
    return lambda: kept_odds(groups, keep)


def _middle(random: Random) -> Callable[[], Any]:
    n, sides = 3 + size(random, 60), 1 + size(random, 30)
    skip = random.randint(1, n - 2)
    keep = random.randint(1, n - skip - 1)
    return lambda: kept_odds([(n, fair(sides))], keep, skip=skip)


def _mixed_middle(random: Random) -> Callable[[], Any]:
    groups = [(1 + size(random, 8), fair(1 + size(random, 15))) for _ in range(2)]
    return lambda: kept_odds(groups, 1, skip=1)


def _sums(random: Random) -> Callable[[], Any]:
    n, sides = size(random, 1000), 1 + size(random, 500)
    return lambda: sum_odds([(n, fair(sides))])


def _odd_sums(random: Random) -> Callable[[], Any]:
    groups = [(size(random, 60), odd(1 + size(random, 60))) for _ in range(random.randint(1, 3))]
    return lambda: sum_odds(groups)


def _long_sums(random: Random) -> Callable[[], Any]:
    groups = [(1, {value: random.randint(1, 9**9) for value in range(1 + size(random, 2000))}) for _ in range(2)]
    return lambda: sum_odds(groups)


def _mixed_sums(random: Random) -> Callable[[], Any]:
    groups = [(size(random, 40), fair(1 + size(random, 60))) for _ in range(random.randint(2, 5))]
    return lambda: sum_odds(groups)


def _vectors(random: Random) -> Callable[[], Any]:
    groups: list[tuple[int, dict[tuple[int, ...], int]]] = [
        (
            size(random, 15),
            {
                (random.randint(-2, 2), random.randint(0, 3), random.randint(0, 1)): random.randint(1, 3)
                for _ in range(random.randint(2, 6))
            },
        )
        for _ in range(random.randint(1, 3))
    ]
    return lambda: list(vector_odds(groups).weights)


def _symbols(random: Random) -> Callable[[], Any]:
    groups = genesys(*[size(random, 6) for _ in range(6)])
    return lambda: list(vector_odds(groups).weights)


def _pools(ask: Callable[[Any, Any], Any], most: int) -> Sizes:
    def sizes(random: Random) -> Callable[[], Any]:
        n, m, sides = size(random, most), size(random, most), 1 + size(random, 20)
        return lambda: ask((n, fair(sides)), (m, fair(sides)))

    return sizes


def _pool(ask: Callable[[Any], Any], most: int) -> Sizes:
    def sizes(random: Random) -> Callable[[], Any]:
        n, sides = size(random, most), 1 + size(random, 20)
        return lambda: ask((n, fair(sides)))

    return sizes


def _rerolls(random: Random) -> Callable[[], Any]:
    n, sides, times = size(random, 7), 1 + size(random, 8), random.randint(1, 3)
    return lambda: best_rerolls(n, fair(sides), times, sum)


def _notation(*texts: str) -> Sizes:
    def sizes(random: Random) -> Callable[[], Any]:
        text = random.choice(texts)
        numbers = {name: size(random, most) for name, most in (("n", 30), ("m", 30), ("k", 4))}
        sides = {name: 1 + size(random, 30) for name in ("s", "t")}
        asked = text.format(**numbers, **sides)
        return lambda: odds(asked)

    return sizes


QUESTIONS: dict[str, Sizes] = {
    "sums": _sums,
    "weighted sums": _odd_sums,
    "long sums": _long_sums,
    "mixed sums": _mixed_sums,
    "kept": lambda random: kept(random, fair, 300),
    "weighted kept": lambda random: kept(random, odd, 60),
    "mixed kept": _mixed_kept,
    "middle": _middle,
    "mixed middle": _mixed_middle,
    "vectors": _vectors,
    "symbols": _symbols,
    "widest match": _pool(widest_match, 30),
    "straights": _pool(longest_straight, 60),
    "pairs": _pools(pairs_won, 40),
    "highest left": _pools(highest_left, 15),
    "left over": _pools(left_over, 8),
    "rerolls": _rerolls,
    "pools that meet": _notation(
        "{n}d{s} keep>=2 vs {m}d{t}",
        "{k}d{s}dl1 cancel {m}d{t} keep>=2",
        "{k}d{s} > each {m}d{t}",
        "{k}d{s}unique kl2 vs {k}d{t}",
        "{k}d{s}unique kl1 cancel {m}d2kh1",
        "{{{k}d{s}, {m}d{t}}} distinct",
    ),
    "sets": _notation(
        *("{n}d{s} widest", "{n}d{s} pairs", "{n}d{s} matches3", "{n}d{s} distinct", "{k}d{s} unique kh2"),
        *("{{{n}d{s}, {k}d{t}}} matches", "{n}d{s} straight", "{n}d{s} doubles"),
    ),
    "mixed pools": _notation(
        *("{{{k}d{s}, {m}d{t}, 2d6}}kh{k}", "{{{k}d{s}, {m}d{t}}}dl1dh1", "{{{k} x 3d{s}, {k}d{t}}}kh2"),
        *("{{{k}d{s}, {m}d{t}}} count>=2", "{{{k}d{s}, {n}d{t}}} keep>=2 kh3"),
    ),
    "rolled numbers": _notation(
        "({k}d{s})d{t}",
        "({k}d{s}!)d{t}",
        "({k}d{s})d{t}!",
        "({k}d{s}!)d{t} count>=2",
        "({k}d{s}!!kh1)d{t}!",
        "{k}d({n})",
    ),
    "endless sets": _notation("{n}d{s}! unique", "{k}d{s}!>=2 distinct", "{k}d{s}! widest", "{k}d{s}! matches"),
    "endless pools": _notation(
        "{k}d{s}! vs {k}d{t}!", "{k}d{s}! > each {m}d{t}!", "{n}d{s} > each {m}d{t}!", "{k}d{s}! cancel {k}d{t}"
    ),
    "endless sums": _notation("{n}d{s}! + {m}d{t}!", "{n}d{s}!", "{n}d{s}!>={s}"),
    "endless comparisons": _notation("{n}d{s}! > {m}d{t}!", "{n}d{s}! >= {m}d{t}!p"),
    "endless kept": _notation(
        "{n}d{s}!!kh{k}", "{n}d{s}!kh{k}", "{{{k}d{s}!, {m}d{t}!}}kh2", "{{{k}d{s}!, {m}d{t}!}}kh{k}"
    ),
}


def measure(sizes: Sizes, times: int, seed: int) -> list[tuple[float, int]]:
    """Seconds of the processor and steps of random questions; those that are refused, and small ones, are left out."""
    random, found = Random(seed), []
    for _ in range(times):
        ask = sizes(random)
        best, steps = float("inf"), 0
        try:
            for _ in range(3):
                forget_all()
                with working(Work()) as work:
                    start = process_time()
                    ask()
                    best = min(best, process_time() - start)
                steps = work.spent
        except Refusal:
            continue
        if steps >= SMALL or best > SMALL * STEP:
            found.append((best, steps))
    return found


def main() -> None:
    for name in sys.argv[1:] or QUESTIONS:
        sizes = QUESTIONS[name]
        factors = sorted(seconds / (steps * STEP) for seconds, steps in measure(sizes, 60, 7))
        if factors:
            middle = factors[len(factors) // 2]
            print(f"{name:<22} {len(factors):3} asked   {factors[0]:5.2f} … {middle:5.2f} … {factors[-1]:5.2f}")


if __name__ == "__main__":
    main()
