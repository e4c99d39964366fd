"""Wild sequences of actions at tables with decks: all that holds at any table, and no card comes that is not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from astragal.games.folder import VARIABLE
from astragal.rule.sheets.table_rules import TABLE
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.ruleset import ruleset_of
from tests.installed import installed
from tests.share import share
from tests.table import test_hidden, test_sequences
from tests.table.test_sequences import Run

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
GAMES = st.sampled_from(("omens", "nightwatch"))
NUMBERS = st.lists(st.integers(0, 2**40), min_size=8, max_size=30)
WILD = settings(
    max_examples=share(2_000, 40),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture(scope="module", autouse=True)
def _games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv(VARIABLE, str(EXAMPLES))
        installed("omens", tmp_path_factory.mktemp("games"), monkeypatch)
        yield


def every_draw_was_there(run: Run) -> bool:
    """Goes through the log without what was undone: no card is drawn more often than it was left."""
    sections = {part.name: part for part in ruleset_of(run.state.game).table_rules.table if part.look == "cards"}
    left: Counter[tuple[str, str]] = Counter()
    whole = {(name, card): part.start(card)["left"] for name, part in sections.items() for card in part.names}
    left.update(whole)
    for event in (event for entry in run.entries if entry.id not in run.state.struck for event in entry.events):
        if isinstance(event, e.Changed) and event.holder == TABLE and event.section in sections:
            place = event.section, event.item
            if not event.item:
                left.update({each: whole[each] - left[each] for each in whole if each[0] == event.section})
            else:  # a card that was put back, and whose draw is undone, is there once
                left[place] = min(whole[place], left[place] + (event.by or 0))
    there = {place: left[place] for place in whole}
    sheet = run.state.world.holders[TABLE].sheet
    return min(left.values()) >= 0 and there == {place: sheet[place[0]][place[1]]["left"] for place in whole}


def dealing(rng: Random, run: Run) -> tuple[str, a.Action]:
    """Somebody draws, answers, shuffles, puts back, undoes or does again."""
    ids = run.actors
    by, who = rng.choice([(ids[1], "Wren"), (ids[2], "Kit"), (ids[0], "Wren")])
    kinds, moves = ruleset_of(run.state.game).game.kinds, ruleset_of(run.state.game).table_rules.moves
    kind = kinds[rng.choice(list(kinds))]
    inputs: dict[str, Any] = {name: rng.randint(0, 2) for name in ("n", "eye") if name in kind.ask.inputs}
    decks = [part for part in ruleset_of(run.state.game).table_rules.table if part.look == "cards"]
    deck = rng.choice(decks)
    card, recent = rng.choice(deck.names), rng.choice(run.entries[-8:]).id
    draw = a.RollAction(kind=kind.name, who=who, inputs=inputs)
    made: list[tuple[str, a.Action]] = [
        (by, draw),
        (by, draw),
        (by, a.OpenAction(kind=kind.name, who=who, inputs=inputs)),
        (by, a.ThrowAction()),
        (by, a.AnswerAction(answer=rng.choice(("more", "stop")))),
        (ids[0], a.MoveAction(name=rng.choice(moves).name, who=who)),
        (ids[0], a.ChangeAction(holder=TABLE, section=deck.name, item=card, by=rng.choice((-1, 1)))),
        (ids[0], a.UndoAction(entry=rng.choice(("", recent)))),
        (ids[0], a.RedoAction(entry=rng.choice(("", recent)))),
    ]
    return rng.choice(made)


def deal(run: Run, number: int) -> None:
    rng = Random(number)
    if rng.random() < 0.2:
        run.step(number)
    else:
        run.act(*dealing(rng, run), f"{len(run.entries)} {number}")


@given(GAMES, NUMBERS)
@WILD
def test_no_card_is_drawn_that_is_not_there(game: str, numbers: list[int]) -> None:
    run = Run(game)
    for number in numbers:
        deal(run, number)
        assert every_draw_was_there(run)
    test_sequences.assert_log_makes_the_state(run, Random(len(numbers)))
    test_sequences.assert_everything_can_be_told(run)


@given(GAMES, NUMBERS, st.integers(0, 2**40))
@WILD
def test_whatever_people_do_the_table_holds(game: str, numbers: list[int], last: int) -> None:
    test_sequences.test_whatever_people_do_the_table_holds.hypothesis.inner_test(game, numbers, last)  # type: ignore[attr-defined]


@given(GAMES, NUMBERS)
@WILD
def test_nobody_can_tell_whether_there_is_something_hidden(game: str, numbers: list[int]) -> None:
    test_hidden.test_nobody_can_tell_whether_there_is_something_hidden.hypothesis.inner_test(game, numbers)  # type: ignore[attr-defined]


def test_cards_were_drawn_shuffled_and_undone() -> None:
    """Always with the same numbers, so that nothing is left out by chance."""
    seen: Counter[str] = Counter()
    for start in range(12):
        run = Run("omens")
        for number in range(25):
            deal(run, 1000 * start + number)
            assert every_draw_was_there(run)
        events = [event for entry in run.entries for event in entry.events if isinstance(event, e.Changed)]
        seen.update(event.cause for event in events if event.section in ("omens", "numbers"))
        seen["undone"] += len(run.state.struck)
    assert min(seen[what] for what in ("drawn", "shuffled", "undone")) > 5
