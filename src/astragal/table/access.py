"""Access: who may act, who may see what, and who has which role at a roll."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from astragal.errors import Forbidden, Unknown
from astragal.rule.sheets.table_rules import helper_place
from astragal.rule.tree.effect import Role
from astragal.rule.tree.node import Choice, Throw
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, Member, Pool, Roll, State

GM = "gm"
EVERYBODY = ""
CLOSED = "name"
"""The visibility of a character of whom all know the name and how it stands, and only owner and GMs the sheet."""
OPEN = ("all", CLOSED)
"""The visibilities of a holder of whom everybody knows."""


def member_of(state: State, id: str) -> Member:
    """The member with this id; refuses an id that has left, or never was there."""
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
    """True if a member may change a holder: a GM any, a player their characters and their own sheet."""
    return member.role == GM or (holder is not None and bool(holder.owner) and holder.owner == member.id)


def refuse_stranger(member: Member, holder: HolderState) -> None:
    """Refuse anybody but the owner and GMs."""
    if not owns(member, holder):
        raise Forbidden(f"{holder.name or 'The ' + holder.kind} is not yours; only its owner or a GM may do that.")


def seen_characters(state: State, member: Member | None, but: str = "") -> list[str]:
    """The names of the characters that a seat may see, but for one; without a seat, of those that all may see."""
    return [kept.name for kept in seen_holders(state, member) if kept.kind == "character" and kept.id != but]


# An audience is "" for everybody, "gm" for the GMs, or a member's id for that member and the GMs.


def sees(viewers: str, audience: str) -> bool:
    """True if everybody among the viewers, themselves an audience, belongs to an audience."""
    return audience == EVERYBODY or viewers in (GM, audience)


def may_see(member: Member | None, audience: str) -> bool:
    """True if this seat belongs to an audience."""
    return audience == EVERYBODY or sees(viewers_of(member), audience)


def viewers_of(member: Member | None) -> str:
    """The audience that may see exactly what this seat may see."""
    return EVERYBODY if member is None else GM if member.role == GM else member.id


def audience_of(seen: str, owner: str) -> str:
    """The audience of something with this visibility."""
    if seen in ("all", CLOSED):
        return EVERYBODY
    return owner if seen == "owner" and owner else GM


def holder_audience(holder: HolderState) -> str:
    """The audience that may see a holder."""
    return EVERYBODY if holder.seen in OPEN else audience_of(holder.seen, holder.owner)


def sheet_audience(holder: HolderState) -> str:
    """The audience of items without a visibility of their own; of a closed sheet, of its closed part."""
    return item_audience(holder, "owner" if holder.seen == CLOSED else "all")


def item_audience(holder: HolderState, seen: str) -> str:
    """An item is seen by no more people than its holder."""
    return both(holder_audience(holder), audience_of(seen, holder.owner))


def mark_of(holder: HolderState, section: str, item: Mapping[str, Any]) -> str:
    """The visibility of an item: its own, else as its sheet is open or closed."""
    return str(item["seen"]) if "seen" in item else usual_mark(holder, section)


def usual_mark(holder: HolderState, section: str) -> str:
    """The visibility of items that have none of their own, as their sheet is open or closed."""
    return "owner" if holder.seen == CLOSED and section not in holder.shows else "all"


def item_marks(holder: HolderState, viewers: str) -> tuple[str, ...]:
    """The visibilities of items that these viewers may see, if they may see the holder."""
    if viewers == GM:
        return ("all", "owner", GM, "veiled")
    return ("all", "owner") if viewers != EVERYBODY and holder.owner == viewers else ("all",)


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
    """The owner of a roll: of the character that rolls, else the member who opened it."""
    holder = state.world.holders.get(roll.who)
    return holder.owner if holder and holder.owner else roll.by


def owns_roll(state: State, roll: Roll, member: Member) -> bool:
    """True if a roll is a member's: a GM's, or the one's whose character rolls."""
    return member.role == GM or owner_of(state, roll) == member.id


def takes_part(state: State, roll: Roll, member: Member) -> bool:
    """True if a roll concerns a member: a GM, or the owner of one of its characters."""
    holders = state.world.holders
    owners = {holders[id].owner for id in (roll.against, *roll.helpers, *roll.their_helpers) if id in holders}
    return member.role == GM or member.id in owners | {owner_of(state, roll)}


