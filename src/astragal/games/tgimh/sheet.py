"""What TGIMH keeps: the sections of its sheets, and a table's settings (TG-1, TG-2, TG-8, TG-12, TG-13, TG-17)."""

from __future__ import annotations

from astragal.author import (
    MAX_DICE,
    MAX_NAME,
    Ask,
    Flag,
    Items,
    Numbers,
    OneOf,
    Options,
    Section,
    Whole,
    Words,
    clocks_section,
    counter,
    flag,
    one_of,
    whole,
)
from astragal.games.tgimh.contest import MAX_DIE
from astragal.games.tgimh.contestant import MAX_TRACK, MAX_WILL
from astragal.games.tgimh.rules import TEXTS

START_WILL = 9
TRACK = 5
WILL, POWER, OUT = "Will", "Power", "Out of the scene"
KEYS = ("dramatic", "motivation")


class Settings(Ask, texts=TEXTS.of("settings")):
    """What a table agrees on before it plays."""

    die: int = whole(2, MAX_DIE, default=10, rule="TG-1")
    start_will: int = whole(0, MAX_WILL, default=START_WILL, rule="TG-8")
    will_cap: str = one_of(("none", "start"), default="none", rule="TG-8")
    will_free: bool = flag(default=False, rule="TG-8")
    track: int = whole(1, MAX_TRACK, default=TRACK, rule="TG-12")
    apart: bool = flag(default=False, rule="TG-1")


def will_is_capped(options: Options) -> bool:
    """Will stops at its start only where the table wants it so (TG-8)."""
    return options.get("will_cap") == "start"


def dice_section(name: str, title: str, lowest: int, rule: str, help: str = "", **more: Flag | Words) -> Section:
    """Things by name, with dice and a few words."""
    dice = Whole(lowest, MAX_DICE, "dice", default=1, rule=rule)
    fields = {"dice": dice, **more, "note": Words("what it means", default=None)}
    return Section(name, title, "list", fields, rule=rule, help=help)


CONDITIONS = dice_section(
    "conditions",
    "Conditions",
    1,
    "TG-13",
    "Injuries and whatever else lasts until the story, a Recovery or a Refreshment ends it",
    injury=Flag("an Injury", rule="TG-10"),
    transient=Flag("a Refreshment clears it", default=True, rule="TG-15"),
)
CHARACTER = (
    Section("about", "About", "words", {"text": Words("a line about the character", default=None)}, names=("About",)),
    Section(
        "will",
        "Will",
        "pips",
        {
            "now": Whole(0, MAX_WILL, "Will left", default=START_WILL, rule="TG-6"),
            "start": Whole(0, MAX_WILL, "Will at the start", default=START_WILL, rule="TG-8"),
        },
        (WILL,),
        counts="now",
        top="start",
        capped=will_is_capped,
        rule="TG-8",
        coin=True,
    ),
    Section(
        "power",
        "Power track",
        "boxes",
        {
            "crossed": Numbers(1, MAX_TRACK, "boxes that are crossed", rule="TG-10"),
            "length": Whole(1, MAX_TRACK, "boxes in all", default=TRACK, rule="TG-12"),
        },
        (POWER,),
        counts="crossed",
        top="length",
        rule="TG-12",
        layout="track",
        place="main",
    ),
    Section("out", "Out", "list", {"out": Flag("out of the scene", rule="TG-12")}, (OUT,), rule="TG-12", place="more"),
    dice_section("aspects", "Aspects", 1, "TG-6", "each costs 1 Will when it gives dice, whoever uses it")._replace(
        place="primary", group="Aspects · 1 Will each"
    ),
    dice_section("abilities", "Abilities", 1, "TG-2", "of one's culture, free of Will")._replace(
        group="Abilities and gear"
    ),
    Section("backgrounds", "Backgrounds", "list", {"note": Words("what it means", default=None)}, rule="TG-19"),
    dice_section("gear", "Gear", -MAX_DICE, "TG-2", "free of Will; mostly within 3 dice either way")._replace(
        group="Abilities and gear"
    ),
    CONDITIONS,
    Section(
        "keys",
        "Keys",
        "list",
        {
            "kind": OneOf(KEYS, "what it rewards", default=KEYS[0], rule="TG-17"),
            "note": Words("the issue or the drive", default=None),
        },
        rule="TG-17",
        place="more",
    ),
    counter("xp", "XP", 1000, "XP on the way to the next Advance", rule="TG-18")._replace(place="more"),
    counter("advances", "Advances", 1000, "Advances saved", rule="TG-18")._replace(place="more"),
)
TABLE_SHEET = (
    clocks_section(),
    Section(
        "openings",
        "Openings",
        "list",
        {"used": Flag("the GM has used it", rule="TG-15"), "note": Words("what it may lead to", default=None)},
        rule="TG-15",
        help="what Refreshment scenes gave the GM",
        told=False,
    ),
)
SCENE_SHEET = (
    dice_section(
        "conditions",
        "Conditions",
        1,
        "TG-13",
        "anyone may use them, for 1 Will; they last until somebody ends them",
        whose=Words("whose it is, if they have no sheet", default=None, rule="TG-2"),
    )._replace(lasts=True, offers="In the scene · 1 Will each"),
    Section(
        "others",
        "Others",
        "boxes",
        {
            "crossed": Numbers(1, MAX_TRACK, "boxes that are crossed", rule="TG-10"),
            "length": Whole(1, MAX_TRACK, "boxes in all", default=TRACK, rule="TG-12"),
            "out": Flag("out of the scene", rule="TG-12"),
        },
        counts="crossed",
        top="length",
        rule="TG-2",
        layout="track",
        help="sides without a sheet, by the name that a GM gave them",
    )._replace(lasts=True),
)


def free_name(wanted: str, taken: Items) -> str:
    """The name, with a number behind it if there is such an item already."""
    name = wanted.replace("/", "-").strip()[: MAX_NAME - 5].strip() or "Condition"
    n = 1
    while (found := name if n == 1 else f"{name} {n}") in taken:
        n += 1
    return found


def kept_name(name: str) -> str:
    """The name under which the scene keeps what a side without a sheet bears."""
    return name.replace("/", "-").strip()[:MAX_NAME]
