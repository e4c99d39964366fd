"""Random expressions over the whole grammar of dice notation, for property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from astragal.notation.condition import Limit, Listed, Parity, Test
from astragal.notation.expression import (
    Binary,
    Cancel,
    Comparison,
    Each,
    Expression,
    Function,
    Group,
    If,
    Let,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Sets,
    Total,
    Versus,
    spreads,
)
from astragal.notation.term import DiceTerm, Explode, Face, Keep, Pick, Replace, Reroll, Score

OPERATORS = (">=", "<=", ">", "<", "==", "!=")
RANKS = ("kh", "kl", "dh", "dl")
PATTERNS = ("doubles", "widest", "pairs", "matches", "straight", "distinct")


@st.composite
def tests_of(draw: Any, values: list[int], every: bool = True) -> Test:
    """A condition that some face meets and, unless ``every``, some face does not."""
    kind = draw(st.sampled_from(("limit", "limit", "listed", "parity")))
    found: Test
    if kind == "limit":
        found = Limit(draw(st.sampled_from(OPERATORS)), draw(st.sampled_from(values)))
    elif kind == "listed":
        found = Listed(tuple(draw(st.lists(st.sampled_from(values), min_size=2, max_size=3))))
    else:
        found = Parity(draw(st.booleans()))
    holds = [found.holds(value) for value in values]
    if not any(holds) or (not every and all(holds)):
        return Limit("==", draw(st.sampled_from(values)))
    return found


@st.composite
def keeps_of(draw: Any, values: list[int]) -> Keep:
    """One step of keeping or dropping."""
    kind = draw(st.sampled_from((*RANKS, *RANKS, "keep", "drop", "unique")))
    if kind == "unique":
        return Keep(kind)
    if kind in ("keep", "drop"):
        return Keep(kind, 0, draw(tests_of(values)))
    return Keep(kind, draw(st.integers(0, 4)))


@st.composite
def picks(draw: Any, values: list[int]) -> Pick:
    """What is kept and counted of dice with these values."""
    keeps = tuple(draw(st.lists(keeps_of(values), max_size=2))) if draw(st.booleans()) else ()
    end = draw(st.sampled_from(("", "", "count", "pattern")))
    if end == "count":
        scores = [Score(1, draw(tests_of(values)))]
        if draw(st.booleans()):
            scores.append(Score(-1, draw(tests_of(values))))
        return Pick(keeps, tuple(scores))
    if end == "pattern":
        pattern = draw(st.sampled_from(PATTERNS))
        return Pick(keeps, (), pattern, draw(st.sampled_from((0, 3))) if pattern == "matches" else 0)
    return Pick(keeps)


@st.composite
def dice(draw: Any, explode: bool = True, most: int = 4, sides: int = 5) -> DiceTerm:
    """Dice with all kinds of modifiers."""
    faces: tuple[Face, ...] = ()
    fate = draw(st.integers(0, 9)) == 0
    if not fate and draw(st.integers(0, 5)) == 0:
        faces = tuple(Face(value) for value in draw(st.lists(st.integers(-2, 4), min_size=2, max_size=4)))
    n = draw(st.integers(1, most))
    term = DiceTerm(n, 3 if fate else len(faces) or draw(st.integers(2, sides)), faces, fate)
    values = term.values()
    single = len(set(values)) == 1
    if draw(st.integers(0, 3)) == 0 and not single:
        term = term._replace(reroll=Reroll(draw(tests_of(values, every=False)), draw(st.integers(1, 2))))
    change = draw(st.integers(0, 5))
    if change == 0:
        term = term._replace(replace=Replace(draw(st.booleans()), draw(st.integers(0, 2))))
    elif change == 1 and explode and not single:
        test = draw(tests_of(values, every=False))
        compound = draw(st.booleans())
        times = draw(st.integers(1, 2))
        term = term._replace(explode=Explode(test, compound, draw(st.booleans()), times))
    if draw(st.integers(0, 5)) == 0:
        term = term._replace(least=draw(st.integers(0, 3)))
    if draw(st.integers(0, 5)) == 0:
        term = term._replace(most=draw(st.integers(2, 4)))
    free = term.explode is not None and term.explode.compound
    return term._replace(pick=draw(picks(values if free else [term.limited(value) for value in values])))


@st.composite
def rolled(draw: Any) -> DiceTerm:
    """Dice whose number or sides are rolled themselves."""
    inner = DiceTerm(1, draw(st.integers(2, 3)))
    sides = draw(st.integers(2, 4))
    keeps = draw(st.sampled_from(((), (Keep("kh", 1),), (Keep("dl", 1),))))
    if draw(st.booleans()):
        return DiceTerm(inner, sides, pick=Pick(keeps))
    return DiceTerm(draw(st.integers(1, 3)), inner, pick=Pick(keeps))


@st.composite
def named(draw: Any) -> DiceTerm:
    """Dice with words on their faces, of which some are counted, kept or matched."""
    words = draw(st.lists(st.sampled_from(("hit", "miss", "edge")), min_size=2, max_size=4))
    some = Listed(tuple(draw(st.lists(st.sampled_from(words), min_size=1, max_size=2))))
    keeps = (Keep(draw(st.sampled_from(("keep", "drop"))), 0, some),) if draw(st.booleans()) else ()
    pick = draw(
        st.sampled_from((Pick(keeps, (Score(1, some),)), Pick(keeps, (), "distinct"), Pick(keeps, (), "widest")))
    )
    return DiceTerm(draw(st.integers(1, 3)), len(words), tuple(map(Face, words)), pick=pick)


@st.composite
def quotients(draw: Any, inner: Any) -> Binary:
    """A value divided by a number, what is left then, or a small power."""
    operator = draw(st.sampled_from(("/", "%", "**")))
    return Binary(operator, draw(inner), Number(draw(st.integers(1, 2 if operator == "**" else 4))))


KINDS = ("binary", "comparison", "group", "if", "let", "function", "logic", "negative", "pools")
NUMBERS = st.integers(0, 9).map(Number)


@st.composite
def expressions(draw: Any, depth: int = 3, names: tuple[str, ...] = (), explode: bool = True) -> Expression:
    """Any expression, but for games."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        leaves = [dice(explode), dice(explode), rolled(), named(), NUMBERS]
        if names:
            leaves.append(st.sampled_from(names).map(Name))
        return draw(st.one_of(leaves))  # type: ignore[no-any-return]
    inner = expressions(depth - 1, names, explode)
    pool = dice(explode, most=3, sides=4).map(lambda term: term._replace(pick=Pick(term.pick.keeps)))
    kind = draw(st.sampled_from(KINDS))
    if kind == "binary":
        if draw(st.integers(0, 2)) == 0:
            return draw(quotients(inner))  # type: ignore[no-any-return]
        return Binary(draw(st.sampled_from(("+", "-", "*"))), draw(inner), draw(inner))
    if kind == "comparison":
        return Comparison(draw(st.sampled_from(OPERATORS)), draw(inner), draw(inner))
    if kind == "group":
        return _group(draw, inner, pool)
    if kind == "if":
        return If(draw(inner), draw(inner), draw(inner))
    if kind == "let":
        return Let("a", draw(inner), draw(expressions(depth - 1, ("a", *names), explode)))
    if kind == "function":
        name = draw(st.sampled_from(("min", "max", "abs")))
        return Function(name, (draw(inner),) if name == "abs" else (draw(inner), draw(inner)))
    if kind == "logic":
        if draw(st.booleans()):
            return Not(draw(inner))
        return Logic(draw(st.sampled_from(("and", "or"))), draw(inner), draw(inner))
    if kind == "negative":
        return Negative(draw(inner))
    meet = draw(st.sampled_from(("versus", "cancel", "each")))
    if meet == "versus":
        return Versus(draw(st.sampled_from(OPERATORS)), draw(pool), draw(pool))
    return (
        Cancel(draw(pool), draw(pool))
        if meet == "cancel"
        else Each(draw(st.sampled_from(OPERATORS)), draw(inner), draw(pool))
    )


