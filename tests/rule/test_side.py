"""Sides of a roll: declared once, on the wire by the names that the roll gives them."""

from __future__ import annotations

import pytest

from astragal.errors import Illegal, Malformed, Unknown
from astragal.rule.inputs.ask import Ask, flag, side, summed, whole, words
from astragal.rule.texts import Texts


class Fighter(Ask):
    pool: int = summed(0, 100, "dice")
    will: int = whole(0, 9, "Will", default=9, whose="gm")
    using: int = summed(0, 9, "theirs, for us", default=0, told="using {}")
    used: int = summed(0, 9, "ours, for them", default=0)
    slow: str | None = words(default=None)
    anyway: bool = flag("although tired", default=False)

    def check(self) -> None:
        if self.pool > 10 * self.will and not self.anyway:
            raise Illegal("Too many.")


TEXTS = Texts("")
TEXTS.all = {"fight.theirs.title": "Their dice", "fight.their_will.help": "Will of theirs"}


class Fight(Ask, texts=TEXTS.of("fight"), init=False):
    ours: int = summed(0, 50, "our dice", advanced=True)
    us: Fighter = side(Fighter, "roller", "{}", pool="ours", using="for_us", used="for_them")
    them: Fighter = side(Fighter, "target", "their_{}", pool="theirs", using="for_them", used="for_us", anyway="anyway")
    die: int = whole(2, 100, "sides", default=6)

    def check(self) -> None:
        self.us.check()
        self.them.check()


class Alone(Ask, init=False):
    me: Fighter = side(Fighter, "roller", pool="dice", anyway="anyway")


def test_each_input_of_a_side_stands_beside_that_of_the_other_and_the_rolls_own_where_it_is_declared() -> None:
    assert list(Fight.inputs) == [
        *("ours", "theirs", "will", "their_will", "for_us", "for_them"),
        *("slow", "their_slow", "anyway", "die"),
    ]
    assert [input.name for input in Fight.inputs.values()] == list(Fight.inputs)
    assert (Fight.inputs["ours"].help, Fight.inputs["ours"].advanced) == ("our dice", True)
    assert list(Alone.inputs) == ["dice", "anyway"]


def test_a_side_is_read_by_its_own_names() -> None:
    fight = Fight.read({"ours": "2 Agility, 1 rope", "theirs": 4, "their_will": 3, "for_us": 1, "their_slow": "mud"})
    assert (fight.us.pool, fight.us.will, fight.us.using, fight.us.used, fight.us.slow) == (3, 9, 1, 0, None)
    assert (fight.them.pool, fight.them.will, fight.them.using, fight.them.used) == (4, 3, 0, 1)
    assert (fight.them.slow, fight.them.role, fight.us.role, fight.us.roll) == ("mud", "target", "roller", fight)
    assert Alone(dice=4).me.will == 9


def test_an_input_belongs_to_the_side_unless_it_says_whose_it_is() -> None:
    whose = {name: (input.whose, input.told) for name, input in Fight.inputs.items()}
    assert (whose["ours"], whose["theirs"]) == (("roller", "with {}"), ("target", "against {}"))
    assert (whose["for_us"], whose["for_them"]) == (("roller", "using {}"), ("target", "using {}"))
    assert (whose["will"][0], whose["their_will"][0]) == ("gm", "gm")
    assert (Fighter.inputs["pool"].name, Fighter.inputs["pool"].whose) == ("pool", "roller")


def test_the_words_of_an_input_are_those_of_the_roll() -> None:
    assert (Fight.inputs["theirs"].called, Fight.inputs["theirs"].help) == ("Their dice", "dice")
    assert Fight.inputs["for_us"].called == "For us"


def test_refusals_name_the_input_as_the_roll_does() -> None:
    with pytest.raises(Malformed, match="theirs is missing"):
        Fight(ours=1)
    with pytest.raises(Illegal, match="their-will is 12"):
        Fight(ours=1, theirs=1, their_will=12)
    with pytest.raises(Unknown, match='no input "pool"'):
        Fight(ours=1, theirs=1, pool=1)
    with pytest.raises(Illegal, match="Too many"):
        Fight(ours=1, theirs=11, their_will=1)


def test_rolls_with_sides_are_values() -> None:
    assert Fight(ours=1, theirs=2) == Fight.read({"ours": "1", "theirs": "2"})
    assert Fight(ours=1, theirs=2) != Fight(ours=1, theirs=2, their_slow="mud")
    assert Fight(ours=1, theirs=2).them == Fight(ours=3, theirs=2).them != Fight(ours=1, theirs=3).them
    assert Fight(ours=1, theirs=2).values()["their_will"] == 9


def test_inputs_that_are_not_required_where_another_has_a_value_look_at_their_own_side() -> None:
    class Climber(Ask):
        rope: bool = flag(default=False)
        grip: int | None = whole(0, 9, unless=(("rope", True),))

    class Race(Ask, init=False):
        us: Climber = side(Climber, "roller", "our_{}")
        them: Climber = side(Climber, "target", "their_{}")

    assert Race(our_rope=True, their_grip=2).them.grip == 2
    with pytest.raises(Malformed, match="their-grip is missing"):
        Race(our_rope=True)


def test_an_input_that_is_called_otherwise_has_the_rolls_texts_and_none_leaves_it_out() -> None:
    said = Texts("")
    said.all = {"rower.oars.help": "oars of a boat", "regatta.their_oars.help": "oars of the other boat"}

    class Rower(Ask, texts=said.of("rower")):
        oars: int = whole(0, 9)
        friends: int = whole(0, 9, default=0, whose="helper")
        flag: bool = flag(default=False)

    class Regatta(Ask, texts=said.of("regatta"), init=False):
        us: Rower = side(Rower, "roller", "{}")
        them: Rower = side(Rower, "target", "their_{}", flag=None)

    assert list(Regatta.inputs) == ["oars", "their_oars", "friends", "their_friends", "flag"]
    assert Regatta.inputs["oars"].help == "oars of a boat"
    assert Regatta.inputs["their_oars"].help == "oars of the other boat"
    assert (Regatta.inputs["friends"].whose, Regatta.inputs["their_friends"].whose) == ("helper", "target")
    assert Regatta(oars=1, their_oars=2, flag=True).them.flag is False
