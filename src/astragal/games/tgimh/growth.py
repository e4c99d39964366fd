"""Growth: Keys earn XP, every 5 XP are an Advance, Advances buy dice (TG-16 to TG-20)."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.author import (
    MAX_NAME,
    Ask,
    Change,
    Holder,
    Illegal,
    Participants,
    Reason,
    Unknown,
    one_of,
    whole,
    words,
)
from astragal.games.tgimh.rules import TEXTS, because, cited, say
from astragal.games.tgimh.sheet import KEYS, free_name
from astragal.games.tgimh.text import start

PER_ADVANCE = 5
BUY_OFF = 10
XP = {
    "dramatic": {"scene": 1, "challenge": 2, "progress": 5},
    "motivation": {"expressed": 1, "risk": 3},
}
"""What a Key gives: its issue is there, brings a challenge, moves on; a drive is shown, or followed at a risk."""


class Score(Ask, texts=TEXTS.of("score")):
    """A Key came up."""

    key: str = words(rule="TG-17")
    level: str = one_of(tuple(level for levels in XP.values() for level in levels), rule="TG-17")


class BuyOff(Ask, texts=TEXTS.of("buy_off")):
    """A Key is left behind for good."""

    key: str = words(rule="TG-17")


class Advance(Ask, texts=TEXTS.of("advance")):
    """XP become Advances."""


class Step(Ask, texts=TEXTS.of("step")):
    """An Aspect or Ability one die up or down."""

    name: str = words(rule="TG-19")
    way: str = one_of(("raise", "lower"), default="raise", rule="TG-19")


class NewAspect(Ask, texts=TEXTS.of("new_aspect")):
    """An Aspect with 1 die."""

    name: str = words(rule="TG-19")


class NewKey(Ask, texts=TEXTS.of("new_key")):
    """A Key."""

    name: str = words(rule="TG-19")
    kind: str = one_of(KEYS, rule="TG-17")


class Shift(Ask, texts=TEXTS.of("shift")):
    """A 1D Aspect that becomes a Background, or the other way round."""

    name: str = words(rule="TG-19")


class Buy(Ask, texts=TEXTS.of("buy")):
    """Whatever has no price of its own."""

    name: str = words(rule="TG-20")
    kind: str = one_of(("ability", "gear"), default="ability", rule="TG-20")
    dice: int = whole(1, 20, default=1, rule="TG-20")


class Keep(Ask, texts=TEXTS.of("keep")):
    """A Condition that stays."""

    condition: str = words(rule="TG-16")


def score(ask: Score, participants: Participants) -> Iterator[Change]:
    """A Key gives XP by how far it went (TG-17)."""
    who = participants.acting
    key = named(who, "keys", ask.key, "key", "TG-17")
    kind = who.value("keys", key, "kind")
    if ask.level not in XP[kind]:
        raise Illegal(*cited(f"TG-17.by_{kind}", name=key))
    yield from earned(who, XP[kind][ask.level], say(f"TG-17.{ask.level}", name=key))


def buy_off(ask: BuyOff, participants: Participants) -> Iterator[Change]:
    """10 XP, and the Key is gone; a dramatic one is gone for the whole table (TG-17)."""
    who = participants.acting
    key = named(who, "keys", ask.key, "key", "TG-17")
    yield Change(who.id, "keys", key, **because("TG-17.leaves", name=who.name, key=key))
    if who.value("keys", key, "kind") == "dramatic":
        yield from _gone_for_all(who, key, participants.characters)
    yield from earned(who, BUY_OFF, say("TG-17.bought_off", name=key))


def _gone_for_all(who: Holder, key: str, characters: tuple[Holder, ...]) -> Iterator[Change]:
    """Others who hold a dramatic Key's theme lose it, without XP (TG-17)."""
    for other in characters:
        held = found(other, "keys", key)
        if other.id != who.id and held and other.value("keys", held, "kind") == "dramatic":
            yield Change(other.id, "keys", held, **because("TG-17.ended", name=who.name, key=key))


def advance(ask: Advance, participants: Participants) -> Iterator[Change]:
    """XP that were written by hand become Advances (TG-18)."""
    who = participants.acting
    xp = who.value("xp", "XP", "now")
    if xp < PER_ADVANCE:
        raise Illegal(*cited("TG-18.short", name=who.name, xp=xp, n=PER_ADVANCE))
    yield from advances(who, xp)


def earned(who: Holder, xp: int, cause: str) -> Iterator[Change]:
    """XP as they come, then every 5 of them as an Advance, to be spent at once or saved (TG-18)."""
    yield Change(who.id, "xp", "XP", "now", xp, cause=cause, rule="TG-17")
    yield from advances(who, who.value("xp", "XP", "now") + xp)


def advances(who: Holder, xp: int) -> Iterator[Change]:
    """An Advance for every 5 of these XP (TG-18)."""
    n, why = xp // PER_ADVANCE, because("TG-18.cause", n=PER_ADVANCE)
    if n:
        yield Change(who.id, "xp", "XP", "now", -PER_ADVANCE * n, **why)
        yield Change(who.id, "advances", "Advances", "now", n, **why)


