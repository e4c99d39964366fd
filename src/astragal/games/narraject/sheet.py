"""What Narraject keeps: stats with Reserves, specialties and gear; IP; the complications that the GM is owed."""

from __future__ import annotations

from astragal.author import (
    Ask,
    Flag,
    Holder,
    OneOf,
    Options,
    Participants,
    Section,
    Whole,
    Words,
    clocks_section,
    counter,
    one_of,
    whole,
)
from astragal.games.narraject.pool import COUNTING, STEP_DICE

MAX_POINTS = 99
MAX_ITEM_DICE = 20
MAX_SHEET_IP = 9999
"""IP have no cap of their own (NJ-15); this only keeps a number readable."""

STATS = Section(
    "stats",
    "Stats",
    "pips",
    {
        "now": Whole(0, MAX_POINTS, "points left in the Reserve", default=3, rule="NJ-15"),
        "full": Whole(0, MAX_POINTS, "points of the full Reserve", default=3, rule="NJ-15"),
    },
    counts="now",
    top="full",
    rule="NJ-6",
    help="each point spent is a d6 in the pool",
    layout="tiles",
    place="primary",
)
FOCUS = Section(
    "focus",
    "Focus",
    "list",
    {"level": OneOf(tuple(STEP_DICE), "how well it is trained, for the Step Die", default="trained", rule="NJ-3")},
    rule="NJ-3",
    help="one of them goes into a roll, beside a specialty",
    group="Good at",
    place="primary",
)
SPECIALTIES = Section(
    "specialties",
    "Specialties",
    "list",
    {
        "level": OneOf(tuple(STEP_DICE), "how well it is trained, for the Step Die", default="trained", rule="NJ-3"),
        "dice": Whole(0, MAX_ITEM_DICE, "d6s that it adds", default=0, rule="NJ-2"),
    },
    rule="NJ-3",
    group="Good at",
    place="primary",
)
GEAR = Section(
    "gear", "Gear", "list", {"dice": Whole(1, MAX_ITEM_DICE, "d6s that it adds", default=1, rule="NJ-2")}, rule="NJ-2"
)
CONDITIONS = Section("conditions", "Conditions", "list", {"note": Words("what it means", default=None)})
ABOUT = Section("about", "About", "words", {"text": Words("a line about the character", default=None)}, ("About",))

IP = counter("ip", "IP", MAX_SHEET_IP, "IP held", rule="NJ-15")._replace(coin=True, limit="ip_cap")
GM_IP = IP._replace(title="The GM's IP")
COMPLICATIONS = Section(
    "complications",
    "Complications",
    "list",
    {
        "came_from": Words("the roll that it came from", default=None, rule="NJ-12"),
        "note": Words("what it turned out to be", default=None),
        "used": Flag("the GM has used it"),
    },
    rule="NJ-12",
    help="what rolls have given the GM to make trouble with",
    told=False,
    place="more",
)

CIRCUMSTANCES = Section(
    "circumstances",
    "Circumstances",
    "list",
    {"dice": Whole(1, MAX_ITEM_DICE, "d6s that they add", default=1, rule="NJ-2"), "note": Words("why", default=None)},
    rule="NJ-2",
    offers="In the scene",
)
OBSTACLES = Section(
    "obstacles",
    "Obstacles",
    "list",
    {
        "difficulty": Whole(0, 1000, "how many dice have to count", default=1, rule="NJ-7"),
        "note": Words("what it is like", default=None),
    },
    rule="NJ-7",
    offers="In the way",
)

CHARACTER = (STATS, FOCUS, SPECIALTIES, GEAR, CONDITIONS, ABOUT)
PLAYER = (IP,)
TABLE = (GM_IP, COMPLICATIONS, clocks_section())
SCENE = (CIRCUMSTANCES, OBSTACLES)


class Settings(Ask):
    """What a table settles at the start."""

    edition: str = one_of(tuple(COUNTING), "what counts: 5 or more, or exactly 5 and 6", default="marks", rule="NJ-1")
    player_ip: int = whole(
        0, MAX_SHEET_IP, "IP that a player starts with", default=2, rule="NJ-15", title="IP of a player"
    )
    gm_ip: int = whole(
        0,
        MAX_SHEET_IP,
        "IP that the GM starts with for each player",
        default=2,
        rule="NJ-15",
        title="IP of the GM, for each player",
    )
    ip_cap: int | None = whole(
        0, MAX_SHEET_IP, "the most IP that anybody may hold, if any", default=None, rule="NJ-15", title="Most IP"
    )


def edition(options: Options) -> str:
    """The table's edition."""
    return str(options.get("edition", Settings.edition))


def starting_ip(options: Options) -> tuple[int, int]:
    """What a player starts with, and what the GM gets for each player (NJ-15)."""
    return options.get("player_ip", Settings.player_ip), options.get("gm_ip", Settings.gm_ip)


def ip_of(holder: Holder | None) -> int:
    """The IP on a player's sheet, or on the table's, where the GM's are; somebody without a player has none."""
    return int(holder.value("ip", "IP", "now")) if holder else 0


def purse_of(participants: Participants) -> Holder | None:
    """Who pays and gains for the one who rolls: the player, or the one purse of all GMs (NJ-15)."""
    return participants.table if participants.gm_side else participants.player
