"""The cover of a game: its colour, its mood and three dice, also for a game that says nothing about them."""

from __future__ import annotations

from zlib import crc32

from astragal.rule.game import CoverDie, Game

MAX_MOOD = 60
"""Most characters of a mood."""
PILE = (CoverDie(6, 5), CoverDie(6, 6), CoverDie(6, 3))
"""The dice of a game that names none."""


def hue_of(game: Game) -> int:
    """The hue of a game: its own, or one that follows from its name and stays."""
    return game.hue if game.hue is not None else crc32(game.name.encode()) % 360


def mood_of(game: Game) -> str:
    """The mood of a game: its own, or as much of its blurb as fits, in whole words."""
    told = game.mood or game.blurb
    if len(told) <= MAX_MOOD:
        return told
    return f"{told[: MAX_MOOD - 1].rpartition(' ')[0].rstrip(' ,;:')}…"
