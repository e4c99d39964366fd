"""The highest die left after cancelling, from cumulated throws.

No die of ours above h is left if at each value above h we show no more dice than they do.
With B(v) = Σ_{i≤k} n!/i!·m!/k!·(uy)^i·(wz)^k for the weights u and w of a value v, the
throws of the dice above h are the product of the B(v), divided by n!·m! after each
factor; the others lie at h or below.
"""

from __future__ import annotations

from math import factorial
from operator import mul

from astragal.dice.estimates import refuse_bytes
from astragal.dice.solver.sums import Group


def left_weights(ours: Group, theirs: Group) -> tuple[dict[int | None, int], int]:
    """Return the weights of our highest die that is left, None if none is, and their total."""
    (n, mine), (m, other) = ours, theirs
    values = sorted(mine.keys() | other.keys(), reverse=True)
    scale = factorial(n) * factorial(m)
    below, under = sum(mine.values()), sum(other.values())
    total = below**n * under**m
    # A product also has slots for more dice than there are; they are dropped, but must not run over.
    bits = (total * total * scale**2).bit_length() + 2
    row = 2 * m + 1
    refuse_bytes(2 * bits * (n + 1) * row // 8)
    kept = sum([((1 << (bits * (m + 1))) - 1) << (bits * i * row) for i in range(n + 1)])
    slots = [bits * (i * row + k) for i in range(n + 1) for k in range(m + 1)]
    mask = (1 << bits) - 1
    packed, before = scale, total
    found: dict[int | None, int] = {}
    factors: dict[tuple[int, int], int] = {}
    for value in values:
        u, w = mine.get(value, 0), other.get(value, 0)
        if (u, w) not in factors:
            factors[u, w] = _factor((n, m), (u, w), bits, row)
        packed = ((packed * factors[u, w]) & kept) // scale
        below, under = below - u, under - w
        ways = sum(map(mul, [(packed >> at) & mask for at in slots], _rest(n, m, below, under))) // scale
        found[value] = before - ways
        before = ways
    found[None] = before
    return {value: ways for value, ways in found.items() if ways}, total


def _factor(counts: tuple[int, int], weights: tuple[int, int], bits: int, row: int) -> int:
    """B of a value with these weights."""
    (n, m), (u, w) = counts, weights
    ours = [factorial(n) // factorial(i) * u**i for i in range(n + 1)]
    theirs = [factorial(m) // factorial(k) * w**k for k in range(m + 1)]
    return sum([ours[i] * theirs[k] << (bits * (i * row + k)) for i in range(n + 1) for k in range(i, m + 1)])


def _rest(n: int, m: int, below: int, under: int) -> list[int]:
    """For each number of dice above: in how many ways the others lie below."""
    ours = [factorial(n) // factorial(n - i) * below ** (n - i) for i in range(n + 1)]
    theirs = [factorial(m) // factorial(m - k) * under ** (m - k) for k in range(m + 1)]
    return [a * b for a in ours for b in theirs]
