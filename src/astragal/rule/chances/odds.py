"""Odds: exact distributions of a roll before it is thrown.

A fact may have a closed form where that is much faster than solving the tree; tests compare both with every throw.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from astragal.dice.cache import cached, forget
from astragal.dice.distribution import Distribution
from astragal.errors import Illegal
from astragal.rule.chances.fact import NEVER, Fact, Policy, fact_of, facts_of, quick_facts
from astragal.rule.chances.open_roll import Own
from astragal.rule.chances.solve import Solver
from astragal.rule.game import Kind, kind_of
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Node

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
    if not isinstance(policy, Policy):
        return _by_own(what, of, policy, up_to)
    if isinstance(of, str) and isinstance(what, Ask):
        quick = quick_facts.get((type(what), of))
        if quick and policy is NEVER and up_to is UP_TO:
            return quick(what, up_to)
        return _asked(what, of, policy, up_to)
    results = _asked(what, "", policy, up_to) if isinstance(what, Ask) else _solved(what, policy, up_to)
    return results.map(of) if callable(of) else results


def _by_own(what: Ask | Node[Any], of: str | Callable[[Any], Hashable], own: Own, up_to: int) -> Distribution[Any]:
    ask = what if isinstance(what, Ask) else None
    fact = fact_of(kind_of(ask), of) if ask and isinstance(of, str) and of else None
    results = _solved(kind_of(what).rule(what) if isinstance(what, Ask) else what, own, up_to)
    if fact:
        return fact.ordered(fact.of_results(results, up_to), ask)
    return results.map(of) if callable(of) else results


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
def _asked(ask: Ask, of: str, policy: Policy, up_to: int) -> Distribution[Any]:
    """Cached: equal questions are solved once."""
    if up_to is not UP_TO:
        _check_up_to(up_to)
    kind = kind_of(ask)
    if not of:
        return _solved(kind.rule(ask), policy, up_to)
    fact = fact_of(kind, of)
    return fact.ordered(_of_fact(fact, ask, policy, up_to), ask)


def _of_fact(fact: Fact, ask: Ask, policy: Policy, up_to: int) -> Distribution[Any]:
    """By the closed form that the fact has for this policy, or from all results."""
    if fact.closed and policy.name == "never":
        return fact.closed(ask, up_to)
    planned = fact.planned(ask, up_to, policy) if fact.planned and policy.wish else None
    return fact.of_results(_asked(ask, "", policy, up_to), up_to) if planned is None else planned


def _solved(node: Node[Any], policy: Policy | Own, up_to: int) -> Distribution[Any]:
    _check_up_to(up_to)
    return Solver(policy, up_to).solve(node).results


def _check_up_to(up_to: int) -> None:
    if type(up_to) is not int or not 0 <= up_to <= MAX_UP_TO:
        raise Illegal(f"up-to is {str(up_to)[:20]}; it must be a whole number from 0 to {MAX_UP_TO:,}.")
