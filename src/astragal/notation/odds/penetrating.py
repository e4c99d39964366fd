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

from astragal.dice.distribution import Beyond, Distribution
from astragal.errors import Illegal
from astragal.notation.odds.die import ChainOdds, Weights
from astragal.notation.odds.earned import bounded, levels, most_earned, of_chances
from astragal.notation.odds.pools import Kind, Window, pick_odds
from astragal.notation.term import Pick


def penetrating_odds(chain: ChainOdds, n: int, pick: Pick, up_to: int) -> Distribution[Any]:
    """Return the odds of what is picked of penetrating dice, all of which are dice of their own."""
    if chain.times:
        cases, grows = _times_cases(chain, n), False
    else:
        most, grows = _most(chain, n, pick, up_to)
        cases = _endless_cases(chain, n, most, grows)
    found: dict[Any, Fraction] = {}
    seen = Fraction(0)
    for chance, kinds in cases:
        seen += chance
        for value, share in pick_odds(kinds, pick).items():
            key = Beyond(up_to) if grows and value > up_to else value
            found[key] = found.get(key, Fraction(0)) + chance * share
    if grows:
        found[Beyond(up_to)] = found.get(Beyond(up_to), Fraction(0)) + 1 - seen
    return of_chances(found)


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
        first = comb(n, i) * _chance(stay, chain.total) ** (n - i) * _chance(go, chain.total) ** i
        kinds = [_kind(stay, n - i), _kind(go, i), _kind(later_stay, i)]
        left = first
        for g in range(most + 1 if i else 1):
            chance = first * comb(i - 1 + g, g) if i else first
            chance *= _chance(later_stay, chain.total) ** i * _chance(later_go, chain.total) ** g
            if not grows and (g == most or not i):
                chance = left
            left -= chance
            yield chance, [*kinds, _kind(later_go, g)]


def _times_cases(chain: ChainOdds, n: int) -> Iterator[tuple[Fraction, list[Kind]]]:
    """Give the same for dice that go on at most so many times; the last of them may show any face."""
    (stay, go), (later_stay, later_go) = (chain.stay, chain.go), chain.next
    whole = dict(later_stay)
    for value, weight in later_go.items():
        whole[value] = whole.get(value, 0) + weight
    for i in range(n + 1):
        first = comb(n, i) * _chance(stay, chain.total) ** (n - i) * _chance(go, chain.total) ** i
        for (stays, goes, last), orders in levels(i, chain.times - 1).items():
            chance = first * orders * _chance(later_stay, chain.total) ** stays * _chance(later_go, chain.total) ** goes
            kinds = [(stay, n - i), (go, i), (later_stay, stays), (later_go, goes), (whole, last)]
            yield chance, [_kind(weights, number) for weights, number in kinds]


def _chance(weights: Weights, total: int) -> Fraction:
    return Fraction(sum(weights.values()), total)


def _kind(weights: Weights, n: int) -> Kind:
    return Kind(weights, sum(weights.values()), n)
