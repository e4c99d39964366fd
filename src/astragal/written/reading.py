"""What a written game reads in a throw: all picks that its formulas make of its dice, together and exactly."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any, NamedTuple, TypeAlias

from astragal.dice.dice import Dice, Faces, Pool, refuse_short
from astragal.dice.distribution import Distribution
from astragal.dice.reading import Symbols
from astragal.dice.solver.cards import every_draw, ways_of
from astragal.errors import Illegal
from astragal.notation.endless import Endless
from astragal.notation.expression import Name
from astragal.notation.odds.law import listed
from astragal.notation.odds.terms import term_law
from astragal.notation.pool import throws_of
from astragal.notation.solve import MAX_UP_TO
from astragal.notation.term import Pick
from astragal.written.deck import NumberCards, SymbolCards
from astragal.written.formula import Formula, of_dice
from astragal.written.pools import NamedDice, SymbolDice
from astragal.written.symbols import SymbolSum

Plain: TypeAlias = NamedDice | NumberCards
"""Dice and cards with numbers."""
Worded: TypeAlias = SymbolDice | SymbolCards
"""Dice and cards with words."""


class Picked(NamedTuple):
    """Reads what formulas pick of named dice, and the sums of symbols that they use; the value has a part for each."""

    dice: tuple[Plain | Worded, ...]
    names: tuple[Name, ...]
    """The names of dice with what is picked of them."""
    sums: tuple[SymbolSum, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """What formulas call the parts of the value."""
        return (*map(str, self.names), *[each.name for each in self.sums])

    def only(self, formulas: Iterable[Formula]) -> Picked:
        """The same for what these formulas use."""
        used = {str(name) for formula in formulas for name in formula.names()}
        names = tuple(name for name in self.names if str(name) in used)
        return self._replace(names=names, sums=tuple(each for each in self.sums if each.name in used))

    def read(self, faces: Faces) -> tuple[Any, ...]:
        """The value of each pick, and of each sum of symbols."""
        shown = dict(zip(self.dice, faces, strict=True))
        values = {named.name: named.values(waves) for named, waves in shown.items() if isinstance(named, Plain)}
        picked = [of_dice(name.pick, values[name.name]) for name in self.names]
        return (*picked, *self._counted().read(tuple(waves for named, waves in shown.items() if _is_symbols(named))))

    def odds(self, pool: Pool, up_to: int) -> Distribution[tuple[Any, ...]]:
        """The exact odds of all of them together; dice of different names are independent."""
        refuse_short(pool)
        plain = [(named, dice) for named, dice in zip(self.dice, pool, strict=True) if isinstance(named, Plain)]
        rest = tuple(dice for named, dice in zip(self.dice, pool, strict=True) if _is_symbols(named))
        counted = self._counted().odds(rest, up_to)
        if not self.names:
            return counted
        each = [_odds_of(named, dice, self._picks(named), up_to) for named, dice in plain]
        each.append(counted)
        joint: dict[tuple[Any, ...], int] = {(): 1}
        for odds in each:
            joint = {(*left, right): a * b for left, a in joint.items() for right, b in odds.weights.items()}
        found: dict[tuple[Any, ...], int] = {}
        for parts, weight in joint.items():
            value = self._in_order([named.name for named, _ in plain], parts)
            found[value] = found.get(value, 0) + weight
        return Distribution(found, prod(odds.total for odds in each))

    def _picks(self, named: Plain) -> list[Pick]:
        return [name.pick for name in self.names if name.name == named.name]

    def _in_order(self, names: list[str], parts: Iterable[tuple[Any, ...]]) -> tuple[Any, ...]:
        *picked, symbols = (list(part) for part in parts)
        left = dict(zip(names, picked, strict=True))
        return (*[left[name.name].pop(0) for name in self.names], *symbols)

    def _counted(self) -> Symbols | _Nothing:
        dice = [named for named in self.dice if isinstance(named, Worded)]
        if not dice or not self.sums:
            return _Nothing()
        return Symbols(tuple(tuple(self._vector(named, face) for face in named.faces) for named in dice))

    def _vector(self, named: Worded, face: int) -> tuple[int, ...]:
        counts = named.counts(face)
        return tuple([each.of(counts) for each in self.sums])


class _Nothing(NamedTuple):
    """The reading of no dice at all."""

    def read(self, faces: Faces) -> tuple[int, ...]:
        return ()

    def odds(self, pool: Pool, up_to: int) -> Distribution[tuple[int, ...]]:
        return Distribution.certain(())


def _is_symbols(named: Plain | Worded) -> bool:
    return isinstance(named, Worded)


def _odds_of(named: Plain, dice: Dice, picks: list[Pick], up_to: int) -> Distribution[tuple[Any, ...]]:
    if isinstance(named, NamedDice) and named.explodes:
        return _endless_odds(named, dice.n, picks, up_to)
    if not picks or not dice.n:
        return Distribution.certain(tuple([of_dice(pick, ()) for pick in picks]))
    found: dict[tuple[Any, ...], int] = {}
    for throw, weight in _throws_of(named, dice).items():
        value = tuple([of_dice(pick, throw) for pick in picks])
        found[value] = found.get(value, 0) + weight
    return Distribution(found, ways_of((dice,)))


def _throws_of(named: Plain, dice: Dice) -> dict[tuple[Any, ...], int]:
    """Every different throw, or draw, with its weight."""
    if dice.cards:
        return every_draw(dice)
    values = [named.value(face) for face in range(1, named.sides + 1)]
    weights = {value: values.count(value) for value in values}
    return throws_of(dice.n, weights, sorted(weights))


def _endless_odds(named: NamedDice, n: int, picks: list[Pick], up_to: int) -> Distribution[tuple[Any, ...]]:
    """Dice without end are asked for one thing, as in notation; of several, their odds together are not known."""
    if not picks:
        return Distribution.certain(())
    if len(picks) > 1:
        shown = ", ".join(str(Name(named.name, pick)) for pick in picks)
        raise Illegal(f"{named.name} explodes without end: one thing that is read of it has exact odds, not several "
                      f"together ({shown}).")  # fmt: skip
    law = term_law(named.term._replace(n=n, pick=picks[0]), up_to)
    usual = min(law.reach, MAX_UP_TO) if isinstance(law, Endless) else 0
    return listed(law, max(up_to, usual)).map(lambda value: (value,))
