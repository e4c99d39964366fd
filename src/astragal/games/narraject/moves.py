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
from astragal.games.narraject.rules import TEXTS, because, cited, say
from astragal.games.narraject.sheet import MAX_POINTS, MAX_SHEET_IP, START_IP, ip_of


class Refill(Ask, texts=TEXTS.of("refill")):
    """Points come back."""

    stat: str | None = words(default=None, rule="NJ-15")
    points: int | None = whole(1, MAX_POINTS, default=None, rule="NJ-15")


def refill(ask: Refill, participants: Participants) -> Iterator[Change]:
    """A Reserve fills again, never beyond its full value (NJ-15)."""
    who = participants.acting
    stats = who.items("stats")
    if ask.stat and ask.stat not in stats:
        raise Unknown(*cited("NJ-15.no_stat", who=who.name, stat=ask.stat[:40], there=", ".join(stats)))
    names = [ask.stat] if ask.stat else list(stats)
    missing = {name: stats[name]["full"] - stats[name]["now"] for name in names}
    if not any(short > 0 for short in missing.values()):
        full = cited("NJ-15.full", stat=ask.stat) if ask.stat else cited("NJ-15.all_full", who=who.name)
        raise Illegal(*full)
    for name, short in missing.items():
        if short > 0:
            by = min(short, ask.points or short)
            yield Change(who.id, "stats", name, "now", by, **because("NJ-15.rests", who=who.name))


class Complicate(Ask, texts=TEXTS.of("complicate")):
    """A complication is used."""

    complication: str | None = words(default=None, rule="NJ-12")
    note: str | None = words(default=None, told="{}")


def complicate(ask: Complicate, participants: Participants) -> Iterator[Change]:
    """The GM uses a complication that is owed, and it is ticked off (NJ-9, NJ-11, NJ-12)."""
    owed = unused(participants.table)
    if not owed:
        raise Illegal(*cited("NJ-12.none_owed"))
    name = ask.complication or owed[0]
    if name not in owed:
        raise Illegal(*cited("NJ-12.not_owed", name=name[:40], there=", ".join(owed)))
    table, (deed, rule) = participants.table.id, cited("NJ-12.uses")
    yield Change(table, "complications", name, "used", to=True, cause=ask.note or "", rule=rule, deed=deed)
    if ask.note:
        yield Change(table, "complications", name, "note", to=ask.note, rule=rule, silent=True)


class GiveIP(Ask, texts=TEXTS.of("give_ip")):
    """IP for a player."""

    ip: int = whole(1, MAX_SHEET_IP, default=1, rule="NJ-15")
    why: str | None = words(default=None)


def give_ip(ask: GiveIP, participants: Participants) -> Iterator[Change | Note]:
    """The GM gives a player IP, and says what for (NJ-15)."""
    who = participants.acting
    if participants.player is None or participants.gm_side:
        raise Illegal(*cited("NJ-15.one_purse", who=who.name))
    yield from changed(Effect("ip", "player", ask.ip, rule="NJ-15", cause=ask.why or say("NJ-15.gives")), participants)


class SpendGMIP(Ask, texts=TEXTS.of("spend_gm_ip")):
    """IP of the GM."""

    ip: int = whole(1, MAX_SHEET_IP, default=1, rule="NJ-14")
    why: str | None = words(default=None)


def spend_gm_ip(ask: SpendGMIP, participants: Participants) -> Iterator[Change]:
    """The GM spends IP that are there (NJ-14)."""
    held = ip_of(participants.table)
    if ask.ip > held:
        raise Illegal(*cited("NJ-14.gm_short", held=held, ip=ask.ip))
    cause, rule = cited("NJ-14.gm_spends")
    yield Change(participants.table.id, "ip", "IP", "now", by=-ask.ip, cause=ask.why or cause, rule=rule)


def joins(player: Holder, table: Holder, options: Options) -> list[Change]:
    """A player starts with some IP, and the GM gets some for each player (NJ-15)."""
    why, starts = because("NJ-15.sits_down", who=player.name), ((player, "player_ip"), (table, "gm_ip"))
    return [Change(each.id, "ip", "IP", "now", options.get(ip, START_IP), **why) for each, ip in starts]


MOVES = (
    Move("refill", ask=Refill, does=refill, by="gm", rule="NJ-15"),
    Move("complicate", ask=Complicate, does=complicate, by="gm", rule="NJ-12"),
    Move("give_ip", ask=GiveIP, does=give_ip, by="gm", rule="NJ-15"),
    Move("spend_gm_ip", ask=SpendGMIP, does=spend_gm_ip, by="gm", rule="NJ-14"),
)
