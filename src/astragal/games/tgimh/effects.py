"""What a TGIMH roll changes on the sheets (TG-6, TG-9 to TG-12, TG-14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from astragal.author import Change, Effect, Holder, Note, Participants
from astragal.games.tgimh.offers import find_condition
from astragal.games.tgimh.opposed import Lead, Met
from astragal.games.tgimh.sheet import OUT, POWER, TRACK, WILL, free_name, kept_name
from astragal.games.tgimh.text import dice_count, start


def apply(kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change | Note]:
    """Will spent and gained, a Condition made or worn down, and what the loser bears."""
    for effect in effects:
        holder = participants.holder(effect.who)
        if effect.what == "will":
            yield from _will(holder, effect)
        elif kind == "recovery":
            yield from _eased(participants, ask.dice + effect.by == 0, effect)
        elif effect.who == "scene":
            yield _made(participants.scene, effect)
        elif holder is not None:
            yield from _borne(holder, effect)
    if kind == "contest":
        for role, name in (("roller", participants.roller_name), ("target", participants.target_name)):
            borne = [each for each in effects if each.who == role and each.what != "will"]
            if borne and participants.holder(role) is None:
                yield from _kept(participants, name, borne)


def _will(holder: Holder | None, effect: Effect) -> Iterator[Change]:
    """The user of an Aspect or Condition pays Will (TG-6); a holder against whom theirs is used gains it (TG-7)."""
    if holder:
        used = f"{holder.name} uses {effect.name}" if effect.by < 0 else f"{effect.name} is used against {holder.name}"
        yield Change(holder.id, "will", WILL, "now", effect.by, cause=used, rule=effect.rule)


def _made(scene: Holder, effect: Effect) -> Change:
    """The winner's Condition belongs to the scene (TG-9)."""
    name = free_name(effect.name, scene.items("conditions"))
    item = {"dice": effect.by, "whose": None, "note": None}
    return Change(scene.id, "conditions", name, to=item, cause=effect.cause, rule=effect.rule)


def _kept(participants: Participants, name: str, effects: Sequence[Effect]) -> Iterator[Change | Note]:
    """What a side without a sheet bears is kept in the scene, by the name that the GM gave it (TG-2)."""
    if not name:
        for effect in effects:
            yield Note(f"The other side bears {_bears(effect)}; with a name, the scene keeps it.", effect.rule)
        return
    scene, kept = participants.scene, kept_name(name)
    track = {"crossed": [], "length": participants.options.get("track", TRACK), "out": False}
    now = {**track, **(scene.item("others", kept) or {})}
    boxes = [effect.by for effect in effects if effect.what == "power"]
    out = any(effect.what == "out" for effect in effects)
    if boxes or out:
        after = {**now, "crossed": sorted({*now["crossed"], *boxes}), "out": now["out"] or out}
        cause = f"{start(name)} {'is out of the scene' if out else f'crosses box {boxes[0]}'}"
        yield Change(scene.id, "others", kept, to=after, cause=cause, rule=effects[0].rule)
    for effect in effects:
        if effect.what == "condition":
            item = {"dice": effect.by, "whose": name, "note": None}
            injury = free_name(effect.name, scene.items("conditions"))
            yield Change(scene.id, "conditions", injury, to=item, cause=f"{start(name)} is hurt", rule=effect.rule)


def _borne(loser: Holder, effect: Effect) -> Iterator[Change | Note]:
    """What the loser bears: a box, an Injury, being out (TG-10 to TG-12)."""
    if effect.what == "power":
        cause = f"{loser.name} crosses box {effect.by}"
        yield Change(loser.id, "power", POWER, "crossed", effect.by, cause=cause, rule=effect.rule)
    elif effect.what == "condition":
        yield _injured(loser, effect)
    else:
        cause = f"{loser.name} is out of the scene"
        yield Change(loser.id, "out", OUT, "out", to=True, cause=cause, rule=effect.rule)


def _bears(effect: Effect) -> str:
    if effect.what == "power":
        return f"box {effect.by} of the Power track"
    injury = f'the Injury "{effect.name}" with {dice_count(effect.by)}'
    return injury if effect.what == "condition" else "being out of the scene"


def _injured(loser: Holder, effect: Effect) -> Change:
    """Every Injury has a name of its own."""
    name = free_name(effect.name, loser.items("conditions"))
    item = {"dice": effect.by, "injury": True, "transient": True, "note": None}
    return Change(loser.id, "conditions", name, to=item, cause=f"{loser.name} is hurt", rule=effect.rule)


def _eased(participants: Participants, gone: bool, effect: Effect) -> Iterator[Change | Note]:
    """Dice come off the Condition; without any left it is gone (TG-14)."""
    condition = find_condition(participants, effect.name)
    if condition is None:
        yield Note(f'No sheet has a Condition "{effect.name}": nothing is written.', "TG-14")
    elif gone:
        yield Change(
            condition.holder.id, "conditions", condition.name, cause=f"{condition.label} is gone", rule="TG-14"
        )
    else:
        cause = f"{condition.label} wears off"
        yield Change(condition.holder.id, "conditions", condition.name, "dice", effect.by, cause=cause, rule="TG-14")


def follows(before: Holder, after: Holder) -> Iterator[Change]:
    """Whoever's last box is crossed by hand is out of the scene, and back if it is cleared by hand (TG-12)."""
    was, crossed = (_last_is_crossed(holder) for holder in (before, after))
    if was != crossed and after.value("out", OUT, "out", False) != crossed:
        cause = "The last box is crossed" if crossed else "The last box is clear again"
        yield Change(after.id, "out", OUT, "out", to=crossed, cause=cause, rule="TG-12")


def _last_is_crossed(holder: Holder) -> bool:
    power = holder.item("power", POWER)
    return bool(power) and power["length"] in power["crossed"]


def luck(kind: str, value: Any) -> int | None:
    """The successes of whoever throws, below 0 where the other side has them.

    Where each side throws its own dice, the second throw decides, and it is theirs.
    """
    if isinstance(value, Met):
        return -value.lead.signed
    return value.signed if isinstance(value, Lead) else None
