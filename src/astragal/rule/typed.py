"""Faces typed in by a person, and the hands that take them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from astragal.dice.dice import Faces
from astragal.dice.faces import TypedFaces, parse_faces
from astragal.rule.tree.node import Choice, Throw
from astragal.rule.tree.play import Answer, Hand

if TYPE_CHECKING:
    from astragal.rule.game import Kind


class Typed(Hand):
    """Dice typed in by a person."""

    def __init__(
        self, faces: str, answers: Mapping[str, Iterable[str]] | None = None, several: Iterable[str] = ()
    ) -> None:
        super().__init__(answers, several)
        self._faces = TypedFaces(faces)
        self._short = False

    @property
    def more(self) -> bool:
        """True if faces are left."""
        return self._faces.more

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        """The next typed faces; None if there are none left."""
        faces = self._faces.throw(throw.pool)
        self._short = faces is None
        return faces

    def finish(self) -> None:
        """Refuse unused answers and unused faces; where faces are missing, answers that come later are not to blame."""
        if not self._short:
            super().finish()
        self._faces.finish()


class Given(Hand):
    """Another hand with only the given answers; later choices stay open."""

    def __init__(self, inner: Hand, answers: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self._inner = inner
        self._left = {name: len(texts) for name, texts in answers.items()}

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        """The other hand's faces."""
        return self._inner.throw(throw)

    def choose(self, choice: Choice[Any]) -> Answer | None:
        """The other hand's answer while given answers are left, or None; more faces typed mean that a roll went on."""
        goes_on = len(choice.options) == 1 or (choice.passes and self._inner.more)
        if not self._left.get(choice.name) and not goes_on:
            return None
        self._left[choice.name] = self._left.get(choice.name, 0) - 1
        return self._inner.choose(choice)

    def finish(self) -> None:
        """Refuse what the other hand refuses."""
        self._inner.finish()


def counted_dice(kind: Kind, faces: str | None, given: Container[str]) -> dict[str, list[str]]:
    """The inputs that follow from the number of typed faces, unless they are given."""
    if faces is None or not kind.counted or not faces.strip():
        return {}
    groups = parse_faces(faces)
    return {
        name: [str(len(waves[0]))]
        for (name, others), waves in zip(kind.counted, groups, strict=False)
        if name not in given and not any(other in given for other in others)
    }


def missing_faces(throw: Throw[Any, Any]) -> str:
    """The sentence about a throw without typed faces."""
    dice = throw.pool[0]
    where = f" ({throw.title})" if throw.title else ""
    return f"Too few faces: the {dice.title}{where} is thrown next, and no face was typed for it."
