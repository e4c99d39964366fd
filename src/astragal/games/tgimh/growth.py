"""Growth: Keys earn XP, every 5 XP are an Advance, Advances buy dice (TG-16 to TG-20)."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.author import (
    MAX_NAME,
    Ask,
    Change,
    Holder,
    Illegal,
    NoInputs,
    Participants,
    Unknown,
    counted,
    one_of,
    whole,
    words,
)
from astragal.games.tgimh.sheet import KEYS, free_name

PER_ADVANCE = 5
BUY_OFF = 10
XP = {
    "dramatic": {"scene": 1, "challenge": 2, "progress": 5},
    "motivation": {"expressed": 1, "risk": 3},
}
"""What a Key gives: its issue is there, brings a challenge, moves on; a drive is shown, or followed at a risk."""


class ScoreAsk(Ask):
    """A Key came up."""

    key: str = words("the Key", rule="TG-17")
    level: str = one_of(
        tuple(level for levels in XP.values() for level in levels),
        "dramatic: scene 1 XP, challenge 2, progress 5; motivation: expressed 1, risk 3",
        rule="TG-17",
    )


class BuyOffAsk(Ask):
    """A Key is left behind for good."""

    key: str = words("the Key", rule="TG-17")


class StepAsk(Ask):
    """An Aspect or Ability one die up or down."""

    name: str = words("the Aspect or Ability", rule="TG-19")
    way: str = one_of(("raise", "lower"), "one die up or down", default="raise", rule="TG-19")


class NewAspectAsk(Ask):
    """An Aspect with 1 die."""

    name: str = words("the new Aspect", rule="TG-19")


class NewKeyAsk(Ask):
    """A Key."""

    name: str = words("the new Key", rule="TG-19")
    kind: str = one_of(KEYS, "what it rewards", rule="TG-17")


class ShiftAsk(Ask):
    """A 1D Aspect that becomes a Background, or the other way round."""

    name: str = words("the Aspect with 1 die, or the Background", rule="TG-19")


class BuyAsk(Ask):
    """Whatever has no price of its own."""

    name: str = words("what is bought", rule="TG-20")
    kind: str = one_of(("ability", "gear"), "where it goes on the sheet", default="ability", rule="TG-20")
    dice: int = whole(1, 20, "its dice, 1 Advance each", default=1, rule="TG-20")


class KeepAsk(Ask):
    """A Condition that stays."""

    condition: str = words("the Condition, one's own or the scene's", rule="TG-16")


def score(ask: ScoreAsk, participants: Participants) -> Iterator[Change]:
    """A Key gives XP by how far it went (TG-17)."""
    who = acting(participants)
    key = named(who, "keys", ask.key, "Key", "TG-17")
    kind = who.value("keys", key, "kind")
    if ask.level not in XP[kind]:
        raise Illegal(f'"{key}" is a {kind} Key; it scores by {" or ".join(XP[kind])}.', "TG-17")
    yield from earned(who, XP[kind][ask.level], f"{key}, {ask.level}")


def buy_off(ask: BuyOffAsk, participants: Participants) -> Iterator[Change]:
    """10 XP, and the Key is gone; a dramatic one is gone for the whole table (TG-17)."""
    who = acting(participants)
    key = named(who, "keys", ask.key, "Key", "TG-17")
    yield Change(who.id, "keys", key, cause=f"{who.name} leaves {key} behind", rule="TG-17")
    if who.value("keys", key, "kind") == "dramatic":
        yield from _gone_for_all(who, key, participants.characters)
    yield from earned(who, BUY_OFF, f"{key} is bought off")


def _gone_for_all(who: Holder, key: str, characters: tuple[Holder, ...]) -> Iterator[Change]:
    """Others who hold a dramatic Key's theme lose it, without XP (TG-17)."""
    for other in characters:
        held = found(other, "keys", key)
        if other.id != who.id and held and other.value("keys", held, "kind") == "dramatic":
            yield Change(other.id, "keys", held, cause=f"{who.name} has put an end to {key}", rule="TG-17")


def advance(ask: NoInputs, participants: Participants) -> Iterator[Change]:
    """XP that were written by hand become Advances (TG-18)."""
    who = acting(participants)
    if who.value("xp", "XP", "now") < PER_ADVANCE:
        raise Illegal(f"{who.name} has {who.value('xp', 'XP', 'now')} XP, and an Advance takes 5.", "TG-18")
    yield from earned(who, 0, "Every 5 XP is an Advance")


def earned(who: Holder, xp: int, cause: str) -> Iterator[Change]:
    """XP as they come, then every 5 of them as an Advance, to be spent at once or saved (TG-18)."""
    if xp:
        yield Change(who.id, "xp", "XP", "now", xp, cause=cause, rule="TG-17")
    advances = (who.value("xp", "XP", "now") + xp) // PER_ADVANCE
    if advances:
        why = f"every {PER_ADVANCE} XP are an Advance"
        yield Change(who.id, "xp", "XP", "now", -PER_ADVANCE * advances, cause=why, rule="TG-18")
        yield Change(who.id, "advances", "Advances", "now", advances, cause=why, rule="TG-18")


