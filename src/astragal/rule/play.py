"""Play: walk a tree with a hand, up to its outcome or to the first node that nobody has answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from astragal.dice.dice import Faces
from astragal.dice.faces import format_faces
from astragal.errors import Malformed
from astragal.rule.effect import Effect
from astragal.rule.hand import Answer, Hand, Rolled, chosen_option, parse_answer
from astragal.rule.node import Choice, Lazy, Node, Outcome, Throw

R = TypeVar("R")

WHEN = ("throw", "answer", "end")
MACHINE = Rolled()
"""Rolls and answers nothing; it keeps no state, so everybody can share it."""


class ThrowStep(NamedTuple):
    """A throw, the faces that came up, and what the rules read in them."""

    throw: Throw[Any, Any]
    faces: Faces
    value: Any


class ChoiceStep(NamedTuple):
    """A choice, and the answer that was given."""

    choice: Choice[Any]
    answer: Answer


Step: TypeAlias = ThrowStep | ChoiceStep


class Played(NamedTuple, Generic[R]):
    """The steps so far, and the node that they led to: an outcome, or one that is still open."""

    steps: tuple[Step, ...]
    node: Throw[Any, R] | Choice[R] | Outcome[R]

    @property
    def outcome(self) -> Outcome[R] | None:
        return self.node if isinstance(self.node, Outcome) else None

    @property
    def result(self) -> R | None:
        """The result, or what stands so far; None before the dice say anything."""
        if isinstance(self.node, Throw):
            return None
        return self.node.so_far if isinstance(self.node, Choice) else self.node.result

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All that the roll changes: prices of the throw first, then what the answers cost, then what it comes to."""
        paid = [
            effect
            for step in self.steps
            if isinstance(step, ChoiceStep)
            for effect in step.choice.options[step.answer.option].effects
        ]
        ended = self.outcome.effects if self.outcome else ()
        return tuple(sorted((*paid, *ended), key=lambda effect: WHEN.index(effect.when)))

    @property
    def faces(self) -> str:
        """Every face thrown, in the notation that can be typed in again."""
        return format_faces(step.faces for step in self.steps if isinstance(step, ThrowStep))

    def log(self) -> list[dict[str, Any]]:
        """The steps as plain data; a ``Logged`` hand plays them back."""
        return [
            throw_data(step.faces) if isinstance(step, ThrowStep) else answer_data(step.choice.name, str(step.answer))
            for step in self.steps
        ]


# Steps as plain data.


def throw_data(faces: Any) -> dict[str, Any]:
    """A throw as plain data."""
    return {"faces": faces}


def answer_data(choice: str, answer: str) -> dict[str, Any]:
    """An answer as plain data."""
    return {"choice": choice, "answer": answer}


def _read_step(data: Mapping[str, Any]) -> tuple[str | None, Any]:
    """The choice and its answer, or None and the faces. Until 0.5 an answer was written ``{choice: answer}``."""
    if data.keys() == {"choice", "answer"}:
        return data["choice"], data["answer"]
    name, value = next(iter(data.items()), ("", None))
    return (None, value) if name == "faces" and not isinstance(value, str) else (name, value)


class Logged(Hand):
    """Dice and answers read back from a log, as ``Played.log`` writes it."""

    def __init__(self, log: Iterable[Mapping[str, Any]]) -> None:
        super().__init__()
        self._log = list(map(_read_step, log))

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        """The faces logged next; an answer in their place is refused."""
        faces = self._next(None)
        return faces and tuple(tuple(tuple(wave) for wave in waves) for waves in faces)

    def choose(self, choice: Choice[Any]) -> Answer | None:
        """The answer logged next; anything else in its place is refused."""
        answer = self._next(choice.name)
        return answer and parse_answer(answer)

    def _next(self, choice: str | None) -> Any:
        if not self._log:
            return None
        found, value = self._log.pop(0)
        if found != choice:
            raise Malformed(f"The log goes on with {found or 'faces'} where {choice or 'faces'} belongs.")
        return value

    def finish(self) -> None:
        """Refuse steps that the roll has no place for."""
        if self._log:
            raise Malformed(f"The log has {len(self._log)} more steps than the roll.")


def play(node: Node[R], hand: Hand | None = None, so_far: tuple[Step, ...] = ()) -> Played[R]:
    """Walk the tree from this node; ``so_far`` are the steps that led here."""
    hand = hand or MACHINE
    steps = list(so_far)
    while not isinstance(node, Outcome):
        if isinstance(node, Throw):
            faces = hand.throw(node)
            if faces is None:
                break
            value = node.reading.read(faces)
            steps.append(ThrowStep(node, faces, value))
            node = node.then(value)
        elif isinstance(node, Lazy):
            node = node.node()
        else:
            answer = hand.choose(node)
            if answer is None:
                break
            option = chosen_option(node, answer)
            steps.append(ChoiceStep(node, answer))
            node = option.then.node(answer.words) if option.words else option.then.node()
    hand.finish()
    return Played(tuple(steps), node)
