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
    capital,
    format_sources,
    signed,
    sources_of,
)
from astragal.games.razorweave.pool import CONDITIONS, KEPT
from astragal.games.razorweave.rules import note, noted, said, say
from astragal.games.razorweave.tiers import ORACLE, PART, RACES, TOGETHER, TONES, name_of, nearest

if TYPE_CHECKING:
    from astragal.games.razorweave.check import Check
    from astragal.games.razorweave.oracle import Oracle, OracleResult
    from astragal.games.razorweave.outcome import Result
    from astragal.games.razorweave.race import Race, RaceResult
    from astragal.games.razorweave.split import Member, Split, SplitResult


def check_begins(inputs: Mapping[str, Any], against: bool) -> str:
    """The action of the one who opens a Check or a Strike; empty without any words about it."""
    what = "strike" if inputs.get("strike") else "check"
    return say(f"begins.{what}_at" if against else f"begins.{what}") if inputs else ""


def check_called(inputs: Mapping[str, Any], against: bool) -> str:
    """The name of a Check or a Strike afterwards."""
    if not inputs.get("strike"):
        return say("begins.called_check")
    return say("begins.called_strike_at" if against else "begins.called_strike")


def check_headline(ask: Check) -> str:
    """The roll in a line."""
    if not ask.needed:
        return say("headline.none")
    sum = sum_words(ask.added, ask.net)
    if ask.uncapped != ask.net:
        sum = say("headline.cut", sum=sum, n=abs(ask.uncapped))
    what = "headline.strike" if ask.strike else "headline.check"
    return say(what, sum=sum, dc=ask.target, step=name_of(ask.target))


def sum_words(added: int, net: int) -> str:
    """The numbers added to the dice, and the net Edge or Burden."""
    if not net:
        return signed(added)
    return say("headline.edge" if net > 0 else "headline.burden", added=added, n=abs(net))


def check_verdict(result: Result) -> Verdict:
    """The tier, with the result against the DC; a Strike says what kind of blow it is."""
    if result.tier is None:
        return _no_roll(result)
    numbers = say("headline.result", result=result.result, dc=result.dc)
    blow = (capital(say(f"blow.{result.blow}")),) if result.blow else ()
    return Verdict(TONES[result.tier], say(f"tier.{result.tier}"), numbers, blow)


def _no_roll(result: Result) -> Verdict:
    """No Check is needed, and the GM says yes or no, perhaps with words (RW-1)."""
    tones: dict[str | None, Tone] = {"yes": "good", "no": "bad"}
    called = say(f"RW-1.{result.answer}_tier" if result.answer else "RW-1.open")
    words = said(result.words, "RW-1.gm", words=(result.words or "").rstrip().removesuffix("."))
    return Verdict(tones.get(result.answer, "mixed"), called, say("RW-1.no_roll") if result.answer else "", words)


def check_pool(ask: Check) -> str:
    """The dice in a few words: "5d6 best 4 +4"."""
    return _dice_words(ask.net, ask.added) if ask.needed else say("RW-1.words")


def race_pool(ask: Race) -> str:
    """The dice of every round in a few words."""
    return _dice_words(ask.edge, ask.modifier)


def _dice_words(net: int, added: int) -> str:
    best = "headline.best" if net > 0 else "headline.worst"
    dice = say(best, n=KEPT + abs(net)) if net else f"{KEPT}d6"
    return f"{dice}{f' {signed(added)}' if added else ''}"


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
    yield note("RW-2.dc", dc=ask.target, step=name_of(ask.target))
    if ask.scene:
        yield note("RW-3.scene", dc=ask.dc, sources=format_sources(sources_of(ask.scene, "steps")))
    helped = {
        "RW-12.edge": ask.edge_helpers,
        "RW-12.bonus": ask.bonus_helpers,
        "RW-12.prepared": sources_of(ask.prepared, "Edge") if ask.prepared else (),
    }
    yield from (note(key, sources=format_sources(sources)) for key, sources in helped.items() if sources)
    if sources := ask.sources:
        yield note("RW-4.edge", net=net_words(format_sources(sources), ask.uncapped, ask.net))
    else:
        yield note("RW-4.none")


def _frame_notes(ask: Check) -> tuple[Note, ...]:
    """The first steps of a Check, as far as they are filled in."""
    down, why = ask.striker_down or ask.down, ask.anyway
    strikes = "RW-9.striker_down" if ask.striker_down else "RW-9.down"
    return (
        *_written("RW-1.intent", ask.intent),
        *_written("RW-1.approach", ask.approach),
        *noted(ask.strike and down and why, strikes, name=down, why=(why or "").removesuffix(".")),
        *_written("RW-13.retry", ask.retry),
        *_written("RW-12.group", ask.group),
    )


def _written(key: str, words: str | None) -> tuple[Note, ...]:
    return (note(key, words=words.removesuffix(".")),) if words else ()


def net_words(sources: str, uncapped: int, net: int) -> str:
    """The sources, the net, what the cap cuts off, and what is thrown (RW-4)."""
    dice = say("RW-4.best" if net > 0 else "RW-4.worst" if net else "RW-4.dice", n=KEPT + abs(net))
    if uncapped != net:
        return say("RW-4.cut", sources=sources, all=uncapped, net=net, dice=dice)
    return say("RW-4.net", sources=sources, net=net, dice=dice)


