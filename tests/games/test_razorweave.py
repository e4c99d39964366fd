"""Razorweave against a plain second statement of its rules, on every throw there is."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal import Choice, Illegal, Typed, explain, play
from astragal.games.razorweave import Check, Oracle, Split, check, oracle, split
from astragal.games.razorweave.strike import BLOWS
from astragal.games.razorweave.tiers import moved, name_of
from tests.faces import Given, as_faces, every_throw


def second_statement(shown: tuple[int, ...], net: int, bonus: int, dc: int) -> tuple[int, int, str]:
    """RW-4 to RW-7, written again without the project's code: drop dice one by one, then look up the tier."""
    left = list(shown)
    for _ in range(abs(net)):
        left.remove(min(left) if net > 0 else max(left))
    margin = sum(left) + bonus - dc
    tier = "critical_failure"
    for lowest, name in ((-6, "failure"), (-2, "partial_success"), (0, "full_success"), (5, "critical_success")):
        if margin >= lowest:
            tier = name
    return sum(left), margin, "critical_failure" if set(shown) == {1} else tier


def roll(ask: Check, shown: tuple[int, ...]) -> Any:
    return play(check(ask), Given(as_faces((shown,)))).result


@pytest.mark.parametrize("net", [-2, -1, 0, 1, 2])
def test_every_throw_gives_what_the_rules_say(net: int) -> None:
    ask = Check(dc=15, attribute=1, skill=True, edge=net)
    for (shown,) in every_throw((4 + abs(net), 6)):
        kept, margin, tier = second_statement(shown, net, 2, 15)
        result = roll(ask, shown)
        assert (result.kept, result.result, result.margin, result.tier) == (kept, kept + 2, margin, tier), shown


@pytest.mark.parametrize("dc", [1, 5, 12, 22, 40])
def test_rw7_all_ones_fail_critically_at_every_dc(dc: int) -> None:
    for net in range(-2, 3):
        result = roll(Check(dc=dc, edge=net, bonus=30), (1,) * (4 + abs(net)))
        assert result.tier == "critical_failure"


@pytest.mark.parametrize("net", [-2, 0, 1])
def test_rw8_every_tier_of_a_strike_ticks_and_asks_as_the_table_says(net: int) -> None:
    ticks = {"critical_success": 3, "full_success": 2, "partial_success": 1, "failure": 0, "critical_failure": 0}
    asks = {"critical_success": "player", "partial_success": "gm", "failure": "gm", "critical_failure": "gm"}
    ask = Check(dc=14, edge=net, strike=True)
    for (shown,) in list(every_throw((4 + abs(net), 6)))[::7]:
        played = play(check(ask), Given(as_faces((shown,))))
        assert played.result is not None
        assert played.result.ticks == ticks[played.result.tier or ""]
        by = played.node.by if isinstance(played.node, Choice) else None
        assert by == asks.get(played.result.tier or "")


def test_rw9_every_consequence_can_be_chosen_and_changes_the_table() -> None:
    faces = {
        "critical_success": "6 6 6 6",
        "partial_success": "3 3 3 3",
        "failure": "2 2 2 2",
        "critical_failure": "1 1 1 2",
    }
    for tier, typed in faces.items():
        for name in BLOWS[tier].follow:
            said = f"{name}: Something" if name in ("condition", "major") else name
            played = play(check(Check(dc=14, strike=True)), Typed(typed, {"consequence": [said]}))
            assert played.outcome is not None
            parts = {effect.what for effect in played.outcome.effects} - {"resolve"}
            expected = (
                {"condition"} if name in ("staggered", "bleeding", "disarmed", "condition") else set(name.split("+"))
            )
            assert parts == expected


@given(st.lists(st.integers(1, 6), min_size=6, max_size=6), st.integers(-2, 1))
def test_rw4_edge_never_lowers_the_kept_sum_for_the_same_dice(dice: list[int], net: int) -> None:
    """One step up the scale, from the same dice on the table, never keeps less."""
    less = roll(Check(dc=14, edge=net), tuple(dice[: 4 + abs(net)]))
    more = roll(Check(dc=14, edge=net + 1), tuple(dice[: 4 + abs(net + 1)]))
    assert more.kept >= less.kept


