"""Between scenes: Refreshment, the GM's openings, and a fresh start (TG-8, TG-12, TG-15)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from astragal.author import Change, Holder, Note, Options, Participants, Unknown, free_name, move, named, words
from astragal.games.tgimh import growth
from astragal.games.tgimh.rules import TEXTS, because, note, refuse
from astragal.games.tgimh.sheet import OUT, POWER, START_WILL, TRACK, WILL


@move(TEXTS, "TG-15", against=True, nameless=True, settled=True)
def refresh(
    participants: Participants,
    how: str | None = words(default=None, rule="TG-15", told="{}"),
    company: str | None = words(default=None, rule="TG-15"),
    ends: tuple[tuple[str, str], ...] = named(
        ("ends", "stays"), default=(), rule="TG-15", boxes=("conditions", "transient")
    ),
) -> Iterator[Change | Note]:
    """Never inside a scene, and never alone; it clears, it restores, and it gives the GM an opening (TG-15)."""
    who, target = participants.acting, participants.target
    refuse(participants.in_scene, "TG-15.in_scene")
    other = target.name if target else company
    alone = other is None or other.lower() == who.name.lower() or (target and target.id == who.id)
    refuse(alone, "TG-15.alone")
    ended = _ended(dict(ends), who, participants.scene)
    yield from refreshed(who)
    for holder, name in ended:
        yield Change(holder.id, "conditions", name, **because("TG-15.cause", name=who.name))
    opening = free_name(f"{who.name} and {other}", participants.table.items("openings"))
    yield Change(participants.table.id, "openings", opening, to={"used": False, "note": how}, rule="TG-15")
    yield note("TG-15.opening", name=who.name, company=other)


def _ended(said: dict[str, str], who: Holder, scene: Holder) -> list[tuple[Holder, str]]:
    """The Conditions that end: the character's own unless they are lasting, none of the scene's; or as it is said."""
    own = {name: item["transient"] for name, item in who.items("conditions").items()}
    there = {**dict.fromkeys(scene.items("conditions"), scene), **dict.fromkeys(own, who)}
    ticked = {name for name, transient in own.items() if transient}
    for called, word in said.items():
        name = next((item for item in there if item.lower() == called.lower()), "")
        refuse(
            not name, "TG-15.no_condition" if there else "TG-15.no_conditions", Unknown, name=called[:40], there=there
        )
        ticked = ticked | {name} if word == "ends" else ticked - {name}
    return [(holder, name) for name, holder in there.items() if name in ticked]


def refreshed(who: Holder) -> Iterator[Change]:
    """The track is cleared; Will comes up to its start and never down to it."""
    why = because("TG-15.cause", name=who.name)
    if who.value("power", POWER, "crossed", ()):
        yield Change(who.id, "power", POWER, "crossed", to=[], **why)
    missing = who.value("will", WILL, "start") - who.value("will", WILL, "now")
    if missing > 0:
        yield Change(who.id, "will", WILL, "now", missing, **why)


@move(TEXTS, "TG-15", by="gm")
def use_opening(
    participants: Participants,
    opening: str = words(rule="TG-15"),
    how: str | None = words(default=None, rule="TG-15", told="{}"),
) -> Iterator[Change]:
    """An opening is used once (TG-15)."""
    table = participants.table
    opening = growth.named(table, "openings", opening, "opening", "TG-15")
    refuse(table.value("openings", opening, "used", False), "TG-15.used", name=opening)
    yield Change(table.id, "openings", opening, "used", to=True, **because("TG-15.takes_up"))


def begins(options: Options) -> dict[str, Any]:
    """Will and track as the table starts them (TG-8, TG-12)."""
    will, track = options.get("start_will", START_WILL), options.get("track", TRACK)
    return {"will": {WILL: {"now": will, "start": will}}, "power": {POWER: {"crossed": [], "length": track}}}


@move(TEXTS, "TG-8", by="gm")
def begin(participants: Participants) -> Iterator[Change]:
    """Give a character the table's starting Will and track (TG-8, TG-12)."""
    who = participants.acting
    for section, items in begins(participants.options).items():
        for name, item in items.items():
            yield Change(who.id, section, name, to=item, **because("TG-8.starts_over", name=who.name))


def _back(key: str, characters: tuple[Holder, ...], options: Options) -> Iterator[Change]:
    """Characters who were out are back when the scene is over; without a scene, when the next one opens (TG-12)."""
    for character in characters:
        if character.value("out", OUT, "out", False):
            yield Change(character.id, "out", OUT, "out", to=False, **because(key, name=character.name))


closes, opens = partial(_back, "TG-12.closes"), partial(_back, "TG-12.opens")
MOVES = (refresh, *growth.MOVES, use_opening, begin)
