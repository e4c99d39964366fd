"""Modifiers of dice and groups: ``kh4``, ``!>=9``, ``ro<3``, ``count>=8``, and how other tools spell them.

They may be written in any order and belong to families: reroll, explode, limit, keep, count. Families apply in that
order; keep and drop among themselves from left to right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from astragal.dice.dice import MAX_DICE, MAX_SIDES
from astragal.dice.notation.condition import OPERATORS, Limit, Listed, Parity, Test
from astragal.dice.notation.expression import Expression, Group, Name
from astragal.dice.notation.term import PATTERNS, DiceTerm, Explode, Keep, Pick, Replace, Reroll, Score

if TYPE_CHECKING:
    from astragal.dice.notation.lexer import Token
    from astragal.dice.notation.parser import Parser

KEEPS = {"kh": "kh", "kl": "kl", "dh": "dh", "dl": "dl", "k": "kh", "d": "dl", "ph": "dh", "pl": "dl"}
FAMILIES = ("reroll", "explode", "limit", "keep", "count")
MAX_TIMES = 100
"""Most rerolls or explosions in a row that can be asked for by number."""
TIMES = {"once": 1, "twice": 2, "thrice": 3}
MAX_LISTED = 100


class Modifiers:
    """Reads the modifiers behind dice, a group or a named roll, and puts them into it."""

    def __init__(self, parser: Parser, holder: DiceTerm | Group | Name) -> None:
        self.parser = parser
        self.holder = holder
        self.pick: Pick = holder.pick
        self.given: set[str] = set()
        self.families: list[str] = []
        self.tests: list[tuple[Test, int, str]] = []

    def read(self) -> Expression:
        """Read all modifiers that follow, and return the dice, group or name with them."""
        while self._read_one():
            pass
        if isinstance(self.holder, DiceTerm):
            self._check_tests(self.holder)
        self._note_order()
        return self.holder._replace(pick=self.pick)

    def _read_one(self) -> bool:
        token = self.parser.next
        if token.text in ("!", "!!") and isinstance(self.holder, DiceTerm):
            self._read_bang(token)
            return True
        if token.text in OPERATORS and token.kind == "sign":
            return self._read_comparison(token)
        if token.kind != "word" or token.text in self.parser.names:
            return False
        word = self._word_of(token)
        if not word or not self._fits(word, token):
            return False
        self.parser.split(len(word))
        WORDS[word](self, token, word)
        return True

    def _word_of(self, token: Token) -> str:
        """The modifier that a word is, or that a word begins with if it touches what is before it."""
        text = token.text.lower() if token.text.isupper() else token.text
        if not token.touches:
            return text if text in WORDS else ""
        return next((word for word in LONGEST_FIRST if text.startswith(word)), "")

    def _fits(self, word: str, token: Token) -> bool:
        """Whether the word is a modifier here: some need a number or a test behind them, else they are a label."""
        if word in ("x", "xo") and not token.touches:
            after = self.parser.ahead()
            if after.kind == "number" and after.touches is False:
                self.parser.forbid(token.place, "write * for times, or x right behind the dice for an explosion")
        if token.touches or word not in NEEDS_TEST:
            return True
        after = self.parser.ahead()
        return after.kind == "number" or after.text in OPERATORS or after.text in ("{", "even", "odd", "-")

    def _once(self, family: str, name: str, token: Token) -> None:
        if name in self.given:
            self.parser.refuse(token.place, "each modifier once")
        self.given.add(name)
        self.families.append(family)

    def _dice(self, token: Token) -> DiceTerm:
        if not isinstance(self.holder, DiceTerm):
            self.parser.forbid(token.place, f"{token.text} belongs behind dice, inside the group")
        return self.holder

    # Tests and numbers behind a modifier.

    def _test(self, bare: str = "==") -> Test:
        """A comparison with a number, a list of faces, even or odd; a number alone means exactly that face."""
        parser = self.parser
        if parser.accept("{"):
            if parser.next.text in ("even", "odd") and parser.ahead().text == "}":
                odd = parser.take().text == "odd"
                parser.take()
                return Parity(odd)
            return self._listed()
        if word := parser.accept("even", "odd"):
            return Parity(word == "odd")
        operator = self._operator(parser.accept(*OPERATORS)) or bare
        minus = -1 if parser.accept("-") else 1
        return Limit(operator, minus * parser.number(0, MAX_SIDES, "a face"))

    def _operator(self, operator: str) -> str:
        return {">": ">=", "<": "<="}.get(operator, operator) if self.parser.dialect.inclusive else operator

    def _listed(self) -> Test:
        parser = self.parser
        faces: list[int | str] = []
        while not parser.accept("}"):
            if faces:
                parser.expect(",")
            if parser.next.kind in ("word", "string"):
                faces.append(parser.take().text.strip("\"'"))
            else:
                first = self._face()
                faces += range(first, (self._face() if parser.accept("..") else first) + 1)
            if len(faces) > MAX_LISTED:
                parser.refuse(parser.next.place, f"at most {MAX_LISTED} faces")
        if not faces:
            parser.refuse(parser.next.place, "at least one face")
        only = faces[0] if len(faces) == 1 else ""
        return Limit("==", only) if isinstance(only, int) else Listed(tuple(faces))

    def _face(self) -> int:
        minus = -1 if self.parser.accept("-") else 1
        return minus * self.parser.number(0, MAX_SIDES, "a face")

    def _has_test(self) -> bool:
        """Whether a test stands right here; a number that says how many times is none."""
        token = self.parser.next
        if token.kind == "number":
            return self.parser.ahead().text not in ("times", "x") or self.parser.ahead().touches
        touching = token.touches and ((token.text in OPERATORS and not self._compares_dice()) or token.text == "{")
        return touching

    def _compares_dice(self) -> bool:
        """Whether dice stand behind the operator here: ``1d8!>1d6!`` is a comparison."""
        by = 2 if self.parser.ahead().text == "-" else 1
        number, after = self.parser.ahead(by), self.parser.ahead(by + 1)
        dice = after if number.kind == "number" else number
        return dice.kind == "word" and dice.touches and _is_die(dice.text)

    def _times(self, default: int = 0) -> int:
        """How many times at most: ``2 times``, ``once``; without end if nothing is said."""
        parser = self.parser
        if parser.next.kind == "word" and parser.next.text in TIMES:
            return TIMES[parser.take().text]
        if parser.next.kind == "number" and parser.ahead().text == "times":
            n = parser.number(1, MAX_TIMES, "a number of times")
            parser.take()
            return n
        return default

    def _number(self, default: int) -> int:
        if self.parser.next.kind == "number":
            return self.parser.number(0, MAX_DICE, "a number of dice")
        return default

    # The families.

    def _read_bang(self, token: Token) -> None:
        self.parser.take()
        penetrate = self._touching("p")
        once = self._touching("o")
        self._explode(token, compound=token.text == "!!", penetrate=penetrate, times=int(once))

    def _touching(self, letter: str) -> bool:
        token = self.parser.next
        found = token.kind == "word" and token.touches and token.text.startswith(letter)
        if found:
            self.parser.split(1)
        return found

    def _explode(self, token: Token, compound: bool = False, penetrate: bool = False, times: int = 0) -> None:
        term = self._dice(token)
        self._once("explode", "explode", token)
        test = self._test() if self._has_test() else self._highest(term, token)
        self.tests.append((test, token.place, "explodes"))
        self.holder = term._replace(explode=Explode(test, compound, penetrate, self._times(times)))

    def _highest(self, term: DiceTerm, token: Token) -> Test:
        if not isinstance(term.sides, int):
            self.parser.forbid(token.place, "name the faces that explode, such as !6: the sides are not known yet")
        numbers = [value for value in term.values() if isinstance(value, int)]
        if not numbers:
            self.parser.forbid(token.place, "name the faces that explode, such as !{hit}")
        return Limit("==", max(numbers))

    def _explode_word(self, token: Token, word: str) -> None:
        dialect = self.parser.dialect
        once = word == "xo" or (word == "e" and dialect.explode_once)
        self._explode(token, times=int(once))
        if word == "e" and not dialect.name and isinstance(self.holder, DiceTerm) and self.holder.explode:
            test = self.holder.explode.test
            self.parser.note(f"e{test} explodes without end, as in Avrae; once, as in Dice Maiden, is !o{test}.")

    def _reroll(self, token: Token, word: str) -> None:
        term = self._dice(token)
        self._once("reroll", "reroll", token)
        dialect = self.parser.dialect
        bare = "<=" if dialect.at_most else "=="
        test = self._test(bare) if self._has_test() else self._lowest(term, token)
        once = word == "ro" or (word == "r" and dialect.reroll_once)
        self.tests.append((test, token.place, "is rerolled"))
        times = self._times(int(once))
        self.holder = term._replace(reroll=Reroll(test, times))
        if word == "r" and not dialect.name and not times:
            self.parser.note(f"r{test} rerolls until the die shows something else; once is ro{test}.")

    def _lowest(self, term: DiceTerm, token: Token) -> Test:
        numbers = [value for value in term.values() if isinstance(value, int)] if isinstance(term.sides, int) else [1]
        if not numbers:
            self.parser.forbid(token.place, "name the faces that are rerolled, such as r{blank}")
        return Limit("==", min(numbers))

    def _replace(self, token: Token, word: str) -> None:
        self._once("reroll", "replace", token)
        self.holder = self._dice(token)._replace(replace=Replace(word == "rh", self._number(1)))

    def _limit(self, token: Token, word: str) -> None:
        term = self._dice(token)
        self._once("limit", word[:2], token)
        limit = self._face()
        self.holder = term._replace(least=limit) if word[:2] == "mi" else term._replace(most=limit)

    def _keep(self, token: Token, word: str) -> None:
        parser = self.parser
        self.families.append("keep")
        if word in ("k", "p", "keep", "drop") and self._keeps_by_test(word):
            kind = "keep" if word[0] == "k" else "drop"
            test = self._test()
            self.tests.append((test, token.place, "is kept" if kind == "keep" else "is dropped"))
            self._add_keep(Keep(kind, 0, test))
            return
        if word not in KEEPS:
            parser.refuse(parser.next.place, "faces to keep or drop, such as keep>=5")
        n = self._number(1)
        if word == "k" and not parser.dialect.name and n > 1:
            parser.note(f"k{n} keeps the {n} highest dice; the dice that show {n} are keep{n}.")
        if word == "d" and isinstance(self.holder, DiceTerm) and isinstance(self.holder.n, int) and n > self.holder.n:
            parser.forbid(token.place, f"d{n} drops the {n} lowest dice; for another die write + d{n}")
        self._add_keep(Keep(KEEPS[word], n))

    def _keeps_by_test(self, word: str) -> bool:
        token = self.parser.next
        by_face = word in ("keep", "drop", "p") or self.parser.dialect.keep_by_face
        return token.text in OPERATORS or token.text in ("{", "even", "odd") or (by_face and token.kind == "number")

    def _add_keep(self, keep: Keep) -> None:
        self.pick = self.pick._replace(keeps=(*self.pick.keeps, keep))

    def _middle(self, token: Token, word: str) -> None:
        self.families.append("keep")
        n = self._number(1)
        dice = self.holder.n if isinstance(self.holder, DiceTerm) else None
        if not isinstance(dice, int) or n > dice or (dice - n) % 2:
            self.parser.forbid(token.place, f"there is no middle {n} here; write dl and dh, such as dl1dh1")
        if n < dice:
            self._add_keep(Keep("dl", (dice - n) // 2))
            self._add_keep(Keep("dh", (dice - n) // 2))

    def _unique(self, token: Token, word: str) -> None:
        self.families.append("keep")
        self._add_keep(Keep("unique"))

    def _count(self, token: Token, word: str) -> None:
        dialect = self.parser.dialect
        if word in ("cs", "cf") and dialect.marks:
            test = self._test()
            self.parser.note(f"{word}{test} only marks dice in {dialect.title}; the result is the same without it.")
            return
        self.families.append("count")
        if word == "cs" and not self._has_test() and isinstance(self.holder, DiceTerm):
            self._add_score(1, self._highest(self.holder, token), token.place)
            return
        test = self._test(">=" if word == "t" else "==")
        if word == "cs" and not dialect.name:
            self.parser.note(f"cs{test} counts dice, as in Foundry; in Roll20 it only marks them.")
        self._add_score(1, test, token.place)

    def _fail(self, token: Token, word: str) -> None:
        dialect = self.parser.dialect
        if word == "cf" and dialect.marks:
            self._count(token, word)
            return
        self.families.append("count")
        bare = "<=" if dialect.at_most else "=="
        if word == "df" and not self._has_test():
            self.parser.forbid(token.place, "name the faces that are subtracted, such as fail1")
        by = 1 if word == "cf" and not self.pick.scores else -1
        if word == "cf" and not self._has_test() and isinstance(self.holder, DiceTerm):
            self._add_score(by, self._lowest(self.holder, token), token.place)
            return
        test = self._test(bare)
        if word == "cf" and by > 0 and not dialect.name:
            self.parser.note(f"cf{test} counts dice, as in Foundry; to subtract them from a count, write fail{test}.")
        self._add_score(by, test, token.place)

    def _parity(self, token: Token, word: str) -> None:
        self.families.append("count")
        self._add_score(1, Parity(word == "odd"), token.place)

    def _add_score(self, by: int, test: Test, place: int) -> None:
        self.tests.append((test, place, "counts"))
        self.pick = self.pick._replace(scores=(*self.pick.scores, Score(by, test)))

    def _pattern(self, token: Token, word: str) -> None:
        self._once("count", "pattern", token)
        name = {"mt": "matches", "m": "matches", "width": "widest", "straights": "straight"}.get(word, word)
        size = self._number(0) if name == "matches" else 0
        self.pick = self.pick._replace(pattern=name, size=0 if size == 2 else size)

    def _sort(self, token: Token, word: str) -> None:
        """Sorting changes nothing."""

    # Comparisons right behind dice.

    def _read_comparison(self, token: Token) -> bool:
        """Read a comparison as a count of dice, if it is one."""
        if isinstance(self.holder, Name) or not self._is_count(token):
            self._note_question(token)
            return False
        self.families.append("count")
        self._add_score(1, self._test(), token.place)
        return True

    def _is_count(self, token: Token) -> bool:
        """Whether a comparison behind dice counts: another one or a modifier follows its number."""
        parser = self.parser
        if parser.ahead().kind != "number":
            return False
        after = parser.ahead(2)
        if after.touches and _is_die(after.text):
            return False
        if parser.dialect.counts and not self.pick.scores:
            return True
        before = parser.tokens[parser.place - 2].text if parser.place >= 2 else ""
        if token.touches and before in OPERATORS:
            return True
        return after.text in OPERATORS or after.text in ("!", "!!") or self._is_modifier(after)

    def _is_modifier(self, token: Token) -> bool:
        return token.kind == "word" and bool(self._word_of(token)) and token.text not in self.parser.names

    def _note_question(self, token: Token) -> None:
        """Say that a sum is compared, where somebody could mean the dice."""
        term, parser = self.holder, self.parser
        if not isinstance(term, DiceTerm) or parser.dialect.name or not self.pick.adds or term.n in (0, 1):
            return
        number, after = parser.ahead(), parser.ahead(2)
        single = number.kind == "number" and (after.kind == "end" or after.text in ("and", "or", "then", ":", ")", "}"))
        if single and isinstance(term.sides, int) and int(number.text[:9]) <= term.sides:
            said = f"{token.text}{number.text}"
            if token.text == "!=":
                face = number.text
                parser.note(f"{said} asks whether the sum is another; to explode on {face}, write !{face}.")
                return
            parser.note(f"{said} is asked of the sum; to count dice, write count{said.removeprefix('==')}.")

    # What is wrong with modifiers, or worth a note.

    def _check_tests(self, term: DiceTerm) -> None:
        """Refuse tests that no face can meet, and dice that never come to rest."""
        if not isinstance(term.sides, int):
            return
        faces = term.values()
        for test, place, does in self.tests:
            early = does in ("explodes", "is rerolled")
            values = faces if early else self._values(term, faces)
            if values and not any(test.holds(value) for value in values):
                self.parser.forbid(place, f"no face of a {term.die} is {test.words()}")
            change = term.explode if does == "explodes" else term.reroll
            if early and change and not change.times and all(test.holds(value) for value in faces):
                self.parser.forbid(place, f"every face of a {term.die} {does}, so it never comes to rest")

    def _values(self, term: DiceTerm, faces: list[Any]) -> list[Any]:
        """What a die can count as, if that can be listed."""
        if term.explode and (term.explode.compound or term.explode.penetrate):
            return []
        if any(isinstance(face, str) for face in faces):
            return faces
        return [term.limited(face) for face in faces]

    def _note_order(self) -> None:
        places = [FAMILIES.index(family) for family in self.families]
        dialect = self.parser.dialect
        kinds = [keep.kind[0] for keep in self.pick.keeps]
        if dialect.sets and "d" in kinds and kinds != sorted(kinds):
            self.parser.note(f"Keep and drop apply from left to right; {dialect.title} drops first.")
        if dialect.name in ("foundry", "avrae") and places != sorted(places):
            self.parser.note(f"Modifiers apply in the order {', '.join(FAMILIES)}; in {dialect.title} as written.")


def _is_die(word: str) -> bool:
    """Whether a word is the d of dice, or begins with that of Fate dice."""
    return word.lower() == "d" or word.lower().startswith("df")


Handler = Callable[[Modifiers, "Token", str], None]
WORDS: dict[str, Handler] = {
    **dict.fromkeys(("x", "xo", "e", "ie"), Modifiers._explode_word),
    **dict.fromkeys(("r", "ro", "rr", "ir"), Modifiers._reroll),
    **dict.fromkeys(("rl", "rh"), Modifiers._replace),
    **dict.fromkeys(("min", "max", "mi", "ma"), Modifiers._limit),
    **dict.fromkeys((*KEEPS, "keep", "drop", "p"), Modifiers._keep),
    "km": Modifiers._middle,
    "unique": Modifiers._unique,
    **dict.fromkeys(("count", "cs", "t"), Modifiers._count),
    **dict.fromkeys(("fail", "f", "cf", "df"), Modifiers._fail),
    **dict.fromkeys(("even", "odd"), Modifiers._parity),
    **dict.fromkeys((*PATTERNS, "mt", "m", "width", "straights"), Modifiers._pattern),
    **dict.fromkeys(("sa", "sd", "s"), Modifiers._sort),
}
LONGEST_FIRST = sorted(WORDS, key=len, reverse=True)
NEEDS_TEST = ("min", "max", "mi", "ma", "count", "t", "f", "fail", "df", "keep", "drop", "p", "m", "e", "d")
"""Words that are a label if no number or test follows them."""
