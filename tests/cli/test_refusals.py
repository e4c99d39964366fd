"""Bad input: one sentence on stderr, exit code 2, no traceback, nothing on stdout."""

from __future__ import annotations

import shlex

import pytest

from tests.cli.command import run

REFUSED = [
    ("roll narraject --d6 -1", "from 0 to 1,000 (NJ-2)."),
    ("roll narraject --d6 -3", "from 0 to 1,000 (NJ-2)."),
    ("roll narraject --d6 1000000000", "from 0 to 1,000 (NJ-2)."),
    ("roll chronicles --pool 1000000000", "from −1,000 to 1,000"),
    ("roll chronicles --pool 1000 --modifier 5", "at most 1,000 are rolled"),
    ("roll chronicles --pool 500 --helpers 3", "at most 1,000 are rolled"),
    ("roll tgimh --ours 1000000000 --theirs 1", "from −1,000 to 1,000"),
    ("roll tgimh --ours 1 --theirs 1 --die 1", "from 2 to 100"),
    ("roll narraject --d6 5 --step 7", "it must be 6, 8, 10 or 12 (NJ-3)."),
    ("roll narraject --d6 5 --step d7", "it must be 6, 8, 10 or 12 (NJ-3)."),
    ("roll narraject --d6 5 --faces '7 1 1 1 1 | 3'", "The 1st d6 cannot show 7"),
    ("roll narraject --d6 2 --faces '1 0 | 3'", "The 2nd d6 cannot show 0"),
    ("roll narraject --d6 2 --faces '1 1 | 13' --step 12", "The Step Die cannot show 13"),
    ("roll narraject --d6 five", 'd6 is "five"'),
    ("roll narraject --d6 5 --difficulty hard", 'difficulty is "hard"'),
    ("roll razorweave --dc nan", 'dc is "nan"'),
    ("roll razorweave --dc 14 --edge lots", 'edge is "lots"'),
    ("roll narraject --d6 5 --help-dice 3", "from 0 to 2 (NJ-5)."),
    ("roll narraject --d6 5 --help-dice '1 Ana, 1 Bo, 1 Cy'", "from 0 to 2 (NJ-5)."),
    ("roll narraject --d6 '2/1 Agility'", "nothing is spent (NJ-6)."),
    ("roll narraject --d6 5 --ip 1 --spend add", "nothing is spent (NJ-14)."),
    ("roll narraject --d6 5 --spend reroll", "nothing is spent (NJ-14)."),
    ("roll narraject --d6 5 --ip 9 --spend partial --faces '6 6 6 6 6 | 3'", "on a failure only"),
    ("roll narraject --d6 5 --ip 9 --spend dance", '"dance" is no answer to spend'),
    (
        "roll narraject --d6 1 --ip 9 --difficulty 3 --spend partial,reroll --faces '1 | 3'",
        "after everything was settled",
    ),
    ("roll narraject --d6 1 --ip 1 --spend reroll --faces '1 | 3'", "no face was typed for it"),
    ("roll chronicles 5 --modifier 9", "from −5 to +5"),
    ("roll chronicles", "give a pool, or an attribute with a skill (CD-1)."),
    ("roll chronicles 5 --again 7", "it must be 10, 9, 8 or none (CD-6)."),
    ("roll chronicles 3 --faces '10 3 8'", "Too few faces in wave 2"),
    ("roll chronicles 3 --faces '9 3 8 / 2'", "Too many faces"),
    ("roll poker", 'There is no game "poker"'),
    ("roll narraject --d6 5 --edition vintage", "it must be marks or hits (NJ-1)."),
    ("roll narraject --d6 5 --faces ''", "No faces were typed"),
    ("roll narraject --d6 5 --faces ' '", "No faces were typed"),
    ("roll narraject --d6 5 --faces '1 2 3'", "the 4th d6 is missing"),
    ("roll narraject --d6 5 --faces x", '"x" is not a face'),
    ("roll narraject --d6 5 --faces '1 1 1 1 1 | 1' --seed 3", "give one of them"),
    ("roll narraject --d6 5 --by-hand", "this is not one"),
    ("roll narraject --d6", "--d6 needs a value"),
    ("roll narraject --dificulty 5", 'There is no option "--dificulty"; did you mean --difficulty'),
    ("roll narraject 5 8 3 4", '"4" is one word too many'),
    ("roll narraject 5 --d6 5", "d6 is given twice"),
    ("roll chronicles 5 --rote=yes", "--rote takes no value"),
    ("roll razorweave", "dc is missing"),
    ("roll razorweave oracle --counted 9", "there are 3 (RW-14)."),
    ("roll razorweave split --dc 14 --members 3", "2 to 12 members"),
    ("roll", "Name a game"),
    ("sing", 'There is no command "sing"'),
    ("rules", "Name a game"),
    ("rules narraject NJ-99", 'There is no rule "NJ-99"'),
    ("examples poker", 'There is no game "poker"'),
    ("examples --rule XX-1", 'There is no rule "XX-1"'),
    ("completion powershell", "Name a shell"),
    ("games a b", '"b" is one word too many'),
]


@pytest.mark.parametrize(("command", "part"), REFUSED, ids=[command for command, _ in REFUSED])
def test_bad_input_is_refused_in_a_sentence(command: str, part: str) -> None:
    ran = run(*shlex.split(command))
    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err
    assert ran.err.startswith("astragal: ")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("command", [command for command, _ in REFUSED if command.startswith("roll n")])
def test_json_changes_nothing_about_a_refusal(command: str) -> None:
    ran = run(*shlex.split(command), "--json")
    assert (ran.code, ran.out) == (2, "")
