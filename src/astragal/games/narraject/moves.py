"""Narraject's moves without a roll: refill Reserves, give IP, use complications."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.author import (
    Change,
    Effect,
    Holder,
    Note,
    Options,
    Participants,
    Unknown,
    changed,
    move,
    whole,
    words,
)
from astragal.games.narraject.effects import unused
from astragal.games.narraject.rules import TEXTS, because, cited, refuse, say
from astragal.games.narraject.sheet import MAX_POINTS, MAX_SHEET_IP, START_IP, ip_of


@move(TEXTS, "NJ-15", by="gm")
def refill(
    participants: Participants,
    stat: str | None = words(default=None, rule="NJ-15"),
    points: int | None = whole(1, MAX_POINTS, default=None, rule="NJ-15"),
) -> Iterator[Change]:
    """A Reserve fills again, never beyond its full value (NJ-15)."""
    who = participants.acting
    stats = who.items("stats")
    named, there = (stat or "")[:40], ", ".join(stats)
    refuse(stat and stat not in stats, "NJ-15.no_stat", Unknown, who=who.name, stat=named, there=there)
    names = [stat] if stat else list(stats)
    missing = {name: stats[name]["full"] - stats[name]["now"] for name in names}
    is_full = not any(short > 0 for short in missing.values())
    refuse(is_full, "NJ-15.full" if stat else "NJ-15.all_full", stat=stat, who=who.name)
    for name, short in missing.items():
        if short > 0:
            yield Change(
                who.id, "stats", name, "now", min(short, points or short), **because("NJ-15.rests", who=who.name)
            )


@move(TEXTS, "NJ-12", by="gm")
def complicate(
    participants: Participants,
    complication: str | None = words(default=None, rule="NJ-12"),
    note: str | None = words(default=None, told="{}"),
) -> Iterator[Change]:
    """The GM uses a complication that is owed, and it is ticked off (NJ-9, NJ-11, NJ-12)."""
    owed = unused(participants.table)
    refuse(not owed, "NJ-12.none_owed")
    name = complication or owed[0]
    refuse(name not in owed, "NJ-12.not_owed", name=name[:40], there=", ".join(owed))
    table, (deed, rule) = participants.table.id, cited("NJ-12.uses")
    yield Change(table, "complications", name, "used", to=True, cause=note or "", rule=rule, deed=deed)
    if note:
        yield Change(table, "complications", name, "note", to=note, rule=rule, silent=True)


@move(TEXTS, "NJ-15", by="gm")
def give_ip(
    participants: Participants,
    ip: int = whole(1, MAX_SHEET_IP, default=1, rule="NJ-15"),
    why: str | None = words(default=None),
) -> Iterator[Change | Note]:
    """The GM gives a player IP, and says what for (NJ-15)."""
    who = participants.acting
    refuse(participants.player is None or participants.gm_side, "NJ-15.one_purse", who=who.name)
    return changed(Effect("ip", "player", ip, rule="NJ-15", cause=why or say("NJ-15.gives")), participants)


@move(TEXTS, "NJ-14", by="gm")
def spend_gm_ip(
    participants: Participants,
    ip: int = whole(1, MAX_SHEET_IP, default=1, rule="NJ-14"),
    why: str | None = words(default=None),
) -> Iterator[Change]:
    """The GM spends IP that are there (NJ-14)."""
    held = ip_of(participants.table)
    refuse(ip > held, "NJ-14.gm_short", held=held, ip=ip)
    cause, rule = cited("NJ-14.gm_spends")
    yield Change(participants.table.id, "ip", "IP", "now", by=-ip, cause=why or cause, rule=rule)


def joins(player: Holder, table: Holder, options: Options) -> list[Change]:
    """A player starts with some IP, and the GM gets some for each player (NJ-15)."""
    why, starts = because("NJ-15.sits_down", who=player.name), ((player, "player_ip"), (table, "gm_ip"))
    return [Change(each.id, "ip", "IP", "now", options.get(ip, START_IP), **why) for each, ip in starts]


MOVES = (refill, complicate, give_ip, spend_gm_ip)
