"""Throwing the dice of a term: which dice to throw, what becomes of each face, and their value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.dice.dice import NO_FACES, Dice, Faces, Pool, Waves
from astragal.errors import Illegal
from astragal.notation.condition import Limit, Test
from astragal.notation.pool import kept_of, kept_places, picked, rank
from astragal.notation.term import PLAIN, DiceTerm, Reroll

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution

MAX_CHAIN = 20
"""A die of a chain law continues at most this often on average; every wave follows the chain from its start."""


class ChainLaw(NamedTuple):
    """How one die continues: rerolled on some faces, one more die on others, each without end or a number of times.

    A die that an explosion earns has its own rerolls.
    """

    reroll: frozenset[int]
    rerolls: int
    explode: frozenset[int]
    explosions: int

    def step(self, done: tuple[int, int], face: int) -> tuple[str, tuple[int, int]]:
        """Return what a face does, and how many rerolls and explosions there have been then."""
        rerolls, explosions = done
        if face in self.reroll and (not self.rerolls or rerolls < self.rerolls):
            return "rerolled", (rerolls + 1, explosions)
        if face in self.explode and (not self.explosions or explosions < self.explosions):
            return "explodes", (0, explosions + 1)
        return "", done

    def due(self, waves: Waves) -> int:
        """Return how many dice go on after these waves."""
        open_dice = [(0, 0)] * len(waves[0])
        for wave in waves:
            steps = [self.step(done, face) for done, face in zip(open_dice, wave, strict=True)]
            open_dice = [done for did, done in steps if did]
        return len(open_dice)

    @property
    def endless(self) -> bool:
        """True if some face rerolls or explodes without end."""
        return bool((self.reroll and not self.rerolls) or (self.explode and not self.explosions))


class ReplaceLaw(NamedTuple):
    """After all rerolls the lowest or highest dice are thrown once more."""

    chain: ChainLaw
    term: DiceTerm

    def due(self, waves: Waves) -> int:
        """Return how many dice the next wave has: the last wave is that of the replaced dice."""
        assert self.term.replace
        settled = settled_at(self.chain, waves)
        if settled == len(waves):
            return min(self.term.replace.n, len(waves[0]))
        return 0 if settled else self.chain.due(waves)

    @property
    def endless(self) -> bool:
        """True if some face is rerolled without end."""
        return self.chain.endless


def settled_at(chain: ChainLaw, waves: Waves) -> int:
    """Return after how many waves all rerolls are done; 0 if they are not."""
    return next((n for n in range(1, len(waves) + 1) if not chain.due(waves[:n])), 0)


class ShownDie(NamedTuple):
    """A face that came up: its value, what became of it in words, and whether it is part of the result."""

    value: Any
    face: int
    wave: int
    did: str
    counts: bool
    die: int = 0
    """Which of the dice first thrown it is, or goes back to."""


class TermReading(NamedTuple):
    """Reads the value of a term's dice. ``simple`` dice are only kept and added up."""

    term: DiceTerm
    simple: bool = False

    def read(self, faces: Faces) -> Any:
        if self.simple:
            keeps = self.term.pick.keeps
            if not keeps:
                return sum(faces[0][0])
            ranked = sorted(faces[0][0], reverse=keeps[0].kind in ("kh", "dl"))
            n = keeps[0].n
            return sum(ranked[:n] if keeps[0].kind[0] == "k" else ranked[: max(len(ranked) - n, 0)])
        return picked(self.term.pick, rest_values(self.term, faces[0]))

    def odds(self, pool: Pool, up_to: int) -> Distribution[Any]:
        from astragal.notation.odds.terms import term_odds

        return term_odds(self.term, up_to)


class PoolReading(NamedTuple):
    """Reads the kept dice of a term as values; ``joined`` adds explosions to the die that earned them."""

    term: DiceTerm
    joined: bool

    def read(self, faces: Faces) -> tuple[Any, ...]:
        values = die_values(self.term, faces[0]) if self.joined else rest_values(self.term, faces[0])
        return tuple(sorted(kept_of(self.term.pick.keeps, values), key=lambda value: (isinstance(value, str), value)))


def reading_of(term: DiceTerm) -> TermReading:
    """Return the reading of a term's value."""
    plain = term._replace(n=0, sides=0, pick=PLAIN) == DiceTerm(0, 0)
    ranks = not term.pick.keeps or (len(term.pick.keeps) == 1 and term.pick.keeps[0].kind in ("kh", "kl", "dh", "dl"))
    return TermReading(term, plain and ranks and term.pick.adds)


def faces_of(term: DiceTerm, test: Test | None) -> frozenset[int]:
    """Return the faces, counted from 1, that meet a condition."""
    if test is None:
        return NO_FACES
    return frozenset(face for face, value in enumerate(term.values(), 1) if test.holds(value))


def law_of(term: DiceTerm) -> ChainLaw:
    """Return how one of the dice continues."""
    reroll, explode = term.reroll, term.explode
    again = faces_of(term, reroll.test if reroll else None)
    more = faces_of(term, explode.test if explode else None)
    stuck = (again if reroll and not reroll.times else NO_FACES) | (more if explode and not explode.times else NO_FACES)
    if len(stuck) == term.sides:
        raise Illegal(f"{term} never comes to rest: every face is thrown again.")
    return ChainLaw(again, reroll.times if reroll else 0, more, explode.times if explode else 0)


