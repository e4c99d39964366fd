"""The pools of helpers at a table: the traits of the action, read from each helper's own sheet (CD-12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count, product
from typing import Any

from astragal.author import Holder, Participants, Source, Total, sources_of
from astragal.games.chronicles.pool import UNSKILLED, same_name
from astragal.games.chronicles.rules import refuse, say
from astragal.games.chronicles.sheet import ATTRIBUTES, SKILLS, dots_in
from astragal.games.chronicles.team import PART

GROUPS = {name: group for group, names in (*ATTRIBUTES.items(), *SKILLS.items()) for name in names}
"""The group of every Attribute and Skill."""
EVERY_SKILL = frozenset(name for names in SKILLS.values() for name in names)


def going_on(task: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of the next roll of a long task (CD-13)."""
    made, left = task.get("made", 0), task["left"]
    return {"target": task["target"], "rolls": made + left, "gathered": task["successes"], "made": made}


def under_way(task: str | None, keeper: Holder) -> dict[str, Any]:
    """The task of this name that is under way, with what it has fixed; one without a name gets one."""
    tasks = keeper.items("tasks")
    if task is None:
        names = (say("CD-13.long_task_n", n=n) if n else say("CD-13.long_task") for n in count(0) if n != 1)
        return {"task": next(name for name in names if name not in tasks)}
    return next(({"task": name, **going_on(kept)} for name, kept in tasks.items() if same_name(name, task)), {})


def pools_of(kind: str, values: Mapping[str, Any], participants: Participants) -> dict[str, Any]:
    """The pools of helpers, on both sides, and Skills that count once (CD-1, CD-12)."""
    ours = {**_skill_once(values, ""), **_pools(values, "", participants.helpers)}
    if kind != "contested":
        return ours
    return {**ours, **_skill_once(values, "their_"), **_pools(values, "their_", participants.their_helpers)}


def _skill_once(values: Mapping[str, Any], before: str) -> dict[str, Any]:
    """A Specialty brings its Skill along, so the Skill counts once if both are put in (CD-1)."""
    sources = sources_of(values.get(f"{before}skill"))
    brought = {source.label.partition(PART)[0] for source in sources if PART in source.label}
    left = [source for source in sources if source.label not in brought]
    return {f"{before}skill": Total(left)} if len(left) < len(sources) else {}


def _pools(values: Mapping[str, Any], before: str, helpers: tuple[Holder, ...]) -> dict[str, Any]:
    if not helpers:
        return {}
    given = values.get(f"{before}helper_pool")
    own: dict[str, list[Source]] = {name: [] for name in _names(helpers)}
    others: list[Source] = []
    for source in sources_of(given):
        own.get(source.label.partition(PART)[0], others).append(source)
    if type(given) is int and given:
        return {f"{before}helpers": len(helpers)}
    traits = list(_traits(values, before))
    if not traits and not sources_of(given):
        return {f"{before}helpers": len(helpers)}
    for helper, trait in product(helpers, traits) if values.get("trained_only") else ():
        untrained = trait.label in EVERY_SKILL and not dots_in(helper, trait.label)
        refuse(untrained, "CD-3.helper", name=helper.name, trait=trait.label)
    parts = [part for name, helper in zip(own, helpers, strict=True) for part in _pool(name, helper, traits, own[name])]
    count = len({*own, *(source.label.partition(PART)[0] for source in others)})
    return {f"{before}helper_pool": Total([*parts, *others]), f"{before}helpers": count}


def _names(helpers: tuple[Holder, ...]) -> list[str]:
    """The helpers' names; a second of the same name has a number."""
    names: list[str] = []
    for helper in helpers:
        same = sum(name == helper.name or name.startswith(f"{helper.name} #") for name in names)
        names.append(f"{helper.name} #{same + 1}" if same else helper.name)
    return names


def _traits(values: Mapping[str, Any], before: str) -> Iterator[Source]:
    """Attributes and Skill of the action by name, and what the scene gives or takes."""
    for input in ("attribute", "skill", "pool", "ours" if not before else "theirs"):
        for source in sources_of(values.get(input if input == "theirs" else f"{before}{input}")):
            label = source.label.rpartition("'s ")[2].partition(PART)[0].title()
            if label in GROUPS:
                yield source._replace(label=label)
    lacking = values.get(f"{before}lacks")
    if lacking in GROUPS:
        yield Source(str(lacking), 0)
    for source in sources_of(values.get(f"{before}modifier")):
        if (source.offer or "").startswith("scene/"):
            yield source


def _pool(name: str, helper: Holder, traits: list[Source], own: list[Source]) -> Iterator[Source]:
    """One helper's pool; one that was typed as a number for the helper stands for all of it."""
    typed = [source for source in own if source.label == name]
    yield from typed
    if not typed:
        for trait in traits:
            yield _read(name, helper, trait)
    for source in own:
        if source.label != name:
            _refuse_specialty(helper, source, traits)
            yield source


def _read(name: str, helper: Holder, trait: Source) -> Source:
    """The helper's own dots in a trait, or the penalty for a Skill without any (CD-3)."""
    label = f"{name}{PART}{trait.label}"
    if trait.label not in GROUPS:
        return Source(label, trait.n)
    group = GROUPS[trait.label]
    if trait.label not in EVERY_SKILL:
        return Source(label, helper.value(group, trait.label, "dots"))
    dots = dots_in(helper, trait.label)
    return Source(label, dots) if dots else Source(f"{label} (no dots)", UNSKILLED[group])


def _refuse_specialty(helper: Holder, source: Source, traits: list[Source]) -> None:
    """A helper's Specialty must belong to the Skill of the action (CD-1)."""
    section, _, name = (source.offer or "").removeprefix(f"{helper.id}/").removesuffix("!theirs").partition("/")
    skill = helper.value("specialties", name, "skill", "")
    other = section == "specialties" and skill not in {trait.label for trait in traits}
    refuse(other, "CD-12.specialty", name=helper.name, skill=skill)
