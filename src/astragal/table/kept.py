"""Kept dice: the faces of an undone throw stay bound to their roll (T-1).

A die is known by its line and its root. The line says whose dice, which group, the throw of that group in the roll, and
the wave; the root is the place in the first wave of the die that it began as. Nothing else of a roll goes into them:
other words, another difficulty or more dice make no die another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from astragal.dice.dice import Cards, Dice, Faces, Pool, Wave, Waves
from astragal.table import event as e
from astragal.table.access import both
from astragal.table.state import Kept, KeptDie

Place: TypeAlias = tuple[int, int, int]
"""A die of a throw: its group, its wave, and its place there."""
Roots: TypeAlias = list[list[list[int]]]
"""The root of every die of a throw, by group and wave."""

Thrown: TypeAlias = tuple[tuple[str, int], ...]
"""How often each group of dice was thrown in a roll so far."""


class NewFaces(Protocol):
    """Where the faces of dice come from that are not kept."""

    def wave(self, dice: Dice, group: int, wave: int) -> Wave:
        """New faces of these dice, which lie in this wave of a group."""
        ...


class Completed(NamedTuple):
    """The faces of a throw that kept some of them."""

    faces: Faces
    roots: Roots
    kept: dict[Place, KeptDie]


class Slots:
    """Names the groups of each throw of a roll, in order, so that the same dice always have the same name."""

    def __init__(self, thrown: Thrown = ()) -> None:
        self._thrown = dict(thrown)

    @property
    def thrown(self) -> Thrown:
        """The throws so far, from which another may go on."""
        return tuple(sorted(self._thrown.items()))

    def of(self, whose: str, pool: Pool) -> list[str]:
        """The names of the groups of the next throw: whose, which dice, and the number of this throw of them."""
        here: dict[tuple[int, str], int] = {}
        slots = []
        for dice in pool:
            alike = (dice.sides, dice.title)
            here[alike] = here.get(alike, 0) + 1
            name = f"{whose}|{dice.sides}|{here[alike]}|{alike[1]}"
            before = self._thrown.get(name, 0)
            self._thrown[name] = before + 1
            slots.append(f"{name}/{before}")
        return slots


class Line(NamedTuple):
    """A line, read: whose dice, their sides and name, the number of the throw, and the wave, both from 0."""

    whose: str
    sides: int
    name: str
    throw: int
    wave: int


def read_line(line: str) -> Line:
    """Read a line."""
    slot, throw, wave = line.rsplit("/", 2)
    whose, sides, _, name = slot.split("|", 3)
    return Line(whose, int(sides), name, int(throw), int(wave))


def completed(pool: Pool, slots: Sequence[str], kept: Kept, new: NewFaces) -> Completed:
    """Throw a pool: dice that are kept show their faces, all others new ones."""
    faces: list[Waves] = []
    roots: Roots = []
    taken: dict[Place, KeptDie] = {}
    for group, (dice, slot) in enumerate(zip(pool, slots, strict=True)):
        waves: Waves = ()
        lines: list[list[int]] = []
        while not waves or dice.due(waves):
            begun = _roots_after(dice, waves, lines)
            known = kept_in_wave(dice, begun, kept.get(f"{slot}/{len(waves)}", {}))
            fresh: Iterator[int] = iter(())
            if n := len(begun) - len(known):
                cards = dice.cards and _without(dice.cards, known.values())
                fresh = iter(new.wave(dice._replace(n=n, cards=cards), group, len(waves)))
            taken |= {(group, len(waves), place): known[root] for place, root in enumerate(begun) if root in known}
            waves += (tuple([known[root].face if root in known else next(fresh) for root in begun]),)
            lines.append(begun)
        faces.append(waves)
        roots.append(lines)
    return Completed(tuple(faces), roots, taken)


def kept_in_wave(dice: Dice, roots: Iterable[int], kept: Mapping[int, KeptDie]) -> dict[int, KeptDie]:
    """The kept dice of a wave, without a card that another member has drawn since."""
    found: dict[int, KeptDie] = {}
    for root in roots:
        if root in kept and dice.can_show((*(die.face for die in found.values()), kept[root].face)):
            found[root] = kept[root]
    return found


def _without(cards: Cards, known: Iterable[KeptDie]) -> Cards:
    """The cards that are left besides those that are kept."""
    taken = Counter(die.face for die in known)
    return cards._replace(left=tuple([n - taken[face] for face, n in enumerate(cards.left, 1)]))


def roots_of(pool: Pool, faces: Faces) -> Roots:
    """The root of every die of a throw; nothing where no die was rolled again, since each is its own root then."""
    if all(len(waves) == 1 for waves in faces):
        return []
    found: Roots = []
    for dice, waves in zip(pool, faces, strict=True):
        lines: list[list[int]] = []
        for wave in range(len(waves)):
            lines.append(_roots_after(dice, waves[:wave], lines))
        found.append(lines)
    return found


def _roots_after(dice: Dice, waves: Waves, lines: Sequence[Sequence[int]]) -> list[int]:
    """The roots of the next wave: of each die that is rolled again its own; where a law decides, their places."""
    if not waves:
        return list(range(dice.n))
    if dice.law:
        return list(range(dice.due(waves)))
    again = dice.again | dice.retry if len(waves) == 1 else dice.again
    return [root for root, face in zip(lines[-1], waves[-1], strict=True) if face in again]


class FallenDie(NamedTuple):
    """A die of a throw as it was stored."""

    place: Place
    line: str
    root: int
    face: int


def fallen(event: e.Thrown | e.MoveThrown) -> Iterator[FallenDie]:
    """Every die of a throw, with its line and its root."""
    for group, (slot, waves) in enumerate(zip(event.slots, event.faces, strict=False)):
        for wave, faces in enumerate(waves):
            roots = event.roots[group][wave] if event.roots else range(len(faces))
            for place, (root, face) in enumerate(zip(roots, faces, strict=False)):
                yield FallenDie((group, wave, place), f"{slot}/{wave}", root, face)


def keeping(kept: Kept, event: e.Thrown | e.MoveThrown, entry: str) -> Kept:
    """The kept dice after a throw is undone that an entry made. The first face of a die stays, until fresh dice."""
    after = {} if event.fresh else {line: dict(dice) for line, dice in kept.items()}
    proven = event.proof.place if event.proof else ""
    for die in fallen(event):
        known = after.setdefault(die.line, {})
        if die.root not in known:
            known[die.root] = KeptDie(die.face, entry, event.audience, event.typed_by, proven)
    return after


def usable(kept: Kept, audience: str) -> Kept:
    """The kept dice that everybody in an audience could see; others would tell of a throw that was hidden from them."""
    return {
        line: seen
        for line, dice in kept.items()
        if (seen := {root: die for root, die in dice.items() if both(audience, die.audience) == audience})
    }


def entries_of(taken: Mapping[Place, KeptDie]) -> dict[str, list[Place]]:
    """The dice of a throw that were kept, by the entry that each came from."""
    found: dict[str, list[Place]] = {}
    for place, die in taken.items():
        found.setdefault(die.entry, []).append(place)
    return found


def new_faces(faces: Any, kept: Mapping[str, Iterable[Sequence[int]]]) -> Any:
    """The new faces of a throw: all of them, or wave by wave those that were not kept."""
    if not kept:
        return faces
    known = {tuple(place) for places in kept.values() for place in places}
    found = []
    for group, waves in enumerate(faces):
        for wave, fell in enumerate(waves):
            new = [face for place, face in enumerate(fell) if (group, wave, place) not in known]
            found += [[new]] if new else []
    return found


def old_faces(faces: Any, kept: Mapping[str, Iterable[Sequence[int]]]) -> list[int]:
    """The faces of a throw that were kept, in a row."""
    return [faces[group][wave][place] for places in kept.values() for group, wave, place in places]
