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


def _lamp_die(*faces: str) -> dict[Vector, int]:
    """What each face adds to light, boon and fate."""
    worth = {"flame": (1, 0, 0), "gleam": (0, 1, 0), "dawn": (1, 0, 1)}
    worth |= {"gust": (-1, 0, 0), "chill": (0, -1, 0), "night": (-1, 0, -1)}
    die: dict[Vector, int] = {}
    for face in faces:
        shown = [worth[word] for word in face.split("+") if word]
        vector = tuple(map(sum, zip((0, 0, 0), *shown, strict=True)))
        die[vector] = die.get(vector, 0) + 1
    return die


LAMPS = (
    _lamp_die("", "flame", "flame", "gleam", "flame+gleam", "flame+flame"),
    _lamp_die("flame", "gleam", "flame+flame", "flame+gleam", "gleam+gleam", "dawn"),
    _lamp_die("", "gust", "gust", "chill", "gust+chill", "chill"),
    _lamp_die("gust", "chill", "gust+gust", "gust+chill", "chill+chill", "night"),
)
"""The dice of Lampkeepers, a model in examples/games: lamp, oil, wind and storm."""


def lamp_lit(number: int) -> str:
    """The outcome of packed light, boon and fate."""
    light, boon, fate = unpacked(number, 3)
    if light > 0:
        return "Lit for good" if fate > 0 else "Lit" if boon >= 0 else "Lit, and cold"
    return "Lost for the season" if fate < 0 else "Dark, with a boon" if boon > 0 else "Dark"


def pushed_die(costs: bool) -> dict[Vector, int]:
    """A die of Cold March, a model in examples/games: 6s at first, whether it is left for a push, 1s after it."""
    one = int(costs)
    shown = [((1, 0, 0), 6), ((0, 0, one), 6), ((0, 1, one), 4), ((0, 1, 0), 20)]
    die: dict[Vector, int] = {}
    for vector, weight in shown:
        die[vector] = die.get(vector, 0) + weight
    return die


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
