"""Razorweave in sentences: what each die did, and what the result means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from astragal.author import (
    Die,
    Effect,
    Faces,
    Note,
    Source,
    Telling,
    Tone,
    Verdict,
    Wave,
    counted,
    format_sources,
    signed,
    sources_of,
)
from astragal.games.razorweave.tiers import FULL, ORACLE, PART, RACES, TIERS, TOGETHER, TONES, name_of, together

if TYPE_CHECKING:
    from astragal.games.razorweave.check import Check
    from astragal.games.razorweave.oracle import Oracle, OracleResult
    from astragal.games.razorweave.race import Race, RaceResult
    from astragal.games.razorweave.result import Result
    from astragal.games.razorweave.split import Member, Split, SplitResult

KEPT = 4
STRIKES = {
    "devastating": "a devastating Strike",
    "clear": "a clear Strike",
    "glancing": "a glancing Strike",
    "miss": "a miss",
    "disastrous_miss": "a disastrous miss",
}
FOLLOWS = {
    "staggered": "The target is Staggered",
    "bleeding": "The target is Bleeding",
    "disarmed": "The target is Disarmed",
    "condition": "The target gets another Condition",
    "advance": "Gain position for the next action",
    "deny": "Deny the target its next reaction",
    "threat": "Tick a threat Clock by 1",
    "position": "The target gains position",
    "surroundings": "The surroundings make trouble",
    "major": "One major consequence",
}


MISSING = {
    "uncertain": "it could not go either way",
    "matters": "nothing comes of failing",
    "agency": "what they do makes no difference",
}
"""Why no Check is needed, by the condition that is denied (RW-1)."""


def check_begins(inputs: Mapping[str, Any], against: bool) -> str:
    """What somebody does who opens a Check or a Strike; nothing before anything is said about it."""
    if inputs.get("strike"):
        return "strikes at {}" if against else "strikes"
    return ("makes a Check against {}" if against else "makes a Check") if inputs else ""


def check_called(inputs: Mapping[str, Any], against: bool) -> str:
    """What a Check or a Strike is called when somebody speaks of it."""
    if inputs.get("strike"):
        return "Strike at {}" if against else "Strike"
    return "Check"


def check_headline(ask: Check) -> str:
    """The roll in a line."""
    if not ask.needed:
        return "Razorweave: no Check needed"
    what = "Strike" if ask.strike else "Check"
    against = f"DC {ask.target} ({name_of(ask.target)})"
    cut = f" (capped, from {abs(ask.uncapped)})" if ask.uncapped != ask.net else ""
    return f"Razorweave: {what} {signed(ask.added)}{edge_words(ask.net)}{cut} against {against}"


def check_verdict(result: Result) -> Verdict:
    """The tier, with the result against the DC; a Strike says what kind of blow it is."""
    if result.tier is None:
        return _no_roll(result)
    numbers = f"{result.result} against {result.dc}"
    blow = (f"A{STRIKES[result.blow].removeprefix('a')}",) if result.blow else ()
    return Verdict(TONES[result.tier], TIERS[result.tier], numbers, blow)


def _no_roll(result: Result) -> Verdict:
    """No Check is needed, and the GM says yes or no, perhaps with words (RW-1)."""
    tones: dict[str | None, tuple[Tone, str]] = {"yes": ("good", "It works"), "no": ("bad", "It cannot be done")}
    tone, called = tones.get(result.answer, ("mixed", "No Check is needed"))
    words = (f"The GM says: {result.words.rstrip().removesuffix('.')}",) if result.words else ()
    return Verdict(tone, called, "no roll" if result.answer else "", words)


def check_words(ask: Check) -> str:
    """The dice in a few words: "5d6 best 4 +4"."""
    return _dice_words(ask.net, ask.added) if ask.needed else "no Check needed"


def race_words(ask: Race) -> str:
    """The dice of every round in a few words."""
    return _dice_words(ask.edge, ask.modifier)


def _dice_words(net: int, added: int) -> str:
    keep = f" {'best' if net > 0 else 'worst'} 4" if net else ""
    return f"{KEPT + abs(net)}d6{keep}{f' {signed(added)}' if added else ''}"


def edge_words(net: int) -> str:
    """The net Edge or Burden as part of a headline; empty if there is neither."""
    return f", {abs(net)} {'Edge' if net > 0 else 'Burden'}" if net else ""


def tell_pool(ask: Check, faces: Faces) -> Telling:
    """The dice of a Check, and what was added to them."""
    return Telling(tuple(tell_dice(faces[0][0], ask.net)), tuple(_pool_notes(ask)))


def tell_dice(shown: Wave, net: int) -> Iterator[Die]:
    """The best or the worst 4 are kept; of equal dice, the earlier ones."""
    ranked = sorted(range(len(shown)), key=lambda place: -shown[place] if net >= 0 else shown[place])
    kept = set(ranked[:KEPT])
    for place, face in enumerate(shown):
        yield Die("d6", 6, face, "kept" if place in kept else "dropped", place in kept)


def _pool_notes(ask: Check) -> Iterator[Note]:
    yield from _frame_notes(ask)
    yield Note(f"The DC is {ask.target} ({name_of(ask.target)}).", "RW-2")
    if ask.scene:
        yield Note(f"The scene moves it from {ask.dc}: {format_sources(sources_of(ask.scene, 'steps'))}.", "RW-3")
    if ask.edge_helpers:
        yield Note(f"Helpers lend Edge: {format_sources(ask.edge_helpers)}.", "RW-12")
    if ask.bonus_helpers:
        yield Note(f"Helpers give a bonus: {format_sources(ask.bonus_helpers)}.", "RW-12")
    if ask.prepared:
        yield Note(f"Others have set this up: {format_sources(sources_of(ask.prepared, 'Edge'))}.", "RW-12")
    yield Note(_net_sentence(ask), "RW-4")


def _frame_notes(ask: Check) -> Iterator[Note]:
    """The first steps of a Check, as far as somebody filled them in."""
    if ask.intent:
        yield Note(f"Intent: {ask.intent.removesuffix('.')}.", "RW-1")
    if ask.approach:
        yield Note(f"Approach: {ask.approach.removesuffix('.')}.", "RW-1")
    if ask.strike and ask.striker_down and ask.anyway:
        yield Note(f"{ask.striker_down} is down, and strikes all the same: {ask.anyway.removesuffix('.')}.", "RW-9")
    elif ask.strike and ask.down and ask.anyway:
        yield Note(f"{ask.down} is down, and is struck all the same: {ask.anyway.removesuffix('.')}.", "RW-9")
    if ask.retry:
        yield Note(f"A retry, since something has changed: {ask.retry.removesuffix('.')}.", "RW-13")
    if ask.group:
        yield Note(f"One roll stands for {ask.group}.", "RW-12")


def _net_sentence(ask: Check) -> str:
    if not ask.sources:
        return "No Edge and no Burden: 4d6."
    return f"Edge and Burden: {net_words(format_sources(ask.sources), ask.uncapped, ask.net)}."


def net_words(sources: str, uncapped: int, net: int) -> str:
    """The sources, the net, what the cap cuts off, and what is thrown (RW-4)."""
    dice = f"{KEPT + abs(net)}d6"
    keep = f"{dice}, keep the {'best' if net > 0 else 'worst'} 4" if net else dice
    cut = f"{signed(uncapped)}, capped at {signed(net)}" if uncapped != net else f"net {signed(net)}"
    return f"{sources}, {cut}: {keep}"


def check_notes(ask: Check, result: Result, clocks: tuple[Effect, ...] = ()) -> Iterator[Note]:
    """What a Check came to, and why."""
    if result.tier is None:
        yield from _no_roll_notes(ask, result)
        return
    parts = [
        Source("on the dice", result.kept or 0),
        Source("Attribute", ask.attribute),
        Source("Skill", int(ask.skill)),
    ]
    parts += [*sources_of(ask.bonus, "bonus"), *sources_of(ask.modifier, "modifier"), *ask.bonus_helpers]
    yield Note(
        f"{format_sources(part for part in parts if part.n)} = {result.result}, margin {signed(result.margin or 0)}.",
        "RW-5",
    )
    yield Note(*_tier_note(result))
    if result.blow:
        ticks = counted(result.ticks or 0, "tick")
        yield Note(f"It is {STRIKES[result.blow]}: {ticks} on the target's Resolve Clock.", "RW-8")
    yield from map(tick_note, clocks)


def _no_roll_notes(ask: Check, result: Result) -> Iterator[Note]:
    """The first steps, which condition of a Check does not hold, and the GM's answer (RW-1)."""
    yield from _frame_notes(ask)
    missing = [why for name, why in MISSING.items() if getattr(ask, name) == "no"]
    yield Note(f"No Check is needed: {' and '.join(missing)}.", "RW-1")
    words = f" {result.words[:1].upper()}{result.words[1:].removesuffix('.')}." if result.words else ""
    yield Note(f"{check_verdict(result).tier}.{words}", "RW-1")


