"""TGIMH in sentences: headlines, verdicts, what each die did and what the result means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Die, Faces, Note, Telling, Tone, Verdict, counted, format_total, signed, sources_of
from astragal.games.tgimh.loss import INJURY
from astragal.games.tgimh.opposed import SIDES

if TYPE_CHECKING:
    from astragal.games.tgimh.aftermath import Result
    from astragal.games.tgimh.contest import Contest
    from astragal.games.tgimh.contestant import Contestant
    from astragal.games.tgimh.recovery import Recovery, RecoveryResult


TONES: dict[str, Tone] = {"ours": "good", "none": "mixed", "theirs": "bad"}
"""The tone of each winner, for our side."""
UNNAMED = "the Condition"
"""What a Condition is called that nobody named."""
MUCH_GEAR = 3
"""Gear mostly stays within so many dice; more is allowed with a hint (TG-2)."""


def contest_headline(ask: Contest) -> str:
    """The roll in a line, with who rolls it and what is at stake (TG-2)."""
    ours, theirs = (_pool_of(ask.side(side), ask.die) for side in SIDES)
    return f"TGIMH: {ours} against {theirs}{at_stake(ask)}"


def of(name: str) -> str:
    """Whose something is: "Odo's", "the wolves'"."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _pool_of(side: Contestant, sides: int) -> str:
    whose = f"{of(side.name)} " if side.name else ""
    return f"{whose}{max(side.dice, 0)}d{sides}"


def at_stake(ask: Contest | Recovery) -> str:
    """What is at stake, as the end of a line."""
    return f"; at stake: {ask.stakes.removesuffix('.')}" if ask.stakes else ""


def contest_verdict(result: Result) -> Verdict:
    """Whether our side wins, and by how many successes."""
    if result.stalemate:
        return Verdict("mixed", "Stalemate", "the GM shifts the situation")
    won = result.winner == "ours"
    mine, other = ("wins", "loses") if won else ("loses", "wins")
    return Verdict(
        TONES[result.winner],
        f"{start(result.title('ours'))} {mine}",
        counted(result.successes, "success", "successes"),
        theirs=f"{start(result.title('theirs'))} {other}",
    )


def contest_pool(ask: Contest) -> str:
    """Both pools in a few words: "7 against 5"."""
    ours, theirs = (max(ask.dice_of(side), 0) for side in SIDES)
    return f"{ours} against {theirs}"


def start(text: str) -> str:
    """A name or a label at the start of a sentence."""
    return text[0].upper() + text[1:]


def dice_count(n: int) -> str:
    """A number of dice in words."""
    return counted(n, "die", "dice")


def tell_contest(ask: Contest, faces: Faces) -> Telling:
    """Both sides' dice, what their pools are made of, and how they compare."""
    ours, theirs = map(ask.side, SIDES)
    dice = tell_dice(faces, ask.die, (ours.name or "ours", theirs.name or "theirs"))
    return Telling(tuple(dice), (*side_notes(ours), *side_notes(theirs), *order_notes(faces)))


def opponents(ask: Contest) -> str:
    """Both sides by name: what both throws of one contest are called."""
    return " against ".join(start(ask.side(side).title) for side in SIDES)


def tell_ours(ask: Contest, faces: Faces) -> Telling:
    """Our side's dice, thrown before theirs."""
    ours = ask.side("ours")
    (waves,) = faces
    dice = (Die(ours.name or "ours", ask.die, face) for face in sorted(waves[0], reverse=True))
    return Telling(tuple(dice), tuple(side_notes(ours)))


def tell_theirs(ask: Contest, faces: Faces) -> Telling:
    """Their side's dice, and how they compare with ours, which lie there."""
    ours, theirs = map(ask.side, SIDES)
    names = ours.name or "ours", theirs.name or "theirs"
    every = list(tell_dice(faces, ask.die, names))
    first = len(faces[0][0])
    return Telling(
        tuple(every[first:]), (*side_notes(theirs), *order_notes(faces), *beaten_note(ours.title, every[:first]))
    )


def beaten_note(title: str, dice: list[Die]) -> Iterator[Note]:
    """Which of our dice beat theirs, since they were told before that was known."""
    beating = [str(die.face) for die in dice if die.counts]
    if beating:
        yield Note(f"{start(title)} beats the highest die left with {' and '.join(beating)}.", "TG-4")


def side_notes(side: Contestant) -> Iterator[Note]:
    """What a side's pool is made of, and that it is too full of Will to gain more."""
    whose = of(start(side.name)) if side.name else "Our" if side.side == "ours" else "Their"
    yield Note(f"{whose} pool is {format_total(side.sources)}.", "TG-2")
    if side.dice < 1:
        yield Note(f"{start(side.title)} has no dice to roll.", "TG-2")
    for source in sources_of(side.gear):
        if abs(source.n) > MUCH_GEAR:
            what = source.label or "the Gear"
            yield Note(f"Gear is mostly within {MUCH_GEAR} dice either way; {what} gives {signed(source.n)}.", "TG-2")
    if side.gained < len(_used(side)):
        most = f"{of(start(side.title))} Will is full at {side.cap}"
        yield Note(f"{most}, so {'only ' + str(side.gained) if side.gained else 'none'} is gained.", "TG-8")


