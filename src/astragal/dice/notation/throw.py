"""Throwing the dice of an expression: which dice to throw, what becomes of each face, and their value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.dice.dice import Dice, Faces, Pool, Waves
from astragal.dice.notation.expression import DiceTerm, Limit
from astragal.errors import Illegal

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution

FATE_SHIFT = -2
"""A Fate die is a d3 whose faces 1 to 3 have the values −1 to 1."""


class ShownDie(NamedTuple):
    """A face that came up: its value, what became of it in words, and whether it is part of the result."""

    value: int
    face: int
    wave: int
    did: str
    counts: bool


class TermReading(NamedTuple):
    """Reads the value of an expression's dice."""

    term: DiceTerm

    def read(self, faces: Faces) -> int:
        if self.term.explode or self.term.reroll or self.term.fate:
            return value_of(self.term, [die.value for die in _kept_dice(self.term, faces[0])])
        ranked = sorted(faces[0][0], reverse=self.term.keeps_best)
        return value_of(self.term, ranked[: self.term.number_kept(len(ranked))])

    def odds(self, pool: Pool, up_to: int) -> Distribution[Any]:
        from astragal.dice.notation.odds import term_odds

        return term_odds(self.term, up_to)


def dice_of(term: DiceTerm) -> Dice:
    """Return the dice to throw; faces that explode, and faces rerolled until they change, go again."""
    check(term)
    again = frozenset().union(*(test.faces(term.sides, shift_of(term)) for test in _unlimited(term)))
    retry = term.reroll.faces(term.sides, shift_of(term)) if term.reroll and term.once else frozenset()
    if len(again) == term.sides:
        raise Illegal(f"{term} never comes to rest: every face is rerolled.")
    return Dice(term.sides, term.n, "dF" if term.fate else f"d{term.sides}", again, retry)


def _unlimited(term: DiceTerm) -> list[Limit]:
    """The conditions of faces that are thrown again without limit."""
    return [test for test in (term.explode, None if term.once else term.reroll) if test]


def shift_of(term: DiceTerm) -> int:
    """Return what is added to a face to get its value."""
    return FATE_SHIFT if term.fate else 0


def check(term: DiceTerm) -> None:
    """Refuse modifiers that contradict each other."""
    if term.keep and term.kept > term.n and term.keep in ("kh", "kl") and not term.explode:
        raise Illegal(f"{term} keeps {term.kept} of {term.n} dice; it can keep at most {term.n}.")
    if term.fail and not term.counting:
        raise Illegal(f"{term} subtracts failures but counts nothing; add a count.")
    if term.doubles and (term.counting or term.keep or term.explode):
        raise Illegal(f"{term} combines doubles with another modifier; doubles stands alone.")


def chains_of(term: DiceTerm, waves: Waves) -> list[list[tuple[int, int]]]:
    """Return, for each die of the first wave, its faces with their wave numbers, rerolls included."""
    dice = dice_of(term)
    chains = [[(face, 0)] for face in waves[0]]
    open_chains = list(chains)
    for wave, faces in enumerate(waves[1:], 1):
        rerolled = dice.again | dice.retry if wave == 1 else dice.again
        open_chains = [chain for chain in open_chains if chain[-1][0] in rerolled]
        for chain, face in zip(open_chains, faces, strict=True):
            chain.append((face, wave))
    return chains


def shown_dice(term: DiceTerm, waves: Waves) -> list[ShownDie]:
    """Return every face that came up, in order of waves, with what became of it."""
    shown = [die for chain in chains_of(term, waves) for die in _shown_chain(term, chain)]
    return sorted(_with_verdicts(term, shown), key=lambda die: die.wave)


def _shown_chain(term: DiceTerm, chain: list[tuple[int, int]]) -> list[ShownDie]:
    """The faces of one die; a compounding die's first face has the sum of all as its value."""
    shown: list[ShownDie] = []
    first = -1
    for face, wave in chain:
        value = face + shift_of(term)
        if term.reroll and term.reroll.holds(value) and (wave == 0 or not term.once):
            shown.append(ShownDie(value, face, wave, "rerolled", False))
        elif term.compound and first >= 0:
            shown[first] = shown[first]._replace(value=shown[first].value + value)
            shown.append(ShownDie(value, face, wave, "added", False))
        else:
            first = len(shown)
            did = "explodes" if term.explode and term.explode.holds(value) else ""
            shown.append(ShownDie(value, face, wave, did, True))
    return shown


def _with_verdicts(term: DiceTerm, shown: list[ShownDie]) -> list[ShownDie]:
    """Drop the dice that are not kept, then mark those that count."""
    kept = kept_places(term, [(place, die.value) for place, die in enumerate(shown) if die.counts])
    return [_with_verdict(term, die, place in kept) if die.counts else die for place, die in enumerate(shown)]


def kept_places(term: DiceTerm, dice: list[tuple[int, int]]) -> set[int]:
    """Return the places of the kept dice; of equal dice, the earlier ones."""
    ranked = sorted(dice, key=lambda die: -die[1] if term.keeps_best else die[1])
    return {place for place, _ in ranked[: term.number_kept(len(dice))]}


def _with_verdict(term: DiceTerm, die: ShownDie, kept: bool) -> ShownDie:
    if not kept:
        return die._replace(did="dropped", counts=False)
    if term.counting:
        counts = term.counting.holds(die.value)
        failed = bool(term.fail and term.fail.holds(die.value))
        verdict = "counts" if counts else "fails" if failed else ""
        return die._replace(did=", ".join(filter(None, (verdict, die.did))), counts=counts or failed)
    return die


def _kept_dice(term: DiceTerm, waves: Waves) -> list[ShownDie]:
    """The dice that remain after rerolls and keeping."""
    shown = [die for chain in chains_of(term, waves) for die in _shown_chain(term, chain) if die.counts]
    kept = kept_places(term, [(place, die.value) for place, die in enumerate(shown)])
    return [die for place, die in enumerate(shown) if place in kept]


def value_of(term: DiceTerm, values: list[int]) -> int:
    """Return the value of the kept dice: a sum, a count less failures, or whether there are doubles."""
    if term.doubles:
        return len(set(values)) < len(values)
    if not term.counting:
        return sum(values)
    failures = sum(term.fail.holds(value) for value in values) if term.fail else 0
    return sum(term.counting.holds(value) for value in values) - failures
