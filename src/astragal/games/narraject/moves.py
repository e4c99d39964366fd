"""What people do at a Narraject table that is no roll: Reserves fill again, IP are given, complications used."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.author import (
    Ask,
    Change,
    Effect,
    Holder,
    Illegal,
    Move,
    Note,
    Options,
    Participants,
    Unknown,
    changed,
    whole,
    words,
)
from astragal.games.narraject.effects import unused
from astragal.games.narraject.sheet import MAX_POINTS, MAX_SHEET_IP, ip_of, starting_ip


class RefillAsk(Ask):
    """Points come back."""

    stat: str | None = words("the stat; every one if none is named", default=None, rule="NJ-15")
    points: int | None = whole(1, MAX_POINTS, "points that come back; all if left out", default=None, rule="NJ-15")


class UseComplicationAsk(Ask):
    """A complication is used."""

    complication: str | None = words("which one; the oldest if none is named", default=None, rule="NJ-12")
    note: str | None = words("what happens", default=None, told="{}")


class GiveIPAsk(Ask):
    """IP for a player."""

    ip: int = whole(1, MAX_SHEET_IP, "IP that the player gains", default=1, rule="NJ-15", title="IP")
    why: str | None = words("what for", default=None)


class SpendIPAsk(Ask):
    """IP of the GM."""

    ip: int = whole(1, MAX_SHEET_IP, "IP that the GM spends", default=1, rule="NJ-14", title="IP")
    why: str | None = words("what for", default=None)


def refill(ask: RefillAsk, participants: Participants) -> Iterator[Change]:
    """A Reserve fills again, never beyond its full value (NJ-15)."""
    who = _character(participants, "Whose Reserve fills again?")
    names = [_stat(who, ask.stat)] if ask.stat else list(who.items("stats"))
    missing = {name: who.value("stats", name, "full") - who.value("stats", name, "now") for name in names}
    if not any(short > 0 for short in missing.values()):
        raise Illegal(f"{ask.stat or f'Every stat of {who.name}'} is full; nothing changes.", "NJ-15")
    for name, short in missing.items():
        if short > 0:
            by = min(short, ask.points or short)
            yield Change(who.id, "stats", name, "now", by=by, cause=f"{who.name} rests", rule="NJ-15")


def _character(participants: Participants, question: str) -> Holder:
    if participants.roller is None:
        raise Illegal(f"{question} Name a character.", "NJ-15")
    return participants.roller


def _stat(who: Holder, name: str) -> str:
    if name not in who.items("stats"):
        raise Unknown(f'{who.name} has no stat "{name[:40]}"; there are {", ".join(who.items("stats"))}.', "NJ-15")
    return name


def use(ask: UseComplicationAsk, participants: Participants) -> Iterator[Change]:
    """The GM uses a complication that is owed, and it is ticked off (NJ-9, NJ-11, NJ-12)."""
    owed = unused(participants.table)
    if not owed:
        raise Illegal("The GM is owed no complication; nothing changes.", "NJ-12")
    name = ask.complication or owed[0]
    if name not in owed:
        raise Illegal(f'"{name[:40]}" is not owed to the GM; there are {", ".join(owed)}.', "NJ-12")
    table, deed = participants.table.id, "uses a complication"
    yield Change(table, "complications", name, "used", to=True, cause=ask.note or "", rule="NJ-12", deed=deed)
    if ask.note:
        yield Change(table, "complications", name, "note", to=ask.note, rule="NJ-12", silent=True)


def give(ask: GiveIPAsk, participants: Participants) -> Iterator[Change | Note]:
    """The GM gives a player IP, and says what for (NJ-15)."""
    who = _character(participants, "Who gains IP?")
    if participants.player is None or participants.gm_side:
        raise Illegal(f"{who.name} is the GM's, who has one purse; nothing changes.", "NJ-15")
    gain = Effect("ip", "player", ask.ip, rule="NJ-15", cause=ask.why or "The GM gives IP")
    yield from changed(gain, participants)


def spend(ask: SpendIPAsk, participants: Participants) -> Iterator[Change]:
    """The GM spends IP that are there (NJ-14)."""
    held = ip_of(participants.table)
    if ask.ip > held:
        raise Illegal(f"The GM holds {held} IP and would spend {ask.ip}; nothing is spent.", "NJ-14")
    cause = ask.why or "The GM spends IP"
    yield Change(participants.table.id, "ip", "IP", "now", by=-ask.ip, cause=cause, rule="NJ-14")


def joins(player: Holder, table: Holder, options: Options) -> list[Change]:
    """A player starts with some IP, and the GM gets some for each player (NJ-15)."""
    for_player, for_gm = starting_ip(options)
    cause = f"{player.name} sits down"
    starts = ((player, for_player), (table, for_gm))
    return [Change(each.id, "ip", "IP", "now", by=by, cause=cause, rule="NJ-15") for each, by in starts]


MOVES = (
    Move("refill", "Fill a Reserve again", RefillAsk, refill, by="gm", rule="NJ-15"),
    Move("complicate", "Use a complication", UseComplicationAsk, use, by="gm", rule="NJ-12"),
    Move("give_ip", "Give a player IP", GiveIPAsk, give, by="gm", rule="NJ-15"),
    Move("spend_gm_ip", "Spend IP of the GM", SpendIPAsk, spend, by="gm", rule="NJ-14"),
)
