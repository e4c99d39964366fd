"""Pointless options: in every state and for every wish, another option is better or cheaper, and not worse.

Worth is that of ``advise``: later choices serve the wish, at the lowest average cost. An option that does little but
costs little is worth taking to save points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from astragal.deadline import time_is_up
from astragal.dice.render.text import format_exact, format_number
from astragal.errors import Refusal
from astragal.lint.finding import Finding, Proof
from astragal.lint.survey import Survey
from astragal.rule.chances.fact import Policy, Wish, wishes_of
from astragal.rule.chances.odds import UP_TO
from astragal.rule.chances.solve import Solver
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Choice, Option


class Worth(NamedTuple):
    """The average worth to a wish, then the average cost, negated: the greater tuple is preferred."""

    worth: Fraction
    saved: Fraction


class Nearest(NamedTuple):
    """The state in which an option comes nearest to a better one."""

    ask: Ask
    wish: Wish
    better: str
    mine: Worth
    theirs: Worth

    @property
    def gap(self) -> Worth:
        """How much better the other option is."""
        return Worth(self.theirs.worth - self.mine.worth, self.theirs.saved - self.mine.saved)


class Candidate(NamedTuple):
    """An option that was not worth taking in any state so far; ``tried`` is the number of pairs of state and wish."""

    label: str = ""
    rule: str = ""
    tried: int = 0
    nearest: Nearest | None = None
    wishes: int = 0
    """The number of wishes by which it is judged: those of the side whose option it is."""

    def seen(self, option: Option[Any], nearest: Nearest, wishes: int) -> Candidate:
        """Return the candidate after one more state and wish."""
        kept = nearest if self.nearest is None or nearest.gap < self.nearest.gap else self.nearest
        return Candidate(option.label, option.rule, self.tried + 1, kept, wishes)


NO_EVIDENCE = Candidate()


def pointless(survey: Survey) -> Iterator[Finding]:
    """Yield a finding for each option that is never worth taking.

    Dice that may stay are answers of one option, such as ``again keep 3 3``: one that is worth taking speaks for all.
    """
    kind = survey.grid.kind
    answers = [answer for decision in kind.decisions for answer in decision.answers]
    chosen = [answer.removesuffix("nothing") for answer in answers if answer.endswith(" keep nothing")]

    def declared(name: str) -> str:
        return next((option for option in chosen if name.startswith(option)), name)

    found = _candidates(survey, tuple(wishes_of(kind).values()))
    worthwhile = {(choice, declared(name)) for (choice, name), candidate in found.items() if candidate is None}
    for (choice, name), candidate in found.items():
        if candidate is not None and candidate.nearest is not None and (choice, declared(name)) not in worthwhile:
            yield _finding(choice, name, candidate, candidate.nearest, candidate.wishes)


def _candidates(survey: Survey, wishes: tuple[Wish, ...]) -> dict[tuple[str, str], Candidate | None]:
    """Every option of every choice; None once it was worth taking."""
    found: dict[tuple[str, str], Candidate | None] = {}
    for ask, reached in survey.reached.items():
        policies = [Policy("cheapest", wish) for wish in wishes] if reached.whole else []
        solvers = [Solver(policy, UP_TO, policy.wish and policy.wish.worth) for policy in policies]
        for choice in reached.choices:
            judged = any(
                wish.theirs == choice.is_theirs for wish in wishes
            )  # the other side's choice has no wish of ours
            if solvers and judged and len(choice.options) > 1 and not time_is_up():
                with suppress(Refusal):
                    _try_state(found, ask, choice, wishes, solvers)
    return found


def _try_state(
    found: dict[tuple[str, str], Candidate | None],
    ask: Ask,
    choice: Choice[Any],
    wishes: Sequence[Wish],
    solvers: Sequence[Solver],
) -> None:
    if all(found.get((choice.name, name), choice) is None for name in choice.options):
        return
    sides = [choice.of_side(wish.theirs) for wish in wishes]
    for wish, solver, options in zip(wishes, solvers, sides, strict=True):
        solved = {name: solver.option(option) for name, option in options.items()}
        worths = {name: Worth(each.worth, -each.cost) for name, each in solved.items()}
        for name, mine in worths.items():
            better = _better(mine, worths)
            if better is None:
                found[choice.name, name] = None
            elif (before := found.get((choice.name, name), NO_EVIDENCE)) is not None:
                nearest = Nearest(ask, wish, better, mine, worths[better])
                found[choice.name, name] = before.seen(options[name], nearest, sum(name in side for side in sides))


def _better(mine: Worth, worths: dict[str, Worth]) -> str | None:
    """The best of the options that are at least as good in worth and cost, and better in one of them."""
    better = [
        name
        for name, other in worths.items()
        if other.worth >= mine.worth and other.saved >= mine.saved and other != mine
    ]
    return max(better, key=worths.__getitem__) if better else None


def _finding(choice: str, name: str, candidate: Candidate, nearest: Nearest, wishes: int) -> Finding:
    wish = f'the wish "{nearest.wish.name}"'
    mine, theirs = nearest.mine, nearest.theirs
    sentence = (
        f'In the choice "{choice}", {name} ({candidate.label}) is never worth taking: in each of '
        f"{candidate.tried // wishes:,} states another option is at least as good and costs no more, "
        f"{_for_all(wishes, wish)}. Where it comes nearest, {name} is worth {_number(mine.worth)} at a cost of "
        f"{_number(-mine.saved)} to {wish}, and {nearest.better} {_number(theirs.worth)} at a cost of "
        f"{_number(-theirs.saved)}."
    )
    proof = (
        Proof(nearest.ask, f"{wish} after {name}", mine.worth),
        Proof(nearest.ask, f"{wish} after {nearest.better}", theirs.worth),
    )
    return Finding("pointless", "warning", sentence, (candidate.rule,) if candidate.rule else (), proof)


def _for_all(wishes: int, wish: str) -> str:
    return f"for each of the {wishes} wishes" if wishes > 1 else f"for {wish}"


def _number(number: Fraction) -> str:
    return format_exact(number) if number.denominator > 1 else format_number(number)
