"""A roll as a seat may see it: being gathered, thrown out of its sight, waiting for a member, or settled."""

from __future__ import annotations

from typing import Any, cast

from msgspec import UNSET
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.explain.report import plain
from astragal.rule.tree.node import Choice
from astragal.rule.verdict import Tone, turned
from astragal.table.access import dice_audience, is_asked, may_see, may_type, outcome_audience, roll_audience
from astragal.table.fold import with_dice
from astragal.table.roll_event import PartlyTold
from astragal.table.rolls.basis import Bases, Basis
from astragal.table.rolls.known import known_of
from astragal.table.rolls.playback import follow_up_of, played_of
from astragal.table.state import Member, Roll, State
from astragal.table.view.card import card_of, dice_shown, gains_of, knows, throws_shown, waiting_of
from astragal.table.view.gathering import claims_of, gathered
from astragal.table.view.roll_model import GainView, OpenChoice, PromptView, RollSeen, RollView
from astragal.table.view.tray import Sight, kept_view
from astragal.table.view.waiting import choice_view, open_view


def roll_view(state: State, member: Member | None, id: str, bases: Bases | None = None) -> RollView | None:
    """A roll: being built, thrown out of this seat's sight, or thrown and told."""
    roll = state.world.rolls.get(id)
    if roll is None or not may_see(member, roll_audience(state, roll)):
        return None
    sight = Sight(bases.of(state, roll) if bases else Basis(state, roll), member)
    against = roll.against if knows(state, roll.against, member) else ""
    helpers, their_helpers = (
        [helper for helper in side if knows(state, helper, member)] for side in (roll.helpers, roll.their_helpers)
    )
    parts: dict[str, Any] = {"over": roll.over, "thrown": roll.ask is not None}
    if roll.reopened:
        parts["kept"] = kept_view(roll, member)
    if roll.ask is None and not roll.over:
        parts |= gathered(sight, against, (helpers, their_helpers))
    elif not may_see(member, dice_audience(state, roll)):
        # A member who rolled blind knows that it was rolled.
        parts |= {"over": False, "thrown": True, "blind": True}
    elif not may_see(member, outcome_audience(state, roll)):
        parts |= _part_told(sight)
    else:
        parts |= {**_told(sight), **_open(sight)}
    return RollView(
        id=roll.id,
        kind=roll.kind,
        title=roll.title or roll.kind,
        by=roll.by,
        who=roll.who,
        against=against,
        helpers=helpers,
        their_helpers=their_helpers,
        seen=cast("RollSeen", roll.seen),
        hidden=list(roll.hidden),
        typed=may_type(state, roll, member),
        name=_name(state, roll),
        does=roll.does or "rolls",
        against_name=roll.against_name,
        request=roll.request,
        **parts,
    )


def _name(state: State, roll: Roll) -> str:
    """The roller's name; a seat that sees the roll may know it."""
    holder, member = state.world.holders.get(roll.who), state.members.get(roll.by)
    if holder is not None or roll.name:
        return holder.name if holder else roll.name
    return state.world.retired[roll.who][0] if roll.who in state.world.retired else member.name if member else ""


def _told(sight: Sight) -> dict[str, Any]:
    """The outcome as it was stored; today's rules are not used."""
    state, roll, member = sight.state, sight.roll, sight.member
    asks = member is not None and member.role != "onlooker"
    parts = {
        **card_of(roll),
        "gains": gains_of(state, roll, member),
        "waiting": waiting_of(state, roll) or UNSET,
        "waits": "",
        "open": None,
        "yours": sight.takes_part,
        "claims": claims_of(state, roll) or UNSET,
        "prompts": [
            PromptView(*prompt, yours=asks and member is not None and is_asked(state, prompt[0], member))
            for prompt in roll.told.prompts
        ]
        or UNSET,
    }
    if roll.told.other_tier and sight.is_across:
        # What is good for one side is bad for the other, which has a name of its own for it.
        parts |= {"tone": turned(cast("Tone", roll.told.tone)), "tier": roll.told.other_tier}
    return parts


def _part_told(sight: Sight) -> dict[str, Any]:
    """A roll with a hidden input: its open dice, and all that rests on nothing hidden (T-11)."""
    roll = sight.roll
    read = roll.part.told or PartlyTold(roll=roll.id)
    throws = with_dice(roll.throws[: roll.part.throws], read.dice)
    parts = {
        "dice": dice_shown(throws),
        "throws": throws_shown(throws),
        "over": False,
        "waits": "gm",
        "sum": read.sum or UNSET,
        "gains": [GainView(text) for text in read.gains] or UNSET,
        "result": read.result or UNSET,
    }
    if roll.known_open:
        parts |= open_view(sight, known_of(sight.basis).node)
    if isinstance(open := parts.get("open"), OpenChoice):
        # Where its options lead rests on what is hidden.
        parts["open"] = replace(open, options=[replace(each, leads=None) for each in open.options])
    return parts


def _open(sight: Sight) -> dict[str, Any]:
    """The dice or choice that a roll waits for by today's rules, or why it cannot continue."""
    if sight.roll.over:
        left = follow_up_of(sight.basis)
        return choice_view(sight, left) if left else {}
    try:
        node = played_of(sight.basis).node
    except Refusal as refusal:
        return {"missing": str(refusal)}
    result = {"result": plain(node.so_far)} if isinstance(node, Choice) else {}
    return {**open_view(sight, node), **result}
