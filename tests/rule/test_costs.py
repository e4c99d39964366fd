"""Costs in any resource, and costs that are known only when the dice have fallen."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from astragal.author import Choice, Effect, Option, Outcome, Policy, Wish, lazy
from astragal.rule.chances.advise import advise
from astragal.rule.chances.solve import Solver
from astragal.rule.tree.node import costs_of
from astragal.rule.tree.play import Rolled, play
from astragal.table import action as a
from tests import parlour
from tests.installed import installed
from tests.table.tables import Party
from tests.table.test_moves_with_dice import showing

SIX = parlour.WISHES["push"]["six"]


def choice(dice: int) -> Choice[parlour.Pushed]:
    found = parlour.push(parlour.Push(dice=dice)).then(0)
    assert isinstance(found, Choice)
    return found


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_a_random_cost_is_the_average_over_every_throw(dice: int) -> None:
    keep, push = advise(choice(dice), SIX).options
    throws = list(product(range(1, 7), repeat=dice))
    ones = Fraction(sum(faces.count(1) for faces in throws), len(throws))
    assert keep.costs == {}
    assert push.costs == {"stress": ones, "coins": 1}
    assert (push.cost, push.total_cost) == (1, 1 + ones)
    assert push.worth == Fraction(sum(6 in faces for faces in throws), len(throws))


def test_a_whole_roll_costs_what_playing_it_every_way_costs() -> None:
    solved = Solver(Policy("cheapest", SIX), 10).solve(parlour.push(parlour.Push(dice=2)))
    paid = {"coins": Fraction(0), "stress": Fraction(0)}
    for first in product(range(1, 7), repeat=2):
        for second in product(range(1, 7), repeat=2):
            if 6 not in first:
                paid["coins"] += Fraction(1, 6**4)
                paid["stress"] += Fraction(second.count(1), 6**4)
    assert solved.costs == paid
    assert solved.cost == sum(paid.values())


def test_of_equally_good_options_the_cheapest_policy_takes_the_one_that_costs_less() -> None:
    """The dear option comes first, so that a policy without regard to the cost would take it."""
    dear, cheap = (Option(f"{n}", lazy(Outcome, n), effects=(Effect("coins", "player", -n),)) for n in (3, 1))
    node: Choice[int] = Choice("buy", "player", "Which?", {"dear": dear, "cheap": cheap}, 0, "cheap")
    wish = Wish("any", "anything", lambda result: 1, counts=True)
    assert Solver(Policy("cheapest", wish), 10).solve(node).cost == 1
    assert Solver(Policy("best", wish), 10).solve(node).cost == 3


def test_what_counts_up_costs_only_where_the_game_says_so() -> None:
    effects = [Effect("ip", "player", 2), Effect("ip", "player", -1), Effect("stress", "roller", 2, price=True)]
    assert costs_of(effects) == {"ip": 1, "stress": 2}
    assert Option("Go", lazy(Outcome, 0), effects=tuple(effects)).cost == 3


def test_of_two_ways_to_the_same_the_cheaper_in_all_resources_is_advised() -> None:
    wish = Wish("one", "one", lambda result: result)
    ways = {
        "stress": Option("Stress", lazy(Outcome, 1, (Effect("stress", "roller", 3, price=True),))),
        "coins": Option("Coins", lazy(Outcome, 1), effects=(Effect("coins", "roller", -2, when="answer"),)),
    }
    advice = advise(Choice("way", "player", "Which?", ways, 0), wish)
    assert advice.best == "coins"
    assert [option.total_cost for option in advice.options] == [3, 2]


def test_an_effect_of_an_outcome_that_is_no_price_costs_nothing() -> None:
    wish = Wish("one", "one", lambda result: result)
    ways = {"hurt": Option("Hurt", lazy(Outcome, 1, (Effect("hp", "roller", -3),)))}
    assert advise(Choice("way", "player", "Which?", ways, 0), wish).options[0].costs == {}


def test_at_a_table_a_random_cost_is_paid_as_far_as_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    party = Party(installed("parlour", tmp_path, monkeypatch))
    party.do("Mira", a.ChangeAction(holder="Wren", section="stress", item="Stress", by=8))
    party.do("Jonas", a.RollAction(kind="push", who="Wren", inputs={"dice": 2}), showing(2, 3))
    seen = party.see("Ada")[f"rolls/{party.roll.id}"]
    option = next(each for each in seen["open"]["options"] if each["name"] == "push")
    assert option["detail"] == "costs 1 stress for each 1"
    party.do("Jonas", a.AnswerAction(answer="push"), showing(1, 1))
    assert "Wren: Coins −1 (pushed) (P-4)." in party.lines("Ada")
    assert "Wren: Stress +1 (pushed) (P-4)." in party.lines("Ada")
    party.do("Jonas", a.UndoAction())
    party.do("Mira", a.AllowAction())
    assert party.item("Wren", "stress", "Stress")["now"] == 8


def test_the_effects_of_play_say_which_are_prices() -> None:
    for seed in range(20):
        played = play(parlour.again(parlour.Push(dice=4)), Rolled(seed=seed))
        result = played.result
        assert result is not None
        assert costs_of(effect for effect in played.effects if effect.price) == (
            {"stress": result.stress} if result.stress else {}
        )
