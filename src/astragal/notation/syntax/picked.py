"""Modifiers that pick: which dice or values are kept, and whether they are counted or matched."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from astragal.notation.condition import OPERATORS, Parity, Test
from astragal.notation.expression import Group, Name
from astragal.notation.syntax.change import highest, lowest, note_bare
from astragal.notation.syntax.face_test import has_test, is_die, one_of, read_number_of_dice, read_test
from astragal.notation.term import DiceTerm, Keep

if TYPE_CHECKING:
    from astragal.notation.syntax.lexer import Token
    from astragal.notation.syntax.modifiers import Modifiers

KEEPS = {"kh": "kh", "kl": "kl", "dh": "dh", "dl": "dl", "k": "kh", "d": "dl", "ph": "dh", "pl": "dl"}
PATTERN_NAMES = {"mt": "matches", "m": "matches", "width": "widest", "straights": "straight"}


def read_keep(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read a step of keeping or dropping, by rank or by what the dice show."""
    parser = modifiers.parser
    if word in ("k", "p", "keep", "drop") and _keeps_by_test(modifiers, word):
        _note_face(modifiers, word)
        _keep_by_test(modifiers, token, "keep" if word[0] == "k" else "drop")
        return
    if word not in KEEPS:
        parser.refuse(parser.next.place, "faces to keep or drop, such as keep>=5")
    n = read_number_of_dice(parser, 1)
    if word == "k" and not parser.dialect.name and n > 1:
        parser.note(f"k{n} keeps the {n} highest dice; the dice that show {n} are keep{n}.")
    dice = modifiers.holder.n if isinstance(modifiers.holder, DiceTerm) else None
    if word == "d" and isinstance(dice, int) and n > dice:
        parser.forbid(token.place, f"d{n} drops the {n} lowest dice; for another die write + d{n}")
    if modifiers.dialect.joins and modifiers.last[:1] == "k" == word[0]:
        parser.forbid(token.place, "Avrae keeps what either of these keeps; write the two as a sum, such as kh1 + kl1")
    modifiers.add_keep(Keep(KEEPS[word], n))


def _keeps_by_test(modifiers: Modifiers, word: str) -> bool:
    token = modifiers.parser.next
    by_face = word in ("keep", "drop", "p") or modifiers.dialect.keep_by_face
    return token.text in OPERATORS or token.text in ("{", "even", "odd") or (by_face and token.kind == "number")


def _note_face(modifiers: Modifiers, word: str) -> None:
    """Say that the number behind ``keep`` or ``drop`` is a face, where a number of dice could be meant."""
    parser, number = modifiers.parser, modifiers.parser.next
    if word in ("keep", "drop") and number.kind == "number" and not parser.dialect.name:
        n, rank = number.text, "highest" if word == "keep" else "lowest"
        does = "keeps" if word == "keep" else "drops"
        dice = f"the {rank} die" if n == "1" else f"the {n} {rank} dice"
        parser.note(f"{word}{n} {does} the dice that show {n}; for {dice} write {word[0]}{rank[0]}{n}.")


def _keep_by_test(modifiers: Modifiers, token: Token, kind: str) -> None:
    test = read_test(modifiers.parser)
    modifiers.tests.append((test, token.place, "is kept" if kind == "keep" else "is dropped"))
    before = modifiers.pick.keeps[-1] if modifiers.pick.keeps else Keep("")
    if modifiers.dialect.joins and kind == "keep" and modifiers.last == "k":
        modifiers.pick = modifiers.pick._replace(keeps=modifiers.pick.keeps[:-1])
        test = _joined(modifiers, token, before.test, test)
    modifiers.add_keep(Keep(kind, 0, test))


def _joined(modifiers: Modifiers, token: Token, first: Test | None, second: Test) -> Test:
    """In Avrae ``k5k6`` keeps both the 5s and the 6s."""
    holder = modifiers.holder
    if first is None or not isinstance(holder, DiceTerm) or not isinstance(holder.sides, int):
        modifiers.parser.forbid(token.place, "Avrae keeps what either of these keeps; write a list, such as keep{5,6}")
    return one_of([value for value in holder.values() if first.holds(value) or second.holds(value)])


