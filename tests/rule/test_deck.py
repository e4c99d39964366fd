"""Decks: what a game declares, what is typed and read, and odds that are those of every draw."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.check.contract import mistakes_of
from astragal.errors import Illegal, Malformed, Refusal
from astragal.rule.chances.advise import advise
from astragal.rule.chances.fact import Policy
from astragal.rule.chances.odds import odds
from astragal.rule.sheets.deck import Deck, deck
from astragal.rule.tree.play import Rolled, play
from astragal.rule.typed import Typed
from tests import omens
from tests.installed import installed
from tests.omens import NUMBERS, OMENS, Count, Fate, Read, Seen
from tests.referee import tally


def test_a_game_with_decks_keeps_the_contract(
    tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed("omens", tmp_path, monkeypatch)  # type: ignore[arg-type]
    assert mistakes_of(omens.GAME) == []


@given(st.tuples(*(st.integers(0, 2),) * 3), st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_odds_of_two_draws_are_those_of_every_draw(left: tuple[int, ...], n: int) -> None:
    ask = Read(cards=left, n=min(n, sum(left)))
    assert odds(omens.read(ask)).to_dict() == tally(omens.read(ask))
    wish = omens.WISHES["read"]["sun"]
    best = odds(omens.read(ask), wish.worth, policy=Policy("best", wish))[1]
    answers = {"more": "more"} if sum(left) > ask.n else {}
    assert best == sum(chance for result, chance in tally(omens.read(ask), answers=answers).items() if result.suns)


@pytest.mark.parametrize("left", [(2, 1, 1), (1, 0, 1), (2, 0, 0), (1, 1, 0)])
def test_advice_knows_what_is_left(left: tuple[int, ...]) -> None:
    """One card is drawn, and it is none of the suns: the chance of a sun is that of the cards that are left."""
    after = omens.drawn(Read(cards=left), (0, 1, 0)) if left[1] else omens.drawn(Read(cards=left), (1, 0, 0))
    advice = advise(after, omens.WISHES["read"]["sun"])
    chances = {option.name: option.worth for option in advice.options}
    every = tally(after, answers={"more": "more"})
    assert chances["more"] == sum(chance for result, chance in every.items() if result.suns)


def test_numbered_cards_are_their_numbers() -> None:
    assert odds(Count(n=2), "total").to_dict() == {each: odds(Count(n=2), "total")[each] for each in (3, 6, 7)}
    assert odds(omens.count(Count(n=2))).to_dict() == tally(omens.count(Count(n=2)))
    assert play(omens.count(Count(n=2)), Typed("5 2")).result == omens.Total(7)


def test_a_deck_that_reshuffles_has_all_cards_again() -> None:
    ask = Count(n=2, numbers=(1, 0, 0, 0, 0))
    assert odds(omens.count(ask)).to_dict() == odds(omens.count(Count(n=2))).to_dict()


def test_a_deck_that_runs_out_is_refused_in_play_and_in_odds() -> None:
    short = Read(cards=(1, 0, 0), n=2)
    for hand in (Rolled(), Typed("sun sun")):
        with pytest.raises(Illegal, match=r"Omens has 1 card left, and 2 are drawn; shuffle first\."):
            play(omens.read(short), hand)
    with pytest.raises(Illegal, match=r"Omens has 1 card left, and 2 are drawn"):
        odds(omens.read(short))


@pytest.mark.parametrize(
    ("faces", "why"),
    [
        ("moon moon", "Omens has 1 × moon left, and 2 were typed; left are sun × 2, moon, star."),
        ("sun comet", '"comet" is not on the card of Omens; it shows sun, moon, star.'),
        ("sun 4", "Omens has no 4 left, and 1 was typed; left are sun × 2, moon, star."),
        ("sun", "Too few faces: 2 cards of Omens were thrown and 1 was typed; the 2nd card of Omens is missing."),
    ],
)
def test_typed_cards_must_be_in_the_deck(faces: str, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        play(omens.read(Read(n=2)), Typed(faces))
    assert refused.value.sentence == why


def test_cards_are_typed_as_they_are_called_or_by_number() -> None:
    assert play(omens.read(Read(n=2)), Typed("Sun MOON")).result == Seen(1, 1)
    assert play(omens.read(Read(n=2)), Typed("1 2")).result == Seen(1, 1)


@pytest.mark.parametrize(
    ("written", "left"),
    [("2 sun, moon", (2, 1, 0)), ("star", (0, 0, 1)), ([1, 1, 1], (1, 1, 1)), ({"sun": 2}, (2, 0, 0)), ("", (0, 0, 0))],
)
def test_what_is_left_is_read(written: object, left: tuple[int, ...]) -> None:
    assert Read.read({"cards": written}).cards == left


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("2 suns", 'Omens has no "suns"; there are sun, moon, star.'),
        ("many sun", 'cards is "many sun"; it must say how many of which cards are left, such as "2 × sun, star".'),
        ([1, 2], "cards is a list; it must say how many"),
        ([1, 2, -1], "cards is a list; it must say how many"),
        ({"sun": "2"}, 'cards is "2"; it must say how many'),
    ],
)
def test_what_is_left_must_be_cards_of_the_deck(written: object, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        Read.read({"cards": written})
    assert refused.value.sentence.startswith(why)


def test_elsewhere_than_at_a_table_there_are_all_cards() -> None:
    assert Read().cards == OMENS.copies
    assert Fate().cards == (2, 1, 1)
    assert NUMBERS.copies == (1, 1, 0, 0, 1)


def test_cards_that_go_back_after_each_draw_are_kept_nowhere() -> None:
    cards = OMENS.draw(3).cards
    assert cards is not None
    assert (cards.left, cards.deck) == (OMENS.copies, "")


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ({}, "Omens has 0 kinds of cards; a deck has from 1 to 200."),
        ({"sun": 0}, 'Omens: there are 0 of "sun"; a deck has from 1 to 1,000 of each card.'),
        ({"sun": "2"}, "Omens: there are '2' of \"sun\"; a deck has from 1 to 1,000 of each card."),
        ({"the sun": 1}, 'Omens: "the sun" is not a name for a card'),
        (["sun", "Sun"], "Omens: two cards have the same name."),
        ([0, 1], "Omens: numbers on cards go from 1 to 1,000."),
        ({"a": 600, "b": 600}, "Omens has 1,200 cards; 1,000 are the most."),
        (range(1, 300), "Omens has 299 kinds of cards; a deck has from 1 to 200."),
    ],
)
def test_a_deck_that_cannot_be_is_refused(cards: object, why: str) -> None:
    with pytest.raises(Malformed) as refused:
        deck("omens", "Omens", cards)  # type: ignore[arg-type]
    assert refused.value.sentence.startswith(why)


def test_a_list_has_each_card_once() -> None:
    assert deck("days", "Days", ["sun", "moon"]) == Deck("days", "Days", ("sun", "moon"), (1, 1))
