"""The hand that throws at a table, the marks of its throws, and what is stored with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from astragal.dice.dice import Faces, Pool, refuse_short
from astragal.dice.faces import TypedFaces
from astragal.dice.rng import roll, system
from astragal.errors import Illegal, Malformed, Refusal
from astragal.rule.game import Kind
from astragal.rule.tree.node import Choice, Throw
from astragal.rule.tree.note import Die
from astragal.rule.tree.play import Answer, Hand, Logged, ThrowStep, chosen_option, parse_answer
from astragal.table.access import GM, dice_audience, roll_audience
from astragal.table.event import DieTold
from astragal.table.proof import Proof
from astragal.table.rolls.ask import open_participants
from astragal.table.rolls.ticket import TicketDice
from astragal.table.ruleset import Ruleset
from astragal.table.state import Roll, State

Roller = Callable[[Pool], Faces]
"""Throws dice."""
Marks = Callable[[int, Throw[Any, Any]], str]
"""The mark of a throw, by its place among the steps."""
Mark = tuple[str, int]
"""The mark of a throw, and the version at which its reused dice were thrown, or 0."""
Mine = Callable[[Throw[Any, Any]], bool]
"""Whether whoever acts throws these dice; others' are left to them."""
Check = Callable[[Choice[Any], Answer], object]
"""Refuses an answer that cannot be given."""


def machine(pool: Pool) -> Faces:
    """Throw dice with the system's random numbers."""
    return roll(pool, system)


class SameDice:
    """A roller that repeats its throws, for a decision that is made again after a write conflict."""

    def __init__(self, dice: Roller) -> None:
        self._dice = dice
        self._thrown: list[tuple[Pool, Faces]] = []
        self._next = 0
        self.by_machine = dice is machine
        """Whether nobody gave other dice; the machine's may be thrown with tickets, which repeat by themselves."""

    def again(self) -> None:
        """Start over with the dice thrown so far."""
        self._next = 0

    def __call__(self, pool: Pool) -> Faces:
        if self._next < len(self._thrown) and self._thrown[self._next][0] == pool:
            faces = self._thrown[self._next][1]
        else:
            faces = self._dice(pool)
            self._thrown[self._next :] = [(pool, faces)]
        self._next += 1
        return faces


class TableHand(Hand):
    """Plays back the steps so far, then throws once more; each answer allows the throw that follows it.

    Typed faces may serve several throws. Dice of an undone throw are kept by its mark
    and come up again when the same dice are thrown. Once the machine has thrown, an answer
    that does not fit is ignored and nothing is refused: otherwise a player could go on trying
    until the dice suit the answer.
    """

    def __init__(
        self,
        steps: Sequence[dict[str, Any]],
        dice: Roller,
        mark: Marks,
        lying: Mapping[str, Sequence[tuple[Any, ...]]],
        *,
        answers: Sequence[str] = (),
        faces: str = "",
        throws: int = 1,
        check: Check = chosen_option,
        mine: Mine = lambda throw: True,
        after: bool = False,
        openly: bool = True,
        ticket: TicketDice | None = None,
    ) -> None:
        super().__init__()
        self._log = Logged(steps)
        self._before = len(steps)
        self._place = 0
        self._dice = dice
        self._mark = mark
        self._lying = lying
        self._next = list(answers)
        self._typed = TypedFaces(faces) if faces.strip() else None
        self._throws = throws
        self._check = check
        self._mine = mine
        self._after = after
        self._openly = openly
        self._rolled = False
        self._ticket = ticket
        self.marks: list[Mark] = []
        """Those of the new throws."""
        self.sources: list[tuple[str, str]] = []
        """Where their faces came from: ``machine``, ``typed`` or ``again``, and who had typed what is used again."""
        self.proofs: list[Proof | None] = []
        """How the machine threw them; None for those that were typed, or thrown without a ticket."""

    @property
    def ticket(self) -> tuple[str, str] | None:
        """The ticket that was used and the next one, if the machine threw."""
        return self._ticket.used if self._ticket else None

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        """The stored faces of a throw, then new ones: reused, typed, or from the roller."""
        if self._place < self._before:
            self._place += 1
            return self._log.throw(throw)
        if not self._throws:
            return None
        if not self._mine(throw):
            if self._typed and not self.marks:
                raise Illegal("The next dice are somebody else's to throw, so no faces go with this; leave them out.")
            return None
        if any(dice.cards for dice in throw.pool) and not self._can_draw(throw.pool):
            return None
        faces = self._faces(throw)
        if faces is not None:
            self._place += 1
        return faces

    def _can_draw(self, pool: Pool) -> bool:
        """Refuse cards that cannot be drawn; once the machine has thrown, the roll waits for them instead."""
        try:
            refuse_draw(pool, self._openly)
        except Illegal:
            if not self._rolled:
                raise
            return False
        return True

    def _faces(self, throw: Throw[Any, Any]) -> Faces | None:
        mark = self._mark(self._place, throw)
        version, reused_from, *typed = self._lying[mark][0] if mark in self._lying else (0, None)
        if reused_from is not None and not _still_there(throw.pool, reused_from):
            version, reused_from, typed = 0, None, []
        proof = Proof(*typed[1]) if len(typed) > 1 else None
        if self._typed:
            faces = self._typed_faces(throw, reused_from)
            if faces is None:
                return None
        else:
            self._throws -= 1
            self._rolled = True
            if reused_from is not None:
                faces = _faces_of(reused_from)
            else:
                faces, proof = (
                    self._ticket.throw(throw.pool, self._place) if self._ticket else (self._dice(throw.pool), None)
                )
        self.marks.append((mark, version))
        source = "again" if reused_from is not None else "typed" if self._typed else "machine"
        self.sources.append((source, typed[0] if typed else ""))
        self.proofs.append(proof)
        return faces

    def _typed_faces(self, throw: Throw[Any, Any], reused_from: Any) -> Faces | None:
        assert self._typed is not None
        faces = self._typed.throw(throw.pool)
        if faces is None and not self.marks:
            raise Malformed(f"Too few faces: the {throw.pool[0].title} is thrown next, and no face was typed for it.")
        if reused_from is not None and faces != _faces_of(reused_from):
            raise Illegal("These dice were thrown before and undone; the same come up again unless a GM says fresh.")
        return faces

    def choose(self, choice: Choice[Any]) -> Answer | None:
        """The stored answer to a choice, then the next given one."""
        if self._place < self._before:
            self._place += 1
            return self._log.choose(choice)
        answer = self._given(choice) if self._next else self._unasked(choice)
        if answer is not None:
            self._place += 1
        return answer

    def instead(self, choice: Choice[Any]) -> Answer | None:
        """The stored answer that came instead of a throw, or one that is given where nothing is thrown."""
        if self._place < self._before:
            answer = self._log.instead(choice)
        else:
            answer = self._given(choice) if self._next and not self._throws else None
        self._place += answer is not None
        return answer

    def _given(self, choice: Choice[Any]) -> Answer | None:
        answer = parse_answer(self._next[0])
        try:
            self._check(choice, answer)
        except Refusal:
            if not self._rolled:
                raise
            self._next.clear()
            return self._unasked(choice)
        del self._next[0]
        self._throws = max(self._throws, 1)
        return answer

    @property
    def throws_next(self) -> bool:
        """Whether the next step to play back is a throw."""
        return self._place < self._before and self._log.throws_next

    def _unasked(self, choice: Choice[Any]) -> Answer | None:
        """A table asks, also where a roll would go on by itself: for words, another's answer, points to come."""
        waits = any(option.words or option.by for option in choice.options.values())
        waits = waits or any(barred.for_now for barred in choice.barred.values())
        return None if waits else super().choose(choice._replace(passes=False))

    def goes_on(self) -> bool:
        """Whether steps are left, or the roll was over before and there is an answer to what it left open."""
        return self._place < self._before or (self._after and bool(self._next))

    def finish(self) -> None:
        """Refuse answers and faces that were not used."""
        if self._typed:
            self._typed.finish()
        if self._next and not self._rolled:
            raise Illegal(f'"{self._next[0][:40]}" answers nothing: no choice is open there.')


