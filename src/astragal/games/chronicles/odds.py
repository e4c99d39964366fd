"""Exact odds of Chronicles, rerolls without end included (CD-15)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from astragal.author import Beyond, Distribution, Fact, Moments, Policy, Series, Wish, common_multiple, series_odds
from astragal.games.chronicles.attempt import Attempt, Result
from astragal.games.chronicles.contest_odds import winner
from astragal.games.chronicles.contested import Contested
from astragal.games.chronicles.extended_odds import reached, rolls_needed
from astragal.games.chronicles.foresight import TAKES, TAKES_IN_TASKS, WEIGHTS
from astragal.games.chronicles.mixture import DIE, DRAMATIC, Mixture, by_help, coefficients, given_by, mixture, rolled
from astragal.games.chronicles.text import CONTESTS, OUTCOMES, TASKS, TONES

A = TypeVar("A")


def by_policy(
    closed: Callable[[A, int, bool], Distribution[Any]], wishes: Mapping[str, bool] = TAKES
) -> Callable[[A, int, Policy], Distribution[Any] | None]:
    """The closed form for wishes that always, or never, take a Beat; others need the whole tree (CD-12)."""

    def planned(ask: A, up_to: int, policy: Policy) -> Distribution[Any] | None:
        takes = wishes.get(policy.wish.name) if policy.wish else None
        return None if takes is None else closed(ask, up_to, takes)

    return planned


def contest_planned(ask: Contested, up_to: int, policy: Policy) -> Distribution[str] | None:
    """Who wins a contest, where helpers take Beats only to fail more often (CD-12)."""
    wish = policy.wish.name if policy.wish else ""
    return winner(ask, up_to, wish == "beat", wish == "their-beat") if wish in WISHES["contested"] else None


def _mixture(ask: Attempt, beats: bool) -> Mixture:
    return mixture(ask.dice, ask.quality, ask.team, beats)


def successes(ask: Attempt, up_to: int, beats: bool = False) -> Distribution[Any]:
    """Successes with the extra ones, which come only with a success rolled (CD-9)."""
    dice = ask.dice
    if dice < 1 or ask.team:
        found = rolled(_mixture(ask, beats), up_to)
    else:
        found = series_odds(Series.of(DIE[ask.quality], dice), up_to)
    return found if not ask.extra else with_extra(found, ask.extra, up_to)


def with_extra(found: Distribution[Any], extra: int, up_to: int) -> Distribution[Any]:
    """Odds with extra successes wherever there is one at all."""
    weights: dict[Any, int] = dict.fromkeys([*range(up_to + 1), Beyond(up_to)], 0)
    for value, weight in found.weights.items():
        weights[_more(value, extra, up_to)] += weight
    some = 1 - found[0]
    mean = found.mean + extra * some
    square = found.variance + found.mean**2 + 2 * extra * found.mean + extra**2 * some
    return Distribution(weights, found.total, Moments(mean, square - mean**2))


def _more(value: Any, extra: int, up_to: int) -> Any:
    if value == 0:
        return 0
    return Beyond(up_to) if isinstance(value, Beyond) or value + extra > up_to else value + extra


def outcome(ask: Attempt, up_to: int, beats: bool = False) -> Distribution[str]:
    """The four outcomes; a failure is dramatic by a chance die's 1, or for the leader's own Beat (CD-10)."""
    mixed = _mixture(ask, beats)
    found = rolled(mixed, 4)
    dramatic = mixed.chance * DRAMATIC[ask.rote]
    some = sum(found.weights.get(k, 0) for k in range(1, 5))
    total = found.total * dramatic.denominator
    failed = found.weights[0] * dramatic.denominator
    drama = failed if beats else int(dramatic * total)
    weights = {"dramatic_failure": drama, "failure": failed - drama, "success": some * dramatic.denominator}
    return Distribution({**weights, "exceptional_success": total - sum(weights.values())}, total)


def beats_taken(ask: Attempt, up_to: int, beats: bool = False) -> Distribution[int]:
    """How many Beats helpers and leader take between them (CD-10)."""
    if not beats:
        return Distribution.certain(0)
    chances: dict[int, Fraction] = {}
    for (_, n, _), mixed in by_help(ask.dice, ask.quality, given_by(ask.team, ask.quality, True)).items():
        whole = sum((Fraction(weight, mixed.total) for weight, _ in mixed.parts), Fraction(0))
        ways, total = coefficients(mixed, 0)
        failed = Fraction(ways[0], total) - mixed.chance * DRAMATIC[ask.rote]
        chances[n] = chances.get(n, Fraction(0)) + whole - failed
        chances[n + 1] = chances.get(n + 1, Fraction(0)) + failed
    common = common_multiple(chance.denominator for chance in chances.values())
    return Distribution({n: int(chance * common) for n, chance in sorted(chances.items()) if chance}, common)


def _weighed(result: Result) -> int:
    """A Beat against the dramatic failure that it is for, the leader's or a helper's (CD-10, CD-12)."""
    return WEIGHTS[result.outcome] + result.beats - 2 * result.helper_dramatic


def _never(result: Any) -> Beyond:
    """Beyond the last roll; a task that is given up is not done in those that it had left either."""
    return Beyond(result.rolls + (result.rolls_left if result.outcome == "given_up" else 0))


FACTS = {
    "attempt": {
        "outcome": Fact(
            "Outcome",
            lambda result: result.outcome,
            lambda ask: tuple(OUTCOMES)[::-1],
            outcome,
            planned=by_policy(outcome),
            tones=TONES,
        ),
        "successes": Fact(
            "Successes",
            lambda result: result.successes,
            None,
            successes,
            endless=True,
            planned=by_policy(successes),
        ),
        "beats": Fact("Beats", lambda result: result.beats, None, beats_taken, planned=by_policy(beats_taken)),
    },
    "extended": {
        "outcome": Fact(
            "Outcome",
            lambda result: result.outcome,
            lambda ask: ("success", "unfinished", "failure") if ask.one_roll else ("success", "failure"),
            reached,
            planned=by_policy(reached, TAKES_IN_TASKS),
            tones=TASKS,
        ),
        "rolls": Fact(
            "Rolls needed",
            lambda result: result.rolls if result.outcome == "success" else _never(result),
            None,
            rolls_needed,
            planned=by_policy(rolls_needed, TAKES_IN_TASKS),
        ),
    },
    "contested": {
        "winner": Fact(
            "Winner",
            lambda result: result.winner,
            lambda ask: ("ours", "draw", "theirs"),
            winner,
            planned=contest_planned,
            tones=CONTESTS,
        ),
    },
}
WISHES = {
    "attempt": {
        "succeed": Wish("succeed", "at least one success", lambda result: int(result.rolled > 0)),
        "exceptional": Wish("exceptional", "five successes or more", lambda result: int(result.rolled >= 5)),
        "weighed": Wish(
            "weighed",
            "a success counts 1, an exceptional one 2, a Beat 1, a dramatic failure -2, a helper's too",
            _weighed,
            counts=True,
        ),
        "calm": Wish("calm", "no dramatic failure", lambda result: int(result.outcome != "dramatic_failure")),
        "beat": Wish("beat", "as many Beats as can be", lambda result: result.beats, counts=True, unasked=False),
    },
    "extended": {
        "done": Wish("done", "the target is reached", lambda result: int(result.outcome == "success")),
        "weighed": Wish(
            "weighed",
            "a task that is done counts 2, a Beat 1, a dramatic failure -2, a helper's too",
            lambda result: 2 * (result.outcome == "success") + result.beats - 2 * (result.dramatic + result.botched),
            counts=True,
        ),
        "beat": Wish("beat", "as many Beats as can be", lambda result: result.beats, counts=True, unasked=False),
    },
    "contested": {
        "succeed": Wish("succeed", "our side wins", lambda result: int(result.winner == "ours")),
        "weighed": Wish(
            "weighed",
            "a win counts 2, our leader's Beat 1, our leader's dramatic failure -2",
            lambda result: (
                2 * (result.winner == "ours") + result.our_side.beat - 2 * (result.our_outcome == "dramatic_failure")
            ),
            counts=True,
        ),
        "beat": Wish(
            "beat", "a Beat for our leader", lambda result: int(result.our_side.beat), counts=True, unasked=False
        ),
        "resist": Wish("resist", "their side wins", lambda result: int(result.winner == "theirs"), theirs=True),
        "their-weighed": Wish(
            "their-weighed",
            "their win counts 2, their leader's Beat 1, their leader's dramatic failure -2",
            lambda result: (
                2 * (result.winner == "theirs")
                + result.their_side.beat
                - 2 * (result.their_outcome == "dramatic_failure")
            ),
            counts=True,
            theirs=True,
        ),
        "their-beat": Wish(
            "their-beat",
            "a Beat for their leader",
            lambda result: int(result.their_side.beat),
            counts=True,
            unasked=False,
            theirs=True,
        ),
    },
}
