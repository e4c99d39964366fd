"""Kept dice as a seat sees them: all of a reopened roll, and those that come up again in the next throw (T-1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from astragal.dice.dice import Cards, Dice
from astragal.errors import Refusal
from astragal.rule.tree.node import Throw
from astragal.table.access import dice_audience, id_in_role, may_see
from astragal.table.kept import Slots, kept_in_wave, read_line, usable
from astragal.table.rolls.hand import slots_after, whose_dice
from astragal.table.rolls.playback import played_of
from astragal.table.state import Member, Roll, State
from astragal.table.view.roll_model import DiceView, KeptView, TrayView


def kept_view(roll: Roll, member: Member | None) -> list[KeptView]:
    """The kept dice of a roll that this seat saw when they fell."""
    found = []
    for line, dice in roll.kept.items():
        seen = [die for _, die in sorted(dice.items()) if may_see(member, die.audience)]
        if seen:
            whose, sides, name, throw, wave = read_line(line)
            typed = [place for place, die in enumerate(seen) if die.typed_by]
            found.append(KeptView(whose, name, sides, [die.face for die in seen], throw, wave, typed))
    return found


def tray_with_kept(state: State, roll: Roll, member: Member | None, tray: TrayView) -> TrayView:
    """The tray of a reopened roll, with the faces that its dice will show."""
    # Where each side throws its own dice, those of the other side are another throw.
    sides = {some.side for some in tray.dice} if tray.apart else {None}
    found = list(tray.dice)
    for side in sides:
        own = [n for n, some in enumerate(found) if side is None or some.side == side]
        role = "target" if side == "theirs" else "roller"
        pool = [_dice_of(found[n]) for n in own]
        slots = Slots().of(id_in_role(roll, role) or role, tuple(pool))
        named = zip([found[n] for n in own], pool, slots, strict=True)
        for n, shown in zip(own, _shown(state, roll, member, named), strict=True):
            found[n] = shown
    return replace(tray, dice=found)


def _dice_of(shown: DiceView) -> Dice:
    cards = None if shown.left is UNSET else Cards(tuple(shown.left))
    return Dice(shown.sides, shown.n, shown.name, cards=cards)


def dice_with_kept(
    state: State, roll: Roll, member: Member | None, throw: Throw[Any, Any], dice: Sequence[DiceView]
) -> list[DiceView]:
    """The dice of the next throw of a roll, with the faces that they will show."""
    if not roll.kept:
        return list(dice)
    try:
        steps = played_of(state, roll).steps if roll.ask is not None else ()
    except Refusal:  # it no longer fits the rules, and cannot go on
        return list(dice)
    whose = partial(whose_dice, roll)
    slots = slots_after(steps, whose).of(whose(throw), throw.pool)
    thrown = [(some, slot) for some, slot in zip(throw.pool, slots, strict=True) if some.n]
    return _shown(state, roll, member, [(view, *each) for view, each in zip(dice, thrown, strict=True)])


def _shown(
    state: State, roll: Roll, member: Member | None, dice: Iterable[tuple[DiceView, Dice, str]]
) -> list[DiceView]:
    """The dice, each with its slot, with their kept faces by wave and root, as far as this seat saw them fall."""
    kept = usable(roll.kept, dice_audience(state, roll))
    found = []
    for shown, some, slot in dice:
        waves: list[dict[int, int]] = []
        while line := kept.get(f"{slot}/{len(waves)}"):
            seen = {root: die for root, die in line.items() if may_see(member, die.audience)}
            waves.append({root: die.face for root, die in kept_in_wave(some, sorted(seen), seen).items()})
        found.append(replace(shown, kept=waves) if any(waves) else shown)
    return found