def _group(draw: Any, inner: Any, pool: Any) -> Expression:
    parts: list[Expression] = []
    for _ in range(draw(st.integers(2, 3))):
        part = draw(st.one_of(pool, inner))
        if spreads(part) and draw(st.booleans()):
            part = Total(part)
        if draw(st.integers(0, 5)) == 0 and not isinstance(part, (Total, Sets)):
            part = Sets(2, part)
        parts.append(part)
    return Group(tuple(parts), draw(picks(_values_of(parts))))


def _values_of(parts: list[Expression]) -> list[int]:
    """Values that a test of a group may ask for: some value must be able to meet it."""
    found: set[int] = set()
    for part in parts:
        if isinstance(part, Number) and isinstance(part.n, int):
            found.add(part.n)
        elif isinstance(part, DiceTerm) and isinstance(part.sides, int) and spreads(part) and not part.explode:
            found |= {part.limited(value) for value in part.values()}
        else:
            return [1, 2, 3, 4, 5]
    return sorted(found)


@st.composite
def shared(draw: Any, depth: int = 2) -> Expression:
    """Expressions that most tools know: dice with rerolls, limits and ranks, arithmetic, comparisons and groups."""
    if depth == 0:
        return draw(st.one_of(shared_dice(), shared_dice(), st.integers(1, 9).map(Number)))  # type: ignore[no-any-return]
    inner = shared(depth - 1)
    kind = draw(st.sampled_from(("dice", "arithmetic", "quotient", "comparison", "negative", "group", "limits")))
    if kind == "dice":
        return draw(shared_dice())  # type: ignore[no-any-return]
    if kind == "arithmetic":
        return Binary(draw(st.sampled_from(("+", "-", "*"))), draw(inner), draw(inner))
    if kind == "quotient":
        return Binary(draw(st.sampled_from(("/", "%"))), draw(inner), Number(draw(st.integers(1, 4))))
    if kind == "comparison":
        return Comparison(draw(st.sampled_from(OPERATORS)), draw(inner), draw(inner))
    if kind == "negative":
        return Negative(draw(inner))
    if kind == "limits":
        return Function(draw(st.sampled_from(("min", "max"))), (draw(inner), draw(inner)))
    parts = draw(st.lists(st.one_of(shared_dice(), inner.map(_one_value)), min_size=2, max_size=3))
    return Group(tuple(parts), Pick(draw(ranks())))


