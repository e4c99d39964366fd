"""TGIMH against a plain second statement of its rules, on every throw of small pools."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal import Choice, Illegal, Throw, Typed, explain, odds, play
from astragal.games.tgimh import Contest, Recovery, contest, recovery
from astragal.games.tgimh.aftermath import losses
from astragal.games.tgimh.text import contest_headline, contest_verdict
from tests.faces import Given, as_faces, every_throw
from tests.referee import tally

SIDE = st.lists(st.integers(1, 10), max_size=12)


def second_statement(ours: tuple[int, ...], theirs: tuple[int, ...]) -> tuple[str, int]:
    """TG-3 to TG-5, written again without the project's code: two sorted piles, equal tops taken off."""
    us, them = sorted(ours), sorted(theirs)
    while us and them and us[-1] == them[-1]:
        us.pop()
        them.pop()
    if not us and not them:
        return "none", 0
    if not us or not them:
        return ("ours" if us else "theirs"), 1
    if us[-1] > them[-1]:
        return "ours", len([face for face in us if face > them[-1]])
    return "theirs", len([face for face in them if face > us[-1]])


def roll(ask: Contest, ours: tuple[int, ...], theirs: tuple[int, ...]) -> Any:
    return play(contest(ask), Given(as_faces((ours, theirs)))).result


@pytest.mark.parametrize(("sides", "most"), [(2, 4), (3, 3), (4, 3), (6, 2), (10, 2)])
def test_every_throw_of_small_pools_gives_what_the_rules_say(sides: int, most: int) -> None:
    for ours, theirs in product(range(most + 1), repeat=2):
        ask = Contest(ours=ours, theirs=theirs, die=sides)
        for us, them in every_throw((ours, sides), (theirs, sides)):
            result = roll(ask, us, them)
            assert (result.winner, result.successes) == second_statement(us, them), (us, them)
            assert result.stalemate == (result.winner == "none")


@pytest.mark.parametrize(
    ("ours", "theirs", "sides"), [(1, 1, 4), (3, 2, 3), (2, 3, 4), (3, 3, 2), (1, 2, 10), (0, 2, 4)]
)
def test_dice_thrown_apart_give_the_same_and_have_the_same_odds(ours: int, theirs: int, sides: int) -> None:
    ask, apart = (Contest(ours=ours, theirs=theirs, die=sides, apart=apart) for apart in (False, True))
    assert tally(contest(apart)) == tally(contest(ask)) == dict(odds(contest(apart)).items())
    for fact in ("winner", "result", "successes"):
        assert odds(apart, fact) == odds(ask, fact)


@pytest.mark.parametrize("faces", [(4, 4, 1), (3, 2, 2), (1, 1, 1)])
def test_when_our_dice_lie_there_the_odds_are_those_of_their_throw(faces: tuple[int, ...]) -> None:
    first = contest(Contest(ours=3, theirs=3, die=4, apart=True))
    assert isinstance(first, Throw)
    second = first.then(first.reading.read(((faces,),)))
    assert tally(second) == dict(odds(second).items())


@given(SIDE, SIDE)
def test_larger_pools_agree_with_the_second_statement(ours: list[int], theirs: list[int]) -> None:
    result = roll(Contest(ours=len(ours), theirs=len(theirs)), tuple(ours), tuple(theirs))
    assert (result.winner, result.successes) == second_statement(tuple(ours), tuple(theirs))


@given(SIDE, SIDE)
def test_swapping_the_sides_swaps_the_winner(ours: list[int], theirs: list[int]) -> None:
    one = roll(Contest(ours=len(ours), theirs=len(theirs)), tuple(ours), tuple(theirs))
    other = roll(Contest(ours=len(theirs), theirs=len(ours)), tuple(theirs), tuple(ours))
    assert other.winner == {"ours": "theirs", "theirs": "ours", "none": "none"}[one.winner]
    assert other.successes == one.successes


