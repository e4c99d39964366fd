"""The changes of a Razorweave roll on the sheets (RW-8 to RW-14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from astragal.author import Change, Effect, Holder, Item, Note, Participants, Reach, changed
from astragal.games.razorweave.names import is_whose, item_name, same_words
from astragal.games.razorweave.oracle_table import keep_answers, use_up
from astragal.games.razorweave.rules import because, cited, note, noted, say
from astragal.games.razorweave.sheet import RESOLVE
from astragal.games.razorweave.tiers import used_up

Written: TypeAlias = Iterable[Change | Note]


def apply(kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change | Note]:
    """Clocks ticked, the consequences of a Strike carried out, what was tried, and the oracle's answers."""
    if kind == "oracle":
        yield from keep_answers(participants, ask, effects) if effects else ()
    elif kind == "race":
        yield from _raced(participants, ask, effects) if effects else ()
    else:
        for effect in effects:
            yield from _written(effect, participants, ask)
        yield from _full_at_once(participants, effects)


def _written(effect: Effect, participants: Participants, ask: Any) -> Written:
    """What one effect writes, by its word; stored rolls have these words."""
    if effect.who == "table" and effect.what != "oracle":
        return _ticked(participants, effect.name, effect.by, f"RW-11.ticks_{effect.what}")
    if effect.what == "threat":
        return _threatened(participants, ask.threat, effect)
    return WRITES[effect.what](effect, participants) if effect.what in WRITES else ()


def uses_up(kind: str, ask: Any, participants: Participants) -> Iterator[Change]:
    """What was set up for those who roll; a Check that needs no dice leaves it there (RW-12)."""
    if kind not in ("check", "split") or not ask.prepared or (kind == "check" and not ask.needed):
        return
    scene = participants.scene
    for effect in used_up(ask.prepared, several=kind == "split"):
        if effect.name in scene.items("positions"):
            yield Change(scene.id, "positions", effect.name, **because("RW-12.used"))


# Clocks (RW-10, RW-11).


def only_clock(participants: Participants, kind: str) -> str | None:
    """The Clock that is meant when there is one of its kind and no more."""
    clocks = [name for name, item in participants.table.items("clocks").items() if item["kind"] == kind]
    return clocks[0] if len(clocks) == 1 else None


def segments_left(item: Item) -> int:
    """The segments of a Clock that are not filled; none where there is no Clock."""
    return int(item["segments"]) - int(item["filled"]) if item else 0


def is_down(who: Holder) -> bool:
    """True if the Resolve Clock is full (RW-9)."""
    clock = who.item("resolve", RESOLVE)
    return bool(clock) and segments_left(clock) <= 0


class Racing(NamedTuple):
    """A goal Clock and a threat Clock that race, and the segments that each has left."""

    goal: str
    threat: str
    goal_left: int
    threat_left: int


def racing(participants: Participants) -> Racing | None:
    """The one pair of Clocks that races and is not decided yet; with more than one, it is unclear which is meant."""
    clocks = participants.table.items("clocks").items()
    # A roll shows what it reads, so a Clock that is hidden from some is not read.
    known = [(name, item) for name, item in clocks if segments_left(item) and item.get("seen", "all") == "all"]
    pairs = [
        Racing(goal, threat, segments_left(one), segments_left(other))
        for (goal, one), (threat, other) in product(known, repeat=2)
        if (one["kind"], other["kind"]) == ("goal", "threat") and (one["against"] == threat or other["against"] == goal)
    ]
    return pairs[0] if len(pairs) == 1 else None


def _ticked(participants: Participants, clock: str, n: int, key: str) -> Iterator[Change | Note]:
    """The tick of a Clock; a full Clock stays full (RW-10), and a missing one is named in a note."""
    return changed(Effect("clocks", "table", n, clock, **because(key)), participants)


def fills(participants: Participants, clock: str, n: int) -> bool:
    """True if n ticks fill a Clock that is not full."""
    return 0 < segments_left(participants.table.item("clocks", clock)) <= n


def _full_at_once(participants: Participants, effects: Sequence[Effect]) -> Iterator[Note]:
    """Two racing Clocks that one roll fills: neither was first (RW-11)."""
    pair, ticks = racing(participants), Counter[str | None]()
    for effect in effects:
        if effect.who == "table":
            ticks[participants.table.find("clocks", effect.name)] += effect.by
    if pair and all(fills(participants, clock, ticks[clock]) for clock in (pair.goal, pair.threat)):
        yield _undecided(pair)


def _raced(participants: Participants, ask: Any, effects: Sequence[Effect]) -> Iterator[Change | Note]:
    """A race that was rolled to its end moves the two Clocks that it was about (RW-11)."""
    pair = racing(participants)
    if pair is None or (ask.goal, ask.threat) != (pair.goal_left, pair.threat_left):
        return
    clocks = {"goal": (pair.goal, ask.goal), "threat": (pair.threat, ask.threat)}
    for effect in effects:
        yield from _ticked(participants, clocks[effect.what][0], effect.by, "RW-11.race")
    if sum(effect.by == clocks[effect.what][1] for effect in effects) == 2:
        yield _undecided(pair)