def is_asked(state: State, id: str, member: Member) -> bool:
    """True if a question to this holder, this member or the GM is this member's; who has no owner is the GM's."""
    holder = state.world.holders.get(id)
    if id == GM or (holder is not None and not holder.owner):
        return member.role == GM
    return member.id == (holder.owner if holder else id)


def roll_audience(state: State, roll: Roll) -> str:
    """The audience that may know of a roll: never more than may see the roller.

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
    """The audience of a roll's dice."""
    return GM if roll.seen == "blind" or (roll.covered and roll.hidden) else roll_audience(state, roll)


def is_partly_known(state: State, roll: Roll) -> bool:
    """True for a roll with hidden inputs whose dice others than the GMs see."""
    return bool(roll.hidden) and dice_audience(state, roll) != GM


def outcome_audience(state: State, roll: Roll) -> str:
    """The audience of a roll's outcome: only GMs while an input is hidden, since the outcome would reveal it."""
    return GM if roll.hidden else dice_audience(state, roll)


def is_over_for(state: State, roll: Roll, member: Member | None) -> bool:
    """True if a roll is over, as far as this seat may know: one whose outcome is hidden waits for the GM alone."""
    if roll.ask is None or may_see(member, outcome_audience(state, roll)):
        return roll.over
    return not roll.known_open


def may_type(state: State, roll: Roll, member: Member | None) -> bool:
    """True if this seat may type the dice of a roll: not if it may not see them (T-3).

    That is decided by which inputs are hidden, never by their values.
    """
    if roll.ask is not None:
        return may_see(member, dice_audience(state, roll))
    kind = ruleset_of(state.game).game.kinds.get(roll.kind)
    covered = bool(roll.hidden) and (kind is None or kind.change_dice(roll.hidden))
    return may_see(member, GM if covered else dice_audience(state, roll))


def last_pools(state: State, member: Member, who: str) -> dict[str, Pool]:
    """The last pool of each kind of roll for a holder, of the rolls that this member could see."""
    return {pool.kind: pool for pool in state.world.last.get(who, {}).values() if may_see(member, pool.audience)}


def seat_version(state: State, member: Member | None) -> int:
    """The number of entries that this seat may see part of; the table's version would also count hidden ones."""
    if member is None:
        return state.public
    return state.version if member.role == GM else state.public + state.private.get(member.id, 0)


def name_of(state: State, member: Member | None, id: str) -> str:
    """The name of a member or holder, if this member may know it."""
    if id in state.members:
        return state.members[id].name
    holder = state.world.holders.get(id)
    if holder and may_see(member, holder_audience(holder)):
        # Scenes change names; an entry about an earlier scene must not show the current name.
        return holder.name if holder.kind in ("character", "player") else f"the {holder.kind}"
    name, audience = state.world.retired.get(id, ("somebody", ""))
    return name if may_see(member, audience) else "somebody"


# Finding things by id or by name, among what a seat may see.


def seen_holders(state: State, member: Member | None) -> list[HolderState]:
    """The holders that a seat may see."""
    holders, viewers = state.world.holders.values(), viewers_of(member)
    return [each for each in holders if each.seen in OPEN or sees(viewers, holder_audience(each))]


def seen_and_own(state: State, member: Member | None) -> tuple[set[str], set[str]]:
    """The ids of the holders that a seat may see, and of those that are its own."""
    seen = seen_holders(state, member)
    own = member.id if member else GM
    return {each.id for each in seen}, {each.id for each in seen if each.owner == own}


def seen_rolls(state: State, member: Member | None, among: Iterable[Roll] | None = None) -> list[Roll]:
    """The rolls that a seat may see, the oldest first: among all that the table remembers, or among these."""
    rolls, viewers = state.world.rolls.values() if among is None else among, viewers_of(member)
    return [roll for roll in rolls if sees(viewers, roll_audience(state, roll))]