def step(ask: StepAsk, participants: Participants) -> Iterator[Change]:
    """A die up or down costs as many Advances as there are dice (TG-19)."""
    who = acting(participants)
    section = "aspects" if found(who, "aspects", ask.name) else "abilities"
    name = named(who, section, ask.name, "Aspect or Ability", "TG-19")
    dice = who.value(section, name, "dice")
    if ask.way == "lower" and dice == 1:
        raise Illegal(f"{name} has 1 die and goes no lower; an Aspect of 1 die may become a Background.", "TG-19")
    yield paid(who, dice, f"{name}, one die {'up' if ask.way == 'raise' else 'down'}", "TG-19")
    by = 1 if ask.way == "raise" else -1
    yield Change(who.id, section, name, "dice", by, cause=f"{who.name} grows", rule="TG-19")


def new_aspect(ask: NewAspectAsk, participants: Participants) -> Iterator[Change]:
    """An Aspect of 1 die for an Advance (TG-19)."""
    who = acting(participants)
    name = unused(who, "aspects", ask.name, "TG-19")
    yield paid(who, 1, f"a new Aspect, {name}", "TG-19")
    yield added(who, "aspects", name, {"dice": 1, "note": None}, "TG-19")


def new_key(ask: NewKeyAsk, participants: Participants) -> Iterator[Change]:
    """A Key for an Advance (TG-19)."""
    who = acting(participants)
    name = unused(who, "keys", ask.name, "TG-19")
    yield paid(who, 1, f"a new Key, {name}", "TG-19")
    yield added(who, "keys", name, {"kind": ask.kind, "note": None}, "TG-19")


def shift(ask: ShiftAsk, participants: Participants) -> Iterator[Change]:
    """A 1D Aspect to Background, or a Background to a 1D Aspect, for an Advance (TG-19)."""
    who = acting(participants)
    here = "aspects" if found(who, "aspects", ask.name) else "backgrounds"
    there = "backgrounds" if here == "aspects" else "aspects"
    name = named(who, here, ask.name, "Aspect or Background", "TG-19")
    item = who.item(here, name)
    if here == "aspects" and item["dice"] != 1:
        raise Illegal(f"{name} has {item['dice']} dice; only an Aspect of 1 die becomes a Background.", "TG-19")
    unused(who, there, name, "TG-19")
    yield paid(who, 1, f"{name} moves to the {there}", "TG-19")
    yield Change(who.id, here, name, cause=f"{name} moves to the {there}", rule="TG-19")
    dice = {"dice": 1} if there == "aspects" else {}
    yield added(who, there, name, {**dice, "note": item.get("note")}, "TG-19")


def buy(ask: BuyAsk, participants: Participants) -> Iterator[Change]:
    """Where nothing else is said, 1 Advance for each die (TG-20)."""
    who = acting(participants)
    section = {"ability": "abilities", "gear": "gear"}[ask.kind]
    name = unused(who, section, ask.name, "TG-20")
    yield paid(who, ask.dice, f"{name} with {counted(ask.dice, 'die', 'dice')}", "TG-20")
    yield added(who, section, name, {"dice": ask.dice, "note": None}, "TG-20")


def keep(ask: KeepAsk, participants: Participants) -> Iterator[Change]:
    """House rule: a Condition becomes an Aspect for as many Advances as it has dice (TG-16)."""
    who = acting(participants)
    holder = who if found(who, "conditions", ask.condition) else participants.scene
    condition = named(holder, "conditions", ask.condition, "Condition", "TG-16")
    item = holder.item("conditions", condition)
    name = free_name(condition, who.items("aspects"))
    yield paid(who, item["dice"], f"{condition} becomes an Aspect", "TG-16")
    yield Change(holder.id, "conditions", condition, cause=f"{condition} becomes an Aspect", rule="TG-16")
    yield added(who, "aspects", name, {"dice": item["dice"], "note": item.get("note")}, "TG-16")


# What all of them need.


def acting(participants: Participants) -> Holder:
    """The character who makes the move; refused without one."""
    if participants.roller is None:
        raise Illegal("Somebody has to do this: name a character.")
    return participants.roller


def found(holder: Holder, section: str, name: str) -> str | None:
    """The item's name as the sheet writes it, however somebody wrote it."""
    return next((item for item in holder.items(section) if item.lower() == name.lower()), None)


def named(holder: Holder, section: str, name: str, what: str, rule: str) -> str:
    """An item's name as the sheet writes it; refused if the sheet lacks it."""
    item = found(holder, section, name)
    if item is None:
        there = ", ".join(holder.items(section)) or "none"
        raise Unknown(f'{holder.name or "The scene"} has no {what} "{name[:40]}"; there is {there}.', rule)
    return item


def unused(holder: Holder, section: str, name: str, rule: str) -> str:
    """A name that the section can take and does not have yet."""
    if len(name) > MAX_NAME or "/" in name:
        raise Illegal(f"A name has at most {MAX_NAME} characters, and no stroke in it; nothing is spent.", rule)
    if found(holder, section, name):
        raise Illegal(f'{holder.name} has "{name}" already; nothing is spent.', rule)
    return name


def paid(who: Holder, advances: int, what: str, rule: str) -> Change:
    """Advances are paid, if there are as many (TG-20)."""
    held = who.value("advances", "Advances", "now")
    if advances > held:
        raise Illegal(
            f"{what[0].upper()}{what[1:]}: the price is {counted(advances, 'Advance')} and {who.name} has {held}; "
            "nothing is spent.",
            "TG-20",
        )
    return Change(who.id, "advances", "Advances", "now", -advances, cause=what, rule=rule)


def added(who: Holder, section: str, name: str, item: dict[str, object], rule: str) -> Change:
    """The change that puts an item onto a sheet."""
    return Change(who.id, section, name, to=item, cause=f"{who.name} grows", rule=rule)
