"""Narraject as a file is Narraject: the same results, spends, prices and logs on every throw, and the same odds."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest

from astragal import Logged, Rolled, advise, odds, play
from astragal.games.narraject import GAME as PYTHON
from astragal.games.narraject import Attempt, attempt
from astragal.rule.chances.fact import PolicyName, wish_of, wishes_of
from astragal.rule.game import Kind
from astragal.rule.tree.node import Choice, Lazy, Node, Outcome, Throw
from astragal.written import load_game
from tests.examples.model import FOLDER
from tests.referee import every_throw

FILE: Kind = load_game(FOLDER / "narraject.toml").main
DEGREES = {
    "triumph": "Triumph",
    "strong": "Strong success",
    "solid": "Solid success",
    "success": "Success",
    "partial_success": "Partial success",
    "near_miss": "Near miss",
    "clear_failure": "Clear failure",
    "catastrophic_failure": "Catastrophe",
}
FACTS = {
    "success": "success",
    "degree": "outcome",
    "marks": "marks",
    "complications": "complications",
    "ip_left": "ip_left",
}


class Asked(NamedTuple):
    """One question, in the words of both games."""

    dice: int
    step: int
    difficulty: int
    ip: int
    hits: bool = False
    gm: bool = False

    @property
    def python(self) -> Attempt:
        edition, side = "hits" if self.hits else "marks", "gm" if self.gm else "player"
        return Attempt(d6=self.dice, step=self.step, difficulty=self.difficulty, ip=self.ip, edition=edition, side=side)

    @property
    def file(self) -> Any:
        return FILE.ask(**self._asdict())


def known(result: Any) -> tuple[Any, ...]:
    """A result of the game in Python, in the words of the file."""
    place = result.position
    return (
        result.marks, result.margin, result.success, place == "highest", place == "lowest", result.complications,
        result.player_ip, result.gm_ip, result.ip_left, DEGREES[result.degree], result.cost,
    )  # fmt: skip


def same(result: Any) -> tuple[Any, ...]:
    return (
        result.marks, result.margin, result.success, result.highest, result.lowest, result.complications,
        result.player_ip, result.gm_ip, result.ip_left, result.outcome, result.offer,
    )  # fmt: skip


def settled(node: Node[Any]) -> Node[Any]:
    """Where nothing can be done but to leave it, the file has ended the roll already."""
    while isinstance(node, Lazy) or (isinstance(node, Choice) and list(node.options) == ["settle"]):
        node = node.node() if isinstance(node, Lazy) else node.options["settle"].then
    return node


def compare(python: Node[Any], file: Node[Any], offered: bool = False) -> int:
    """Every throw and every answer of both; how many ends there are."""
    python, file = settled(python), settled(file)
    if isinstance(python, Throw):
        assert isinstance(file, Throw)
        assert [(dice.n, dice.sides) for dice in python.pool if dice.n] == [(d.n, d.sides) for d in file.pool if d.n]
        ends = 0
        for faces, _ in every_throw(python.pool, 1):
            assert faces is not None
            ends += compare(python.then(python.reading.read(faces)), file.then(file.reading.read(faces)), offered)
        return ends
    if isinstance(python, Outcome):
        assert isinstance(file, Outcome)
        assert same(file.result) == known(python.result)
        return 1
    assert isinstance(python, Choice)
    assert isinstance(file, Choice)
    assert set(file.options) == set(python.options)
    assert same(file.so_far) == known(python.so_far)
    ends = 0
    for name, option in python.options.items():
        other = file.options[name]
        assert (other.cost, other.by, other.refuses, bool(other.words)) == (
            option.cost, option.by, option.refuses, bool(option.words)
        ), name  # fmt: skip
        if name == "decline" or (name == "offer" and offered):
            continue
        words = ("you are seen",) if option.words else ()
        ends += compare(option.then.node(*words), other.then.node(*words), offered or name == "offer")
    return ends


POLICIES: tuple[PolicyName, ...] = ("best", "cheapest")
SMALL = [
    Asked(0, 6, 1, 2), Asked(1, 6, 1, 1), Asked(1, 8, 3, 1, hits=True), Asked(2, 6, 2, 0), Asked(1, 6, 2, 1, gm=True),
    Asked(0, 6, 2, 3), Asked(1, 6, 0, 1),
]  # fmt: skip


@pytest.mark.parametrize("asked", SMALL, ids=str)
def test_every_throw_and_every_answer_is_the_same(asked: Asked) -> None:
    assert compare(attempt(asked.python), FILE.rule(asked.file)) >= 6


@pytest.mark.parametrize("hits", [False, True])
def test_odds_are_the_same_by_every_policy(hits: bool) -> None:
    rng = Random(26 + hits)
    kind = PYTHON.main
    for _ in range(2):
        asked = Asked(
            rng.randint(0, 3), rng.choice((6, 8)), rng.randint(0, 4), rng.randint(0, 3), hits, rng.random() < 0.3
        )
        for fact, name in FACTS.items():
            to = DEGREES.get if fact == "degree" else lambda value: value
            assert {to(value): chance for value, chance in odds(asked.python, fact).items() if chance} == {
                value: chance for value, chance in odds(asked.file, name).items() if chance
            }
            for wish, policy in product(wishes_of(kind), POLICIES):
                python = odds(asked.python, fact, policy=policy, wish=wish)
                file = odds(asked.file, name, policy=policy, wish=wish)
                assert {to(value): chance for value, chance in python.items() if chance} == {
                    value: chance for value, chance in file.items() if chance
                }, (asked, fact, wish, policy)


def test_advice_and_log_are_the_same() -> None:
    asked = Asked(5, 10, 3, 3)
    for seed in range(8):
        python = play(attempt(asked.python), Rolled(seed=seed))
        file = play(FILE.rule(asked.file), Logged(python.log()))
        assert file.log() == python.log()
        for wish in wishes_of(PYTHON.main):
            ours = advise(python.node, wish_of(PYTHON.main, wish))
            theirs = advise(file.node, wish_of(FILE, wish))
            assert {each.name: (each.worth, each.total_cost) for each in ours.options} == {
                each.name: (each.worth, each.total_cost) for each in theirs.options
            }
        for answer in ours.choice.own:
            if not ours.choice.options[answer].words:
                ended = play(python.node, Rolled({"spend": [answer]}, seed=seed), python.steps)
                again = play(FILE.rule(asked.file), Logged(ended.log()))
                assert again.log() == ended.log()
                assert same(again.result) == known(ended.result)
