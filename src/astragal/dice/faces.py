"""Faces typed by people: ``"6 5 4 2 1 | 7"``, ``"10 3 8 / 6 10 / 4"``.

``|`` separates kinds of dice and throws; ``/`` separates waves of rerolls. A die with words on its faces takes these
words, too: ``"hit blank hit+star"``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from astragal.dice.dice import Dice, Faces, Pool, Wave, Waves, refuse_short
from astragal.errors import Illegal, Malformed

MAX_TEXT = 100_000
"""Characters. Enough for the largest pool with many waves."""
MAX_DIGITS = 9
MAX_WORD = 40
TypedWave: TypeAlias = tuple[int | str, ...]
"""Faces as they were typed: numbers, or words of dice that have them."""
ORDINALS = {1: "st", 2: "nd", 3: "rd"}


def parse_faces(text: str) -> list[list[TypedWave]]:
    """Return the typed groups, each a list of waves."""
    if len(text) > MAX_TEXT:
        raise Malformed(f"The faces are {len(text):,} characters long; the limit is {MAX_TEXT:,}.")
    if not text.strip():
        raise Malformed('No faces were typed; write them like "6 5 4 2 1 | 7".')
    return [
        [tuple(map(_parse_face, wave.replace(",", " ").split())) for wave in group.split("/")]
        for group in text.split("|")
    ]


def _parse_face(word: str) -> int | str:
    if word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS:
        return int(word)
    if word[:1].isalpha() and len(word) <= MAX_WORD:
        return word.lower()
    raise _no_face(word)


def _no_face(word: str) -> Malformed:
    return Malformed(f'"{word[:20]}" is not a face; faces are whole numbers such as 1 or 6.')


def format_faces(throws: Iterable[Faces]) -> str:
    """Return the text that ``TypedFaces`` reads as these throws."""
    return " | ".join(_format_waves(waves) for faces in throws for waves in faces).strip()


def _format_waves(waves: Iterable[TypedWave]) -> str:
    return " / ".join(" ".join(map(str, wave)) for wave in waves)


class TypedFaces:
    """Typed groups, given out throw by throw and checked against the dice."""

    def __init__(self, text: str) -> None:
        self._groups = parse_faces(text)
        self._left_over: dict[str, list[TypedWave]] = {}
        self._group: list[TypedWave] = []
        """The waves of the group that is being read."""

    @property
    def more(self) -> bool:
        """True if faces are left for another throw."""
        return bool(self._groups or self._left_over)

    def throw(self, pool: Pool) -> Faces | None:
        """Return the faces of this throw, or None if none were typed for it."""
        if not any(dice.n for dice in pool):
            return tuple([self._take_empty() for _ in pool])
        if not self._groups and not any(dice.title in self._left_over for dice in pool):
            return None
        refuse_short(pool)
        return tuple([self._take(dice) for dice in pool])

    def _take_empty(self) -> Waves:
        """A kind without any dice may have an empty group, but needs none."""
        if self._groups and not any(self._groups[0]):
            self._groups.pop(0)
        return ((),)

    def _take(self, dice: Dice) -> Waves:
        if not dice.n:
            return self._take_empty()
        self.begin_group(dice)
        waves: Waves = ()
        while due := dice.due(waves):
            waves += (self.wave(dice._replace(n=due), len(waves)),)
        self.end_group(dice)
        return waves

    def begin_group(self, dice: Dice) -> None:
        """Begin with the faces that were typed for a group of dice."""
        left_over = self._left_over.pop(dice.title, [])
        self._group = left_over or (self._groups.pop(0) if self._groups else [()])

    def wave(self, dice: Dice, earlier: int) -> Wave:
        """The next wave of the group, for these dice; ``earlier`` is the number of waves before it."""
        return _checked(dice, dice.n, self._group.pop(0) if self._group else (), earlier)

    def end_group(self, dice: Dice) -> None:
        """The group has no more waves; what is left is for a later throw."""
        if not all(self._group):
            raise Malformed(f"A wave of the {_called(dice, 2)} has no faces; a / stands between two waves.")
        if self._group:
            self._left_over[dice.title] = self._group

    def finish(self) -> None:
        """Refuse faces that belong to no throw."""
        for title, waves in self._left_over.items():
            raise Illegal(f"Too many faces: no {title} was thrown for {_format_waves(tuple(waves))}.")
        for group in self._groups:
            if any(group):
                raise Illegal(f"Too many faces: no dice were thrown for {_format_waves(tuple(group))}.")


def asked_for(pool: Pool) -> str:
    """The faces to type: ``2 × d6 (d6) | 1 × Omens (sun × 2, moon)``."""
    return " | ".join(
        f"{dice.n} × {dice.title} ({', '.join(_listed_left(dice)) if dice.cards else f'd{dice.sides}'})"
        for dice in pool
        if dice.n
    )


def _listed_left(dice: Dice) -> list[str]:
    """Each card that is left, and how often."""
    left = dice.cards.left if dice.cards else ()
    return [f"{dice.label(each) or each}{f' × {n}' if n > 1 else ''}" for each, n in enumerate(left, 1) if n]


def _faces_of(dice: Dice, typed: TypedWave) -> Wave:
    """Return the faces that numbers and words stand for; of two faces with the same word, the first."""
    labels = [label.lower() for label in dice.labels]
    found: list[int] = []
    for word in typed:
        if isinstance(word, int):
            found.append(word)
        elif word in labels:
            found.append(labels.index(word) + 1)
        elif labels:
            shown = ", ".join(dict.fromkeys(dice.labels))
            raise Malformed(f'"{word[:20]}" is not on the {_called(dice)}; it shows {shown}.')
        else:
            raise _no_face(word)
    return tuple(found)


def _checked(dice: Dice, due: int, typed: TypedWave, earlier: int) -> Wave:
    """Return the wave, or refuse it with the die that is missing, left over or impossible."""
    wave = _faces_of(dice, typed)
    where = f" in wave {earlier + 1}" if earlier else ""
    if len(wave) != due:
        many = "few" if len(wave) < due else "many"
        die = (
            f"the {_nth(len(wave) + 1, due)}{_called(dice)} is missing"
            if len(wave) < due
            else f"there is no die for the {wave[due]}"
        )
        raise Illegal(
            f"Too {many} faces{where}: {due} {_called(dice, due)} {_was(due)} thrown and {len(wave)} "
            f"{_was(len(wave))} typed; {die}."
        )
    if dice.cards and not dice.can_show(wave):
        raise _not_left(dice, wave)
    for place, face in enumerate(wave, 1):
        if not 1 <= face <= dice.sides:
            raise Illegal(
                f"The {_nth(place, due)}{dice.title}{where} cannot show {face}; "
                f"a d{dice.sides} shows 1 to {dice.sides}."
            )
    return wave


def _not_left(dice: Dice, wave: Wave) -> Illegal:
    """The refusal of cards that are not in the deck, or not so often."""
    assert dice.cards is not None
    left, title = dice.cards.left, dice.cards.title or dice.title
    face = next(face for face in wave if not dice.can_show((face,) * wave.count(face)))
    there = left[face - 1] if 1 <= face <= dice.sides else 0
    named = dice.label(face) if 1 <= face <= dice.sides else ""
    times = f"{there} × " if there else "no "
    typed = f"{wave.count(face)} {_was(wave.count(face))} typed"
    return Illegal(f"{title} has {times}{named or face} left, and {typed}; left are {', '.join(_listed_left(dice))}.")


def _called(dice: Dice, n: int = 1) -> str:
    """The noun for a single die or card, or for several."""
    if dice.cards:
        return f"card{'s' if n != 1 else ''} of {dice.cards.title or dice.title}"
    if n == 1:
        return dice.title
    title = dice.title.replace("Die", "Dice").replace("die", "dice")
    return title if title != dice.title or title.endswith("s") else f"{title}s"


def _was(n: int) -> str:
    return "was" if n == 1 else "were"


def _nth(place: int, of: int) -> str:
    """``3rd `` of several dice; a single die needs no number."""
    ending = "th" if place % 100 in (11, 12, 13) else ORDINALS.get(place % 10, "th")
    return f"{place}{ending} " if of > 1 else ""
