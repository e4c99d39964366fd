"""Access: who may act, who may see what, and the participants of a roll as somebody may see them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from astragal.errors import Forbidden, Unknown
from astragal.rule.table_rules import SCENE, TABLE, Holder, Participants
from astragal.table.state import HolderState, Member, Roll, State

GM = "gm"
EVERYBODY = ""


def member_of(state: State, id: str) -> Member:
    """The member with this id; refuses somebody who has left, or never was there."""
    member = state.members.get(id)
    if member is None or member.role == "gone":
        raise Forbidden("You have no seat at this table.")
    return member


def refuse_onlooker(member: Member) -> None:
    """Refuse an onlooker."""
    if member.role == "onlooker":
        raise Forbidden("An onlooker watches and does nothing; ask a GM for a player's seat.")


def refuse_player(member: Member, what: str) -> None:
    """Refuse everybody but a GM; ``what`` completes "Only a GM may"."""
    if member.role != GM:
        raise Forbidden(f"Only a GM may {what}.")


def owns(member: Member, holder: HolderState | None) -> bool:
    """Whether a member may change a holder: a GM any, a player their characters and their own sheet."""
    return member.role == GM or (holder is not None and bool(holder.owner) and holder.owner == member.id)


def refuse_stranger(member: Member, holder: HolderState) -> None:
    """Refuse anybody but the owner and GMs."""
    if not owns(member, holder):
        raise Forbidden(f"{holder.name or 'The ' + holder.kind} is not yours; only its owner or a GM may do that.")


# An audience is "" for everybody, "gm" for the GMs, or a member's id for that member and the GMs.


def may_see(member: Member | None, audience: str) -> bool:
    """Whether this seat belongs to an audience."""
    if audience == EVERYBODY:
        return True
    return member is not None and (member.role == GM or member.id == audience)


def audience_of(seen: str, owner: str) -> str:
    """The audience of something with this visibility."""
    if seen == "all":
        return EVERYBODY
    return owner if seen == "owner" and owner else GM


def holder_audience(holder: HolderState) -> str:
    """Who may see a holder."""
    return audience_of(holder.seen, holder.owner)


def item_audience(holder: HolderState, seen: str) -> str:
    """An item is seen by no more people than its holder."""
    return both(holder_audience(holder), audience_of(seen, holder.owner))


def both(one: str, other: str) -> str:
    """Intersection of two audiences."""
    if one in (EVERYBODY, other):
        return other
    return one if other == EVERYBODY else GM


def either(one: str, other: str) -> str:
    """Union of two audiences; of two different members only the first, since an audience names one."""
    if EVERYBODY in (one, other):
        return EVERYBODY
    return other if one == GM else one


def apart(*audiences: str) -> list[str]:
    """Union of audiences, as a list where one cannot name them all."""
    if EVERYBODY in audiences:
        return [EVERYBODY]
    return sorted({*audiences} - {GM}) or [GM]


def owner_of(state: State, roll: Roll) -> str:
    """Whose roll it is: the owner of the character that rolls, else the member who opened it."""
    holder = state.world.holders.get(roll.who)
    return holder.owner if holder and holder.owner else roll.by


def takes_part(state: State, roll: Roll, member: Member) -> bool:
    """Whether a roll concerns a member: a GM, or the owner of one of its characters."""
    holders = state.world.holders
    owners = {holders[id].owner for id in (roll.against, *roll.helpers) if id in holders}
    return member.role == GM or member.id in owners | {owner_of(state, roll)}


def is_asked(state: State, id: str, member: Member) -> bool:
    """Whether a question to this holder, this member or the GM is this member's; who has no owner is the GM's."""
    holder = state.world.holders.get(id)
    if id == GM or (holder is not None and not holder.owner):
        return member.role == GM
    return member.id == (holder.owner if holder else id)


def roll_audience(state: State, roll: Roll) -> str:
    """Who may see that a roll exists: nobody who may not see the roller.

    A member who rolls blind sees the roll but not its dice.
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
    """Who may see the outcome of a roll: only GMs while an input is hidden, since the outcome would give it away."""
    return GM if roll.hidden else dice_audience(state, roll)


