"""TGIMH in sentences: headlines, verdicts, what each die did and what the result means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from astragal.author import Die, Faces, Note, Source, Telling, Tone, Verdict, capital, format_total, sources_of
from astragal.games.tgimh.opposed import SIDES
from astragal.games.tgimh.rules import note, noted, say

if TYPE_CHECKING:
    from astragal.games.tgimh.aftermath import Result
    from astragal.games.tgimh.contest import Contest
    from astragal.games.tgimh.contestant import Contestant
    from astragal.games.tgimh.recovery import Recovery, RecoveryResult


TONES: dict[str, Tone] = {"ours": "good", "none": "mixed", "theirs": "bad"}
"""The tone of each winner, for our side."""
INJURY = "Injury"
"""The name of an Injury without a name of its own."""
UNNAMED = "the Condition"
"""The name of a Condition without a name of its own."""
MUCH_GEAR = 3
"""Gear mostly stays within this number of dice; more is allowed with a hint (TG-2)."""


def of(name: str) -> str:
    """Whose something is: "Odo's", "the wolves'"."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


# Headlines and verdicts.


def contest_headline(ask: Contest) -> str:
    """The roll in a line, with who rolls it and what is at stake (TG-2)."""
    ours, theirs = (_pool_of(ask.side(side), ask.die) for side in SIDES)
    return say("headline.contest", ours=ours, theirs=theirs) + at_stake(ask)


def contest_begins(inputs: Mapping[str, Any], is_against: bool) -> str:
    """The log's words about the one who opens the roll; {} is the opponent."""
    return say("headline.begins", who="{}" if is_against else say("offers.other_side"))


def _pool_of(side: Contestant, sides: int) -> str:
    return say("headline.pool_of" if side.name else "headline.pool", name=side.name, n=max(side.dice, 0), sides=sides)


def at_stake(ask: Contest | Recovery) -> str:
    """The stakes, as the end of a line."""
    return f"; {say('headline.stakes', stakes=ask.stakes)}" if ask.stakes else ""


def contest_verdict(result: Result) -> Verdict:
    """Whether our side wins, and by how many successes."""
    if result.stalemate:
        return Verdict("mixed", say("TG-5.stalemate"), say("TG-5.shifts"))
    wins = {side: "TG-4.wins" if side == result.winner else "TG-4.loses" for side in SIDES}
    ours, theirs = (say(wins[side], name=capital(result.title(side))) for side in SIDES)
    return Verdict(TONES[result.winner], ours, say("TG-4.successes", n=result.successes), theirs=theirs)


def contest_pool(ask: Contest) -> str:
    """Both pools in a few words: "7 against 5"."""
    ours, theirs = (max(ask.side(side).dice, 0) for side in SIDES)
    return say("headline.dice", ours=ours, theirs=theirs)


def opponents(ask: Contest) -> str:
    """Both sides by name: what both throws of one contest are called.

    It is not among the words of the game: a translation of it would catch whatever people write with "against" in it.
    """
    return " against ".join(capital(ask.side(side).title) for side in SIDES)


def recovery_headline(ask: Recovery) -> str:
    """The roll in a line."""
    who = capital(ask.our_name) if ask.our_name else ""
    words = {"what": ask.name, "n": max(ask.pool, 0), "sides": ask.die, "dice": ask.dice}
    return say("headline.recovery" if who else "headline.care", who=who, **words) + at_stake(ask)


def recovery_verdict(result: RecoveryResult) -> Verdict:
    """The dice left of the Condition, with its name."""
    named = result.condition if result.condition != UNNAMED else ""
    if result.gone:
        return Verdict("triumph", say("TG-14.gone"), named)
    if result.winner == "ours":
        return Verdict("good", say("TG-14.down", n=result.dice_left), named)
    return Verdict("mixed" if result.stalemate else "bad", say("TG-14.nothing"), named)


def recovery_deed(ask: Recovery) -> str:
    """The roller's action in words: "tends Odo's Broken arm" (TG-14)."""
    return say("TG-14.tends", what=ask.name)


# What the dice did.


def tell_contest(ask: Contest, faces: Faces) -> Telling:
    """Both sides' dice, what their pools are made of, and how they compare."""
    dice = tuple(tell_dice(faces, ask.die, names_of(ask)))
    return Telling(dice, (*side_notes(ask.us), *side_notes(ask.them), *order_notes(faces)))


def tell_ours(ask: Contest, faces: Faces) -> Telling:
    """Our side's dice, thrown before theirs."""
    return Telling(tuple(tell_dice((*faces, ((),)), ask.die, names_of(ask))), tuple(side_notes(ask.us)))


def tell_theirs(ask: Contest, faces: Faces) -> Telling:
    """Their side's dice, and how they compare with ours, which lie there."""
    every, first = tuple(tell_dice(faces, ask.die, names_of(ask))), len(faces[0][0])
    notes = (*side_notes(ask.them), *order_notes(faces), *beaten_note(ask.us.title, every[:first]))
    return Telling(every[first:], notes)


def names_of(ask: Contest) -> tuple[str, str]:
    """Whose dice they are."""
    return ask.us.name or "ours", ask.them.name or "theirs"


