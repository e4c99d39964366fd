"""Narraject against a plain second statement of its rules, on every throw of small pools."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal import Choice, Hand, Illegal, Played, Typed, Unknown, explain, play
from astragal.explain.report import in_a_line
from astragal.games.narraject import Attempt, Result, attempt
from astragal.games.narraject.odds import FACTS, WISHES
from astragal.games.narraject.text import attempt_headline, attempt_verdict, prompts
from astragal.rule.chances.advise import advise
from tests.faces import Given, as_faces, every_throw

D6S = st.lists(st.integers(1, 6), min_size=1, max_size=12)
RANK = ["catastrophic_failure", "clear_failure", "near_miss", "success", "solid", "strong", "triumph"]


def second_statement(edition: str, d6s: tuple[int, ...], step: int, difficulty: int) -> dict[str, Any]:
    """NJ-4 and NJ-7 to NJ-12, written again without the project's code."""
    marks = 0
    for face in [*d6s, step]:
        if face in (5, 6) or (face > 6 and edition == "marks"):
            marks += 1
    short = difficulty - marks
    if short <= 0:
        degree = {0: "success", 1: "solid", 2: "solid", 3: "strong", 4: "strong"}.get(-short, "triumph")
    elif marks == 0:
        degree = "catastrophic_failure"
    else:
        degree = "near_miss" if short in (1, 2) else "clear_failure"
    above = d6s != () and all(step > face for face in d6s)
    below = d6s != () and all(step < face for face in d6s)
    return {
        "marks": marks,
        "success": short <= 0,
        "degree": degree,
        "position": "highest" if above else "lowest" if below else "neither",
        "player_ip": 1 if above else 0,
        "gm_ip": 1 if below else 0,
        "complications": (1 if degree == "catastrophic_failure" else 0) + (1 if step in (1, 2) else 0),
    }


def roll(ask: Attempt, d6s: tuple[int, ...], step: int) -> Result:
    result = play(attempt(ask), Given(as_faces((d6s, (step,))))).result
    assert result is not None
    return result


@pytest.mark.parametrize("edition", ["marks", "hits"])
@pytest.mark.parametrize("sides", [6, 8, 10, 12])
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_every_throw_of_a_small_pool_gives_what_the_rules_say(edition: str, sides: int, n: int) -> None:
    for difficulty in range(5):
        ask = Attempt(d6=n, step=sides, difficulty=difficulty, edition=edition)
        for d6s, (step,) in every_throw((n, 6), (1, sides)):
            wanted = second_statement(edition, d6s, step, difficulty)
            facts = roll(ask, d6s, step)._asdict()
            assert {name: facts[name] for name in wanted} == wanted, (d6s, step)


def test_nj13_every_spend_on_every_face_is_settled_on_the_final_dice() -> None:
    ask = Attempt(d6=1, step=8, difficulty=2, ip=3)
    for d6, step, added, again in product(range(1, 7), range(1, 9), range(1, 7), range(1, 9)):
        hand = Given(*map(as_faces, [((d6,), (step,)), ((added,),), ((again,),)]), answers={"spend": ["add", "reroll"]})
        result = play(attempt(ask), hand).result
        assert result is not None
        wanted = second_statement("marks", (d6, added), again, 2)
        facts = result._asdict()
        assert {name: facts[name] for name in wanted} == wanted
        assert (result.ip_spent, result.ip_left) == (3, 0)


def test_nj13_a_partial_success_is_bought_on_failures_only() -> None:
    ask = Attempt(d6=1, step=6, difficulty=1, ip=3)
    for (d6,), (step,) in every_throw((1, 6), (1, 6)):
        hand = Given(as_faces(((d6,), (step,))), answers={"spend": ["partial"]})
        if max(d6, step) >= 5:
            with pytest.raises(Illegal, match="NJ-13"):
                play(attempt(ask), hand)
        else:
            result = play(attempt(ask), hand).result
            assert result is not None
            assert (result.degree, result.success, result.ip_left) == ("partial_success", False, 0)
            assert result.complications == 1 + (step <= 2)


def test_nj13_the_roll_stays_open_while_ip_is_held_and_says_what_each_spend_costs() -> None:
    played = play(attempt(Attempt(d6=2, step=8, difficulty=4, ip=2)), Typed("5 1 | 3"))
    assert isinstance(played.node, Choice)
    assert {name: option.cost for name, option in played.node.options.items()} == {"settle": 0, "reroll": 1, "add": 2}
    assert played.node.barred["partial"].rule == "NJ-14"
    assert played.result is not None
    assert played.result.degree == "clear_failure"


