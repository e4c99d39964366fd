"""What may be put into a TGIMH pool, and what a roll reads by itself (TG-2, TG-6, TG-7, TG-14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from astragal.author import (
    MAX_LABEL,
    TABLE,
    Dice,
    Effect,
    Holder,
    Offer,
    Participants,
    Role,
    SheetOffer,
    Thing,
    offers_from,
    on_tray,
    signed,
)
from astragal.games.tgimh.rules import TEXTS, say
from astragal.games.tgimh.sheet import TRACK, WILL, kept_name, will_is_capped
from astragal.games.tgimh.text import of

WHOSE = "{holder}'s {title}"


def _die(thing: Thing) -> Dice:
    return Dice(thing.participants.options.get("die", 10))


def _called(thing: Thing) -> str:
    """The label of an item in a roll: your own by its name, any other with its owner or as the scene's."""
    if thing.holder.id == thing.giver.id:
        return thing.name
    scene = thing.holder.id == thing.participants.scene.id
    whose = thing.item.get("whose") if scene else thing.holder.name
    return f"{of(whose)} {thing.name}" if whose else f"{thing.name} (scene)"


def _label(thing: Thing) -> str:
    return _called(thing)[:MAX_LABEL]


def _price(thing: Thing) -> tuple[Effect, ...]:
    """An Aspect or Condition costs its user 1 Will (TG-6); the GM's quick pools have none."""
    role, cause = thing.places["role"], f"{{who}} uses {_called(thing)}"
    return () if role == TABLE else (Effect("will", role, -1, rule="TG-6", when="throw", cause=cause),)


def _used(section: str, input: str, by: Role, group: Any = WHOSE, **more: Any) -> SheetOffer:
    """Aspects or Conditions, which cost Will."""
    more = {"label": _label, "price": _price, "rule": "TG-6", **more}
    return SheetOffer(section, input, "{dice}", by=by, group=group, die=_die, **more)


def _of_side(by: Role, pool: str, gear: str, *, mark: str = "", alone: bool = False) -> tuple[SheetOffer, ...]:
    """Own things first, then the scene's (TG-2). In a Recovery there is one side alone, which needs no name."""
    nameless = "offers.our_side" if pool == "ours" else "offers.other_side"

    def scene(thing: Thing) -> str:
        return say("offers.in_scene", side=say(nameless) if thing.giver.id == TABLE else thing.giver.name)

    whose = "use" if alone else WHOSE
    return (
        _used("aspects", pool, by),
        _used("conditions", pool, by, whose),
        SheetOffer("abilities", gear, "{dice}", by=by, group=WHOSE, die=_die),
        SheetOffer("gear", gear, "{dice}", by=by, group=WHOSE, die=_die, slot="{id}/gear/{name}", each=_either_way),
        _used("conditions", pool, by, whose if alone else scene, of="scene", mark=mark),
    )


def _either_way(offer: Offer, thing: Thing) -> Iterator[Offer]:
    """Gear helps or hinders by the scene: its sign is chosen when it is put in, the sheet's being the usual one."""
    n: int = offer.gives
    yield offer if n else offer._replace(adds=f"{signed(n)} dice")
    if n:
        label = f"{offer.label} ({'hinders' if n > 0 else 'helps'})"
        yield offer._replace(id=f"{offer.id}!turned", label=label, gives=-n, **on_tray(_die(thing), -n))


def _against(by: Role, other: Role, pool: str, against: str) -> tuple[SheetOffer, ...]:
    """What the opponent has: a used Aspect gives them 1 Will (TG-7), unless theirs is full (TG-8); a Condition none."""

    def paying(offer: Offer, thing: Thing) -> Iterator[Offer]:
        will, options = thing.holder.item("will", WILL), thing.participants.options
        if will_is_capped(options) and will and will["now"] >= will["start"]:
            full, price = f"{of(thing.holder.name)} Will is full", () if options.get("will_free") else offer.price
            yield offer._replace(price=price, rule="TG-8", group=f"{offer.group}: {full}")
        else:
            cause = f"{thing.name} is used against {{who}}"
            gain = Effect("will", other, 1, rule="TG-7", when="throw", cause=cause)
            yield offer._replace(price=(*offer.price, gain), rule="TG-7")

    group, theirs = f"{WHOSE}, against them", {"of": other, "mark": "!against"}
    aspects = _used("aspects", against, by, group, each=paying, **theirs)
    return aspects, _used("conditions", pool, by, group, **theirs)


OUR, THEIR = "roller or table", "target or table"
CONTEST = (
    *_of_side(OUR, "ours", "gear"),
    *_against(OUR, "target", "ours", "against_them"),
    *_of_side(THEIR, "theirs", "their_gear", mark="!theirs"),
    *_against(THEIR, "roller", "theirs", "against_us"),
)

# Recovery: the Condition that is worked on stands where the opponent would.

HEAL: dict[str, Any] = {"mark": "!recovery", "group": "heal", "label": _label, "adds": "eases", "rule": "TG-14"}
HEAL["also"] = lambda thing: (("name", _label(thing)),)
HELD = [SheetOffer("conditions", "dice", "{dice}", by=OUR, of=of, **HEAL) for of in ("roller", "target", "scene")]
RECOVERY = (*HELD, *_of_side(OUR, "ours", "gear", alone=True))
offers = offers_from({"contest": CONTEST, "recovery": RECOVERY}, TEXTS.of("offers"))
held = offers_from({"recovery": HELD})


class HeldCondition(NamedTuple):
    """A Condition: the id of its holder, its name, and what it is called in a roll."""

    holder: str
    name: str
    label: str


def find_condition(participants: Participants, called: str) -> HeldCondition | None:
    """The Condition that a roll was about, by what it was called there or by its plain name."""
    wanted, offers = called.lower(), held("recovery", participants)
    places = [(offer.id.removesuffix("!recovery").split("/", 2), offer.label) for offer in offers]
    found = [HeldCondition(holder, name, label) for (holder, _, name), label in places]
    by_label = [condition for condition in found if condition.label.lower() == wanted]
    return next(iter(by_label or [condition for condition in found if condition.name.lower() == wanted]), None)


# What a roll reads by itself.


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """Both sides, and the table's settings; a side without a sheet has to give its dice."""
    options, us, them = participants.options, participants.roller, participants.target
    ours = {"ours": 0, "our_name": us.name} if us else {"our_name": participants.roller_name or None}
    if kind == "recovery":
        return ours
    called = participants.target_name or say("offers.other_side")
    theirs = {"theirs": 0, "their_name": them.name} if them else {"their_name": called}
    apart = {"apart": True} if options.get("apart") and them else {}
    kept = _kept("", us, participants.roller_name, participants)
    return {**ours, **theirs, **apart, **kept, **_kept("their_", them, participants.target_name, participants)}


def _kept(whose: str, holder: Holder | None, name: str, participants: Participants) -> dict[str, Any]:
    """The highest Will where the table has one (TG-8); what the scene keeps of a side without a sheet (TG-2)."""
    if holder is not None:
        will = holder.item("will", WILL)
        return {f"{whose}will_cap": will["start"]} if will and will_is_capped(participants.options) else {}
    known = participants.scene.item("others", kept_name(name)) if name else None
    if not known:
        return {f"{whose}track": participants.options.get("track", TRACK)}
    track, crossed = known["length"], tuple(known["crossed"])
    return {f"{whose}track": track, f"{whose}crossed": crossed, f"{whose}out": known["out"]}