def follow_notes(result: Result) -> Iterator[Note]:
    """What follows a Strike besides its ticks (RW-9)."""
    yield Note(f"{follows(result.consequence or '').removesuffix('.')}.", "RW-9")


def follows(consequence: str) -> str:
    """``threat+position`` is two things that follow; words may stand behind a colon."""
    name, _, words = consequence.partition(":")
    first, *more = (FOLLOWS[part] for part in name.split("+"))
    words = words.strip().removeprefix(";").strip()
    return " and ".join([first, *(part[0].lower() + part[1:] for part in more)]) + (f": {words}" if words else "")


def _tier_note(result: Result) -> tuple[str, str]:
    tier = TIERS[result.tier or ""]
    if result.tier == "critical_failure" and (result.margin or 0) > -7:
        return f"{tier}: every die shows a 1.", "RW-7"
    return f"{tier}.", "RW-6"


def tick_note(effect: Effect) -> Note:
    """A tick of a Clock as a sentence."""
    return Note(f'The {effect.what} Clock "{effect.name}" is ticked by {effect.by}.', effect.rule)


def tell_member(member: Member, faces: Faces) -> Telling:
    """The dice of one member who splits the risk, with what is theirs alone."""
    dice = tuple(tell_dice(faces[0][0], member.net))
    if not member.sources:
        return Telling(dice, (Note(f"{member.name} rolls with {signed(member.added)}.", "RW-12"),))
    sources = [source._replace(label=source.label.removeprefix(f"{member.name}{PART}")) for source in member.sources]
    words = net_words(format_sources(sources), member.uncapped, member.net)
    return Telling(dice, (Note(f"{member.name} rolls with {signed(member.added)}; {words}.", "RW-12"),))


