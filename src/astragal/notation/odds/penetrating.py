"""Exact odds of penetrating dice that are kept, dropped or matched one by one.

Later dice count less than first ones, so there are four kinds of dice. Of n first dice i go on, in C(n, i) ways; each
of these earns a die that stays in the end, and g more dice went on before, in C(i − 1 + g, g) orders. If later dice go
on with a single value, more of them than a window of ranks has room for change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

from astragal.dice.distribution import Distribution
from astragal.errors import Illegal
from astragal.notation.odds.die import ChainOdds, either
from astragal.notation.odds.earned import bounded, chance_of, levels, mixed_cases, most_earned
from astragal.notation.odds.pools import Kind, Window
from astragal.notation.term import Pick


def penetrating_odds(chain: ChainOdds, n: int, pick: Pick, up_to: int) -> Distribution[Any]:
    """Return the odds of what is picked of penetrating dice, all of which are dice of their own."""
    if chain.times:
        return mixed_cases(_times_cases(chain, n), pick)
    most, grows = _most(chain, n, pick, up_to)
    return mixed_cases(_endless_cases(chain, n, most, grows), pick, up_to if grows else None)


def _most(chain: ChainOdds, n: int, pick: Pick, up_to: int) -> tuple[int, bool]:
    """How many later dice that went on matter, and whether more of them always lead beyond the bound."""
    _, later_go = chain.next
    window = None if pick.pattern else bounded(pick, n)
    if window is None:
        return most_earned(ChainOdds(*chain.next, chain.total), pick, up_to)
    if len(later_go) > 1:
        raise Illegal(f"Penetrating dice that explode on several faces have no exact odds with {str(pick).strip()}, as "
                      "those that are earned are lower in several ways; compound them with !!p, or explode on one "
                      "face.")  # fmt: skip
    (ranks,) = window.stages
    assert isinstance(ranks, Window)
    return ranks.end or 0, False


def _endless_cases(chain: ChainOdds, n: int, most: int, grows: bool) -> Iterator[tuple[Fraction, list[Kind]]]:
    """Give each case with its chance: how many first dice go on, and how many later ones."""
    (stay, go), (later_stay, later_go) = (chain.stay, chain.go), chain.next
    for i in range(n + 1):
        first = [Kind(n - i, stay), Kind(i, go)]
        left = comb(n, i) * chance_of(first, chain.total)
        stays = left * chance_of([Kind(i, later_stay)], chain.total)
        for g in range(most + 1 if i else 1):
            chance = stays * (comb(i - 1 + g, g) if i else 1) * chance_of([Kind(g, later_go)], chain.total)
            if not grows and (g == most or not i):
                chance = left
            left -= chance
            yield chance, [*first, Kind(i, later_stay), Kind(g, later_go)]


def _times_cases(chain: ChainOdds, n: int) -> Iterator[tuple[Fraction, list[Kind]]]:
    """Give the same for dice that go on at most so many times; the last of them may show any face."""
    (stay, go), (later_stay, later_go) = (chain.stay, chain.go), chain.next
    dice = stay, go, later_stay, later_go, either(later_stay, later_go)
    for i in range(n + 1):
        for numbers, orders in levels(i, chain.times - 1).items():
            kinds = list(map(Kind, (n - i, i, *numbers), dice))
            yield comb(n, i) * orders * chance_of(kinds, chain.total), kinds
