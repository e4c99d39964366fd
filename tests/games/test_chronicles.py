"""Chronicles against a plain second statement of its rules, on every throw of small pools."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal import Choice, Illegal, Malformed, Typed, play
from astragal.games.chronicles import Attempt, Contested, Extended, attempt, contested, extended
from astragal.games.chronicles.text import contested_verdict
from tests.faces import Given, as_faces, every_throw

AGAIN = {"10": {10}, "9": {9, 10}, "8": {8, 9, 10}, "none": set[int]()}
DEEPEST = 3


def every_chain(n: int, again: set[int], rote: bool, depth: int = 1) -> Iterator[list[tuple[int, ...]]]:
    """Every way that n dice and their rerolls can fall (CD-5 to CD-7), cut off after a few waves."""
    faces = range(1, 11) if depth < DEEPEST else [face for face in range(1, 11) if face not in again]
    for wave in product(faces, repeat=n):
        goes = sum(face in again or (rote and depth == 1 and face < 8) for face in wave)
        if not goes:
            yield [wave]
        else:
            for rest in every_chain(goes, again, rote, depth + 1):
                yield [wave, *rest]


def outcome(ask: Attempt, *throws: Any) -> Any:
    return play(attempt(ask), Given(*throws)).result


@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize(("n", "rote"), [(1, False), (1, True), (2, False)])
def test_every_throw_of_a_small_pool_gives_what_the_rules_say(again: str, n: int, rote: bool) -> None:
    ask = Attempt(pool=n, again=again, rote=rote, extra=2)
    for waves in every_chain(n, AGAIN[again], rote):
        successes = sum(face >= 8 for wave in waves for face in wave)
        name = "exceptional_success" if successes >= 5 else "success" if successes else "failure"
        result = outcome(ask, (tuple(waves),))
        assert (result.rolled, result.outcome, result.chance_die) == (successes, name, False)
        assert result.successes == (successes + 2 if successes else 0)


@pytest.mark.parametrize("again", ["10", "none"])
def test_typed_waves_are_what_the_rules_earn(again: str) -> None:
    """A chain typed in is accepted as it is, and refused with a face missing or one too many."""
    ask = Attempt(pool=2, again=again, rote=True)
    for waves in list(every_chain(2, AGAIN[again], True))[::997]:
        text = " / ".join(" ".join(map(str, wave)) for wave in waves)
        assert play(attempt(ask), Typed(text)).faces == text
        for wrong in (text + " 1", text[: text.rindex(" ")]):
            with pytest.raises(Illegal):
                play(attempt(ask), Typed(wrong))


@pytest.mark.parametrize("rote", [False, True])
@pytest.mark.parametrize("pool", [0, -3])
def test_cd8_every_face_of_the_chance_die(rote: bool, pool: int) -> None:
    ask = Attempt(pool=pool, rote=rote, again="8")
    for first, second in product(range(1, 11), repeat=2):
        rerolled = rote and 2 <= first <= 9
        final = second if rerolled else first
        waves = ((first,), (second,)) if rerolled else ((first,),)
        result = outcome(ask, (waves,))
        assert result.chance_die
        assert result.outcome == {1: "dramatic_failure", 10: "success"}.get(final, "failure")
        assert result.rolled == (final == 10)


@pytest.mark.parametrize("helper_pool", [0, 1, 2])
def test_cd12_every_helper_gives_a_die_for_a_success_and_takes_four_for_a_dramatic_failure(helper_pool: int) -> None:
    ask = Attempt(pool=5, again="none", helpers=2, helper_pool=helper_pool)
    size = max(helper_pool, 1)
    for first, second in every_throw((size, 10), (size, 10)):
        dice = sum(help_of(faces, helper_pool) for faces in (first, second))
        leader = as_faces(((2,) * max(5 + dice, 1),))
        result = outcome(ask, as_faces((first,)), as_faces((second,)), leader)
        assert (result.from_helpers, result.pool, result.chance_die) == (dice, 5 + dice, 5 + dice < 1)


def help_of(faces: tuple[int, ...], pool: int) -> int:
    if pool < 1:
        return {10: 1, 1: -4}.get(faces[0], 0)
    return sum(face >= 8 for face in faces)


def test_cd13_every_pair_of_throws_is_won_by_more_successes() -> None:
    ask = Contested(ours=2, theirs=1, again="none", their_again="none")
    for ours, theirs in every_throw((2, 10), (1, 10)):
        mine, other = (sum(face >= 8 for face in faces) for faces in (ours, theirs))
        result = play(contested(ask), Given(as_faces((ours,)), as_faces((theirs,)))).result
        assert result is not None
        assert result.winner == ("ours" if mine > other else "theirs" if other > mine else "draw")


@given(st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=4, max_size=4), st.integers(1, 12))
def test_cd13_an_extended_action_stops_at_the_target_or_after_the_last_roll(
    rolls: list[list[int]], target: int
) -> None:
    ask = Extended(attribute=2, skill=1, specialty=True, modifier=-1, target=target)
    result = play(extended(ask), Given(*(as_faces((tuple(roll),)) for roll in rolls))).result
    assert result is not None
    so_far = 0
    made = 0
    while made < len(rolls) and so_far < target:
        so_far += sum(face >= 8 for face in rolls[made])
        made += 1
    assert (result.rolls, result.successes) == (made, so_far)
    assert result.outcome == ("success" if so_far >= target else "failure")


def test_cd10_a_failure_waits_for_the_player_and_a_beat_makes_it_dramatic() -> None:
    waiting = play(attempt(Attempt(pool=1)), Typed("2"))
    assert isinstance(waiting.node, Choice)
    taken = play(attempt(Attempt(pool=1)), Typed("2", {"beat": ["take"]}))
    assert taken.outcome is not None
    assert taken.outcome.result.outcome == "dramatic_failure"
    assert [effect.what for effect in taken.outcome.effects] == ["beats"]


@given(st.lists(st.integers(-5, 5), max_size=6), st.integers(0, 5), st.integers(1, 5), st.booleans())
def test_cd1_the_pool_is_the_sum_of_its_sources_in_any_order(
    modifiers: list[int], attribute: int, skill: int, specialty: bool
) -> None:
    written = {"attribute": attribute, "skill": skill, "specialty": specialty}
    asks = [
        Attempt.read({**written, "modifier": list(map(str, order))} if order else written)
        for order in (modifiers, modifiers[::-1])
    ]
    assert {ask.dice for ask in asks} == {attribute + skill + specialty + sum(modifiers)}
    assert all(sum(source.n for source in ask.sources) == ask.dice for ask in asks)


@pytest.mark.parametrize(("group", "dice"), [("mental", 1), ("physical", 3), ("social", 3)])
def test_cd3_no_dots_cost_three_or_one(group: str, dice: int) -> None:
    assert Attempt(attribute=4, skill=0, unskilled=group).dice == dice


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({}, "CD-1"),
        ({"pool": 3, "skill": 2}, "CD-1"),
        ({"attribute": 3}, "CD-3"),
        ({"attribute": 3, "skill": 2, "unskilled": "mental"}, "CD-3"),
        ({"attribute": 1, "skill": 1, "second_attribute": 1}, "CD-1"),
        ({"pool": 3, "modifier": 6}, "CD-2"),
        ({"pool": 3, "helper_pool": 2}, "CD-12"),
    ],
)
def test_pools_that_the_rules_do_not_know_are_refused_by_number(given: dict[str, Any], rule: str) -> None:
    with pytest.raises((Illegal, Malformed)) as refused:
        Attempt(**given)
    assert refused.value.rule == rule


def test_cd2_the_storyteller_may_allow_any_modifier() -> None:
    assert Attempt(pool=3, modifier=9, any_modifier=True).dice == 12


def test_cd13_a_long_task_says_how_many_rolls_are_left() -> None:
    from astragal.games.chronicles.extended import Progress, go_on

    ask = Extended(pool=4, target=9)
    for rolls in (1, ask.most_rolls - 1):
        waits = go_on(ask, Progress(rolls, 1))
        assert isinstance(waits, Choice)
        left = ask.most_rolls - rolls
        assert waits.options["roll"].detail == (f"{left} rolls left" if left > 1 else "1 roll left")


AGAINST_THE_POOL_RULES: dict[str, tuple[dict[str, Any], str]] = {
    "three Attributes": ({"attribute": "3 Wits, 2 Resolve, 2 Composure"}, "CD-1"),
    "two Skills": ({"attribute": "3 Wits", "skill": "2 Larceny, 2 Drive"}, "CD-1"),
    "a Specialty without a Skill": ({"attribute": "3 Wits, 2 Resolve", "specialty": True}, "CD-1"),
    "a modifier of −7": ({"attribute": "3 Wits", "skill": "2 Drive", "modifier": -7}, "CD-2"),
}


@pytest.mark.parametrize("which", AGAINST_THE_POOL_RULES)
def test_cd13_long_tasks_and_both_sides_of_a_contest_keep_the_rules_of_pools(which: str) -> None:
    written, rule = AGAINST_THE_POOL_RULES[which]
    theirs = {f"their_{name}": value for name, value in written.items()}
    for refused in (
        lambda: Extended.read({**written, "target": 4}),
        lambda: Contested.read({**written, "theirs": 3}),
        lambda: Contested.read({**theirs, "ours": 3}),
    ):
        with pytest.raises(Illegal) as found:
            refused()
        assert found.value.rule == rule


def test_cd10_each_failed_roll_of_a_long_task_may_be_made_dramatic_for_a_beat() -> None:
    ask = Extended(pool=1, target=2, rolls=2, again="none")
    played = play(extended(ask), Typed("1 | 9", {"beat": ["take"], "next": ["roll"]}))
    assert [(effect.what, effect.who, effect.by) for effect in played.effects] == [("beats", "roller", 1)]
    assert played.result is not None
    assert (played.result.beats, played.result.dramatic, played.result.successes) == (1, 1, 1)


def test_cd13_a_contest_says_exceptional_or_dramatic_for_each_side_by_name() -> None:
    ask = Contested(ours=5, theirs=0, name="Ann", their_name="Bob", again="none", their_again="none")
    played = play(contested(ask), Typed("8 8 8 8 8 | 1"))
    assert played.result is not None
    assert contested_verdict(played.result).gains == ("Exceptional success for Ann", "Dramatic failure for Bob")
    assert [(effect.what, effect.who, effect.name) for effect in played.effects] == [
        ("conditions", "roller", "Inspired")
    ]
