"""Builds what a seat may see. What is hidden is absent, even the number of dice.

A view is flat: parts of the table by path, such as ``holders/c1`` or ``rolls/r7``, so that after an entry
only what it touches needs to be built and sent again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.rule.game import Kind
from astragal.rule.node import Choice, Outcome, Throw
from astragal.rule.report import open_node, plain
from astragal.rule.table_rules import SCENE, Change, Offer
from astragal.table.access import (
    GM,
    answers_of,
    dice_audience,
    holder_audience,
    is_asked,
    item_audience,
    may_see,
    may_throw,
    outcome_audience,
    owner_of,
    owns,
    roll_audience,
    waited_for,
)
from astragal.table.rolls.ask import ask_of, kind_of, may_set, offers_for, shown_ask
from astragal.table.rolls.playback import follow_up_of, played_of
from astragal.table.state import HolderState, Member, Roll, State
from astragal.table.view.model import (
    DieView,
    HolderKind,
    HolderSeen,
    HolderView,
    MemberView,
    OfferView,
    OpenChoice,
    OpenDice,
    PriceView,
    PromptView,
    Role,
    RollSeen,
    RollView,
    SceneView,
    TableView,
    ThrowSource,
    ThrowView,
    TypedDice,
    View,
    WordsView,
)


def view(state: State, member: Member | None) -> dict[str, View]:
    """Everything that this seat may see, by path; a hidden thing's path is absent too."""
    return {path: seen for path, seen in views_at(state, member, paths(state)).items() if seen is not None}


def views_at(state: State, member: Member | None, wanted: Iterable[str]) -> dict[str, View | None]:
    """The views at these paths; None where this seat may see nothing, or no longer anything."""
    return {path: view_at(state, member, path) for path in wanted}


def view_at(state: State, member: Member | None, path: str) -> View | None:
    """The view at one path, or None."""
    kind, _, id = path.partition("/")
    if kind == "table":
        return table_view(state, member)
    if kind == "members":
        found = state.members.get(id)
        return member_view(found) if found else None
    return holder_view(state, member, id) if kind == "holders" else roll_view(state, member, id)


def paths(state: State) -> Iterator[str]:
    """Every path of a table, including those that only some may see."""
    yield "table"
    yield from (f"members/{id}" for id in state.members)
    yield from (f"holders/{id}" for id in state.world.holders)
    yield from (f"rolls/{id}" for id in state.world.rolls)


def table_view(state: State, member: Member | None) -> TableView:
    """The table itself, with who looks at it."""
    scene = state.world.holders.get(SCENE)
    return TableView(
        game=state.game,
        title=state.title,
        options=state.options,
        scene=SceneView(scene.name if scene else "", state.world.in_scene),
        typed_dice=cast("TypedDice", state.typed_dice),
        you=member_view(member) if member else None,
    )


def member_view(member: Member) -> MemberView:
    """A member, the same for every seat."""
    return MemberView(member.id, member.name, cast("Role", member.role))


def holder_view(state: State, member: Member | None, id: str) -> HolderView | None:
    """A holder, with the items that this seat may see."""
    holder = state.world.holders.get(id)
    if holder is None or not may_see(member, holder_audience(holder)):
        return None
    return HolderView(
        id=holder.id,
        kind=cast("HolderKind", holder.kind),
        name=holder.name,
        owner=holder.owner,
        seen=cast("HolderSeen", holder.seen),
        yours=member is not None and member.role != "onlooker" and owns(member, holder),
        sheet={
            section: {name: shown for name, item in items.items() if (shown := _item(holder, item, member)) is not None}
            for section, items in holder.sheet.items()
        },
    )


def _item(holder: HolderState, item: dict[str, Any], member: Member | None) -> dict[str, Any] | None:
    """An item as this seat sees it; of a veiled one only that it exists."""
    seen = item.get("seen", "all")
    if seen == "all" or may_see(member, item_audience(holder, seen)):
        return item
    return {"seen": "veiled"} if seen == "veiled" else None


# Rolls.


def roll_view(state: State, member: Member | None, id: str) -> RollView | None:
    """A roll: being built, thrown out of this seat's sight, or thrown and told."""
    roll = state.world.rolls.get(id)
    if roll is None or not may_see(member, roll_audience(state, roll)):
        return None
    seen = RollView(
        id=roll.id,
        kind=roll.kind,
        title=roll.title or roll.kind,
        by=roll.by,
        who=roll.who,
        against=roll.against if _knows(state, roll.against, member) else "",
        helpers=[helper for helper in roll.helpers if _knows(state, helper, member)],
        their_helpers=[helper for helper in roll.their_helpers if _knows(state, helper, member)],
        seen=cast("RollSeen", roll.seen),
        hidden=list(roll.hidden),
        over=roll.over,
        thrown=roll.ask is not None,
    )
    if roll.ask is None and not roll.over:
        return _being_built(seen, state, roll, member)
    if not may_see(member, dice_audience(state, roll)):
        # A member who rolled blind knows that it was rolled.
        return replace(seen, over=False, thrown=True, blind=True)
    if not may_see(member, outcome_audience(state, roll)):
        return replace(seen, dice=_dice(roll, told=False), throws=_throws(roll), over=False, waits="gm")
    told = _told(seen, state, roll, member)
    return _follow_up(told, state, roll, member) if roll.over else _open(told, state, roll, member)


def _knows(state: State, id: str, member: Member | None) -> bool:
    holder = state.world.holders.get(id)
    if holder is None:
        return id in state.world.retired and may_see(member, state.world.retired[id][1])
    return may_see(member, holder_audience(holder))


