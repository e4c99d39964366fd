"""Play: walk a tree with a hand, up to its outcome or to the first open node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from astragal.dice.dice import Faces
from astragal.dice.faces import format_faces
from astragal.dice.rng import Source, roll, seeded, system
from astragal.errors import Illegal, Malformed, Unknown
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Choice, Lazy, Node, Option, Outcome, Throw

MAX_STEPS = 20_000
"""Most throws and answers of one roll: a third of a second's work."""
MAX_ANSWER_WORDS = 400
"""Most characters of the text that goes with an answer."""


class Answer(NamedTuple):
    """The name of an option, and its text if the option takes one."""

    option: str
    words: str = ""

    def __str__(self) -> str:
        return f"{self.option}: {self.words}" if self.words else self.option


def parse_answer(text: str) -> Answer:
    """Read an answer such as ``"reroll"`` or ``"condition: Off balance"``."""
    option, _, words = text.partition(":")
    return Answer(option.strip(), words.strip())


class Hand:
    """Base of all hands: answers by the name of their choice. Every answer to a choice in ``several`` must be used."""

    def __init__(self, answers: Mapping[str, Iterable[str]] | None = None, several: Iterable[str] = ()) -> None:
        self._answers: dict[str, list[Answer]] = {}
        if answers:
            self._answers = {name: [parse_answer(text) for text in texts] for name, texts in answers.items()}
        self._several = several

    @property
    def more(self) -> bool:
        """True if faces are left that were typed for later throws."""
        return False

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        """The faces of this throw, or None to leave it open."""
        return None

    def choose(self, choice: Choice[Any]) -> Answer | None:
        """The answer to this choice, or None to leave it open. After the last given answer, take ``choice.rest``."""
        if choice.name not in self._answers:
            goes_on = choice.passes or len(choice.own) == 1
            return Answer(choice.rest) if goes_on and choice.rest else None
        given = self._answers[choice.name]
        if given:
            return given.pop(0)
        return Answer(choice.rest) if choice.rest else None

    def instead(self, choice: Choice[Any], throw: Throw[Any, Any]) -> Answer | None:
        """The answer that is given instead of this throw, if any."""
        return None

    def goes_on(self) -> bool:
        """True if there are answers to what an outcome leaves open; see ``Outcome.after``."""
        return any(self._answers.values())

    def finish(self) -> None:
        """Refuse given answers that were not used."""
        for name in self._several:
            for answer in self._answers.get(name, ()):
                raise Illegal(f'"{answer}" in {name} comes after everything was settled; nothing is spent.')


class Rolled(Hand):
    """Dice rolled by the machine; a seed makes them reproducible."""

    def __init__(
        self,
        answers: Mapping[str, Iterable[str]] | None = None,
        several: Iterable[str] = (),
        seed: int | str | None = None,
    ) -> None:
        if answers is not None and not isinstance(answers, Mapping):
            raise Malformed(
                f"Rolled takes answers by choice, such as {{'spend': ['settle']}}, not a {type(answers).__name__}. "
                "For the same dice every time, write Rolled(seed=7)."
            )
        super().__init__(answers, several)
        self._source: Source = system if seed is None else seeded(seed)

    def throw(self, throw: Throw[Any, Any]) -> Faces:
        """Random faces."""
        return roll(throw.pool, self._source)


def chosen_option(choice: Choice[Any], answer: Answer) -> Option[Any]:
    """The option that this answer names; refuse one that is barred, unknown or lacks its text."""
    if answer.option in choice.barred:
        raise Illegal(choice.barred[answer.option].why, choice.barred[answer.option].rule)
    option = choice.options.get(answer.option)
    if option is None:
        raise Unknown(
            f'"{answer.option[:40]}" is not an answer to {choice.name}; there are {", ".join(choice.options)}.'
        )
    if answer.words and not option.words:
        raise Illegal(f'"{answer.option}" takes no words, and "{answer.words[:40]}" came with it.', option.rule)
    if option.words and option.needs and not answer.words:
        raise Illegal(f'"{answer.option}" needs {option.words} in words: "{answer.option}: …".', option.rule)
    if len(answer.words) > MAX_ANSWER_WORDS:
        raise Malformed(f"{len(answer.words)} characters are too many words; at most {MAX_ANSWER_WORDS} are taken.")
    return option


