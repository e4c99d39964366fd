"""Facts of a written game read of the dice only what they depend on, and their odds are those of every throw."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from astragal import Typed, odds, play
from astragal.dice.distribution import Beyond
from astragal.errors import Illegal
from astragal.rule.chances.fact import facts_of
from astragal.rule.game import Kind
from astragal.written import load_game

HEAD = """
name = "wild"
title = "Wild"
blurb = "Formulas of every sort."
rules = { WI-1 = "Roll." }
[[roll]]
name = "go"
title = "Go"
rule = "WI-1"
[roll.inputs.skill]
help = "a number"
min = -2
max = 9
default = 1
"""
SYMBOLS = """
[roll.dice]
bright = { n = 2, faces = ["blank", "spark", "spark+star", "star+star"] }
dark = { n = 1, faces = ["smoke", "smoke+smoke", "spark"] }
plain = "1d3"
"""
EXPLODING = """
[roll.dice]
pool = "2d10!"
"""
FORMULAS = {
    "one symbol": "spark",
    "a difference": "spark - smoke",
    "the same the other way round": "smoke - spark",
    "a sum with an input in front": "skill + spark - smoke",
    "several of each": "2 * spark - star * 3 + 4 * spark",
    "a negative": "-(spark - smoke) - star",
    "brackets inside brackets": "2 * (spark - 3 * (smoke - star)) - 1",
    "a comparison with an input": "spark > smoke + skill",
    "a comparison of products": "2 * spark >= 4 * smoke - star",
    "nothing in the end": "spark - spark",
    "a product of symbols": "spark * star - smoke",
    "a function": "max(spark - smoke, star, 0) + min(spark, 1)",
    "one of two": "if spark > smoke then spark - smoke else if star = 0 then -1 else star",
    "logic": "spark > smoke and not star = smoke or skill > 5",
    "a quotient": "(spark + star) / 2 - smoke % 2",
    "a quotient only where there is one": "if star = 0 then -1 else spark / star",
    "with plain dice": "spark - smoke + plain kh1 - plain",
    "a comparison inside a sum": "(spark > smoke) + star",
}


def roll(folder: Path, body: str) -> Kind:
    file = folder / "wild.toml"
    file.write_text(HEAD + body, "utf-8")
    return load_game(file).main


def high_or_low(folder: Path, dice: str, one: str, other: str, high: str) -> Kind:
    """A roll with two readings and two outcomes."""
    return roll(
        folder,
        f"""{dice}