def dice_of(term: DiceTerm) -> Dice:
    """Return the dice to throw, with the faces that go again."""
    assert isinstance(term.n, int)
    assert isinstance(term.sides, int)
    check(term)
    dice = Dice(term.sides, term.n, term.die)
    if not (term.reroll or term.explode or term.replace):
        return dice
    law = law_of(term)
    if term.replace:
        return dice._replace(law=ReplaceLaw(law, term))
    if not law.rerolls and not law.explosions:
        return dice._replace(again=law.reroll | law.explode)
    if law.rerolls == 1 and not law.explode:
        return dice._replace(retry=law.reroll)
    if law.endless and len(law.reroll | law.explode) * MAX_CHAIN > term.sides * (MAX_CHAIN - 1):
        raise Illegal(f"{term} goes on for too long: nearly every face is thrown again.")
    return dice._replace(law=law)


def check(term: DiceTerm) -> None:
    """Refuse modifiers that contradict each other."""
    pick = term.pick
    if pick.scores and all(score.by < 0 for score in pick.scores):
        raise Illegal(f"{term} subtracts failures but counts nothing; add a count, such as count>=8.")
    if pick.pattern and pick.scores:
        raise Illegal(f"{term} asks for {pick.pattern} and for a count; ask for one of them.")
    if term.replace and term.explode:
        raise Illegal(f"{term} rerolls dice by rank and explodes, which do not go together. Reroll by face, as in "
                      f"{_by_face(term)}, or do one of them: {term._replace(explode=None)}, "
                      f"{term._replace(replace=None)}.")  # fmt: skip
    if (term.least is not None or term.most is not None or term.explode) and any(
        isinstance(face.value, str) for face in term.faces
    ):
        raise Illegal(f"{term} has words on its faces; only numbers explode or have a least and a most.")


def _by_face(term: DiceTerm) -> DiceTerm:
    """The term with its worst or best face rerolled once, instead of its lowest or highest dice."""
    values = [value for value in term.values() if isinstance(value, int)] or [1]
    face = max(values) if term.replace and term.replace.highest else min(values)
    return term._replace(replace=None, reroll=term.reroll or Reroll(Limit("==", face), 1))


def chains_of(term: DiceTerm, waves: Waves) -> list[list[ShownDie]]:
    """Return, for each die of the first wave, all its faces in order, rerolls and explosions included."""
    law = law_of(term)
    last = settled_at(law, waves) if term.replace else len(waves)
    chains: list[list[ShownDie]] = [[] for _ in waves[0]]
    open_dice = [(die, (0, 0), False) for die in range(len(waves[0]))]
    for wave, faces in enumerate(waves[:last]):
        following = []
        for (die, done, extra), face in zip(open_dice, faces, strict=True):
            did, after = law.step(done, face)
            value = _value(term, face, extra)
            chains[die].append(ShownDie(value, face, wave, did, did != "rerolled", die))
            if did:
                following.append((die, after, extra or did == "explodes"))
        open_dice = following
    if last < len(waves):
        _replace(term, chains, waves[last], last)
    return chains


def _value(term: DiceTerm, face: int, extra: bool) -> Any:
    value = term.limited(term.value_of(face))
    return value - 1 if extra and term.explode and term.explode.penetrate else value


def _replace(term: DiceTerm, chains: list[list[ShownDie]], faces: tuple[int, ...], wave: int) -> None:
    """Put the last wave in place of the lowest or highest dice; of equal dice, the earlier ones go."""
    assert term.replace
    ranked = sorted(range(len(chains)), key=lambda die: rank(chains[die][-1].value), reverse=term.replace.highest)
    for die, face in zip(sorted(ranked[: len(faces)]), faces, strict=True):
        chains[die][-1] = chains[die][-1]._replace(did="rerolled", counts=False)
        chains[die].append(ShownDie(_value(term, face, False), face, wave, "", True, die))


def rest_values(term: DiceTerm, waves: Waves) -> list[Any]:
    """Return the values that the dice come to rest with; compounding dice have one value each."""
    if not (term.reroll or term.explode or term.replace):
        return [_value(term, face, False) for face in waves[0]]
    if term.explode and term.explode.compound:
        return die_values(term, waves)
    return [die.value for chain in chains_of(term, waves) for die in chain if die.counts]


def die_values(term: DiceTerm, waves: Waves) -> list[Any]:
    """Return a value for each die first thrown: what it and the dice that it earned add up to."""
    if not term.explode:
        return rest_values(term, waves)
    return [sum([die.value for die in chain if die.counts]) for chain in chains_of(term, waves)]


def shown_dice(term: DiceTerm, waves: Waves) -> list[ShownDie]:
    """Return every face that came up, in order of waves, with what became of it."""
    compound = bool(term.explode and term.explode.compound)
    chains = chains_of(term, waves)
    shown = [die for chain in chains for die in (_compounded(chain) if compound else chain)]
    places = [place for place, die in enumerate(shown) if die.counts]
    kept = {places[k] for k in kept_places(term.pick.keeps, [shown[place].value for place in places])}
    judged = [_with_verdict(term, die, place in kept) if die.counts else die for place, die in enumerate(shown)]
    return sorted(judged, key=lambda die: die.wave)


def _compounded(chain: list[ShownDie]) -> list[ShownDie]:
    """A compounding die: its first face at rest has the sum of all as its value, the others are added."""
    places = [place for place, die in enumerate(chain) if die.counts]
    total = sum([chain[place].value for place in places])
    shown = list(chain)
    for place in places[1:]:
        shown[place] = shown[place]._replace(did="added", counts=False)
    shown[places[0]] = shown[places[0]]._replace(value=total)
    return shown


def _with_verdict(term: DiceTerm, die: ShownDie, kept: bool) -> ShownDie:
    if not kept:
        return die._replace(did="dropped", counts=False)
    if not term.pick.scores:
        return die
    score = term.pick.score(die.value)
    verdict = "" if not score else "fails" if score < 0 else "counts" if score == 1 else f"counts {score} times"
    return die._replace(did=", ".join(filter(None, (verdict, die.did))), counts=bool(score))
