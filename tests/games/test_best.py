"""What is called best, on every card of every game: never a refusal, nor what is worse than something else there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from astragal import Choice, Illegal, Refusal, Rolled, all_games, play
from astragal.explain.example import examples_of
from astragal.rule.chances.advise import advise
from astragal.rule.chances.fact import wishes_of
from astragal.rule.game import Game, Kind
from astragal.rule.tree.node import Throw
from astragal.rule.tree.play import Answer
from astragal.table.rolls.chances import choice_chances
from astragal.written.game import load_game

GAMES = [*all_games(), *map(load_game, sorted(Path("examples/games").glob("*.toml")))]
KINDS = [pytest.param(game, kind, id=f"{game.name}-{kind.name}") for game in GAMES for kind in game.kinds.values()]
MOST = 25
"""Cards of one kind of roll that are looked at."""


class Wanders(Rolled):
    """Answers every choice somehow, others' offers among them, and keeps the choices that came up."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self._random = Random(seed)
        self.met: list[Choice[Any]] = []

    def choose(self, choice: Choice[Any]) -> Answer | None:
        self.met.append(choice)
        name = self._random.choice(list(choice.options)) if len(self.met) < 6 else ""
        return Answer(name, choice.options[name].words and "Words.") if name else None

    def instead(self, choice: Choice[Any], throw: Throw[Any, Any]) -> Answer | None:
        return None


def cards_of(game: Game, kind: Kind) -> Iterator[Choice[Any]]:
    """Choices that come up in the worked examples of a kind of roll, however they are answered."""
    given = [each.given for each in examples_of(game) if not each.refused and game.kind(each.roll).name == kind.name]
    for seed in range(3):
        for place, inputs in enumerate(given):
            hand = Wanders(100 * seed + place)
            try:
                play(kind.rule(kind.ask.read(inputs)), hand)
            except Refusal:
                continue
            yield from hand.met


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_best_never_stands_beside_a_refusal_nor_beside_something_worse(game: Game, kind: Kind) -> None:
    seen: set[tuple[str, ...]] = set()
    for choice in cards_of(game, kind):
        position = (choice.name, str(choice.so_far), *choice.options)
        if position in seen or len(seen) >= MOST or not choice.own:
            continue
        seen.add(position)
        try:
            card = choice_chances(kind, choice)
            advice = [advise(choice, wish) for wish in wishes_of(kind).values()]
        except Illegal:  # what follows has no end, and the card shows no chance
            continue
        offered = {name for name, option in choice.own.items() if option.offered}
        assert not (card.best and offered), choice.question
        assert not offered & set(card.options), choice.question
        assert card.best != choice.rest or not card.best, choice.question
        for each in advice:
            assert not choice.options[each.best].refuses, (choice.question, each.wish.name)
            assert each.worth == next(option.worth for option in each.options if option.name == each.best)


def test_the_gms_offer_is_met_among_the_cards() -> None:
    """Else the test above would show nothing."""
    narraject = next(game for game in GAMES if game.name == "narraject")
    met = [choice for choice in cards_of(narraject, narraject.main) if "decline" in choice.options]
    assert met
    assert all(choice.options["decline"].refuses for choice in met)
