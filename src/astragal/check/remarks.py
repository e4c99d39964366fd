"""Remarks on a game that keeps the contract: what is slower, or says less, than its author may expect."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.check.mistake import Mistake
from astragal.check.trees import SEEDS, asks_of
from astragal.deadline import time_is_up
from astragal.dice.estimates import CHECK_TREE, trees_up_to
from astragal.errors import Refusal
from astragal.rule.chances.fact import facts_of
from astragal.rule.chances.odds import odds
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Choice, Throw
from astragal.rule.tree.play import ChoiceStep, Rolled, ThrowStep, play


def remarks_on(game: Game) -> list[Mistake]:
    """Readings without odds, choices without a decision, words without an order, odds that take too much work."""
    found = [remark for kind in game.kinds.values() for remark in _kind(game, kind)]
    return list(dict.fromkeys(found))


def _kind(game: Game, kind: Kind) -> Iterator[Mistake]:
    where = f"roll {kind.name}"
    facts = facts_of(kind).values()
    solved = not facts or not all(fact.closed for fact in facts)
    for ask in asks_of(game, kind):
        for node in _met(kind, ask):
            if solved and isinstance(node, Throw) and not node.together and not hasattr(node.reading, "odds"):
                name = type(node.reading).__name__
                yield Mistake(where, f"the reading {name} has no odds: every throw is read, which is slow.")
            if isinstance(node, Choice) and node.name not in {decision.name for decision in kind.decisions}:
                yield Mistake(where, f'the choice "{node.name}" has no Decision, so nobody can answer it beforehand.')
        yield from _facts(kind, ask, where)


def _met(kind: Kind, ask: Ask) -> Iterator[Throw[object, object] | Choice[object]]:
    """The throws, and the choices, of some rolls up to the first choice that is open."""
    for seed in range(SEEDS):
        played = play(kind.rule(ask), Rolled(seed=seed))
        yield from (step.throw for step in played.steps if isinstance(step, ThrowStep))
        yield from (step.choice for step in played.steps if isinstance(step, ChoiceStep))
        if isinstance(played.node, Choice):
            yield played.node


def _facts(kind: Kind, ask: Ask, where: str) -> Iterator[Mistake]:
    for name in facts_of(kind):
        if time_is_up():
            return
        try:
            with trees_up_to(CHECK_TREE):
                found = odds(ask, name)
        except Refusal as refusal:
            yield Mistake(f"{where}, odds", f'"{name}" was not compared for {ask}: {refusal}')
            continue
        if any(isinstance(value, str) for value in found) and not found.order:
            yield Mistake(f"{where}, odds", f'"{name}" has words without an order; list them in its domain.')
