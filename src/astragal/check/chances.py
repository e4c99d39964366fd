"""Checks of a game's odds: facts and wishes are where their roll finds them, and closed forms equal the tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from astragal.check.mistake import Mistake, tried
from astragal.check.parts import part_mistakes
from astragal.check.trees import asks_of
from astragal.dice.estimates import CHECK_TREE, trees_up_to
from astragal.errors import Refusal
from astragal.explain.tones import tone_odds
from astragal.rule.chances.fact import Fact, Policy, Wish, facts_of, module_of, wishes_of
from astragal.rule.chances.odds import odds
from astragal.rule.game import Game, Kind
from astragal.rule.tree.node import Throw

TABLES = {"FACTS": Fact, "WISHES": Wish}
UP_TO = 12


def odds_mistakes(game: Game) -> Iterator[Mistake]:
    """Modules, facts and wishes, then what they give."""
    for kind in game.kinds.values():
        where = f"roll {kind.name}, odds"
        if not kind.odds:
            if kind.decisions:
                yield Mistake(where, "it has decisions, and no module with FACTS and WISHES, so nobody can be advised.")
            continue
        module = list(tried(where, f'importing "{kind.odds}"', _module(game, kind, where)))
        yield from module
        if not module:
            yield from tried(where, "computing them", _answers(game, kind, where))


def _module(game: Game, kind: Kind, where: str) -> Iterator[Mistake]:
    module = module_of(kind.odds)
    for name, made_of in TABLES.items():
        table = getattr(module, name, None)
        if not isinstance(table, Mapping):
            yield Mistake(where, f"{kind.odds} needs {name}: for each roll, names with a {made_of.__name__} each.")
            continue
        for key in table:
            if key not in game.kinds:
                yield Mistake(where, f'{name} has a part "{key}", and no roll has this name ({", ".join(game.kinds)}).')
        if name == "FACTS" and not table.get(kind.name):
            yield Mistake(where, f"FACTS has no part {kind.name}.")
        if name == "WISHES" and not table.get(kind.name) and kind.decisions:
            yield Mistake(where, f"WISHES has no part {kind.name}; advice needs to know what to hope for.")
        for key, value in table.get(kind.name, {}).items():
            if not isinstance(value, made_of):
                yield Mistake(where, f"{name}, {key}: it is a {type(value).__name__}, not a {made_of.__name__}.")
            else:
                yield from part_mistakes(value, f"{where}, {name}, {key}")


def _answers(game: Game, kind: Kind, where: str) -> Iterator[Mistake]:
    for ask in asks_of(game, kind):
        try:
            with trees_up_to(CHECK_TREE):
                results = odds(ask, up_to=UP_TO)
        except Refusal:
            continue  # too much work for a check, or a reading whose odds are closed forms only
        yield from _shortcuts(kind.rule(ask), ask, results, where)
        for name, fact in facts_of(kind).items():
            yield from _fact(name, fact, ask, results, where)
            yield from _planned(name, fact, kind, ask, where)
        for wish in wishes_of(kind).values():
            worths = {wish.worth(result) for result in results}
            if not wish.counts and not worths <= {0, 1}:
                yield Mistake(where, f'the wish "{wish.name}" is worth {sorted(worths)}; say counts=True, or 0 and 1.')
        with trees_up_to(CHECK_TREE):
            tone_odds(ask)


def _shortcuts(node: Any, ask: Any, results: Any, where: str) -> Iterator[Mistake]:
    """What a throw says of itself for odds alone is what its rule gives, throw by throw."""
    if not isinstance(node, Throw):
        return
    without = {"so_far": node._replace(so_far=None), "together": node._replace(together=None)}
    for name, by_rule in ((name, by_rule) for name, by_rule in without.items() if getattr(node, name)):
        try:
            with trees_up_to(CHECK_TREE):
                of_rule = odds(by_rule, up_to=UP_TO)
        except Refusal:
            continue  # too much work for a check
        if of_rule != results:
            yield Mistake(where, f"{name} gives other results for {ask} than the rule.")


def _fact(name: str, fact: Fact, ask: Any, results: Any, where: str) -> Iterator[Mistake]:
    of_tree = fact.of_results(results, UP_TO)
    if fact.closed:
        closed = fact.closed(ask, UP_TO)
        wrong = [value for value in {*closed, *of_tree} if closed.get(value) != of_tree.get(value)]
        if wrong:
            yield Mistake(
                where,
                f'the closed form of "{name}" gives {closed.get(wrong[0])} for {wrong[0]!r} of {ask}; '
                f"the rule gives {of_tree.get(wrong[0])}.",
            )
    if fact.read and odds(ask, name, up_to=UP_TO) != of_tree:
        yield Mistake(where, f'what "{name}" reads of the dice is not what the rule gives for {ask}.')
    elif not fact.closed and odds(ask, name, up_to=UP_TO) != of_tree:
        yield Mistake(where, f'"{name}" looks at more than it says: its odds are not what the rule gives for {ask}.')
    if fact.domain:
        domain = set(fact.domain(ask))
        outside = [value for value in of_tree if value not in domain and not fact.endless]
        if outside:
            yield Mistake(where, f'"{name}" can be {outside[0]!r}, which its domain leaves out.')


def _planned(name: str, fact: Fact, kind: Kind, ask: Any, where: str) -> Iterator[Mistake]:
    """A closed form with a policy, for each wish that it knows."""
    for wish in wishes_of(kind).values():
        policy = Policy("best", wish)
        planned = fact.planned(ask, UP_TO, policy) if fact.planned else None
        if planned is None:
            continue
        try:
            with trees_up_to(CHECK_TREE):
                of_tree = fact.of_results(odds(ask, policy=policy, up_to=UP_TO), UP_TO)
        except Refusal:
            continue  # too much work for a check
        if planned != of_tree:
            yield Mistake(
                where,
                f'the planned form of "{name}" for the wish "{wish.name}" gives {planned} for {ask}; '
                f"the rule gives {of_tree}.",
            )