[roll.readings]
{one}
{other}
[[roll.outcomes]]
name = "High"
when = "{high}"
tone = "good"
[[roll.outcomes]]
name = "Low"
tone = "bad"
""",
    )


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
def test_the_odds_of_a_formula_of_symbols_are_those_of_every_throw(formula: str, tmp_path: Path) -> None:
    kind = high_or_low(
        tmp_path, SYMBOLS, f'value = "{formula}"', 'other = "star - smoke"', "value > 1 and other <= spark"
    )
    ask = kind.ask(skill=1)
    throws = itertools.product(range(1, 5), range(1, 5), range(1, 4), range(1, 4))
    played = [play(kind.rule(ask), Typed(f"{a} {b} | {c} | {d}")).result for a, b, c, d in throws]
    for name, fact in facts_of(kind).items():
        seen = Counter(map(fact.of, played))
        expected = {value: Fraction(n, len(played)) for value, n in seen.items()}
        assert odds(ask, name).to_dict() == expected, name
    whole = {result: Fraction(n, len(played)) for result, n in Counter(played).items()}
    assert odds(ask).to_dict() == whole


def test_dice_that_are_named_again_later_stay_with_the_cases_that_were_merged(tmp_path: Path) -> None:
    dice = '[roll.dice]\npool = "3d6"\nstep = "1d6"\n'
    first = 'any = "pool kh1 >= 2"\nbonus = "if any then step else 0"'
    kind = high_or_low(tmp_path, dice, first, 'both = "bonus + pool kl1"', "both > 6")
    throws = itertools.product(range(1, 7), repeat=4)
    played = [play(kind.rule(kind.ask()), Typed(f"{a} {b} {c} | {d}")).result for a, b, c, d in throws]
    for name, fact in facts_of(kind).items():
        seen = Counter(map(fact.of, played))
        assert odds(kind.ask(), name).to_dict() == {value: Fraction(n, 6**4) for value, n in seen.items()}, name


def test_a_fact_asks_for_no_more_of_the_dice_than_it_needs(tmp_path: Path) -> None:
    """A hundred dice of each kind: all symbols together would be far too many."""
    text = SYMBOLS.replace("n = 2", "n = 100").replace("n = 1,", "n = 100,")
    kind = high_or_low(tmp_path, text, 'light = "spark - smoke"', 'mean = "star + light"', "light > 0")
    ask = kind.ask()
    assert odds(ask, "light").mean == 100 * (Fraction(1, 2) - Fraction(3, 3) + Fraction(1, 3))
    assert odds(ask, "outcome")["High"] + odds(ask, "outcome")["Low"] == 1


def hits(up_to: int) -> list[Fraction]:
    """The chances of so many faces of 8 or more on 2d10, of which each 10 is thrown again, from die to die."""
    one = [Fraction(7, 10)]
    for count in range(1, up_to + 1):
        one.append(one[-1] / 10 + (Fraction(2, 10) if count == 1 else 0))
    return [sum((one[a] * one[count - a] for a in range(count + 1)), Fraction(0)) for count in range(up_to + 1)]


def exploding(tmp_path: Path, condition: str, reading: str = "pool count>=8") -> Kind:
    return roll(
        tmp_path,
        f"""{EXPLODING}
[roll.readings]
hits = "{reading}"
[[roll.outcomes]]
name = "Yes"
when = "{condition}"
tone = "good"
[[roll.outcomes]]
name = "No"
tone = "bad"
""",
    )


def test_dice_that_explode_are_counted_without_end(tmp_path: Path) -> None:
    kind = exploding(tmp_path, "hits >= 3")
    ask = kind.ask()
    found = odds(ask, "hits", up_to=5)
    assert [found[n] for n in range(6)] == hits(5)
    assert found[Beyond(5)] == 1 - sum(hits(5))
    assert odds(ask, "outcome")["No"] == sum(hits(2))


@pytest.mark.parametrize("reading", ["pool", "pool kh1", "pool dl1", "pool count>=8 fail1", "pool keep>=5"])
def test_whatever_one_reading_takes_of_exploding_dice_has_the_odds_of_notation(tmp_path: Path, reading: str) -> None:
    found = odds(exploding(tmp_path, "hits >= 3", reading).ask(), "hits", up_to=30)
    same = odds(f"let pool = 2d10!: {reading}" if reading == "pool" else reading.replace("pool ", "2d10!"), up_to=30)
    assert {value: chance for value, chance in found.items() if chance} == dict(same.items())


def test_several_readings_of_exploding_dice_have_no_odds_together(tmp_path: Path) -> None:
    kind = exploding(tmp_path, "hits >= 3", "pool kh1 + pool count>=8")
    with pytest.raises(Illegal, match="pool kh1, pool count>=8"):
        odds(kind.ask(), "hits")


def test_an_outcome_of_exploding_dice_may_name_an_exact_count(tmp_path: Path) -> None:
    ask = exploding(tmp_path, "hits = 25 or hits + skill = 3").ask(skill=1)
    assert odds(ask, "outcome")["Yes"] == hits(25)[25] + hits(2)[2]


def test_what_an_end_would_have_to_be_known_for_is_refused(tmp_path: Path) -> None:
    ask = exploding(tmp_path, "hits % 2 = 0").ask()
    with pytest.raises(Illegal, match="no exact odds: it depends on values of which there is no end"):
        odds(ask, "outcome")
