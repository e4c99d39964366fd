"""Narraject through the seats of several people: Jonas plays Wren, Ada plays Kit, Mira is the GM, Olaf watches."""

from __future__ import annotations

import pytest

from astragal.errors import Forbidden, Illegal, Refusal
from astragal.table import action as a
from astragal.table.log.story import story
from astragal.table.rolls.chances import advice, tone_chances
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    return Party("narraject")


def roll_of(party: Party, name: str) -> dict[str, object]:
    """The latest roll as this seat sees it."""
    seen: dict[str, object] = party.see(name)[f"rolls/{party.roll.id}"]
    return seen


def near_miss(party: Party) -> None:
    """Wren is one Mark short, and the roll is open."""
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 2}, faces="6 3 | 4"))


def ip(party: Party, whose: str) -> int:
    now: int = party.item(whose, "ip", "IP")["now"]
    return now


def test_nj2_a_character_with_nothing_left_rolls_the_step_die_alone(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", faces="| 5"))
    for name in ("Mira", "Jonas", "Ada", "Olaf", "nobody"):
        assert roll_of(party, name)["verdict"] == "Success: 1 Mark, 1 needed"  # neither as nor despite yourself
        assert "a d6 alone" in str(roll_of(party, name)["headline"])


def test_nj2_nj5_helpers_dice_alone_are_a_pool(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren"))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Ada", a.BuildAction(use={"Kit's Agility": 1}))
    party.do("Jonas", a.ThrowAction(faces="5 | 3"))
    assert party.item("Kit", "stats", "Agility")["now"] == 4
    assert "Despite yourself: the Step Die is lowest" in str(roll_of(party, "Olaf")["verdict"])


def test_nj3_a_second_specialty_replaces_the_first_and_a_focus_goes_beside_it(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Wren", section="focus", item="Salvager", to={"level": "master"}))
    party.do("Jonas", a.OpenAction(who="Wren", use={"Knots and tackle (trained)": 1}))
    party.do("Jonas", a.BuildAction(use={"Wreck diving (expert)": 1}))
    assert "2d6 and a d10 (Wreck diving)" in str(roll_of(party, "Olaf")["headline"])
    party.do("Jonas", a.BuildAction(use={"Salvager (master)": 1}))
    assert "2d6 and a d12 (Salvager)" in str(roll_of(party, "Olaf")["headline"])


def test_nj5_a_third_helper_is_refused_when_they_offer(party: Party) -> None:
    for name in ("Bo", "Cy"):
        party.do("Mira", a.CreateAction(name=name, template="Tobren Quill"))
    party.do("Jonas", a.OpenAction(who="Wren"))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Mira", a.AssistAction(who="Bo"))
    party.do("Ada", a.BuildAction(use={"Kit's Agility": 1}))
    party.do("Mira", a.BuildAction(use={"Bo's Agility": 1}))
    with pytest.raises(Illegal, match="NJ-5"):
        party.do("Mira", a.AssistAction(who="Cy"))
    party.do("Jonas", a.ThrowAction(faces="5 2 | 3"))


def test_nj13_nobody_types_how_many_ip_they_hold(party: Party) -> None:
    with pytest.raises(Refusal, match="ip"):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 1, "ip": 50}))
    with pytest.raises(Refusal, match="edition"):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 1, "edition": "hits"}))


