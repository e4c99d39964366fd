"""Modifiers that change what dice show: rerolls, explosions, least and most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.notation.condition import OPERATORS, Limit, Test
from astragal.notation.expression import Binary, Comparison, Expression, If, Let, Name, Number
from astragal.notation.syntax.face_test import (
    has_test,
    one_of,
    read_face,
    read_number_of_dice,
    read_test,
    read_times,
)
from astragal.notation.term import PLAIN, DiceTerm, Explode, Pick, Replace, Reroll, Score

if TYPE_CHECKING:
    from astragal.notation.syntax.lexer import Token
    from astragal.notation.syntax.modifiers import Modifiers

BARE = "r alone"
"""Marks a bare reroll: tools disagree whether it happens once."""
THROWN = "thrown"
"""The name of dice that earn one more all together."""


def read_bang(modifiers: Modifiers, token: Token) -> None:
    """Read ``!``, ``!!``, ``!p`` or ``!o``, and the faces that explode."""
    parser = modifiers.parser
    parser.take()
    penetrate, once = _touching(modifiers, "p"), _touching(modifiers, "o")
    _explode(modifiers, token, Explode(Limit("==", 0), token.text == "!!", penetrate, int(once)))


def _touching(modifiers: Modifiers, letter: str) -> bool:
    token = modifiers.parser.next
    found = token.kind == "word" and token.touches and token.text.startswith(letter)
    if found:
        modifiers.parser.split(1)
    return found


def read_explode(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read an explosion that is spelled as a word: ``x``, ``xo``, ``e``, ``ie``."""
    dialect = modifiers.dialect
    once = word == "xo" or (word == "e" and dialect.explode_once)
    test = _explode(modifiers, token, Explode(Limit("==", 0), times=int(once)), ">=" if dialect.at_most else "==")
    if word == "x" and not dialect.name:
        modifiers.parser.note(f"x explodes on {test}, as in Foundry; times is *.")
    if word == "ie":
        note_bare(modifiers, word, "!", test, ">=")
    if word == "e" and not dialect.name:
        theirs = reach_of(modifiers.holder, test, ">=") or test
        modifiers.parser.note(f"e{test} explodes without end, as in Avrae; once, as in Dice Maiden, is !o{theirs}.")


def note_bare(modifiers: Modifiers, word: str, own: str, test: Test, maiden: str) -> None:
    """Say that a bare number is one face, where Dice Maiden means so much or less, or so much or more."""
    reach = reach_of(modifiers.holder, test, maiden)
    if reach and not modifiers.dialect.name:
        how = "or more" if maiden == ">=" else "or less"
        modifiers.parser.note(f"{word}{test} means {test} alone; {test} {how}, as in Dice Maiden, is {own}{reach}.")


def reach_of(holder: object, test: Test, operator: str) -> Limit | None:
    """Return the test for a bare face and all beyond it; None if the dice have none beyond it."""
    if not isinstance(test, Limit) or test.operator != "==" or not isinstance(holder, DiceTerm):
        return None
    reach = Limit(operator, test.limit)
    values = holder.values() if isinstance(holder.sides, int) else []
    return reach if any(value != test.limit and reach.holds(value) for value in values) else None


def _explode(modifiers: Modifiers, token: Token, explode: Explode, bare: str = "==") -> Test:
    """Read the faces that explode, and how often; the highest face without end, if nothing is said."""
    parser, term = modifiers.parser, modifiers.dice(token)
    joined = modifiers.dialect.joins and modifiers.last == "e" and term.explode
    if not joined:
        modifiers.once("explode", "explode", token)
    best = highest(modifiers, term, token) if isinstance(term.sides, int) or not has_test(parser) else None
    test = (read_test(parser, bare) if has_test(parser) else best) or Limit("==", 0)
    _refuse_number_of_times(modifiers, token)
    if isinstance(best, Limit) and bare == ">=" and test == Limit(bare, best.limit):
        test = best
    modifiers.tests.append((test, token.place, "explodes"))
    if joined and term.explode:
        test = _either(modifiers, token, term, term.explode.test, test)
    times = read_times(parser, explode.times)
    modifiers.holder = term._replace(explode=explode._replace(test=test, times=times))
    return test


def highest(modifiers: Modifiers, term: DiceTerm, token: Token) -> Test:
    """Return the test for the highest face."""
    if not isinstance(term.sides, int):
        modifiers.parser.forbid(token.place, "name the faces that explode, such as !6: the sides are not known yet")
    numbers = [value for value in term.values() if isinstance(value, int)]
    if not numbers:
        modifiers.parser.forbid(token.place, "name the faces that explode, such as !{hit}")
    return Limit("==", max(numbers))


