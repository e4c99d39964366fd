"""Sums of what adds up die by die: a formula with ``flame - gust`` does not need the number of each.

Symbols add up, and so do the sum of dice and a count of them. A few sums have far fewer values than all their parts
together, so odds are found much faster.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import gcd
from typing import Any, NamedTuple

from astragal.notation.expression import (
    Binary,
    Comparison,
    Expression,
    Function,
    Name,
    Negative,
    Number,
    parts_of,
)
from astragal.written.formula import Formula


class SymbolSum(NamedTuple):
    """How often each part counts: ``flame + dawn - gust``, or ``body count=6 + craft count=6``."""

    times: tuple[tuple[str, int], ...]

    @property
    def name(self) -> str:
        """Its name in formulas."""
        terms = [f"{'+' if n > 0 else '-'} {'' if abs(n) == 1 else f'{abs(n)} * '}{symbol}" for symbol, n in self.times]
        return " ".join(terms).removeprefix("+ ")

    def of(self, counts: Mapping[str, int]) -> int:
        """The sum for these numbers of each part."""
        return sum([n * counts.get(symbol, 0) for symbol, n in self.times])


class Gathered:
    """Rewrites formulas to use sums of symbols and of ``dice``; keeps the sums and names that they use.

    With ``endless``, what is picked of other dice may have no end.
    """

    def __init__(self, symbols: Sequence[str], dice: Collection[str] = (), endless: bool = False) -> None:
        self.endless = endless
        self.sums: dict[str, SymbolSum] = {}
        self.units: dict[str, Name] = {symbol: Name(symbol) for symbol in symbols}
        """Everything that adds up, by its text."""
        self.used: dict[Name, None] = {}
        """All names in formulas, in their order."""
        self._dice = dice

    def formula(self, formula: Formula) -> Formula:
        """The same formula, with each sum as one name."""
        made = replace(formula, expression=self._expression(formula.expression), endless=self.endless)
        self.used |= dict.fromkeys(made.names())
        return made

    def _expression(self, given: Expression) -> Expression:
        if isinstance(given, Comparison):
            terms = self._terms(Binary("-", given.left, given.right))
            return Comparison(given.operator, self._sum(terms), Number(0)) if terms.symbols else self._inner(given)
        terms = self._terms(given)
        return self._sum(terms) if terms.symbols else self._inner(given)

    def _inner(self, given: Any) -> Expression:
        """The same with its parts rewritten."""
        parts = [self._expression(part) for part in parts_of(given)]
        if not parts:
            return given  # type: ignore[no-any-return]
        if isinstance(given, Function):
            return given._replace(arguments=tuple(parts))
        named = [field for field in given._fields if field not in ("operator", "name")]
        return given._replace(**dict(zip(named, parts, strict=True)))  # type: ignore[no-any-return]

    def _terms(self, given: Expression) -> _Terms:
        terms = _Terms({}, [])
        self._collect(given, 1, terms)
        return terms

    def _collect(self, given: Expression, times: int, into: _Terms) -> None:
        """Add the terms of a chain of sums and differences, each a number of times."""
        if isinstance(given, Name) and self._adds_up(given):
            into.symbols[str(given)] = into.symbols.get(str(given), 0) + times
        elif isinstance(given, Negative):
            self._collect(given.inner, -times, into)
        elif isinstance(given, Binary) and given.operator in ("+", "-"):
            self._collect(given.left, times, into)
            self._collect(given.right, times if given.operator == "+" else -times, into)
        elif isinstance(given, Binary) and given.operator == "*" and (n := _whole(given.left)) is not None:
            self._collect(given.right, times * n, into)
        elif isinstance(given, Binary) and given.operator == "*" and (n := _whole(given.right)) is not None:
            self._collect(given.left, times * n, into)
        else:
            into.others.append((times, given))

    def _adds_up(self, given: Name) -> bool:
        """True if it is a sum over the dice."""
        if given.name in self._dice and not given.pick.keeps and not given.pick.pattern:
            self.units.setdefault(str(given), given)
        return str(given) in self.units

    def _sum(self, terms: _Terms) -> Expression:
        ordered = [(unit, terms.symbols[unit]) for unit in self.units if terms.symbols.get(unit)]
        factor = gcd(*(n for _, n in ordered)) * (-1 if ordered and ordered[0][1] < 0 else 1)
        found: Expression = Number(0)
        if ordered:
            each = SymbolSum(tuple((symbol, n // factor) for symbol, n in ordered))
            self.sums[each.name] = each
            found = _times(factor, Name(each.name))
        for times, other in terms.others:
            found = Binary("+", found, _times(times, self._expression(other)))
        return found


class _Terms(NamedTuple):
    """A sum: the number of each part that adds up, and all other terms with their numbers."""

    symbols: dict[str, int]
    others: list[tuple[int, Expression]]


def _whole(given: Expression) -> int | None:
    return given.n if isinstance(given, Number) and isinstance(given.n, int) else None


def _times(n: int, given: Expression) -> Expression:
    return given if n == 1 else Binary("*", Number(n), given)
