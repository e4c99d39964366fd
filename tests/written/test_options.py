"""Options after the dice of written games: their odds by every policy are those of every throw and every answer."""

from __future__ import annotations

import json
from fractions import Fraction
from os import pathsep
from pathlib import Path
from random import Random
from typing import Any

import pytest

from astragal import Logged, Rolled, Typed, advise, odds, play
from astragal.check import mistakes_of
from astragal.errors import Illegal
from astragal.games.folder import VARIABLE
from astragal.games.registry import game
from astragal.rule.chances.fact import Policy, Wish, facts_of, wish_of, wishes_of
from astragal.rule.game import Kind
from astragal.rule.tree.node import Choice, Lazy, Node, Outcome, costs_of
from astragal.written import load_game
from tests.referee import every_throw, tally

ROOT = Path(__file__).parents[2]
FILES = {
    "spends": Path(__file__).parent / "spends.toml",
    "fives": Path(__file__).parent / "fives.toml",
    "volley": Path(__file__).parent / "volley.toml",
    "rustfall": ROOT / "examples" / "games" / "rustfall.toml",
    "fellwalk": ROOT / "examples" / "games" / "fellwalk.toml",
}
ASKS: list[tuple[str, dict[str, Any]]] = [
    ("spends", {"dice": 1, "coins": 0}),
    ("spends", {"dice": 1, "size": 5, "coins": 1}),
    ("spends", {"dice": 0, "coins": 2}),
    ("fives", {"dice": 1}),
    ("fives", {"dice": 2}),
    ("volley", {"aim": 1, "charms": 0}),
    ("volley", {"draw": 2, "charms": 1}),
    ("volley", {"draw": 0, "aim": 0}),
    ("rustfall", {"trait": 2, "needed": 1}),
    ("rustfall", {"trait": 1, "tools": 1, "needed": 2}),
    ("fellwalk", {"stat": 2, "headway": 8}),
    ("fellwalk", {"stat": 1, "headway": -3}),
]


def kind_of(name: str) -> Kind:
    return load_game(FILES[name]).main


class Brute:
    """What every throw comes to if each answer is the best one, or the cheapest of these, by hand."""

    def __init__(self, wish: Wish, cheapest: bool) -> None:
        self._wish, self._cheapest = wish, cheapest
        self._known: dict[Any, tuple[Fraction, Fraction]] = {}

    def worth(self, node: Node[Any]) -> tuple[Fraction, Fraction]:
        """The worth, and the cost below zero."""
        if isinstance(node, Lazy):
            if node not in self._known:
                self._known[node] = self.worth(node.node())
            return self._known[node]
        if isinstance(node, Outcome):
            priced = costs_of(effect for effect in node.effects if effect.price)
            return Fraction(self._wish.worth(node.result)), -Fraction(sum(priced.values()))
        if isinstance(node, Choice):
            return max((self.option(node, name) for name in node.taken), key=self._key)
        worth = cost = Fraction(0)
        for faces, chance in every_throw(node.pool, 1):
            assert faces is not None
            inner = self.worth(node.then(node.reading.read(faces)))
            worth, cost = worth + chance * inner[0], cost + chance * inner[1]
        return worth, cost

    def option(self, choice: Choice[Any], name: str) -> tuple[Fraction, Fraction]:
        option = choice.options[name]
        worth, cost = self.worth(option.then)
        return worth, cost - option.cost

    def answer(self, choice: Choice[Any]) -> str:
        return max(choice.taken, key=lambda name: self._key(self.option(choice, name)))

    def _key(self, found: tuple[Fraction, Fraction]) -> Any:
        return found if self._cheapest else found[0]


@pytest.mark.parametrize(("name", "given"), ASKS, ids=str)
def test_odds_by_every_policy_are_those_of_every_throw(name: str, given: dict[str, Any]) -> None:
    kind = kind_of(name)
    ask = kind.ask(**given)
    never = tally(kind.rule(ask))
    for fact_name, fact in facts_of(kind).items():
        assert odds(ask, fact_name).to_dict() == by(never, fact.of)
    for wish in wishes_of(kind).values():
        for policy in ("best", "cheapest"):
            brute = Brute(wish, policy == "cheapest")
            results = tally(kind.rule(ask), answers=brute.answer)
            assert odds(ask, policy=Policy(policy, wish)).to_dict() == results
            for fact_name, fact in facts_of(kind).items():
                assert odds(ask, fact_name, policy=Policy(policy, wish)).to_dict() == by(results, fact.of), fact_name


def by(results: dict[Any, Fraction], of: Any) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for result, chance in results.items():
        found[of(result)] = found.get(of(result), Fraction(0)) + chance
    return found


def test_a_policy_of_ones_own_is_followed() -> None:
    kind = kind_of("rustfall")
    ask = kind.ask(trait=2, needed=2)
    found = odds(ask, "successes", policy=lambda roll: "push" if roll.can("push") and not roll.success else None)

    def answer(choice: Choice[Any]) -> str:
        assert choice.so_far is not None
        return "settle" if choice.so_far.success else "push"

    pushed = tally(kind.rule(ask), answers=answer)
    assert found.to_dict() == by(pushed, lambda result: result.successes)


