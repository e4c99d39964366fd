"""The tree of a roll with its kept dice (T-1): what an undone throw left is certain, and only new dice are chance.

Odds and advice that walk this tree are those of the dice that are really still open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import comb
from typing import Any

from astragal.dice.dice import Dice, Faces, Pool, Wave
from astragal.dice.distribution import Distribution, mix
from astragal.dice.reading import Reading, Tally, Walk
from astragal.dice.solver.readings import sorted_throws
from astragal.errors import Illegal, Unknown
from astragal.rule.chances.fact import NEVER, Policy
from astragal.rule.chances.odds import UP_TO
from astragal.rule.chances.solve import Solver
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Choice, Lazy, Node, Throw
from astragal.rule.tree.play import Step
from astragal.table.access import GM, dice_audience, may_see
from astragal.table.kept import Completed, Slots, Thrown, completed
from astragal.table.rolls.basis import Basis
from astragal.table.rolls.hand import KeptDice, kept_dice, slots_after
from astragal.table.rolls.playback import foreseen_of, played_of
from astragal.table.state import Kept, Member

MOST = 20_000
"""Most ways in which new dice beside kept ones are read one by one; beyond, their chances are left out."""
LEFT_OUT = "Dice of the undone throw are kept (T-1), and the chances of these with new ones are not computed."
UNSEEN = "Dice of the undone throw are kept (T-1), and they are hidden from you, so the chances are too."


def refuse_unseen_kept(basis: Basis, member: Member) -> None:
    """Refuse chances of a roll whose undone throws this seat could not see: they would tell of their faces."""
    if basis.roll.reopened and not may_see(member, dice_audience(basis.state, basis.roll)):
        raise Unknown(UNSEEN)


def kept_results(basis: Basis, ask: Ask, policy: Policy = NEVER, up_to: int = UP_TO) -> Distribution[Any]:
    """The results that a roll before its throw may have with its kept dice."""
    kept = kept_dice(basis.roll, dice_audience(basis.state, basis.roll))
    try:
        return Solver(policy, up_to).solve(with_kept(basis.kind.rule(ask), kept)).results
    except Illegal:
        raise Illegal(LEFT_OUT) from None


def rest_of(basis: Basis, alone: bool = False) -> Node[Any]:
    """The node that a thrown roll waits for, with all that may follow and the dice that an undo left.

    Of a long task that is every roll that is left, or this one ``alone``.
    """
    state, roll = basis.state, basis.roll
    played = played_of(basis) if alone else foreseen_of(basis)
    if not roll.undone.dice:
        return played.node
    audience = GM if roll.hidden else dice_audience(state, roll)
    return with_kept(played.node, kept_dice(roll, audience), played.steps)


def with_kept(node: Node[Any], kept: KeptDice, steps: Iterable[Step] = ()) -> Node[Any]:
    """The tree from this node on, in which kept dice show their faces; ``steps`` are those that led to it."""
    return _KeptTree(kept).opened(node, slots_after(steps, kept.whose).thrown)


class _KeptTree:
    """Opens the nodes of a tree one by one, as long as kept dice may come up."""

    def __init__(self, kept: KeptDice) -> None:
        self._kept = kept
        slots = (line.rsplit("/", 2) for line in kept.dice)
        self._throws = [(name, int(throw)) for name, throw, _ in slots]
        """The name of each line's dice, and in which of their throws it fell."""

    def opened(self, node: Node[Any], before: Thrown) -> Node[Any]:
        """The node with its kept dice; itself, once none is left that could come up."""
        thrown = dict(before)
        if not any(number >= thrown.get(name, 0) for name, number in self._throws):
            return node
        while isinstance(node, Lazy):
            node = node.node()
        if isinstance(node, Throw):
            return self._of_throw(node, before)
        if not isinstance(node, Choice):
            return node
        options = {
            name: option._replace(then=Lazy(self._later, (option.then, before)))
            for name, option in node.options.items()
        }
        return node._replace(options=options)

    def _later(self, node: Lazy[Any], before: Thrown, *words: object) -> Node[Any]:
        return self.opened(node.node(*words), before)

    def _of_throw(self, throw: Throw[Any, Any], before: Thrown) -> Node[Any]:
        slots = Slots(before)
        named, after = slots.of(self._kept.whose(throw), throw.pool), slots.thrown
        read = throw._replace(
            then=lambda value: self.opened(throw.then(value), after), together=None, gives=None, so_far=None
        )
        if not any(line.rpartition("/")[0] in named for line in self._kept.dice):
            return read
        reading = KeptReading(throw.reading, named, self._kept.dice)
        certain = reading.certain(throw.pool)
        return read.then(reading.read(certain.faces)) if certain else read._replace(reading=reading)


