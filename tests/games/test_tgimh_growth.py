"""TGIMH: Keys score, XP become Advances, and Advances are spent (TG-16 to TG-20)."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.rule.sheets.table_rules import Holder
from tests.games.tgimh_trial import ILSE, holder, moved, participants, refused


def with_advances(n: int, xp: int = 0, **more: Any) -> Holder:
    """Ilse with so many Advances and XP."""
    sheet = {**ILSE.sheet, "advances": {"Advances": {"now": n}}, "xp": {"XP": {"now": xp}}, **more}
    return holder("c1", "Ilse", **sheet)


@pytest.mark.parametrize(
    ("key", "level", "xp"),
    [
        ("The quarrel", "scene", 1),
        ("The quarrel", "challenge", 2),
        ("The quarrel", "progress", 5),
        ("Protect", "expressed", 1),
        ("protect", "risk", 3),
    ],
)
def test_tg17_a_key_scores_by_how_far_it_went(key: str, level: str, xp: int) -> None:
    sheets = moved("score", participants(), key=key, level=level)
    assert sheets["c1"]["xp"]["XP"]["now"] + 5 * sheets["c1"]["advances"]["Advances"]["now"] == xp


def test_tg17_a_key_scores_only_by_its_own_levels() -> None:
    assert refused("score", participants(), key="Protect", level="progress").rule == "TG-17"
    assert refused("score", participants(), key="No such Key", level="scene").kind == "unknown"


def test_tg18_every_5_xp_is_an_advance() -> None:
    sheets = moved("score", participants(who=with_advances(1, xp=4)), key="Protect", level="risk")
    assert sheets["c1"]["xp"]["XP"]["now"] == 2
    assert sheets["c1"]["advances"]["Advances"]["now"] == 2


def test_tg18_xp_written_by_hand_become_advances() -> None:
    sheets = moved("advance", participants(who=with_advances(0, xp=13)))
    assert (sheets["c1"]["xp"]["XP"]["now"], sheets["c1"]["advances"]["Advances"]["now"]) == (3, 2)
    assert refused("advance", participants(who=with_advances(0, xp=4))).rule == "TG-18"


def test_tg17_a_key_that_is_bought_off_gives_10_xp_and_is_gone() -> None:
    sheets = moved("buy_off", participants(), key="The quarrel")
    assert set(sheets["c1"]["keys"]) == {"Protect"}
    assert sheets["c1"]["advances"]["Advances"]["now"] == 2


@pytest.mark.parametrize(("way", "dice"), [("raise", 4), ("lower", 2)])
def test_tg19_a_die_up_or_down_costs_as_many_advances_as_there_are_dice(way: str, dice: int) -> None:
    sheets = moved("step", participants(who=with_advances(4)), name="Duelist", way=way)
    assert sheets["c1"]["aspects"]["Duelist"]["dice"] == dice
    assert sheets["c1"]["advances"]["Advances"]["now"] == 1


def test_tg19_an_ability_is_raised_likewise_and_nothing_goes_below_1_die() -> None:
    assert (
        moved("step", participants(who=with_advances(1)), name="River-born")["c1"]["abilities"]["River-born"]["dice"]
        == 2
    )
    assert refused("step", participants(who=with_advances(9)), name="Proud", way="lower").rule == "TG-19"


def test_tg19_a_new_aspect_and_a_new_key_cost_1_each() -> None:
    sheets = moved("new_aspect", participants(who=with_advances(1)), name="Patient")
    assert sheets["c1"]["aspects"]["Patient"]["dice"] == 1
    assert sheets["c1"]["advances"]["Advances"]["now"] == 0
    sheets = moved("new_key", participants(who=with_advances(1)), name="Home", kind="motivation")
    assert sheets["c1"]["keys"]["Home"]["kind"] == "motivation"


def test_tg19_a_name_is_taken_once() -> None:
    assert refused("new_aspect", participants(who=with_advances(5)), name="duelist").rule == "TG-19"
    assert refused("new_key", participants(who=with_advances(5)), name="a/b", kind="dramatic").rule == "TG-19"


def test_tg19_a_1d_aspect_moves_to_the_backgrounds_and_back() -> None:
    sheets = moved("shift", participants(who=with_advances(1)), name="Proud")
    assert "Proud" not in sheets["c1"]["aspects"]
    assert "Proud" in sheets["c1"]["backgrounds"]
    sheets = moved("shift", participants(who=with_advances(1)), name="A lost title")
    assert sheets["c1"]["aspects"]["A lost title"]["dice"] == 1
    assert sheets["c1"]["backgrounds"] == {}
    assert refused("shift", participants(who=with_advances(9)), name="Duelist").rule == "TG-19"


def test_tg20_what_has_no_price_of_its_own_costs_1_for_each_die() -> None:
    sheets = moved("buy", participants(who=with_advances(3)), name="Lantern", kind="gear", dice=2)
    assert sheets["c1"]["gear"]["Lantern"]["dice"] == 2
    assert sheets["c1"]["advances"]["Advances"]["now"] == 1


def test_tg16_a_condition_becomes_an_aspect_for_as_many_advances_as_dice() -> None:
    sheets = moved("keep", participants(who=with_advances(2)), condition="Angry")
    assert sheets["c1"]["aspects"]["Angry"]["dice"] == 2
    assert (sheets["c1"]["conditions"], sheets["c1"]["advances"]["Advances"]["now"]) == ({}, 0)
    sheets = moved("keep", participants(who=with_advances(1), conditions={"In love": {"dice": 1}}), condition="in love")
    assert (sheets["scene"]["conditions"], sheets["c1"]["aspects"]["In love"]["dice"]) == ({}, 1)


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("step", {"name": "Duelist"}),
        ("new_aspect", {"name": "Patient"}),
        ("new_key", {"name": "Home", "kind": "dramatic"}),
        ("shift", {"name": "Proud"}),
        ("buy", {"name": "Lantern"}),
        ("keep", {"condition": "Angry"}),
    ],
)
def test_tg20_with_too_few_advances_nothing_is_spent(name: str, inputs: dict[str, str]) -> None:
    refusal = refused(name, participants(), **inputs)
    assert refusal.rule == "TG-20"
    assert "and Ilse has none" in refusal.sentence
