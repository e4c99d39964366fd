"""Modifiers that only Dice Maiden has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.dice.dice import MAX_DICE
from astragal.notation.condition import Limit
from astragal.notation.expression import Expression
from astragal.notation.syntax.change import add_reroll
from astragal.notation.syntax.face_test import has_test, read_number_of_dice, read_test
from astragal.notation.term import DiceTerm, Keep

if TYPE_CHECKING:
    from astragal.notation.syntax.lexer import Token
    from astragal.notation.syntax.modifiers import Modifiers


def read_botches(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``b1``, which counts botches beside the result."""
    test = read_test(modifiers.parser, "<=") if has_test(modifiers.parser) else Limit("<=", 1)
    modifiers.parser.note(f"b{test} counts botches beside the result; to ask for them alone, write count{test}.")


def read_at_most(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``tl6``: how many dice show 6 or less."""
    modifiers.add_score(1, read_test(modifiers.parser, "<="), token.place)


def read_double(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``t7ds10``: 10 or more counts twice; behind ``tl``, so much or less. Without a number, every success."""
    scores = modifiers.pick.scores
    if not scores or scores[-1].by < 0 or not isinstance(scores[-1].test, Limit):
        modifiers.parser.forbid(token.place, "ds follows a target, such as t7ds10")
    target = scores[-1].test
    test = read_test(modifiers.parser, target.operator) if has_test(modifiers.parser) else target
    modifiers.add_score(1, test, token.place)


def read_reroll_above(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``rg5`` and ``irg5``: 5 or more is rerolled, once or until it is less."""
    add_reroll(modifiers, token, ">=", int(word == "rg"))


def read_advantage(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``adv1`` and ``dis1``: that number of extra dice; the lowest or highest are dropped."""
    parser, term = modifiers.parser, modifiers.dice(token)
    extra = read_number_of_dice(parser, 1)
    if not isinstance(term.n, int) or term.n + extra > MAX_DICE:
        parser.forbid(token.place, f"{word} needs a number of dice, at most {MAX_DICE:,} in all")
    modifiers.once("keep", "advantage", token)
    modifiers.then = lambda dice: _alone(modifiers, token, word, dice)
    modifiers.holder = term._replace(n=term.n + extra)
    keep = Keep("dl" if word == "adv" else "dh", extra)
    modifiers.pick = modifiers.pick._replace(keeps=(keep, *modifiers.pick.keeps))


def _alone(modifiers: Modifiers, token: Token, word: str, dice: Expression) -> Expression:
    """Dice Maiden drops these dice before others explode or are rerolled, and Astragal afterwards."""
    if isinstance(dice, DiceTerm) and (dice.explode or dice.reroll):
        way = "dl1" if word == "adv" else "dh1"
        modifiers.parser.forbid(token.place, f"{word} drops dice before they go again; {way} drops them afterwards")
    return dice


def read_implode(modifiers: Modifiers, token: Token, word: str) -> None:
    """Refuse ``i1``: dice that subtract another die."""
    modifiers.parser.forbid(token.place, "i takes one more die away for each low one, which is not read here")
