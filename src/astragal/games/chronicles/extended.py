"""An extended action: successes gathered over several rolls, up to a target (CD-13)."""

from __future__ import annotations

from typing import Any, NamedTuple

from astragal.author import Choice, Effect, Illegal, Node, Option, Outcome, counted, lazy, whole
from astragal.games.chronicles import text
from astragal.games.chronicles.team import EXCEPTIONAL, Help, TeamAsk, TeamCount, TeamRoll, beat_options, roll_team

MAX_ROLLS = 100
MAX_TARGET = 1000


class Extended(TeamAsk):
    """A long task: each roll uses the full pool, and earlier rolls cost nothing."""

    target: int = whole(
        1,
        MAX_TARGET,
        "successes needed in all",
        rule="CD-13",
        title="How much work?",
        steps=((5, "Short"), (10, "Long"), (15, "Very long"), (20, "Enormous")),
        asks="Choose how much work it is",
    )
    rolls: int | None = whole(
        1,
        MAX_ROLLS,
        "rolls allowed, if not Attribute + Skill + Specialty",
        default=None,
        rule="CD-13",
        title="Rolls allowed",
    )

    def check(self) -> None:
        super().check()
        if self.most_rolls < 1:
            raise Illegal(
                "Attribute and Skill come to less than 1, so no roll is allowed; say how many with rolls.", "CD-13"
            )

    @property
    def most_rolls(self) -> int:
        """As many rolls as Attribute + Skill + Specialty, before any modifier (CD-13)."""
        return self.rolls or min(self.dots, MAX_ROLLS)


class ExtendedResult(NamedTuple):
    """What the rolls gave together. ``outcome`` is success, failure, given_up, or unfinished while rolls are left."""

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


class Progress(NamedTuple):
    """How far a long task has come: rolls made, successes gathered, and rolls that were out of the ordinary."""

    rolls: int = 0
    successes: int = 0
    beats: int = 0
    exceptional: int = 0
    dramatic: int = 0


def extended(ask: Extended) -> Node[ExtendedResult]:
    """Roll until the target is reached, no roll is left or the task is given up (CD-13)."""
    return next_roll(ask, Progress())


def next_roll(ask: Extended, so_far: Progress) -> Node[ExtendedResult]:
    """One roll with the full pool, by all rules for a roll."""
    title, enough = text.extended_title(ask, so_far), max(EXCEPTIONAL, ask.target - so_far.successes)
    about = (ask, so_far)
    return roll_team(
        TeamRoll(
            ask.team,
            ask.dice,
            ask.quality,
            gather,
            text.extended_pool,
            about,
            title,
            enough=enough,
            gives_up=give_up,
            foresees=foresee if ask.quality.endless else None,
        )
    )


def foresee(*at: Any) -> Any:
    """What comes of helpers' dice that go again, where somebody asks; it tells no numbers apart by ``up_to``."""
    from astragal.games.chronicles.foresight import task_foreseen

    return task_foreseen(*at[:-1])


def give_up(ask: Extended, so_far: Progress, help: Help) -> Choice[ExtendedResult]:
    """A long task can be given up at any time, also while it waits for somebody's dice (CD-13)."""
    so_far = so_far._replace(beats=so_far.beats + help.beats)
    options = {"stop": _stop(ask, so_far)}
    return Choice("next", "player", "Give it up?", options, result_of(ask, so_far), "stop")


def _stop(ask: Extended, so_far: Progress) -> Option[ExtendedResult]:
    stops, detail = lazy(settled, ask, so_far, "given_up"), "what was gathered stays in the log"
    return Option("Give it up", stops, "CD-13", detail=detail)


def gather(ask: Extended, before: Progress, rolled: TeamCount) -> Node[ExtendedResult]:
    """Successes are added up; a failed roll may be made dramatic for a Beat, and the task goes on (CD-10, CD-13)."""
    outcome = rolled.outcome
    so_far = Progress(
        before.rolls + 1,
        before.successes + rolled.successes(ask.extra),
        before.beats + rolled.help.beats,
        before.exceptional + (outcome == "exceptional_success"),
        before.dramatic + (outcome == "dramatic_failure"),
    )
    if outcome == "exceptional_success":
        return inspired(ask, so_far)
    if outcome != "failure":
        return go_on(ask, so_far)
    taken = so_far._replace(beats=so_far.beats + 1, dramatic=so_far.dramatic + 1)
    options = beat_options(lazy(go_on, ask, so_far), lazy(go_on, ask, taken))
    options["take"] = options["take"]._replace(effects=(Effect("beat", "roller", 1, rule="CD-10", when="answer"),))
    question = f"The roll fails. {text.WORSE}"
    return Choice("beat", "player", question, options, result_of(ask, so_far), "keep", passes=True)


def inspired(ask: Extended, so_far: Progress) -> Node[ExtendedResult]:
    """The Condition comes with the roll that earns it, not with the end of the task: a choice of one (CD-10)."""
    gain = Effect("condition", "roller", 1, ask.boon, "CD-10", when="answer")
    option: Option[Any] = Option(f"The Condition {ask.boon}", lazy(go_on, ask, so_far), "CD-10", effects=(gain,))
    question, options = "Five successes or more in one roll.", {"success": option}
    return Choice("exceptional", "player", question, options, result_of(ask, so_far), "success", passes=True)


def go_on(ask: Extended, so_far: Progress) -> Node[ExtendedResult]:
    """The task is done, over, or goes on, unless it is given up (CD-13)."""
    if so_far.successes >= ask.target or so_far.rolls == ask.most_rolls:
        return settled(ask, so_far, "success" if so_far.successes >= ask.target else "failure")
    left = ask.most_rolls - so_far.rolls
    options = {
        "roll": Option(
            "Roll on", lazy(next_roll, ask, so_far), "CD-13", detail=f"{counted(left, 'roll', 'rolls')} left"
        ),
        "stop": _stop(ask, so_far),
    }
    return Choice("next", "player", "Roll on, or give it up?", options, result_of(ask, so_far), "roll", passes=True)


def result_of(ask: Extended, so_far: Progress, outcome: str = "unfinished") -> ExtendedResult:
    """How far the task has come, as a result."""
    left = ask.most_rolls - so_far.rolls
    return ExtendedResult(
        ask.dice, ask.dice < 1, ask.target, so_far.successes, so_far.rolls, left, outcome, *so_far[2:]
    )


def rest(ask: Extended, result: ExtendedResult) -> Extended | None:
    """What is left of a long task, as one of its own; nothing if it is over."""
    needed = result.target - result.successes
    if needed < 1 or not result.rolls_left:
        return None
    return Extended(**{**vars(ask), "target": needed, "rolls": result.rolls_left})


def settled(ask: Extended, so_far: Progress, outcome: str) -> Node[ExtendedResult]:
    """The end of the task; what was gathered stays in the log."""
    result = result_of(ask, so_far, outcome)
    return Outcome(result, tell=lambda: text.extended_notes(result))
