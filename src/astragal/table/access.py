"""Seats: who acts, what they may do, and who may learn of what."""

from __future__ import annotations

from astragal.errors import Forbidden, Unknown
from astragal.table.state import HolderState, Member, Roll, State

GM = "gm"
EVERYBODY = ""


def member_of(state: State, id: str) -> Member:
    """The member who acts; somebody who left may not."""
    member = state.members.get(id)
    if member is None or member.role == "gone":
        raise Forbidden("You have no seat at this table.")
    return member


def refuse_onlooker(member: Member) -> None:
    if member.role == "onlooker":
        raise Forbidden("An onlooker watches and does nothing; ask a GM for a player's seat.")


def refuse_player(member: Member, what: str) -> None:
    if member.role != GM:
        raise Forbidden(f"Only a GM may {what}.")


def owns(member: Member, kept: HolderState | None) -> bool:
    """A GM may do everything; a player has their characters and their own sheet."""
    return member.role == GM or (kept is not None and bool(kept.owner) and kept.owner == member.id)


def refuse_stranger(member: Member, kept: HolderState) -> None:
    if not owns(member, kept):
        raise Forbidden(f"{kept.name or 'The ' + kept.kind} is not yours; only its owner or a GM may do that.")


# Who may learn of what: "" is everybody, "gm" the GMs, an id that member and the GMs.


def may_see(member: Member | None, audience: str) -> bool:
    """Whether something is for this seat's eyes."""
    if audience == EVERYBODY:
        return True
    return member is not None and (member.role == GM or member.id == audience)


def audience_of(seen: str, owner: str) -> str:
    """Who may learn of something with this visibility."""
    if seen == "all":
        return EVERYBODY
    return owner if seen == "owner" and owner else GM


def holder_audience(kept: HolderState) -> str:
    return audience_of(kept.seen, kept.owner)


def item_audience(kept: HolderState, seen: str) -> str:
    """An item is seen by no more people than its holder."""
    return both(holder_audience(kept), audience_of(seen, kept.owner))


def both(one: str, other: str) -> str:
    """Those who may learn of both."""
    if one in (EVERYBODY, other):
        return other
    return one if other == EVERYBODY else GM


def either(one: str, other: str) -> str:
    """Those who may learn of either, as nearly as one word can say it."""
    if EVERYBODY in (one, other):
        return EVERYBODY
    return other if one == GM else one


def apart(*audiences: str) -> list[str]:
    """The same people, each told apart where one word cannot say it."""
    if EVERYBODY in audiences:
        return [EVERYBODY]
    return sorted({*audiences} - {GM}) or [GM]


def owner_of(state: State, roll: Roll) -> str:
    """Whose roll it is: the owner's of the character that rolls, else the one's who opened it."""
    kept = state.world.holders.get(roll.who)
    return kept.owner if kept and kept.owner else roll.by


def roll_audience(state: State, roll: Roll) -> str:
    """Who may see that there is such a roll: no more people than may see who rolls.

    The one who rolls blind knows that it is rolled, not what comes up.
    """
    who = state.world.holders.get(roll.who)
    if who is not None:
        rolls = holder_audience(who)
    else:
        rolls = state.world.retired.get(roll.who, ("", EVERYBODY))[1] if roll.who else EVERYBODY
    if roll.seen == "all":
        return rolls
    return both(audience_of("owner" if roll.seen == "blind" else roll.seen, owner_of(state, roll)), rolls)


def dice_audience(state: State, roll: Roll) -> str:
    """Who may see the dice of a roll."""
    return GM if roll.seen == "blind" or (roll.covered and roll.hidden) else roll_audience(state, roll)


def outcome_audience(state: State, roll: Roll) -> str:
    """Who may see what came of a roll: while an input is hidden, the outcome would tell it."""
    return GM if roll.hidden else dice_audience(state, roll)


# Finding things by id or by name, among what a seat may see.


def find_holder(state: State, member: Member, ref: str) -> HolderState:
    """A character, a player's sheet, ``table`` or ``scene``, by id or by name."""
    found = state.world.holders.get(ref)
    if found and may_see(member, holder_audience(found)):
        return found
    wanted = ref.strip().lower()
    seen = [kept for kept in state.world.holders.values() if may_see(member, holder_audience(kept))]
    for kind in ("character", "player"):
        for kept in seen:
            if kept.kind == kind and kept.name.lower() == wanted:
                return kept
    names = ", ".join(kept.name for kept in seen if kept.kind == "character" and kept.name) or "no character yet"
    raise Unknown(f'There is nobody called "{ref[:40]}" at this table; there are {names}, the table and the scene.')


def find_member(state: State, ref: str) -> Member:
    """A member by id or by name."""
    found = state.members.get(ref)
    if found:
        return found
    wanted = ref.strip().lower()
    for member in state.members.values():
        if member.name.lower() == wanted and member.role != "gone":
            return member
    names = ", ".join(member.name for member in state.members.values() if member.role != "gone")
    raise Unknown(f'There is no member "{ref[:40]}"; there are {names}.')


def find_roll(state: State, member: Member, ref: str) -> Roll:
    """A roll by id; without one, the latest that is not over."""
    if ref:
        found = state.world.rolls.get(ref)
        if found is None or not may_see(member, roll_audience(state, found)):
            raise Unknown(f'There is no roll "{ref[:40]}" that can still be changed.')
        return found
    for roll in reversed(state.world.rolls.values()):
        if not roll.over and may_see(member, roll_audience(state, roll)):
            return roll
    raise Unknown("No roll is open; open one first.")
