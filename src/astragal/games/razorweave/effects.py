"""What a Razorweave roll changes on the sheets (RW-8, RW-9, RW-11, RW-13, RW-14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from astragal.author import Change, Effect, Holder, Item, Note, Participants, Reach, changed, counted
from astragal.games.razorweave.names import free_name, is_whose, item_name, same_words
from astragal.games.razorweave.oracle_table import keep_answers, use_up
from astragal.games.razorweave.sheet import OPEN, RESOLVE
from astragal.games.razorweave.tiers import used_up


class Racing(NamedTuple):
    """A goal Clock and a threat Clock that race, and the segments that each has left."""

    goal: str
    threat: str
    goal_left: int
    threat_left: int


def clocks_of_kind(participants: Participants, kind: str) -> list[str]:
    """The names of the table's Clocks of a kind."""
    return [name for name, item in participants.table.items("clocks").items() if item["kind"] == kind]


def clock_named(participants: Participants, name: str | None) -> str | None:
    """The Clock with this name, however somebody wrote it."""
    wanted = (name or "").strip().lower()
    return next((clock for clock in participants.table.items("clocks") if clock.lower() == wanted), None)


def only_clock(participants: Participants, kind: str) -> str | None:
    """The Clock that is meant when there is one of its kind and no more."""
    clocks = clocks_of_kind(participants, kind)
    return clocks[0] if len(clocks) == 1 else None


def segments_left(item: Item) -> int:
    """The segments of a Clock that are not filled; none where there is no Clock."""
    return int(item["segments"]) - int(item["filled"]) if item else 0


def racing(participants: Participants) -> Racing | None:
    """The one pair of Clocks that races and is not decided yet; with more than one, nobody can tell which is meant."""
    pairs = list(_races(participants))
    return pairs[0] if len(pairs) == 1 else None


def _races(participants: Participants) -> Iterator[Racing]:
    clocks = participants.table.items("clocks")
    for goal in clocks_of_kind(participants, "goal"):
        for threat in clocks_of_kind(participants, "threat"):
            one, other = clocks[goal], clocks[threat]
            linked = one["against"] == threat or other["against"] == goal
            # A roll shows what it reads, so a Clock that is not for everybody's eyes is not read.
            if linked and all(segments_left(clock) and clock.get("seen", "all") == "all" for clock in (one, other)):
                yield Racing(goal, threat, segments_left(one), segments_left(other))


def tick(participants: Participants, clock: str, n: int, cause: str, rule: str) -> Change:
    """The change that ticks one of the table's Clocks."""
    return Change(participants.table.id, "clocks", clock, "filled", n, cause=cause, rule=rule)


def fills(participants: Participants, clock: str, n: int) -> bool:
    """Whether so many ticks fill a Clock that is not full."""
    return 0 < segments_left(participants.table.item("clocks", clock)) <= n


def apply(kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change | Note]:
    """Clocks ticked, the consequences of a Strike carried out, what was tried, and the oracle's answers."""
    if kind == "oracle":
        yield from keep_answers(participants, ask, effects) if effects else ()
    elif kind == "race":
        yield from _race(participants, ask, effects) if effects else ()
    else:
        for effect in effects:
            yield from _applied(participants, ask, effect)
        yield from _full_at_once(participants, effects)
        yield from _remembered(participants, effects)


def _applied(participants: Participants, ask: Any, effect: Effect) -> Iterator[Change | Note]:
    if effect.what == "oracle":
        yield from use_up(participants, effect)
    elif effect.who == "table":
        yield from _ticked(participants, effect)
    elif effect.what == "resolve":
        yield from _struck(participants, effect.name, effect.by)
    elif effect.what == "condition":
        yield from _afflicted(participants.target, effect)
    elif effect.what == "threat":
        yield from _threatened(participants, ask.threat, effect)
    elif effect.what in ("surroundings", "major"):
        yield from _troubled(participants.scene, effect)
    elif effect.what == "positions":
        yield from changed(effect, participants)
    elif effect.what in ("position", "advance", "deny"):
        yield _placed(participants, effect)
    elif effect.what == "set_up":
        yield _set_up(participants, effect)