def _undecided(pair: Racing) -> Note:
    return note("RW-11.undecided", goal=pair.goal, threat=pair.threat)


# Strikes (RW-8, RW-9).


def _struck(effect: Effect, participants: Participants) -> Iterator[Change | Note]:
    """The target's Resolve: on its sheet, or a Resolve Clock of the table (RW-8)."""
    target, ticks = participants.target, effect.by
    clock = participants.table.find("clocks", effect.name) or only_clock(participants, "resolve")
    if target and is_down(target):
        yield note("RW-10.was_down", name=target.name)
    elif target:
        why = because("RW-8.strikes", name=target.name)
        yield Change(target.id, "resolve", RESOLVE, "filled", ticks, **why)
        yield from noted(segments_left(target.item("resolve", RESOLVE)) <= ticks, "RW-9.full", name=target.name)
    elif clock:
        yield from _ticked(participants, clock, ticks, "RW-8.strike")
        yield from noted(fills(participants, clock, ticks), "RW-9.full_clock", name=clock)
    else:
        yield note("RW-8.owed", n=ticks)


def follows(before: Holder, after: Holder) -> Written:
    """A character whose Resolve is filled by hand is down, which a note says by name (RW-9)."""
    was, left = (segments_left(holder.item("resolve", RESOLVE)) for holder in (before, after))
    return noted(was > 0 >= left, "RW-9.full", name=after.name)


def _threatened(participants: Participants, named: str | None, effect: Effect) -> Written:
    """The threat that was named, or the only one that there is; never another in its place (RW-9)."""
    clock = effect.name or named or only_clock(participants, "threat")
    return _ticked(participants, clock, effect.by, "RW-9.grows") if clock else (note("RW-9.no_threat"),)


def _afflicted(effect: Effect, participants: Participants) -> Written:
    """A Condition of the target, which is not gained twice."""
    target, name = participants.target, item_name(effect.name)
    if target is None:
        return (note("RW-9.no_target", name=name),)
    if name in target.items("conditions"):
        return (note("RW-9.has_it", name=target.name, condition=name),)
    return changed(Effect("conditions", "target", 1, name, to={}, **because("RW-9.afflicts")), participants)


def _troubled(effect: Effect, participants: Participants) -> Iterator[Change | Note]:
    """A note that names the trouble, and the Tag that keeps it."""
    what, rule = cited(f"RW-9.trouble_{effect.what}")
    yield Note(f"{what}: {effect.name}." if effect.name else f"{what}.", rule)
    tag = Effect("tags", "scene", 1, effect.name or what, to={"note": what}, **because("RW-9.goes_wrong"))
    yield from changed(tag, participants)


def _placed(effect: Effect, participants: Participants) -> Written:
    """Position for one side, or the target's next reaction denied."""
    holder = participants.holder(effect.who)
    name = holder.name if holder else say("RW-9.striker" if effect.what == "advance" else "RW-9.target")
    kind = "denied" if effect.what == "deny" else "position"
    item = {"kind": kind, "whose": holder.name if holder else None, "note": effect.name or None}
    place, why = say(f"RW-9.place_{kind}", name=name), because("RW-9.cause")
    return changed(Effect("positions", "scene", 1, place, to=item, **why), participants)


# Set Ups and retries (RW-12, RW-13).


def _set_up(effect: Effect, participants: Participants) -> Written:
    """Edge for the one who is named, on their next action (RW-12)."""
    item, by = {"kind": "set-up", "whose": effect.name, "size": effect.by}, participants.roller
    name = say("RW-12.set_up_by" if by else "RW-12.set_up", name=by and by.name, whom=effect.name)
    why = because("RW-12.next", name=effect.name)
    return changed(Effect("positions", "scene", 1, name, to=item, **why), participants)


def _remembered(effect: Effect, participants: Participants) -> Written:
    """What fails is remembered for a retry, and forgotten once it succeeds (RW-13)."""
    roller, before = participants.roller, tried_before(participants, effect.name)
    if roller and effect.by > 0 and before is None:
        item, name = {"whose": roller.name, "intent": effect.name}, f"{roller.name}, {effect.name}"
        return changed(Effect("tried", "scene", 1, name, to=item, **because("RW-13.needs")), participants)
    if effect.by < 0 and before is not None:
        return (Change(participants.scene.id, "tried", before, **because("RW-13.worked")),)
    return ()


WRITES: dict[str, Callable[[Effect, Participants], Written]] = {
    "oracle": use_up,
    "resolve": _struck,
    "condition": _afflicted,
    **dict.fromkeys(("surroundings", "major"), _troubled),
    **dict.fromkeys(("position", "advance", "deny"), _placed),
    "positions": changed,
    "set_up": _set_up,
    "tried": _remembered,
}


def tried_before(participants: Participants, intent: str | None) -> str | None:
    """What the roller tried in vain in this scene with the same intent, however it was written (RW-13)."""
    if not intent or not participants.roller:
        return None
    for name, item in participants.scene.items("tried").items():
        if is_whose(item, participants.roller) and same_words(item["intent"] or "", intent):
            return name
    return None


def luck(kind: str, value: Any) -> int | None:
    """The sum of the kept dice; the oracle's answers are no matter of luck."""
    return value.total if isinstance(value, Reach) else None