def find_holder(state: State, member: Member, ref: str) -> HolderState:
    """A character, a player's sheet, ``table`` or ``scene``, by id or by name."""
    found = state.world.holders.get(ref)
    if found and may_see(member, holder_audience(found)):
        return found
    wanted = ref.strip().lower()
    named = [holder for holder in state.world.holders.values() if holder.name.lower() == wanted]
    for kind in ("character", "player"):
        for holder in named:
            if holder.kind == kind and may_see(member, holder_audience(holder)):
                return holder
    names = ", ".join(filter(None, seen_characters(state, member))) or "no character yet"
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
    unfinished = [roll for roll in seen_rolls(state, member) if not is_over_for(state, roll, member)]
    if not unfinished:
        raise Unknown("No roll is open; open one first.")
    return unfinished[-1]


# Roles at a roll: who throws its dice and answers its choices.


def id_in_role(roll: Roll, role: Role) -> str:
    """The id of the holder or member in this role, or ``gm``; empty if no one at the table has it."""
    if role in ("roller", "player"):
        return roll.who or roll.by
    if role in ("target", GM):
        return roll.against if role == "target" else GM
    side, place = helper_place(role)
    helpers = roll.their_helpers if side == "theirs" else roll.helpers
    return helpers[place - 1] if 0 < place <= len(helpers) else ""


def seat_of(state: State, roll: Roll, role: Role) -> str:
    """The id of the member who plays a role, or ``gm``. A role that no one has is played by the roll's owner."""
    id = id_in_role(roll, role)
    if not id or role in ("roller", "player"):
        return owner_of(state, roll)
    found = state.world.holders.get(id)
    owner = state.members.get(found.owner) if found else None
    return owner.id if owner and owner.role not in (GM, "gone") else GM


def verdict_for_target(state: State, roll: Roll) -> bool:
    """True if a verdict is for the target's side: it is for players, and between two players for the roller.

    A character who is tended is on the roller's side.
    """
    kind = ruleset_of(state.game).game.kinds.get(roll.kind)
    if kind is not None and kind.helps_target:
        return False
    target, players = state.world.holders.get(roll.against), ("player", "onlooker")
    owners = state.members.get(owner_of(state, roll)), state.members.get(target.owner) if target else None
    return owners[1] is not None and owners[1].role in players and (owners[0] is None or owners[0].role == GM)


def seat_name(state: State, seat: str) -> str:
    """The name of the member in a seat; one that no player has is the GM's."""
    member = state.members.get(seat)
    return "the GM" if member is None or member.role in (GM, "gone") else member.name


def may_throw(state: State, roll: Roll, throw: Throw[Any, Any], member: Member) -> bool:
    """True if these dice are this member's to throw; a GM may throw all."""
    return member.role == GM or seat_of(state, roll, throw.by) == member.id


def throw_of(state: State, roll: Roll, throw: Throw[Any, Any], member: Member) -> Throw[Any, Any] | None:
    """The dice that a member may throw now: those that are due, or their own, where these may be thrown first."""
    if may_throw(state, roll, throw, member):
        return throw
    for option in throw.instead.options.values() if throw.instead else ():
        node = option.then.node() if option.by and seat_of(state, roll, option.by) == member.id else None
        if isinstance(node, Throw):
            return node
    return None


def throws_at_once(state: State, roll: Roll, throw: Throw[Any, Any], member: Member) -> bool:
    """True if the dice are thrown as soon as it can be: a GM leaves a player's dice to the player."""
    seat = seat_of(state, roll, throw.by)
    return seat == member.id or (member.role == GM and (seat == GM or throw.by == "roller"))


def decider_of(state: State, roll: Roll, choice: Choice[Any], option: str = "") -> str:
    """The id of the member who answers a choice, or ``gm``; some options are another role's.

    An opponent without a character decides nothing: that is the GM's.
    """
    by = choice.options[option].by if option in choice.options else ""
    role = by or ruleset_of(state.game).table_rules.decides(roll.kind, choice.by, choice.so_far)
    return GM if role == "target" and not roll.against else seat_of(state, roll, role)


def waited_for(state: State, roll: Roll, node: Choice[Any] | Throw[Any, Any]) -> str:
    """The id of the member for whom a roll waits, or ``gm``."""
    seat = decider_of(state, roll, node) if isinstance(node, Choice) else seat_of(state, roll, node.by)
    member = state.members.get(seat)
    if member is None or member.role in (GM, "gone"):
        return GM
    return seat if roll.known_open or may_see(member, outcome_audience(state, roll)) else GM
