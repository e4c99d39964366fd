"""Narraject: what a roll reads from sheets, and what may be put into it (NJ-1 to NJ-7)."""

from __future__ import annotations

import pytest

from astragal import Illegal
from astragal.games.narraject import Attempt
from astragal.rule.inputs.total import Source, Total, sources_of
from astragal.rule.sheets.table_rules import Holder
from tests.games.narraject_trial import (
    KIRA,
    TRIAL,
    asked,
    changes,
    holder,
    offers,
    participants,
    player,
)


def test_nj1_nj13_a_roll_reads_the_tables_edition_and_the_players_ip() -> None:
    at = participants(player=player(5), options={"edition": "hits"})
    assert TRIAL.reads("attempt", at) == {"edition": "hits", "side": "player", "ip": 5}
    nobody = participants(who=None, player=None)
    assert TRIAL.reads("attempt", nobody) == {"edition": "marks", "side": "player", "ip": 0}


def test_nj15_the_gm_rolls_with_the_gms_purse() -> None:
    at = participants()._replace(gm_side=True)
    assert TRIAL.reads("attempt", at) == {"edition": "marks", "side": "gm", "ip": 4}


def test_nj2_a_pool_is_gathered_from_named_sources() -> None:
    at = participants(scene={"circumstances": {"Fog": {"dice": 1}}})
    use = {"c1/stats/Agility": 2, "c1/specialties/Stealth": 1, "c1/gear/Dark clothes": 1, "scene/circumstances/Fog": 1}
    ask = asked(at, use)
    assert list(map(str, sources_of(ask.d6))) == ["2/3 Agility", "2 Stealth (expert)", "1 Dark clothes", "1 Fog"]


def test_nj3_a_focus_and_a_specialty_give_one_step_die_and_the_specialty_its_dice() -> None:
    at = participants(
        holder("c1", "Kira", focus={"Infiltrator": {"level": "master"}}, specialties=KIRA.sheet["specialties"])
    )
    ask = asked(at, {"c1/specialties/Stealth": 1, "c1/focus/Infiltrator": 1})
    assert (ask.step_die, int(ask.d6), ask.approach) == (12, 2, ("Infiltrator", "master"))


def test_nj3_of_specialties_one_goes_into_a_roll_and_of_focuses_one() -> None:
    found = offers(participants())
    assert {found[f"c1/specialties/{name}"].slot for name in ("Stealth", "Patience")} == {"specialties"}


def test_nj6_a_stat_is_offered_as_far_as_its_reserve_goes_and_a_point_costs_a_point() -> None:
    offer = offers(participants())["c1/stats/Agility"]
    assert (offer.most, offer.held, offer.by) == (3, 3, "c1")
    assert changes(offer.changes) == [("c1", "Agility", -1)]
    assert offers(participants())["c1/stats/Wits"].most == 0
    with pytest.raises(Illegal, match=r"3 to spend and 4 were asked for; nothing is spent \(NJ-6\)"):
        asked(participants(), {"c1/stats/Agility": 4})


def test_nj6_gear_that_is_called_like_a_stat_is_not_taken_for_its_points() -> None:
    assert offers(participants())["c1/gear/Wits"].label == "Wits (gear)"


def test_nj7_an_obstacle_of_the_scene_sets_the_difficulty() -> None:
    at = participants(scene={"obstacles": {"The wall": {"difficulty": 4}}})
    assert asked(at, {"scene/obstacles/The wall": 1, "c1/stats/Agility": 1}).difficulty == 4


def friends(n: int) -> tuple[Holder, ...]:
    stats = {"Agility": {"now": 2, "full": 2}, "Heart": {"now": 1, "full": 2}, "Might": {"now": 0, "full": 2}}
    return tuple(holder(f"c{2 + k}", name, stats=stats) for k, name in enumerate(["Bo", "Cy", "Di"][:n]))


def test_nj5_a_helper_pays_one_point_of_one_stat_and_adds_one_d6() -> None:
    at = participants(helpers=friends(1))
    offer = offers(at)["c2/stats/Heart!help"]
    assert (offer.by, offer.most, offer.input) == ("c2", 1, "help_dice")
    assert changes(offer.changes) == [("c2", "Heart", -1)]
    assert offers(at)["c2/stats/Might!help"].most == 0
    assert asked(at, {"c1/stats/Agility": 1, "c2/stats/Heart!help": 1}).help_dice == 1


def test_nj5_a_helper_adds_one_d6_whatever_stats_they_have() -> None:
    slots = {offer.slot for id, offer in offers(participants(helpers=friends(2))).items() if id.endswith("!help")}
    assert slots == {"help of c2", "help of c3"}
    with pytest.raises(Illegal, match=r"Bo helps twice; .* nothing is spent \(NJ-5\)"):
        Attempt(d6=1, help_dice=Total([Source("Bo", 1), Source("Bo", 1)]))


def test_nj5_a_third_helper_is_refused_before_anything_is_spent() -> None:
    helps = {f"c{n}/stats/Agility!help": 1 for n in (2, 3, 4)}
    at = participants(helpers=friends(3))
    with pytest.raises(Illegal, match="NJ-5"):
        asked(at, {"c1/stats/Agility": 1, **helps})
    assert asked(at, {"c1/stats/Agility": 1, **dict(list(helps.items())[:2])}).help_dice == 2


def test_nj5_nobody_helps_themselves() -> None:
    assert not [id for id in offers(participants(helpers=(KIRA,))) if id.endswith("!help")]
