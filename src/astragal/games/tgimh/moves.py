"""Between scenes: Refreshment, the GM's openings, and a fresh start (TG-8, TG-12, TG-15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.author import (
    Ask,
    Change,
    Holder,
    Illegal,
    Move,
    Note,
    Options,
    Participants,
    Unknown,
    named,
    words,
)
from astragal.games.tgimh import growth
from astragal.games.tgimh.rules import TEXTS, because, cited
from astragal.games.tgimh.sheet import OUT, POWER, START_WILL, TRACK, WILL, free_name


class Refresh(Ask, texts=TEXTS.of("refresh")):
    """What the two of them do, and what it ends."""

    how: str | None = words(default=None, rule="TG-15", told="{}")
    company: str | None = words(default=None, rule="TG-15")
    ends: tuple[tuple[str, str], ...] = named(
        ("ends", "stays"), default=(), rule="TG-15", boxes=("conditions", "transient")
    )


class UseOpening(Ask, texts=TEXTS.of("use_opening")):
    """The GM takes up an opening."""

    opening: str = words(rule="TG-15")
    how: str | None = words(default=None, rule="TG-15", told="{}")


def refresh(ask: Refresh, participants: Participants) -> Iterator[Change | Note]:
    """Never inside a scene, and never alone; it clears, it restores, and it gives the GM an opening (TG-15)."""
    who = participants.acting
    if participants.in_scene:
        raise Illegal(*cited("TG-15.in_scene"))
    company = _company(ask, who, participants.target)
    ended = _ended(dict(ask.ends), who, participants.scene)
    yield from refreshed(who)
    for holder, name in ended:
        yield Change(holder.id, "conditions", name, **because("TG-15.cause", name=who.name))
    opening = free_name(f"{who.name} and {company}", participants.table.items("openings"))
    yield Change(participants.table.id, "openings", opening, to={"used": False, "note": ask.how}, rule="TG-15")
    yield Note(*cited("TG-15.opening", name=who.name, company=company))


def _company(ask: Refresh, who: Holder, target: Holder | None) -> str:
    """The other character, with a sheet or by name alone."""
    other = target.name if target else ask.company
    if other is None or other.lower() == who.name.lower() or (target and target.id == who.id):
        raise Illegal(*cited("TG-15.alone"))
    return other


def _ended(said: dict[str, str], who: Holder, scene: Holder) -> list[tuple[Holder, str]]:
    """The Conditions that end: the character's own unless they are lasting, none of the scene's; or as it is said."""
    own = {name: item["transient"] for name, item in who.items("conditions").items()}
    there = {**dict.fromkeys(scene.items("conditions"), scene), **dict.fromkeys(own, who)}
    ticked = {name for name, transient in own.items() if transient}
    for called, word in said.items():
        name = next((item for item in there if item.lower() == called.lower()), None)
        if name is None:
            none = "TG-15.no_condition" if there else "TG-15.no_conditions"
            raise Unknown(*cited(none, name=called[:40], there=there))
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


def use(ask: UseOpening, participants: Participants) -> Iterator[Change]:
    """An opening is used once (TG-15)."""
    opening = growth.named(participants.table, "openings", ask.opening, "opening", "TG-15")
    if participants.table.value("openings", opening, "used", False):
        raise Illegal(*cited("TG-15.used", name=opening))
    yield Change(participants.table.id, "openings", opening, "used", to=True, **because("TG-15.takes_up"))


def begins(options: Options) -> dict[str, Any]:
    """Will and track as the table starts them (TG-8, TG-12)."""
    will, track = options.get("start_will", START_WILL), options.get("track", TRACK)
    return {"will": {WILL: {"now": will, "start": will}}, "power": {POWER: {"crossed": [], "length": track}}}


class Begin(Ask, texts=TEXTS.of("begin")):
    """A fresh start."""


def begin(ask: Begin, participants: Participants) -> Iterator[Change]:
    """Give a character the table's starting Will and track (TG-8, TG-12)."""
    who = participants.acting
    for section, items in begins(participants.options).items():
        for name, item in items.items():
            yield Change(who.id, section, name, to=item, **because("TG-8.starts_over", name=who.name))


def closes(characters: tuple[Holder, ...], options: Options) -> Iterator[Change]:
    """Whoever was out of the scene is back when it is over (TG-12)."""
    return _back(characters, "TG-12.closes")


def opens(characters: tuple[Holder, ...], options: Options) -> Iterator[Change]:
    """Whoever was out without a scene is back when the next one opens (TG-12)."""
    return _back(characters, "TG-12.opens")


def _back(characters: tuple[Holder, ...], key: str) -> Iterator[Change]:
    for character in characters:
        if character.value("out", OUT, "out", False):
            yield Change(character.id, "out", OUT, "out", to=False, **because(key, name=character.name))


MOVES = (
    Move("refresh", ask=Refresh, does=refresh, against=True, nameless=True, rule="TG-15", settled=True),
    Move("score", ask=growth.Score, does=growth.score, rule="TG-17"),
    Move("buy_off", ask=growth.BuyOff, does=growth.buy_off, rule="TG-17"),
    Move("advance", ask=growth.Advance, does=growth.advance, rule="TG-18"),
    Move("step", ask=growth.Step, does=growth.step, rule="TG-19"),
    Move("new_aspect", ask=growth.NewAspect, does=growth.new_aspect, rule="TG-19"),
    Move("new_key", ask=growth.NewKey, does=growth.new_key, rule="TG-19"),
    Move("shift", ask=growth.Shift, does=growth.shift, rule="TG-19"),
    Move("buy", ask=growth.Buy, does=growth.buy, rule="TG-20"),
    Move("keep", ask=growth.Keep, does=growth.keep, rule="TG-16"),
    Move("use_opening", ask=UseOpening, does=use, by="gm", rule="TG-15"),
    Move("begin", ask=Begin, does=begin, by="gm", rule="TG-8"),
)