def test_nj13_a_roll_stays_open_at_a_table_until_it_is_settled_even_without_ip(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Jonas", section="ip", item="IP", to={"now": 0}))
    near_miss(party)
    assert not party.roll.over
    party.do("Jonas", a.AnswerAction(answer="settle"))
    assert party.roll.over


def test_nj9_the_gm_offers_in_words_and_the_player_accepts_each_from_their_own_seat(party: Party) -> None:
    near_miss(party)
    with pytest.raises(Forbidden):
        party.do("Jonas", a.AnswerAction(answer="offer: nothing at all"))
    party.do("Mira", a.AnswerAction(answer="offer: the lamp goes out"))
    assert "the lamp goes out" in str(roll_of(party, "Olaf")["open"])
    with pytest.raises(Forbidden):
        party.do("Ada", a.AnswerAction(answer="accept"))
    party.do("Jonas", a.AnswerAction(answer="accept"))
    assert ip(party, "Jonas") == 2
    for name in ("Mira", "Ada", "Olaf"):
        assert "At a cost: the lamp goes out" in str(roll_of(party, name)["verdict"])
        assert any("at a cost: the lamp goes out" in line for line in party.lines(name))


def test_nj9_a_declined_offer_leaves_a_near_miss(party: Party) -> None:
    near_miss(party)
    party.do("Mira", a.AnswerAction(answer="offer: the lamp goes out"))
    party.do("Jonas", a.AnswerAction(answer="decline"))
    assert not party.roll.over
    party.do("Jonas", a.AnswerAction(answer="settle"))
    assert str(roll_of(party, "Olaf")["verdict"]).startswith("Near miss")


def test_nj9_the_offer_lapses_when_the_dice_change(party: Party) -> None:
    near_miss(party)
    party.do("Mira", a.AnswerAction(answer="offer: the lamp goes out"))
    party.do("Jonas", a.AnswerAction(answer="reroll", faces="3"))
    with pytest.raises(Refusal, match='"accept" is not an answer'):
        party.do("Jonas", a.AnswerAction(answer="accept"))
    assert "Reroll the d6; the offer lapses: the lamp goes out." in [str(line) for line in party.lines("Olaf")]
    party.do("Mira", a.AnswerAction(answer="offer: the rope breaks"))
    party.do("Jonas", a.AnswerAction(answer="accept"))
    assert "the rope breaks" in str(roll_of(party, "Olaf")["verdict"])


def test_nj9_after_a_refusal_the_gm_may_offer_something_else(party: Party) -> None:
    near_miss(party)
    party.do("Mira", a.AnswerAction(answer="offer: the lamp goes out"))
    party.do("Jonas", a.AnswerAction(answer="decline"))
    party.do("Mira", a.AnswerAction(answer="offer: the rope breaks"))
    party.do("Jonas", a.AnswerAction(answer="accept"))
    assert "the rope breaks" in str(roll_of(party, "Olaf")["verdict"])


def test_nj9_nothing_is_best_while_an_offer_is_open_and_a_refusal_has_no_chance(party: Party) -> None:
    near_miss(party)
    jonas = party.member("Jonas")
    assert jonas is not None
    assert tone_chances(party.state, party.roll, jonas).best
    party.do("Mira", a.AnswerAction(answer="offer: the lamp goes out"))
    chances = tone_chances(party.state, party.roll, jonas)
    assert chances.best == ""
    assert {"accept", "decline"}.isdisjoint(chances.options)
    assert "reroll" in chances.options


def test_nj15_the_cap_holds_by_hand_too_and_is_told_in_one_sentence() -> None:
    party = Party(options={"ip_cap": 3, "player_ip": 2})
    party.do("Mira", a.ChangeAction(holder="Jonas", section="ip", item="IP", by=1))
    for action in (
        a.ChangeAction(holder="Jonas", section="ip", item="IP", by=1),
        a.EditAction(holder="Jonas", section="ip", item="IP", to={"now": 4}),
    ):
        with pytest.raises(Illegal, match="Jonas may have 3 IP at most at this table"):
            party.do("Mira", action)
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, faces="2 3 | 5", answers=["settle"]))
    assert "Jonas already holds 3 IP, so none is gained (NJ-15)." in party.lines("Olaf")


def test_nj15_the_gms_have_one_purse_and_roll_with_it(party: Party) -> None:
    assert (ip(party, "table"), ip(party, "Mira")) == (4, 0)
    party.do("Mira", a.SeatAction(member="Olaf", role="gm"))
    for gm in ("Mira", "Olaf"):
        party.do(gm, a.CreateAction(name=f"Guard of {gm}"))
        inputs = {"d6": 2, "difficulty": 3}
        party.do(gm, a.RollAction(who=f"Guard of {gm}", inputs=inputs, faces="5 3 | 1"))
        assert "Change it? The GM holds" in str(roll_of(party, "Ada")["open"])
        party.do(gm, a.AnswerAction(answer="reroll", faces="6"))
        party.do(gm, a.AnswerAction(answer="settle"))
    assert (ip(party, "table"), ip(party, "Mira"), ip(party, "Olaf")) == (4, 0, 0)
    assert party.holder("table").sheet["complications"] == {}


