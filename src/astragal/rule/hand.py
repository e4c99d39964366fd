"""Hands: where faces and answers come from.

The same tree is played with dice rolled by the machine, typed in by a person, or read
back from a log; a hand that has nothing to say answers None, and play stops there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.dice.dice import Faces
from astragal.dice.faces import TypedFaces, parse_faces
from astragal.dice.rng import Source, roll, seeded, system
from astragal.errors import Illegal, Malformed, Unknown
from astragal.rule.node import Choice, Option, Throw

if TYPE_CHECKING:
    from astragal.rule.game import Kind

MAX_SAID = 400
"""Characters of the words that go with an answer."""


class Answer(NamedTuple):
    """The name of an option, and the words that go with it if it takes any."""

    option: str
    words: str = ""

    def __str__(self) -> str:
        return f"{self.option}: {self.words}" if self.words else self.option


def parse_answer(text: str) -> Answer:
    """Read an answer such as ``"reroll"`` or ``"condition: Off balance"``."""
    option, _, words = text.partition(":")
    return Answer(option.strip(), words.strip())


class Hand:
    """Base of all hands: answers by choice. ``several`` names the choices whose answers must all be used."""

    def __init__(self, answers: Mapping[str, Iterable[str]] | None = None, several: Iterable[str] = ()) -> None:
        self._answers: dict[str, list[Answer]] = {}
        if answers:
            self._answers = {name: [parse_answer(text) for text in texts] for name, texts in answers.items()}
        self._several = several

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        """The faces of this throw, or None."""
        return None

    def choose(self, choice: Choice[Any]) -> Answer | None:
        """The answer to this choice, or None. After the last answer given, the resting option is taken."""
        if choice.name not in self._answers:
            return Answer(choice.rest) if len(choice.options) == 1 and choice.rest else None
        given = self._answers[choice.name]
        if given:
            return given.pop(0)
        return Answer(choice.rest) if choice.rest else None

    def finish(self) -> None:
        """Refuse answers that were given and never used."""
        for name in self._several:
            for answer in self._answers.get(name, ()):
                raise Illegal(f'"{answer}" in {name} comes after everything was settled; nothing is spent.')


class Rolled(Hand):
    """Dice rolled by the machine; with a seed, the same ones every time."""

    def __init__(
        self,
        answers: Mapping[str, Iterable[str]] | None = None,
        several: Iterable[str] = (),
        seed: int | str | None = None,
    ) -> None:
        super().__init__(answers, several)
        self._source: Source = system if seed is None else seeded(seed)

    def throw(self, throw: Throw[Any, Any]) -> Faces:
        return roll(throw.pool, self._source)


class Typed(Hand):
    """Dice typed in by a person."""

    def __init__(
        self, faces: str, answers: Mapping[str, Iterable[str]] | None = None, several: Iterable[str] = ()
    ) -> None:
        super().__init__(answers, several)
        self._faces = TypedFaces(faces)

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        return self._faces.throw(throw.pool)

    def finish(self) -> None:
        super().finish()
        self._faces.finish()


class Given(Hand):
    """Another hand's dice with only the answers that were given; later choices stay open."""

    def __init__(self, inner: Hand, answers: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self._inner = inner
        self._left = {name: len(texts) for name, texts in answers.items()}

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        return self._inner.throw(throw)

    def choose(self, choice: Choice[Any]) -> Answer | None:
        if not self._left.get(choice.name) and len(choice.options) > 1:
            return None
        self._left[choice.name] = self._left.get(choice.name, 0) - 1
        return self._inner.choose(choice)

    def finish(self) -> None:
        self._inner.finish()


def counted_dice(kind: Kind, faces: str | None, given: Container[str]) -> dict[str, list[str]]:
    """Whoever types the faces need not say how many there are."""
    if faces is None or not kind.counted or not faces.strip():
        return {}
    groups = parse_faces(faces)
    return {
        name: [str(len(waves[0]))]
        for (name, others), waves in zip(kind.counted, groups, strict=False)
        if name not in given and not any(other in given for other in others)
    }


def missing_faces(throw: Throw[Any, Any]) -> str:
    """The dice that no face was typed for."""
    dice = throw.pool[0]
    where = f" ({throw.title})" if throw.title else ""
    return f"Too few faces: the {dice.title}{where} is thrown next, and no face was typed for it."


def chosen_option(choice: Choice[Any], answer: Answer) -> Option[Any]:
    """The option that this answer takes, if it may be taken."""
    if answer.option in choice.barred:
        raise Illegal(*choice.barred[answer.option])
    option = choice.options.get(answer.option)
    if option is None:
        raise Unknown(f'"{answer.option[:40]}" is no answer to {choice.name}; there are {", ".join(choice.options)}.')
    if answer.words and not option.words:
        raise Illegal(f'"{answer.option}" takes no words, and "{answer.words[:40]}" came with it.', option.rule)
    if option.words and option.needs and not answer.words:
        raise Illegal(f'"{answer.option}" needs {option.words} in words: "{answer.option}: …".', option.rule)
    if len(answer.words) > MAX_SAID:
        raise Malformed(f"{len(answer.words)} characters are too many words; at most {MAX_SAID} are taken.")
    return option
