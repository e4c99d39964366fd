"""What may be put into a Chronicles roll: Attributes, Skills, Specialties, modifiers, Willpower, earlier tries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from astragal.author import (
    Dice,
    Effect,
    Holder,
    Offer,
    Options,
    Participants,
    Role,
    SheetOffer,
    Thing,
    offers_from,
    on_tray,
    signed,
)
from astragal.games.chronicles.helping import GROUPS, going_on, pools_of, under_way
from astragal.games.chronicles.pool import UNSKILLED
from astragal.games.chronicles.rules import TEXTS
from astragal.games.chronicles.sheet import ATTRIBUTES, SKILLS, Settings, dots_in, item_name, task_words
from astragal.games.chronicles.team import PART

Put: TypeAlias = Callable[..., SheetOffer]
D10 = Dice(10, 1, "d10")
WILLPOWER_DICE = 3


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """Whether the table's boon is there already (CD-10); of a long task, one roll at a time (CD-13)."""
    found = {"has_boon": _has_boon(participants.roller, participants.options)}
    if kind == "extended":
        found["one_roll"] = True
    if kind == "contested":
        found["their_has_boon"] = _has_boon(participants.target, participants.options)
    return found


def completes(kind: str, values: Mapping[str, Any], participants: Participants) -> dict[str, Any]:
    """What helpers roll, on both sides: it follows from what the leaders put in and from the helpers' own sheets.

    A long task that is under way keeps its target and its rolls, also if its name is typed (CD-13).
    """
    if kind == "extended":
        goes_on = under_way(values.get("task"), participants.roller or participants.table)
        return {**goes_on, **pools_of(kind, values, participants)}
    return pools_of(kind, values, participants)


def _has_boon(who: Holder | None, options: Options) -> bool:
    return who is not None and item_name(options.get("boon", Settings.boon)) in who.items("conditions")


def _puts(by: Role, before: str, helps: bool = False) -> Put:
    """Whose things go where: a leader's into the parts of their pool, a helper's all into what helpers roll."""

    def put(section: str, input: str, gives: Any, group: str, label: str = "{name}", **parts: Any) -> SheetOffer:
        if helps:
            input, label, group = "helper_pool", f"{{holder}}{PART}{label}", "helps"
            parts["also"] = ()
        elif before:
            label, group = f"{{holder}}'s {label}", f"{{holder}}'s {group}"
        mark = "!theirs" if before else ""
        return SheetOffer(section, before + input, gives, by=by, group=group, label=label, mark=mark, die=D10, **parts)

    return put


def _leads(by: Role, before: str = "") -> tuple[SheetOffer, ...]:
    """A leader's traits: an Attribute with a Skill, or two for a task that needs none (CD-1)."""
    put = _puts(by, before)

    def known(offer: Offer, thing: Thing) -> Iterator[Offer]:
        """A Skill without dots gives its penalty instead (CD-3)."""
        label, kind, lacks = f"{offer.label} (no dots)", GROUPS[thing.name], ((f"{before}lacks", thing.name),)
        group, adds = f"{offer.group} without dots", f"{signed(UNSKILLED[kind])} dice"
        less = offer._replace(input=f"{before}unskilled", gives=kind, label=label, group=group, also=lacks, adds=adds)
        yield offer if offer.gives else less._replace(rule="CD-3")

    def one_more(offer: Offer, thing: Thing) -> Iterator[Offer]:
        """A Specialty comes with its Skill, at one tap, so that it fits no other, and gives one die more (CD-1)."""
        yield offer._replace(also=((f"{before}specialty", True),), **on_tray(D10, offer.gives + 1))

    return (
        *(put(part, "attribute", "{dots}", "Attributes", names=ATTRIBUTES[part], rule="CD-1") for part in ATTRIBUTES),
        *(
            put(f"{part}_skills", "skill", "{dots}", "Skills", names=SKILLS[part], rule="CD-1", each=known)
            for part in SKILLS
        ),
        put("specialties", "skill", _in_skill, "Specialties", "{skill}: {name}", each=one_more),
        *_modifiers(put, before),
    )


def _helps(by: Role, before: str = "") -> tuple[SheetOffer, ...]:
    """Attribute and Skill are those of the action; what else a helper has is theirs to put in (CD-12)."""
    put = _puts(by, before, helps=True)
    specialty = put("specialties", "", lambda thing: _in_skill(thing) and 1, "", "{skill}, {name}", rule="CD-12")
    return specialty, *_modifiers(put, before)


def _in_skill(thing: Thing) -> int | None:
    """The dots in a Specialty's Skill; without any there is no Specialty."""
    return dots_in(thing.holder, thing.item["skill"]) or None


def _modifiers(put: Put, before: str) -> Iterator[SheetOffer]:
    """Equipment, weapons with the successes that they add, Conditions, and a point of Willpower (CD-2, CD-9, CD-14)."""

    def extra(thing: Thing) -> tuple[tuple[str, int], ...]:
        return ((f"{before}extra", thing.item["extra"]),) if thing.item.get("extra") else ()

    def rule(thing: Thing) -> str:
        return "CD-9" if extra(thing) else "CD-2"

    spent = Effect("willpower", "{role}", -1, "", "CD-14", "throw", "spends")
    point = {"names": ("Willpower",), "most": lambda thing: min(1, thing.item.get("now", 0)), "price": (spent,)}
    yield put("equipment", "equipment", "{dice}", "Equipment", rule=rule, also=extra)
    yield put("conditions", "modifier", "{dice}", "Conditions")
    yield put("willpower", "modifier", WILLPOWER_DICE, "Willpower", **point)


def _of_scene(**more: Any) -> Iterator[SheetOffer]:
    """Dice that the scene gives or takes (CD-2)."""
    for section in ("circumstances", "conditions"):
        yield SheetOffer(section, "modifier", "{dice}", by="roller or scene", of="scene", die=D10, **more)


def _on_both_sides(offer: Offer, thing: Thing) -> Iterator[Offer]:
    by, label = thing.participants.target or thing.participants.scene, f"{offer.label} (their side)"
    yield offer
    yield offer._replace(id=f"{offer.id}!theirs", label=label, input="their_modifier", by=by.id)


OURS, HELPERS = _leads("roller"), (*_helps("helper"), *_helps("their helper", "their_"))
TRIES = SheetOffer(
    "tries", "tries", lambda thing: thing.item["tries"] or None, group="tries",
    label="again", also=(("task", "{name}"),),
    adds=lambda thing: f"{signed(-thing.item['tries'])} dice",
    does="tries_again",
)  # fmt: skip
"""Who tries again under pressure says so; with time and no pressure the full pool stands (CD-11)."""
TASKS = SheetOffer(
    "tasks", "task", "{name}", by="roller or table", group="task",
    also=lambda thing: tuple(going_on(thing.item).items()), adds=lambda thing: task_words(thing.item),
)  # fmt: skip
"""Continues a long task that is under way: its target and its rolls were fixed when it began (CD-13)."""
offers = offers_from(
    {
        "attempt": (*OURS, TRIES, *HELPERS, *_of_scene()),
        "contested": (*OURS, *_leads("target", "their_"), *HELPERS, *_of_scene(each=_on_both_sides)),
        "extended": (*OURS, *HELPERS, TASKS, *_of_scene()),
    },
    TEXTS.of("offers"),
)