def test_nj15_when_the_gm_rolls_lowest_pays_nobody_and_a_1_owes_nothing(party: Party) -> None:
    party.do("Mira", a.RollAction(inputs={"d6": 2, "difficulty": 3}, faces="4 3 | 1"))
    party.do("Mira", a.AnswerAction(answer="settle"))
    assert (ip(party, "table"), ip(party, "Mira")) == (4, 0)
    assert party.holder("table").sheet["complications"] == {}


def test_nj15_a_player_without_a_character_rolls_with_their_own_ip(party: Party) -> None:
    party.do("Ada", a.RollAction(inputs={"d6": 2, "difficulty": 1}, faces="4 3 | 6"))
    party.do("Ada", a.AnswerAction(answer="settle"))
    assert ip(party, "Ada") == 3


def test_nj8_nj10_whoever_may_describe_is_asked_and_their_words_stand_with_the_roll(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 4, "difficulty": 0}, faces="6 6 6 6 | 1"))
    party.do("Jonas", a.AnswerAction(answer="settle"))
    assert {prompt["by"] for prompt in roll_of(party, "Olaf")["prompts"]} == {"gm"}  # type: ignore[attr-defined]
    party.do("Mira", a.DescribeAction(text="The bell rings below."))
    assert any("The bell rings below." in line for line in party.lines("Olaf"))


def test_nj1_at_a_table_of_the_hits_edition_every_label_says_hits() -> None:
    party = Party("narraject", {"edition": "hits"})
    near_miss(party)
    party.do("Jonas", a.AnswerAction(answer="settle"))
    said = " ".join(party.lines("Olaf")) + str(party.see("Olaf"))
    assert "Hit" in said
    assert "Mark" not in said


def options_of(party: Party, roll: str, name: str = "Jonas") -> list[str]:
    """What may be answered to this roll, as this seat sees it."""
    return [option["name"] for option in party.see(name)[f"rolls/{roll}"]["open"]["options"]]


def starred(party: Party, roll: str) -> list[str]:
    """What advice weighs for Jonas."""
    member = party.member("Jonas")
    assert member
    return sorted(option.name for option in advice(party.state, party.state.world.rolls[roll], member).options)