def test_nj12_no_success_is_highest_and_shows_1_or_2() -> None:
    for n, sides in product((1, 2, 3), (6, 8, 10, 12)):
        ask = Attempt(d6=n, step=sides, difficulty=1)
        for d6s, (step,) in every_throw((n, 6), (1, sides)):
            result = roll(ask, d6s, step)
            assert not (result.success and result.position == "highest" and step <= 2)


@given(D6S, st.integers(1, 12), st.randoms())
def test_the_order_of_the_d6s_never_matters(d6s: list[int], step: int, random: Any) -> None:
    ask = Attempt(d6=len(d6s), step=12, difficulty=3)
    shuffled = random.sample(d6s, len(d6s))
    assert roll(ask, tuple(d6s), step) == roll(ask, tuple(shuffled), step)


@given(D6S, st.integers(1, 6), st.integers(0, 12), st.sampled_from(["marks", "hits"]))
def test_nj8_nj9_more_marks_never_worsen_a_degree(d6s: list[int], step: int, difficulty: int, edition: str) -> None:
    ask = Attempt(d6=len(d6s), step=6, difficulty=difficulty, edition=edition)
    ladder = [roll(ask, (*[6] * n, *d6s[n:]), step) for n in range(len(d6s) + 1)]
    for worse, better in pairwise(ladder):
        assert better.marks >= worse.marks
        assert RANK.index(better.degree) >= RANK.index(worse.degree)


def test_nj2_helpers_dice_alone_are_a_pool() -> None:
    played = play(attempt(Attempt.read({"help_dice": "1 Bo"})), Typed("5 | 3"))
    assert played.result is not None
    assert (played.result.marks, played.result.position) == (1, "lowest")
    assert "The pool has" not in " ".join(note.text for note in explain(played).notes)


@pytest.mark.parametrize("sides", [6, 12])
def test_nj15_when_the_gm_rolls_highest_pays_the_purse_lowest_nobody_and_no_complication_is_owed(sides: int) -> None:
    ask = Attempt(d6=2, step=sides, difficulty=1, side="gm")
    for d6s, (step,) in every_throw((2, 6), (1, sides)):
        result = roll(ask, d6s, step)
        wanted = second_statement("marks", d6s, step, 1)
        assert (result.degree, result.position) == (wanted["degree"], wanted["position"])
        assert (result.player_ip, result.gm_ip, result.complications) == (0, wanted["player_ip"], 0)


def test_nj15_what_the_gm_spends_comes_from_the_purse() -> None:
    played = play(attempt(Attempt(d6=1, difficulty=2, ip=3, side="gm")), Typed("5 | 3", {"spend": ["partial"]}))
    assert [(effect.what, effect.who, effect.by) for effect in played.effects] == [("ip", "gm", -3)]


@pytest.mark.parametrize(("edition", "word"), [("marks", "Marks"), ("hits", "Hits")])
def test_nj1_everything_that_is_said_and_labelled_uses_the_editions_word(edition: str, word: str) -> None:
    ask = Attempt(d6=2, difficulty=1, edition=edition)
    played = play(attempt(ask), Typed("5 6 | 3"))
    assert played.result is not None
    said = (
        " ".join(note.text for note in explain(played).notes)
        + in_a_line(attempt_verdict(played.result))
        + attempt_headline(ask)
    )
    titles = " ".join(fact.title_for(ask) for fact in FACTS["attempt"].values())
    other = {"Marks": "Hit", "Hits": "Mark"}[word]
    assert other not in said + titles
    assert word in titles


@pytest.mark.parametrize(
    ("faces", "reading"),
    [
        ("5 3 | 6", "; As yourself: the Step Die is highest"),
        ("5 3 | 2", "; Despite yourself: the Step Die is lowest; 1 complication for the GM"),
        ("5 3 | 4", " needed"),
    ],
)
def test_nj10_an_open_roll_shows_how_the_step_die_reads(faces: str, reading: str) -> None:
    played = play(attempt(Attempt(d6=2, difficulty=2, ip=1)), Typed(faces))
    assert played.outcome is None
    assert played.result is not None
    assert in_a_line(attempt_verdict(played.result)).endswith(reading)


