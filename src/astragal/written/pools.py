"""Named dice of a written game: ``(rating)d6``, ``2d20``, ``5d10!``, ``3d{0,0,1,1,2}``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from astragal.dice.dice import MAX_DICE, MAX_SIDES, NO_FACES, Dice, Faces, Pool, every_face
from astragal.errors import Illegal
from astragal.notation.term import PLAIN, DiceTerm
from astragal.rule.tree.note import Die, Telling
from astragal.written.formula import Formula, Values, checked, parsed
from astragal.written.sides import THEIR


class NamedDice(NamedTuple):
    """Dice with a name. Their number is a formula of the inputs, and so may be their ``size``."""

    name: str
    term: DiceTerm
    n: Formula | int
    size: Formula | int

    def thrown(self, inputs: Values) -> Dice:
        """The dice for these inputs."""
        n = number_of(self.name, self.n, inputs)
        explode, sides = self.term.explode, self.size if isinstance(self.size, int) else self.size.value(inputs)
        if type(sides) is not int or not 1 <= sides <= MAX_SIDES:
            raise Illegal(f"{self.name} comes to dice with {sides} sides; they have from 1 to {MAX_SIDES:,}.")
        again = frozenset(f for f in range(1, sides + 1) if explode.test.holds(f)) if explode else NO_FACES
        name = f"their {self.name.removeprefix(THEIR)}" if self.name.startswith(THEIR) else self.name
        return Dice(sides, n, name, again)

    @property
    def explodes(self) -> bool:
        """True if dice are thrown again without end."""
        return bool(self.term.explode)

    def called(self, dice: Dice) -> str:
        """What a single die is called."""
        return self.term.die if isinstance(self.size, int) else f"d{dice.sides}"

    def value(self, face: int) -> int:
        """What a face counts."""
        return int(self.term.value_of(face))

    def face(self, value: int) -> int:
        """A face that counts this."""
        faces = range(1, len(self.term.faces) + 1)
        return next((face for face in faces if self.value(face) == value), value)

    def shown(self, value: int) -> str:
        """What people call a face that counts this."""
        return str(value)


def read_dice(name: str, text: str, inputs: Iterable[str]) -> NamedDice:
    """The dice that a text stands for; refused with a sentence if a written game has no such dice."""
    there = list(inputs)
    term: Any = parsed(text, dict.fromkeys(there, "1"))
    if not isinstance(term, DiceTerm):
        raise Illegal(f'"{text}" is more than dice; write dice such as "(rating)d6" and put the rest into readings')
    _check(term, text)
    n = term.n if isinstance(term.n, int) else checked(term.n, text, [], there)
    size = len(term.faces) or (term.sides if isinstance(term.sides, int) else checked(term.sides, text, [], there))
    return NamedDice(name, term, n, size)


class SymbolDice(NamedTuple):
    """Dice with a name and words on their faces: ``hit+star`` stands for one hit and one star."""

    name: str
    labels: tuple[str, ...]
    n: Formula | int

    @property
    def sides(self) -> int:
        return len(self.labels)

    def value(self, face: int) -> int:
        """What tells a face from others: its number."""
        return face

    def face(self, value: int) -> int:
        """The face with this value."""
        return value

    def shown(self, value: int) -> str:
        """What people call a face."""
        return self.labels[value - 1]

    def called(self, dice: Dice) -> str:
        """What a single die is called."""
        return f" {self.name}"

    def thrown(self, inputs: Values) -> Dice:
        """The dice for these inputs."""
        return Dice(self.sides, number_of(self.name, self.n, inputs), self.name, labels=self.labels)


def number_of(name: str, n: Formula | int, inputs: Values) -> int:
    """The number of dice for these inputs."""
    found = n if isinstance(n, int) else n.value(inputs)
    if type(found) is int and found < 0 and any(inputs.get(helped, 0) < 0 for helped in ("helped", "their_helped")):
        found = 0  # helpers cannot take away more dice than there are
    if type(found) is not int or not 0 <= found <= MAX_DICE:
        raise Illegal(f"{name} comes to {found} dice; from 0 to {MAX_DICE:,} can be rolled.")
    return found


def teller(pool: Pool) -> Callable[[Faces], Telling]:
    """The function that shows the faces of these dice to people."""

    def tell(faces: Faces) -> Telling:
        shown = zip(pool, faces, strict=True)
        return Telling(tuple([Die(dice.name, dice.sides, face) for dice, waves in shown for face in every_face(waves)]))

    return tell


BLANK = "blank"
"""The word on a face without a symbol."""


def symbols_on(label: str) -> dict[str, int]:
    """How often each word is on a face or card such as ``sun+sun+moon``; ``blank`` counts nothing."""
    words = [word for word in label.split("+") if word != BLANK]
    return {word: words.count(word) for word in words}


def _check(term: DiceTerm, text: str) -> None:
    if term.pick != PLAIN:
        raise Illegal(f'"{text}" keeps or counts dice; name the dice here, and write "name kh1" as a reading')
    odd = term.reroll or term.replace or term.least is not None or term.most is not None
    explode = term.explode
    if odd or (explode and (explode.compound or explode.penetrate or explode.times)):
        raise Illegal(f'"{text}" rerolls or limits dice, which a game in Python can; here dice may explode with !')
    if isinstance(term.sides, int) and not 1 <= term.sides <= MAX_SIDES:
        raise Illegal(f'"{text}" must have from 1 to {MAX_SIDES:,} sides')
    if explode and not isinstance(term.sides, int):
        raise Illegal(f'"{text}" explodes, so it must have a fixed number of sides')
    if any(isinstance(face.value, str) for face in term.faces):
        raise Illegal(f'"{text}" has words on its faces; write {{ n = 3, faces = ["hit", "blank"] }}')
