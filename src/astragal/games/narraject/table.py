"""How Narraject's rolls read the sheets and write back to them (NJ-5, NJ-6, NJ-9 to NJ-15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.games.narraject import sheet
from astragal.games.narraject.attempt import MAX_IP, PRICES, Attempt
from astragal.games.narraject.effects import complications
from astragal.games.narraject.moves import MOVES, gain
from astragal.games.narraject.offers import offers
from astragal.games.narraject.result import Result
from astragal.games.narraject.result_seen import Seen
from astragal.rule.node import Outcome
from astragal.rule.note import Note
from astragal.rule.sheet import Options
from astragal.rule.table_rules import Change, Deed, Holder, Participants, TableRules

BOUGHT = {"reroll": "rerolls the Step Die", "add": "rolls one more d6", "partial": "buys a partial success"}


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """The table's edition (NJ-1), and the IP that the player holds (NJ-13)."""
    return {"edition": sheet.edition(participants.options), "ip": min(sheet.ip_of(participants.player), MAX_IP)}


def pays(kind: str, participants: Participants, choice: str, option: str) -> Iterator[Change]:
    """What is bought after the roll is paid at once, from the player's IP (NJ-13)."""
    if participants.player and option in PRICES:
        cause = f"{_name(participants)} {BOUGHT[option]}"
        yield Change(participants.player.id, "ip", "IP", "now", by=-PRICES[option], cause=cause, rule="NJ-13")


def writes(kind: str, participants: Participants, ask: Attempt, outcome: Outcome[Result]) -> Iterator[Deed]:
    """IP gained (NJ-10) and complications owed (NJ-12); points and IP spent were paid before."""
    result = outcome.result
    if result.player_ip:
        yield _player_gains(participants, result.player_ip)
    if result.gm_ip:
        yield gain(
            participants.table,
            result.gm_ip,
            participants.options,
            f"{_name(participants)}'s Step Die was lowest",
            "NJ-10",
        )
    yield from complications(participants.table, _name(participants), result)


def _player_gains(participants: Participants, n: int) -> Deed:
    if participants.player is None:
        return Note(f"The Step Die was highest; {_name(participants)} has no player to gain {n} IP.", "NJ-10")
    return gain(participants.player, n, participants.options, f"{_name(participants)}'s Step Die was highest", "NJ-10")


def _name(participants: Participants) -> str:
    return participants.who.name if participants.who else "Somebody"


def joins(player: Holder, table: Holder, options: Options) -> list[Change]:
    """A player starts with some IP, and the GM gets some for each player (NJ-15)."""
    for_player, for_gm = sheet.starting_ip(options)
    cause = f"{player.name} sits down"
    starts = (
        gain(player, for_player, options, cause, "NJ-15"),
        gain(table, for_gm, options, cause, "NJ-15"),
    )
    return [start for start in starts if isinstance(start, Change)]


def luck(kind: str, value: Any) -> int | None:
    """The d6s' Marks: they are the same in both editions, and a Step Die's face depends on the edition."""
    return value.d6_marks if isinstance(value, Seen) else None


TABLE_RULES = TableRules(
    character=sheet.CHARACTER,
    player=sheet.PLAYER,
    table=sheet.TABLE,
    scene=sheet.SCENE,
    options=sheet.Settings,
    offers=offers,
    reads=reads,
    pays=pays,
    writes=writes,
    moves=MOVES,
    joins=joins,
    luck=luck,
    templates=__file__.replace("table.py", "templates.toml"),
    sample=__file__.replace("table.py", "sample.toml"),
)
