"""The card of a thrown roll: its dice in waves and sides, its verdict in parts, and what it changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from msgspec import UNSET, UnsetType

from astragal.rule.inputs.total import signed
from astragal.rule.sheets.sheet import Section, broken
from astragal.rule.sheets.table_rules import TABLE
from astragal.rule.verdict import verdict_of
from astragal.table.access import holder_audience, may_see
from astragal.table.event import DieLaid, Thrown, Told
from astragal.table.rolls.ask import shown_ask
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, Roll, RollChange, State
from astragal.table.view.roll_model import (
    DieRole,
    DieView,
    GainView,
    PairView,
    SeriesView,
    Side,
    ThrowSource,
    ThrowView,
    WordsView,
)

PLAIN: DieLaid = (0, -1, "", "")


def knows(state: State, id: str, member: Member | None) -> bool:
    """True if a seat may know of a holder, also of one that has left."""
    holder = state.world.holders.get(id)
    if holder is None:
        return id in state.world.retired and may_see(member, state.world.retired[id][1])
    return may_see(member, holder_audience(holder))


def card_of(roll: Roll) -> dict[str, Any]:
    """The fields of a roll's view that are the same for all who may see its outcome."""
    told, dice = roll.told, dice_shown(roll.throws)
    return {
        "dice": dice,
        "throws": throws_shown(roll.throws),
        "headline": told.headline,
        "ask": shown_ask(roll),
        "verdict": told.verdict,
        **_verdict_parts(told),
        "pairs": pairs_of(dice) or UNSET,
        "series": SeriesView(*told.series) if len(told.series) == 3 else UNSET,
        "about": roll.about,
        "result": told.result,
        "words": [WordsView(by, text) for by, text in roll.words] or UNSET,
    }


def dice_shown(throws: Iterable[Thrown]) -> list[DieView]:
    """Every die of these throws, with what it did."""
    found: list[DieView] = []
    for thrown in throws:
        first = len(found)
        lie = thrown.laid if len(thrown.laid) == len(thrown.dice) else [PLAIN] * len(thrown.dice)
        found += [
            DieView(
                name,
                sides,
                face,
                thrown.title,
                did,
                counts,
                wave,
                first + earned_by if earned_by >= 0 else -1,
                cast("DieRole", role or "plain"),
                cast("Side", side),
                _label(thrown, name, face) if thrown.labels else UNSET,
            )
            for (name, sides, face, did, counts), (wave, earned_by, role, side) in zip(thrown.dice, lie, strict=True)
        ]
    return found


def _label(thrown: Thrown, name: str, face: int) -> str | UnsetType:
    labels = thrown.labels.get(name)
    return labels[face - 1] if labels and face <= len(labels) else UNSET


def throws_shown(throws: Iterable[Thrown]) -> list[ThrowView]:
    """The owner of each throw, and the source of its faces."""
    return [ThrowView(each.title, cast("ThrowSource", each.source), each.typed_by, each.by) for each in throws]


def _verdict_parts(told: Told) -> dict[str, Any]:
    """Tone, tier and sum, as they were told; of a line without parts, what the line says."""
    if not told.verdict:
        return {}
    if told.tier:
        return {"tone": told.tone, "tier": told.tier, "sum": _start(told.sum)}
    verdict = verdict_of(told.verdict, None)
    success = told.result.get("success") if isinstance(told.result, dict) else None
    tone = verdict.tone if success is None else "good" if success else "bad"
    return {"tone": tone, "tier": verdict.tier, "sum": _start(verdict.sum)}


def _start(text: str) -> str:
    return text[:1].upper() + text[1:]


def gains_of(state: State, roll: Roll, member: Member | None) -> list[GainView]:
    """The gains that the verdict names, and every change that this seat may see."""
    found = list(map(GainView, roll.told.gains))
    for change in roll.changes:
        holder, section = state.world.holders.get(change.holder), _section(state, change)
        seen = may_see(member, change.audience) and (holder is None or knows(state, change.holder, member))
        # Books and what is gone are left to the log.
        kept_quiet = section is not None and not section.told and not section.answered(change.item, change.to)
        if seen and not kept_quiet and (change.field or change.to):
            found.append(_gain(state, roll, change))
    return found


def waiting_of(state: State, roll: Roll) -> list[GainView]:
    """The changes that the roll makes when it is revealed, for those who may see its outcome."""
    return [_gain(state, roll, change) for change in roll.waiting.changes] if roll.waiting else []


def _section(state: State, change: RollChange) -> Section | None:
    holder = state.world.holders.get(change.holder)
    return ruleset_of(state.game).sections.get((holder.kind if holder else "character", change.section))


def _gain(state: State, roll: Roll, change: RollChange) -> GainView:
    holder, section = state.world.holders.get(change.holder), _section(state, change)
    # Where both sides read the outcome as theirs, each of them is named.
    own = (
        change.holder in ("table", "scene")
        or holder is None
        or (change.holder == roll.who and not roll.told.other_tier)
    )
    whose = "" if own or holder is None else holder.name
    if change.stands is not None and holder is not None:
        return GainView(
            f"{holder.name}'s {broken(change.item, change.by or 0, change.stands)}", stands=list(change.stands)
        )
    if section and section.look == "boxes" and change.by:
        return GainView(f"{change.item}, box {abs(change.by)} {'crossed' if change.by > 0 else 'clear'}", whose)
    if change.by is not None and change.holder == TABLE and section and section.names:
        return GainView(f"{section.title} {signed(change.by)}")
    if change.by is not None:
        one = section.one if section and abs(change.by) == 1 else ""
        return GainView(f"{signed(change.by)} {one or change.item}", whose, change.by < 0)
    if section and (answered := section.answered(change.item, change.to)):
        return GainView(answered, whose)
    dice = change.to.get("dice") if isinstance(change.to, dict) else None
    return GainView(f"{change.item}, {dice} {'die' if dice == 1 else 'dice'}" if dice else change.item, whose)


def pairs_of(dice: list[DieView]) -> list[PairView]:
    """The ladder of two sides in throws of one name: from the highest down, up to the first pair that differs."""
    ours = [n for n, die in enumerate(dice) if die.side == "ours"]
    theirs = [n for n, die in enumerate(dice) if die.side == "theirs"] if ours else []
    if not theirs or {dice[n].throw for n in ours} != {dice[n].throw for n in theirs}:
        return []
    found: list[PairView] = []
    for mine, other in zip(_highest_first(dice, ours), _highest_first(dice, theirs), strict=False):
        one, two = dice[mine].face, dice[other].face
        found.append(PairView(mine, other, "=" if one == two else ">" if one > two else "<"))
        if one != two:
            break
    return found


def _highest_first(dice: list[DieView], places: list[int]) -> list[int]:
    return sorted(places, key=lambda n: -dice[n].face)