def near_miss(ip: int = 1, *answers: str) -> Played[Result]:
    """One Mark short, with these answers given."""
    return play(attempt(Attempt(d6=2, step=8, difficulty=2, ip=ip)), Given(*FACES, answers={"spend": list(answers)}))


FACES = [as_faces(((6, 3), (4,))), as_faces(((2,),))]


def test_nj9_the_gm_offers_and_the_player_accepts_or_declines() -> None:
    open_roll = play(attempt(Attempt(d6=2, step=8, difficulty=2, ip=1)), Typed("6 3 | 4"))
    assert isinstance(open_roll.node, Choice)
    assert (open_roll.node.by, open_roll.node.options["offer"].by) == ("player", "gm")
    accepted = near_miss(1, "offer: a cut hand", "accept")
    assert accepted.outcome is not None
    result = accepted.outcome.result
    assert (result.degree, result.cost, result.ip_spent, result.success) == ("partial_success", "a cut hand", 0, False)
    assert in_a_line(attempt_verdict(result)) == "Partial success: 1 Mark, 2 needed; At a cost: a cut hand"
    declined = near_miss(1, "offer: a cut hand", "decline", "settle")
    assert declined.outcome is not None
    assert declined.outcome.result.degree == "near_miss"


def test_nj9_an_offer_is_for_these_dice() -> None:
    with pytest.raises(Unknown, match='"accept" is not an answer'):
        near_miss(2, "offer: a cut hand", "reroll", "accept")
    second = near_miss(1, "offer: a cut hand", "decline", "offer: a broken rope", "accept")
    assert second.outcome is not None
    assert second.outcome.result.cost == "a broken rope"
    again = near_miss(2, "offer: a cut hand", "reroll", "offer: a broken rope", "accept")
    assert again.outcome is not None
    assert again.outcome.result.cost == "a broken rope"


@pytest.mark.parametrize("difficulty", [1, 4])
def test_nj9_only_a_near_miss_is_offered_anything(difficulty: int) -> None:
    node = play(attempt(Attempt(d6=2, step=8, difficulty=difficulty, ip=1)), Typed("6 3 | 4")).node
    assert isinstance(node, Choice)
    assert "offer" not in node.options


def test_nj9_a_settled_near_miss_can_still_be_offered_something_and_nothing_moves_twice() -> None:
    outcome = near_miss(0).outcome
    assert outcome is not None
    assert outcome.after is not None
    late = play(outcome.after, Hand({"offer": ["offer: a cut hand", "accept"]})).outcome
    assert late is not None
    assert (late.result.degree, late.result.cost, late.effects) == ("partial_success", "a cut hand", ())
    clear = play(attempt(Attempt(d6=2, step=8, difficulty=4)), Typed("6 3 | 4")).outcome
    assert clear is not None
    assert clear.after is None


def test_nj3_the_best_trait_gives_the_step_die_and_none_gives_a_d6() -> None:
    several = Attempt(d6=1, trait=(("Climbing", "trained"), ("Stealth", "expert")))
    assert (several.step_die, Attempt(d6=1).step_die) == (10, 6)


def test_nj3_the_roll_names_the_approach() -> None:
    ask = Attempt(d6=1, trait=(("Climbing", "trained"), ("Stealth", "expert")))
    assert "a d10 (Stealth)" in attempt_headline(ask)
    told = [note.text for note in explain(play(attempt(ask), Typed("1 | 3"))).notes if note.rule == "NJ-3"]
    assert told == ["The Step Die is a d10: the approach is Stealth (expert)."]


def test_nj2_the_breakdown_names_every_source() -> None:
    ask = Attempt.read({"d6": "2 Agility, 2 Stealth, 1 dark clothes", "help_dice": "1 Ana"})
    notes = explain(play(attempt(ask), Typed("6 5 4 2 1 1 | 3"))).notes
    told = {note.rule: note.text for note in notes}
    assert told["NJ-2"] == "The pool has 5d6: 2 Agility + 2 Stealth + 1 dark clothes."
    assert told["NJ-5"] == "Helpers add 1d6: 1 Ana."


def test_nj6_points_of_one_stat_are_added_up_before_any_is_spent() -> None:
    with pytest.raises(Illegal, match="NJ-6"):
        Attempt.read({"d6": "2/3 Agility, 2/3 Agility"})
    played = play(attempt(Attempt.read({"d6": "2/3 Agility, 1 gear"})), Typed("1 2 3 | 4"))
    assert played.outcome is not None
    assert ("stats", "roller", -2, "Agility") in {effect[:4] for effect in played.outcome.effects}


