"""An extended action: successes gathered over several rolls, up to a target (CD-13).

At a table each roll is gathered and thrown by itself, and the sheet keeps how far the task has come. On a command
line and for odds the whole task can be rolled in one go, every roll with the same pool.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from astragal.author import Choice, Effect, Node, Option, Outcome, flag, lazy, whole, words
from astragal.games.chronicles import text
from astragal.games.chronicles.after import after_dice, condition_for, what_happens
from astragal.games.chronicles.rules import TEXTS, refuse, say
from astragal.games.chronicles.team import (
    EXCEPTIONAL,
    OutcomeName,
    TeamAsk,
    TeamCount,
    TeamRoll,
    roll_team,
)

MAX_ROLLS = 100
MAX_TARGET = 1000


class Extended(TeamAsk, texts=TEXTS.of("extended")):
    """A long task, or one roll of it; earlier rolls cost no dice."""

    task: str | None = words(default=None, rule="CD-13", told="{}")
    target: int = whole(1, MAX_TARGET, rule="CD-13", steps=(5, 10, 15, 20))
    rolls: int | None = whole(1, MAX_ROLLS, default=None, rule="CD-13", dice=False)
    gathered: int = whole(0, MAX_TARGET, default=0, rule="CD-13", whose="gm", dice=False)
    made: int = whole(0, MAX_ROLLS, default=0, rule="CD-13", whose="gm", dice=False)
    one_roll: bool = flag(default=False, rule="CD-13", whose="sheet", dice=False)

    def check(self) -> None:
        super().check()
        refuse(self.most_rolls < 1, "CD-13.no_roll")
        refuse(self.gathered >= self.target, "CD-13.is_reached", n=self.gathered, target=self.target)
        refuse(self.made >= self.most_rolls, "CD-13.all_made", n=self.most_rolls)

    @property
    def most_rolls(self) -> int:
        """As many rolls as Attribute + Skill + Specialty, before any modifier (CD-13)."""
        return self.rolls or min(self.dots, MAX_ROLLS)

    @property
    def rolls_left(self) -> int:
        """The rolls that may still be made, this one included."""
        return self.most_rolls - self.made


class ExtendedResult(NamedTuple):
    """The result of all rolls. ``outcome`` is success, failure, given_up, or unfinished while rolls are left.

    ``last`` is the outcome of the roll and ``gained`` its successes, where only one was made.
    """

    pool: int
    chance_die: bool
    target: int
    successes: int
    rolls: int
    rolls_left: int
    outcome: str
    beats: int = 0
    exceptional: int = 0
    dramatic: int = 0
    botched: int = 0
    last: str = ""
    gained: int = 0
    condition: str | None = None


class Progress(NamedTuple):
    """The progress of a long task: rolls made, successes gathered, and rolls that were out of the ordinary.

    ``dramatic`` are the leader's dramatic failures, ``botched`` those of helpers.
    """

    rolls: int = 0
    successes: int = 0
    beats: int = 0
    exceptional: int = 0
    dramatic: int = 0
    botched: int = 0


def extended(ask: Extended) -> Node[ExtendedResult]:
    """Roll until the target is reached, no roll is left or the task is given up (CD-13); or make one roll of it."""
    return next_roll(ask, Progress(ask.made, ask.gathered))


def next_roll(ask: Extended, so_far: Progress) -> Node[ExtendedResult]:
    """One roll, by all rules for a roll."""
    title = "" if ask.one_roll else text.extended_title(ask, so_far)
    enough = max(EXCEPTIONAL, ask.target - so_far.successes)
    about = (ask, so_far)
    return roll_team(
        TeamRoll(ask.team, ask.dice, ask.quality, gather, text.extended_pool_notes, about, title, enough=enough)
    )


def gather(ask: Extended, before: Progress, rolled: TeamCount) -> Node[ExtendedResult]:
    """Successes are added up, and the roll is answered like any other (CD-10, CD-13)."""
    outcome = rolled.outcome
    so_far = Progress(
        before.rolls + 1,
        before.successes + rolled.successes(ask.extra),
        before.beats + rolled.help.beats,
        before.exceptional + (outcome == "exceptional_success"),
        before.dramatic + (outcome == "dramatic_failure"),
        before.botched + rolled.help.dramatic,
    )
    fallen: tuple[Effect, ...] = ()
    if ask.one_roll:
        gained = so_far.successes - ask.gathered
        fallen = (Effect("task", "roller", gained, ask.task or "", "CD-13", when="fallen"),)
    then, stands = lazy(has_answered, ask, so_far, outcome), partial(result_of, ask, so_far)
    return after_dice(ask, outcome, then, stands, partial(say, "CD-10.question_roll"), fallen=fallen, midway=True)


def has_answered(
    ask: Extended, so_far: Progress, outcome: OutcomeName, beat: bool, condition: str | None = None
) -> Node[ExtendedResult]:
    """A roll counts as dramatic if a Beat was taken for it; a Condition comes with the roll that earns it (CD-10)."""
    if beat:
        so_far = so_far._replace(beats=so_far.beats + 1, dramatic=so_far.dramatic + 1)
    if ask.one_roll:
        gained, last = so_far.successes - ask.gathered, "dramatic_failure" if beat else outcome
        effects = (condition_for("roller", condition),) if condition else ()
        result = result_of(ask, so_far)._replace(last=last, gained=gained, condition=condition)
        return settled(result, effects)
    if condition is None:
        return go_on(ask, so_far)
    # In the middle of a task the Condition comes with an answer; there is only one.
    gain = (condition_for("roller", condition, "answer"),)
    option = Option(say("CD-10.gain", name=condition), lazy(go_on, ask, so_far), "CD-10", gain)
    stands = result_of(ask, so_far)
    return Choice("exceptional", "player", say("CD-10.five"), {"success": option}, stands, "success", passes=True)


def go_on(ask: Extended, so_far: Progress) -> Node[ExtendedResult]:
    """The task is done, over, or continues unless it is given up (CD-13)."""
    result = result_of(ask, so_far)
    if result.outcome != "unfinished":
        return settled(result)
    roll_on, left = lazy(next_roll, ask, so_far), say("CD-13.left", n=result.rolls_left)
    stop = lazy(settled, result._replace(outcome="given_up"))
    options = {
        "roll": Option(say("CD-13.roll_on"), roll_on, "CD-13", detail=left),
        "stop": Option(say("CD-13.give_up"), stop, "CD-13", detail=say("CD-13.give_up_detail")),
    }
    return Choice("next", "player", say("CD-13.next"), options, result, "roll", passes=True)


def result_of(ask: Extended, so_far: Progress) -> ExtendedResult:
    """The task's progress as a result; while rolls are left, it is unfinished."""
    left, successes = ask.most_rolls - so_far.rolls, so_far.successes
    outcome = "success" if successes >= ask.target else "unfinished" if left > 0 else "failure"
    return ExtendedResult(ask.dice, ask.dice < 1, ask.target, successes, so_far.rolls, left, outcome, *so_far[2:])


def settled(result: ExtendedResult, effects: tuple[Effect, ...] = ()) -> Node[ExtendedResult]:
    """The end of the task, or of one roll; what was gathered stays in the log."""
    return Outcome(result, effects, tell=lambda: text.extended_notes(result), prompts=what_happens())


# What a table asks of a long task.


def begun(ask: Extended) -> tuple[int, int, int]:
    """Total, target and rolls left before a roll."""
    return ask.gathered, ask.target, ask.rolls_left


def in_one_go(ask: Extended) -> Extended:
    """All rolls that are left, if each is like this one."""
    return Extended(**{**vars(ask), "one_roll": False})


def rest(ask: Extended, result: ExtendedResult) -> Extended | None:
    """The rest of a long task, as a task of its own; None if it is over."""
    needed = result.target - result.successes
    if needed < 1 or not result.rolls_left:
        return None
    fresh = {"target": needed, "rolls": result.rolls_left, "gathered": 0, "made": 0, "one_roll": False}
    return Extended(**{**vars(ask), **fresh})
