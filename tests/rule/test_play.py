"""Play: a tree walked with a hand, on a game made up for the test."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from astragal import Choice, Logged, Outcome, Rolled, Throw, Typed, explain, play
from astragal.dice.dice import Dice, Faces
from astragal.dice.reading import Face
from astragal.errors import Illegal, Malformed, Unknown
from astragal.explain.report import open_node
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Barred, Node, Option, lazy
from astragal.rule.tree.note import Die, Note, Telling
from astragal.rule.tree.play import Answer, Hand, parse_answer


class Found(NamedTuple):
    gold: int
    oath: str = ""


def dig(again: int = 2) -> Node[Found]:
    return Throw((Dice(6, 1, "spade"),), Face(), lambda face: choose(face, again), tell_spade, "Dig")


def tell_spade(faces: Faces) -> Telling:
    return Telling((Die("spade", 6, faces[0][0][0]),), (Note("Somebody digs.", "D-1"),))


def choose(face: int, again: int) -> Node[Found]:
    options = {
        "stop": Option("Stop digging", lazy(done, face), "D-2"),
        "swear": Option("Swear an oath", lazy(done, face), "D-3", words="the oath"),
        "hum": Option("Hum", lazy(done, face), "D-3", words="the tune", needs=False),
    }
    if again:
        options["on"] = Option(
            "Dig on", lazy(dig, again - 1), "D-4", effects=(Effect("sweat", "player", -1, when="answer"),)
        )
    barred = {} if again else {"on": Barred("The spade is broken.", "D-4")}
    return Choice("next", "digger", "And now?", options, Found(face), "stop", barred)


def done(face: int, oath: str = "") -> Node[Found]:
    return Outcome(Found(face, oath), (Effect("gold", "digger", face),), lambda: (Note(f"{face} gold {oath}.", "D-5"),))


def test_play_stops_where_nobody_has_answered_and_says_what_stands() -> None:
    played = play(dig(), Typed("4"))
    assert isinstance(played.node, Choice)
    assert (played.outcome, played.result, played.faces) == (None, Found(4), "4")


def test_play_stops_at_a_throw_that_nobody_has_typed() -> None:
    played = play(dig(), Typed("4", {"next": ["on"]}))
    assert isinstance(played.node, Throw)
    assert played.result is None
    assert open_node(played.node) == {
        "type": "dice",
        "throw": "Dig",
        "dice": [{"name": "spade", "sides": 6, "n": 1}],
    }


def test_what_was_left_open_can_be_played_on_later() -> None:
    first = play(dig(), Typed("4"))
    second = play(first.node, Typed("6", {"next": ["on", "stop"]}), first.steps)
    assert (second.result, second.faces) == (Found(6), "4 | 6")


def test_after_the_last_answer_things_are_left_to_rest() -> None:
    assert play(dig(), Typed("4 | 5", {"next": ["on"]})).result == Found(5)


def test_an_answer_carries_words() -> None:
    assert play(dig(), Typed("4", {"next": ["swear: by the moon"]})).result == Found(4, "by the moon")
    assert parse_answer("swear: by: the moon ") == Answer("swear", "by: the moon")


def test_words_may_be_optional() -> None:
    assert play(dig(), Typed("4", {"next": ["hum"]})).result == Found(4)
    assert play(dig(), Typed("4", {"next": ["hum: softly"]})).result == Found(4, "softly")


@pytest.mark.parametrize(
    ("answer", "error", "part"),
    [
        ("fly", Unknown, '"fly" is not an answer to next; there are stop, swear, hum, on.'),
        ("swear", Illegal, 'needs the oath in words: "swear: …" (D-3).'),
        ("stop: please", Illegal, '"stop" takes no words'),
        ("swear: " + "x" * 500, Malformed, "500 characters are too many words; at most 400 are taken."),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(answer: str, error: type[Exception], part: str) -> None:
    with pytest.raises(error) as refused:
        play(dig(), Typed("4", {"next": [answer]}))
    assert part in str(refused.value)


def test_a_barred_answer_is_refused_with_its_reason() -> None:
    with pytest.raises(Illegal, match=r"The spade is broken \(D-4\)\."):
        play(dig(0), Typed("4", {"next": ["on"]}))


def test_nothing_given_may_be_left_over() -> None:
    with pytest.raises(Illegal, match="Too many faces"):
        play(dig(), Typed("4 | 5"))
    with pytest.raises(Illegal, match="after everything was settled"):
        play(dig(), Typed("4", {"next": ["stop", "on"]}, several=["next"]))


def test_a_log_plays_back_to_the_same_steps() -> None:
    played = play(dig(), Rolled({"next": ["on", "swear: well"]}, seed=3))
    again = play(dig(), Logged(played.log()))
    assert (again.result, again.log()) == (played.result, played.log())


def test_a_log_of_an_older_version_plays_back() -> None:
    played = play(dig(), Rolled({"next": ["on", "swear: well"]}, seed=3))
    old = [step if "faces" in step else {step["choice"]: step["answer"]} for step in played.log()]
    assert play(dig(), Logged(old)).log() == played.log()


def test_a_choice_may_be_called_faces() -> None:
    options = {"choice": Option("One", lazy(Outcome, 1)), "answer": Option("Two", lazy(Outcome, 2))}
    tree: Choice[int] = Choice("faces", "player", "Which?", options, 0)
    played = play(tree, Rolled({"faces": ["answer"]}))
    assert played.log() == [{"choice": "faces", "answer": "answer"}]
    assert play(tree, Logged(played.log())).result == 2
    assert play(tree, Logged([{"faces": "choice"}])).result == 1


def test_a_log_that_does_not_fit_is_refused() -> None:
    with pytest.raises(Malformed, match="The log goes on with next where faces belongs"):
        play(dig(), Logged([{"next": "stop"}]))
    with pytest.raises(Malformed, match="1 more steps"):
        play(dig(), Logged([{"faces": [[[4]]]}, {"next": "stop"}, {"next": "stop"}]))


def test_a_hand_without_dice_answers_nothing() -> None:
    assert isinstance(play(dig(), Hand()).node, Throw)


def test_the_explanation_has_every_die_every_answer_that_led_on_and_the_outcome() -> None:
    told = explain(play(dig(), Typed("4 | 6", {"next": ["on", "swear: by the moon"]})))
    assert [(title, [die.face for die in dice]) for title, dice in told.throws] == [("Dig", [4]), ("Dig", [6])]
    assert list(map(str, told.notes)) == [
        "Somebody digs (D-1).",
        "Dig on (D-4).",
        "Somebody digs (D-1).",
        "6 gold by the moon (D-5).",
    ]


def test_later_nodes_are_equal_when_they_would_ask_the_same() -> None:
    assert lazy(dig, 1) == lazy(dig, 1) != lazy(dig, 2)
    assert hash(lazy(done, 3)) == hash(lazy(done, 3))


def endless(n: int) -> Node[int]:
    assert n <= 20_001
    return Throw((Dice(6),), Face(), lambda face: lazy(endless, n + 1), lambda faces: Telling(()))


def test_a_roll_that_goes_on_without_end_is_refused() -> None:
    with pytest.raises(Illegal, match="more than 20,000 throws and answers; nothing is spent"):
        play(endless(0))
