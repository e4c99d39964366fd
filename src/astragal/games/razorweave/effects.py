"""What a Razorweave roll changes on the sheets (RW-8 to RW-14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from astragal.author import Change, Effect, Holder, Item, Note, Participants, Reach, Reason, changed
from astragal.games.razorweave.names import is_whose, item_name, same_words
from astragal.games.razorweave.oracle_table import keep_answers, use_up
from astragal.games.razorweave.rules import because, cited, say
from astragal.games.razorweave.sheet import RESOLVE
from astragal.games.razorweave.tiers import used_up

Path: TypeAlias = tuple[str, str]
"""A role, and a section of that one's sheet."""
POSITIONS = ("scene", "positions")


def apply(kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change | Note]:
    """Clocks ticked, the consequences of a Strike carried out, what was tried, and the oracle's answers."""
    if kind == "oracle":
        yield from keep_answers(participants, ask, effects) if effects else ()
    elif kind == "race":
        yield from _raced(participants, ask, effects) if effects else ()
    else:
        for effect in effects:
            yield from _applied(participants, ask, effect)
        yield from _full_at_once(participants, effects)


def _applied(participants: Participants, ask: Any, effect: Effect) -> Iterator[Change | Note]:
    what = effect.what
    if what == "oracle":
        yield from use_up(participants, effect)
    elif effect.who == "table":
        yield from _ticked(participants, effect.name, effect.by, f"RW-11.ticks_{what}")
    elif what == "resolve":
        yield from _struck(participants, effect.name, effect.by)
    elif what == "condition":
        yield from _afflicted(participants, effect)
    elif what == "threat":
        yield from _threatened(participants, ask.threat, effect)
    elif what in ("surroundings", "major"):
        yield from _troubled(participants, effect)
    elif what == "positions":
        yield from changed(effect, participants)
    elif what in ("position", "advance", "deny"):
        yield from _placed(participants, effect)
    elif what == "set_up":
        yield from _set_up(participants, effect)
    elif what == "tried":
        yield from _remembered(participants, effect)


def _put(participants: Participants, path: Path, name: str, why: Reason, **item: Any) -> Iterator[Change | Note]:
    """Put something new on a sheet, under a name of its own; what is not said of it is as usual."""
    who, section = path
    return changed(Effect(section, who, 1, name, to=item, **why), participants)


def uses_up(kind: str, ask: Any, participants: Participants) -> Iterator[Change]:
    """What was set up for those who roll; a Check that needs no dice leaves it there (RW-12)."""
    if kind not in ("check", "split") or not ask.prepared or (kind == "check" and not ask.needed):
        return
    scene = participants.scene
    for effect in used_up(ask.prepared, several=kind == "split"):
        if effect.name in scene.items("positions"):
            yield Change(scene.id, "positions", effect.name, **because("RW-12.used"))


# Clocks (RW-10, RW-11).


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


def _ticked(participants: Participants, clock: str, n: int, key: str) -> Iterator[Change | Note]:
    """A Clock ticked; one that was full already stays so (RW-10), and one that is not there is told."""
    return changed(Effect("clocks", "table", n, clock, **because(key)), participants)


def fills(participants: Participants, clock: str, n: int) -> bool:
    """True if so many ticks fill a Clock that is not full."""
    return 0 < segments_left(participants.table.item("clocks", clock)) <= n


def _full_at_once(participants: Participants, effects: Sequence[Effect]) -> Iterator[Note]:
    """Two racing Clocks that one roll fills: neither was first (RW-11)."""
    ticks: dict[str | None, int] = {}
    for effect in effects:
        if effect.who == "table":
            clock = clock_named(participants, effect.name)
            ticks[clock] = ticks.get(clock, 0) + effect.by
    pair = racing(participants)
    if pair and all(fills(participants, clock, ticks.get(clock, 0)) for clock in (pair.goal, pair.threat)):
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
    return Note(*cited("RW-11.undecided", goal=pair.goal, threat=pair.threat))


# Strikes (RW-8, RW-9).


