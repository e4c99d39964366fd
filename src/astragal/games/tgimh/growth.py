"""Growth: Keys earn XP, every 5 XP are an Advance, Advances buy dice (TG-16 to TG-20)."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.author import (
    MAX_NAME,
    Change,
    Holder,
    Illegal,
    Participants,
    Reason,
    Unknown,
    capital,
    free_name,
    move,
    one_of,
    whole,
    words,
)
from astragal.games.tgimh.rules import TEXTS, because, refuse, say
from astragal.games.tgimh.sheet import KEYS

PER_ADVANCE = 5
BUY_OFF = 10
XP = {
    "dramatic": {"scene": 1, "challenge": 2, "progress": 5},
    "motivation": {"expressed": 1, "risk": 3},
}
"""What a Key gives: its issue is there, brings a challenge, moves on; a drive is shown, or followed at a risk."""


@move(TEXTS, "TG-17")
def score(
    participants: Participants,
    key: str = words(rule="TG-17"),
    level: str = one_of(tuple(level for levels in XP.values() for level in levels), rule="TG-17"),
) -> Iterator[Change]:
    """A Key gives XP by how far it went (TG-17)."""
    who = participants.acting
    key = named(who, "keys", key, "key", "TG-17")
    kind = who.value("keys", key, "kind")
    refuse(level not in XP[kind], f"TG-17.by_{kind}", name=key)
    yield from earned(who, XP[kind][level], say(f"TG-17.{level}", name=key))


@move(TEXTS, "TG-17")
def buy_off(participants: Participants, key: str = words(rule="TG-17")) -> Iterator[Change]:
    """10 XP, and the Key is gone; a dramatic one is gone for the whole table, for others without XP (TG-17)."""
    who = participants.acting
    key = named(who, "keys", key, "key", "TG-17")
    yield Change(who.id, "keys", key, **because("TG-17.leaves", name=who.name, key=key))
    for other in participants.characters if who.value("keys", key, "kind") == "dramatic" else ():
        held = other.find("keys", key)
        if other.id != who.id and held and other.value("keys", held, "kind") == "dramatic":
            yield Change(other.id, "keys", held, **because("TG-17.ended", name=who.name, key=key))
    yield from earned(who, BUY_OFF, say("TG-17.bought_off", name=key))


@move(TEXTS, "TG-18")
def advance(participants: Participants) -> Iterator[Change]:
    """XP that were written by hand become Advances (TG-18)."""
    who = participants.acting
    xp = who.value("xp", "XP", "now")
    refuse(xp < PER_ADVANCE, "TG-18.short", name=who.name, xp=xp, n=PER_ADVANCE)
    yield from advances(who, xp)


def earned(who: Holder, xp: int, cause: str) -> Iterator[Change]:
    """XP as they come, then every 5 of them as an Advance, to be spent now or saved (TG-18)."""
    yield Change(who.id, "xp", "XP", "now", xp, cause=cause, rule="TG-17")
    yield from advances(who, who.value("xp", "XP", "now") + xp)


def advances(who: Holder, xp: int) -> Iterator[Change]:
    """An Advance for every 5 of these XP (TG-18)."""
    n, why = xp // PER_ADVANCE, because("TG-18.cause", n=PER_ADVANCE)
    if n:
        yield Change(who.id, "xp", "XP", "now", -PER_ADVANCE * n, **why)
        yield Change(who.id, "advances", "Advances", "now", n, **why)


@move(TEXTS, "TG-19")
def step(
    participants: Participants,
    name: str = words(rule="TG-19"),
    way: str = one_of(("raise", "lower"), default="raise", rule="TG-19"),
) -> Iterator[Change]:
    """A die up or down costs as many Advances as there are dice (TG-19)."""
    who = participants.acting
    section = "aspects" if who.find("aspects", name) else "abilities"
    name = named(who, section, name, "step", "TG-19")
    dice = who.value(section, name, "dice")
    refuse(way == "lower" and dice == 1, "TG-19.lowest", name=name)
    yield paid(who, dice, because(f"TG-19.{way}", name=name))
    by = 1 if way == "raise" else -1
    yield Change(who.id, section, name, "dice", by, **because("TG-19.grows", name=who.name))


@move(TEXTS, "TG-19")
def new_aspect(participants: Participants, name: str = words(rule="TG-19")) -> Iterator[Change]:
    """An Aspect of 1 die for an Advance (TG-19)."""
    return bought(participants.acting, "aspects", name, {"dice": 1}, because("TG-19.new_aspect", name=name))


@move(TEXTS, "TG-19")
def new_key(
    participants: Participants, name: str = words(rule="TG-19"), kind: str = one_of(KEYS, rule="TG-17")
) -> Iterator[Change]:
    """A Key for an Advance (TG-19)."""
    return bought(participants.acting, "keys", name, {"kind": kind}, because("TG-19.new_key", name=name))


@move(TEXTS, "TG-19")
def shift(participants: Participants, name: str = words(rule="TG-19")) -> Iterator[Change]:
    """A 1D Aspect to Background, or a Background to a 1D Aspect, for an Advance (TG-19)."""
    who = participants.acting
    here, there = ("aspects", "backgrounds") if who.find("aspects", name) else ("backgrounds", "aspects")
    name = named(who, here, name, "shift", "TG-19")
    item = who.item(here, name)
    refuse(here == "aspects" and item["dice"] != 1, "TG-19.too_big", name=name, n=item.get("dice"))
    unused(who, there, name, "TG-19")
    why = because(f"TG-19.to_{there}", name=name)
    yield paid(who, 1, why)
    yield Change(who.id, here, name, **why)
    dice = {"dice": 1} if there == "aspects" else {}
    yield added(who, there, name, {**dice, "note": item.get("note")}, "TG-19")


@move(TEXTS, "TG-20")
def buy(
    participants: Participants,
    name: str = words(rule="TG-20"),
    kind: str = one_of(("ability", "gear"), default="ability", rule="TG-20"),
    dice: int = whole(1, 20, default=1, rule="TG-20"),
) -> Iterator[Change]:
    """Where nothing else is said, 1 Advance for each die (TG-20)."""
    section, why = {"ability": "abilities", "gear": "gear"}[kind], because("TG-20.bought", name=name, n=dice)
    return bought(participants.acting, section, name, {"dice": dice}, why, price=dice)


@move(TEXTS, "TG-16")
def keep(participants: Participants, condition: str = words(rule="TG-16")) -> Iterator[Change]:
    """House rule: a Condition becomes an Aspect for as many Advances as it has dice (TG-16)."""
    who = participants.acting
    holder = who if who.find("conditions", condition) else participants.scene
    condition = named(holder, "conditions", condition, "condition", "TG-16")
    item = holder.item("conditions", condition)
    name = free_name(condition, who.items("aspects"), "Condition")
    why = because("TG-16.becomes", name=condition)
    yield paid(who, item["dice"], why)
    yield Change(holder.id, "conditions", condition, **why)
    yield added(who, "aspects", name, {"dice": item["dice"], "note": item.get("note")}, "TG-16")


# What all of them need.


def named(holder: Holder, section: str, name: str, what: str, rule: str) -> str:
    """An item's name as the sheet writes it; refused if the sheet lacks it. ``what`` is the key of what it is."""
    item = holder.find(section, name)
    if item is None:
        there, whose = list(holder.items(section)), holder.name or say(f"move.the_{holder.id}")
        missing = "move.missing" if there else "move.none"
        raise Unknown(say(missing, holder=whose, what=say(f"move.{what}"), name=name[:40], there=there), rule)
    return item


