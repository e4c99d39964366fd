"""Asks: declared once, checked always."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Illegal, Malformed, Refusal, Unknown
from astragal.rule.inputs.ask import Ask, flag, named, numbers, one_of, summed, whole, words


class Jump(Ask):
    """An ask with one input of every kind."""

    far: int = whole(1, 9, "metres", rule="J-1")
    run_up: int = summed(0, 5, "run-up", default=0, each=(1, 3), each_rule="J-3", spends="J-2")
    style: str = one_of(("long", "high"), "style", default="long")
    wet: bool = flag("wet ground", default=False)
    cheer: str | None = words("what the crowd shouts", default=None)
    lanes: tuple[int, ...] = numbers(1, 8, "lanes", default=())
    shoes: tuple[tuple[str, str], ...] = named(("old", "new"), "shoes", default=())

    def check(self) -> None:
        if self.far > 5 and self.wet:
            raise Illegal("Nobody jumps that far on wet ground.", "J-4")


class Leap(Jump):
    """Inherits what a jump takes."""

    height: int = whole(0, 3, "height", default=0)


def test_what_is_not_given_is_at_its_default() -> None:
    jump = Jump(far=3)
    assert (jump.far, jump.run_up, jump.style, jump.wet, jump.cheer) == (3, 0, "long", False, None)


def test_an_ask_inherits_inputs() -> None:
    assert list(Leap.inputs) == [*Jump.inputs, "height"]
    assert Leap(far=2, height=1).style == "long"


def test_what_somebody_wrote_is_read() -> None:
    jump = Jump.read(
        {
            "far": ["5"],
            "run_up": ["2 steps, 1 hop"],
            "style": "HIGH",
            "wet": "yes",
            "cheer": " go ",
            "lanes": ["3 1", "2"],
            "shoes": ["left=old", "right=new"],
        }
    )
    assert (jump.far, jump.run_up, jump.style, jump.wet, jump.cheer) == (5, 3, "high", True, "go")
    assert (jump.lanes, jump.shoes) == ((1, 2, 3), (("left", "old"), ("right", "new")))


def test_json_values_are_read_as_they_are() -> None:
    jump = Jump.read(
        {"far": 5, "run_up": {"steps": 2, "a hop, long": 1}, "wet": False, "lanes": [2], "shoes": [["l", "old"]]}
    )
    assert (jump.run_up, jump.lanes, jump.shoes) == (3, (2,), (("l", "old"),))


@pytest.mark.parametrize(
    ("given", "error", "part"),
    [
        ({}, Malformed, "far is missing (metres); it must be a whole number from 1 to 9 (J-1)."),
        ({"far": 10}, Illegal, "far is 10; it must be a whole number from 1 to 9 (J-1)."),
        ({"far": "x"}, Malformed, 'far is "x"; it must be a whole number from 1 to 9 (J-1).'),
        ({"far": 1, "run_up": "4 steps"}, Illegal, '"steps" in run-up is 4; each must be from 1 to 3 (J-3).'),
        (
            {"far": 1, "run_up": "3/2 steps"},
            Illegal,
            "steps has 2 to spend and 3 were asked for; nothing is spent (J-2).",
        ),
        ({"far": 1, "style": "flat"}, Illegal, 'style is "flat"; it must be long or high.'),
        ({"far": 1, "wet": "maybe"}, Malformed, 'wet is "maybe"; it must be yes or no.'),
        ({"far": 1, "cheer": " "}, Illegal, "it must be some words, at most 400 characters"),
        ({"far": 1, "lanes": "1 1"}, Illegal, "it must be different whole numbers from 1 to 8"),
        ({"far": 1, "lanes": "9"}, Illegal, "it must be different whole numbers from 1 to 8"),
        ({"far": 1, "shoes": "left=wooden"}, Illegal, "it must be a name, = and one of old, new"),
        ({"far": 1, "shoes": [1]}, Refusal, "it must be a name, = and one of old, new"),
        ({"far": 6, "wet": True}, Illegal, "Nobody jumps that far on wet ground (J-4)."),
        ({"far": 1, "deep": 1}, Unknown, 'There is no input "deep" here; there are far, run_up'),
    ],
)
def test_a_refusal_says_what_was_wrong_what_is_allowed_and_the_rule(
    given: dict[str, Any], error: type[Refusal], part: str
) -> None:
    with pytest.raises(error) as refused:
        Jump.read(given)
    assert part in str(refused.value)


def test_asks_are_values() -> None:
    assert Jump(far=3) == Jump(far=3, style="long") != Jump(far=4)
    assert len({Jump(far=3), Jump(far=3, wet=False)}) == 1
    assert repr(Jump(far=3)) == "Jump(far=3)"
    assert Jump(far=3).values()["lanes"] == []


def test_an_ask_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Jump(far=3).far = 4  # type: ignore[misc]


def test_sources_add_up_to_a_number_within_bounds() -> None:
    class Bounded(Ask):
        n: int = summed(0, 5, "a number")

    assert Bounded.read({"n": {"gear": 2, "luck": 3}}).n == 5
    with pytest.raises(Illegal, match="from 0 to 5"):
        Bounded.read({"n": {"gear": 3, "luck": 3}})