def uses_up(kind: str, ask: Any, participants: Participants) -> Iterator[Change]:
    """What was set up for those who roll; a Check that needs no dice leaves it there (RW-12)."""
    if kind not in ("check", "split") or not ask.prepared or (kind == "check" and not ask.needed):
        return
    scene = participants.scene
    for effect in used_up(ask.prepared, several=kind == "split"):
        if effect.name in scene.items("positions"):
            yield Change(scene.id, "positions", effect.name, cause="What was set up is used", rule=effect.rule)


# Clocks.


def _ticked(participants: Participants, effect: Effect) -> Iterator[Change | Note]:
    """A Clock that the roll names (RW-11)."""
    return _advanced(participants, effect.name, effect.by, f"The Check ticks the {effect.what}", "RW-11")


def _advanced(participants: Participants, clock: str, n: int, cause: str, rule: str) -> Iterator[Change | Note]:
    """A Clock ticked; one that was full already stays so (RW-10), and one that is not there is told."""
    return changed(Effect("clocks", "table", n, clock, rule, cause=cause), participants)


def _full_at_once(participants: Participants, effects: Sequence[Effect]) -> Iterator[Note]:
    """Two racing Clocks that one roll fills: neither was first (RW-11)."""
    ticks: dict[str, int] = {}
    for effect in effects:
        clock = clock_named(participants, effect.name) if effect.who == "table" else None
        if clock:
            ticks[clock] = ticks.get(clock, 0) + effect.by
    pair = racing(participants)
    if pair and all(fills(participants, clock, ticks.get(clock, 0)) for clock in (pair.goal, pair.threat)):
        yield Note(f'"{pair.goal}" and "{pair.threat}" are full at once: neither decides the race.', "RW-11")


def _struck(participants: Participants, named: str | None, ticks: int) -> Iterator[Change | Note]:
    """The target's Resolve: on its sheet, or a Resolve Clock of the table (RW-8)."""
    clock = clock_named(participants, named) or only_clock(participants, "resolve")
    if participants.target:
        cause = f"A Strike on {participants.target.name}"
        if segments_left(participants.target.item("resolve", RESOLVE)) <= 0:
            yield Note(f"{participants.target.name} was down already: the Resolve Clock is full.", "RW-10")
            return
        yield Change(participants.target.id, "resolve", RESOLVE, "filled", ticks, cause=cause, rule="RW-8")
        if 0 < segments_left(participants.target.item("resolve", RESOLVE)) <= ticks:
            yield _down(participants.target)
    elif clock:
        yield from _advanced(participants, clock, ticks, "A Strike", "RW-8")
        if fills(participants, clock, ticks):
            yield Note(f"{clock} is full: whoever it stands for is down.", "RW-9")
    else:
        owed = counted(ticks, "tick")
        yield Note(f"The target has no sheet here: {owed} on its Resolve for the GM to remember.", "RW-8")


def _down(who: Holder) -> Note:
    return Note(f"{who.name} is down: the Resolve Clock is full.", "RW-9")


def _threatened(participants: Participants, named: str | None, effect: Effect) -> Iterator[Change | Note]:
    """The threat that was named, or the only one that there is; never another in its place (RW-9)."""
    clock = effect.name or named or only_clock(participants, "threat")
    if clock:
        yield from _advanced(participants, clock, effect.by, "The Strike lets a threat grow", "RW-9")
    else:
        yield Note("A threat Clock goes up by 1: the GM ticks one.", "RW-9")


def _race(participants: Participants, ask: Any, effects: Sequence[Effect]) -> Iterator[Change | Note]:
    """A race that was rolled to its end moves the two Clocks that it was about (RW-11)."""
    pair = racing(participants)
    if pair is None or (ask.goal, ask.threat) != (pair.goal_left, pair.threat_left):
        return
    clocks = {"goal": (pair.goal, ask.goal), "threat": (pair.threat, ask.threat)}
    for effect in effects:
        yield tick(participants, clocks[effect.what][0], effect.by, "The race", "RW-11")
    if sum(effect.by == clocks[effect.what][1] for effect in effects) == 2:
        yield Note(f'"{pair.goal}" and "{pair.threat}" are full at once: neither decides the race.', "RW-11")


