"""The hand that throws at a table, and what is stored of its throws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from astragal.dice.dice import NO_FACES, Dice, Faces, Pool, Wave, refuse_short
from astragal.dice.faces import TypedFaces
from astragal.dice.rng import roll, system
from astragal.errors import Illegal, Malformed, Refusal
from astragal.rule.tree.node import Choice, Throw
from astragal.rule.tree.note import Die
from astragal.rule.tree.play import Answer, Hand, Logged, Step, ThrowStep, chosen_option, parse_answer
from astragal.table.access import id_in_role
from astragal.table.event import DieTold
from astragal.table.kept import Completed, Place, Roots, Slots, completed, entries_of, roots_of, usable
from astragal.table.roll_event import Proof
from astragal.table.rolls.ticket import TicketDice, TicketDraws
from astragal.table.state import Kept, Roll

Roller = Callable[[Pool], Faces]
"""Throws dice."""
Whose = Callable[[Throw[Any, Any]], str]
"""Whose dice a throw has: a holder's or member's id, or a role that no one at the table has."""
Mine = Callable[[Throw[Any, Any]], bool]
"""True for dice that the acting member throws; other dice wait for their owner."""
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
        """True unless other dice were given; the machine's may be thrown with tickets, which repeat by themselves."""

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


class KeptDice(NamedTuple):
    """The dice of undone throws that come up again in a roll or move, and whose the dice of a throw are."""

    whose: Whose = lambda throw: str(throw.by)
    dice: Kept = {}
    proofs: Mapping[str, tuple[Any, Proof]] = {}
    """How they were thrown, by place."""


NOTHING_KEPT = KeptDice()


class NewThrow(NamedTuple):
    """A new throw of the hand, as it is stored; see ``Thrown``."""

    slots: list[str]
    roots: Roots
    kept: dict[str, list[Place]]
    kept_proofs: list[tuple[Any, Proof]]
    source: Literal["machine", "typed", "again"]
    typed_by: str
    """The member who typed its faces, also if all its dice are kept."""
    proof: Proof | None

    def stored(self, step: ThrowStep) -> dict[str, Any]:
        """The fields that the events of a roll's throw and of a move's have in common."""
        return {
            **self._asdict(),
            "faces": step.faces,
            "labels": {each.title: list(each.labels) for each in step.throw.pool if each.labels},
            "cards": [each.title for each in step.throw.pool if each.cards],
        }


