"""Odds: exact distributions of a roll before it is thrown.

A fact may have a closed form where that is much faster than solving the tree; tests compare both with every throw.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeGuard

from astragal.dice.cache import cached, forget
from astragal.dice.dice import Pool, refuse_short
from astragal.dice.distribution import Distribution
from astragal.dice.parts import by_need
from astragal.errors import Illegal
from astragal.rule.chances.fact import NEVER, Fact, Policy, fact_of, facts_of, one_part
from astragal.rule.chances.open_roll import Own
from astragal.rule.chances.solve import Solver, Squares, has_parts
from astragal.rule.game import Kind, kind_of
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Node, Throw

__all__ = ["all_odds", "forget", "odds"]

UP_TO = 20
"""Highest count shown on its own, by default; higher ones count as one value."""
MAX_UP_TO = 1000
"""Upper limit of ``up_to``; bounds the size of an answer."""
REMEMBERED = 4096
"""Distributions in the cache."""


def odds(
    what: Ask | Node[Any],
    of: str | Callable[[Any], Hashable] = "",
    *,
    policy: Policy | Own = NEVER,
    up_to: int = UP_TO,
) -> Distribution[Any]:
    """The exact distribution of whole results, of a fact by name, or of any function of a result.

    Endless counts above ``up_to`` are one value. Odds by a policy of one's own are not cached: what a function
    answers may depend on more than its open roll.
    """
    kind: type[Any] = type(what)
    one = one_part.get((kind, of)) if policy is NEVER and type(of) is str else None
    thrown = one and one.thrown(what)
    if one and thrown:
        # Equal throws have equal odds of a part, whatever else was put in: it takes longer to look the ask up.
        pool, reading = thrown
        found = _part_odds(pool, reading, one.part, up_to)
        return found if found.order else one.fact.ordered(found, what)
    if not isinstance(policy, Policy):
        return _by_own(what, of, policy, up_to)
    if isinstance(of, str) and isinstance(what, Ask):
        return _asked(what, of, policy, up_to)
    if not callable(of):
        return _solved(what, policy, up_to)
    if isinstance(what, Ask) and not _in_parts(_first(kind_of(what).rule(what))):
        return _asked(what, "", policy, up_to).map(of)
    return _solved(what, policy, up_to, of)


def _by_own(what: Ask | Node[Any], of: str | Callable[[Any], Hashable], own: Own, up_to: int) -> Distribution[Any]:
    if not (isinstance(what, Ask) and isinstance(of, str) and of):
        return _solved(what, own, up_to, of if callable(of) else None)
    fact = fact_of(kind_of(what), of)
    return fact.ordered(fact.cut(_solved(what, own, up_to, fact.of), up_to), what)


def all_odds(ask: Ask, policy: Policy | Own = NEVER, up_to: int = UP_TO) -> dict[str, Distribution[Any]]:
    """The odds of every fact; for a game without facts, of every field of the result."""
    named = facts_of(kind_of(ask))
    if named and isinstance(policy, Policy):
        return {name: odds(ask, name, policy=policy, up_to=up_to) for name in named}
    return results_odds(kind_of(ask), ask, odds(ask, policy=policy, up_to=up_to), up_to)


def results_odds(kind: Kind, ask: Ask, results: Distribution[Any], up_to: int = UP_TO) -> dict[str, Distribution[Any]]:
    """The odds of every fact, or of every field, given those of whole results."""
    if facts := facts_of(kind):
        return {name: fact.ordered(fact.of_results(results, up_to), ask) for name, fact in facts.items()}
    fields = getattr(next(iter(results)), "_fields", ())
    return {name: results.map(lambda result, name=name: getattr(result, name)) for name in fields}  # type: ignore[misc]


@cached(REMEMBERED)
def _part_odds(pool: Pool, reading: Any, part: str, up_to: int) -> Distribution[Any]:
    """The odds of one part of a throw."""
    if up_to is not UP_TO:
        _check_up_to(up_to)
    found: Distribution[Any] = reading.odds_of((part,), pool, up_to)
    return found


@cached(REMEMBERED)
def _asked(ask: Ask, of: str, policy: Policy, up_to: int) -> Distribution[Any]:
    """Cached: equal questions are solved once."""
    if up_to is not UP_TO:
        _check_up_to(up_to)
    kind = kind_of(ask)
    if not of:
        return _solved(ask, policy, up_to, None, _key(kind, of, policy))
    fact = fact_of(kind, of)
    return fact.ordered(_of_fact(kind, of, ask, policy, up_to), ask)


def _of_fact(kind: Kind, name: str, ask: Ask, policy: Policy, up_to: int) -> Distribution[Any]:
    """By the closed form that the fact has for this policy, by what it needs of the dice, or from all results."""
    fact = fact_of(kind, name)
    never = policy.name == "never"
    if fact.closed and never:
        return fact.closed(ask, up_to)
    planned = fact.planned(ask, up_to, policy) if fact.planned and policy.wish else None
    if planned is not None:
        return planned
    node: Any = _first(kind.rule(ask))
    counted = fact.tallies or (isinstance(node, Throw) and (node.gives is not None or node.rivals))
    if not counted and not _in_parts(node):
        return fact.of_results(_asked(ask, "", policy, up_to), up_to)
    if not counted and fact.read and never:
        refuse_short(node.pool)
        read: Distribution[Any] = node.reading.odds_of(fact.read, node.pool, up_to)
        return read
    return fact.cut(_solved(node, policy, up_to, fact if counted else fact.of, _key(kind, name, policy)), up_to)


def _first(node: Node[Any]) -> Node[Any]:
    """The dice with which a roll begins; all of them, where several throws are the same as one."""
    return node.together or node if isinstance(node, Throw) else node


def _in_parts(node: Node[Any]) -> TypeGuard[Any]:
    """True if the roll begins with dice that can be read in parts; otherwise all facts share its whole results."""
    return isinstance(node, Throw) and (node.push is not None or has_parts(node))


def _key(kind: Kind, name: str, policy: Policy) -> Hashable:
    """What is remembered of what a question needs; another wish of the same name may need more, and says so."""
    return kind.ask, name, policy.name, policy.wish and policy.wish.name, policy.offers


def _solved(
    what: Ask | Node[Any],
    policy: Policy | Own,
    up_to: int,
    of: Callable[[Any], Hashable] | Fact | None = None,
    key: Hashable = None,
) -> Distribution[Any]:
    """The odds of what is asked of results, from no more of the dice than it needs."""
    _check_up_to(up_to)
    node = kind_of(what).rule(what) if isinstance(what, Ask) else what

    def solve(parts: frozenset[str]) -> Distribution[Any]:
        solved = Solver(policy, up_to, of, parts).solve(node)
        if solved.moments is None:
            return solved.results
        return Distribution(solved.results.weights, solved.results.total, Squares(solved.moments))

    found, needed = by_need(solve, _needed.get(key, NOTHING))
    if key is not None:
        _needed[key] = needed
    return found


NOTHING: frozenset[str] = frozenset()
_needed: dict[Hashable, frozenset[str]] = {}
"""The parts of the dice that a question needed the last time, by kind, fact and policy."""


def _check_up_to(up_to: int) -> None:
    if type(up_to) is not int or not 0 <= up_to <= MAX_UP_TO:
        raise Illegal(f"up-to is {str(up_to)[:20]}; it must be a whole number from 0 to {MAX_UP_TO:,}.")