# What else follows a Strike.


def _afflicted(target: Holder | None, effect: Effect) -> Iterator[Change | Note]:
    name = item_name(effect.name)
    if target is None:
        yield Note(f"The target has no sheet here: it is {name} for the GM to remember.", "RW-9")
    elif name in target.items("conditions"):
        yield Note(f"{target.name} is {name} already.", "RW-9")
    else:
        item = {"note": None, "counts": "burden", "size": 1}
        yield Change(target.id, "conditions", name, to=item, cause="A devastating Strike", rule="RW-9")


def _troubled(scene: Holder, effect: Effect) -> Iterator[Change | Note]:
    """Trouble is told, and stays as a Tag."""
    what = "The surroundings make trouble" if effect.what == "surroundings" else "A major consequence"
    tag = free_name(effect.name or what, scene.items("tags"))
    yield Note(f"{what}: {effect.name}." if effect.name else f"{what}.", "RW-9")
    item = {"note": what, "counts": OPEN, "size": 1}
    yield Change(scene.id, "tags", tag, to=item, cause="The Strike goes wrong", rule="RW-9")


def _placed(participants: Participants, effect: Effect) -> Change:
    """Position for one side, or the target's next reaction denied."""
    holder = participants.holder(effect.who)
    name = holder.name if holder else "The striker" if effect.what == "advance" else "The target"
    kind, what = ("denied", "no reaction") if effect.what == "deny" else ("position", "position")
    item = {"kind": kind, "whose": holder.name if holder else None, "size": 1, "note": effect.name or None}
    place = free_name(f"{name}, {what}", participants.scene.items("positions"))
    return Change(participants.scene.id, "positions", place, to=item, cause="The Strike", rule="RW-9")


def _set_up(participants: Participants, effect: Effect) -> Change:
    """Edge for the one who is named, on their next action (RW-12)."""
    by = f"{participants.roller.name}'s set-up" if participants.roller else "The set-up"
    item = {"kind": "set-up", "whose": effect.name, "size": effect.by, "note": None}
    place = free_name(f"{by} for {effect.name}", participants.scene.items("positions"))
    cause = f"{effect.name} has Edge on their next action"
    return Change(participants.scene.id, "positions", place, to=item, cause=cause, rule=effect.rule)


# What was tried.


def _remembered(participants: Participants, effects: Sequence[Effect]) -> Iterator[Change]:
    """What fails is remembered for a retry, and forgotten once it succeeds (RW-13)."""
    for effect in effects:
        if effect.what != "tried" or participants.roller is None:
            continue
        before = tried_before(participants, effect.name)
        if effect.by > 0 and before is None:
            name = free_name(f"{participants.roller.name}, {effect.name}", participants.scene.items("tried"))
            item = {"whose": participants.roller.name, "intent": effect.name}
            cause = "A retry needs a change"
            yield Change(participants.scene.id, "tried", name, to=item, cause=cause, rule=effect.rule)
        elif effect.by < 0 and before is not None:
            yield Change(participants.scene.id, "tried", before, cause="It worked", rule=effect.rule)


def tried_before(participants: Participants, intent: str | None) -> str | None:
    """What the roller tried in vain in this scene with the same intent, however it was written (RW-13)."""
    if not intent or not participants.roller:
        return None
    for name, item in participants.scene.items("tried").items():
        if is_whose(item, participants.roller) and same_words(item["intent"] or "", intent):
            return name
    return None


def follows(before: Holder, after: Holder) -> Iterator[Note]:
    """Whoever's Resolve is filled by hand is down, which is told by name (RW-9)."""
    if segments_left(before.item("resolve", RESOLVE)) > 0 >= segments_left(after.item("resolve", RESOLVE)):
        yield _down(after)


def luck(kind: str, value: Any) -> int | None:
    """The sum of the kept dice; the oracle's answers are no matter of luck."""
    return value.total if isinstance(value, Reach) else None
