"""Moves made of functions: name, words and inputs follow from the function."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from astragal.author import Change, Note, Participants, move, words
from astragal.errors import Illegal, Unknown
from astragal.rule.texts import Texts
from tests.someone import Someone

TEXTS = Texts("")
TEXTS.all = {
    "rest.title": "Rest a while",
    "rest.why.help": "what for",
    "R-1.rests": "{who} rests",
    "R-1.tired": "{who} is too tired.",
}
WREN = Someone("c1", "Wren", {"wounds": {"Cut": {"size": 1}}})
AT = Participants(WREN, None, None, (), Someone("table", "", {}), Someone("scene", "", {}), {})


@move(TEXTS, "R-1", by="gm")
def rest(
    participants: Participants, wound: str = words(rule="R-1"), why: str | None = words(default=None)
) -> Iterator[Change]:
    """A wound heals."""
    who = participants.acting
    name = who.find("wounds", wound)
    TEXTS.refuse(not name, "R-1.tired", Unknown, who=who.name)
    yield Change(who.id, "wounds", name or "", cause=why or "", rule="R-1")


def test_a_move_is_called_as_its_function_and_takes_what_that_takes() -> None:
    assert (rest.name, rest.title, rest.by, rest.rule) == ("rest", "Rest a while", "gm", "R-1")
    assert list(rest.ask.inputs) == ["wound", "why"]
    assert rest.ask.inputs["why"].help == "what for"
    assert rest.ask.__doc__ == "A wound heals."


def test_a_move_gets_its_inputs_by_name_and_finds_things_however_they_are_written() -> None:
    done = rest.does(rest.ask.read({"wound": " cut "}), AT)
    assert list(done) == [Change("c1", "wounds", "Cut", rule="R-1")]
    with pytest.raises(Unknown, match=r"Wren is too tired. \(R-1\)|Wren is too tired"):
        list(rest.does(rest.ask.read({"wound": "Burn"}), AT))


def test_a_move_may_have_another_name_than_its_words() -> None:
    assert move(TEXTS, "R-1", name="sleep")(rest_alone).name == "sleep"
    assert move(TEXTS, "R-1")(rest_alone).ask.inputs == {}


def rest_alone(participants: Participants) -> Iterator[Note]:
    """Nothing is needed."""
    yield TEXTS.note("R-1.rests", who=participants.acting.name)


def test_what_is_said_for_a_reason_is_said_only_then() -> None:
    assert TEXTS.noted(1, "R-1.rests", who="Wren") == (Note("Wren rests", "R-1"),)
    assert TEXTS.said(WREN, "R-1.rests", who="Wren") == ("Wren rests",)
    assert not TEXTS.noted(0, "R-1.rests")
    assert not TEXTS.said("", "R-1.rests")
    TEXTS.refuse(None, "R-1.tired")
    with pytest.raises(Illegal, match="too tired") as refused:
        TEXTS.refuse("yes", "R-1.tired", who="Wren")
    assert refused.value.rule == "R-1"
