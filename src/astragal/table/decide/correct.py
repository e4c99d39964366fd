"""Corrections: faces that were typed wrong are set right openly, once their throw is undone (T-1)."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.dice.dice import Dice
from astragal.dice.faces import TypedFaces
from astragal.errors import Forbidden, Illegal, Unknown
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import GM, dice_audience, find_roll, may_see, owns_roll
from astragal.table.decide.ledger import Context
from astragal.table.kept import read_line
from astragal.table.state import KeptDie, Roll


def typed_lines(roll: Roll) -> Iterator[tuple[str, dict[int, KeptDie]]]:
    """The kept dice of a roll that were typed, group by group and wave by wave."""
    for line, dice in roll.kept.items():
        typed = {root: die for root, die in sorted(dice.items()) if die.typed_by}
        if typed:
            yield line, typed


NOT_UNDONE = "Only typed dice of an undone throw are corrected; undo the throw first."


def correct(context: Context, action: a.CorrectAction) -> list[e.Event]:
    """Replace typed faces of an undone throw; old and new faces are in the log."""
    try:
        roll = find_roll(context.state, context.member, action.roll)
    except Unknown:
        if action.roll:
            raise
        raise Illegal(NOT_UNDONE) from None
    gms = any(member.role == GM for member in context.state.members.values())
    if context.member.role != GM and (gms or not owns_roll(context.state, roll, context.member)):
        raise Forbidden("Only a GM may correct typed dice; ask one to undo the throw and correct it.")
    lines = list(typed_lines(roll))
    if not lines or not may_see(context.member, dice_audience(context.state, roll)):
        raise Illegal(NOT_UNDONE)
    typed, changed = TypedFaces(action.faces), []
    for line, dice in lines:
        _, sides, name, _, _ = read_line(line)
        faces = typed.throw((Dice(sides, len(dice), name),))
        if faces is None:
            raise Illegal(f"Too few faces: all typed dice of the roll are written again, also the {name}.")
        for (root, die), face in zip(dice.items(), faces[0][0], strict=True):
            changed += [(line, root, name, die.face, face)] if face != die.face else []
    typed.finish()
    return [e.Corrected(roll=roll.id, dice=changed, audience=dice_audience(context.state, roll))] if changed else []