@pytest.mark.parametrize("name", FILES)
def test_it_keeps_the_contract(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, f"{FILES['spends'].parent}{pathsep}{FILES['fellwalk'].parent}")
    assert mistakes_of(game(name)) == []


def test_what_does_not_show_a_1_or_6_is_thrown_again_and_the_rest_stays() -> None:
    kind = kind_of("rustfall")
    opened = play(kind.rule(kind.ask(trait=3, craft=2, tools=2)), Typed("6 1 3 | 4 2 | 5 1"))
    assert isinstance(opened.node, Choice)
    assert opened.node.options["push"].detail == "4 dice again"
    pushed = play(opened.node, Typed("1 | 6 4 | 6", {"push": ["push"]}), opened.steps)
    assert pushed.result is not None
    assert (pushed.result.successes, pushed.result.harm, pushed.result.wear) == (3, 2, 1)
    assert pushed.faces == "6 1 3 | 4 2 | 5 1 | 1 | 6 4 | 6"


def test_an_option_is_stored_by_its_name() -> None:
    kind = kind_of("spends")
    ask = kind.ask(dice=1, coins=3)
    played = play(kind.rule(ask), Typed("1 | 2 | blank | 4 | 3", {"spend": ["again", "more"]}))
    log = json.loads(json.dumps(played.log()))
    assert [step["answer"] for step in log if "answer" in step] == ["again", "more", "settle"]
    assert play(kind.rule(ask), Logged(log)).outcome is not None
    assert play(kind.rule(ask), Logged(log)).effects == played.effects
    assert [(effect.what, effect.by, effect.when) for effect in played.effects[:2]] == [
        ("coins", -1, "answer"), ("coins", -2, "answer"),
    ]  # fmt: skip


def test_the_gm_offers_and_whoever_rolls_answers() -> None:
    kind = kind_of("spends")
    rule = kind.rule(kind.ask(dice=1))
    opened = play(rule, Typed("1 | 3 | blank"))
    assert isinstance(opened.node, Choice)
    assert opened.node.options["offer"].by == "gm"
    offered = play(opened.node, Logged([{"choice": "spend", "answer": "offer: a lamp"}]), opened.steps)
    assert isinstance(offered.node, Choice)
    assert offered.node.question == "The GM offers a way out: a lamp. Spend?"
    assert list(offered.node.options) == ["settle", "blow", "accept", "decline"]
    again = play(offered.node, Logged([{"choice": "spend", "answer": "decline"}]), offered.steps)
    assert isinstance(again.node, Choice)
    assert "offer" in again.node.options
    taken = play(offered.node, Rolled({"spend": ["accept"]}), offered.steps)
    assert taken.outcome is not None
    assert [note.text for note in taken.outcome.tell()][-1] == "It costs a lamp."


def test_what_cannot_be_done_says_why() -> None:
    kind = kind_of("spends")
    with pytest.raises(Illegal, match=r"One more die needs 2 Coins, and there is 1; nothing is spent"):
        play(kind.rule(kind.ask(dice=1, coins=1)), Typed("1 | 1 | blank", {"spend": ["more"]}))
    with pytest.raises(Illegal, match=r"Three marks are enough"):
        play(kind.rule(kind.ask(dice=2, coins=3)), Typed("3 4 | 4 | spark", {"spend": ["more"]}))


def test_a_roll_ends_when_nothing_is_left_to_do() -> None:
    kind = kind_of("fellwalk")
    assert play(kind.rule(kind.ask(stat=1)), Typed("2 | 9 9")).outcome is not None


def test_advice_weighs_the_options() -> None:
    kind = kind_of("fellwalk")
    opened = play(kind.rule(kind.ask(stat=2, headway=8)), Typed("1 | 7 4"))
    advice = advise(opened.node, wish_of(kind, "stride"))
    assert advice.best == "burn"
    found = {option.name: (option.worth, dict(option.costs)) for option in advice.options}
    assert found == {"settle": (Fraction(0), {}), "burn": (Fraction(1), {"headway": Fraction(6)})}


def test_a_fact_reads_no_more_than_it_needs() -> None:
    """Thirty dice of three kinds would be far too many if each kind were looked at by itself."""
    kind = kind_of("rustfall")
    rng = Random(26)
    for _ in range(3):
        ask = kind.ask(trait=5, craft=5, tools=rng.randint(4, 6), needed=rng.randint(1, 5))
        assert sum(odds(ask, "success", policy=Policy("best", wish_of(kind, "succeed"))).to_dict().values()) == 1


