"""Spellings of other tools and of everyday speech are refused with what to write instead."""

from __future__ import annotations

import pytest

from astragal.errors import Refusal
from astragal.notation.parser import NotationError
from astragal.questions.notation import parse, read


@pytest.mark.parametrize(
    ("text", "column", "instead"),
    [
        ("1t[table]", 1, "write the table's die, such as 1d20"),
        ("3dc", 1, "write coins as 3d{0,1}"),
        ("dice 3d6", 0, "write the dice alone, as in 3d6"),
        ("1e3", 1, "such as 1000"),
        ("d", 0, "name the sides of the die, such as d6"),
        ("coin", 0, "d{heads,tails}"),
        ("percentile", 0, "write d100"),
        ("1d20adv", 4, "2d20kh1"),
        ("output 3d6", 0, "--dialect anydice"),
        ("[highest 3 of 4d6]", 1, "--dialect anydice"),
        ("1@4d6", 1, "--dialect anydice"),
        ("largest 3 4d6", 0, "write 4d6kh3"),
        ("least 2 3d6", 0, "write 3d6kl2"),
        ("x := 3d6", 2, "let x = 3d6"),
        ("max 2d20", 0, "write 2d20kh1"),
        ("3d6 => 10", 4, "write >= or <="),
        ("3d6 > = 10", 4, "write >= or <="),
        ("2d20kh1+5 vs AC 15", 13, "write >= 15"),
        ("1d20+5 dc 15", 7, "write >= 15"),
        ("3d6 at least 10", 4, "write >= 10"),
        ("3d6 under 12", 4, "write < 12, or <= 12"),
        ("5d10 tn 7", 5, "write count>=7"),
        ("1,000d6", 1, "without a comma"),
        ("two d6", 0, "write 2d6"),
        ("roundup(3d6/2)", 0, "ceil(3d6 / 2)"),
        ("3d6/2 round up", 6, "ceil(3d6 / 2)"),
        ("%{attack}", 0, "macros are not known here"),
        ("3d6.kh1", 3, "right behind the dice"),
        ("1d8+3 slashing + 1d6 fire", 6, "as in [slashing]"),
        ("1d6 1d8", 4, "write + 1d8"),
        ("8d10 s7", 5, "write count>=7"),
        ("4df2", 3, "write 4dF"),
        ("2d6|1d8", 3, "write {2d6, 1d8} or max(2d6, 1d8)"),
        ("3#2d6", 1, "write 3 x 2d6"),
        ("3d[1,2,3]", 2, "as in d{1,2,3}"),
        ("4cod8", 0, "write 4d10!>=8 count>=8"),
        ("2d6x10", 3, "times is *"),
    ],
)
def test_a_refusal_points_at_the_spelling_and_names_another(text: str, column: int, instead: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse(text)
    assert instead in refused.value.public
    assert refused.value.column == column


@pytest.mark.parametrize("text", ["1d20+@{x}", "2d6 +", "(2d6", "4d6u"])
def test_a_refusal_that_knows_better_or_nothing_stays_as_it_is(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse(text)
    assert "write modifiers" not in refused.value.public


@pytest.mark.parametrize(
    ("text", "dialect", "reads"),
    [
        ("3D6Kh2", "", "3d6kh2"),
        ("8d10f1>7", "", "8d10 fail1 count>7"),
        ("[[/r 1d20]]", "foundry", "1d20"),
        ("/br 1d20", "foundry", "1d20"),
        ("!roll 4d6", "dicemaiden", "4d6"),
    ],
)
def test_spellings_that_are_read(text: str, dialect: str, reads: str) -> None:
    found = read(text, dialect)
    assert str(found.expression) == reads
    assert parse(reads) == found.expression
    assert not any("comment" in note for note in found.notes)


def test_a_number_behind_vs_is_told_from_one_to_reach() -> None:
    assert read("d20 vs 15").notes == ("vs pairs two pools, so that more than 15 wins; to reach 15, write >= 15.",)
    assert read("3d6 vs 2d6").notes == ()


@pytest.mark.parametrize(
    ("text", "instead"),
    [("output 4d6kh3", "[highest 3 of 4d6]"), ("output d6!", "[explode d6]"), ("print 3d6", "AnyDice writes output")],
)
def test_a_program_with_words_of_others_is_told_what_anydice_writes(text: str, instead: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse(text, "anydice")
    assert instead in str(refused.value)