def will_notes(side: Contestant) -> Iterator[Note]:
    """The Will that a side pays and gains; it stands with the result, so that every roll reports it."""
    if side.cost:
        left = "" if side.will is None else f" and has {side.will - side.cost} left"
        yield Note(f"{start(side.title)} spends {side.cost} Will{left}.", "TG-6")
    if side.gained:
        used = " and ".join(_used(side))
        yield Note(f"{start(side.title)} gains {side.gained} Will: {used} used against them.", "TG-7")


def _used(side: Contestant) -> list[str]:
    return [source.label or "an Aspect" for source in sources_of(side.used) if source.n > 0]


def contest_notes(ask: Contest, result: Result) -> Iterator[Note]:
    """Who won, and what comes of it."""
    if ask.stakes:
        yield Note(f"At stake: {ask.stakes.removesuffix('.')}.", "TG-2")
    verdict = contest_verdict(result)
    yield Note(f"{verdict.tier}: {verdict.sum}.", "TG-5" if result.stalemate else "TG-4")
    yield from (note for side in SIDES for note in will_notes(ask.side(side)))
    if result.stalemate:
        return
    loser, both = result.title(result.loser), "TG-11" if result.box and result.injury else "TG-10"
    if result.condition:
        yield Note(f'There is a Condition "{result.condition}" with {dice_count(result.successes)}.', "TG-9")
    if result.box:
        yield Note(f"{start(loser)} crosses box {result.box} of the Power track.", both)
    if result.injury:
        named = f' "{result.injury_name}"' if result.injury_name not in (None, INJURY) else ""
        yield Note(f"{start(loser)} has an Injury{named} with {dice_count(result.injury)}.", both)
    if result.out:
        yield Note(f"The last box is crossed: {loser} is out of the scene.", "TG-12")


def tell_recovery(ask: Recovery, faces: Faces) -> Telling:
    """The pool's dice and the Condition's, and how they compare."""
    dice = tell_dice(faces, ask.die, (ask.our_name or "ours", ask.name if ask.our_name else "theirs"))
    against = Note(f"{start(ask.name)} has {dice_count(ask.dice)}; each success takes one off.", "TG-14")
    return Telling(tuple(dice), (*side_notes(ask.helper), against, *order_notes(faces)))


def recovery_notes(ask: Recovery, result: RecoveryResult) -> Iterator[Note]:
    """What is left of the Condition."""
    if ask.stakes:
        yield Note(f"At stake: {ask.stakes.removesuffix('.')}.", "TG-2")
    verdict = recovery_verdict(result)
    named = f": {verdict.sum}" if verdict.sum else ""
    yield Note(f"{verdict.tier}{named}.", "TG-14")
    yield from will_notes(ask.helper)


def recovery_headline(ask: Recovery) -> str:
    """The roll in a line."""
    pool, who = f"{max(ask.pool, 0)}d{ask.die}", start(ask.our_name or "care")
    cares = "tends" if ask.our_name else "for"
    return f"TGIMH, Recovery: {who} {cares} {ask.name}, {pool} and its {dice_count(ask.dice)}{at_stake(ask)}"


def recovery_verdict(result: RecoveryResult) -> Verdict:
    """What is left of the Condition, by its name."""
    named = result.condition if result.condition != UNNAMED else ""
    if result.gone:
        return Verdict("triumph", "The Condition is gone", named)
    if result.winner == "ours":
        return Verdict("good", f"The Condition is down to {dice_count(result.dice_left)}", named)
    return Verdict("mixed" if result.stalemate else "bad", "Nothing changes", named)


def recovery_deed(ask: Recovery) -> str:
    """What whoever rolls does: "tends Odo's Broken arm" (TG-14)."""
    return f"tends {ask.name}"


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


def order_notes(faces: Faces) -> Iterator[Note]:
    """How the comparison went."""
    yield Note("From the highest die down, equal pairs are set aside; then the higher die wins.", "TG-3")
    ours, theirs = (sorted(waves[0], reverse=True) for waves in faces)
    if len(ours) != len(theirs) and 0 < _tied(ours, theirs) == min(len(ours), len(theirs)):
        yield Note("One side runs out while every pair is equal: the side with more dice wins by 1.", "TG-5")


def _tied(ours: list[int], theirs: list[int]) -> int:
    """How many pairs are equal from the top."""
    tied = 0
    for one, other in zip(ours, theirs, strict=False):
        if one != other:
            break
        tied += 1
    return tied
