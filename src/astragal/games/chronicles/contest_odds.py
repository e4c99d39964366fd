"""Who wins a contest, exactly: two mixtures against each other, however many successes there are (CD-13, CD-15)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from astragal.author import (
    Distribution,
    Ratio,
    Series,
    common_multiple,
    comparison_odds,
    reduced,
)
from astragal.games.chronicles.contested import Contested, ContestSide
from astragal.games.chronicles.mixture import CHANCE, DIE, Mixture, Powers, coefficients, mixture
from astragal.games.chronicles.team import Helper, team_of

ONE_MORE = (0, 1)
"""The polynomial x: a success more."""
NO_DIE = Ratio((1,), (1,))


class Counted(NamedTuple):
    """A side's successes with the extra ones; ``most`` is how many there can be, or None."""

    mixed: Mixture
    most: int | None


def winner(ask: Contested, up_to: int, beats: bool = False, their_beats: bool = False) -> Distribution[str]:
    """Who has more successes; a side's helpers may take Beats, which cost its own leader dice."""
    ours, theirs = ask.our_side, ask.their_side
    if not any((ours.extra, theirs.extra, _team(ours), _team(theirs))):
        return comparison_odds(_alone(ours), _alone(theirs))
    return judged(counted(ours, beats), counted(theirs, their_beats))


def judged(mine: Counted, other: Counted) -> Distribution[str]:
    """Who has more successes, of all that both sides may come to."""
    if mine.most is None and other.most is None:
        wins, draws = _endless(mine.mixed, other.mixed)
    elif other.most is not None:
        wins, draws = _against(mine.mixed, other.mixed, other.most)
    else:
        losses, draws = _against(other.mixed, mine.mixed, mine.most or 0)
        wins = 1 - losses - draws
    total = common_multiple((wins.denominator, draws.denominator))
    chances = {"ours": wins, "theirs": 1 - wins - draws, "draw": draws}
    return Distribution({name: int(chance * total) for name, chance in chances.items()}, total)


def _team(side: ContestSide) -> tuple[Helper, ...]:
    """Who helps a side; pools that come to 0 are helpers too, on chance dice."""
    return team_of(side.helpers, side.helper_pool, side.traits.dice)


def _alone(side: ContestSide) -> Series:
    dice = side.traits.dice
    return Series.of(CHANCE[side.quality.rote], 1) if dice < 1 else Series.of(DIE[side.quality], dice)


def counted(side: ContestSide, beats: bool) -> Counted:
    """All that a side may come to."""
    return counted_from(side, side.traits.dice, _team(side), beats)


def counted_from(side: ContestSide, dice: int, team: tuple[Helper, ...], beats: bool) -> Counted:
    """All that a side may come to with so many dice and these helpers to come."""
    mixed = mixture(dice, side.quality, team, beats)
    most = max(dice, 1) + sum([max(helper.dice, 1) for helper in team]) + side.extra
    endless = side.quality.endless and (dice >= 1 or bool(team))
    return Counted(_with_extra(mixed, side.extra) if side.extra else mixed, None if endless else most)


def certain(successes: int) -> Counted:
    """So many successes, which lie there."""
    rest = Series(((ONE_MORE, successes),)) if successes else Series(())
    return Counted(Mixture((Powers(NO_DIE, {0: 1}, rest),)), successes)


def _with_extra(mixed: Mixture, extra: int) -> Mixture:
    """Extra successes come only with one rolled: the chance of none stays where it is (CD-9)."""
    ways, total = coefficients(mixed, 0)
    none = Fraction(ways[0] * mixed.total, total)
    more = Series(((ONE_MORE, extra),))
    groups = [group._replace(rest=group.rest * more) for group in mixed.groups]
    return Mixture((*groups, Powers(NO_DIE, {0: -none}, more), Powers(NO_DIE, {0: none})), mixed.chance, mixed.total)


def _endless(ours: Mixture, theirs: Mixture) -> tuple[Fraction, Fraction]:
    """Neither side's successes end: every part of one against every part of the other."""
    wins = draws = Fraction(0)
    for weight, series in ours.parts:
        for other, against in theirs.parts:
            found = comparison_odds(series, against)
            wins += weight * other * found["ours"]
            draws += weight * other * found["draw"]
    total = ours.total * theirs.total
    return wins / total, draws / total


def _against(ours: Mixture, theirs: Mixture, most: int) -> tuple[Fraction, Fraction]:
    """Their successes end: the chances that ours are more, and of a draw, case by case."""
    mine, total = coefficients(ours, most)
    other, of = coefficients(theirs, most)
    wins, above = 0, total
    for a, b in zip(mine, other, strict=True):
        above -= a
        wins += above * b
    draws = sum(a * b for a, b in zip(mine, other, strict=True))
    return reduced(wins, total * of), reduced(draws, total * of)