def unused(holder: Holder, section: str, name: str, rule: str) -> None:
    """Refuse a name that the section cannot take, or has already."""
    taken = holder.find(section, name)
    if len(name) > MAX_NAME or "/" in name:
        raise Illegal(say("move.long", most=MAX_NAME), rule)
    if taken:
        raise Illegal(say("move.taken", name=holder.name, item=name), rule)


def paid(who: Holder, price: int, why: Reason) -> Change:
    """Advances are paid, if there are as many (TG-20)."""
    held = who.value("advances", "Advances", "now")
    short, what = "TG-20.short" if held else "TG-20.short_none", capital(why["cause"])
    refuse(price > held, short, what=what, n=price, name=who.name, held=held)
    return Change(who.id, "advances", "Advances", "now", -price, **why)


def bought(
    who: Holder, section: str, name: str, item: dict[str, object], why: Reason, *, price: int = 1
) -> Iterator[Change]:
    """Something new on the sheet, for Advances."""
    unused(who, section, name, why["rule"])
    yield paid(who, price, why)
    yield added(who, section, name, {**item, "note": None}, why["rule"])


def added(who: Holder, section: str, name: str, item: dict[str, object], rule: str) -> Change:
    """The change that puts an item onto a sheet."""
    return Change(who.id, section, name, to=item, cause=say("TG-19.grows", name=who.name), rule=rule)


MOVES = (score, buy_off, advance, step, new_aspect, new_key, shift, buy, keep)
