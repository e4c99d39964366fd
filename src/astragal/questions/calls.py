"""Rolls of dice notation, and the games that it calls: ``chronicles(pool=7, again=9).successes >= 5``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from astragal.dice.cache import cached
from astragal.errors import Malformed
from astragal.games.registry import game, is_game, no_game
from astragal.notation.expression import Expression, GameCall
from astragal.notation.parser import Read
from astragal.notation.play import Value, expression_node
from astragal.questions.notation import parse
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Node, Throw
from astragal.rule.tree.play import Hand, Played, play

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution
    from astragal.rule.chances.fact import Fact


def roll_notation(text: str, hand: Hand | None = None, dialect: str = "") -> Played[Value]:
    """Roll a text in dice notation; the parsed text is cached."""
    return play(_tree(text, dialect), hand)


@cached(512)
def _tree(text: str, dialect: str) -> Node[Value]:
    return node_of(parse(text, dialect))


def roll_read(written: Read, hand: Hand) -> Played[Value]:
    """Roll what was read; too few typed faces are refused."""
    played = play(node_of(written.expression), hand)
    if isinstance(played.node, Throw):
        raise Malformed(f"Too few faces: {played.node.title} is thrown next, and no face was typed for it.")
    return played


def node_of(expression: Expression) -> Node[Value]:
    """The tree that plays an expression."""
    return expression_node(expression, start_call)


def solve_call(call: GameCall, up_to: int) -> Distribution[Any]:
    """The odds of a game's fact, with its words in order."""
    from astragal.rule.chances.odds import odds

    return odds(asked(call)[0], call.fact, up_to=up_to)


def start_call(call: GameCall) -> tuple[Node[Any], Callable[[Any], Any], tuple[Any, ...]]:
    """The tree of a game's roll, the function that reads the wanted fact from its result, and the fact's words."""
    ask, fact = asked(call)
    return kind_named(call.name).rule(ask), fact.of, tuple(fact.domain(ask)) if fact.domain else ()


def asked(call: GameCall) -> tuple[Ask, Fact]:
    """The ask in a call, and the fact that it wants."""
    from astragal.rule.chances.fact import fact_of

    kind = kind_named(call.name)
    return kind.ask.read(dict(call.arguments)), fact_of(kind, call.fact)


def kind_named(name: str) -> Kind:
    """``razorweave`` is a game's main roll, ``razorweave_race`` another of its rolls."""
    if is_game(name):
        return game(name).main
    first, _, roll = name.partition("_")
    if is_game(first):
        return game(first).kind(roll)
    raise no_game(name)