def _struck(participants: Participants, named: str, ticks: int) -> Iterator[Change | Note]:
    """The target's Resolve: on its sheet, or a Resolve Clock of the table (RW-8)."""
    target = participants.target
    clock = clock_named(participants, named) or only_clock(participants, "resolve")
    if target:
        left = segments_left(target.item("resolve", RESOLVE))
        if left <= 0:
            yield Note(*cited("RW-10.was_down", name=target.name))
            return
        why = because("RW-8.strikes", name=target.name)
        yield Change(target.id, "resolve", RESOLVE, "filled", ticks, **why)
        if left <= ticks:
            yield _down(target)
    elif clock:
        yield from _ticked(participants, clock, ticks, "RW-8.strike")
        if fills(participants, clock, ticks):
            yield Note(*cited("RW-9.full_clock", name=clock))
    else:
        yield Note(*cited("RW-8.owed", n=ticks))


def _down(who: Holder) -> Note:
    return Note(*cited("RW-9.full", name=who.name))


def follows(before: Holder, after: Holder) -> Iterator[Note]:
    """Whoever's Resolve is filled by hand is down, which is told by name (RW-9)."""
    if segments_left(before.item("resolve", RESOLVE)) > 0 >= segments_left(after.item("resolve", RESOLVE)):
        yield _down(after)


def _threatened(participants: Participants, named: str | None, effect: Effect) -> Iterator[Change | Note]:
    """The threat that was named, or the only one that there is; never another in its place (RW-9)."""
    clock = effect.name or named or only_clock(participants, "threat")
    if clock:
        yield from _ticked(participants, clock, effect.by, "RW-9.grows")
    else:
        yield Note(*cited("RW-9.no_threat"))


def _afflicted(participants: Participants, effect: Effect) -> Iterator[Change | Note]:
    """A Condition of the target, which is not gained twice."""
    target, name = participants.target, item_name(effect.name)
    if target is None:
        yield Note(*cited("RW-9.no_target", name=name))
    elif name in target.items("conditions"):
        yield Note(*cited("RW-9.has_it", name=target.name, condition=name))
    else:
        yield from _put(participants, ("target", "conditions"), name, because("RW-9.afflicts"))


def _troubled(participants: Participants, effect: Effect) -> Iterator[Change | Note]:
    """Trouble is told, and stays as a Tag."""
    what, rule = cited(f"RW-9.trouble_{effect.what}")
    yield Note(f"{what}: {effect.name}." if effect.name else f"{what}.", rule)
    yield from _put(participants, ("scene", "tags"), effect.name or what, because("RW-9.goes_wrong"), note=what)


def _placed(participants: Participants, effect: Effect) -> Iterator[Change | Note]:
    """Position for one side, or the target's next reaction denied."""
    holder = participants.holder(effect.who)
    name = holder.name if holder else say("RW-9.striker" if effect.what == "advance" else "RW-9.target")
    kind = "denied" if effect.what == "deny" else "position"
    item = {"kind": kind, "whose": holder.name if holder else None, "note": effect.name or None}
    return _put(participants, POSITIONS, say(f"RW-9.place_{kind}", name=name), because("RW-9.cause"), **item)


# Set Ups and retries (RW-12, RW-13).


def _set_up(participants: Participants, effect: Effect) -> Iterator[Change | Note]:
    """Edge for the one who is named, on their next action (RW-12)."""
    item, by = {"kind": "set-up", "whose": effect.name, "size": effect.by}, participants.roller
    name = say("RW-12.set_up_by" if by else "RW-12.set_up", name=by and by.name, whom=effect.name)
    return _put(participants, POSITIONS, name, because("RW-12.next", name=effect.name), **item)


def _remembered(participants: Participants, effect: Effect) -> Iterator[Change | Note]:
    """What fails is remembered for a retry, and forgotten once it succeeds (RW-13)."""
    roller, before = participants.roller, tried_before(participants, effect.name)
    if roller and effect.by > 0 and before is None:
        item, name = {"whose": roller.name, "intent": effect.name}, f"{roller.name}, {effect.name}"
        yield from _put(participants, ("scene", "tried"), name, because("RW-13.needs"), **item)
    elif effect.by < 0 and before is not None:
        yield Change(participants.scene.id, "tried", before, **because("RW-13.worked"))


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
