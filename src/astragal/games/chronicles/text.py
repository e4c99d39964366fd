"""Chronicles in sentences: headlines, verdicts, what each die did and what the result means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from astragal.author import Note, Source, Tone, Total, Verdict, counted, format_total
from astragal.games.chronicles.dice_text import quality_notes

if TYPE_CHECKING:
    from astragal.games.chronicles.attempt import Attempt, Result
    from astragal.games.chronicles.contest_result import ContestedResult, SideResult
    from astragal.games.chronicles.contested import Contested, ContestSide
    from astragal.games.chronicles.extended import Extended, ExtendedResult, Progress
    from astragal.games.chronicles.team import Help, TeamAsk
    from astragal.games.chronicles.traits import Traits

WORSE = "Make it worse, for a Beat?"
OUTCOMES = {
    "dramatic_failure": "Dramatic failure",
    "failure": "Failure",
    "success": "Success",
    "exceptional_success": "Exceptional success",
}


TONES: dict[str, Tone] = {
    "exceptional_success": "triumph",
    "success": "good",
    "failure": "bad",
    "dramatic_failure": "disaster",
}
CONTESTS: dict[str, Tone] = {"ours": "good", "draw": "mixed", "theirs": "bad"}
TASKS: dict[str, tuple[Tone, str]] = {
    "success": ("good", "Done"),
    "failure": ("bad", "Not done"),
    "given_up": ("bad", "Given up"),
    "unfinished": ("mixed", "Under way"),
}
"""How a long task stands: its tone and its name."""


def attempt_headline(ask: Attempt) -> str:
    """The roll in a line."""
    return f"Chronicles: {dice_count(ask.dice)}{_manner(ask)}"


def attempt_verdict(result: Result) -> Verdict:
    """The outcome, and how many successes there are; of what is only foreseen, the outcome."""
    if not hasattr(result, "from_helpers"):
        return Verdict(TONES[result.outcome], OUTCOMES[result.outcome])
    gains = [f"{dice_words(result.from_helpers)} from helpers"] if result.from_helpers > 0 else []
    if result.helper_dramatic:
        gains.append(f"{4 * result.helper_dramatic} dice fewer by botched help")
    return Verdict(TONES[result.outcome], OUTCOMES[result.outcome], _successes(result), tuple(gains))


def _successes(result: Result) -> str:
    """How many successes; none, on how many dice."""
    if result.successes:
        return counted(result.successes, "success", "successes")
    if result.chance_die and result.outcome == "dramatic_failure" and not result.beat:
        return "a 1 on the chance die"
    return f"no successes on {dice_words(result.pool)}"


def _manner(ask: Attempt) -> str:
    parts = ["rote"] if ask.rote else []
    if ask.dice >= 1 or ask.team:
        parts.insert(0, "no again" if ask.again == "none" else f"{ask.again}-again")
    parts += [_help(ask)] if ask.team else []
    return "".join(f", {part}" for part in parts)


def _help(ask: TeamAsk) -> str:
    """How many help, or who."""
    if isinstance(ask.helper_pool, Total):
        return f"helped by {listed([helper.name for helper in ask.team])}"
    return counted(len(ask.team), "helper", "helpers")


def botched_help(ask: TeamAsk | Contested, steps: Sequence[Any]) -> str:
    """Whose help went dramatically wrong, by a chance die or for a Beat, and what that costs (CD-12)."""
    names = {helper.role: helper.name for helper in ask.every_helper}
    roles = [
        step.throw.by if hasattr(step, "throw") else step.choice.by
        for step in steps
        if (getattr(step.value, "dramatic", False) if hasattr(step, "throw") else step.answer.option == "take")
    ]
    botched = [f"{names[role]}'s" for role in roles if role in names]
    return f"{listed(botched)} botched help: {4 * len(botched)} dice fewer" if botched else ""


def listed(names: Sequence[str]) -> str:
    """``Ben, Cat and Dan``."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def attempt_pool(ask: Attempt, pool: int, help: Help) -> Iterator[Note]:
    """The notes of the leader's throw: where the pool comes from."""
    yield from pool_notes(ask.traits, ask.sources, help)
    if ask.tries:
        yield Note("Each earlier try under pressure takes a die.", "CD-11")
    if pool >= 1:
        yield from quality_notes(ask.quality)