@given(SIDE, SIDE, st.randoms())
def test_the_order_of_the_dice_never_matters(ours: list[int], theirs: list[int], random: Any) -> None:
    ask = Contest(ours=len(ours), theirs=len(theirs))
    mixed = [tuple(random.sample(side, len(side))) for side in (ours, theirs)]
    assert roll(ask, tuple(ours), tuple(theirs)) == roll(ask, mixed[0], mixed[1])


def test_tg10_tg11_every_track_of_four_boxes() -> None:
    """The box of that number; if crossed, the next free one above with an Injury of its number; else out."""
    for crossed_bits, successes in product(product((False, True), repeat=4), range(1, 7)):
        crossed = tuple(box for box, is_crossed in zip((1, 2, 3, 4), crossed_bits, strict=True) if is_crossed)
        loss = losses(successes, 4, crossed)["box"]
        wanted = min(successes, 4)
        box = next((box for box in range(wanted, 5) if box not in crossed), None)
        assert loss.box == box
        assert loss.injury == (box if box is not None and box != wanted else 0)
        assert loss.out == (box in (None, 4))


def test_tg9_tg10_the_winner_decides_first_and_then_the_loser() -> None:
    ask = Contest(ours=3, theirs=3)
    first = play(contest(ask), Typed("9 9 3 | 8 8 1"))
    assert isinstance(first.node, Choice)
    assert (first.node.name, first.node.by) == ("condition", "winner")
    second = play(contest(ask), Typed("9 9 3 | 8 8 1", {"condition": ["make: Off balance"]}))
    assert isinstance(second.node, Choice)
    assert (second.node.name, second.node.by) == ("loss", "loser")
    answers = {"condition": ["make: Off balance"], "loss": ["box"]}
    result = play(contest(ask), Typed("9 9 3 | 8 8 1", answers)).result
    assert result is not None
    assert (result.condition, result.box, result.injury, result.out) == ("Off balance", 2, 0, False)


def test_tg11_a_crossed_box_leaves_no_choice() -> None:
    for crossed_bits, successes in product(product((False, True), repeat=4), range(1, 7)):
        crossed = tuple(box for box, is_crossed in zip((1, 2, 3, 4), crossed_bits, strict=True) if is_crossed)
        assert set(losses(successes, 4, crossed)) == ({"box"} if min(successes, 4) in crossed else {"box", "injury"})
    ask = Contest(ours=2, theirs=1, their_crossed=(2,))
    with pytest.raises(Illegal, match="TG-11"):
        play(contest(ask), Typed("9 8 | 3", {"condition": ["none"], "loss": ["injury"]}))
    settled = play(contest(ask), Typed("9 8 | 3", {"condition": ["none"]})).outcome
    assert settled is not None
    assert (settled.result.box, settled.result.injury) == (3, 3)


def test_tg10_the_loser_names_the_injury() -> None:
    answers = {"condition": ["none"], "loss": ["injury: Broken arm"]}
    played = play(contest(Contest(ours=2, theirs=1)), Typed("9 8 | 3", answers))
    injuries = [(effect.what, effect.who, effect.name, effect.to) for effect in played.effects]
    assert ("conditions", "target", "Broken arm", {"dice": 2, "injury": True}) in injuries
    assert 'Their side has an Injury "Broken arm" with 2 dice.' in {note.text for note in explain(played).notes}