@given(st.lists(st.integers(1, 6), min_size=4, max_size=6), st.booleans(), st.randoms())
def test_the_order_of_the_dice_never_matters(dice: list[int], burden: bool, random: Any) -> None:
    net = (len(dice) - 4) * (-1 if burden else 1)
    mixed = random.sample(dice, len(dice))
    assert roll(Check(dc=14, edge=net), tuple(dice)) == roll(Check(dc=14, edge=net), tuple(mixed))


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 3))
def test_rw4_rw12_sources_are_added_up_and_capped_at_two(edge: int, burden: int, helpers: int) -> None:
    ask = Check(dc=14, edge=edge, burden=burden, assist=helpers)
    assert ask.net == sorted((-2, edge + helpers - burden, 2))[1]


def test_rw2_every_dc_has_the_name_of_the_nearest_step() -> None:
    names = {11: "Easy", 12: "Easy", 13: "Easy", 14: "Routine", 17: "Tough", 18: "Hard", 20: "Heroic", 40: "Legendary"}
    assert {dc: name_of(dc) for dc in names} == names


def test_rw3_the_scene_moves_the_dc_by_steps_within_the_ladder() -> None:
    assert [moved(14, steps) for steps in (-3, -1, 0, 2, 9)] == [12, 12, 14, 18, 22]
    assert [moved(30, steps) for steps in (-1, 1)] == [28, 30]


@pytest.mark.parametrize("missing", ["uncertain", "matters", "agency"])
def test_rw1_without_all_three_conditions_nothing_is_rolled(missing: str) -> None:
    ask = Check.read({"dc": 14, missing: "no"})
    waiting = play(check(ask))
    assert isinstance(waiting.node, Choice)
    assert (waiting.node.by, waiting.steps) == ("gm", ())
    answered = play(check(ask), Given(answers={"answer": ["no"]}))
    assert answered.result is not None
    assert (answered.result.answer, answered.result.tier) == ("no", None)


def test_rw1_rw13_what_is_said_beforehand_is_kept_in_the_explanation() -> None:
    ask = Check(dc=14, intent="in unseen", approach="over the roof", retry="the rain has stopped", group="the crew")
    notes = [str(note) for note in explain(play(check(ask), Typed("3 3 3 3"))).notes]
    for part in ("in unseen (RW-1)", "over the roof (RW-1)", "the rain has stopped (RW-13)", "the crew (RW-12)"):
        assert any(part in note for note in notes)
    with pytest.raises(Illegal, match="RW-13"):
        Check(dc=14, retry="  ")


def test_rw12_split_risks_give_everybody_a_result_of_their_own() -> None:
    ask = Split.read({"dc": 14, "members": "3 Kira, -1 Dex", "edge": 1})
    result = play(split(ask), Typed("2 3 4 5 6 | 1 1 1 1 1")).result
    assert result is not None
    assert [(member.name, member.result, member.tier) for member in result.members] == [
        ("Kira", 21, "critical_success"),
        ("Dex", 3, "critical_failure"),
    ]


def test_rw14_every_answer_of_the_oracle() -> None:
    for kinds in product(("helps", "hinders"), repeat=2):
        for counted in ((), (1,), (2,), (1, 2)):
            ask = Oracle(question=tuple((f"Question {n}?", kind) for n, kind in enumerate(kinds)), counted=counted)
            for (shown,) in every_throw((2, 6)):
                result = play(oracle(ask), Given(as_faces((shown,)))).result
                assert result is not None
                assert result.dc == oracle_by_hand(shown, kinds, counted)


def oracle_by_hand(shown: tuple[int, ...], kinds: tuple[str, ...], counted: tuple[int, ...]) -> int:
    dc = 14
    for place, (face, kind) in enumerate(zip(shown, kinds, strict=True), 1):
        if place in counted or face in (3, 4):
            continue
        harder = (face >= 5) == (kind == "hinders")
        dc = min(22, dc + 2) if harder else max(12, dc - 2)
    return dc