class KeptReading:
    """A reading of a throw in which some dice are kept."""

    def __init__(self, reading: Reading[Any], slots: Sequence[str], kept: Kept) -> None:
        self._reading = reading
        self._slots = slots
        self._kept = kept

    @property
    def in_order(self) -> bool:
        """True if it matters which die shows which face."""
        return isinstance(self._reading, Walk)

    def read(self, faces: Faces) -> Any:
        """The value of these faces."""
        return self._reading.read(faces)

    def certain(self, pool: Pool) -> Completed | None:
        """The whole throw, if all of its dice are kept."""
        try:
            return completed(pool, self._slots, self._kept, _Script(()))
        except _Missing:
            return None

    def odds(self, pool: Pool, up_to: int) -> Distribution[Any]:
        """The exact odds of each value: over the new dice alone."""
        if isinstance(tally := self._reading, Tally) and not any(dice.law or dice.cards for dice in pool):
            # A tally adds up: kept dice count what they count, and new ones are thrown as ever.
            blank = _Blanks()
            found = completed(pool, self._slots, self._kept, blank)
            fixed = sum(found.faces[group][wave][place] in tally.counting for group, wave, place in found.kept)
            return tally.odds(tuple(blank.dice), up_to).map(lambda n: n + fixed)
        if any(dice.again or (dice.law and dice.law.endless) for dice in pool):
            raise Illegal(LEFT_OUT)
        return _Completions(self, pool).odds()

    def complete(self, pool: Pool, waves: Sequence[Wave]) -> Completed:
        """The throw with these waves of new dice; raises ``_Missing`` for the next one that it needs."""
        return completed(pool, self._slots, self._kept, _Script(waves))


class _Missing(Exception):
    """New dice are needed whose faces are not known."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice


class _Script:
    """Gives new dice the faces of a list, wave by wave."""

    def __init__(self, waves: Sequence[Wave]) -> None:
        self._waves = iter(waves)

    def wave(self, dice: Dice, group: int, wave: int) -> Wave:
        """The next wave of the list."""
        found = next(self._waves, None)
        if found is None:
            raise _Missing(dice)
        return found


class _Blanks:
    """Collects the new dice of a throw, and gives them a face that nothing is thrown again for."""

    def __init__(self) -> None:
        self.dice: list[Dice] = []

    def wave(self, dice: Dice, group: int, wave: int) -> Wave:
        """Faces that are no faces."""
        self.dice.append(dice if wave == 0 else dice._replace(retry=frozenset()))
        return (0,) * dice.n


class _Completions:
    """Every way in which new dice complete a throw."""

    def __init__(self, reading: KeptReading, pool: Pool) -> None:
        self._reading = reading
        self._pool = pool
        self._ways = 0

    def odds(self, waves: tuple[Wave, ...] = ()) -> Distribution[Any]:
        """The odds of each value, if the first new dice show these waves."""
        try:
            return Distribution.certain(self._reading.read(self._reading.complete(self._pool, waves).faces))
        except _Missing as missing:
            following = self._waves_of(missing.dice)
        return mix([(ways, self.odds((*waves, wave))) for wave, ways in following], sum(ways for _, ways in following))

    def _waves_of(self, dice: Dice) -> list[tuple[Wave, int]]:
        in_order = self._reading.in_order or dice.retry or dice.law
        if in_order and dice.cards:
            raise Illegal(LEFT_OUT)
        self._ways += dice.sides**dice.n if in_order else comb(dice.n + dice.sides - 1, dice.n)
        if self._ways > MOST:
            raise Illegal(LEFT_OUT)
        if in_order:
            return [(wave, 1) for wave in product(range(1, dice.sides + 1), repeat=dice.n)]
        return sorted_throws(dice)