def test_nj13_ip_given_while_a_roll_is_open_can_be_spent_on_it_and_advice_follows(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Jonas", section="ip", item="IP", to={"now": 0}))
    near_miss(party)
    roll = party.roll.id
    assert not {"reroll", "add"} & {*options_of(party, roll), *starred(party, roll)}
    party.do("Mira", a.ChangeAction(holder="Jonas", section="ip", item="IP", by=2))
    for name in ("Mira", "Jonas", "Ada", "Olaf"):
        assert {"reroll", "add"} <= set(options_of(party, roll, name))
    assert {"reroll", "add"} <= set(starred(party, roll))
    party.do("Jonas", a.AnswerAction(answer="add", faces="6"))
    party.do("Jonas", a.AnswerAction(answer="settle"))
    assert ip(party, "Jonas") == 0
    assert not str(roll_of(party, "Olaf")["verdict"]).startswith("Near miss")


def test_nj13_two_open_rolls_do_not_both_offer_the_same_ip(party: Party) -> None:
    near_miss(party)
    first = party.roll.id
    near_miss(party)
    second = party.roll.id
    assert ip(party, "Jonas") == 2
    assert "add" in options_of(party, first)
    assert "add" in options_of(party, second)
    party.do("Jonas", a.AnswerAction(roll=first, answer="add", faces="2"))
    for name in ("Mira", "Jonas", "Olaf"):
        assert not {"add", "reroll"} & set(options_of(party, second, name))
    assert not {"add", "reroll"} & set(starred(party, second))
    with pytest.raises(Illegal, match=r"2 IP, and 0 are held; nothing is spent \(NJ-14\)"):
        party.do("Jonas", a.AnswerAction(roll=second, answer="add"))
    assert ip(party, "Jonas") == 0


def settled_near_miss(party: Party) -> str:
    near_miss(party)
    party.do("Jonas", a.AnswerAction(answer="settle"))
    assert str(roll_of(party, "Olaf")["verdict"]).startswith("Near miss")
    return party.roll.id


def story_of(party: Party, name: str = "Olaf") -> str:
    return "".join(story(party.entries, party.state, party.member(name)))


def test_nj9_the_gm_offers_after_the_roll_is_settled_and_the_player_accepts(party: Party) -> None:
    roll = settled_near_miss(party)
    had = ip(party, "Jonas"), ip(party, "table")
    with pytest.raises(Forbidden):
        party.do("Jonas", a.AnswerAction(roll=roll, answer="offer: nothing at all"))
    party.do("Mira", a.AnswerAction(roll=roll, answer="offer: the lamp goes out"))
    assert any("the lamp goes out" in line for line in party.lines("Olaf"))
    assert "the lamp goes out" in str(roll_of(party, "Ada")["open"])
    with pytest.raises(Forbidden):
        party.do("Ada", a.AnswerAction(roll=roll, answer="accept"))
    party.do("Jonas", a.AnswerAction(roll=roll, answer="accept"))
    for name in ("Mira", "Ada", "Olaf"):
        assert "At a cost: the lamp goes out" in str(roll_of(party, name)["verdict"])
        assert any("at a cost: the lamp goes out" in line for line in party.lines(name))
    assert (ip(party, "Jonas"), ip(party, "table")) == had
    assert roll_of(party, "Olaf")["open"] is None
    assert "At a cost: the lamp goes out" in story_of(party)


def test_nj9_an_offer_after_the_roll_can_be_declined(party: Party) -> None:
    roll = settled_near_miss(party)
    party.do("Mira", a.AnswerAction(roll=roll, answer="offer: the lamp goes out"))
    party.do("Jonas", a.AnswerAction(roll=roll, answer="decline"))
    assert str(roll_of(party, "Olaf")["verdict"]).startswith("Near miss")
    assert any("ecline" in line for line in party.lines("Olaf"))
    told = story_of(party)
    assert "the lamp goes out" in told
    assert "ecline" in told


def test_nj9_the_late_offer_lapses_with_that_characters_next_roll(party: Party) -> None:
    roll = settled_near_miss(party)
    party.do("Ada", a.RollAction(who="Kit", inputs={"d6": 1}, faces="3 | 4"))
    assert party.see("Mira")[f"rolls/{roll}"]["open"]
    near_miss(party)
    assert party.see("Mira")[f"rolls/{roll}"]["open"] is None
    with pytest.raises(Illegal, match="This roll is over"):
        party.do("Mira", a.AnswerAction(roll=roll, answer="offer: too late"))


def test_nj5_another_stat_of_a_helper_takes_the_place_of_the_first_and_blocks_nobody(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren"))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Ada", a.BuildAction(use={"Kit's Agility": 1}))
    party.do("Ada", a.BuildAction(use={"Kit's Wits": 1}))
    assert party.lines("Olaf") == ["Ada takes Kit's Agility out.", "Ada puts Kit's Wits in."]
    party.do("Jonas", a.ThrowAction(faces="5 | 3"))
    assert [party.item("Kit", "stats", stat)["now"] for stat in ("Agility", "Wits")] == [5, 2]


def test_nj5_help_that_would_be_too_much_is_refused_to_the_helper_and_not_to_the_leader(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"help_dice": "1 Bo, 1 Cy"}))
    party.do("Ada", a.AssistAction(who="Kit"))
    with pytest.raises(Illegal, match=r"help-dice is 3; it must be a whole number from 0 to 2 \(NJ-5\)"):
        party.do("Ada", a.BuildAction(use={"Kit's Wits": 1}))
    party.do("Jonas", a.ThrowAction(faces="5 5 | 3"))


def test_nj10_nj15_the_gms_gain_is_told_as_what_it_was(party: Party) -> None:
    party.do("Mira", a.RollAction(inputs={"d6": 1}, faces="3 | 6"))
    party.do("Mira", a.AnswerAction(answer="settle"))
    assert "The GM's IP +1 (Mira's Step Die was highest) (NJ-10)." in party.lines("Olaf")


def test_nj9_a_declined_offer_stands_in_log_and_story(party: Party) -> None:
    near_miss(party)
    party.do("Mira", a.AnswerAction(answer="offer: the lamp breaks"))
    assert party.lines("Olaf")[0] == "Offer a success at a cost: the lamp breaks."
    party.do("Jonas", a.AnswerAction(answer="decline"))
    assert party.lines("Olaf")[0] == "The offer is declined: the lamp breaks."
    party.do("Jonas", a.AnswerAction(answer="settle"))
    prose = "\n".join(story(party.entries, party.state, party.member("Olaf")))
    assert "The offer is declined: the lamp breaks. **Near miss" in prose


