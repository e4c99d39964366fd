"""The three functions that most programs need: odds, roll and play. Each takes an ask or dice notation."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from astragal.errors import Illegal
from astragal.rule.game import kind_of
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Node
from astragal.rule.tree.play import Hand, Played, Step
from astragal.rule.tree.play import play as play_node

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution
    from astragal.rule.chances.fact import Policy

R = TypeVar("R")


def odds(
    what: Ask | Node[Any] | str,
    of: str | Callable[[Any], Hashable] = "",
    *,
    policy: Policy | None = None,
    up_to: int | None = None,
    dialect: str = "",
) -> Distribution[Any]:
    """The exact distribution of an ask, a tree or dice notation.

    ``of`` names a fact of the ask, or is any function of a result; without it whole results are told apart.
    ``dialect`` reads notation the way another tool does, such as ``roll20``.

    >>> odds("4d6kh3")[18]
    Fraction(7, 432)
    """
    if isinstance(what, str):
        return _notation_odds(what, of, up_to, dialect)
    from astragal.rule.chances.fact import NEVER
    from astragal.rule.chances.odds import UP_TO, odds

    return odds(what, of, policy=policy or NEVER, up_to=UP_TO if up_to is None else up_to)


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
    from astragal.questions.notation import roll_notation

    return roll_notation(what, hand, dialect)


@overload
def play(what: Ask, hand: Hand | None = None) -> Played[Any]: ...
@overload
def play(what: Node[R], hand: Hand | None = None, so_far: tuple[Step, ...] = ()) -> Played[R]: ...


def play(what: Any, hand: Hand | None = None, so_far: tuple[Step, ...] = ()) -> Played[Any]:
    """Walk a tree, or the tree of an ask, up to its outcome or to the first node that nobody has answered."""
    return play_node(kind_of(what).rule(what) if isinstance(what, Ask) else what, hand, so_far)
