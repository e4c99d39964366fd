"""Narraject at the table: what rolls read from sheets, what they cost, and what they leave behind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from astragal import Illegal, Refusal, Unknown
from astragal.games.narraject import GAME, Attempt
from astragal.games.narraject.effects import KEPT
from astragal.games.narraject.result_seen import Seen
from astragal.games.narraject.table import TABLE_RULES
from astragal.rule.note import Note
from astragal.rule.table_rules import Change, Deed, Holder, Offer, Participants, table_rules_of
from astragal.rule.total import sources_of
from tests.games.trial import Trial

TRIAL = Trial(GAME, TABLE_RULES, tidies=True)
holder, moved = TRIAL.holder, TRIAL.moved
KIRA = holder(
    "c1",
    "Kira",
    stats={"Agility": {"now": 3, "full": 5}, "Wits": {"now": 0, "full": 2}},
    specialties={"Stealth": {"level": "expert", "dice": 2}, "Patience": {"level": "trained", "dice": 0}},
    gear={"Dark clothes": {"dice": 1}, "Wits": {"dice": 1}},
)


def player(ip: int = 2) -> Holder:
    return holder("p1", "Ada", ip={"IP": {"now": ip}})


def table_of(complications: Mapping[str, Any] = {}, ip: int = 4) -> Holder:
    return holder("table", ip={"IP": {"now": ip}}, complications=complications)


def participants(who: Holder | None = KIRA, scene: Mapping[str, Any] = {}, **more: Any) -> Participants:
    """Kira, played by Ada, at an empty table, unless somebody or something is given."""
    usual = {"player": player(), "table": table_of()}
    return TRIAL.participants(who, scene=holder("scene", **scene), **{**usual, **more})


def offers(at: Participants) -> dict[str, Offer]:
    return TRIAL.offers("attempt", at)


def asked(at: Participants, use: Mapping[str, int], **typed: Any) -> Attempt:
    """The ask that comes of what is read, typed and put in."""
    ask: Attempt = TRIAL.asked("attempt", at, use, **typed)
    return ask


def settled(at: Participants, ask: Attempt, faces: str, *answers: str) -> list[Deed]:
    """What the outcome of these dice and answers writes."""
    return TRIAL.written("attempt", at, ask, faces, {"spend": answers or ["settle"]})


def changes(deeds: Iterable[Deed]) -> list[tuple[str, str, int | None]]:
    """Whose item every change is of, and by how much."""
    return [(deed.holder, deed.item, deed.by) for deed in deeds if isinstance(deed, Change)]


def test_the_game_names_what_it_keeps() -> None:
    assert table_rules_of(GAME.table_rules) is TABLE_RULES


def test_every_rule_that_is_cited_there_is() -> None:
    offered = {offer.rule for offer in offers(participants()).values()}
    assert TRIAL.rules_of_sections() | TRIAL.rules_of_moves() | offered <= {*GAME.rules, ""}


def test_templates_can_be_read() -> None:
    assert all(sheet["stats"] for sheet in TRIAL.templates())


# Before the roll.


def test_nj1_nj13_a_roll_reads_the_tables_edition_and_the_players_ip() -> None:
    at = participants(player=player(5), options={"edition": "hits"})
    assert TABLE_RULES.reads("attempt", at) == {"edition": "hits", "ip": 5}
    assert TABLE_RULES.reads("attempt", participants(who=None, player=None)) == {"edition": "marks", "ip": 0}


def test_nj2_a_pool_is_gathered_from_named_sources() -> None:
    at = participants(scene={"circumstances": {"Fog": {"dice": 1}}})
    use = {"c1/stats/Agility": 2, "c1/specialties/Stealth": 1, "c1/gear/Dark clothes": 1, "scene/circumstances/Fog": 1}
    ask = asked(at, use)
    assert list(map(str, sources_of(ask.d6))) == ["2/3 Agility", "2 Stealth (expert)", "1 Dark clothes", "1 Fog"]


def test_nj3_one_tap_on_a_specialty_gives_its_step_die_and_its_dice() -> None:
    ask = asked(participants(), {"c1/specialties/Stealth": 1, "c1/specialties/Patience": 1})
    assert (ask.step_die, int(ask.d6)) == (10, 2)
    assert ask.trait == (("Stealth", "expert"), ("Patience", "trained"))


def test_nj6_a_stat_is_offered_as_far_as_its_reserve_goes_and_a_point_costs_a_point() -> None:
    offer = offers(participants())["c1/stats/Agility"]
    assert (offer.most, offer.held, offer.by) == (3, 3, "c1")
    assert changes(offer.price) == [("c1", "Agility", -1)]
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
    assert changes(offer.price) == [("c2", "Heart", -1)]
    assert offers(at)["c2/stats/Might!help"].most == 0
    assert asked(at, {"c1/stats/Agility": 1, "c2/stats/Heart!help": 1}).help_dice == 1


def test_nj5_a_helper_adds_one_d6_whatever_stats_they_have() -> None:
    use = {"c1/stats/Agility": 1, "c2/stats/Heart!help": 1, "c2/stats/Agility!help": 1}
    with pytest.raises(Illegal, match=r"Bo helps twice; .* nothing is spent \(NJ-5\)"):
        asked(participants(helpers=friends(1)), use)


def test_nj5_a_third_helper_is_refused_before_anything_is_spent() -> None:
    helps = {f"c{n}/stats/Agility!help": 1 for n in (2, 3, 4)}
    at = participants(helpers=friends(3))
    with pytest.raises(Illegal, match="NJ-5"):
        asked(at, {"c1/stats/Agility": 1, **helps})
    assert asked(at, {"c1/stats/Agility": 1, **dict(list(helps.items())[:2])}).help_dice == 2


def test_nj5_nobody_helps_themselves() -> None:
    assert not [id for id in offers(participants(helpers=(KIRA,))) if id.endswith("!help")]


# After the roll.


@pytest.mark.parametrize(("option", "price"), [("reroll", 1), ("add", 2), ("partial", 3)])
def test_nj13_what_is_bought_after_the_roll_is_paid_at_once(option: str, price: int) -> None:
    at = participants()
    assert changes(TRIAL.checked(TABLE_RULES.pays("attempt", at, "spend", option))) == [("p1", "IP", -price)]


def test_nj13_settling_costs_nothing_and_somebody_without_a_player_pays_nothing() -> None:
    assert not list(TABLE_RULES.pays("attempt", participants(), "spend", "settle"))
    assert not list(TABLE_RULES.pays("attempt", participants(player=None), "spend", "reroll"))


def test_nj10_a_highest_step_die_gives_the_player_1_ip_and_a_lowest_the_gm() -> None:
    at = participants()
    assert changes(settled(at, Attempt(d6=2, step=8), "5 4 | 7")) == [("p1", "IP", 1)]
    assert changes(settled(at, Attempt(d6=2, step=8), "5 4 | 3")) == [("table", "IP", 1)]
    assert settled(at, Attempt(d6=2, step=8), "5 4 | 5") == []


def test_nj13_points_and_ip_that_were_paid_are_not_paid_again() -> None:
    at = participants()
    ask = asked(at, {"c1/stats/Agility": 2}, difficulty=3)
    assert settled(at, ask, "5 4 | 3 / 4", "reroll", "settle") == []


def test_nj12_a_catastrophe_with_a_step_die_of_1_is_two_complications_each_with_where_it_came_from() -> None:
    deeds = settled(participants(), Attempt(d6=2, step=8), "3 1 | 1")
    assert changes(deeds) == [("table", "Complication 1", None), ("table", "Complication 2", None)]
    assert [deed.rule for deed in deeds] == ["NJ-9", "NJ-11"]
    first, second = (deed.to for deed in deeds if isinstance(deed, Change))
    assert first == {"came_from": "Kira: nothing counted at all", "note": None, "used": False}
    assert second["came_from"] == "Kira: the Step Die showed 1 or 2"


def test_nj13_a_partial_success_is_one_complication_and_the_step_dies_another() -> None:
    ask = Attempt(d6=2, step=8, difficulty=3, ip=3)
    assert [deed.rule for deed in settled(participants(), ask, "5 2 | 3", "partial")] == ["NJ-13"]
    assert [deed.rule for deed in settled(participants(), ask, "5 2 | 2", "partial")] == ["NJ-13", "NJ-11"]


def test_nj12_complications_never_share_a_name() -> None:
    there = {"Complication 7": {"used": True}, "The flood": {}}
    deeds = settled(participants(table=table_of(there)), Attempt(d6=2, step=8), "3 1 | 1")
    assert [deed.item for deed in deeds if isinstance(deed, Change)] == ["Complication 8", "Complication 9"]


def test_nj12_used_complications_make_room_when_there_are_many_and_owed_ones_stay() -> None:
    there = {f"Complication {n}": {"used": n != 1} for n in range(1, KEPT + 1)}
    deeds = settled(participants(table=table_of(there)), Attempt(d6=2, step=8), "3 1 | 1")
    gone = [deed.item for deed in deeds if isinstance(deed, Change) and deed.to is None]
    assert gone == ["Complication 2", "Complication 3"]


def test_nj10_without_a_player_the_log_says_what_would_have_been() -> None:
    deeds = settled(participants(who=None, player=None), Attempt(d6=2, step=8), "5 4 | 7")
    assert [type(deed) for deed in deeds] == [Note]
    assert "no player to gain 1 IP" in str(deeds[0])


# Resources.


def test_nj15_a_player_starts_with_2_ip_and_the_gm_gets_2_for_each_player() -> None:
    new, options = holder("p1", "Ada"), TRIAL.options
    assert changes(TRIAL.checked(TABLE_RULES.joins(new, table_of(ip=2), options))) == [
        ("p1", "IP", 2),
        ("table", "IP", 2),
    ]


def test_nj15_the_table_may_start_otherwise_and_set_a_cap() -> None:
    new, options = holder("p1", "Ada"), {"player_ip": 5, "gm_ip": 0, "ip_cap": 3}
    assert changes(TABLE_RULES.joins(new, table_of(ip=0), options)) == [("p1", "IP", 3)]
    capped = settled(participants(player=player(3), options=options), Attempt(d6=2, step=8), "5 4 | 7")
    assert [type(deed) for deed in capped] == [Note]


def test_nj15_a_reserve_fills_again_and_never_beyond_its_full_value() -> None:
    at = participants()
    assert changes(moved("refill", at)) == [("c1", "Agility", 2), ("c1", "Wits", 2)]
    assert changes(moved("refill", at, stat="Agility", points=9)) == [("c1", "Agility", 2)]
    assert changes(moved("refill", at, stat="Agility", points=1)) == [("c1", "Agility", 1)]
    with pytest.raises(Unknown, match='no stat "Luck"'):
        moved("refill", at, stat="Luck")
    with pytest.raises(Illegal, match="full; nothing changes"):
        moved("refill", participants(who=holder("c1", "Kira", stats={"Agility": {"now": 2, "full": 2}})))


def test_nj12_the_gm_uses_the_oldest_complication_or_the_one_that_is_named() -> None:
    owed = table_of({"Complication 1": {"used": True}, "Complication 2": {}, "Complication 3": {}})
    first = moved("complicate", participants(who=None, table=owed), note="The door slams.")
    assert [(deed.item, deed.field, deed.to) for deed in first if isinstance(deed, Change)] == [
        ("Complication 2", "used", True),
        ("Complication 2", "note", "The door slams."),
    ]
    named = moved("complicate", participants(table=owed), complication="Complication 3")
    assert [deed.item for deed in named if isinstance(deed, Change)] == ["Complication 3"]


def test_nj12_a_complication_is_used_once() -> None:
    with pytest.raises(Illegal, match="owed no complication"):
        moved("complicate", participants(table=table_of({"Complication 1": {"used": True}})))
    with pytest.raises(Illegal, match="not owed"):
        owed = table_of({"Complication 1": {"used": True}, "Complication 2": {}})
        moved("complicate", participants(table=owed), complication="Complication 1")


def test_nj15_the_gm_gives_ip_to_a_player() -> None:
    assert changes(moved("give_ip", participants(), ip=2, why="a fine speech")) == [("p1", "IP", 2)]
    with pytest.raises(Illegal, match="no player"):
        moved("give_ip", participants(player=None))


def test_nj14_the_gm_spends_only_ip_that_are_there() -> None:
    assert changes(moved("spend_gm_ip", participants(who=None), ip=4)) == [("table", "IP", -4)]
    with pytest.raises(Illegal, match=r"holds 4 IP and would spend 5; nothing is spent \(NJ-14\)"):
        moved("spend_gm_ip", participants(who=None), ip=5)


@pytest.mark.parametrize("name", ["refill", "give_ip"])
def test_nj15_what_concerns_a_character_needs_one(name: str) -> None:
    with pytest.raises(Refusal, match="Name a character"):
        moved(name, participants(who=None, player=None))


def test_every_move_is_the_gms() -> None:
    assert {move.by for move in TABLE_RULES.moves} == {"gm"}


def test_luck_is_the_d6s_marks_and_a_lone_die_is_no_matter_of_luck() -> None:
    assert TABLE_RULES.luck("attempt", Seen(3, 1, 6, 12)) == 3
    assert TABLE_RULES.luck("attempt", 5) is None
