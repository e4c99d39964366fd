"""What may be put into a Narraject roll: points, specialties, gear, circumstances, and the help of others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.author import Dice, Effect, Holder, Offer, Participants, Pool, Role
from astragal.games.narraject.attempt import MAX_IP
from astragal.games.narraject.pool import STEP_DICE
from astragal.games.narraject.sheet import edition, ip_of, purse_of

D6 = Dice(6, 1, "d6")


def _d6s(n: int) -> Pool:
    """So many d6s, if any."""
    return (D6._replace(n=n),) if n else ()


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """The table's edition (NJ-1), who rolls (NJ-15), and the IP that they hold (NJ-13)."""
    side = "gm" if participants.gm_side else "player"
    ip = min(ip_of(purse_of(participants)), MAX_IP // 2)  # what a roll has spent is added to it
    return {"edition": edition(participants.options), "side": side, "ip": ip}


def offers(kind: str, participants: Participants) -> Iterator[Offer]:
    """The roller's own things, then the scene's, then what helpers lend."""
    if participants.roller:
        yield from _stats(participants.roller)
        yield from _specialties(participants.roller)
        yield from _gear(participants.roller)
    yield from _scene(participants)
    for place, helper in enumerate(participants.helpers, 1):
        if participants.roller is None or helper.id != participants.roller.id:
            yield from _help(helper, place)


def _stats(who: Holder) -> Iterator[Offer]:
    """Each point spent is a d6, as far as the Reserve goes (NJ-2, NJ-6)."""
    for name, stat in who.items("stats").items():
        id = f"{who.id}/stats/{name}"
        price = _point("roller", name, f"puts {name} into a roll", "NJ-6")
        yield Offer(id, "Stats", name, "d6", 1, who.id, stat["now"], stat["now"], price, "NJ-6", dice=(D6,))


def _point(role: Role, stat: str, cause: str, rule: str) -> tuple[Effect, ...]:
    return (Effect("stats", role, -1, stat, rule, "throw", f"{{who}} {cause}"),)


def _specialties(who: Holder) -> Iterator[Offer]:
    """One Focus and one specialty: each gives the Step Die of its level, the specialty its dice too (NJ-2, NJ-3)."""
    for section, group in (("focus", "Focus"), ("specialties", "Specialties")):
        for name, trait in who.items(section).items():
            dice = (("d6", trait["dice"]),) if trait.get("dice") else ()
            yield Offer(
                f"{who.id}/{section}/{name}",
                group,
                f"{name} ({trait['level']})",
                "trait",
                (name, trait["level"]),
                who.id,
                rule="NJ-3",
                also=dice,
                slot=section,
                told="with {}",
                dice=(*_d6s(trait.get("dice", 0)), Dice(STEP_DICE[trait["level"]], 1, "Step Die", role="special")),
            )


def _gear(who: Holder) -> Iterator[Offer]:
    for name, gear in who.items("gear").items():
        label = _label(name, "gear", who)
        id, dice = f"{who.id}/gear/{name}", gear["dice"]
        yield Offer(id, "Gear", label, "d6", dice, who.id, rule="NJ-2", dice=_d6s(dice))


def _label(name: str, kind: str, who: Holder | None) -> str:
    """Points are checked by their stat's name, so nothing else may go by that name."""
    return f"{name} ({kind})" if who and name in who.items("stats") else name


def _scene(participants: Participants) -> Iterator[Offer]:
    """Circumstances add dice (NJ-2); an obstacle sets the Difficulty (NJ-7)."""
    scene, by = participants.scene, (participants.roller or participants.scene).id
    for name, circumstance in scene.items("circumstances").items():
        label = _label(name, "circumstances", participants.roller)
        id = f"{scene.id}/circumstances/{name}"
        dice = circumstance["dice"]
        yield Offer(id, "Circumstances", label, "d6", dice, by, rule="NJ-2", dice=_d6s(dice))
    for name, obstacle in scene.items("obstacles").items():
        id = f"{scene.id}/obstacles/{name}"
        difficulty = obstacle["difficulty"]
        about = Offer(id, "Obstacles", name, "difficulty", difficulty, by, rule="NJ-7", told="against {}")
        yield about._replace(adds=f"Difficulty {difficulty}")


def _help(helper: Holder, place: int) -> Iterator[Offer]:
    """A helper gives 1 point of one stat for 1d6: another stat takes its place (NJ-5)."""
    for name, stat in helper.items("stats").items():
        yield Offer(
            f"{helper.id}/stats/{name}!help",
            f"{helper.name} helps",
            f"{helper.name}'s {name}",
            "help_dice",
            1,
            helper.id,
            min(1, stat["now"]),
            stat["now"],
            _point(f"helper {place}", name, f"helps with {name}", "NJ-5"),
            "NJ-5",
            slot=f"help of {helper.id}",
            dice=(D6,),
        )
