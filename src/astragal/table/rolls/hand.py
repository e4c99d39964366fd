"""The hand that plays a roll at the table: what happened so far, then one step more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from astragal.dice.dice import Faces, Pool
from astragal.dice.faces import TypedFaces
from astragal.dice.rng import roll, system
from astragal.errors import Illegal, Malformed, Refusal
from astragal.rule.hand import Answer, Hand, chosen_option, parse_answer
from astragal.rule.node import Choice, Throw
from astragal.rule.play import Logged

Roller = Callable[[Pool], Faces]
"""Throws dice."""
Marks = Callable[[int, Throw[Any, Any]], str]
"""The mark of a throw, by its place among the steps."""
Mark = tuple[str, int]
"""The mark of a throw, and the version from which its dice lay there, or 0."""
Check = Callable[[Choice[Any], Answer], object]
"""Refuses an answer that cannot be given."""


def machine(pool: Pool) -> Faces:
    """Throw dice with the system's random numbers."""
    return roll(pool, system)


class SameDice:
    """A roller that throws the same again, for a decision that is made again after a write conflict."""

    def __init__(self, dice: Roller) -> None:
        self._dice = dice
        self._thrown: list[tuple[Pool, Faces]] = []
        self._next = 0

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

    Typed faces may serve several throws. Dice of an undone throw lie there by its mark,
    and come up again when the same dice are thrown. Once the machine has thrown, an answer
    that does not fit is left aside and nothing is refused: otherwise one could go on trying
    until the dice suit the answer.
    """

    def __init__(
        self,
        steps: Sequence[dict[str, Any]],
        dice: Roller,
        mark: Marks,
        lying: Mapping[str, Sequence[tuple[int, Any]]],
        *,
        answers: Sequence[str] = (),
        faces: str = "",
        throws: int = 1,
        check: Check = chosen_option,
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
        self._rolled = False
        self.marks: list[Mark] = []
        """Those of the new throws."""

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        if self._place < self._before:
            self._place += 1
            return self._log.throw(throw)
        if not self._throws:
            return None
        faces = self._faces(throw)
        if faces is not None:
            self._place += 1
        return faces

    def _faces(self, throw: Throw[Any, Any]) -> Faces | None:
        mark = self._mark(self._place, throw)
        version, reused_from = self._lying[mark][0] if mark in self._lying else (0, None)
        if self._typed:
            faces = self._typed_faces(throw, reused_from)
            if faces is None:
                return None
        else:
            self._throws -= 1
            self._rolled = True
            faces = _faces_of(reused_from) if reused_from is not None else self._dice(throw.pool)
        self.marks.append((mark, version))
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
        if self._place < self._before:
            self._place += 1
            return self._log.choose(choice)
        answer = self._given(choice) if self._next else super().choose(choice)
        if answer is not None:
            self._place += 1
        return answer

    def _given(self, choice: Choice[Any]) -> Answer | None:
        answer = parse_answer(self._next[0])
        try:
            self._check(choice, answer)
        except Refusal:
            if not self._rolled:
                raise
            self._next.clear()
            return super().choose(choice)
        del self._next[0]
        self._throws = max(self._throws, 1)
        return answer

    def finish(self) -> None:
        if self._typed:
            self._typed.finish()
        if self._next and not self._rolled:
            raise Illegal(f'"{self._next[0][:40]}" answers nothing: no choice is open there.')


def _faces_of(reused_from: Any) -> Faces:
    return tuple(tuple(tuple(wave) for wave in waves) for waves in reused_from)
