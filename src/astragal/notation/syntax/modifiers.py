"""Modifiers of dice and groups: ``kh4``, ``!>=9``, ``ro<3``, ``count>=8``, and how other tools spell them.

They may be written in any order and belong to families: reroll, explode, limit, keep, count. Families apply in that
order; keep and drop among themselves from left to right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from astragal.notation.condition import OPERATORS, Test
from astragal.notation.dialect import DIALECTS
from astragal.notation.expression import Expression, Group, Name, Number, spreads
from astragal.notation.syntax import change, failures, maiden, picked
from astragal.notation.term import PATTERNS, DiceTerm, Keep, Pick, Score

if TYPE_CHECKING:
    from astragal.notation.syntax.grammar import NotationParser
    from astragal.notation.syntax.lexer import Token

FAMILIES = ("reroll", "explode", "limit", "keep", "count")


class Modifiers:
    """Reads the modifiers behind dice, a group or a named roll, and puts them into it."""

    def __init__(self, parser: NotationParser, holder: DiceTerm | Group | Name) -> None:
        self.parser = parser
        self.dialect = parser.dialect
        self.holder = holder
        self.pick: Pick = holder.pick
        self.given: set[str] = set()
        self.families: list[str] = []
        self.tests: list[tuple[Test, int, str]] = []
        self.then: Callable[[Expression], Expression] | None = None
        """What is made of the dice in the end, if a modifier stands for more than dice."""
        self.last = ""
        """The modifier read last."""
        self._words = VOCABULARY[parser.dialect.name]

    def read(self) -> Expression:
        """Read all modifiers that follow, and return the dice, group or name with them."""
        while self._read_one():
            pass
        if isinstance(self.holder, DiceTerm):
            self._check_tests(self.holder)
        elif isinstance(self.holder, Group) and self.tests:
            self._check_group(self.holder)
        self._note_order()
        change.note_reroll(self)
        found = self.holder._replace(pick=self.pick)
        return self.then(found) if self.then else found

    def _read_one(self) -> bool:
        token = self.parser.next
        if token.text in ("!", "!!") and isinstance(self.holder, DiceTerm):
            change.read_bang(self, token)
            return True
        if token.text in OPERATORS and token.kind == "sign":
            return picked.read_comparison(self, token)
        if token.kind != "word" or token.text in self.parser.names:
            return False
        word = self.word_of(token)
        if word != token.text:
            self._refuse_foreign(token, word)
        if not word or not self._fits(word, token):
            return False
        self.parser.split(len(word))
        self._words[word](self, token, word)
        self.last = word
        return True

    def word_of(self, token: Token) -> str:
        """Return the modifier that a word is, or that a word begins with if it touches what is before it."""
        text = token.text.lower() if token.touches or token.text.isupper() else token.text
        if text in self._words:
            return text
        return _longest(text, self._words) if token.touches else ""

    def _fits(self, word: str, token: Token) -> bool:
        """True if the word is a modifier here: some need a number or a test behind them, else they are a label."""
        if word in ("x", "xo") and not token.touches:
            after = self.parser.ahead()
            if after.kind == "number" and after.touches is False:
                n = after.text[:9]
                self.parser.forbid(
                    token.place,
                    f"write * for times, {n} x before the dice for {n} rolls, or x right behind them to explode",
                )
        if token.touches or word not in NEEDS_TEST or word in OWN_WORDS.get(self.dialect.name, {}):
            return True
        after = self.parser.ahead()
        return after.kind == "number" or after.text in OPERATORS or after.text in ("{", "even", "odd", "-")

    def _refuse_foreign(self, token: Token, own: str) -> None:
        """Refuse a modifier that only another tool has, and name the tool."""
        after = self.parser.ahead()
        if not token.touches and not (after.kind == "number" and after.touches):
            return
        for dialect, words in OWN_WORDS.items():
            word = _longest(token.text, words) if token.touches else token.text
            if len(word) > len(own) and word in words and dialect != self.dialect.name:
                self.parser.forbid(token.place, f"{word} is a modifier of {DIALECTS[dialect].title}; use its dialect")
        if token.text in UNREAD and token.touches:
            self.parser.forbid(token.place, UNREAD[token.text])

    def once(self, family: str, name: str, token: Token) -> None:
        """Note a modifier of a family, and refuse a second one."""
        if name in self.given:
            self.parser.refuse(token.place, "each modifier once")
        self.given.add(name)
        self.families.append(family)

    def dice(self, token: Token) -> DiceTerm:
        """Return the dice that are modified; a group is refused."""
        if not isinstance(self.holder, DiceTerm):
            self.parser.forbid(token.place, f"{token.text} belongs behind dice, inside the group")
        return self.holder

    def add_keep(self, keep: Keep) -> None:
        """Add a step of keeping or dropping."""
        self.families.append("keep")
        self.pick = self.pick._replace(keeps=(*self.pick.keeps, keep))

    def add_score(self, by: int, test: Test, place: int) -> None:
        """Count the dice that meet a test, or subtract them."""
        self.families.append("count")
        self.tests.append((test, place, "counts"))
        self.pick = self.pick._replace(scores=(*self.pick.scores, Score(by, test)))

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
            if early and change and not change.times and all(change.test.holds(value) for value in faces):
                self.parser.forbid(place, f"every face of a {term.die} {does}, so it never comes to rest")

    def _check_group(self, group: Group) -> None:
        """Refuse tests that no value of a group can meet, if all of them are numbers and dice with an end."""
        values: list[Any] = []
        for part in group.parts:
            if self.dialect.totals and getattr(part, "n", 1) != 1:
                return
            if isinstance(part, DiceTerm) and spreads(part) and isinstance(part.sides, int) and not part.explode:
                values += self._values(part, part.values())
            elif isinstance(part, Number):
                values.append(part.n)
            else:
                return
        for test, place, _ in self.tests:
            if not any(test.holds(value) for value in values):
                self.parser.forbid(place, f"no value of {group} is {test.words()}")

    def _values(self, term: DiceTerm, faces: list[Any]) -> list[Any]:
        """What a die can count as, if that can be listed."""
        if term.explode and (term.explode.compound or term.explode.penetrate):
            return []
        if any(isinstance(face, str) for face in faces):
            return faces
        return [term.limited(face) for face in faces]

    def _note_order(self) -> None:
        places = [FAMILIES.index(family) for family in self.families]
        kinds = [keep.kind[0] for keep in self.pick.keeps]
        if self.dialect.sets and "d" in kinds and kinds != sorted(kinds):
            self.parser.note(f"Keep and drop apply from left to right; {self.dialect.title} drops first.")
        if self.dialect.name in ("foundry", "avrae") and places != sorted(places):
            self.parser.note(f"Modifiers apply in the order {', '.join(FAMILIES)}; in {self.dialect.title} as written.")


def _longest(text: str, words: dict[str, Handler]) -> str:
    """The longest of these words that a text begins with."""
    return max((word for word in words if text.startswith(word)), key=len, default="")


Handler = Callable[[Modifiers, "Token", str], None]
WORDS: dict[str, Handler] = {
    **dict.fromkeys(("x", "xo", "e", "ie"), change.read_explode),
    **dict.fromkeys(("r", "ro", "rr", "ir"), change.read_reroll),
    **dict.fromkeys(("rl", "rh", "rol", "roh"), change.read_replace),
    "ra": change.read_added,
    **dict.fromkeys(("min", "max", "mi", "ma"), change.read_limit),
    **dict.fromkeys((*picked.KEEPS, "keep", "drop", "p"), picked.read_keep),
    "km": picked.read_middle,
    "unique": picked.read_unique,
    **dict.fromkeys(("count", "cs", "t"), picked.read_count),
    **dict.fromkeys(("fail", "f", "cf"), picked.read_fail),
    **dict.fromkeys(("even", "odd"), picked.read_parity),
    **dict.fromkeys((*PATTERNS, "mt", "m", "width", "straights"), picked.read_pattern),
    **dict.fromkeys(("sa", "sd", "s"), picked.read_sort),
    **dict.fromkeys(("df", "sf"), failures.read_failures),
    "ms": failures.read_margin,
}
OWN_WORDS: dict[str, dict[str, Handler]] = {
    "dicemaiden": {
        "b": maiden.read_botches,
        "tl": maiden.read_at_most,
        "ds": maiden.read_double,
        **dict.fromkeys(("rg", "irg"), maiden.read_reroll_above),
        **dict.fromkeys(("adv", "dis"), maiden.read_advantage),
        "i": maiden.read_implode,
    }
}
"""Modifiers that only one tool has, and that would be labels or something else anywhere else."""
VOCABULARY = {name: WORDS | OWN_WORDS.get(name, {}) for name in ("", *DIALECTS)}
"""The modifiers of each dialect."""
UNREAD = {
    "u": "u rerolls dice until all of them differ, which has no odds here; unique keeps one die of each value",
    "uo": "uo rerolls dice that are there twice, which has no odds here; unique keeps one die of each value",
}
"""Modifiers of other tools that are not read, and what to write instead."""
NEEDS_TEST = (
    *("min", "max", "mi", "ma", "count", "t", "f", "fail", "df", "sf", "ms", "ra", "keep", "drop", "p", "m", "e", "d"),
)
"""Words that are a label if no number or test follows them."""