def refuse_draw(pool: Pool, openly: bool) -> None:
    """Refuse more cards than are left, and cards of a deck that the table keeps where others would not see them."""
    refuse_short(pool)
    if not openly and any(dice.cards and dice.cards.deck for dice in pool):
        raise Illegal("Everybody sees which cards are left, so none can be drawn where others do not see them.")


def _faces_of(reused_from: Any) -> Faces:
    return tuple(tuple(tuple(wave) for wave in waves) for waves in reused_from)


def _still_there(pool: Pool, reused_from: Any) -> bool:
    """Whether the cards of an undone draw are left: somebody else may have drawn them since."""
    return all(
        not dice.cards or dice.can_show(waves[0]) for dice, waves in zip(pool, _faces_of(reused_from), strict=True)
    )


def dice_told(dice: Sequence[Die], hidden: bool = False) -> list[DieTold]:
    """Every die of a throw; what it did is left out where that would give away something hidden.

    Dice that came up alike are one object, since a table keeps many throws in memory.
    """
    known: dict[DieTold, DieTold] = {}
    told: dict[Die, DieTold] = {}
    for die in set(dice):
        each = (die.name, die.sides, die.face, "" if hidden else die.did, die.counts and not hidden)
        told[die] = known.setdefault(each, each)
    return list(map(told.__getitem__, dice))


def same_dice(one: list[DieTold], other: list[DieTold]) -> bool:
    """Whether the same dice came up and counted; names and descriptions may differ."""
    return [(die[1], die[2], die[4]) for die in one] == [(die[1], die[2], die[4]) for die in other]


def luck_value(ruleset: Ruleset, kind: str, step: ThrowStep) -> int | None:
    """How good a throw is, as the game counts it; None if luck does not count it."""
    return ruleset.table_rules.luck(kind, step.value)


_encoder = msgspec.json.Encoder(order="sorted")


def marks_of(state: State, kind: Kind, roll: Roll) -> Marks:
    """Marks of throws: equal for the same roller, numbers and audiences at the same place in the roll.

    Whether dice come up again must tell nothing, so a mark is made of what all know who know of the roll. Where
    even the number of dice is hidden from them, the mark is empty.
    """
    knows = roll_audience(state, roll)
    hidden = () if knows == GM else roll.hidden
    if roll.covered and hidden:
        return lambda place, throw: ""
    target = open_participants(state, roll).target
    against = target.id if target else ""
    live = [input.name for input in kind.ask.inputs.values() if input.live]
    numbers = {name: _number(value) for name, value in (roll.ask or {}).items() if name not in (*hidden, *live)}
    eyes = [knows, dice_audience(state, roll), sorted(hidden)]
    about = _encoder.encode([roll.who or roll.name or roll.by, kind.name, against, numbers, eyes]).decode()

    def mark(place: int, throw: Throw[Any, Any]) -> str:
        dice = [(dice.sides, dice.n) for dice in throw.pool]
        return blake2b(f"{about}{place}{dice}".encode(), digest_size=8).hexdigest()

    return mark


def _number(value: Any) -> Any:
    """A value without the names of its sources, which do not make it another roll."""
    return sum(source[1] for source in value["sources"]) if isinstance(value, dict) else value
