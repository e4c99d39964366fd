"""Dice with symbols, as facts: for every face, what it shows. Both games publish their dice."""

from __future__ import annotations

Vector = tuple[int, ...]

BOOST: dict[Vector, int] = {(0, 0, 0, 0): 2, (1, 0, 0, 0): 1, (1, 1, 0, 0): 1, (0, 2, 0, 0): 1, (0, 1, 0, 0): 1}
SETBACK: dict[Vector, int] = {(0, 0, 0, 0): 2, (-1, 0, 0, 0): 2, (0, -1, 0, 0): 2}
ABILITY: dict[Vector, int] = {
    (0, 0, 0, 0): 1,
    (1, 0, 0, 0): 2,
    (2, 0, 0, 0): 1,
    (0, 1, 0, 0): 2,
    (1, 1, 0, 0): 1,
    (0, 2, 0, 0): 1,
}
DIFFICULTY: dict[Vector, int] = {
    (0, 0, 0, 0): 1,
    (-1, 0, 0, 0): 1,
    (-2, 0, 0, 0): 1,
    (0, -1, 0, 0): 3,
    (0, -2, 0, 0): 1,
    (-1, -1, 0, 0): 1,
}
PROFICIENCY: dict[Vector, int] = {
    (0, 0, 0, 0): 1,
    (1, 0, 0, 0): 2,
    (2, 0, 0, 0): 2,
    (0, 1, 0, 0): 1,
    (1, 1, 0, 0): 3,
    (0, 2, 0, 0): 2,
    (1, 0, 1, 0): 1,
}
CHALLENGE: dict[Vector, int] = {
    (0, 0, 0, 0): 1,
    (-1, 0, 0, 0): 2,
    (-2, 0, 0, 0): 2,
    (0, -1, 0, 0): 2,
    (-1, -1, 0, 0): 2,
    (0, -2, 0, 0): 2,
    (-1, 0, 0, 1): 1,
}
"""Net successes, net advantages, triumphs and despairs of Genesys."""


def genesys(*counts: int) -> list[tuple[int, dict[Vector, int]]]:
    """So many of each die, in the order above."""
    dice: list[dict[Vector, int]] = [BOOST, SETBACK, ABILITY, DIFFICULTY, PROFICIENCY, CHALLENGE]
    return list(zip(counts, dice, strict=True))


def pushed(base: int, skill: int, gear: int) -> list[tuple[int, dict[Vector, int]]]:
    """Year Zero, pushed: 6s stay, 1s of base and gear dice stay, all other dice are thrown once more."""
    return [
        (base, {(1, 0, 0): 10, (0, 1, 0): 10, (0, 0, 0): 16}),
        (skill, {(1, 0, 0): 11, (0, 0, 0): 25}),
        (gear, {(1, 0, 0): 10, (0, 0, 1): 10, (0, 0, 0): 16}),
    ]


STRIDES = (1, 1_000, 1_000_000, 1_000_000_000)


def packed(die: dict[Vector, int]) -> dict[int, int]:
    """A vector as one number, so that peers add it up fast."""
    return {sum(map(int.__mul__, vector, STRIDES)): weight for vector, weight in die.items()}


def unpacked(number: int, length: int) -> Vector:
    found = []
    for _ in range(length):
        low = (number + 500) % 1000 - 500
        found.append(low)
        number = (number - low) // 1000
    return tuple(found)
