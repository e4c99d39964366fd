"""Dialects: what other tools mean by letters that Astragal reads otherwise.

A dialect is a table of such choices; there is one grammar. Whatever two tools read differently is said in a note.
"""

from __future__ import annotations

from typing import NamedTuple

from astragal.errors import Unknown


class Dialect(NamedTuple):
    """A tool's reading of the letters and signs that tools read differently."""

    name: str
    title: str
    reroll_once: bool = False
    """``r`` rerolls once, not until the die shows something else."""
    explode_once: bool = False
    """``e`` adds one die for a face, and no further one for that die."""
    keep_by_face: bool = False
    """``k3`` keeps the dice that show 3, not the three highest."""
    counts: bool = False
    """A comparison behind dice counts dice."""
    inclusive: bool = False
    """``>3`` behind dice or in a modifier means 3 or more, ``<3`` means 3 or less."""
    at_most: bool = False
    """A bare number in ``r2``, ``ir2``, ``f1`` means so much or less, in ``e5``, ``ie5``, ``t7`` so much or more."""
    marks: bool = False
    """``cs`` and ``cf`` only mark dice on the screen."""
    totals: bool = False
    """``2d8`` in a group is one value, not two."""
    sets: bool = False
    """A number before dice rolls them that number of times: ``6 4d6``."""
    brackets: bool = False
    """Groups are written in round brackets."""
    joins: bool = False
    """The same modifier twice in a row is one with both tests: ``k5k6``, ``ro1ro2``."""
    comments: bool = False
    """Words behind an expression are a comment, even with numbers in it."""
    fractions: bool = False
    """Division keeps the fraction."""


ANYDICE = "anydice"
"""The dialect that has a language of its own."""
ASTRAGAL = Dialect("", "Astragal")
DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("roll20", "Roll20", counts=True, inclusive=True, marks=True, totals=True, fractions=True),
        Dialect("foundry", "Foundry VTT", reroll_once=True, totals=True, fractions=True),
        Dialect(
            "avrae", "Avrae", keep_by_face=True, totals=True, brackets=True, joins=True, comments=True, fractions=True
        ),
        Dialect("dicemaiden", "Dice Maiden", reroll_once=True, explode_once=True, at_most=True, sets=True),
        Dialect(ANYDICE, "AnyDice"),
        Dialect("rpgdiceroller", "rpg-dice-roller", counts=True, marks=True, totals=True, fractions=True),
    )
}


def dialect_named(name: str) -> Dialect:
    """Return the dialect of this name; none is Astragal's own."""
    if not name:
        return ASTRAGAL
    if name not in DIALECTS:
        raise Unknown(f'There is no dialect "{name[:40]}"; there are {", ".join(DIALECTS)}.')
    return DIALECTS[name]