def tell_recovery(ask: Recovery, faces: Faces) -> Telling:
    """The pool's dice and the Condition's, and how they compare."""
    dice = tell_dice(faces, ask.die, (ask.our_name or "ours", ask.name if ask.our_name else "theirs"))
    against = note("TG-14.against", what=capital(ask.name), n=ask.dice)
    return Telling(tuple(dice), (*side_notes(ask.helper), against, *order_notes(faces)))


def tell_dice(faces: Faces, sides: int, names: tuple[str, str]) -> Iterator[Die]:
    """Each side from high to low: what was set aside, what had to be beaten, what beat it."""
    ours, theirs = (sorted(waves[0], reverse=True) for waves in faces)
    tied = _tied(ours, theirs)
    for side, dice, other in ((names[0], ours, theirs), (names[1], theirs, ours)):
        highest = other[tied] if len(other) > tied else 0
        for place, face in enumerate(dice):
            if place < tied:
                yield Die(side, sides, face, "set aside")
            elif highest and face > highest:
                yield Die(side, sides, face, "beats", True)
            else:
                yield Die(side, sides, face)


def order_notes(faces: Faces) -> tuple[Note, ...]:
    """A note about the comparison."""
    ours, theirs = (sorted(waves[0], reverse=True) for waves in faces)
    runs_out = len(ours) != len(theirs) and 0 < _tied(ours, theirs) == min(len(ours), len(theirs))
    return note("TG-3.order"), *noted(runs_out, "TG-5.runs_out")


def _tied(ours: list[int], theirs: list[int]) -> int:
    """A note with the number of equal pairs from the top."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False))))


def beaten_note(title: str, dice: Iterable[Die]) -> tuple[Note, ...]:
    """Which of our dice beat theirs; they were shown before that was known."""
    beating = [str(die.face) for die in dice if die.counts]
    return noted(beating, "TG-4.beats", name=capital(title), dice=" and ".join(beating))


# What it means.


def side_notes(side: Contestant) -> tuple[Note, ...]:
    """Notes about the parts of a side's pool, and about Will too full to gain more."""
    name, gained = capital(side.title), side.gained
    pool = "TG-2.pool_of" if side.name else f"TG-2.pool_{side.side}"
    much = [source for source in sources_of(side.gear, say("TG-2.unnamed")) if abs(source.n) > MUCH_GEAR]
    full, is_full = "TG-8.full_some" if gained else "TG-8.full_none", gained < len(side.used_against)
    return (
        note(pool, name=name, sources=format_total(side.sources)),
        *noted(side.dice < 1, "TG-2.none", name=name),
        *(note("TG-2.much", most=MUCH_GEAR, what=source.label or say("TG-2.unnamed"), n=source.n) for source in much),
        *noted(is_full, full, name=name, cap=side.will_cap, n=gained),
    )


def will_notes(side: Contestant) -> tuple[Note, ...]:
    """The Will that a side pays and gains; it stands with the result, so that every roll reports it."""
    name, used = capital(side.title), " and ".join(map(aspect, side.used_against))
    left = None if side.will is None else side.will - side.cost
    spends = "TG-6.spends" if left is None else "TG-6.spends_of"
    return (
        *noted(side.cost, spends, name=name, n=side.cost, left=left),
        *noted(side.gained, "TG-7.gains", name=name, n=side.gained, what=used),
    )


def aspect(source: Source) -> str:
    """The label of an Aspect that is used against its owner (TG-7)."""
    return source.label or say("TG-7.unnamed")


def contest_notes(ask: Contest, result: Result) -> Iterator[Note]:
    """The winner and the consequences, in words."""
    yield from noted(ask.stakes, "TG-2.stakes", stakes=ask.stakes)
    verdict = contest_verdict(result)
    yield Note(f"{verdict.tier}: {verdict.sum}.", "TG-5" if result.stalemate else "TG-4")
    yield from (note for side in SIDES for note in will_notes(ask.side(side)))
    if not result.stalemate:
        yield from _borne_notes(result, result.title(result.loser))


def _borne_notes(result: Result, loser: str) -> Iterator[Note]:
    """The winner's Condition, and what the loser bears."""
    injured = "TG-10.injured" if result.injury_name in (None, INJURY) else "TG-10.injured_named"
    bears = (
        *noted(result.box, "TG-10.crossed", name=capital(loser), box=result.box),
        *noted(result.injury, injured, name=capital(loser), injury=result.injury_name, n=result.injury),
    )
    yield from noted(result.condition, "TG-9.made", name=result.condition, n=result.successes)
    yield from (each._replace(rule="TG-11") for each in bears) if len(bears) > 1 else bears
    yield from noted(result.out, "TG-12.last", name=loser)


def recovery_notes(ask: Recovery, result: RecoveryResult) -> Iterator[Note]:
    """The dice left of the Condition."""
    yield from noted(ask.stakes, "TG-2.stakes", stakes=ask.stakes)
    verdict = recovery_verdict(result)
    yield Note(f"{verdict.tier}{f': {verdict.sum}' if verdict.sum else ''}.", "TG-14")
    yield from will_notes(ask.helper)
