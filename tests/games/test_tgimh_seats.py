"""TGIMH through the seats of several people: Jonas plays Wren, Ada plays Kit, Mira is the GM, Olaf watches."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal import Refusal
from astragal.errors import Forbidden, Illegal
from astragal.table import action as a
from astragal.table.log.luck import luck_of
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    """Wren is a duellist with "Never backs down", Kit a toll collector with "Too proud to run"."""
    return Party("tgimh")


def fight(party: Party, faces: str, ours: int = 2, theirs: int = 2) -> None:
    """Wren against Kit, with bare pools; the winner makes no Condition."""
    inputs = {"ours": ours, "theirs": theirs}
    party.clash("Mira", a.RollAction(who="Wren", against="Kit", inputs=inputs, faces=faces))
    party.do("Mira", a.AnswerAction(answer="none"))


def knock_out(party: Party) -> None:
    """Kit loses the last box."""
    fight(party, "9 9 9 9 9 | 3", ours=5, theirs=1)
    party.do("Ada", a.AnswerAction(answer="box"))
    assert party.item("Kit", "out", "Out of the scene")["out"]


def test_tg2_the_log_and_the_view_name_the_characters_for_everybody(party: Party) -> None:
    inputs = {"ours": 2, "theirs": 1, "stakes": "who owns the bridge"}
    party.clash("Mira", a.RollAction(who="Wren", against="Kit", inputs=inputs, faces="9 8 | 3"))
    for name in ("Mira", "Jonas", "Ada", "Olaf", "nobody"):
        seen = party.see(name)[f"rolls/{party.roll.id}"]
        assert seen["headline"] == "TGIMH: Wren's 2d10 against Kit's 1d10; at stake: who owns the bridge"
        assert seen["verdict"] == "Wren wins: 2 successes"
        assert seen["about"] == "who owns the bridge"
        assert not any("side" in line for line in party.lines(name) if "TG-3" not in line)


def test_tg7_an_opponents_aspect_pays_them_at_the_throw(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", use={"Kit's Too proud to run": 1}))
    party.do("Ada", a.BuildAction(use={"Has a paper for everything": 1}))
    party.ready()
    party.do("Jonas", a.ThrowAction(faces="9 8 | 3 2 1"))
    assert party.item("Wren", "will", "Will")["now"] == 8
    assert party.item("Kit", "will", "Will")["now"] == 9
    seen = party.see("Olaf")[f"rolls/{party.roll.id}"]["result"]
    assert (seen["will_left"], seen["their_will_left"], seen["their_will_gained"]) == (8, 9, 1)


def test_tg8_at_full_will_the_log_says_that_nothing_is_gained() -> None:
    party = Party("tgimh", {"will_cap": "start"})
    use = {"Kit's Too proud to run": 1}
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", use=use))
    party.do("Ada", a.BuildAction(inputs={"theirs": 1}))
    party.ready()
    party.do("Jonas", a.ThrowAction(faces="9 8 | 3"))
    assert party.item("Kit", "will", "Will")["now"] == 9
    assert any("Will is full at 9, so none is gained" in line and "TG-8" in line for line in party.lines("Ada"))
    assert not any("Will +1" in line for line in party.lines("Ada"))


def test_tg9_tg13_a_condition_works_without_a_scene_and_outlives_the_next_one(party: Party) -> None:
    party.clash("Mira", a.RollAction(who="Wren", against="Kit", inputs={"ours": 2, "theirs": 1}, faces="9 8 | 3"))
    party.do("Jonas", a.AnswerAction(answer="make: High ground"))
    party.do("Ada", a.AnswerAction(answer="box"))
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", use={"High ground (scene)": 1}))
    party.do("Mira", a.WithdrawAction())
    party.do("Mira", a.SceneAction(title="The bridge"))
    party.do("Mira", a.CloseAction())
    assert "Conditions that outlast the scene: High ground (TG-13)." in party.lines("Olaf")
    party.do("Mira", a.SceneAction(title="The far bank"))
    assert party.item("scene", "conditions", "High ground")["dice"] == 2
    assert party.see("Olaf")["holders/scene"]["sheet"]["conditions"]["High ground"]["dice"] == 2


def test_tg13_closing_a_scene_ends_what_is_named_with_a_line_for_each(party: Party) -> None:
    party.do("Mira", a.SceneAction(title="The bridge"))
    for name in ("Slick planks", "Smoke", "Dusk"):
        party.do("Mira", a.EditAction(holder="scene", section="conditions", item=name, to={"dice": 1}))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.CloseAction(ends=["Smoke"]))
    with pytest.raises(Refusal, match='no "Fog" that could end; there are Slick planks, Dusk'):
        party.do("Mira", a.CloseAction(ends=["Smoke", "Fog"]))
    assert party.state.world.in_scene
    party.do("Mira", a.CloseAction(ends=["smoke"]))
    assert "The scene: Smoke is gone (It ends with the scene) (TG-13)." in party.lines("Olaf")
    party.do("Mira", a.SceneAction(title="The bank"))
    party.do("Mira", a.SceneAction(title="The mill", ends=["Dusk"]))
    assert set(party.holder("scene").sheet["conditions"]) == {"Slick planks"}


def test_tg13_a_hidden_condition_outlives_the_scene_without_a_word(party: Party) -> None:
    party.do("Mira", a.SceneAction(title="The bridge"))
    hidden = {"dice": 2, "seen": "gm"}
    party.do("Mira", a.EditAction(holder="scene", section="conditions", item="Ambush", to=hidden))
    party.do("Mira", a.CloseAction())
    assert not any("Ambush" in line for line in party.lines("Olaf"))
    party.do("Mira", a.SceneAction(title="The bank"))
    assert "Ambush" in party.holder("scene").sheet["conditions"]
    assert "Ambush" not in str(party.see("Ada"))


def test_tg13_a_scene_of_an_older_log_ends_with_all_that_is_in_it(party: Party) -> None:
    """What an older log says happened stays as it was: its scenes kept nothing."""
    from msgspec.structs import replace

    from astragal.table.event import SceneOpened

    assert SceneOpened(title="Old").keeps == []
    party.do("Mira", a.EditAction(holder="scene", section="conditions", item="Smoke", to={"dice": 1}))
    entry = party.do("Mira", a.SceneAction(title="The bridge"))
    [opened] = [event for event in entry.events if isinstance(event, SceneOpened)]
    assert opened.keeps == ["conditions", "others"]
    from astragal.table.fold import fold_events

    assert fold_events(party.state, [replace(opened, keeps=[])]).world.holders["scene"].sheet["conditions"] == {}


def test_tg10_the_loser_names_the_injury_from_their_own_seat(party: Party) -> None:
    fight(party, "9 8 | 3 2")
    with pytest.raises(Forbidden):
        party.do("Jonas", a.AnswerAction(answer="injury: Bruised"))
    party.do("Ada", a.AnswerAction(answer="injury: Broken arm"))
    assert party.item("Kit", "conditions", "Broken arm")["injury"]
    assert any("Broken arm" in line for line in party.lines("Olaf"))


def test_tg11_a_crossed_box_leaves_the_loser_nothing_but_the_name(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Kit", section="power", item="Power", to={"crossed": [2]}))
    fight(party, "9 8 | 3 2")
    seen = party.see("Ada")[f"rolls/{party.roll.id}"]["open"]
    assert [option["name"] for option in seen["options"]] == ["box"]
    assert seen["options"][0]["words"] == "the Injury's name"
    with pytest.raises(Illegal, match="TG-11"):
        party.do("Ada", a.AnswerAction(answer="injury: Bruised"))
    party.do("Ada", a.AnswerAction(answer="box: Cracked ribs"))
    assert party.item("Kit", "power", "Power")["crossed"] == [2, 3]
    assert party.item("Kit", "conditions", "Cracked ribs")["dice"] == 3


def test_tg12_who_is_out_does_not_roll_until_the_scene_ends_unless_the_gm_says_so(party: Party) -> None:
    party.do("Mira", a.SceneAction(title="The bridge"))
    knock_out(party)
    for who, against in (("Wren", "Kit"), ("Kit", "Wren")):
        by = "Jonas" if who == "Wren" else "Ada"
        with pytest.raises(Illegal, match=r"Kit is out of the scene .* \(TG-12\)"):
            party.do(by, a.RollAction(who=who, against=against, inputs={"ours": 1}))
    party.clash("Mira", a.RollAction(who="Wren", against="Kit", inputs={"ours": 1, "theirs": 1, "even_so": True}))
    party.do("Mira", a.CloseAction())
    assert not party.item("Kit", "out", "Out of the scene")["out"]


def test_tg12_without_a_scene_somebody_who_is_out_is_back_with_the_next_one(party: Party) -> None:
    knock_out(party)
    party.do("Mira", a.SceneAction(title="The bridge"))
    assert not party.item("Kit", "out", "Out of the scene")["out"]
    assert any("Kit is back" in line for line in party.lines("Olaf"))


def test_tg15_a_refreshment_with_somebody_without_a_sheet(party: Party) -> None:
    party.do("Jonas", a.MoveAction(name="refresh", who="Wren", inputs={"company": "the ferryman"}))
    assert "Wren and the ferryman" in party.holder("table").sheet["openings"]
    with pytest.raises(Illegal, match="TG-15"):
        party.do("Jonas", a.MoveAction(name="refresh", who="Wren"))


def test_tg17_a_dramatic_key_that_is_bought_off_ends_for_the_whole_table(party: Party) -> None:
    theme = "The quarrel with her sister"
    for kind, who in (("dramatic", "Kit"), ("motivation", "Ghost")):
        if who == "Ghost":
            party.do("Mira", a.CreateAction(name=who, seen="gm"))
        party.do("Mira", a.EditAction(holder=who, section="keys", item=theme, to={"kind": kind}))
    party.do("Mira", a.CreateAction(name="Shade", seen="gm"))
    party.do("Mira", a.EditAction(holder="Shade", section="keys", item=theme, to={"kind": "dramatic"}))
    party.do("Jonas", a.MoveAction(name="buy_off", who="Wren", inputs={"key": theme}))
    assert theme not in party.holder("Wren").sheet["keys"]
    assert theme not in party.holder("Kit").sheet["keys"]
    assert theme not in party.holder("Shade").sheet["keys"]
    assert theme in party.holder("Ghost").sheet["keys"]
    assert party.item("Kit", "advances", "Advances")["now"] == 0
    assert any("Kit" in line and "is gone" in line for line in party.lines("Ada"))
    assert not any("Shade" in line for line in party.lines("Ada"))


def test_tg18_the_log_says_what_happened_to_xp(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Wren", section="xp", item="XP", to={"now": 4}))
    party.do(
        "Jonas", a.MoveAction(name="score", who="Wren", inputs={"key": "To protect the small", "level": "expressed"})
    )
    told = party.lines("Jonas")
    assert "Wren: XP +1 (To protect the small, expressed) (TG-17)." in told
    assert "Wren: XP −5 (every 5 XP are an Advance) (TG-18)." in told
    assert party.item("Wren", "xp", "XP")["now"] == 0
    assert party.item("Wren", "advances", "Advances")["now"] == 1


def test_tg2_the_opponents_pool_is_the_opponents_to_set(party: Party) -> None:
    with pytest.raises(Refusal, match="theirs"):
        party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs={"ours": 1, "theirs": 0}))
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 1}))
    with pytest.raises(Refusal):
        party.do("Ada", a.BuildAction(inputs={"ours": 0}))
    party.do("Ada", a.BuildAction(inputs={"theirs": 2}))
    with pytest.raises(Refusal):
        party.do("Jonas", a.BuildAction(inputs={"even_so": True}))
    party.ready()
    party.do("Jonas", a.ThrowAction(faces="9 | 3 2"))
    assert roll_of(party)["verdict"] == "Wren wins: 1 success"


def test_tg2_gear_takes_its_sign_when_it_is_put_in(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"ours": 3, "theirs": 1}, use={"Grandfather's sabre": 1}))
    assert "5d10" in roll_of(party)["headline"]
    party.do("Jonas", a.BuildAction(use={"Grandfather's sabre (hinders)": 1}))
    assert "Wren's 1d10" in roll_of(party)["headline"]


def roll_of(party: Party) -> dict[str, str]:
    """The latest roll as an onlooker sees it."""
    seen: dict[str, str] = party.see("Olaf")[f"rolls/{party.roll.id}"]
    return seen


def test_tg11_a_box_crossed_meanwhile_by_another_roll_is_crossed(party: Party) -> None:
    for _ in range(2):
        inputs = {"ours": 1, "theirs": 1}
        party.clash("Mira", a.RollAction(who="Wren", against="Kit", inputs=inputs, faces="9 | 3"))
        party.do("Mira", a.AnswerAction(answer="none", roll=party.roll.id))
    first, second = list(party.state.world.rolls)[-2:]
    party.do("Ada", a.AnswerAction(answer="box", roll=first))
    with pytest.raises(Illegal, match="There is no choice: cross box 2 and take an Injury"):
        party.do("Ada", a.AnswerAction(answer="injury: x", roll=second))
    party.do("Ada", a.AnswerAction(answer="box: Bruised", roll=second))
    assert party.item("Kit", "power", "Power")["crossed"] == [1, 2]
    assert party.item("Kit", "conditions", "Bruised")["dice"] == 2


@pytest.mark.parametrize(
    ("faces", "asked"),
    [
        ("9 1 | 3 2", [("Jonas", "What does it look like when you win?", "TG-2")]),
        ("3 2 | 9 1", [("Ada", "What does it look like when you win?", "TG-2")]),
        ("3 2 | 3 2", [("Mira", "How does the situation shift?", "TG-5")]),
    ],
)
def test_tg2_tg5_whoever_wins_tells_it_and_the_gm_after_a_stalemate(
    party: Party, faces: str, asked: list[tuple[str, str, str]]
) -> None:
    party.clash("Mira", a.RollAction(who="Wren", against="Kit", inputs={"ours": 2, "theirs": 2}, faces=faces))
    if not party.roll.over:
        party.do("Mira", a.AnswerAction(answer="none"))
        party.do("Mira", a.AnswerAction(answer="box"))
    found = [
        (name, prompt["question"], prompt["rule"])
        for name in ("Mira", "Jonas", "Ada")
        for prompt in party.see(name)[f"rolls/{party.roll.id}"]["prompts"]
        if prompt["yours"] and (name != "Mira" or prompt["by"] == "gm")
    ]
    assert found == asked


def test_tg2_the_scenes_conditions_are_written_by_side(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="scene", section="conditions", item="Fog", to={"dice": 2}))
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit"))
    assert party.lines("Olaf")[0] == "Wren goes up against Kit."
    party.do("Mira", a.BuildAction(use={"Scene, for Kit: Fog": 1}))
    party.do("Jonas", a.BuildAction(use={"Fog": 1}))
    assert "Wren's 2d10 against Kit's 2d10" in party.see("Olaf")[f"rolls/{party.roll.id}"]["headline"]


def test_tg12_whoever_crosses_a_last_box_by_hand_puts_the_character_out(party: Party) -> None:
    crossed = a.ChangeAction(holder="Kit", section="power", item="Power", by=5)
    party.do("Mira", crossed)
    assert party.lines("Jonas")[-1] == "Kit: Out of the scene (The last box is crossed) (TG-12)."
    with pytest.raises(Illegal, match="Kit is out of the scene"):
        party.do("Ada", a.RollAction(who="Kit", inputs={"ours": 1, "theirs": 1}))
    party.do("Mira", a.ChangeAction(holder="Kit", section="power", item="Power", by=-5))
    assert party.lines("Jonas")[-1] == "Kit: no longer out of the scene (The last box is clear again) (TG-12)."
    party.do("Mira", a.EditAction(holder="Kit", section="power", item="Power", to={"crossed": [1, 5]}))
    assert party.item("Kit", "out", "Out of the scene") == {"out": True}


def test_tg12_another_box_by_hand_puts_nobody_out(party: Party) -> None:
    party.do("Mira", a.ChangeAction(holder="Kit", section="power", item="Power", by=4))
    assert party.lines("Jonas") == ["Kit: box 4 of Power is crossed (TG-12)."]


def test_tg12_why_somebody_is_out_is_hidden_with_the_track(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Kit", section="power", item="Power", to={"seen": "gm"}))
    party.do("Mira", a.ChangeAction(holder="Kit", section="power", item="Power", by=5))
    assert party.lines("Jonas") == ["Kit: Out of the scene (TG-12)."]


# Each side throws its own dice.


def apart(party: Party) -> None:
    """Wren's two dice are typed; Kit's three are still to come."""
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 2}))
    party.do("Ada", a.BuildAction(inputs={"theirs": 3, "apart": True}))
    party.ready()
    party.do("Jonas", a.ThrowAction(faces="9 4"))


def test_tg1_each_side_types_its_own_dice_and_all_see_for_whom_it_waits(party: Party) -> None:
    apart(party)
    for name in ("Mira", "Jonas", "Ada", "Olaf", "nobody"):
        seen = party.see(name)[f"rolls/{party.roll.id}"]
        assert (seen["waits"], seen["waits_name"]) == ("dice", "Ada")
        assert [(die["face"], die["side"]) for die in seen["dice"]] == [(9, "ours"), (4, "ours")]
        assert seen["yours"] is (name in ("Mira", "Ada"))
        assert "Wren's dice: 9, 4 (typed by Jonas)." in party.lines(name)
        assert [(dice["n"], dice["sides"]) for dice in seen["open"]["dice"]] == [(3, 10)]
    party.do("Ada", a.ThrowAction(faces="9 7 1"))
    for name in ("Mira", "Jonas", "Ada", "Olaf"):
        seen = party.see(name)[f"rolls/{party.roll.id}"]
        assert seen["verdict"] == "Wren loses: 1 success"
        assert [(throw["source"], throw["typed_by"]) for throw in seen["throws"]] == [
            ("typed", party.ids["Jonas"]),
            ("typed", party.ids["Ada"]),
        ]
        assert [(pair["ours"], pair["theirs"], pair["sign"]) for pair in seen["pairs"]] == [(0, 2, "="), (1, 3, "<")]


def test_tg1_nobody_throws_for_the_other_side_but_the_gm(party: Party) -> None:
    apart(party)
    for name in ("Jonas", "Olaf"):
        with pytest.raises(Forbidden):
            party.do(name, a.ThrowAction(faces="9 7 1"))
    with pytest.raises(Illegal, match="thrown"):
        party.do("Jonas", a.WithdrawAction())
    party.do("Mira", a.ThrowAction())
    assert party.see("Olaf")[f"rolls/{party.roll.id}"]["waits"] == "choice"


def test_tg1_a_roll_that_waits_for_the_other_side_can_be_undone_with_what_it_cost(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", use={"Never backs down": 1}, inputs={"apart": True}))
    party.do("Ada", a.BuildAction(inputs={"theirs": 1}))
    party.ready()
    party.do("Jonas", a.ThrowAction())
    assert party.item("Wren", "will", "Will")["now"] == 8
    lies = [die["face"] for die in party.see("Olaf")[f"rolls/{party.roll.id}"]["dice"]]
    party.do("Jonas", a.UndoAction())
    party.do("Mira", a.AllowAction())
    assert party.item("Wren", "will", "Will")["now"] == 9
    party.do("Jonas", a.BuildAction(inputs={"stakes": "the bridge"}))
    party.ready()
    party.do("Jonas", a.ThrowAction())
    assert [die["face"] for die in party.see("Olaf")[f"rolls/{party.roll.id}"]["dice"]] == lies


def test_tg1_either_side_may_say_so_and_nobody_else(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 2}))
    party.do("Ada", a.BuildAction(inputs={"apart": True}))
    party.do("Jonas", a.BuildAction(inputs={"apart": False}))
    assert 'Jonas sets "Each side throws its own dice" to no.' in party.lines("Olaf")
    party.do("Mira", a.CreateAction(name="Rook", owner="Mira"))
    party.do("Mira", a.BuildAction(against="Rook"))
    with pytest.raises(Forbidden):
        party.do("Ada", a.BuildAction(inputs={"apart": True}))


def test_tg1_a_table_can_settle_it_for_every_contest() -> None:
    party = Party("tgimh", {"apart": True})
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 2}))
    party.do("Ada", a.BuildAction(inputs={"theirs": 2}))
    assert party.see("Olaf")[f"rolls/{party.roll.id}"]["tray"]["apart"]
    party.ready()
    party.do("Jonas", a.ThrowAction())
    assert party.see("Olaf")[f"rolls/{party.roll.id}"]["waits_name"] == "Ada"


def test_tg1_luck_counts_the_second_throw_for_whoever_threw_it(party: Party) -> None:
    apart(party)
    party.do("Ada", a.ThrowAction(faces="10 9 8"))
    report = luck_of(party.entries, party.state, party.member("Mira"))
    assert {luck.who: luck.throws for luck in report.luck} == {party.holder("Kit").id: 1, party.ids["Ada"]: 1}
    assert all(luck.percentile > Fraction(1, 2) for luck in report.luck)