def _one_value(x: Expression) -> Expression:
    return Total(x) if spreads(x) else x


@st.composite
def ranks(draw: Any) -> tuple[Keep, ...]:
    """At most one step of keeping or dropping by rank."""
    return (Keep(draw(st.sampled_from(RANKS)), draw(st.integers(1, 3))),) if draw(st.booleans()) else ()


@st.composite
def shared_dice(draw: Any) -> DiceTerm:
    """A few dice that are rerolled, limited, exploded once or twice, and kept or dropped."""
    term = DiceTerm(draw(st.integers(1, 4)), draw(st.integers(2, 6)))
    change = draw(st.sampled_from(("", "", "reroll", "limits", "explode")))
    if change == "reroll":
        test = Limit(draw(st.sampled_from(("==", "<"))), 2)
        term = term._replace(reroll=Reroll(test, draw(st.integers(0, 1))))
    elif change == "limits":
        term = term._replace(least=2, most=draw(st.sampled_from((None, 3))))
    elif change == "explode":
        term = term._replace(explode=Explode(Limit("==", term.values()[-1]), True, times=draw(st.integers(1, 2))))
    return term._replace(pick=Pick(draw(ranks())))


@st.composite
def endless_dice(draw: Any) -> DiceTerm:
    """Dice that explode without end, with what else can be asked of them."""
    sides = draw(st.integers(2, 4))
    term = DiceTerm(draw(st.integers(1, 2)), sides)
    values = term.values()
    test = Limit("==", draw(st.sampled_from((values[-1], values[-1], values[0]))))
    if sides > 2 and draw(st.integers(0, 3)) == 0:
        test = Limit(">=", values[-2])
    term = term._replace(explode=Explode(test, draw(st.booleans()), draw(st.integers(0, 3)) == 0))
    if draw(st.integers(0, 5)) == 0:
        term = term._replace(reroll=Reroll(Limit("==", values[0]), 1))
    return term._replace(pick=draw(st.one_of(st.just(Pick()), picks(values))))


@st.composite
def endless(draw: Any) -> Expression:
    """Dice that explode without end, alone, or together with others in every way."""
    one = endless_dice()
    pool = one.map(lambda term: term._replace(pick=Pick()))
    two = st.one_of(one, dice(False, most=2, sides=3), st.integers(1, 4).map(Number))
    kind = draw(st.sampled_from(("dice", "dice", *KINDS)))
    if kind == "dice":
        return draw(one)  # type: ignore[no-any-return]
    if kind == "binary":
        if draw(st.integers(0, 3)) == 0:
            return Binary(draw(st.sampled_from(("/", "%"))), draw(one), Number(draw(st.integers(2, 3))))
        return Binary(draw(st.sampled_from(("+", "-", "*"))), draw(one), draw(two))
    if kind == "comparison":
        return Comparison(draw(st.sampled_from(OPERATORS)), draw(one), draw(two))
    if kind == "group":
        return Group((draw(pool), draw(two)), draw(picks([1, 2, 3, 4])))
    if kind == "if":
        return If(Comparison(">=", draw(dice(False, most=1)), Number(2)), draw(one), draw(two))
    if kind == "let":
        return Let("a", draw(one), Binary("+", Name("a"), draw(st.sampled_from((Name("a"), Number(1))))))
    if kind == "function":
        return Function(draw(st.sampled_from(("min", "max"))), (draw(one), draw(two)))
    if kind == "logic":
        return Logic("and", Comparison(">", draw(one), Number(2)), Comparison("<", draw(two), Number(3)))
    if kind == "negative":
        return Negative(draw(one))
    meet = draw(st.sampled_from(("versus", "cancel", "each")))
    other = dice(False, most=2, sides=3).map(lambda term: term._replace(pick=Pick()))
    if meet == "versus":
        return Versus(draw(st.sampled_from(OPERATORS)), draw(pool), draw(st.one_of(pool, other)))
    return Cancel(draw(pool), draw(other)) if meet == "cancel" else Each(">", draw(one), draw(other))
