"""A roll that several people gather: sources add up (T-5), claims are told (T-7), both sides are ready (T-8)."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal, Refusal
from astragal.table import action as a
from astragal.table.log.export import ExportReader, export_lines, sound_state
from astragal.table.log.story import story
from astragal.table.state import encode_state
from tests.table.tables import Party

EVERYBODY = ("Mira", "Jonas", "Ada", "Olaf", "nobody")


def seen(party: Party, name: str = "Olaf") -> dict[str, Any]:
    return dict(party.see(name)[f"rolls/{party.roll.id}"])


def told(party: Party, name: str = "Olaf") -> str:
    return "\n".join(story(party.entries, party.state, party.member(name)))


# T-5: sources add up.


def test_t5_what_several_people_type_is_added_and_the_breakdown_names_each() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"pool": 5, "modifier": "1 high ground"}))
    party.do("Mira", a.BuildAction(inputs={"modifier": "-2 rain"}))
    assert party.lines("Olaf") == ['Mira puts "-2 rain" into "More or fewer dice".']
    shares = [
        (share["input"], share["name"], share["value"], share["yours"]) for share in seen(party, "Jonas")["shares"]
    ]
    assert shares == [
        ("pool", "Jonas", 5, True),
        ("modifier", "Jonas", "1 high ground", True),
        ("modifier", "Mira", "-2 rain", False),
    ]
    party.do("Jonas", a.BuildAction(inputs={"modifier": "2 high ground"}))
    party.do("Jonas", a.ThrowAction(faces="8 1 1 1 1"))
    assert any("5 + 2 high ground − 2 rain = 5" in line for line in party.lines("Olaf"))


def test_t5_edge_and_burden_of_several_people_add_up_in_razorweave() -> None:
    party = Party("razorweave")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"dc": 14, "edge": "1 rope"}))
    party.do("Mira", a.BuildAction(inputs={"edge": "1 moonlight", "burden": "1 wounded"}))
    ask = seen(party)["ask"]
    assert (ask["edge"]["total"], ask["burden"]["total"]) == (2, 1)
    party.do("Jonas", a.BuildAction(inputs={"edge": None}))
    assert seen(party)["ask"]["edge"]["total"] == 1


def test_t5_only_a_gm_takes_out_what_somebody_else_put_in() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"pool": 5, "modifier": "1 high ground"}))
    party.do("Mira", a.BuildAction(inputs={"modifier": "-2 rain"}))
    with pytest.raises(Forbidden, match="Only a GM may take out what Mira put in"):
        party.do("Jonas", a.BuildAction(remove={"modifier": ["Mira"]}))
    party.do("Mira", a.BuildAction(remove={"modifier": ["Jonas"]}))
    assert party.lines("Olaf") == ["Mira takes Jonas's modifier out."]
    assert seen(party)["ask"]["modifier"]["total"] == -2
    with pytest.raises(Refusal, match="Jonas has put nothing into"):
        party.do("Mira", a.BuildAction(remove={"modifier": ["Jonas"]}))


def test_t5_a_single_value_that_a_gm_set_stays_the_gms() -> None:
    party = Party("razorweave")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"dc": 10}))
    party.do("Mira", a.BuildAction(inputs={"dc": 18}))
    with pytest.raises(Forbidden, match="A GM has set dc"):
        party.do("Jonas", a.BuildAction(inputs={"dc": 10}))


def test_t5_hidden_sources_stay_hidden() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"pool": 5, "modifier": 1}))
    party.do("Mira", a.BuildAction(inputs={"modifier": "-2 the curse"}, hide=["modifier"]))
    assert "curse" not in str(party.see("Jonas"))
    assert [share["input"] for share in seen(party, "Jonas")["shares"]] == ["pool"]
    assert "curse" in str(seen(party, "Mira")["shares"])


# T-7: claims are told.


def test_t7_what_a_player_claims_is_marked_on_the_card_in_the_log_and_in_the_story() -> None:
    party = Party("razorweave")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 1, "bonus": 50}, faces="1 2 3 4"))
    assert [(claim["name"], claim["words"]) for claim in seen(party)["claims"]] == [
        ("Jonas", "DC 1"),
        ("Jonas", "a bonus of 50"),
    ]
    assert "DC 1 and a bonus of 50, claimed by Jonas." in party.lines("Olaf")
    assert "DC 1 and a bonus of 50, claimed by Jonas." in told(party)


@pytest.mark.parametrize(
    ("game", "inputs", "words"),
    [
        ("narraject", {"d6": 3, "difficulty": 0}, ["Difficulty 0"]),
        (
            "chronicles",
            {"pool": 5, "rote": True, "again": "8", "extra": 20},
            ["rote", "8-again", "extra successes: 20"],
        ),
        ("razorweave", {"dc": 12, "edge": "2 luck", "burden": 1}, ["DC 12", "Edge 2 luck", "Burden 1"]),
        ("tgimh", {"theirs": 1}, ["Their dice: 1"]),
    ],
)
def test_t7_a_claim_becomes_a_gms_word_by_a_gms_entry(game: str, inputs: dict[str, Any], words: list[str]) -> None:
    party = Party(game)
    party.do("Jonas", a.OpenAction(who="Wren", inputs=inputs))
    assert [claim["words"] for claim in seen(party)["claims"]] == words
    single = [name for name in inputs if name in ("difficulty", "dc", "rote", "again")]
    party.do("Mira", a.BuildAction(inputs={name: inputs[name] for name in single} or {"theirs": 2}))
    left = [claim["input"] for claim in seen(party).get("claims", [])]
    assert left == [name for name in ("edge", "burden", "extra", "theirs") if name in inputs]


def test_t7_what_a_gm_or_nobody_says_is_no_claim() -> None:
    party = Party("chronicles")
    party.do("Mira", a.OpenAction(who="Wren", inputs={"pool": 5, "rote": True}))
    party.do("Jonas", a.BuildAction(inputs={"again": "10"}))
    assert "claims" not in seen(party)


# T-8: both sides are ready.


@pytest.fixture(params=["tgimh", "chronicles"])
def duel(request: pytest.FixtureRequest) -> Party:
    """Jonas's Wren goes up against Ada's Kit."""
    party = Party(request.param)
    kind = "contest" if request.param == "tgimh" else "contested"
    party.do("Jonas", a.OpenAction(kind=kind, who="Wren", against="Kit", inputs={"ours": 3}))
    return party


def test_t8_nobody_throws_before_the_other_player_is_ready(duel: Party) -> None:
    assert "The roll waits until Ada is ready." in duel.lines("Olaf")
    for name in ("Jonas", "Mira"):
        with pytest.raises(Illegal, match="Ada is not ready and may still put dice in"):
            duel.do(name, a.ThrowAction())
    duel.do("Ada", a.BuildAction(inputs={"theirs": 2}))
    duel.do("Ada", a.ReadyAction())
    assert duel.lines("Olaf") == ["Ada is ready."]
    duel.do("Jonas", a.ThrowAction())
    assert duel.roll.ask is not None


def test_t8_every_seat_sees_who_is_ready_and_whose_word_it_is(duel: Party) -> None:
    duel.do("Jonas", a.ReadyAction())
    for name in EVERYBODY:
        sides = {each["side"]: each for each in seen(duel, name)["ready"]}
        assert {side: (each["name"], each["ready"]) for side, each in sides.items()} == {
            "ours": ("Jonas", True),
            "theirs": ("Ada", False),
        }
        assert sides["theirs"]["yours"] == (name == "Ada")
        assert sides["ours"]["yours"] == (name == "Jonas")


def test_t8_any_change_of_dice_takes_both_back(duel: Party) -> None:
    for name, change in (("Ada", {"theirs": 2}), ("Jonas", {"ours": 4}), ("Mira", {"theirs": 1})):
        duel.do("Jonas", a.ReadyAction())
        duel.do("Ada", a.ReadyAction())
        duel.do(name, a.BuildAction(inputs=change))
        assert duel.roll.ready == ()
        assert duel.lines("Olaf")[-1].startswith("Dice have changed, so both sides gather again")


def test_t8_a_trait_that_changes_on_a_sheet_takes_both_back_and_words_do_not() -> None:
    party = Party("tgimh")
    aspect, *_ = party.holder("Wren").sheet["aspects"]
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", use={aspect: 1}))
    party.do("Ada", a.ReadyAction())
    party.do("Jonas", a.BuildAction(inputs={"stakes": "The bridge"}))
    assert list(party.roll.ready) == ["theirs"]
    party.do("Jonas", a.EditAction(holder="Wren", section="aspects", item=aspect, to={"dice": 9}))
    assert list(party.roll.ready) == []


def test_t8_what_a_gm_changes_in_secret_takes_nothing_back() -> None:
    party = Party("tgimh")
    party.do("Mira", a.CreateAction(name="Toll"))
    party.do("Mira", a.OpenAction(who="Toll", against="Kit", inputs={"ours": 3}, hide=["ours"]))
    party.do("Ada", a.ReadyAction())
    party.do("Mira", a.BuildAction(inputs={"ours": 5}))
    assert party.roll.ready == ("theirs",)


def test_t8_a_gm_says_it_for_somebody_who_is_away(duel: Party) -> None:
    duel.do("Mira", a.BuildAction(inputs={"theirs": 1}))
    with pytest.raises(Forbidden, match="You play neither side"):
        duel.do("Jonas", a.ReadyAction(side="theirs"))
    duel.do("Mira", a.ReadyAction(side="theirs"))
    assert duel.lines("Olaf") == ["Mira says that Ada is ready."]
    duel.do("Jonas", a.ThrowAction())


def test_t8_after_the_tables_time_limit_it_can_be_thrown_without(duel: Party) -> None:
    def throw_at(at: int) -> None:
        entry = duel.table.decide(duel.ids["Jonas"], a.ThrowAction(), f"at {at}", at)
        duel.table.apply(entry)

    duel.do("Mira", a.BuildAction(inputs={"theirs": 1}))
    since = duel.roll.gathers_since
    with pytest.raises(Illegal, match="or in 1 s it can be thrown without"):
        throw_at(since + 119_500)
    assert seen(duel, "Jonas")["ready_at"] == since + 120_000
    throw_at(since + 120_000)


def test_t8_the_time_limit_is_a_setting_of_the_table(duel: Party) -> None:
    with pytest.raises(Forbidden, match="Only a GM may change the settings"):
        duel.do("Ada", a.SetAction(ready_limit=1))
    duel.do("Mira", a.SetAction(ready_limit=0))
    assert duel.lines("Olaf") == ["An opposed roll waits without a limit until the other side is ready."]
    assert duel.see("Ada")["table"]["ready_limit"] == 0
    with pytest.raises(Illegal, match="A GM can say that Ada is ready"):
        duel.table.decide(duel.ids["Jonas"], a.ThrowAction(), "late", 10**9)


def test_t8_rolling_at_once_against_a_player_opens_the_roll_and_says_for_whom_it_waits() -> None:
    party = Party("tgimh")
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs={"ours": 3}))
    assert party.roll.ask is None
    assert "The roll waits until Ada is ready." in party.lines("Jonas")


def test_t8_no_dice_is_the_other_players_own_choice() -> None:
    party = Party("tgimh")
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 3}))
    party.do("Ada", a.ReadyAction())
    party.do("Jonas", a.ThrowAction(faces="2 1 1"))
    assert "Kit has no dice to roll (TG-2)." in party.lines("Olaf")


def test_t8_a_gms_character_and_a_roll_of_one_player_wait_for_nobody() -> None:
    party = Party("tgimh")
    party.do("Mira", a.CreateAction(name="Toll"))
    party.do("Jonas", a.RollAction(who="Wren", against="Toll", inputs={"ours": 3}, faces="2 1 1"))
    assert party.roll.ask is not None
    party.do("Mira", a.RollAction(who="Toll", against="Wren", inputs={"ours": 3}))
    assert party.roll.ask is None, "a GM's character waits for the player's"
    alone = party.do("Mira", a.OpenAction(who="Toll", inputs={"theirs": 2}))
    with pytest.raises(Illegal, match="This roll waits for nobody"):
        party.do("Mira", a.ReadyAction(roll=f"r{alone.id}"))


def test_t8_a_log_with_all_of_it_is_read_back_as_it_was(duel: Party) -> None:
    duel.do("Ada", a.ReadyAction())
    duel.do("Mira", a.SetAction(ready_limit=5))
    duel.do("Jonas", a.BuildAction(inputs={"ours": "2 anger"}))
    reader = ExportReader(export_lines("t", duel.state, duel.entries))
    assert encode_state(sound_state(list(reader.entries()))) == encode_state(duel.state)
