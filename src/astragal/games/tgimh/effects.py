"""The changes of a TGIMH roll on the sheets (TG-6, TG-9 to TG-12, TG-14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from astragal.author import Change, Effect, Holder, Note, Participants, Role, capital, changed, free_name
from astragal.games.tgimh.offers import find_condition
from astragal.games.tgimh.opposed import Lead, Met
from astragal.games.tgimh.rules import because, noted, say
from astragal.games.tgimh.sheet import OUT, POWER, TRACK, kept_name


def apply(kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change | Note]:
    """Each effect goes by its path, but a Condition that is eased and what a side without a sheet bears."""
    borne: dict[str, list[Effect]] = {"roller": [], "target": []}
    for effect in effects:
        if kind == "recovery" and effect.what == "conditions":
            yield from _eased(participants, ask.dice + effect.by == 0, effect)
        elif effect.who in borne and effect.what != "will" and participants.holder(effect.who) is None:
            borne[effect.who].append(effect)
        else:
            yield from changed(effect, participants)
    for role, name in (("roller", participants.roller_name), ("target", participants.target_name)):
        if borne[role]:
            yield from _kept(participants, name, borne[role])


def _kept(participants: Participants, name: str, effects: Sequence[Effect]) -> Iterator[Change | Note]:
    """Changes for a side without a sheet, kept in the scene under the name that the GM gave it (TG-2)."""
    if not name:
        yield from (Note(say("TG-2.bears", what=_bears(effect)), effect.rule) for effect in effects)
        return
    scene, kept, who = participants.scene, kept_name(name), capital(name)
    track = {"crossed": [], "length": participants.options.get("track", TRACK), "out": False}
    now = {**track, **scene.item("others", kept)}
    boxes = [effect.by for effect in effects if effect.what == "power"]
    out = any(effect.what == "out" for effect in effects)
    if boxes or out:
        after = {**now, "crossed": sorted({*now["crossed"], *boxes}), "out": now["out"] or out}
        cause = say("TG-12.is_out", who=who) if out else say("TG-10.crosses", who=who, box=boxes[0])
        yield Change(scene.id, "others", kept, to=after, cause=cause, rule=effects[0].rule)
    for effect in effects:
        if effect.what == "conditions":
            item = {"dice": effect.to["dice"], "whose": name, "note": None}
            injury = free_name(effect.name, scene.items("conditions"), "Condition")
            yield Change(scene.id, "conditions", injury, to=item, cause=say("TG-10.hurt", who=who), rule=effect.rule)


def _bears(effect: Effect) -> str:
    if effect.what == "conditions":
        return say("TG-2.bears_injury", name=effect.name, n=effect.to["dice"])
    return say("TG-2.bears_box", box=effect.by) if effect.what == "power" else say("TG-2.bears_out")


def _eased(participants: Participants, gone: bool, effect: Effect) -> Iterator[Change | Note]:
    """Dice come off the Condition; without any left it is gone (TG-14)."""
    condition, why = find_condition(participants, effect.name), because("TG-14.care", who=participants.called("roller"))
    if condition:
        change = Change(condition.holder, "conditions", condition.name, **why)
        yield change if gone else change._replace(field="dice", by=effect.by)
    yield from noted(not condition, "TG-14.no_sheet", name=effect.name)


def follows(before: Holder, after: Holder) -> Iterator[Change]:
    """A character whose last box is crossed by hand is out of the scene, and back if it is cleared (TG-12)."""
    was, crossed = (_last_is_crossed(holder) for holder in (before, after))
    if was != crossed and after.value("out", OUT, "out", False) != crossed:
        why = because("TG-12.crossed" if crossed else "TG-12.clear")
        yield Change(after.id, "out", OUT, "out", to=crossed, **why)


def _last_is_crossed(holder: Holder) -> bool:
    power = holder.item("power", POWER)
    return bool(power) and power["length"] in power["crossed"]


def decides(kind: str, by: str, result: Any) -> Role:
    """The winner makes a Condition (TG-9) and the loser bears the loss (TG-10), whichever side that is."""
    return "roller" if (result.winner == "ours") == (by == "winner") else "target"


def luck(kind: str, value: Any) -> int | None:
    """The successes of the side that throws, below 0 where the other side has them.

    Where each side throws its own dice, the second throw decides, and it is theirs.
    """
    if isinstance(value, Met):
        return -value.lead.signed
    return value.signed if isinstance(value, Lead) else None
