"""Chronicles' sheets (CD-14): Attributes and Skills in three groups, Specialties, Conditions, Beats, Willpower."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.author import (
    MAX_NAME,
    Ask,
    Holder,
    OneOf,
    Section,
    Whole,
    Words,
    clocks_section,
    counter,
    flag,
    sections,
    words,
)
from astragal.games.chronicles.extended import MAX_ROLLS, MAX_TARGET
from astragal.games.chronicles.rules import TEXTS, say

ATTRIBUTES = {
    "mental": ("Intelligence", "Wits", "Resolve"),
    "physical": ("Strength", "Dexterity", "Stamina"),
    "social": ("Presence", "Manipulation", "Composure"),
}
MENTAL = "Academics, Computer, Crafts, Investigation, Medicine, Occult, Politics, Science"
PHYSICAL = "Athletics, Brawl, Drive, Firearms, Larceny, Stealth, Survival, Weaponry"
SOCIAL = "Animal Ken, Empathy, Expression, Intimidation, Persuasion, Socialize, Streetwise, Subterfuge"
SKILLS = {
    "mental": tuple(MENTAL.split(", ")),
    "physical": tuple(PHYSICAL.split(", ")),
    "social": tuple(SOCIAL.split(", ")),
}
EVERY_SKILL = tuple(name for names in SKILLS.values() for name in names)
MAX_ATTRIBUTE = 10
MAX_SKILL = 5
MAX_COUNT = 999
MAX_EXTRA = 10
NOTE = Words(default=None)
BY_DICE = Whole(-5, 5, default=0, rule="CD-14")


def _dots(name: str, names: tuple[str, ...], most: int, least: int) -> Section:
    """Attributes or Skills of a group."""
    dots = {"dots": Whole(0, most, "dots", default=least, rule="CD-14")}
    return Section(name, look="dots", fields=dots, names=names, counts="dots", rule="CD-14", place="primary")


CONDITIONS = Section("conditions", fields={"note": NOTE, "dice": BY_DICE}, rule="CD-14")
POINTS = {name: Whole(0, MAX_COUNT, default=2, rule="CD-14") for name in ("now", "full")}
WILLPOWER = Section("willpower", look="pips", fields=POINTS, names=("Willpower",), counts="now", top="full")
TASK = {
    "successes": Whole(0, MAX_TARGET, default=0, rule="CD-13"),
    "target": Whole(1, MAX_TARGET, default=10, rule="CD-13"),
    "left": Whole(1, MAX_ROLLS, default=5, rule="CD-13"),
    "made": Whole(0, MAX_ROLLS, default=0, rule="CD-13"),
}
TASKS = Section("tasks", fields=TASK, counts="successes", top="target", rule="CD-13", told=False, secret=True)
TASKS = TASKS._replace(says=lambda name, task: task_words(task))
TRIES = Whole(0, MAX_COUNT, default=1, rule="CD-11")
GEAR = {"dice": Whole(0, 5, default=1, rule="CD-2"), "extra": Whole(0, MAX_EXTRA, default=0, rule="CD-9")}
SPECIALTY = {"skill": OneOf(EVERY_SKILL, rule="CD-14")}
CHARACTER = sections(
    TEXTS.of("character"),
    *(_dots(group, ATTRIBUTES[group], MAX_ATTRIBUTE, 1)._replace(layout="grid") for group in ATTRIBUTES),
    *(_dots(f"{group}_skills", SKILLS[group], MAX_SKILL, 0)._replace(layout="skills") for group in SKILLS),
    Section("specialties", fields=SPECIALTY, rule="CD-1", hangs="skill", place="primary"),
    Section("equipment", fields=GEAR, rule="CD-2"),
    CONDITIONS,
    WILLPOWER._replace(rule="CD-14", coin=True),
    counter("beats", "Beats", MAX_COUNT, rule="CD-14")._replace(coin=True),
    Section("tries", fields={"tries": TRIES}, counts="tries", rule="CD-11", told=False),
    TASKS,
    Section("about", look="words", fields={"text": NOTE}, names=("About",)),
)
TABLE = (clocks_section(), *sections(TEXTS.of("character"), TASKS))
CIRCUMSTANCES = Section("circumstances", fields={"dice": Whole(-5, 5, rule="CD-2"), "note": NOTE}, rule="CD-2")
SCENE = sections(TEXTS.of("scene"), CIRCUMSTANCES, CONDITIONS)


class Settings(Ask, texts=TEXTS.of("settings")):
    """The settings that a table agrees on at the start."""

    boon: str = words(default="Inspired", rule="CD-10")
    trained_only: bool = flag(default=False, rule="CD-3")


def task_words(task: Mapping[str, Any]) -> str:
    """The progress of a long task: total, target and rolls left (CD-13)."""
    return say("CD-13.task", n=task["successes"], target=task["target"], left=task["left"])


def dots_in(who: Holder, skill: str) -> int:
    """A character's dots in a Skill, whatever its group."""
    return sum(int(who.value(f"{group}_skills", skill, "dots")) for group in SKILLS)


def item_name(words: str) -> str:
    """Words as the name of an item: not too long, and without a stroke."""
    return " ".join(words.replace("/", " ").split())[:MAX_NAME].strip() or "something"
