"""What may be put into a Narraject roll: points, specialties, gear, circumstances, and the help of others."""

from __future__ import annotations

from typing import Any

from astragal.author import Dice, Effect, Participants, Pool, SheetOffer, Thing, offers_from
from astragal.games.narraject.attempt import MAX_IP
from astragal.games.narraject.pool import STEP_DICE
from astragal.games.narraject.rules import TEXTS
from astragal.games.narraject.sheet import ip_of

D6 = Dice(6, 1, "d6")


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """The roller (NJ-15), and the IP that they hold (NJ-13)."""
    side, purse = ("gm", participants.table) if participants.gm_side else ("player", participants.player)
    ip = min(ip_of(purse), MAX_IP // 2)  # what a roll has spent is added to it
    return {"side": side, "ip": ip}


def _points(input: str, gives: Any, rule: str, cause: str, **more: Any) -> SheetOffer:
    """Each point spent is a d6, as far as the Reserve goes (NJ-2, NJ-6)."""
    price = Effect("stats", "{role}", -1, "{name}", rule, "throw", cause)
    return SheetOffer("stats", input, gives, rule=rule, held="{now}", price=(price,), die=D6, **more)


def _help(thing: Thing) -> int | None:
    """A helper gives 1 point of one stat for 1d6; the roller cannot help themselves (NJ-5)."""
    roller = thing.participants.roller
    return None if roller and roller.id == thing.giver.id else 1


def _good_at(section: str) -> SheetOffer:
    """One Focus and one specialty: each gives the Step Die of its level, the specialty its dice too (NJ-2, NJ-3)."""
    level, label = ("{name}", "{level}"), "{name} ({level})"
    return SheetOffer(section, "trait", level, label=label, also=_also, slot=section, told="with", dice=_dice)


def _also(thing: Thing) -> tuple[tuple[str, int], ...]:
    return (("d6", thing.item["dice"]),) if thing.item.get("dice") else ()


def _dice(thing: Thing) -> Pool:
    step_die = Dice(STEP_DICE[thing.item["level"]], 1, "Step Die", role="special")
    return (*(D6._replace(n=n) for _, n in _also(thing)), step_die)


def _unlike_stats(thing: Thing) -> str:
    """Points are checked by their stat's name, so nothing else may go by that name."""
    roller = thing.participants.roller
    taken = roller is not None and thing.name in roller.items("stats")
    return f"{thing.name} ({thing.places['title'].lower()})" if taken else thing.name


SCENE: dict[str, Any] = {"of": "scene", "by": "roller or scene"}
HELP: dict[str, Any] = {
    "group": "helps",
    "label": "helper",
    "most": lambda thing: min(1, thing.item["now"]),
    "slot": "help of {id}",
}
ATTEMPT = (
    _points("d6", 1, "NJ-6", "puts", most="{now}"),
    _good_at("focus"),
    _good_at("specialties"),
    SheetOffer("gear", "d6", "{dice}", label=_unlike_stats, die=D6),
    SheetOffer("circumstances", "d6", "{dice}", label=_unlike_stats, die=D6, **SCENE),
    SheetOffer("obstacles", "difficulty", "{difficulty}", told="against", adds="difficulty", **SCENE),
    _points("help_dice", _help, "NJ-5", "with_help", by="helper", mark="!help", **HELP),
)
offers = offers_from({"attempt": ATTEMPT}, TEXTS.of("offers"))
