"""Chronicles in sentences: headlines, verdicts, where a pool comes from and what the result means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from astragal.author import Note, Source, Tone, Total, Verdict, format_total
from astragal.games.chronicles.rules import note, noted, said, say

if TYPE_CHECKING:
    from astragal.games.chronicles.attempt import Attempt, Result
    from astragal.games.chronicles.contested import Contested, ContestedResult, ContestSide
    from astragal.games.chronicles.extended import Extended, ExtendedResult, Progress
    from astragal.games.chronicles.team import Help, TeamAsk

RARE = ("dramatic_failure", "exceptional_success")
TONES: dict[str, Tone] = {
    "exceptional_success": "triumph",
    "success": "good",
    "failure": "bad",
    "dramatic_failure": "disaster",
}
CONTESTS: dict[str, Tone] = {"ours": "good", "draw": "mixed", "theirs": "bad"}
TASKS: dict[str, Tone] = {"success": "good", "failure": "bad", "given_up": "bad", "unfinished": "mixed"}
"""The progress of a long task."""


# Headlines, and dice in a few words.


def attempt_headline(ask: Attempt) -> str:
    """The roll in a line."""
    manner = say(f"dice.again_{ask.again}") if ask.dice >= 1 or ask.team else ""
    if ask.rote:
        manner = say("dice.and_rote", again=manner) if manner else say("dice.rote")
    if not manner:
        return say("headline.attempt", dice=dice_count(ask.dice))
    return say("headline.attempt_as", dice=dice_count(ask.dice), manner=_with_help(ask, manner))


def _with_help(ask: TeamAsk, what: str) -> str:
    """The number of other helpers, or their names."""
    if not ask.team:
        return what
    if isinstance(ask.helper_pool, Total):
        return say("headline.helped", what=what, names=[helper.name for helper in ask.team])
    return say("headline.helpers", what=what, n=len(ask.team))


def extended_headline(ask: Extended) -> str:
    """The action in a line; of one roll, its dice and how far the task has come."""
    if ask.one_roll:
        dice, roll = _with_help(ask, dice_count(ask.dice)), ask.made + 1
        made = {"n": roll, "most": ask.most_rolls, "total": ask.gathered, "target": ask.target}
        return say("headline.one_roll", dice=dice, **made)
    return _with_help(ask, say("headline.extended", needed=ask.target - ask.gathered, left=ask.rolls_left))


def contested_headline(ask: Contested) -> str:
    """The roll in a line."""
    if ask.our_side.name or ask.their_side.name:
        return say("headline.contested", ours=_side(ask.our_side), theirs=_side(ask.their_side))
    mine, other = ask.our_side.dice, ask.their_side.dice
    return say("headline.contested", ours=dice_words(mine), theirs=other if other >= 1 else dice_words(other))


def _side(side: ContestSide) -> str:
    """One side with its dice and those who help it by name."""
    names = [helper.name for helper in side.team] if isinstance(side.helper_pool, Total) else []
    key = f"{'side' if side.dice >= 1 else 'side_chance'}{'_helped' if names else ''}"
    return say(f"headline.{key}", name=side.title, n=side.dice, names=names)


def botched_help(ask: TeamAsk | Contested, steps: Sequence[Any]) -> str:
    """Whose help went dramatically wrong, by a chance die or for a Beat, and what that costs (CD-12)."""
    names = {helper.role: helper.name for helper in ask.every_helper}
    roles = [
        step.throw.by if hasattr(step, "throw") else step.choice.by
        for step in steps
        if (getattr(step.value, "dramatic", False) if hasattr(step, "throw") else step.answer.option == "take")
    ]
    botched = [f"{names[role]}'s" for role in roles if role in names]
    return say("CD-12.botched", names=botched, n=4 * len(botched)) if botched else ""


def attempt_pool(ask: TeamAsk) -> str:
    """The leader's dice in a few words, with those who help."""
    dice = dice_count(ask.dice)
    return say("headline.helpers_first", dice=dice, n=len(ask.team)) if ask.team else dice