class TableHand(Hand):
    """Plays back the steps so far, then throws once more; each answer allows the throw that follows it.

    Typed faces may serve several throws. Dice of an undone throw come up again, whatever else has changed (T-1); only
    new dice are typed. Once the machine has thrown, an answer that does not fit is ignored and nothing is refused:
    otherwise a player could try again until the dice suit the answer.
    """

    def __init__(
        self,
        steps: Sequence[dict[str, Any]],
        dice: Roller,
        kept: KeptDice = NOTHING_KEPT,
        *,
        answers: Sequence[str] = (),
        faces: str = "",
        by: str = "",
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
        self._kept = kept
        self._slots = Slots()
        self._next = list(answers)
        self._typed = TypedFaces(faces) if faces.strip() else None
        self._by = by
        """The id of the member who types them."""
        self._throws = throws
        self._check = check
        self._mine = mine
        self._after = after
        self._openly = openly
        self._rolled = False
        self._ticket = ticket
        self.thrown: list[NewThrow] = []
        """The new throws, in order."""

    @property
    def ticket(self) -> tuple[str, str] | None:
        """The ticket that was used and the next one, if the machine threw."""
        return self._ticket.used if self._ticket else None

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        """The stored faces of a throw, then new ones: kept, typed, or from the roller."""
        if self._place < self._before:
            self._place += 1
            self._slots.of(self._kept.whose(throw), throw.pool)
            return self._log.throw(throw)
        if not self._throws:
            return None
        if not self._mine(throw):
            if self._typed and not self.thrown:
                raise Illegal("Somebody else throws first; type your dice when theirs are there.")
            return None
        if any(dice.cards for dice in throw.pool) and not self._can_draw(throw.pool):
            return None
        faces = self._typed_faces(throw) if self._typed else self._machine_faces(throw)
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

    def _machine_faces(self, throw: Throw[Any, Any]) -> Faces:
        self._throws -= 1
        self._rolled = True
        slots = self._slots.of(self._kept.whose(throw), throw.pool)
        if self._knows(slots):
            drawing = Drawing(self._dice, self._ticket.begin(self._place) if self._ticket else None)
            found = completed(throw.pool, slots, self._kept.dice, drawing)
            self._note(slots, found, "machine" if drawing.drawn else "again", drawing.proof)
            return found.faces
        proof = None
        if self._ticket:
            faces, proof = self._ticket.throw(throw.pool, self._place)
        else:
            faces = self._dice(throw.pool)
        self._note(slots, Completed(faces, roots_of(throw.pool, faces), {}), "machine", proof)
        return faces

    def _knows(self, slots: Sequence[str]) -> bool:
        """True if dice of these groups are kept."""
        return any(line.rpartition("/")[0] in slots for line in self._kept.dice)

    def _typed_faces(self, throw: Throw[Any, Any]) -> Faces | None:
        """Typed faces, for dice that are not kept; None once there are no more, and the throw waits."""
        assert self._typed is not None
        slots = self._slots.of(self._kept.whose(throw), throw.pool)
        if self._knows(slots):
            if self.thrown and not self._typed.more:
                return None
            new = TypedWaves(self._typed)
            found = completed(throw.pool, slots, self._kept.dice, new)
            new.end()
            self._note(slots, found, "typed" if new.typed else "again", None)
            return found.faces
        faces = self._typed.throw(throw.pool)
        if faces is None and not self.thrown:
            raise Malformed(f"Too few faces: the {throw.pool[0].title} is thrown next, and no face was typed for it.")
        if faces is not None:
            self._note(slots, Completed(faces, roots_of(throw.pool, faces), {}), "typed", None)
        return faces

    def _note(
        self, slots: list[str], found: Completed, source: Literal["machine", "typed", "again"], proof: Proof | None
    ) -> None:
        kept = found.kept.values()
        places = dict.fromkeys(die.proven for die in kept if die.proven in self._kept.proofs)
        typed_by = self._by if source == "typed" else ""
        if source == "again":
            typed_by = next((die.typed_by for die in kept if die.typed_by), "")
        roots = found.roots if any(len(waves) > 1 for waves in found.faces) else []
        proofs = [self._kept.proofs[place] for place in places]
        self.thrown.append(NewThrow(slots, roots, entries_of(found.kept), proofs, source, typed_by, proof))

    def choose(self, choice: Choice[Any]) -> Answer | None:
        """The stored answer to a choice, then the next given one."""
        if self._place < self._before:
            self._place += 1
            return self._log.choose(choice)
        answer = self._given(choice) if self._next else self._unasked(choice)
        if answer is not None:
            self._place += 1
        return answer

    def instead(self, choice: Choice[Any], throw: Throw[Any, Any]) -> Answer | None:
        """The answer instead of a throw: a stored one, a given one, or that another member throws first."""
        if self._place < self._before:
            answer = self._log.instead(choice, throw)
        elif not self._throws:
            answer = self._given(choice) if self._next else None
        elif self.thrown or self._mine(throw):
            answer = None
        else:  # the dice are another's, and an option may be to throw one's own before
            roles = {name: option.by for name, option in choice.options.items() if option.by}
            own = (Answer(name) for name, role in roles.items() if self._mine(throw._replace(by=role)))
            answer = next(own, None)
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

    def _unasked(self, choice: Choice[Any]) -> Answer | None:
        """A table asks where the rules alone would continue."""
        return None if waits(choice) else super().choose(choice._replace(passes=False))

    def goes_on(self) -> bool:
        """True if steps are left, or the roll was over before and there is an answer to what it left open."""
        return self._place < self._before or (self._after and bool(self._next))

    def finish(self) -> None:
        """Refuse answers and faces that were not used."""
        try:
            if self._typed:
                self._typed.finish()
        except Refusal as refusal:
            if not any(thrown.kept for thrown in self.thrown):
                raise
            kept = "Dice of the undone throw are kept, and only new ones are typed (T-1)."
            raise Illegal(f"{refusal.sentence} {kept}") from None
        if self._next and not self._rolled:
            raise Illegal(f'"{self._next[0][:40]}" answers nothing: no choice is open there.')


def waits(choice: Choice[Any]) -> bool:
    """True where a table asks although the rules alone would continue: for words, another's answer, points to come."""
    return any(option.words or option.by for option in choice.options.values()) or any(
        barred.for_now for barred in choice.barred.values()
    )


class Drawing:
    """Draws the faces of dice that are not kept, with a ticket or from a roller."""

    def __init__(self, dice: Roller, ticket: TicketDraws | None) -> None:
        self._dice = dice
        self._ticket = ticket
        self.drawn = False

    def wave(self, dice: Dice, group: int, wave: int) -> Wave:
        """New faces of these dice."""
        self.drawn = True
        alone = dice._replace(again=NO_FACES, retry=NO_FACES, law=None)
        return self._ticket.draw(alone) if self._ticket else self._dice((alone,))[0][0]

    @property
    def proof(self) -> Proof | None:
        """How they were drawn; None without a ticket, or if it was not used."""
        return self._ticket.proof if self._ticket else None


class TypedWaves:
    """Takes the faces of dice that are not kept from those that were typed."""

    def __init__(self, faces: TypedFaces) -> None:
        self._faces = faces
        self._group: tuple[int, Dice] | None = None
        self.typed = False

    def wave(self, dice: Dice, group: int, wave: int) -> Wave:
        """The typed faces of these dice."""
        if self._group and self._group[0] != group:
            self.end()
        if not self._group:
            self._faces.begin_group(dice)
        self._group, self.typed = (group, dice), True
        return self._faces.wave(dice, wave)

    def end(self) -> None:
        """The group is complete."""
        if self._group:
            self._faces.end_group(self._group[1])
        self._group = None


def refuse_draw(pool: Pool, openly: bool) -> None:
    """Refuse more cards than are left, and cards of a deck that the table keeps where others would not see them."""
    refuse_short(pool)
    if not openly and any(dice.cards and dice.cards.deck for dice in pool):
        raise Illegal("Everybody sees which cards are left, so none can be drawn where others do not see them.")


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
    """True if the same dice came up and counted; names and descriptions may differ."""
    return [(die[1], die[2], die[4]) for die in one] == [(die[1], die[2], die[4]) for die in other]


def kept_dice(roll: Roll, audience: str) -> KeptDice:
    """The dice of a roll's undone throws that come up again in one that an audience will see."""
    return KeptDice(partial(whose_dice, roll), usable(roll.undone.dice, audience), roll.undone.proofs)


def slots_after(steps: Iterable[Step], whose: Whose) -> Slots:
    """Names the dice of the throws that follow these steps of a roll."""
    slots = Slots()
    for step in steps:
        if isinstance(step, ThrowStep):
            slots.of(whose(step.throw), step.throw.pool)
    return slots


def whose_dice(roll: Roll, throw: Throw[Any, Any]) -> str:
    """Whose dice these are in a roll; a side without a sheet has its role, whatever it is called."""
    return id_in_role(roll, throw.by) or str(throw.by)