def pool_notes(traits: Traits, sources: list[Source], help: Help, whose: str = "The pool") -> Iterator[Note]:
    """What a pool is made of."""
    given = [*sources, *([Source("from helpers", help.dice)] if help.dice else [])]
    yield Note(f"{whose} is {format_total(given)}.", "CD-1")
    if traits.unskilled:
        yield Note("Without dots in the Skill, the Attribute stands alone, with a penalty.", "CD-3")
    if traits.needs:
        yield Note(f"The task needs {traits.needs}.", "CD-2")
    if traits.modifier or traits.equipment:
        yield Note("Modifiers are added before the roll.", "CD-2")
    if help.beats:
        yield Note(f"Helpers took {counted(help.beats, 'Beat', 'Beats')}: 4 dice fewer for each.", "CD-12")


def attempt_notes(ask: Attempt, result: Result) -> Iterator[Note]:
    """The notes of the outcome."""
    if ask.extra and result.rolled:
        yield Note(f"{counted(result.rolled, 'success', 'successes')} rolled, {ask.extra} more added.", "CD-9")
    elif ask.extra:
        yield Note(f"The {ask.extra} extra come only with a success.", "CD-9")
    yield Note(f"{OUTCOMES[result.outcome]}: {_successes(result)}.", "CD-10")
    if ask.task and not result.rolled:
        yield Note(f"One more try that came to nothing: {ask.task}.", "CD-11")
    if result.beat:
        yield Note("The player takes a Beat.", "CD-10")
    if result.condition:
        yield Note(f"Five successes or more bring the Condition {result.condition}.", "CD-10")


def dice_count(n: int) -> str:
    """``5d10``, or a chance die."""
    return f"{n}d10" if n >= 1 else "a chance die"


def contested_pool(ask: Contested, *about: Any) -> Iterator[Note]:
    """The pool of the side that rolls: ours at first, theirs once ours is known."""
    *ours, pool, help = about
    side = ask.their_side if ours else ask.our_side
    yield from pool_notes(side.traits, side.traits.sources, help, f"The pool of {_inside(side.name)}")
    if pool >= 1:
        yield from quality_notes(side.quality)


def contested_notes(result: ContestedResult) -> Iterator[Note]:
    """The notes of the outcome: what each side rolled, and who wins."""
    for side in (result.our_side, result.their_side):
        yield Note(f"{side.name}: {side_words(side)}.", "CD-10")
        if side.beat:
            yield Note(f"The player of {side.name} takes a Beat.", "CD-10")
        if side.condition:
            yield Note(f"Five successes or more bring the Condition {side.condition}.", "CD-10")
    verdict = contested_verdict(result)
    yield Note(f"{verdict.tier}: {verdict.sum}.", "CD-13")


def side_words(side: SideResult) -> str:
    """What one side rolled, in words."""
    return f"{OUTCOMES[side.outcome].lower()}, {counted(side.successes, 'success', 'successes')}"


def contested_headline(ask: Contested) -> str:
    """The roll in a line."""
    if not ask.name and not ask.their_name:
        mine, other = ask.our_side.traits.dice, ask.their_side.traits.dice
        return f"Chronicles, contested: {dice_words(mine)} against {other if other >= 1 else dice_words(other)}"
    named = [
        f"{side.name} ({dice_words(side.traits.dice)}{side_help(side)})" for side in (ask.our_side, ask.their_side)
    ]
    return f"Chronicles, contested: {' against '.join(named)}"


def side_help(side: ContestSide) -> str:
    """Who helps a side, by name."""
    return f", helped by {listed(side.helper_names)}" if side.helper_names else ""


def contested_verdict(result: ContestedResult) -> Verdict:
    """Whether our side wins, and with how many successes against how many; of what is only foreseen, who wins."""
    if not hasattr(result, "our_side"):
        return Verdict(CONTESTS[result.winner], result.winner)
    sides = (result.our_side, result.their_side)
    mine, other = {"ours": (" wins", " loses"), "theirs": (" loses", " wins")}.get(result.winner, ("", ""))
    rare = tuple(
        f"{OUTCOMES[side.outcome]} for {_inside(side.name)}"
        for side in sides
        if side.outcome in ("dramatic_failure", "exceptional_success")
    )
    return Verdict(
        CONTESTS[result.winner],
        f"{sides[0].name}{mine}" if mine else "A draw",
        f"{counted(result.ours, 'success', 'successes')} against {result.theirs}",
        rare,
        f"{sides[1].name}{other}" if other else "A draw",
    )