def split_notes(result: SplitResult, ticks: tuple[Effect, ...] = ()) -> Iterator[Note]:
    """What each member's roll came to, and the ticks."""
    for member in result.members:
        by_ones = member.tier == "critical_failure" and member.margin > -7
        sentence = f"{member.name}: {member.result}, margin {signed(member.margin)}, {TIERS[member.tier].lower()}."
        yield Note(sentence, "RW-7" if by_ones else "RW-6")
    yield from map(tick_note, ticks)


def split_headline(ask: Split) -> str:
    """The rolls in a line."""
    return f"Razorweave, split risks: {', '.join(member.name for member in ask.rollers)} against DC {ask.target}"


def split_verdict(result: SplitResult) -> Verdict:
    """How many succeed fully, and each member's tier."""
    tiers = [member.tier for member in result.members]
    full = sum(tier in FULL for tier in tiers)
    called = {len(tiers): "Everybody succeeds", 0: "Nobody succeeds"}.get(full, f"{full} of {len(tiers)} succeed")
    each = tuple(f"{member.name}: {TIERS[member.tier].lower()}" for member in result.members)
    return Verdict(TOGETHER[together(tiers)], called, gains=each)


def tell_round(faces: Faces, net: int, tier: str, clocks: str) -> Telling:
    """The dice of one round of a race, and how far both Clocks are after it."""
    return Telling(tuple(tell_dice(faces[0][0], net)), (Note(f"{TIERS[tier]}: {clocks}.", "RW-11"),))


def race_notes(result: RaceResult) -> Iterator[Note]:
    """Which Clock is full first."""
    verdict = race_verdict(result)
    yield Note(f"{verdict.tier}: {verdict.sum}.", "RW-10")


def race_headline(ask: Race) -> str:
    """The race in a line."""
    check = f"Checks {signed(ask.modifier)}{edge_words(ask.edge)} against DC {ask.dc}"
    return f"Razorweave, race of Clocks: goal {ask.goal} against threat {ask.threat}, {check}"


def race_verdict(result: RaceResult) -> Verdict:
    """Which Clock was first, and after how many rounds."""
    who = {"goal": "The goal is full first", "threat": "The threat is full first", "both": "Both fill at once"}
    return Verdict(RACES[result.first], who[result.first], f"after {counted(result.rounds, 'round')}")


def oracle_headline(ask: Oracle) -> str:
    """The question in a line."""
    return f"Razorweave, oracle: {counted(len(ask.question), 'question')} from DC {ask.begins}"


def oracle_verdict(result: OracleResult) -> Verdict:
    """The DC that the answers lead to."""
    return Verdict(ORACLE[result.dc], f"DC {result.dc}", result.dc_name)
