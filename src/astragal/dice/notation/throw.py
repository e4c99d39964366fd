"""Dice of an expression on the table: what each die does, what they come to, and how likely that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.dice.dice import Dice, Faces, Pool, Waves
from astragal.dice.notation.expression import DiceTerm, Limit
from astragal.errors import Illegal

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution

FATE_SHIFT = -2


class Shown(NamedTuple):
    """One face on the table: its value, what became of it, and whether it is part of the result."""

    value: int
    face: int
    wave: int
    did: str
    counts: bool


class RollReading(NamedTuple):
    """Reads the faces of one roll of an expression."""

    roll: DiceTerm

    def read(self, faces: Faces) -> int:
        if self.roll.explode or self.roll.reroll or self.roll.fate:
            return self._read_chains(faces)
        ranked = sorted(faces[0][0], reverse=self.roll.keeps_best)
        return value_of(self.roll, ranked[: self.roll.number_kept(len(ranked))])

    def _read_chains(self, faces: Faces) -> int:
        return value_of(self.roll, [shown.value for shown in _standing(self.roll, faces[0])])

    def odds(self, pool: Pool, up_to: int) -> Distribution[Any]:
        from astragal.dice.notation.odds import roll_odds

        return roll_odds(self.roll, up_to)


def dice_of(roll: DiceTerm) -> Dice:
    """The dice to throw: exploding faces and faces that are thrown until they change go again."""
    check(roll)
    again = frozenset().union(*(test.faces(roll.sides, shift_of(roll)) for test in _going(roll)))
    retry = roll.reroll.faces(roll.sides, shift_of(roll)) if roll.reroll and roll.once else frozenset()
    if len(again) == roll.sides:
        raise Illegal(f"{roll} never comes to rest: every face is thrown again.")
    return Dice(roll.sides, roll.n, "dF" if roll.fate else f"d{roll.sides}", again, retry)


def _going(roll: DiceTerm) -> list[Limit]:
    """The tests of faces that are followed by another throw without end."""
    return [test for test in (roll.explode, None if roll.once else roll.reroll) if test]


def shift_of(roll: DiceTerm) -> int:
    """A Fate die is a d3 that shows −1, 0 and 1."""
    return FATE_SHIFT if roll.fate else 0


def check(roll: DiceTerm) -> None:
    """Refuse what makes no sense together."""
    if roll.keep and roll.kept > roll.n and roll.keep in ("kh", "kl") and not roll.explode:
        raise Illegal(f"{roll} keeps {roll.kept} of {roll.n} dice; it can keep {roll.n} at the most.")
    if roll.fail and not roll.counting:
        raise Illegal(f"{roll} takes failures off a count, and counts nothing; say count as well.")
    if roll.doubles and (roll.counting or roll.keep or roll.explode):
        raise Illegal(f"{roll} asks for doubles and for something else; doubles stand alone.")


def chains_of(roll: DiceTerm, waves: Waves) -> list[list[tuple[int, int]]]:
    """For each die thrown first: its faces with their waves, as it was thrown again."""
    dice = dice_of(roll)
    chains = [[(face, 0)] for face in waves[0]]
    open_chains = list(chains)
    for wave, faces in enumerate(waves[1:], 1):
        goes = dice.again | dice.retry if wave == 1 else dice.again
        open_chains = [chain for chain in open_chains if chain[-1][0] in goes]
        for chain, face in zip(open_chains, faces, strict=True):
            chain.append((face, wave))
    return chains


def shown_dice(roll: DiceTerm, waves: Waves) -> list[Shown]:
    """Every face that came up, wave after wave, and what became of it."""
    found: list[Shown] = []
    for chain in chains_of(roll, waves):
        found.extend(_chain_shown(roll, chain))
    return sorted(_sorted_out(roll, found), key=lambda shown: shown.wave)


def _chain_shown(roll: DiceTerm, chain: list[tuple[int, int]]) -> list[Shown]:
    shown: list[Shown] = []
    for face, wave in chain:
        value = face + shift_of(roll)
        if roll.reroll and roll.reroll.holds(value) and (wave == 0 or not roll.once):
            shown.append(Shown(value, face, wave, "rerolled", False))
        elif roll.compound and any(die.counts for die in shown):
            shown.append(Shown(value, face, wave, "added", False))
        else:
            did = "explodes" if roll.explode and roll.explode.holds(value) else ""
            shown.append(Shown(value, face, wave, did, True))
    return _compounded(shown) if roll.compound else shown


def _compounded(shown: list[Shown]) -> list[Shown]:
    """A compounding die is one die: its first face stands for the sum of all."""
    total = sum(die.value for die in shown if die.did != "rerolled")
    first = next(place for place, die in enumerate(shown) if die.counts)
    return [die._replace(value=total) if place == first else die for place, die in enumerate(shown)]


def _sorted_out(roll: DiceTerm, shown: list[Shown]) -> list[Shown]:
    """Drop what is not kept, then mark what counts."""
    kept = kept_places(roll, [(place, die.value) for place, die in enumerate(shown) if die.counts])
    return [_judged(roll, die, place in kept) if die.counts else die for place, die in enumerate(shown)]


def kept_places(roll: DiceTerm, dice: list[tuple[int, int]]) -> set[int]:
    """The places of the dice that are kept; of equal dice, the earlier ones."""
    ranked = sorted(dice, key=lambda die: -die[1] if roll.keeps_best else die[1])
    return {place for place, _ in ranked[: roll.number_kept(len(dice))]}


def _judged(roll: DiceTerm, die: Shown, kept: bool) -> Shown:
    if not kept:
        return die._replace(did="dropped", counts=False)
    if roll.counting:
        counts = roll.counting.holds(die.value)
        failed = bool(roll.fail and roll.fail.holds(die.value))
        word = "counts" if counts else "fails" if failed else ""
        return die._replace(did=", ".join(filter(None, (word, die.did))), counts=counts or failed)
    return die


def _standing(roll: DiceTerm, waves: Waves) -> list[Shown]:
    """The dice that are left after rerolls and keeping."""
    shown = [die for chain in chains_of(roll, waves) for die in _chain_shown(roll, chain) if die.counts]
    kept = kept_places(roll, [(place, die.value) for place, die in enumerate(shown)])
    return [die for place, die in enumerate(shown) if place in kept]


def value_of(roll: DiceTerm, values: list[int]) -> int:
    """What the dice come to: a sum, a count less the failures, or 1 for doubles."""
    if roll.doubles:
        return len(set(values)) < len(values)
    if not roll.counting:
        return sum(values)
    failures = sum(roll.fail.holds(value) for value in values) if roll.fail else 0
    return sum(roll.counting.holds(value) for value in values) - failures
