"""Helpers of written games: they throw first or lend a number, and the odds are those of every throw of all of them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from astragal import Typed, advise, odds, play, play_sample
from astragal.check import mistakes_of
from astragal.errors import Faulty, Forbidden, Illegal
from astragal.games.folder import VARIABLE
from astragal.games.registry import game
from astragal.rule.chances.fact import Policy, facts_of, wish_of, wishes_of
from astragal.rule.game import Game
from astragal.rule.tree.node import Choice, Throw
from astragal.table import action as a
from astragal.table.rolls.basis import Basis
from astragal.written import load_game
from tests.referee import tally
from tests.table.tables import Party
from tests.written.test_options import Brute, by

FILE = Path(__file__).with_name("raising.toml")
D6 = range(1, 7)


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setenv(VARIABLE, str(FILE.parent))
    return game("raising")


def test_it_keeps_the_contract(raising: Game) -> None:
    assert mistakes_of(raising) == []


@pytest.mark.parametrize(("back", "aid"), [(1, {"Ulf": 2}), (0, {"Ulf": 1, "Bo": 1}), (2, {"Ulf": 1}), (1, {"Bo": 0})])
def test_odds_are_those_of_every_throw_by_hand(raising: Game, back: int, aid: dict[str, int]) -> None:
    expected: dict[int, Fraction] = {}
    for theirs in product(D6, repeat=sum(aid.values())):
        n = back + theirs.count(6)
        seen = Counter(sum(face >= 5 for face in own) for own in product(D6, repeat=n))
        for successes, k in seen.items():
            chance = Fraction(k, 6**n * 6 ** sum(aid.values()))
            expected[successes] = expected.get(successes, Fraction(0)) + chance
    ask = raising.main.ask.read({"back": back, "aid": aid})
    assert odds(ask, "successes").to_dict() == expected


@pytest.mark.parametrize("given", [{"back": 1, "aid": {"Ulf": 1}}, {"back": 0, "aid": {"Ulf": 1, "Bo": 1}}], ids=str)
def test_odds_by_every_policy_are_those_of_every_throw(raising: Game, given: dict[str, Any]) -> None:
    kind = raising.main
    ask = kind.ask.read({**given, "needed": 1})
    assert odds(ask).to_dict() == tally(kind.rule(ask))
    for name, fact in facts_of(kind).items():
        assert odds(ask, name).to_dict() == by(tally(kind.rule(ask)), fact.of)
    for wish in wishes_of(kind).values():
        results = tally(kind.rule(ask), answers=Brute(wish, False).answer)
        assert odds(ask, policy=Policy("best", wish)).to_dict() == results
        for name, fact in facts_of(kind).items():
            found = odds(ask, name, policy="best", wish=wish.name)
            assert {value: chance for value, chance in found.items() if chance} == by(results, fact.of), name


def test_a_number_that_is_lent_needs_no_dice(raising: Game) -> None:
    ask = raising.kind("climb").ask.read({"hold": {"Ulf": 2, "Bo": 1}, "nerve": 12})
    assert odds(ask, "outcome")["Up"] == Fraction(sum(one + other >= 9 for one, other in product(D6, D6)), 36)


def test_helpers_throw_one_after_the_other_and_then_the_leader(raising: Game) -> None:
    ask = raising.main.ask.read({"back": 2, "aid": {"Ulf: Ropes": 2, "Bo": 0, "Ann": 1}})
    first = play(raising.main.rule(ask), Typed("6 1")).node
    assert isinstance(first, Throw)
    assert (first.by, first.title, first.pool[0].n) == ("helper 3", "Ann", 1)  # Bo brings nothing
    assert odds(first).map(lambda result: result.brought).to_dict() == {1: Fraction(5, 6), 2: Fraction(1, 6)}
    opened = play(raising.main.rule(ask), Typed("6 1 | 6 | 1 1 5 2"))
    assert isinstance(opened.node, Choice)
    assert advise(opened.node, wish_of(raising.main, "good")).best == "again"


def test_formulas_may_use_the_number_of_helpers(tmp_path: Path) -> None:
    text = FILE.read_text("utf-8").replace('successes >= needed"', '2 * successes >= helpers + 1"')
    path = tmp_path / "raising.toml"
    path.write_text(text, "utf-8")
    kind = load_game(path).main
    for aid, faces, holds in (("", "5", True), ("1 Ulf", "1 | 5", True), ("1 Ulf, 1 Bo", "1 | 1 | 5", False)):
        ask = kind.ask.read({"back": 1, "aid": aid or 0})
        played = play(kind.rule(ask), Typed(faces, answers={"after": ["settle"]} if not holds else {}))
        assert played.result.holds == holds, aid  # type: ignore[union-attr]
    assert odds(kind.ask.read({"back": 1, "aid": "1 Ulf, 1 Bo"}), "holds")[True] == Fraction(37, 972)


def test_nobody_brings_more_than_there_may_be(raising: Game) -> None:
    with pytest.raises(Illegal, match="4 helpers are too many; at most 3 help"):
        raising.main.ask.read({"aid": {"A": 1, "B": 1, "C": 1, "D": 1}})
    with pytest.raises(Illegal, match="A helper brings at most 4, not 5"):
        raising.main.ask(aid=5)


def test_helpers_bring_what_is_on_their_sheets_and_pay_for_it(raising: Game) -> None:
    party = Party("raising")  # Jonas has Wren, a copy of Tove, and Ada has Kit, a copy of Ulf
    party.do("Jonas", a.OpenAction(who="Wren"))
    party.do("Ada", a.AssistAction(who="Kit"))
    offers = {offer.label: offer for offer in Basis(party.state, party.roll).offers.values()}
    assert {label: offer.gives for label, offer in offers.items()} == {"Kit: Ropes": 2, "Kit: Saw": 2}
    with pytest.raises(Forbidden):
        party.do("Jonas", a.BuildAction(use={offers["Kit: Ropes"].id: 1}))
    party.do("Ada", a.BuildAction(use={offers["Kit: Ropes"].id: 1}))
    party.do("Jonas", a.ThrowAction())
    assert party.item("Kit", "crafts", "Ropes") == {"now": 1, "full": 3}
    with pytest.raises(Forbidden):
        party.do("Jonas", a.ThrowAction(faces="6 6"))
    party.do("Ada", a.ThrowAction(faces="6 6"))
    party.do("Jonas", a.ThrowAction(faces="6 6 1 1 1"))
    assert "It stands: successes 2." in party.lines("Mira")


def test_one_count_is_read_from_the_sheet(raising: Game) -> None:
    party = Party("raising")
    party.do("Jonas", a.OpenAction(kind="climb", who="Wren"))
    party.do("Ada", a.AssistAction(who="Kit"))
    assert Basis(party.state, party.roll).ask.values()["hold"]["total"] == 2
    party.do("Jonas", a.ThrowAction(faces="4 4"))
    assert "Up: total 10." in party.lines("Mira")


TUG = Path(__file__).with_name("tug.toml")
TUGS: list[dict[str, Any]] = [
    {"pull": 0, "aid": {"Ulf": 1}, "their_pull": 0},
    {"pull": 1, "aid": {"Ulf": 1}, "their_pull": 0},
    {"pull": 0, "aid": {"Ulf": 1, "Bo": 1}, "their_pull": 0},
    {"pull": 1, "their_pull": 0, "their_aid": {"Bo": 1}},
]


@pytest.mark.parametrize("given", TUGS, ids=str)
def test_odds_with_options_of_helpers_are_those_of_every_throw(given: dict[str, Any]) -> None:
    kind = load_game(TUG).main
    ask = kind.ask.read(given)
    assert odds(ask).to_dict() == tally(kind.rule(ask))
    wish = wish_of(kind, "good")
    if "their_aid" not in given:
        for name in ("best", "cheapest"):
            results = tally(kind.rule(ask), answers=Brute(wish, name == "cheapest").answer)
            found = odds(ask, "outcome", policy=name, wish=wish.name)
            assert {value: chance for value, chance in found.items() if chance} == by(
                results, lambda result: result.outcome
            )
    left = by(tally(kind.rule(ask)), lambda result: result.margin)
    assert odds(ask, "margin").to_dict() == left


def test_a_helper_decides_and_pays_and_a_group_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(TUG.parent))
    found = game("tug")
    assert mistakes_of(found) == []
    assert [(die.sides, die.face, die.role) for die in found.pile] == [
        (6, 5, "plain"), (6, 2, "plain"), (8, 7, "special"),
    ]  # fmt: skip
    table, _ = play_sample("tug", at=0)
    assert [kept.name for kept in table.state.world.holders.values() if kept.kind == "character"] == ["Ove"]
    party = Party("tug")  # Jonas has Wren, a copy of Ove, and Ada has Kit, a copy of Signe
    party.do("Jonas", a.OpenAction(who="Wren"))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.ThrowAction(faces="2"))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.AnswerAction(answer="dig"))
    party.do("Ada", a.AnswerAction(answer="dig"))
    assert party.item("Kit", "grip", "Grip")["now"] == 2
    party.do("Jonas", a.ThrowAction(faces="6 6 1"))
    party.do("Mira", a.ThrowAction(faces="1"))
    assert "Ours: steps 2, their steps 0, margin 2." in party.lines("Mira")


@pytest.mark.parametrize(
    ("find", "write", "says"),
    [
        ("gives = 1\n", "gives = 'two'\n", 'line 32: "two" is neither dice nor a number here'),
        ("gives = 1\nchanges = [{ what = \"grip\", by = -1 }]", "", "line 28: this option does nothing"),
        ('name = "rest"', 'name = "dig"', 'line 35: two options are called "dig"'),
        ('name = "rest"', 'name = "settle"', 'line 36: "settle" leaves things as they are'),
        ('what = "grip", by', 'what = "grasp", by', 'line 33: there is no section "grasp" on the sheet'),
        ("[roll.sides.helpers]", "[roll.helpers]", "line 21: helpers"),
        ('role = "gm"', 'role = "player"', 'line 92: the first member of a sample campaign is the GM.'),
        ('by = "Bo"\ndo = "create"', 'by = "Bob"\ndo = "create"', 'line 97: by is "Bob"; did you mean "Bo"?'),
        ("sides = 8", "sides = 7", "line 4: sides is 7; a die on the cover has 4, 6, 8, 10, 12, 20 sides"),
    ],
)  # fmt: skip
def test_a_mistake_in_what_helpers_may_do_is_told_with_its_line(
    find: str, write: str, says: str, tmp_path: Path
) -> None:
    text = TUG.read_text("utf-8")
    assert find in text
    path = tmp_path / "tug.toml"
    path.write_text(text.replace(find, write, 1), "utf-8")
    with pytest.raises(Faulty) as refused:
        load_game(path)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("find", "write", "says"),
    [
        ("most = 3", "most = 0", "line 25: most is 0; it must be from 1 to 50."),
        ("most = 3\n", "", "line 24: most is missing"),
        ("inputs.aid =", "inputs.back =", 'line 27: "back" is an input already; choose another name.'),
        ("inputs.aid =", "inputs.more = { help = \"x\", max = 1 }\ninputs.aid =", "line 24: inputs has one number"),
        ('gives = "hand count=6"', 'gives = "had + 1"', 'line 29: "had" is neither dice nor a number here'),
        ('dice.hand = "(aid)d6"', 'dice.hand = "(aid)d6!"', "line 28: hand has words or explodes without end"),
        ('dice.hand = "(aid)d6"', 'dice.hand = "(ade)d6"', 'line 28: "ade" is neither dice nor a number here'),
        ('sheet = "crafts"', 'sheet = "craft"', 'line 27: there is no section "craft" on the sheet; did you mean'),
        ('sheet = "crafts"', 'sheet = "back"', "line 30: price is paid for the item that a helper brings"),
        ("by = -1 }]", "bye = -1 }]", "line 30: by is missing"),
        ('beam = "(back + helped)d6"', 'beam = "(back + help)d6"', '"help" is neither dice nor a number here'),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(find: str, write: str, says: str, tmp_path: Path) -> None:
    text = FILE.read_text("utf-8")
    assert find in text
    path = tmp_path / "raising.toml"
    path.write_text(text.replace(find, write, 1), "utf-8")
    with pytest.raises(Faulty) as refused:
        load_game(path)
    assert says in str(refused.value)
