"""Dice and the waves of faces that a throw gives.

The first wave has a face for every die. Each later wave has, in the order of the wave
before it, a face for every die that was rerolled.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol, TypeAlias

from astragal.errors import Illegal

MAX_DICE = 1000
"""Dice of one kind per throw. Keeps every solver within its time limit."""
MAX_SIDES = 1000
"""Sides per die, for the same reason."""

Wave: TypeAlias = tuple[int, ...]
Waves: TypeAlias = tuple[Wave, ...]
Faces: TypeAlias = tuple[Waves, ...]
"""The faces of a whole throw: the waves of each kind of dice in the pool."""

NO_FACES: frozenset[int] = frozenset()


class Law(Protocol):
    """Which dice are thrown again, where that depends on more than a face."""

    def due(self, waves: Waves) -> int:
        """Return how many dice the wave after these has; 0 when the throw is complete."""
        ...

    @property
    def endless(self) -> bool:
        """True if there can be any number of waves."""
        ...


class Cards(NamedTuple):
    """The cards left in a deck: the number of cards of each face. Each card is drawn once."""

    left: tuple[int, ...]
    deck: str = ""
    """The name of the deck that a table keeps; none where all cards go back after each draw."""
    title: str = ""
    shuffled: bool = False
    """True if all cards are shuffled together before this draw."""

    @property
    def size(self) -> int:
        """The number of cards left."""
        return sum(self.left)


class Dice(NamedTuple):
    """``n`` dice with faces 1 to ``sides``, or ``n`` draws of ``cards`` that show these faces.

    A face in ``again`` earns another throw, in every wave. A face in ``retry`` is
    rerolled once: only faces of the first wave are. A ``law`` decides in place of both.
    """

    sides: int
    n: int = 1
    name: str = ""
    again: frozenset[int] = NO_FACES
    retry: frozenset[int] = NO_FACES
    law: Law | None = None
    role: Literal["", "plain", "special", "card"] = ""
    """Their look among other dice; without it, dice with another name than the first ones are special."""
    labels: tuple[str, ...] = ()
    """The text on each face in place of its number: one word for each, such as ``hit`` or ``hit+star``."""
    cards: Cards | None = None
    """The cards that are drawn, without putting any back in between; None for dice."""

    def label(self, face: int) -> str:
        """The text on a face; empty if it shows its number."""
        return self.labels[face - 1] if self.labels else ""

    @property
    def title(self) -> str:
        """The name of a single die: its own, or ``d6``."""
        return self.name or f"d{self.sides}"

    def can_show(self, wave: Wave) -> bool:
        """Return True if these faces can come up together: on a die each of its own, of cards those that are left."""
        if not all(1 <= face <= self.sides for face in wave):
            return False
        return not self.cards or all(wave.count(face) <= self.cards.left[face - 1] for face in set(wave))

    def due(self, waves: Waves) -> int:
        """Return how many dice the next wave has; 0 when the throw is complete."""
        if not waves:
            return self.n
        if self.law:
            return self.law.due(waves)
        if not self.again and not self.retry:
            return 0
        rerolled = self.again | self.retry if len(waves) == 1 else self.again
        return sum(face in rerolled for face in waves[-1])


Pool: TypeAlias = tuple[Dice, ...]
"""Dice that are thrown together, one entry for each kind."""


def refuse_short(pool: Pool) -> None:
    """Refuse to draw more cards than are left, or from one deck twice in one throw."""
    drawn = [dice for dice in pool if dice.cards]
    if not drawn:
        return
    decks = [dice.cards.deck for dice in drawn if dice.cards and dice.cards.deck]
    for dice in drawn:
        if dice.cards and dice.n > dice.cards.size:
            size, title = dice.cards.size, dice.cards.title or dice.title
            left = "no card" if size == 0 else "1 card" if size == 1 else f"{size} cards"
            raise Illegal(
                f"{title} has {left} left, and {dice.n} {'is' if dice.n == 1 else 'are'} drawn; shuffle first."
            )
    if len(set(decks)) < len(decks):
        raise Illegal("Cards of one deck are drawn twice at once; draw them together, or one after the other.")


def endless(pool: Pool) -> bool:
    """Return True if some dice can be rerolled without limit."""
    return any(dice.again or (dice.law and dice.law.endless) for dice in pool)


def faces_from(lowest: int, sides: int) -> frozenset[int]:
    """Return the faces of a die from ``lowest`` up."""
    return frozenset(range(lowest, sides + 1))


def faces_below(limit: int) -> frozenset[int]:
    """Return the faces of a die below ``limit``."""
    return frozenset(range(1, limit))


def every_face(waves: Waves) -> Wave:
    """Return the faces of all waves in order."""
    return waves[0] if len(waves) == 1 else tuple([face for wave in waves for face in wave])