def extended_pool(ask: Extended) -> str:
    """The dice of the next roll in a few words, or of every roll."""
    if ask.one_roll:
        return attempt_pool(ask)
    return say("headline.up_to", dice=dice_count(ask.dice), n=ask.rolls_left)


def contested_pool(ask: Contested) -> str:
    """Both pools in a few words: "7 against 5".

    It is not among the words of the game: a translation of it would catch whatever people write with "against" in it.
    """
    sides = (ask.our_side, ask.their_side)
    return " against ".join(str(max(side.dice, 0) or say("dice.chance")) for side in sides)


def extended_title(ask: Extended, so_far: Progress) -> str:
    """Which roll it is, and how far the task has come."""
    return say("CD-13.roll", n=so_far.rolls + 1, most=ask.most_rolls, total=so_far.successes, target=ask.target)


def dice_count(n: int) -> str:
    """``5d10``, or a chance die."""
    return say("dice.pool", n=n) if n >= 1 else say("dice.chance")


def dice_words(n: int) -> str:
    """``5 dice``, or a chance die."""
    return say("dice.count", n=n) if n >= 1 else say("dice.chance")


# Verdicts.


def attempt_verdict(result: Result) -> Verdict:
    """The outcome, and how many successes there are; of what is only foreseen, the outcome."""
    called = say(f"outcome.{result.outcome}")
    if not hasattr(result, "from_helpers"):
        return Verdict(TONES[result.outcome], called)
    gives = said(result.from_helpers > 0, "CD-12.gives", n=result.from_helpers)
    fewer = said(result.helper_dramatic, "CD-12.fewer", n=4 * result.helper_dramatic)
    return Verdict(TONES[result.outcome], called, _successes(result), (*gives, *fewer))


def _successes(result: Result) -> str:
    """The number of successes; if there are none, with the number of dice."""
    if result.successes:
        return say("CD-10.successes", n=result.successes)
    if result.chance_die and result.outcome == "dramatic_failure" and not result.beat:
        return say("CD-10.one")
    return say("CD-10.no_success", n=result.pool) if result.pool >= 1 else say("CD-10.no_success_chance")


def contested_verdict(result: ContestedResult) -> Verdict:
    """Whether our side wins, and with how many successes against how many; of what is only foreseen, who wins."""
    if not hasattr(result, "our_side"):
        return Verdict(CONTESTS[result.winner], result.winner)
    sides = (result.our_side, result.their_side)
    mine, other = {"ours": ("wins", "loses"), "theirs": ("loses", "wins")}.get(result.winner, ("draw", "draw"))
    rare = tuple(say(f"CD-10.rare_{side.outcome}", name=_inside(side.name)) for side in sides if side.outcome in RARE)
    return Verdict(
        CONTESTS[result.winner],
        say(f"CD-13.{mine}", name=sides[0].name),
        say("CD-13.against", n=result.ours, other=result.theirs),
        rare,
        say(f"CD-13.{other}", name=sides[1].name),
    )


def _inside(name: str) -> str:
    """A name within a sentence."""
    return {say("side.our_side"): say("side.ours"), say("side.their_side"): say("side.theirs")}.get(name, name)


def extended_verdict(result: ExtendedResult) -> Verdict:
    """The task's progress: total, target, rolls made and left; of what is only foreseen, how it ends."""
    tone, reached = TASKS[result.outcome], say(f"task.{result.outcome}")
    if not hasattr(result, "successes"):
        return Verdict(tone, reached)
    return Verdict(tone, reached, _task_sum(result), _task_gains(result))


def _task_sum(result: ExtendedResult) -> str:
    so_far = {"n": result.successes, "target": result.target}
    if result.last:
        sum = say("CD-13.gained" if result.gained else "CD-13.gained_none", gained=result.gained, **so_far)
    else:
        sum = say("CD-13.so_far", rolls=result.rolls, **so_far)
    return say("CD-13.and_left", sum=sum, n=result.rolls_left) if result.rolls_left else sum


