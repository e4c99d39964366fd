"""Blades in the Dark: its odds against icepool and against every throw, and what it costs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import icepool  # type: ignore[import-untyped]
import pytest

from astragal import Typed, odds, play
from astragal.games.registry import game
from astragal.rule.game import Game
from astragal.table import action as a
from astragal.table.rolls.basis import Basis
from tests.examples.model import referee
from tests.table.tables import Party

D6 = range(1, 7)


@pytest.fixture(scope="module")
def blades() -> Game:
    return game("blades")


def read(dice: int) -> dict[int, Fraction]:
    """The chance of the best die, 7 for a critical, by icepool."""
    if dice == 0:
        found = icepool.d6.lowest(2)
    else:
        best, sixes = icepool.d6.highest(dice), dice @ (icepool.d6 == 6)
        critical = sixes.map(lambda n: n >= 2).probability(True)
        chances = {face: best.probability(face) for face in D6}
        return {**chances, 6: chances[6] - critical, 7: critical}
    return {face: found.probability(face) for face in D6} | {7: Fraction(0)}


def summed(chances: dict[int, Fraction], bands: dict[str, tuple[int, ...]]) -> dict[str, Fraction]:
    found = {name: sum((chances[face] for face in faces), Fraction(0)) for name, faces in bands.items()}
    return {name: chance for name, chance in found.items() if chance}


def present(found: Any) -> dict[Any, Fraction]:
    return {value: chance for value, chance in found.items() if chance}


@pytest.mark.parametrize(("action", "extra", "aid"), [(0, 0, 0), (0, 1, 0), (2, 0, 0), (4, 1, 1), (0, 0, 1)])
@pytest.mark.parametrize("position", [1, 2, 3])
def test_an_action_roll(blades: Game, action: int, extra: int, aid: int, position: int) -> None:
    given = {"action": action, "extra": extra, "position": position, **({"aid": {"Odo": 1}} if aid else {})}
    called = ("controlled", "risky", "desperate")[position - 1]
    bands = {"Critical": (7,), "Full success": (6,), f"Partial, {called}": (4, 5), f"Failure, {called}": (1, 2, 3)}
    found = odds(blades.main.ask.read(given), "outcome")
    assert present(found) == summed(read(action + extra + aid), bands)


def test_armour_is_used_for_the_best(blades: Game) -> None:
    for armour, spared in ((0, Fraction(11, 36)), (1, Fraction(1))):
        ask = blades.main.ask(action=2, armour=armour)
        assert odds(ask, "spared", policy="best", wish="spared")[True] == spared


@pytest.mark.parametrize(("dice", "stress"), [(0, 0), (0, 6), (1, 4), (3, 8), (4, 9)])
def test_resistance_costs_what_is_missing_to_six(blades: Game, dice: int, stress: int) -> None:
    def cost(thrown: tuple[int, ...]) -> int:
        best = max(thrown) if dice else min(thrown)
        return -1 if dice and thrown.count(6) > 1 else 6 - best

    ask, throws = blades.kind("resist").ask(attribute=dice, stress=stress), list(product(D6, repeat=dice or 2))
    assert present(odds(ask, "cost")) == referee(throws, cost)
    assert present(odds(ask, "broken")) == referee(throws, lambda thrown: stress + cost(thrown) >= 9)


def test_the_last_box_is_a_trauma_and_stress_begins_again(blades: Game) -> None:
    resist = blades.kind("resist")
    done = play(resist.rule(resist.ask(attribute=1, stress=5)), Typed("2"))
    assert [(effect.what, effect.by) for effect in done.effects] == [("stress", -5), ("trauma", 1)]


@pytest.mark.parametrize("dice", [0, 1, 3])
def test_fortune_and_engagement(blades: Game, dice: int) -> None:
    bands = {"Exceptional": (7,), "Good": (6,), "Limited": (4, 5), "Poor": (1, 2, 3)}
    expected = summed(read(dice), bands)
    assert present(odds(blades.kind("fortune").ask(trait=dice), "outcome")) == expected
    engage = {"better": max(dice - 1, 0), "worse": 1 if dice == 0 else 0}
    assert present(odds(blades.kind("engage").ask(**engage), "outcome")) == expected


def test_a_vice_takes_at_most_the_stress_that_there_is(blades: Game) -> None:
    for lowest, stress in ((0, 3), (2, 4), (1, 9)):
        ask = blades.kind("vice").ask(insight=4, prowess=lowest, resolve=2, stress=stress)
        dice = min(lowest, 2)

        def relief(thrown: tuple[int, ...], dice: int = dice, stress: int = stress) -> int:
            return min(max(thrown) if dice else min(thrown), stress)

        assert present(odds(ask, "relief")) == referee(product(D6, repeat=dice or 2), relief)


def test_a_project_has_five_ticks_at_a_critical(blades: Game) -> None:
    expected = summed(read(3), {"1": (1, 2, 3), "2": (4, 5), "3": (6,), "5": (7,)})
    found = odds(blades.kind("project").ask(action=3), "ticks")
    assert {str(ticks): chance for ticks, chance in present(found).items()} == expected


def test_a_friend_assists_for_stress_and_a_job_fills_its_clock() -> None:
    party = Party("blades")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"action": 1, "clock": "The vault"}))
    party.do("Ada", a.AssistAction(who="Kit"))
    offers = {offer.label: offer.id for offer in Basis(party.state, party.roll).offers.values()}
    party.do("Ada", a.BuildAction(use={offers["Kit: Sway"]: 1}))
    stress = party.item("Kit", "stress", "Stress")["now"]
    party.do("Jonas", a.ThrowAction(faces="6 6"))
    assert party.item("Kit", "stress", "Stress")["now"] == stress + 1
