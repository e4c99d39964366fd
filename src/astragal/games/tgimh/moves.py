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
    NoInputs,
    Note,
    Options,
    Participants,
    Unknown,
    named,
    words,
)
from astragal.games.tgimh import growth
from astragal.games.tgimh.growth import acting
from astragal.games.tgimh.sheet import OUT, POWER, START_WILL, TRACK, WILL, free_name


class RefreshAsk(Ask):
    """What the two of them do, and what it ends."""

    how: str | None = words("what happens in the Refreshment scene", default=None, rule="TG-15", told="{}")
    company: str | None = words("with whom, if they have no sheet", default=None, rule="TG-15")
    ends: tuple[tuple[str, str], ...] = named(
        ("ends", "stays"),
        "what ends: the character's Injuries and transient Conditions, and whatever else is ticked",
        default=(),
        rule="TG-15",
        title="What ends",
        boxes=("conditions", "transient"),
    )


class UseOpeningAsk(Ask):
    """The GM takes up an opening."""

    opening: str = words("the opening", rule="TG-15")
    how: str | None = words("what comes of it", default=None, rule="TG-15", told="{}")


def refresh(ask: RefreshAsk, participants: Participants) -> Iterator[Change | Note]:
    """Never inside a scene, and never alone; it clears, it restores, and it gives the GM an opening (TG-15)."""
    who = acting(participants)
    if participants.in_scene:
        raise Illegal("A Refreshment comes between scenes, and a scene is open; nothing is changed.", "TG-15")
    company = _company(ask, who, participants.target)
    ended = _ended(dict(ask.ends), who, participants.scene)
    yield from refreshed(who)
    for holder, name in ended:
        yield Change(holder.id, "conditions", name, cause=f"{who.name}'s Refreshment", rule="TG-15")
    opening = free_name(f"{who.name} and {company}", participants.table.items("openings"))
    yield Change(participants.table.id, "openings", opening, to={"used": False, "note": ask.how}, rule="TG-15")
    yield Note(f"{who.name} refreshes with {company}: the GM has an opening.", "TG-15")


def _company(ask: RefreshAsk, who: Holder, target: Holder | None) -> str:
    """The other character, with a sheet or by name alone."""
    other = target.name if target else ask.company
    if other is None or other.lower() == who.name.lower() or (target and target.id == who.id):
        raise Illegal(
            "A Refreshment needs another character, with a sheet (against) or by name alone (company); "
            "nothing is changed.",
            "TG-15",
        )
    return other


def _ended(said: dict[str, str], who: Holder, scene: Holder) -> list[tuple[Holder, str]]:
    """The Conditions that end: the character's own unless they are lasting, none of the scene's; or as it is said."""
    own = {name: item["transient"] for name, item in who.items("conditions").items()}
    there = {**dict.fromkeys(scene.items("conditions"), scene), **dict.fromkeys(own, who)}
    ticked = {name for name, transient in own.items() if transient}
    for called, word in said.items():
        name = next((item for item in there if item.lower() == called.lower()), None)
        if name is None:
            raise Unknown(
                f'There is no Condition "{called[:40]}" that could end; there are {", ".join(there) or "none"}.',
                "TG-15",
            )
        ticked = ticked | {name} if word == "ends" else ticked - {name}
    return [(holder, name) for name, holder in there.items() if name in ticked]


def refreshed(who: Holder) -> Iterator[Change]:
    """The track is cleared; Will comes up to its start and never down to it."""
    cause = f"{who.name}'s Refreshment"
    if who.value("power", POWER, "crossed", ()):
        yield Change(who.id, "power", POWER, "crossed", to=[], cause=cause, rule="TG-15")
    missing = who.value("will", WILL, "start") - who.value("will", WILL, "now")
    if missing > 0:
        yield Change(who.id, "will", WILL, "now", missing, cause=cause, rule="TG-15")


def use(ask: UseOpeningAsk, participants: Participants) -> Iterator[Change]:
    """An opening is used once (TG-15)."""
    opening = growth.named(participants.table, "openings", ask.opening, "opening", "TG-15")
    if participants.table.value("openings", opening, "used", False):
        raise Illegal(f'The opening "{opening}" is used already.', "TG-15")
    yield Change(participants.table.id, "openings", opening, "used", to=True, cause="The GM takes it up", rule="TG-15")


def begins(options: Options) -> dict[str, Any]:
    """Will and track as the table starts them (TG-8, TG-12)."""
    will, track = options.get("start_will", START_WILL), options.get("track", TRACK)
    return {"will": {WILL: {"now": will, "start": will}}, "power": {POWER: {"crossed": [], "length": track}}}


def begin(ask: NoInputs, participants: Participants) -> Iterator[Change]:
    """Give a character the table's starting Will and track (TG-8, TG-12)."""
    who = acting(participants)
    for section, items in begins(participants.options).items():
        for name, item in items.items():
            yield Change(who.id, section, name, to=item, cause=f"{who.name} starts over", rule="TG-8")


def closes(characters: tuple[Holder, ...], options: Options) -> Iterator[Change]:
    """Whoever was out of the scene is back when it is over (TG-12)."""
    return _back(characters, "The scene is over")


def opens(characters: tuple[Holder, ...], options: Options) -> Iterator[Change]:
    """Whoever was out without a scene is back when the next one opens (TG-12)."""
    return _back(characters, "A scene opens")


def _back(characters: tuple[Holder, ...], when: str) -> Iterator[Change]:
    for character in characters:
        if character.value("out", OUT, "out", False):
            yield Change(
                character.id, "out", OUT, "out", to=False, cause=f"{when}, and {character.name} is back", rule="TG-12"
            )


MOVES = (
    Move(
        "refresh",
        "Have a Refreshment scene",
        RefreshAsk,
        refresh,
        against=True,
        nameless=True,
        rule="TG-15",
        settled=True,
    ),
    Move("score", "Score a Key", growth.ScoreAsk, growth.score, rule="TG-17"),
    Move("buy_off", "Buy off a Key", growth.BuyOffAsk, growth.buy_off, rule="TG-17"),
    Move("advance", "Turn XP into Advances", NoInputs, growth.advance, rule="TG-18"),
    Move("step", "Raise or lower an Aspect or Ability", growth.StepAsk, growth.step, rule="TG-19"),
    Move("new_aspect", "Buy a new Aspect", growth.NewAspectAsk, growth.new_aspect, rule="TG-19"),
    Move("new_key", "Buy a new Key", growth.NewKeyAsk, growth.new_key, rule="TG-19"),
    Move("shift", "Move an Aspect to Background, or back", growth.ShiftAsk, growth.shift, rule="TG-19"),
    Move("buy", "Buy an Ability or Gear", growth.BuyAsk, growth.buy, rule="TG-20"),
    Move("keep", "House rule: make a Condition an Aspect", growth.KeepAsk, growth.keep, rule="TG-16"),
    Move("use_opening", "Use an opening", UseOpeningAsk, use, by="gm", rule="TG-15"),
    Move("begin", "Begin with the table's Will and track", NoInputs, begin, by="gm", rule="TG-8"),
)