def test_tg7_the_other_sides_aspect_is_paid_for_and_pays_its_owner() -> None:
    ask = Contest.read({"ours": 1, "against_them": "2 Too proud to run", "theirs": 2, "will": 1, "their_will": 3})
    assert (ask.us.dice, ask.them.dice) == (3, 2)
    played = play(contest(ask), Typed("9 8 2 | 7 6", {"condition": ["none"], "loss": ["box"]}))
    moved = {(effect.who, effect.by, effect.cause, effect.rule) for effect in played.effects if effect.what == "will"}
    paid, gained = "{who} uses Too proud to run", "Too proud to run is used against {who}"
    assert moved == {("roller", -1, paid, "TG-6"), ("target", 1, gained, "TG-7")}
    assert played.result is not None
    assert (played.result.will_left, played.result.their_will_left) == (0, 4)
    told = {note.text for note in explain(played).notes}
    assert {
        "Our side spends 1 Will and has 0 left.",
        "Their side gains 1 Will: Too proud to run used against them.",
    } <= told


def test_tg8_a_cap_leaves_room_only_for_so_much() -> None:
    usual = {"ours": 1, "against_them": "1 Proud, 1 In debt", "their_will_cap": 9}
    for their_will, gained in ((9, 0), (8, 1), (7, 2)):
        theirs = Contest.read({**usual, "theirs": 2, "their_will": their_will}).side("theirs")
        assert (theirs.gained, theirs.will_left) == (gained, their_will + gained)
    paid_first = Contest.read({**usual, "theirs": "2 Stubborn", "their_will": 9}).side("theirs")
    assert (paid_first.gained, paid_first.will_left) == (1, 9)


def test_tg2_results_name_the_characters_and_the_roll_carries_its_stakes() -> None:
    ask = Contest(ours=2, theirs=1, our_name="Ilse", their_name="the ferryman", stakes="who crosses first.")
    played = play(contest(ask), Typed("9 8 | 3", {"condition": ["none"], "loss": ["box"]}))
    assert contest_headline(ask) == "TGIMH: Ilse's 2d10 against the ferryman's 1d10; at stake: who crosses first"
    assert played.result is not None
    verdict = contest_verdict(played.result)
    assert (verdict.tier, verdict.sum, verdict.theirs) == ("Ilse wins", "2 successes", "The ferryman loses")
    told = {note.text for note in explain(played).notes}
    assert {"At stake: who crosses first.", "The ferryman crosses box 2 of the Power track."} <= told
    assert "side" not in " ".join(note.text for note in explain(played).notes if note.rule != "TG-3")
    assert {die.name for _, dice in explain(played).throws for die in dice} == {"Ilse", "the ferryman"}


def test_tg2_much_gear_is_allowed_with_a_hint() -> None:
    notes = explain(
        play(contest(Contest.read({"ours": 0, "theirs": 1, "gear": "4 Cannon"})), Typed("9 8 7 6 | 3"))
    ).notes
    assert "Gear is mostly within 3 dice either way; Cannon gives +4." in {note.text for note in notes}


def test_tg12_who_is_out_does_not_roll_unless_the_gm_says_so() -> None:
    with pytest.raises(Illegal, match=r"Odo is out of the scene .* \(TG-12\)"):
        Contest(ours=1, theirs=1, their_name="Odo", their_out=True)
    with pytest.raises(Illegal, match="TG-12"):
        Recovery(ours=1, dice=1, out=True)
    assert Contest(ours=1, theirs=1, their_out=True, even_so=True)


def test_tg6_named_aspects_cost_will_and_gear_does_not() -> None:
    written = {"ours": "3 Duelist, 2 High ground", "gear": "1 sabre", "theirs": 2}
    assert Contest.read({**written, "will": 2}).side("ours").will_left == 0
    with pytest.raises(Illegal, match="TG-6"):
        Contest.read({**written, "will": 1})


def test_tg14_every_recovery_takes_as_many_dice_off_as_it_has_successes() -> None:
    ask = Recovery(ours=2, dice=2, die=4)
    for ours, theirs in every_throw((2, 4), (2, 4)):
        winner, successes = second_statement(ours, theirs)
        result = play(recovery(ask), Given(as_faces((ours, theirs)))).result
        assert result is not None
        off = min(successes, 2) if winner == "ours" else 0
        assert (result.dice_left, result.gone) == (2 - off, off == 2)