def read_middle(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``km2``: as many dice are dropped at both ends."""
    n = read_number_of_dice(modifiers.parser, 1)
    dice = modifiers.holder.n if isinstance(modifiers.holder, DiceTerm) else None
    if not isinstance(dice, int) or n > dice or (dice - n) % 2:
        modifiers.parser.forbid(token.place, f"there is no middle {n} here; write dl and dh, such as dl1dh1")
    if n < dice:
        modifiers.add_keep(Keep("dl", (dice - n) // 2))
        modifiers.add_keep(Keep("dh", (dice - n) // 2))


def read_unique(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``unique``: one die of each value."""
    modifiers.add_keep(Keep("unique"))


def read_count(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read what is counted."""
    parser, dialect = modifiers.parser, modifiers.dialect
    if word == "cs" and _is_mark(modifiers, word):
        return
    if word == "cs" and not has_test(parser) and isinstance(modifiers.holder, DiceTerm):
        modifiers.add_score(1, highest(modifiers, modifiers.holder, token), token.place)
        return
    test = read_test(parser, ">=" if word == "t" else "==")
    if word == "cs" and not dialect.name:
        parser.note(f"cs{test} counts dice, as in Foundry; in Roll20 it only marks them.")
    modifiers.add_score(1, test, token.place)


def _is_mark(modifiers: Modifiers, word: str) -> bool:
    """Read ``cs`` or ``cf`` where it only marks dice; in Foundry a second count takes the place of the first."""
    parser, dialect = modifiers.parser, modifiers.dialect
    if dialect.marks:
        said = f"{word}{read_test(parser)}" if has_test(parser) else word
        parser.note(f"{said} only marks dice in {dialect.title}; the result is the same without it.")
    elif dialect.name == "foundry" and modifiers.pick.scores:
        modifiers.pick = modifiers.pick._replace(scores=())
        parser.note(f"{word} takes the place of the count before it, as in Foundry; df and sf subtract.")
    return dialect.marks


def read_fail(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read what is subtracted from a count; ``cf`` alone counts."""
    parser, dialect = modifiers.parser, modifiers.dialect
    if word == "cf" and _is_mark(modifiers, word):
        return
    by = 1 if word == "cf" and not modifiers.pick.scores else -1
    if word == "cf" and not has_test(parser) and isinstance(modifiers.holder, DiceTerm):
        test = lowest(modifiers, modifiers.holder, token)
    else:
        test = read_test(parser, "<=" if dialect.at_most else "==")
    if word == "f":
        note_bare(modifiers, word, "fail", test, "<=")
    if word == "cf" and not dialect.name:
        parser.note(
            f"cf{test} counts dice, as in Foundry; to subtract them from a count, write fail{test}."
            if by > 0
            else f"cf{test} is subtracted; in Foundry it takes the place of the count before it."
        )
    modifiers.add_score(by, test, token.place)


def read_parity(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``even`` or ``odd``."""
    modifiers.add_score(1, Parity(word == "odd"), token.place)


def read_pattern(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read what is asked about equal and neighbouring dice."""
    modifiers.once("count", "pattern", token)
    name = PATTERN_NAMES.get(word, word)
    size = read_number_of_dice(modifiers.parser, 0) if name == "matches" else 0
    modifiers.pick = modifiers.pick._replace(pattern=name, size=0 if size == 2 else size)


def read_sort(modifiers: Modifiers, token: Token, word: str) -> None:
    """Sorting changes nothing."""


# Comparisons right behind dice.


def read_comparison(modifiers: Modifiers, token: Token) -> bool:
    """Read a comparison as a count of dice, if it is one."""
    if isinstance(modifiers.holder, Name) or not _is_count(modifiers, token):
        _note_question(modifiers, token)
        return False
    modifiers.add_score(1, read_test(modifiers.parser), token.place)
    return True


def _is_count(modifiers: Modifiers, token: Token) -> bool:
    """True if a comparison behind dice counts: another one or a modifier follows its number."""
    parser = modifiers.parser
    if parser.ahead().kind != "number":
        return False
    after = parser.ahead(2)
    if after.touches and is_die(after.text):
        return False
    if parser.dialect.counts and not modifiers.pick.scores:
        return True
    if token.touches and modifiers.pick.scores and all(score.by < 0 for score in modifiers.pick.scores):
        return True  # Failures alone are no count: 8d10f1>7.
    before = parser.tokens[parser.place - 2].text if parser.place >= 2 else ""
    if token.touches and before in OPERATORS:
        return True
    modifier = after.kind == "word" and bool(modifiers.word_of(after)) and after.text not in parser.names
    return after.text in OPERATORS or after.text in ("!", "!!") or modifier


def _note_question(modifiers: Modifiers, token: Token) -> None:
    """Say that a sum is compared, where the dice could be meant."""
    parser = modifiers.parser
    if parser.dialect.name or parser.faced or not modifiers.pick.adds or _is_one(modifiers):
        return
    number, after = parser.ahead(), parser.ahead(2)
    single = number.kind == "number" and (after.kind == "end" or after.text in ("and", "or", "then", ":", ")", "}"))
    if not single or int(number.text[:9]) > _highest_shown(modifiers.holder):
        return
    face, said = number.text, f"{token.text}{number.text}"
    if token.text == "!=":
        parser.note(f"{said} asks whether the sum is another; to explode on {face}, write !{face}.")
    else:
        parser.note(f"{said} is asked of the sum; to count dice, write count{said.removeprefix('==')}.")


def _is_one(modifiers: Modifiers) -> bool:
    """True if there is a single die or value, so that its sum is what it shows."""
    holder = modifiers.holder
    several = len(holder.parts) > 1 if isinstance(holder, Group) else getattr(holder, "n", 1) not in (0, 1)
    return not several or any(keep.kind in ("kh", "kl") and keep.n == 1 for keep in modifiers.pick.keeps)


def _highest_shown(holder: object) -> float:
    """The highest that a single die or value can be, as far as that is plain."""
    if isinstance(holder, Group):
        return max(map(_highest_shown, holder.parts))
    if not isinstance(holder, DiceTerm):
        return inf
    return holder.sides if isinstance(holder.sides, int) else -inf