def check_notes(ask: Check, result: Result, clocks: tuple[Effect, ...] = ()) -> Iterator[Note]:
    """The result of a Check, and the reason."""
    if result.tier is None:
        yield from _no_roll_notes(ask, result)
        return
    own = {"on the dice": result.kept or 0, "Attribute": ask.attribute, "Skill": int(ask.skill)}
    parts = [Source(label, n) for label, n in own.items()]
    parts += [*sources_of(ask.bonus, "bonus"), *sources_of(ask.modifier, "modifier"), *ask.bonus_helpers]
    sources = format_sources(part for part in parts if part.n)
    yield note("RW-5.sum", sources=sources, result=result.result, margin=result.margin)
    tier = say(f"tier.{result.tier}")
    by_ones = result.tier == "critical_failure" and (result.margin or 0) > -7
    yield note("RW-7.ones", tier=tier) if by_ones else Note(f"{tier}.", "RW-6")
    if result.blow:
        yield note("RW-8.blow", strike=say(f"blow.{result.blow}"), ticks=result.ticks)
    yield from map(tick_note, clocks)


def _no_roll_notes(ask: Check, result: Result) -> Iterator[Note]:
    """The first steps, which condition of a Check does not hold, and the GM's answer (RW-1)."""
    yield from _frame_notes(ask)
    missing = [say(f"RW-1.{name}") for name in CONDITIONS if getattr(ask, name) == "no"]
    yield note("RW-1.not_needed", why=" and ".join(missing))
    if result.words:
        yield note(f"RW-1.{result.answer}_so", words=capital(result.words).removesuffix("."))
    else:
        yield Note(f"{check_verdict(result).tier}.", "RW-1")


def follow_notes(result: Result) -> Iterator[Note]:
    """The consequences of a Strike besides its ticks (RW-9)."""
    yield Note(f"{follows(result.consequence or '').removesuffix('.')}.", "RW-9")


def follows(consequence: str) -> str:
    """``threat+position`` is two things that follow; words may stand behind a colon."""
    name, _, words = consequence.partition(":")
    words = words.strip().removeprefix(";").strip()
    return joined([say(f"follows.{part}") for part in name.split("+")]) + (f": {words}" if words else "")


def joined(parts: list[str]) -> str:
    """Several things as one, with a capital for the first alone."""
    first, *more = parts
    return " and ".join([first, *(part[0].lower() + part[1:] for part in more)])


def tick_note(effect: Effect) -> Note:
    """A tick of a Clock as a sentence."""
    return note("RW-11.goal" if effect.what == "goal" else "RW-11.threat", clock=effect.name, n=effect.by)


def tell_member(member: Member, faces: Faces) -> Telling:
    """The dice of one member who splits the risk, with what is theirs alone."""
    own = [source._replace(label=source.label.removeprefix(f"{member.name}{PART}")) for source in member.sources]
    words, key = net_words(format_sources(own), member.uncapped, member.net), "member_edge" if own else "member"
    said = note(f"RW-12.{key}", name=member.name, added=member.added, net=words)
    return Telling(tuple(tell_dice(faces[0][0], member.net)), (said,))


def split_notes(result: SplitResult, ticks: tuple[Effect, ...] = ()) -> Iterator[Note]:
    """The result of each member's roll, and the ticks."""
    for member in result.members:
        by_ones = member.tier == "critical_failure" and member.margin > -7
        told = {"name": member.name, "result": member.result, "margin": member.margin}
        sentence = say("RW-6.member", tier=say(f"tier.{member.tier}").lower(), **told)
        yield Note(sentence, "RW-7" if by_ones else "RW-6")
    yield from map(tick_note, ticks)


def split_headline(ask: Split) -> str:
    """The rolls in a line."""
    return say("headline.split", names=", ".join(member.name for member in ask.rollers), dc=ask.target)


def split_verdict(result: SplitResult) -> Verdict:
    """The number who succeed fully, and each member's tier."""
    full, all = result.full_successes, len(result.members)
    key = "RW-12.everybody" if full == all else "RW-12.some" if full else "RW-12.nobody"
    each = tuple(say(f"member.{member.tier}", name=member.name) for member in result.members)
    return Verdict(TOGETHER[result.together], say(key, n=full, all=all), gains=each)


def race_notes(result: RaceResult) -> tuple[Note, ...]:
    """Which Clock is full first."""
    return (note(f"RW-10.ends_{result.first}", after=say("RW-10.after", n=result.rounds)),)


def race_headline(ask: Race) -> str:
    """The race in a line."""
    return say("headline.race", goal=ask.goal, threat=ask.threat, sum=sum_words(ask.modifier, ask.edge), dc=ask.dc)


def race_verdict(result: RaceResult) -> Verdict:
    """Which Clock was first, and after how many rounds."""
    return Verdict(RACES[result.first], say(f"RW-10.{result.first}"), say("RW-10.after", n=result.rounds))


def oracle_pool(ask: Oracle) -> str:
    """The number of questions asked, and the oracle's DC."""
    return say("RW-14.questions", n=len(ask.question), dc=ask.begins)


def oracle_headline(ask: Oracle) -> str:
    """The question in a line."""
    return say("headline.oracle", questions=oracle_pool(ask))


def oracle_verdict(result: OracleResult) -> Verdict:
    """The DC that the answers lead to."""
    return Verdict(ORACLE[nearest(result.dc)], say("RW-14.verdict", dc=result.dc), result.dc_name)