@pytest.mark.parametrize(
    ("d6s", "step", "asked"),
    [
        ((6, 6, 6, 5), 5, [("player", "NJ-8")]),
        ((6, 5, 5, 1), 2, [("gm", "NJ-8")]),
        ((1, 2, 3, 4), 5, [("gm", "NJ-8"), ("player", "NJ-10")]),
        ((3, 4, 4, 4), 2, [("gm", "NJ-8"), ("gm", "NJ-10")]),
        ((1, 5, 4, 4), 3, [("gm", "NJ-8")]),
    ],
)
def test_nj8_and_nj10_who_may_describe_is_asked(d6s: tuple[int, ...], step: int, asked: list[tuple[str, str]]) -> None:
    result = roll(Attempt(d6=4, step=8, difficulty=0), d6s, step)
    assert [(prompt.by, prompt.rule) for prompt in prompts(result)] == asked


@pytest.mark.parametrize(
    ("faces", "ip", "spend", "question"),
    [
        ("1 2 | 3", 0, [], "What does the catastrophe look like?"),
        ("5 2 | 3", 0, [], "What does the failure look like?"),
        ("5 2 | 3", 3, ["partial"], "What succeeds, and what goes wrong?"),
    ],
)
def test_nj9_the_gm_is_asked_what_a_failure_looks_like(faces: str, ip: int, spend: list[str], question: str) -> None:
    ask = Attempt(d6=2, step=8, difficulty=3, ip=ip)
    outcome = play(attempt(ask), Typed(faces, {"spend": spend} if spend else None)).outcome
    assert outcome is not None
    assert next((prompt.by, prompt.question) for prompt in outcome.prompts) == ("gm", question)


CANNOT = "cannot succeed; only changes whose doing it was"
ANYWAY = "succeeds anyway; only changes how well, and whose doing it was"


@pytest.mark.parametrize(
    ("faces", "difficulty", "ip", "reroll", "add"),
    [
        ("5 2 | 3", 3, 2, CANNOT, CANNOT),
        ("5 2 | 3", 3, 3, "the Step Die shows 3", "a 5 or 6 is a Mark"),
        ("5 2 | 6", 3, 2, CANNOT, "a 5 or 6 is a Mark"),
        ("5 2 | 6", 1, 2, ANYWAY, ANYWAY),
        ("5 2 | 6", 2, 2, "the Step Die shows 6", ANYWAY),
    ],
)
def test_nj13_an_option_that_cannot_change_success_says_so_before_it_is_paid_for(
    faces: str, difficulty: int, ip: int, reroll: str, add: str
) -> None:
    choice = play(attempt(Attempt(d6=2, step=8, difficulty=difficulty, ip=ip)), Typed(faces)).node
    assert isinstance(choice, Choice)
    assert (choice.options["reroll"].described, choice.options["add"].described) == (reroll, add)


NEAR = [*product((0, 1, 2), (3, 6), (1, 2, 3, 4), (1, 2, 3, 4))]


@pytest.mark.parametrize(("d6_marks", "step", "difficulty", "ip"), NEAR)
def test_nj13_what_is_said_to_be_futile_is_what_no_dice_can_change(
    d6_marks: int, step: int, difficulty: int, ip: int
) -> None:
    """By brute force: success has the same chance with the best dice that could follow as without any."""
    faces = f"{' '.join(['5'] * d6_marks + ['2'] * (2 - d6_marks))} | {step}"
    choice = play(attempt(Attempt(d6=2, step=8, difficulty=difficulty, ip=ip)), Typed(faces)).node
    assert isinstance(choice, Choice)
    for option in advise(choice, WISHES["attempt"]["succeed"]).options:
        if option.name in ("reroll", "add"):
            said = str(choice.options[option.name].warns)
            assert (said == CANNOT) == (option.worth == 0), (option.name, said, option.worth)


@pytest.mark.parametrize(("step", "told"), [(8, "as yourself"), (1, "despite yourself")])
def test_nj10_the_step_die_is_told_as_what_it_says_of_the_character(step: int, told: str) -> None:
    played = play(attempt(Attempt(d6=2, step=8, difficulty=1)), Given(as_faces(((3, 4), (step,)))))
    assert any(told in note.text for note in explain(played).notes if note.rule == "NJ-10")