def _being_built(seen: RollView, state: State, roll: Roll, member: Member | None) -> RollView:
    """The view with inputs so far, offers, and why the roll cannot be thrown yet."""
    hidden = () if member is not None and member.role == GM else roll.hidden
    try:
        kind = kind_of(state, roll)
        offers = offers_for(state, roll, member)
    except Refusal as refusal:
        yours = _takes_part(state, roll, member)
        return replace(seen, inputs={}, use={}, offers=[], yours=yours, headline="", missing=str(refusal))
    seen = replace(
        seen,
        inputs={name: value for name, value in roll.inputs.items() if name not in hidden},
        use={id: n for id, n in roll.use.items() if id in offers},
        offers=[_offer(state, roll, offer, member) for offer in offers.values()],
        yours=_takes_part(state, roll, member),
        headline="",
        missing="",
        locked=_locked(state, roll, kind, offers, member),
        takes=[max(0, kind.helpers - len(seen.helpers)), max(0, kind.their_helpers - len(seen.their_helpers))],
    )
    try:
        ask = ask_of(state, roll)
    except Refusal as refusal:
        return seen if hidden else replace(seen, missing=str(refusal))
    return seen if hidden else replace(seen, headline=kind.headline(ask), ask=ask.values())


def _locked(state: State, roll: Roll, kind: Kind, offers: Mapping[str, Offer], member: Member | None) -> list[str]:
    """What this seat may see and not change; an offer says by itself whose it is."""
    others = [input.name for input in kind.ask.inputs.values() if not may_set(state, roll, input, member)]
    by_gm = [name for name in roll.by_gm if name in kind.ask.inputs or name in offers or name == "against"]
    return others if member is not None and member.role == GM else list(dict.fromkeys((*others, *by_gm)))


def _offer(state: State, roll: Roll, offer: Offer, member: Member | None) -> OfferView:
    giver = state.world.holders.get(offer.by)
    yours = member is not None and (owns(member, giver) if giver else _takes_part(state, roll, member))
    return OfferView(
        id=offer.id,
        group=offer.group,
        label=offer.label,
        input=offer.input,
        gives=plain(offer.gives),
        most=offer.most,
        price=[_price(state, giver, change, change.by) for change in offer.changes if change.by],
        rule=offer.rule,
        yours=yours,
    )


def _price(state: State, giver: HolderState | None, change: Change, by: int) -> PriceView:
    holder = state.world.holders.get(change.holder)
    own = giver is None or change.holder in (giver.id, giver.owner)
    return PriceView(change.item, by, holder.name if holder and not own else "")


def _takes_part(state: State, roll: Roll, member: Member | None) -> bool:
    return member is not None and (member.role == GM or owner_of(state, roll) == member.id)


def _told(seen: RollView, state: State, roll: Roll, member: Member | None) -> RollView:
    """The view with the outcome as it was stored; today's rules are not used."""
    return replace(
        seen,
        dice=_dice(roll, told=True),
        throws=_throws(roll),
        headline=roll.headline,
        ask=shown_ask(roll),
        verdict=roll.verdict,
        result=roll.result,
        waits="",
        open=None,
        yours=_takes_part(state, roll, member),
        prompts=[PromptView(*prompt, yours=_is_asked(state, prompt[0], member)) for prompt in roll.prompts] or UNSET,
        words=[WordsView(by, text) for by, text in roll.words] or UNSET,
    )


def _is_asked(state: State, id: str, member: Member | None) -> bool:
    return member is not None and member.role != "onlooker" and is_asked(state, id, member)


def _open(seen: RollView, state: State, roll: Roll, member: Member | None) -> RollView:
    """The view with what an unfinished roll waits for by today's rules, or why it cannot go on."""
    try:
        node = played_of(state, roll).node
    except Refusal as refusal:
        return replace(seen, missing=str(refusal))
    if isinstance(node, Outcome):
        return seen
    seen = replace(seen, waits_for=waited_for(state, roll, node))
    if isinstance(node, Throw):
        yours = member is not None and may_throw(state, roll, node, member)
        return replace(seen, waits="dice", open=msgspec.convert(open_node(node), OpenDice), yours=yours)
    mine = answers_of(state, roll, node, member) if member else []
    return replace(seen, result=plain(node.so_far), waits="choice", open=_choice(node, mine), yours=bool(mine))


def _follow_up(seen: RollView, state: State, roll: Roll, member: Member | None) -> RollView:
    """A finished roll, with the choice that it leaves open until the roller's next one."""
    node = follow_up_of(state, roll)
    if node is None:
        return seen
    mine = answers_of(state, roll, node, member) if member else []
    return replace(seen, open=_choice(node, mine), yours=bool(mine), waits_for=waited_for(state, roll, node))


def _choice(choice: Choice[Any], mine: list[str]) -> OpenChoice:
    shown = msgspec.convert(open_node(choice), OpenChoice)
    return replace(shown, options=[replace(option, yours=option.name in mine) for option in shown.options])


def _throws(roll: Roll) -> list[ThrowView]:
    """Where the faces of each throw came from; an older roll does not say."""
    sources = roll.sources if len(roll.sources) == len(roll.throws) else (("", ""),) * len(roll.throws)
    return [
        ThrowView(title, cast("ThrowSource", source), typed_by)
        for (title, _), (source, typed_by) in zip(roll.throws, sources, strict=True)
    ]


def _dice(roll: Roll, told: bool) -> list[DieView]:
    """Every die of a roll; what it did only for those who may see the outcome."""
    return [
        DieView(title, name, sides, face, did if told else "", counts and told)
        for title, dice in roll.throws
        for name, sides, face, did, counts in dice
    ]
