"""Dice notation with calls of games: ``chronicles(pool=7, again=9).successes >= 5``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from astragal.dice.cache import cached
from astragal.dice.distribution import Distribution
from astragal.errors import Malformed, Refusal
from astragal.games.registry import game, is_game, no_game
from astragal.notation import parser
from astragal.notation.dialect import ANYDICE
from astragal.notation.expression import Expression, GameCall
from astragal.notation.odds.plain import plain_odds
from astragal.notation.parser import Read
from astragal.notation.play import Value, expression_node
from astragal.questions import SolvedQuestion
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Node, Throw
from astragal.rule.tree.play import Hand, Played, play

if TYPE_CHECKING:
    from astragal.rule.chances.fact import Fact

FACT = "value"
"""The only fact of dice notation: what it comes to."""
PROGRAM_TITLE = "AnyDice program"


def read(text: str, dialect: str = "") -> Read:
    """Read a text in any dialect, with notes about what tools read differently."""
    if dialect != ANYDICE:
        return parser.read(text, dialect)
    from astragal.anydice.as_notation import from_anydice

    return Read(from_anydice(text))


def parse(text: str, dialect: str = "") -> Expression:
    """Return the expression of a text in any dialect."""
    return read(text, dialect).expression


def solve_notation(text: str, up_to: int | None = None, dialect: str = "") -> SolvedQuestion:
    """Solve a text in dice notation or, in AnyDice's dialect, a program with all its outputs."""
    if dialect == ANYDICE:
        return _solve_anydice(text)
    written = read(text, dialect)
    notation = str(written.expression)
    return SolvedQuestion(notation, {FACT: odds_of(text, up_to, dialect)}, None, notation, written.notes)


def solve_program(text: str, title: str = PROGRAM_TITLE) -> SolvedQuestion:
    """Solve an AnyDice program, with a fact for each output."""
    from astragal.anydice import run_program

    return SolvedQuestion(title, _by_name(run_program(text)))


def _solve_anydice(text: str) -> SolvedQuestion:
    """A program, or an expression, which is a program with one output."""
    from astragal.anydice.run import as_program
    from astragal.anydice.state import UNNAMED

    solved = solve_program(as_program(text))
    if len(solved.facts) > 1:
        return solved
    ((name, chances),) = solved.facts.items()
    try:
        name = str(parse(text, ANYDICE))
    except Refusal:
        name = text.strip() if name == UNNAMED else name  # It has odds, but cannot be written in notation.
    return SolvedQuestion(name, {FACT: chances}, None, name)


def _by_name(outputs: Iterable[tuple[str, Distribution[Any]]]) -> dict[str, Distribution[Any]]:
    """The outputs of a program by name; a name that was there before gets a number."""
    found: dict[str, Distribution[Any]] = {}
    for name, chances in outputs:
        known, n = name, 1
        while known in found:
            n += 1
            known = f"{name} ({n})"
        found[known] = chances
    return found


def odds_of(text: str, up_to: int | None = None, dialect: str = "") -> Distribution[Any]:
    """The exact distribution of what a text in dice notation comes to."""
    if dialect == ANYDICE:
        return _solve_anydice(text).odds
    plain = None if dialect else plain_odds(text)
    if plain is not None:
        return plain
    from astragal.notation.solve import expression_odds

    return expression_odds(parse(text, dialect), solve_call, up_to)


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
    return kind_named(call.name).rule(ask), fact.of, order_of(ask, fact)


def asked(call: GameCall) -> tuple[Ask, Fact]:
    """The ask in a call, and the fact that it wants."""
    from astragal.rule.chances.fact import fact_of

    kind = kind_named(call.name)
    return kind.ask.read(dict(call.arguments)), fact_of(kind, call.fact)


def order_of(ask: Ask, fact: Fact) -> tuple[Any, ...]:
    """The words that a fact lists for an ask, from best to worst; empty if it lists none."""
    return tuple(fact.domain(ask)) if fact.domain else ()


def kind_named(name: str) -> Kind:
    """``razorweave`` is a game's main roll, ``razorweave_race`` another of its rolls."""
    if is_game(name):
        return game(name).main
    first, _, roll = name.partition("_")
    if is_game(first):
        return game(first).kind(roll)
    raise no_game(name)