def _task_gains(result: ExtendedResult) -> tuple[str, ...]:
    """What was out of the ordinary: of a single roll, or of all together."""
    if result.last:
        rare = said(result.last in RARE, f"outcome.{result.last}")
        return *rare, *said(result.botched, "CD-12.fewer", n=4 * result.botched)
    exceptional = said(result.exceptional, "CD-13.exceptional", n=result.exceptional)
    return *exceptional, *said(result.dramatic, "CD-13.dramatic", n=result.dramatic)


# Where a pool comes from.


def attempt_pool_notes(ask: Attempt, pool: int, help: Help) -> tuple[Note, ...]:
    """The notes of the leader's throw: where the pool comes from."""
    return pool_notes(ask, pool, help, also=noted(ask.tries, "CD-11.tries"))


def contested_pool_notes(ask: Contested, *about: Any) -> tuple[Note, ...]:
    """The pool of the side that rolls: ours at first, theirs once ours is known."""
    *ours, pool, help = about
    side = ask.their_side if ours else ask.our_side
    return pool_notes(side, pool, help, _inside(side.title))


def extended_pool_notes(ask: Extended, so_far: Progress, pool: int, help: Help) -> tuple[Note, ...]:
    """The notes of a throw: where the pool comes from, once."""
    if so_far.rolls == ask.made:
        return pool_notes(ask, pool, help, also=noted(not ask.one_roll, "CD-13.full_pool"))
    return (Note(say("CD-1.pool", sources=_total(ask, help)), "CD-12"),) if help.dice or help.beats else ()


def pool_notes(ask: TeamAsk, pool: int, help: Help, name: str = "", also: tuple[Note, ...] = ()) -> tuple[Note, ...]:
    """The parts of a pool, and the rules of its dice."""
    return (
        note("CD-1.pool_of" if name else "CD-1.pool", name=name, sources=_total(ask, help)),
        *noted(ask.unskilled, "CD-3.alone"),
        *noted(ask.needs, "CD-2.needs", thing=ask.needs),
        *noted(ask.modifier or ask.equipment, "CD-2.before"),
        *noted(help.beats, "CD-12.beats", n=help.beats),
        *also,
        *(ask.quality.notes() if pool >= 1 else ()),
    )


def _total(ask: TeamAsk, help: Help) -> str:
    return format_total([*ask.sources, *([Source(say("source.helpers"), help.dice)] if help.dice else [])])


# What the result means.


def attempt_notes(ask: Attempt, result: Result) -> tuple[Note, ...]:
    """The notes of the outcome."""
    added = "CD-9.added" if result.rolled else "CD-9.only"
    return (
        *noted(ask.extra, added, n=result.rolled or ask.extra, extra=ask.extra),
        note(f"CD-10.came_to_{result.outcome}", sum=_successes(result)),
        *noted(ask.task and not result.rolled, "CD-11.in_vain", task=ask.task),
        *noted(result.beat, "CD-10.takes"),
        *noted(result.condition, "CD-10.brings", name=result.condition),
    )


def contested_notes(result: ContestedResult) -> Iterator[Note]:
    """The notes of the outcome: what each side rolled, and who wins."""
    for side in (result.our_side, result.their_side):
        yield note(f"CD-10.side_{side.outcome}", name=side.name, n=side.successes)
        yield from noted(side.beat, "CD-10.takes_side", name=side.name)
        yield from noted(side.condition, "CD-10.brings", name=side.condition)
    key = {"ours": "won", "theirs": "lost"}.get(result.winner, "drawn")
    yield note(f"CD-13.{key}", name=result.our_side.name, sum=contested_verdict(result).sum)


def extended_notes(result: ExtendedResult) -> tuple[Note, ...]:
    """The notes of the outcome."""
    return (
        *noted(result.beats, "CD-10.beats" if result.last else "CD-10.beats_so_far", n=result.beats),
        *noted(result.condition, "CD-10.brings", name=result.condition),
        note(f"CD-13.came_to_{result.outcome}", sum=_task_sum(result)),
    )
