"""Sides of written games: both throw, what is declared once is there twice, and the odds are those of every throw."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from astragal import Typed, advise, odds, play
from astragal.check import mistakes_of
from astragal.errors import Faulty, Forbidden, Illegal, Refusal
from astragal.explain.report import judged
from astragal.games.folder import VARIABLE
from astragal.games.registry import game
from astragal.lint import lint
from astragal.rule.chances.fact import Policy, PolicyName, facts_of, wish_of, wishes_for, wishes_of
from astragal.rule.game import Game
from astragal.rule.tree.node import Choice, Node, Throw
from astragal.table import action as a
from astragal.written import load_game
from tests.referee import tally
from tests.table.tables import Party
from tests.written.test_options import Brute, by

FILE = Path(__file__).with_name("wrestle.toml")
ASKS: list[dict[str, Any]] = [
    {"might": 1, "their_might": 1},
    {"might": 2, "their_might": 1, "their_helps": 1, "breath": 0},
    {"might": 0, "helps": 1, "their_might": 2, "their_armour": True},
    {"might": 2, "armour": True, "their_might": 0},
]


@pytest.fixture
def wrestle(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setenv(VARIABLE, str(FILE.parent))
    return game("wrestle")


def test_it_keeps_the_contract(wrestle: Game) -> None:
    assert mistakes_of(wrestle) == []


def test_its_odds_are_those_of_every_throw_of_both_by_hand(wrestle: Game) -> None:
    for ours, theirs, armour in product(range(1, 4), range(1, 4), (False, True)):
        seen: Counter[int] = Counter()
        for faces in product(range(1, 7), repeat=ours + theirs):
            least = 6 if armour else 5
            seen[sum(face >= least for face in faces[:ours]) - sum(face >= 5 for face in faces[ours:])] += 1
        ask = wrestle.main.ask(might=ours, their_might=theirs, armour=armour)
        assert odds(ask, "margin").to_dict() == {n: Fraction(k, seen.total()) for n, k in seen.items()}


@pytest.mark.parametrize("given", ASKS, ids=str)
def test_odds_by_every_policy_are_those_of_one_throw_after_the_other(wrestle: Game, given: dict[str, Any]) -> None:
    kind = wrestle.main
    ask = kind.ask(**given)
    assert odds(ask).to_dict() == tally(kind.rule(ask))
    for name, fact in facts_of(kind).items():
        assert odds(ask, name).to_dict() == by(tally(kind.rule(ask)), fact.of)
    for wish in wishes_of(kind).values():
        results = tally(kind.rule(ask), answers=Brute(wish, False).answer)
        for name, fact in facts_of(kind).items():
            found = odds(ask, name, policy="best", wish=wish.name)
            assert {value: chance for value, chance in found.items() if chance} == by(results, fact.of), name


def test_the_sides_can_be_exchanged(wrestle: Game) -> None:
    one = wrestle.main.ask(might=3, helps=1, armour=True, their_might=2)
    other = wrestle.main.ask(might=2, their_might=3, their_helps=1, their_armour=True)
    turned = dict(odds(other, "their_lead").items())
    assert dict(odds(one, "lead").items()) == turned
    assert {-value: chance for value, chance in odds(other, "margin").items()} == dict(odds(one, "margin").items())


def test_ours_throw_first_and_theirs_wait_for_the_other_side(wrestle: Game) -> None:
    kind = wrestle.main
    ask = kind.ask(might=3, helps=1, their_might=2)
    assert kind.headline(ask).startswith("Wrestle somebody: 3d6 and 1d6 against 2d6 (Might 3,")
    waits = play(kind.rule(ask), Typed("6 1 2 | 5")).node
    assert isinstance(waits, Throw)
    assert (waits.by, [(dice.title, dice.n) for dice in waits.pool if dice.n]) == ("target", [("their body", 2)])
    opened = play(kind.rule(ask), Typed("6 1 2 | 5 | 5 4")).node
    assert isinstance(opened, Choice)
    assert opened.so_far is not None
    assert (opened.so_far.holds, opened.so_far.their_holds) == (2, 1)
    assert odds(waits).map(lambda result: result.margin).to_dict() == {
        2: Fraction(4, 9),
        1: Fraction(4, 9),
        0: Fraction(1, 9),
    }


def test_a_side_without_dice_is_thrown_with_the_other(wrestle: Game) -> None:
    ask = wrestle.main.ask(might=2, their_might=0, breath=0)
    assert play(wrestle.main.rule(ask), Typed("6 1")).result.holds == 1  # type: ignore[union-attr]
    with pytest.raises(Illegal, match="Might 0 against 0: nobody throws anything"):
        wrestle.main.ask(might=0, their_might=0)


def test_a_verdict_has_a_name_for_each_side(wrestle: Game) -> None:
    ask = wrestle.main.ask(might=3, their_might=1, breath=0)
    verdict = judged(wrestle.main, play(wrestle.main.rule(ask), Typed("6 6 6 | 1")).result)
    assert (verdict.tier, verdict.turned.tier, verdict.turned.tone) == ("Into the water", "You swim", "disaster")


def test_each_side_brings_its_own_and_pays_for_itself(wrestle: Game) -> None:
    party = Party("wrestle")  # Jonas has Wren, a copy of Ansa, and Ada has Kit, a copy of Bruno
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", use={"A hook": 1}))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.BuildAction(inputs={"their_armour": True}))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.BuildAction(use={"Wet sand": 1}))
    offer = f"{party.holder('Kit').id}/offers/All at once"
    party.do("Ada", a.BuildAction(inputs={"their_armour": True}, use={"Wet sand": 1, offer: 1}))
    with pytest.raises(Refusal, match="is not ready"):
        party.do("Jonas", a.ThrowAction(faces="6 6 1 | 5"))
    party.ready()
    party.do("Jonas", a.ThrowAction(faces="6 6 1 | 5"))
    assert party.item("Kit", "breath", "Breath")["now"] == 3
    party.do("Ada", a.ThrowAction(faces="1 2 | 6 5 3"))
    assert "You win: holds 3, their holds 1." in party.lines("Mira")
    party.do("Jonas", a.AnswerAction(answer="settle"))
    assert party.item("Kit", "breath", "Breath")["now"] == 1
    assert party.item("Wren", "breath", "Breath")["now"] == 5


def written(tmp_path: Path, find: str, write: str) -> Path:
    text = FILE.read_text("utf-8")
    assert find in text
    path = tmp_path / "wrestle.toml"
    path.write_text(text.replace(find, write, 1), "utf-8")
    return path


def test_only_a_gm_sets_what_is_the_gms(tmp_path: Path) -> None:
    kind = load_game(written(tmp_path, "[roll.sides]", '[roll.sides]\nby = "gm"')).main
    assert {name: input.whose for name, input in kind.ask.inputs.items()} == {
        "might": "roller", "helps": "roller", "armour": "roller", "breath": "roller",
        "their_might": "gm", "their_helps": "gm", "their_armour": "gm",
    }  # fmt: skip


def test_dice_without_end_are_thrown_together(tmp_path: Path) -> None:
    path = written(tmp_path, 'dice.body = "(might)d6"', 'dice.body = "(might)d6!"')
    text = path.read_text("utf-8")
    option = text[text.index("[[roll.options]]") : text.index("[[roll.changes]]")]
    reading = text[text.index('holds = "if') : text.index("lead =")]
    path.write_text(text.replace(option, "").replace(reading, 'holds = "body count>=5"\n'), "utf-8")
    kind = load_game(path).main
    assert not kind.opposed
    node = kind.rule(kind.ask(might=1, their_might=1))
    assert isinstance(node, Throw)
    assert len([dice for dice in node.pool if dice.n]) == 2
    assert odds(kind.ask(might=1, their_might=0), "holds")[0] == Fraction(4, 6)


@pytest.mark.parametrize(
    ("find", "write", "says"),
    [
        ('dice.more = "(helps)d6"', 'dice.more = "(hlps)d6"', 'line 26: "hlps" is neither dice nor a number here'),
        ('dice.more = "(helps)d6"', 'dice.their_more = "2d6"', 'line 26: "their_more" is a name of the other side'),
        ('dice.more = "(helps)d6"', 'dice.more = { n = 1, faces = ["a", "b"] }', "line 26: dice of both sides are in"),
        ('by = "-ours.lead"', 'by = "-ours.led"', 'line 48: both sides have no "led"; did you mean "lead"?'),
        ("[roll.sides]", '[roll.sides]\nby = "helper"', 'line 22: by is "helper"; it may be target, gm.'),
        ("[roll.sides]", "[roll.sides]\nwho = 3", 'line 22: there is no "who" here'),
        ("max = 5, default = 2", "max = -5, default = 2", "line 22: min is 0 and max is -5"),
        ('holds = "if', 'holds = "iff', "line 28: This is not dice notation"),
        (
            '"max(0, holds - theirs.holds)"',
            '"max(0, holds - theirs.hold)"',
            'line 29: both sides have no "hold"; did you mean "holds"?',
        ),
    ],
)
def test_a_mistake_is_told_with_its_line(find: str, write: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(Faulty) as refused:
        load_game(written(tmp_path, find, write))
    assert says in str(refused.value)


FEINT = Path(__file__).with_name("feint.toml")
FEINTS: list[dict[str, Any]] = [
    {"skill": 1, "their_skill": 1},
    {"skill": 2, "their_skill": 1},
    {"skill": 1, "friend": "1 Ann", "their_skill": 1},
    {"skill": 1, "their_skill": 1, "their_friend": "1 Bo"},
]


class Theirs(Brute):
    """The other side decides by hand, and nobody else does anything."""

    def worth(self, node: Node[Any]) -> tuple[Fraction, Fraction]:
        if not isinstance(node, Choice):
            return super().worth(node)
        return self.option(node, self.answer(node))

    def answer(self, choice: Choice[Any]) -> str:
        if choice.by.startswith("their "):
            return super().answer(choice)
        own = [name for name, option in choice.options.items() if name == choice.rest or option.by == "target"]
        return max(own, key=lambda name: self._key(self.option(choice, name)))


@pytest.mark.parametrize("given", FEINTS, ids=str)
@pytest.mark.parametrize("policy", ["best", "cheapest"])
def test_a_wish_of_the_other_side_guides_what_they_decide_and_nothing_else(
    given: dict[str, Any], policy: PolicyName
) -> None:
    kind = load_game(FEINT).main
    ask, wish = kind.ask.read(given), wish_of(kind, "escape")
    assert (wish.theirs, wish_of(kind).theirs) == (True, False)

    def answer(choice: Choice[Any]) -> str:
        is_ours = choice.by.startswith("helper ")
        return choice.rest if is_ours else Theirs(wish, policy == "cheapest").answer(choice)

    results = tally(kind.rule(ask), answers=answer)
    for name, fact in facts_of(kind).items():
        found = odds(ask, name, policy=policy, wish="escape")
        assert {value: chance for value, chance in found.items() if chance} == by(results, fact.of), name
    whole = odds(ask, policy=Policy(policy, wish))
    assert whole.to_dict() == results
    assert odds(ask, "margin", policy=policy, wish="escape").at_most(0) >= odds(ask, "margin").at_most(0)


def test_advice_weighs_what_the_other_side_may_do() -> None:
    kind = load_game(FEINT).main
    opened = play(kind.rule(kind.ask(skill=2, their_skill=1)), Typed("5 1 | 2"))
    theirs = advise(opened.node, wish_of(kind, "escape"))
    assert (theirs.best, [(option.name, option.worth) for option in theirs.options]) == (
        "parry", [("settle", Fraction(0)), ("parry", Fraction(1, 2))],
    )  # fmt: skip
    assert [option.name for option in advise(opened.node, wish_of(kind, "touch")).options] == ["settle", "press"]
    throw = kind.rule(kind.ask.read({"skill": 1, "their_skill": 0, "their_friend": "1 Bo"}))
    assert isinstance(throw, Throw)
    warned = throw.then(throw.reading.read((((3,),),)))
    assert isinstance(warned, Choice)
    assert [wish.name for wish in wishes_for(kind, warned)] == ["escape"]
    assert advise(warned, wish_of(kind, "escape")).best == "warn"


def test_the_contract_and_lint_know_both_sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(FILE.parent))
    found = game("feint")
    assert mistakes_of(found) == []
    assert [each for each in lint(found.main) if each.category == "pointless"] == []
    text = FEINT.read_text("utf-8")
    parry = text[text.index('again = "theirs.blade"') : text.index('changes = [{ what = "wind", who')]
    path = tmp_path / "feint.toml"
    path.write_text(text.replace(parry, ""), "utf-8")  # it only costs something now
    (told,) = [each.sentence for each in lint(load_game(path).main) if each.category == "pointless"]
    assert "parry (Parry) is never worth taking" in told
    assert 'for the wish "escape"' in told


@pytest.mark.parametrize(
    ("find", "write", "says"),
    [
        ('who = "target"\n[[roll.out', 'who = "gm"\n[[roll.out', 'line 59: who is "gm"; it may be roller, target.'),
        ('value = "margin > 0"', 'value = "margin > 0"\nwho = "target"', "line 55: the first wish is the roller's"),
    ],
)
def test_a_mistake_in_whose_wish_it_is_is_told_with_its_line(find: str, write: str, says: str, tmp_path: Path) -> None:
    path, text = tmp_path / "feint.toml", FEINT.read_text("utf-8")
    assert find in text
    path.write_text(text.replace(find, write, 1), "utf-8")
    with pytest.raises(Faulty) as refused:
        load_game(path)
    assert says in str(refused.value)
