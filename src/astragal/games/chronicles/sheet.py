"""What Chronicles keeps (CD-14): Attributes and Skills in three groups, Specialties, Conditions, Beats, Willpower."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.author import (
    MAX_NAME,
    Ask,
    Holder,
    OneOf,
    Options,
    Section,
    Whole,
    Words,
    clocks_section,
    counter,
    flag,
    words,
)
from astragal.games.chronicles.extended import MAX_ROLLS, MAX_TARGET
from astragal.games.chronicles.rules import TEXTS, say

ATTRIBUTES = {
    "mental": ("Intelligence", "Wits", "Resolve"),
    "physical": ("Strength", "Dexterity", "Stamina"),
    "social": ("Presence", "Manipulation", "Composure"),
}
SKILLS = {
    "mental": (
        "Academics",
        "Computer",
        "Crafts",
        "Investigation",
        "Medicine",
        "Occult",
        "Politics",
        "Science",
    ),
    "physical": ("Athletics", "Brawl", "Drive", "Firearms", "Larceny", "Stealth", "Survival", "Weaponry"),
    "social": (
        "Animal Ken",
        "Empathy",
        "Expression",
        "Intimidation",
        "Persuasion",
        "Socialize",
        "Streetwise",
        "Subterfuge",
    ),
}
EVERY_SKILL = tuple(name for names in SKILLS.values() for name in names)
MAX_ATTRIBUTE = 10
MAX_SKILL = 5
MAX_COUNT = 999
MAX_EXTRA = 10


def _attributes(group: str) -> Section:
    dots = Whole(0, MAX_ATTRIBUTE, "dots", default=1, rule="CD-14")
    title = f"{group.title()} Attributes"
    section = Section(group, title, "dots", {"dots": dots}, ATTRIBUTES[group], counts="dots", rule="CD-14")
    return section._replace(layout="grid", group="Attributes", column=group.title(), place="primary")


def _skills(group: str) -> Section:
    dots = Whole(0, MAX_SKILL, "dots", default=0, rule="CD-14")
    title = f"{group.title()} Skills"
    section = Section(f"{group}_skills", title, "dots", {"dots": dots}, SKILLS[group], counts="dots", rule="CD-14")
    return section._replace(layout="skills", group="Skills", column=group.title(), place="primary")


SPECIALTIES = Section(
    "specialties",
    "Specialties",
    "list",
    {"skill": OneOf(EVERY_SKILL, "the Skill that it belongs to", rule="CD-14")},
    rule="CD-1",
    help="one die more where it fits",
    hangs="skill",
    place="primary",
)
EQUIPMENT = Section(
    "equipment",
    "Equipment",
    "list",
    {
        "dice": Whole(0, 5, "dice that it gives: 1 to 3, the best 4 or 5", default=1, rule="CD-2"),
        "extra": Whole(
            0, MAX_EXTRA, "successes that it adds to a roll with one, if it is a weapon", default=0, rule="CD-9"
        ),
    },
    rule="CD-2",
    help="dice, and extra successes if it is a weapon",
)
CONDITIONS = Section(
    "conditions",
    "Conditions",
    "list",
    {
        "note": Words("what it means", default=None),
        "dice": Whole(-5, 5, "dice that it gives or takes, where it matters; 0 is allowed", default=0, rule="CD-14"),
    },
    rule="CD-14",
    help="a sentence and dice; each can be put into a roll",
)
WILLPOWER = Section(
    "willpower",
    "Willpower",
    "pips",
    {
        "now": Whole(0, MAX_COUNT, "points left", default=2, rule="CD-14"),
        "full": Whole(0, MAX_COUNT, "points when full", default=2, rule="CD-14"),
    },
    ("Willpower",),
    counts="now",
    top="full",
    rule="CD-14",
    help="a point is three dice, before the roll",
    coin=True,
)
BEATS = counter("beats", "Beats", MAX_COUNT, "Beats gathered", rule="CD-14")._replace(coin=True, one="Beat")
TRIES = Section(
    "tries",
    "Tries",
    "list",
    {"tries": Whole(0, MAX_COUNT, "tries that came to nothing", default=1, rule="CD-11")},
    counts="tries",
    rule="CD-11",
    help="under pressure, each takes one die from the next try",
    told=False,
)
TASKS = Section(
    "tasks",
    "Long tasks",
    "list",
    {
        "successes": Whole(0, MAX_TARGET, "successes gathered", default=0, rule="CD-13"),
        "target": Whole(1, MAX_TARGET, "successes needed in all", default=10, rule="CD-13"),
        "left": Whole(1, MAX_ROLLS, "rolls left", default=5, rule="CD-13"),
        "made": Whole(0, MAX_ROLLS, "rolls made", default=0, rule="CD-13"),
    },
    counts="successes",
    top="target",
    rule="CD-13",
    help="go on with one in a roll of its own, or give it up",
    told=False,
    secret=True,
    says=lambda name, task: task_words(task),
)
ABOUT = Section("about", "About", "words", {"text": Words("a line about the character", default=None)}, ("About",))

CIRCUMSTANCES = Section(
    "circumstances",
    "Circumstances",
    "list",
    {
        "dice": Whole(-5, 5, "dice that they give or take, mostly up to 3, at the most 5", rule="CD-2"),
        "note": Words("why", default=None),
    },
    rule="CD-2",
    offers="In the scene",
)

CHARACTER = (
    *map(_attributes, ATTRIBUTES),
    *map(_skills, SKILLS),
    SPECIALTIES,
    EQUIPMENT,
    CONDITIONS,
    WILLPOWER,
    BEATS,
    TRIES,
    TASKS,
    ABOUT,
)
TABLE = (clocks_section(), TASKS)
SCENE = (CIRCUMSTANCES, CONDITIONS._replace(offers="In the scene"))


class Settings(Ask, texts=TEXTS.of("settings")):
    """What a table settles at the start."""

    boon: str = words(default="Inspired", rule="CD-10")
    trained_only: bool = flag(default=False, rule="CD-3")


def boon(options: Options) -> str:
    """The Condition that an exceptional success gives at this table (CD-10)."""
    return str(options.get("boon", Settings.boon))


def trained_only(options: Options) -> bool:
    """True if nobody at this table tries anything without dots in the Skill (CD-3)."""
    return bool(options.get("trained_only", False))


def task_words(task: Mapping[str, Any]) -> str:
    """How far a long task has come: total, target and rolls left (CD-13)."""
    return say("CD-13.task", n=task["successes"], target=task["target"], left=task["left"])


def dots_in(who: Holder, skill: str) -> int:
    """A character's dots in a Skill, whatever its group."""
    return sum(int(who.value(f"{group}_skills", skill, "dots")) for group in SKILLS)


def item_name(words: str) -> str:
    """Words as the name of an item: not too long, and without a stroke."""
    return " ".join(words.replace("/", " ").split())[:MAX_NAME].strip() or "something"