def step(ask: Step, participants: Participants) -> Iterator[Change]:
    """A die up or down costs as many Advances as there are dice (TG-19)."""
    who = participants.acting
    section = "aspects" if found(who, "aspects", ask.name) else "abilities"
    name = named(who, section, ask.name, "step", "TG-19")
    dice = who.value(section, name, "dice")
    if ask.way == "lower" and dice == 1:
        raise Illegal(*cited("TG-19.lowest", name=name))
    yield paid(who, dice, because(f"TG-19.{ask.way}", name=name))
    by = 1 if ask.way == "raise" else -1
    yield Change(who.id, section, name, "dice", by, **because("TG-19.grows", name=who.name))


def new_aspect(ask: NewAspect, participants: Participants) -> Iterator[Change]:
    """An Aspect of 1 die for an Advance (TG-19)."""
    who = participants.acting
    name = unused(who, "aspects", ask.name, "TG-19")
    yield paid(who, 1, because("TG-19.new_aspect", name=name))
    yield added(who, "aspects", name, {"dice": 1, "note": None}, "TG-19")


def new_key(ask: NewKey, participants: Participants) -> Iterator[Change]:
    """A Key for an Advance (TG-19)."""
    who = participants.acting
    name = unused(who, "keys", ask.name, "TG-19")
    yield paid(who, 1, because("TG-19.new_key", name=name))
    yield added(who, "keys", name, {"kind": ask.kind, "note": None}, "TG-19")


def shift(ask: Shift, participants: Participants) -> Iterator[Change]:
    """A 1D Aspect to Background, or a Background to a 1D Aspect, for an Advance (TG-19)."""
    who = participants.acting
    here = "aspects" if found(who, "aspects", ask.name) else "backgrounds"
    there = "backgrounds" if here == "aspects" else "aspects"
    name = named(who, here, ask.name, "shift", "TG-19")
    item = who.item(here, name)
    if here == "aspects" and item["dice"] != 1:
        raise Illegal(*cited("TG-19.too_big", name=name, n=item["dice"]))
    unused(who, there, name, "TG-19")
    why = because(f"TG-19.to_{there}", name=name)
    yield paid(who, 1, why)
    yield Change(who.id, here, name, **why)
    dice = {"dice": 1} if there == "aspects" else {}
    yield added(who, there, name, {**dice, "note": item.get("note")}, "TG-19")


def buy(ask: Buy, participants: Participants) -> Iterator[Change]:
    """Where nothing else is said, 1 Advance for each die (TG-20)."""
    who = participants.acting
    section = {"ability": "abilities", "gear": "gear"}[ask.kind]
    name = unused(who, section, ask.name, "TG-20")
    yield paid(who, ask.dice, because("TG-20.bought", name=name, n=ask.dice))
    yield added(who, section, name, {"dice": ask.dice, "note": None}, "TG-20")


def keep(ask: Keep, participants: Participants) -> Iterator[Change]:
    """House rule: a Condition becomes an Aspect for as many Advances as it has dice (TG-16)."""
    who = participants.acting
    holder = who if found(who, "conditions", ask.condition) else participants.scene
    condition = named(holder, "conditions", ask.condition, "condition", "TG-16")
    item = holder.item("conditions", condition)
    name = free_name(condition, who.items("aspects"))
    why = because("TG-16.becomes", name=condition)
    yield paid(who, item["dice"], why)
    yield Change(holder.id, "conditions", condition, **why)
    yield added(who, "aspects", name, {"dice": item["dice"], "note": item.get("note")}, "TG-16")


# What all of them need.


def found(holder: Holder, section: str, name: str) -> str | None:
    """The item's name as the sheet writes it, however somebody wrote it."""
    return next((item for item in holder.items(section) if item.lower() == name.lower()), None)


def named(holder: Holder, section: str, name: str, what: str, rule: str) -> str:
    """An item's name as the sheet writes it; refused if the sheet lacks it. ``what`` is the key of what it is."""
    item = found(holder, section, name)
    if item is None:
        there, whose = list(holder.items(section)), holder.name or say(f"move.the_{holder.id}")
        missing = "move.missing" if there else "move.none"
        raise Unknown(say(missing, holder=whose, what=say(f"move.{what}"), name=name[:40], there=there), rule)
    return item


def unused(holder: Holder, section: str, name: str, rule: str) -> str:
    """A name that the section can take and does not have yet."""
    if len(name) > MAX_NAME or "/" in name:
        raise Illegal(say("move.long", most=MAX_NAME), rule)
    if found(holder, section, name):
        raise Illegal(say("move.taken", name=holder.name, item=name), rule)
    return name


def paid(who: Holder, price: int, why: Reason) -> Change:
    """Advances are paid, if there are as many (TG-20)."""
    held = who.value("advances", "Advances", "now")
    if price > held:
        short = "TG-20.short" if held else "TG-20.short_none"
        raise Illegal(*cited(short, what=start(why["cause"]), n=price, name=who.name, held=held))
    return Change(who.id, "advances", "Advances", "now", -price, **why)


def added(who: Holder, section: str, name: str, item: dict[str, object], rule: str) -> Change:
    """The change that puts an item onto a sheet."""
    return Change(who.id, section, name, to=item, cause=say("TG-19.grows", name=who.name), rule=rule)