R = TypeVar("R")

WHEN = ("throw", "fallen", "answer", "end")
"""The order of effects."""
MACHINE = Rolled()
"""The default hand: rolls dice and leaves choices open. It has no state, so all rolls share it."""


class ThrowStep(NamedTuple):
    """A throw, the faces that came up, and what the rules read in them."""

    throw: Throw[Any, Any]
    faces: Faces
    value: Any


class ChoiceStep(NamedTuple):
    """A choice, and the answer that was given."""

    choice: Choice[Any]
    answer: Answer

    @property
    def option(self) -> Option[Any]:
        """The option that was taken."""
        return self.choice.options[self.answer.option]


Step: TypeAlias = ThrowStep | ChoiceStep


class Played(NamedTuple, Generic[R]):
    """The steps so far, and the node that they led to: an outcome or an open node."""

    steps: tuple[Step, ...]
    node: Throw[Any, R] | Choice[R] | Outcome[R]

    @property
    def outcome(self) -> Outcome[R] | None:
        """The outcome, or None while the roll is open."""
        return self.node if isinstance(self.node, Outcome) else None

    @property
    def result(self) -> R | None:
        """The result, or the result so far; None before the next throw."""
        if isinstance(self.node, Throw):
            return None
        return self.node.so_far if isinstance(self.node, Choice) else self.node.result

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All effects so far in order: prices of the throw, those of fallen dice, of answers, of the outcome."""
        found: list[Effect] = []
        for step in self.steps:
            if isinstance(step, ChoiceStep):
                found += (*step.choice.effects, *step.option.effects)
        if not isinstance(self.node, Throw):
            found += self.node.effects
        return tuple(sorted(found, key=lambda effect: WHEN.index(effect.when)))

    @property
    def faces(self) -> str:
        """Every face thrown, in the notation for typed faces."""
        return format_faces(step.faces for step in self.steps if isinstance(step, ThrowStep))

    def log(self) -> list[dict[str, Any]]:
        """The steps as plain data; a ``Logged`` hand plays them back."""
        return [
            throw_data(step.faces) if isinstance(step, ThrowStep) else answer_data(step.choice.name, str(step.answer))
            for step in self.steps
        ]


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

    def instead(self, choice: Choice[Any], throw: Throw[Any, Any]) -> Answer | None:
        """The answer logged next, if it is one to this choice."""
        return self.choose(choice) if self._log and self._log[0][0] == choice.name else None

    def _next(self, choice: str | None) -> Any:
        if not self._log:
            return None
        found, value = self._log.pop(0)
        if found != choice:
            raise Malformed(f"The log goes on with {found or 'faces'} where {choice or 'faces'} belongs.")
        return value

    def goes_on(self) -> bool:
        """True if steps are left."""
        return bool(self._log)

    def finish(self) -> None:
        """Refuse steps after the end of the roll."""
        if self._log:
            raise Malformed(f"The log has {len(self._log)} more steps than the roll.")


def play(node: Node[R], hand: Hand | None = None, so_far: tuple[Step, ...] = ()) -> Played[R]:
    """Walk the tree from this node; ``so_far`` are the steps that led here."""
    hand = hand or MACHINE
    steps = list(so_far)
    while True:
        if len(steps) > MAX_STEPS:
            raise Illegal(f"This roll goes on for more than {MAX_STEPS:,} throws and answers; nothing is spent.")
        if isinstance(node, Throw):
            if node.barred:
                raise node.barred
            if node.instead and (answer := hand.instead(node.instead, node)):
                steps.append(ChoiceStep(node.instead, answer))
                node = chosen_option(node.instead, answer).then.node()
                continue
            faces = hand.throw(node)
            if faces is None:
                break
            value = node.reading.read(faces)
            steps.append(ThrowStep(node, faces, value))
            node = node.then(value)
        elif isinstance(node, Outcome):
            if node.after is None or not hand.goes_on():
                break
            node = node.after
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