@pytest.mark.parametrize(("answer", "told"), [("decline", "is declined: the lamp breaks"), ("accept", "is accepted")])
def test_nj9_an_offer_after_the_roll_reads_like_a_story(party: Party, answer: str, told: str) -> None:
    near_miss(party)
    party.do("Jonas", a.AnswerAction(answer="settle"))
    party.do("Mira", a.AnswerAction(answer="offer: the lamp breaks"))
    assert party.lines("Olaf") == ["The GM offers a success at a cost: the lamp breaks."]
    party.do("Jonas", a.AnswerAction(answer=answer))
    prose = "\n".join(story(party.entries, party.state, party.member("Olaf")))
    assert f"The GM offers a success at a cost: the lamp breaks. The offer {told}." in prose


def test_nj13_the_question_speaks_of_nobody_as_you_since_everybody_reads_it(party: Party) -> None:
    near_miss(party)
    assert all("Change it? 2 IP held." in str(roll_of(party, name)["open"]) for name in ("Jonas", "Ada", "Olaf"))


def test_nj9_an_offer_is_sent_in_parts_to_those_who_may_see_it(party: Party) -> None:
    near_miss(party)
    party.do("Mira", a.AnswerAction(answer="offer: the lamp breaks"))
    what, words, question = "The GM offers a success at a cost", "the lamp breaks", "Change it? 2 IP held."
    for name in ("Jonas", "Ada", "Olaf"):
        shown = party.see(name)[f"rolls/{party.roll.id}"]["open"]
        assert shown["offered"] == {"what": what, "words": words, "question": question}
        assert shown["question"] == f"{what}: {words}. {question}"


def test_nj9_an_offer_on_a_hidden_difficulty_is_the_gms_alone(party: Party) -> None:
    inputs = {"d6": 2, "difficulty": 2}
    party.do("Mira", a.RollAction(who="Wren", inputs=inputs, hide=["difficulty"], faces="6 3 | 4"))
    party.do("Mira", a.AnswerAction(answer="offer: the lamp breaks"))
    assert "the lamp breaks" in str(roll_of(party, "Mira"))
    assert not any("the lamp breaks" in str((party.see(name), party.lines(name))) for name in ("Jonas", "Ada", "Olaf"))


def test_nj15_only_a_player_has_ip_of_their_own(party: Party) -> None:
    sheets = {name: party.see("Olaf")[f"holders/{party.ids[name]}"]["sheet"] for name in ("Jonas", "Mira", "Olaf")}
    assert sheets == {"Jonas": {"ip": {"IP": {"now": 2}}}, "Mira": {"ip": {}}, "Olaf": {"ip": {}}}
    party.do("Mira", a.SeatAction(member="Jonas", role="gm"))
    assert party.see("Olaf")[f"holders/{party.ids['Jonas']}"]["sheet"] == {"ip": {}}


def test_nj2_nj3_nj7_the_log_names_a_focus_without_dice_and_the_obstacle(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Wren", section="focus", item="Calm", to={"level": "master"}))
    party.do("Mira", a.EditAction(holder="scene", section="obstacles", item="The hatch", to={"difficulty": 2}))
    party.do("Jonas", a.RollAction(who="Wren", use={"Calm": 1, "Might": 1, "The hatch": 1}, faces="5 | 3"))
    assert "With Calm (master) and Might, against The hatch." in party.lines("Olaf")


def test_nj10_as_yourself_the_player_is_asked_how_and_the_gm_what_happens() -> None:
    party = Party()
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, faces="2 3 | 5", answers=["settle"]))
    asked = {name: party.see(name)[f"rolls/{party.roll.id}"]["prompts"] for name in ("Jonas", "Ada", "Mira")}
    own = {name: [prompt["rule"] for prompt in asked[name] if prompt["yours"]] for name in asked}
    assert own == {"Jonas": ["NJ-10"], "Ada": [], "Mira": ["NJ-8"]}
    assert "As yourself" in str(asked["Jonas"])
