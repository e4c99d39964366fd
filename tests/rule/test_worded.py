"""Declarations whose words stand in the game's file, by the names of what they belong to."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Literal, NamedTuple

import pytest

from astragal.errors import Illegal
from astragal.rule.chances.fact import Wish, facts, facts_of, wishes_of
from astragal.rule.game import Against, Decision, Game, Kind
from astragal.rule.inputs.ask import Ask, side, whole
from astragal.rule.inputs.input import Whole
from astragal.rule.sheets.sheet import Section, sections
from astragal.rule.sheets.table_rules import Move, Participants, TableRules, read_inputs
from astragal.rule.texts import Texts
from astragal.rule.tree.result import Fields, field
from astragal.table.state import HolderState

SAID = {
    "game.blurb": "A climb.",
    "climb.title": "Climb a wall",
    "climb.does": "climbs",
    "climb.against.price": "1 breath each",
    "climb.height.help": "how high",
    "climb.height.3": "a shed",
    "climb.rope.help": "take a rope",
    "climb.facts.way.title": "Way down",
    "climb.facts.both.title": "Both",
    "climb.facts.both.way": "the way",
    "climb.wishes.up.help": "to be up",
    "character.breath.title": "Breath",
    "character.breath.now.help": "breath left",
    "C-1.slips": "{who} slips",
}
TEXTS = Texts("")
TEXTS.all = SAID


class Climb(Ask, texts=TEXTS.of("climb")):
    height: int = whole(1, 9, steps=(3, (9, "a tower")))


class Result(Fields):
    @field
    def way(self) -> Literal["stairs", "rope", "fall"]:
        return "rope"

    @field
    def up(self) -> bool:
        return True

    height: int = 3


ODDS: Any = ModuleType("climbing_odds")
ODDS.FACTS = {
    "climb": {**facts(Result, "way", "up", "height"), "both": facts(Result, "up", parts=("way", "height"))["up"]}
}
ODDS.WISHES = {"climb": {"up": Wish("up", worth=lambda result: int(result.up))}}
KIND = Kind("climb", ask=Climb, decisions=(Decision("rope"),), against=Against("breath"), odds=ODDS)
BREATH = Section("breath", look="pips", fields={"now": Whole(0, 9)}, names=("Breath",), counts="now")


def test_a_roll_a_decision_a_fact_and_a_wish_have_the_words_of_the_rolls_ask() -> None:
    assert (KIND.title, KIND.does, KIND.called) == ("Climb a wall", "climbs", "roll")
    assert [each.help for each in KIND.decisions] == ["take a rope"]
    assert KIND.against
    assert KIND.against.price == "1 breath each"
    assert facts_of(KIND)["way"].title == "Way down"
    assert facts_of(KIND)["both"].parts == ("the way", "height")
    assert wishes_of(KIND)["up"].help == "to be up"
    assert Move("climb", ask=Climb).title == "Climb a wall"
    assert Game("climbing", texts=TEXTS).blurb == "A climb."
    assert Kind("climb", "Up", ask=Climb).title == "Up"
    assert Game("climbing", texts=TEXTS, blurb="A race.").blurb == "A race."


def test_a_step_has_a_name_of_its_own_or_one_in_the_file() -> None:
    assert Climb.inputs["height"].steps == ((3, "a shed"), (9, "a tower"))


def test_a_section_and_its_fields_have_words_by_their_names() -> None:
    [breath] = sections(TEXTS.of("character"), BREATH)
    assert (breath.title, breath.fields["now"].help) == ("Breath", "breath left")
    assert (BREATH.title, BREATH.fields["now"].help) == ("", "")


def test_a_field_of_a_result_is_a_fact_by_its_type() -> None:
    found = facts(Result, "way", "up", "height")
    domains = {name: fact.domain and fact.domain(None) for name, fact in found.items()}
    assert domains == {"way": ("stairs", "rope", "fall"), "up": (True, False), "height": None}
    assert [fact.of(Result()) for fact in found.values()] == ["rope", True, 3]

    class Plain(NamedTuple):
        way: Literal["up", "down"] = "up"

    way = facts(Plain, "way")["way"]
    assert way.domain
    assert (way.of(Plain()), way.domain(None)) == ("up", ("up", "down"))


def test_a_cause_comes_with_its_rule() -> None:
    assert TEXTS.because("C-1.slips", who="Ada") == {"cause": "Ada slips", "rule": "C-1"}


class Climber(Ask):
    breath: int = whole(0, 9, default=0, reads="roller.breath")


class Race(Ask, init=False):
    us: Climber = side(Climber, "roller", "{}")
    them: Climber = side(Climber, "target", "their_{}")
    die: int = whole(2, 20, default=6, reads="options.die")


def holder(id: str, n: int) -> Any:
    return HolderState(id, id, "character", sheet={"breath": {"Breath": {"now": n}}})


def people(*who: Any) -> Participants:
    roller, target = (*who, None, None)[:2]
    rules = TableRules((BREATH,))
    nobody: Any = None
    options = {"die": 8}
    return Participants(roller, None, target, (), nobody, nobody, options, sections=rules.every_section())


def test_inputs_are_read_where_they_say_so_for_each_side_from_its_own_sheet() -> None:
    assert read_inputs(Race, people(holder("a", 3), holder("b", 5))) == {"breath": 3, "their_breath": 5, "die": 8}
    assert read_inputs(Race, people(holder("a", 3))) == {"breath": 3, "die": 8}


def test_a_move_of_nobody_is_refused() -> None:
    assert people(holder("a", 3)).acting.id == "a"
    with pytest.raises(Illegal, match="Choose the character"):
        _ = people().acting
