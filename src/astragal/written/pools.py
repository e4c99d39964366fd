"""Named dice of a written game: ``(rating)d6``, ``2d20``, ``5d10!``, ``3d{0,0,1,1,2}``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from astragal.dice.dice import MAX_DICE, MAX_SIDES, NO_FACES, Dice, Waves, every_face
from astragal.dice.notation.expression import Let
from astragal.dice.notation.parser import parse
from astragal.dice.notation.term import PLAIN, DiceTerm
from astragal.errors import Illegal
from astragal.written.formula import Formula, Values


class NamedDice(NamedTuple):
    """Dice with a name. Their number is a formula of the inputs."""

    name: str
    term: DiceTerm
    n: Formula | int

    def thrown(self, inputs: Values) -> Dice:
        """The dice for these inputs."""
        n = self.n if isinstance(self.n, int) else self.n.value(inputs)
        if type(n) is not int or not 0 <= n <= MAX_DICE:
            raise Illegal(f"{self.name} comes to {n} dice; from 0 to {MAX_DICE:,} can be rolled.")
        explode, sides = self.term.explode, self.sides
        again = frozenset(f for f in range(1, sides + 1) if explode.test.holds(f)) if explode else NO_FACES
        return Dice(sides, n, self.name, again)

    @property
    def sides(self) -> int:
        return len(self.term.faces) or int(str(self.term.sides))

    def values(self, waves: Waves) -> tuple[Any, ...]:
        """What the dice of a throw count."""
        return tuple([self.value(face) for face in every_face(waves)])

    def value(self, face: int) -> int:
        """What a face counts."""
        return int(self.term.value_of(face))


def read_dice(name: str, text: str, inputs: Iterable[str]) -> NamedDice:
    """The dice that a text stands for; refused with a sentence if a written game has no such dice."""
    given = [f"let {each} = 1: " for each in inputs]
    term: Any = parse("".join(given) + text)
    for _ in given:
        assert isinstance(term, Let)
        term = term.body
    if not isinstance(term, DiceTerm):
        raise Illegal(f'"{text}" is more than dice; write dice such as "(rating)d6" and put the rest into readings')
    _check(term, text)
    n = term.n if isinstance(term.n, int) else Formula(text, term.n)
    return NamedDice(name, term, n)


def _check(term: DiceTerm, text: str) -> None:
    if term.pick != PLAIN:
        raise Illegal(f'"{text}" keeps or counts dice; name the dice here, and write "name kh1" as a reading')
    odd = term.reroll or term.replace or term.least is not None or term.most is not None
    explode = term.explode
    if odd or (explode and (explode.compound or explode.penetrate or explode.times)):
        raise Illegal(f'"{text}" rerolls or limits dice, which a game in Python can; here dice may explode with !')
    if not isinstance(term.sides, int) or not 1 <= term.sides <= MAX_SIDES:
        raise Illegal(f'"{text}" must have a fixed number of sides, at most {MAX_SIDES:,}')
    if any(isinstance(face.value, str) for face in term.faces):
        raise Illegal(f'"{text}" has words on its faces; give each a number, such as hit=1')
