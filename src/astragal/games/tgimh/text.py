"""TGIMH in sentences: headlines, verdicts, what each die did and what the result means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.author import Die, Faces, Note, Telling, format_sources, format_total
from astragal.games.tgimh.opposed import SIDES

if TYPE_CHECKING:
    from astragal.games.tgimh.contest import Contest, Result
    from astragal.games.tgimh.recovery import Recovery, RecoveryResult


def contest_headline(ask: Contest) -> str:
    """The roll in a line."""
    ours, theirs = (max(ask.dice_of(side), 0) for side in SIDES)
    return f"TGIMH: {ours}d{ask.die} against {theirs}d{ask.die}"


def contest_verdict(result: Result) -> str:
    """The result in a line."""
    if result.stalemate:
        return "Stalemate: the GM shifts the situation"
    who = "Our side wins" if result.winner == "ours" else "Their side wins"
    return f"{who} with {result.successes} success{'es' if result.successes > 1 else ''}"


def dice_count(n: int) -> str:
    """``1 die``, ``2 dice``."""
    return f"{n} {'die' if n == 1 else 'dice'}"


def tell_contest(ask: Contest, faces: Faces) -> Telling:
    """Both sides' dice, what their pools are made of, and how they compare."""
    return Telling(tuple(tell_dice(faces, ask.die)), tuple(_contest_pool(ask, faces)))


def _contest_pool(ask: Contest, faces: Faces) -> Iterator[Note]:
    for side, waves in zip(SIDES, faces, strict=True):
        whose = "Our" if side == "ours" else "Their"
        yield Note(f"{whose} pool is {format_total(ask.sources_of(side))}.", "TG-2")
        if not waves[0]:
            yield Note(f"{whose} side has no dice to roll.", "TG-2")
        if ask.will_of(side) is not None and ask.cost_of(side):
            yield Note(f"{whose} side spends {ask.cost_of(side)} Will and has {ask.will_left(side)} left.", "TG-6")
    yield from order_notes(faces)


def contest_notes(result: Result) -> Iterator[Note]:
    """What a contest came to, and what follows from it."""
    yield Note(f"{contest_verdict(result)}.", "TG-5" if result.stalemate else "TG-4")
    if result.condition:
        yield Note(f'The scene has a Condition "{result.condition}" with {dice_count(result.successes)}.', "TG-9")
    if result.box:
        yield Note(f"The loser crosses box {result.box} of the Power track.", "TG-11" if result.injury else "TG-10")
    if result.injury:
        yield Note(f"The loser has an Injury with {dice_count(result.injury)}.", "TG-11" if result.box else "TG-10")
    if result.out:
        yield Note("The last box is crossed: the loser is out of the scene.", "TG-12")


def tell_recovery(ask: Recovery, faces: Faces) -> Telling:
    """The pool's dice and the Condition's, and how they compare."""
    return Telling(tuple(tell_dice(faces, ask.die)), tuple(_recovery_pool(ask, faces)))


def recovery_notes(result: RecoveryResult) -> Iterator[Note]:
    """What is left of the Condition."""
    yield Note(f"{recovery_verdict(result)}.", "TG-14")


def _recovery_pool(ask: Recovery, faces: Faces) -> Iterator[Note]:
    yield Note(f"The pool is {format_sources(ask.sources)} against the {ask.dice} of {ask.name}.", "TG-14")
    if ask.will is not None and ask.cost:
        yield Note(f"It costs {ask.cost} Will, which leaves {ask.will - ask.cost}.", "TG-6")
    yield from order_notes(faces)


def recovery_headline(ask: Recovery) -> str:
    """The roll in a line."""
    return f"TGIMH, Recovery: {max(ask.pool, 0)}d{ask.die} against {ask.name} ({ask.dice} dice)"


def recovery_verdict(result: RecoveryResult) -> str:
    """The result in a line."""
    if result.gone:
        return "The Condition is gone"
    if result.winner == "ours":
        return f"The Condition is down to {result.dice_left} {'die' if result.dice_left == 1 else 'dice'}"
    return "Nothing changes"


def tell_dice(faces: Faces, sides: int) -> Iterator[Die]:
    """Each side from high to low: what was set aside, what had to be beaten, what beat it."""
    ours, theirs = (sorted(waves[0], reverse=True) for waves in faces)
    tied = _tied(ours, theirs)
    for side, dice, other in ((SIDES[0], ours, theirs), (SIDES[1], theirs, ours)):
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
