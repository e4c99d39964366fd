"""The three functions that most programs need: odds, roll and play. Each takes an ask or dice notation."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from astragal.errors import Illegal, Malformed
from astragal.rule.game import kind_of
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Choice, Lazy, Node, Outcome, Throw
from astragal.rule.tree.play import Hand, Played, Step
from astragal.rule.tree.play import play as play_node

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution
    from astragal.rule.chances.fact import Policy, PolicyName
    from astragal.rule.chances.open_roll import Own

R = TypeVar("R")
NODES = (Outcome, Throw, Choice, Lazy)
"""What trees are made of."""


def odds(
    what: Ask | Node[Any] | str,
    of: str | Callable[[Any], Hashable] = "",
    *,
    policy: Policy | PolicyName | Own | None = None,
    wish: str = "",
    up_to: int | None = None,
    dialect: str = "",
) -> Distribution[Any]:
    """The exact distribution of an ask, a tree or dice notation.

    ``of`` names a fact of the ask, or is any function of a result; without it, each result is a value of its own.
    ``policy`` answers the choices: by name, with the ``wish`` that it follows, or as a function of the open roll.
    ``dialect`` reads notation the way another tool does, such as ``roll20``.

    >>> odds("4d6kh3")[18]
    Fraction(7, 432)
    """
    if isinstance(what, str):
        if policy or wish:
            raise Malformed("Dice notation has no choices, so there is nothing for a policy or a wish to answer.")
        return _notation_odds(what, of, up_to, dialect)
    from astragal.rule.chances.fact import NEVER
    from astragal.rule.chances.odds import UP_TO, odds

    if not isinstance(what, (Ask, *NODES)):
        raise Malformed(
            f"Odds are of an ask, a tree or dice notation, not of a {type(what).__name__}: "
            'odds("4d6"), or odds(Check(dc=16), "tier").'
        )
    if isinstance(policy, str) or wish:
        policy = _policy_by_name(what, policy, wish)
    return odds(what, of, policy=policy or NEVER, up_to=UP_TO if up_to is None else up_to)


def _policy_by_name(what: Ask | Node[Any], name: Policy | PolicyName | Own | None, wish: str) -> Policy:
    """The policy of this name, for a wish of the ask's kind of roll."""
    from astragal.questions.odds import policy_for

    if not isinstance(what, Ask):
        raise Malformed("A tree has no wishes by name; give a Policy with its Wish, or a function.")
    if name is not None and not isinstance(name, str):
        raise Malformed("A wish by name goes with a policy by name; a Policy has its own wish, and a function none.")
    return policy_for(kind_of(what), name, wish or None)


def _notation_odds(
    text: str, of: str | Callable[[Any], Hashable], up_to: int | None, dialect: str
) -> Distribution[Any]:
    from astragal.questions.notation import odds_of

    if isinstance(of, str) and of:
        raise Illegal(f'Dice notation has no fact "{of[:40]}"; compare inside the notation, as in "4d6 >= 14".')
    values = odds_of(text, up_to, dialect)
    return values.map(of) if callable(of) else values


def roll(what: Ask | str, hand: Hand | None = None, dialect: str = "") -> Played[Any]:
    """Roll an ask or dice notation, with fair dice unless a hand brings its own."""
    if isinstance(what, Ask):
        return play(what, hand)
    from astragal.questions.calls import roll_notation

    return roll_notation(what, hand, dialect)


@overload
def play(what: Ask, hand: Hand | None = None) -> Played[Any]: ...
@overload
def play(what: Node[R], hand: Hand | None = None, so_far: tuple[Step, ...] = ()) -> Played[R]: ...


def play(what: Any, hand: Hand | None = None, so_far: tuple[Step, ...] = ()) -> Played[Any]:
    """Walk a tree, or the tree of an ask, up to its outcome or to the first node without an answer."""
    return play_node(kind_of(what).rule(what) if isinstance(what, Ask) else what, hand, so_far)