def seat_version(state: State, member: Member | None) -> int:
    """The number of entries that this seat may see part of; the table's version would also count hidden ones."""
    if member is None:
        return state.public
    return state.version if member.role == GM else state.public + state.private.get(member.id, 0)


# Finding things by id or by name, among what a seat may see.


def find_holder(state: State, member: Member, ref: str) -> HolderState:
    """A character, a player's sheet, ``table`` or ``scene``, by id or by name."""
    found = state.world.holders.get(ref)
    if found and may_see(member, holder_audience(found)):
        return found
    wanted = ref.strip().lower()
    seen = [holder for holder in state.world.holders.values() if may_see(member, holder_audience(holder))]
    for kind in ("character", "player"):
        for holder in seen:
            if holder.kind == kind and holder.name.lower() == wanted:
                return holder
    names = (
        ", ".join(holder.name for holder in seen if holder.kind == "character" and holder.name) or "no character yet"
    )
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


May = Callable[[str], bool]
"""Whether the viewers may see what is for this audience."""


def participants_of(state: State, who: str, against: str = "", helpers: tuple[str, ...] = ()) -> Participants:
    """The participants by id; holders that have left the table are left out."""
    holders = state.world.holders
    roller = holders.get(who)
    return Participants(
        roller,
        holders.get(roller.owner) if roller else None,
        holders.get(against),
        tuple([holders[helper] for helper in helpers if helper in holders]) if helpers else (),
        holders[TABLE],
        holders[SCENE],
        state.options,
        state.world.in_scene,
    )


def seen_participants(state: State, participants: Participants, may: May) -> Participants:
    """The participants without what the viewers may not see, so that nothing derived from them gives it away."""
    if _is_open(state, participants):
        return participants
    table, scene = _seen(state, participants.table, may), _seen(state, participants.scene, may)
    helpers = (_seen(state, helper, may) for helper in participants.helpers)
    return participants._replace(
        roller=_seen(state, participants.roller, may),
        player=_seen(state, participants.player, may),
        target=_seen(state, participants.target, may),
        helpers=tuple(helper for helper in helpers if helper),
        table=table or participants.table,
        scene=scene or participants.scene,
    )


def open_items(state: State, participants: Participants, may: May) -> Participants:
    """The participants without items that are themselves hidden from the viewers; the holders all stay."""
    if _is_open(state, participants):
        return participants

    def opened(holder: Holder) -> Holder:
        kept = state.world.holders[holder.id]
        return _with_items(holder, kept, lambda seen: may(audience_of(seen, kept.owner)))

    return participants._replace(
        roller=participants.roller and opened(participants.roller),
        player=participants.player and opened(participants.player),
        target=participants.target and opened(participants.target),
        helpers=tuple(map(opened, participants.helpers)),
        table=opened(participants.table),
        scene=opened(participants.scene),
    )


def _is_open(state: State, participants: Participants) -> bool:
    """Whether nothing about the participants is hidden from anybody: the usual case, checked first."""
    holders = state.world.holders
    for holder in (
        participants.roller,
        participants.player,
        participants.target,
        participants.table,
        participants.scene,
        *participants.helpers,
    ):
        if holder is not None:
            kept = holders[holder.id]
            if kept.veiled or kept.seen != "all":
                return False
    return True


def _seen(state: State, holder: Holder | None, may: May) -> Holder | None:
    if holder is None:
        return None
    kept = state.world.holders[holder.id]
    if kept.seen != "all" and not may(holder_audience(kept)):
        return None
    return _with_items(holder, kept, lambda seen: may(item_audience(kept, seen)))


def _with_items(holder: Holder, kept: HolderState, which: Callable[[str], bool]) -> Holder:
    if not kept.veiled:
        return holder
    sheet = {
        section: {name: item for name, item in items.items() if which(item.get("seen", "all"))}
        for section, items in kept.sheet.items()
    }
    return replace(kept, sheet=sheet)