def read_reroll(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read a reroll: once, a number of times, or until the die shows something else."""
    dialect = modifiers.dialect
    once = word == "ro" or (word == "r" and dialect.reroll_once)
    test = add_reroll(modifiers, token, "<=" if dialect.at_most else "==", int(once))
    if word == "r" and not dialect.name:
        modifiers.given.add(BARE)
    if word == "ir":
        note_bare(modifiers, word, "r", test, "<=")


def note_reroll(modifiers: Modifiers) -> None:
    """Note that a bare ``r`` rerolls until the die shows another face."""
    reroll = modifiers.holder.reroll if isinstance(modifiers.holder, DiceTerm) else None
    if BARE in modifiers.given and reroll and not reroll.times:
        test = reroll.test
        modifiers.parser.note(f"r{test} rerolls until the die shows something else; once is ro{test}.")


def add_reroll(modifiers: Modifiers, token: Token, bare: str, times: int) -> Test:
    """Read and return the faces that are rerolled; those of several rerolls without end are one list."""
    parser, term = modifiers.parser, modifiers.dice(token)
    test = read_test(parser, bare) if has_test(parser) else lowest(modifiers, term, token)
    _refuse_number_of_times(modifiers, token)
    modifiers.tests.append((test, token.place, "is rerolled"))
    times = read_times(parser, times)
    if term.reroll:
        test = _with_earlier(modifiers, token, term, term.reroll, Reroll(test, times))
    modifiers.families.append("reroll")
    modifiers.holder = term._replace(reroll=Reroll(test, times))
    return test


def _with_earlier(modifiers: Modifiers, token: Token, term: DiceTerm, first: Reroll, second: Reroll) -> Test:
    """The faces of two rerolls: whichever comes up goes again, which is one reroll if both go on without end."""
    test = _either(modifiers, token, term, first.test, second.test)
    joined = modifiers.dialect.joins and first.times == second.times
    if (first.times or second.times) and not joined:
        modifiers.parser.forbid(token.place, f"each modifier once; to reroll each of these faces once, write ro{test}")
    return test


def _either(modifiers: Modifiers, token: Token, term: DiceTerm, first: Test, second: Test) -> Test:
    """The test for faces that meet one of two tests."""
    if not isinstance(term.sides, int):
        modifiers.parser.forbid(token.place, "name all faces in one list, such as r{1,3}: the sides are not known yet")
    faces = [value for value in dict.fromkeys(term.values()) if first.holds(value) or second.holds(value)]
    return one_of(faces) if faces else second


def _refuse_number_of_times(modifiers: Modifiers, token: Token) -> None:
    """In Foundry ``r1=2`` rerolls one die that shows 2, ``x3=6`` explodes three times in all; that is not read."""
    after = modifiers.parser.next
    if modifiers.dialect.name == "foundry" and after.touches and after.text in OPERATORS:
        modifiers.parser.forbid(
            token.place, "Foundry changes only so many dice here, which is not read; name the faces"
        )


def lowest(modifiers: Modifiers, term: DiceTerm, token: Token) -> Test:
    """Return the test for the lowest face."""
    numbers = [value for value in term.values() if isinstance(value, int)] if isinstance(term.sides, int) else [1]
    if not numbers:
        modifiers.parser.forbid(token.place, "name the faces that are rerolled, such as r{blank}")
    return Limit("==", min(numbers))


def read_replace(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``rl1``: the lowest die is rerolled once."""
    modifiers.once("reroll", "replace", token)
    n = read_number_of_dice(modifiers.parser, 1)
    modifiers.holder = modifiers.dice(token)._replace(replace=Replace(word[-1] == "h", n))


def read_added(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read Avrae's ``ra``: one more die, once, if any of the dice shows one of these faces."""
    term = modifiers.dice(token)
    modifiers.once("explode", "explode", token)
    test = read_test(modifiers.parser)
    modifiers.tests.append((test, token.place, "is rerolled"))
    if term.n == 1:
        modifiers.holder = term._replace(explode=Explode(test, times=1))
        return
    modifiers.then = lambda dice: _with_one_more(modifiers, token, dice, test)


def _with_one_more(modifiers: Modifiers, token: Token, dice: Expression, test: Test) -> Expression:
    """The dice, and one more if any of them meets a test."""
    if not isinstance(dice, DiceTerm) or dice.pick != PLAIN or dice.explode or dice.replace:
        modifiers.parser.forbid(token.place, "ra stands alone behind several dice; !o explodes each of them once")
    shown = Name(THROWN, Pick(scores=(Score(1, test),)))
    more = If(Comparison(">=", shown, Number(1)), dice._replace(n=1, reroll=None), Number(0))
    return Let(THROWN, dice, Binary("+", Name(THROWN), more))


def read_limit(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read the least or the most that a die counts."""
    term = modifiers.dice(token)
    modifiers.once("limit", word[:2], token)
    limit = read_face(modifiers.parser)
    modifiers.holder = term._replace(least=limit) if word[:2] == "mi" else term._replace(most=limit)
