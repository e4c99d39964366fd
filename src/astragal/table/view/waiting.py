"""What a roll waits for, as a seat sees it: dice or an answer, whose they are, what answers cost and lead to."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.explain.report import judged, open_node
from astragal.rule.sheets.table_rules import Change
from astragal.rule.tree.node import Choice, Option, Outcome, Throw
from astragal.table.access import GM, throw_of, waited_for
from astragal.table.rolls.known import answers_of
from astragal.table.rolls.picks import pickable
from astragal.table.rolls.playback import BREAKS
from astragal.table.ruleset import ruleset_of
from astragal.table.view.roll_model import LeadView, OpenChoice, OpenDice, OptionView, PriceView
from astragal.table.view.tray import Sight, next_dice

# Views are made in several threads. Two that convert to a type for the first time simultaneously crash the process, so
# a decoder makes the types ready while there is one thread.
msgspec.json.Decoder(tuple[OpenDice, OpenChoice])


def open_view(sight: Sight, node: Any) -> dict[str, Any]:
    """The fields of a roll's view that say what it waits for."""
    if isinstance(node, Throw):
        own = throw_of(sight.state, sight.roll, node, sight.member) if sight.member is not None else None
        return {
            **whom_it_waits_for(sight, own or node),
            "waits": "dice",
            "open": dice_to_throw(sight, own or node),
            "yours": own is not None,
        }
    return {"waits": "choice", **choice_view(sight, node)} if isinstance(node, Choice) else {}


def whom_it_waits_for(sight: Sight, node: Choice[Any] | Throw[Any, Any]) -> dict[str, Any]:
    """The id and the name of the member for whom the roll waits; of several GMs, the name of the first."""
    members, id = sight.state.members, waited_for(sight.state, sight.roll, node)
    gms = (member.name for member in members.values() if member.role == GM)
    return {"waits_for": id, "waits_name": members[id].name if id in members else next(gms, "")}


def dice_to_throw(sight: Sight, throw: Throw[Any, Any]) -> OpenDice:
    """The dice of the next throw, and the answers that may be given instead."""
    shown = replace(msgspec.convert(open_node(throw), OpenDice), dice=next_dice(sight, throw))
    if throw.instead is None or all(option.by for option in throw.instead.options.values()):
        return replace(shown, instead=[])  # a member who may throw first sees their own dice
    return replace(shown, instead=_options(sight, throw.instead, shown.instead))


def choice_view(sight: Sight, choice: Choice[Any]) -> dict[str, Any]:
    """The fields that say which choice is open, and whose it is."""
    shown = msgspec.convert(open_node(choice), OpenChoice)
    options = _options(sight, choice, shown.options)
    return {
        **whom_it_waits_for(sight, choice),
        "open": replace(shown, options=options, rest=choice.rest),
        "yours": any(option.yours for option in options),
    }


def _options(sight: Sight, choice: Choice[Any], shown: list[OptionView]) -> list[OptionView]:
    mine = answers_of(sight.basis, choice, sight.member) if sight.member else []
    decider = waited_for(sight.state, sight.roll, choice)
    found = []
    for each in shown:
        option = choice.options[each.name]
        yours = each.name in mine
        try:
            node: Any = option.then.node(option.words) if option.words else option.then.node()
        except (Refusal, *BREAKS):  # today's rules cannot tell where it leads
            node = None
        # The dice that it throws immediately, if they are the decider's.
        throws = isinstance(node, Throw) and waited_for(sight.state, sight.roll, node) == decider
        found.append(
            replace(
                each,
                yours=yours,
                price=_price(sight, option),
                picks=pickable(sight.state, sight.member, option.names) if yours and option.names else each.picks,
                leads=_lead(sight, node.result) if isinstance(node, Outcome) else None,
                dice=next_dice(sight, node) if throws else [],
            )
        )
    return found


def _price(sight: Sight, option: Option[Any]) -> list[PriceView]:
    if not option.effects:
        return []
    participants = sight.basis.participants
    rules = ruleset_of(sight.state.game).table_rules
    changes = rules.apply(sight.roll.kind, None, option.effects, participants)
    payer = participants.player or participants.roller
    giver = sight.state.world.holders.get(payer.id) if payer else None
    return [sight.price(giver, change) for change in changes if isinstance(change, Change) and change.by]


def _lead(sight: Sight, result: Any) -> LeadView:
    """Where an option leads, as the card of this member calls it."""
    verdict = judged(sight.basis.kind, result)
    verdict = verdict.turned if sight.for_target else verdict
    verdict = verdict.turned if verdict.theirs and sight.is_across else verdict
    return LeadView(verdict.tone, verdict.tier)