def _inside(name: str) -> str:
    """A name within a sentence."""
    return {"Our side": "our side", "Their side": "their side"}.get(name, name)


def dice_words(n: int) -> str:
    """``5 dice``, or a chance die."""
    return counted(n, "die", "dice") if n >= 1 else "a chance die"


def extended_title(ask: Extended, so_far: Progress) -> str:
    """Which roll it is, and how far the task has come."""
    return f"Roll {so_far.rolls + 1} of {ask.most_rolls} ({so_far.successes} of {ask.target})"


def extended_notes(result: ExtendedResult) -> Iterator[Note]:
    """The notes of the outcome."""
    if result.beats:
        on_the_way = "" if result.last else " on the way"
        yield Note(f"{counted(result.beats, 'Beat', 'Beats')} taken{on_the_way}.", "CD-10")
    if result.condition:
        yield Note(f"Five successes or more bring the Condition {result.condition}.", "CD-10")
    verdict = extended_verdict(result)
    yield Note(f"{verdict.tier}: {verdict.sum}.", "CD-13")


def extended_headline(ask: Extended) -> str:
    """The action in a line; of one roll, its dice and how far the task has come."""
    help = f", {_help(ask)}" if ask.team else ""
    if ask.one_roll:
        so_far = f"{ask.gathered} of {counted(ask.target, 'success', 'successes')}"
        place = f"roll {ask.made + 1} of {ask.most_rolls}"
        return f"Chronicles, extended: {dice_count(ask.dice)}{help}, {place}, {so_far} so far"
    needed = counted(ask.target - ask.gathered, "success", "successes")
    return f"Chronicles, extended: {needed} within {counted(ask.rolls_left, 'roll', 'rolls')}{help}"


def extended_verdict(result: ExtendedResult) -> Verdict:
    """How far the task has come: total, target, rolls made and left; of what is only foreseen, how it ends."""
    tone, reached = TASKS[result.outcome]
    if not hasattr(result, "successes"):
        return Verdict(tone, reached)
    left = f", {counted(result.rolls_left, 'roll', 'rolls')} left" if result.rolls_left else ""
    if result.last:
        rare = [OUTCOMES[result.last]] if result.last in ("dramatic_failure", "exceptional_success") else []
        if result.botched:
            rare.append(f"{4 * result.botched} dice fewer by botched help")
        gained = counted(result.gained, "success", "successes") if result.gained else "no success"
        return Verdict(tone, reached, f"{gained}, {result.successes} of {result.target} in all{left}", tuple(rare))
    needed = f"{result.successes} of {counted(result.target, 'success', 'successes')}"
    named = tuple(
        f"{n} {name}" for n, name in ((result.exceptional, "exceptional"), (result.dramatic, "dramatic")) if n
    )
    return Verdict(tone, reached, f"{needed} in {counted(result.rolls, 'roll', 'rolls')}{left}", named)


def attempt_words(ask: TeamAsk) -> str:
    """The leader's dice in a few words, with those who help."""
    helped = f", {counted(len(ask.team), 'helper', 'helpers')} first" if ask.team else ""
    return f"{dice_count(ask.dice)}{helped}"


def extended_words(ask: Extended) -> str:
    """The dice of the next roll in a few words, or of every roll."""
    if ask.one_roll:
        return attempt_words(ask)
    return f"{dice_count(ask.dice)}, up to {counted(ask.rolls_left, 'roll', 'rolls')}"


def contested_words(ask: Contested) -> str:
    """Both pools in a few words: "7 against 5"."""
    return " against ".join(str(max(side.traits.dice, 0) or "a chance die") for side in (ask.our_side, ask.their_side))


def extended_pool(ask: Extended, so_far: Progress, pool: int, help: Help) -> Iterator[Note]:
    """The notes of a throw: where the pool comes from, once."""
    if so_far.rolls > ask.made:
        if help.dice or help.beats:
            yield Note(f"The pool is {format_total([*ask.sources, Source('from helpers', help.dice)])}.", "CD-12")
        return
    yield from pool_notes(ask.traits, ask.sources, help)
    if not ask.one_roll:
        yield Note("Every roll has the full pool.", "CD-13")
    if pool >= 1:
        yield from quality_notes(ask.quality)