def test_throws_that_mean_the_same_to_a_question_are_one() -> None:
    roll = load_game(FILES["fellwalk"]).main.rule.__self__.about(["beaten"], "best")  # type: ignore[attr-defined]
    first = roll.node(roll.ask(stat=2, headway=8))
    assert sum(dice.sides**dice.n for dice in first.pool if dice.n) == 106  # 600 throws
    assert len(first.reading.odds(first.pool, 0)) < 10


def test_a_condition_on_inputs_refuses_a_roll() -> None:
    kind = kind_of("rustfall")
    with pytest.raises(Illegal, match=r"3 successes are needed, and there are fewer dice") as refused:
        kind.ask(trait=2, needed=3)
    assert refused.value.rule == "RF-2"


def test_a_refusal_says_what_was_given(tmp_path: Path) -> None:
    refuses = """
[roll.inputs.wet]
kind = "yes or no"
help = "whether it is wet"
[[roll.refuses]]
when = "wet = 1 and stat > 1"
says = "Wet {wet}, stat {stat}, and bonus {bonus}."

[roll.dice]"""
    path = tmp_path / "ladder.toml"
    ladder = (Path(__file__).parent / "ladder.toml").read_text("utf-8")
    path.write_text(ladder.replace("[roll.dice]", refuses), "utf-8")
    kind = load_game(path).main
    with pytest.raises(Illegal, match="Wet yes, stat 2, and bonus 0"):
        kind.ask(stat=2, wet=True)
    assert kind.ask(stat=1, wet=True)


def test_a_price_may_leave_what_a_formula_of_inputs_says_within_bounds(tmp_path: Path) -> None:
    path = tmp_path / "fellwalk.toml"
    text = FILES["fellwalk"].read_text("utf-8")
    path.write_text(text.replace("to = 2 }", 'to = "2 - 3 * adds" }'), "utf-8")
    kind = load_game(path).main
    for adds, left in ((0, 2), (1, -1), (5, -6)):
        ask = kind.ask.read({"stat": 1, "headway": 9, "adds": adds})
        node = play(kind.rule(ask), Typed("1 | 8 8")).node
        assert isinstance(node, Choice)
        (paid,) = node.options["burn"].effects
        assert paid.by == left - 9


def test_the_target_pays_for_what_the_target_does(tmp_path: Path) -> None:
    path = tmp_path / "feint.toml"
    text = (Path(__file__).parent / "feint.toml").read_text("utf-8")
    text = text.replace(
        'changes = [{ what = "wind", who = "target", by = -1 }]', 'price = [{ what = "wind", by = -1 }]'
    ).replace("dice.blade", 'inputs.wind = { help = "Wind", max = 5, default = 3, sheet = "wind" }\ndice.blade')
    path.write_text(text, "utf-8")
    kind = load_game(path).main
    for wind in (0, 1):
        ask = kind.ask(skill=2, their_skill=1, their_wind=wind)
        node = play(kind.rule(ask), Typed("5 1 | 1")).node
        assert isinstance(node, Choice)
        assert ("parry" in node.options) == (wind > 0)
        if wind:
            (paid,) = node.options["parry"].effects
            assert (paid.what, paid.who, paid.by) == ("wind", "target", -1)


def test_the_roller_chooses_which_dice_are_thrown_again() -> None:
    kind = kind_of("fives")
    opened = play(kind.rule(kind.ask(dice=3)), Typed("3 1 3")).node
    assert isinstance(opened, Choice)
    kept = [name.removeprefix("again keep ") for name in opened.options]
    assert kept == ["settle", "nothing", "1", "3", "1 3", "3 3"]
    answers = {"keep": ["again keep 3 3", "again keep 3 3"]}
    assert play(kind.rule(kind.ask(dice=3)), Typed("3 1 3 | 2 | 4", answers=answers)).result == (
        2,
        4,
        False,
        "Some alike",
    )


def test_the_best_of_two_rerolls_of_chosen_dice_is_that_of_a_hand_calculation() -> None:
    kind = kind_of("fives")
    found = odds(kind.ask(dice=2), "all", policy=Policy("best", wish_of(kind, "alike")))
    assert found[True] == 1 - Fraction(3, 4) ** 3


def test_words_on_dice_are_chosen_by_their_names(tmp_path: Path) -> None:
    text = FILES["fives"].read_text("utf-8").split("[[wish")[0].split("[[roll.wishes]]")[0]
    text = text.replace('"(dice)d4"', '{ n = "dice", faces = ["claw", "heart", "star", "star"] }')
    text = text.replace("max(hand count=1, hand count=2, hand count=3, hand count=4)", "max(claw, heart, star)")
    path = tmp_path / "beasts.toml"
    path.write_text(text.replace('"hand kh1"', '"claw"').replace('"fives"', '"beasts"'), "utf-8")
    kind = load_game(path).main
    opened = play(kind.rule(kind.ask(dice=2)), Typed("star claw")).node
    assert isinstance(opened, Choice)
    assert [each.label for each in opened.options.values()] == ["Leave it", "Keep nothing", "Keep claw", "Keep star"]
    assert odds(kind.ask(dice=2), "alike")[2] == Fraction(6, 16)
