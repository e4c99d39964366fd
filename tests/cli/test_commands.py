"""The other commands: games, rules, examples, play, completion, help."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from astragal.cli.main import COMMANDS
from tests.cli.command import run, run_apart, run_on_terminal


def test_games_as_json_lists_asks_options_and_bounds() -> None:
    listed = {game["name"]: game for game in run("games", "--json").json["games"]}
    assert list(listed) == ["narraject", "tgimh", "chronicles", "razorweave"]
    inputs = {input["name"]: input for input in listed["narraject"]["kinds"][0]["inputs"]}
    assert (inputs["d6"]["min"], inputs["d6"]["max"], inputs["d6"]["required"]) == (0, 1000, False)
    assert inputs["step"]["options"] == [6, 8, 10, 12]
    assert [kind["name"] for kind in listed["chronicles"]["kinds"]] == ["attempt", "extended", "contested"]
    assert run("games", "tgimh", "--json").json["games"] == [listed["tgimh"]]


def test_games_for_a_person() -> None:
    assert "razorweave" in run("games").out
    assert "--helper-pool" in run("games", "chronicles").out


def test_rules_by_number() -> None:
    assert run("rules", "narraject", "nj-12").out.startswith("NJ-12")
    assert "CD-13" in run("rules", "chronicles").out


def test_examples_are_played_again_and_none_is_wrong() -> None:
    ran = run("examples", "--rule", "CD-7")
    assert ran.code == 0
    assert ran.out.strip().endswith("0 wrong.")
    assert all(example["right"] for example in run("examples", "tgimh", "--json").json)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"usage: astragal {command}")
    assert "examples:\n  " in ran.out


def test_help_and_version() -> None:
    assert "astragal roll chronicles 7 --rote" in run("--help").out
    assert run().out == run("--help").out
    assert run("--version").out.startswith("astragal 0.")


def test_a_guided_roll_asks_rolls_and_explains() -> None:
    typed = ["chronicles", "1", "x", "3", "", "", "", "10 3 8 / 4", "n"]
    ran = run("play", typed="\n".join(typed) + "\n")
    assert ran.code == 0
    assert 'pool is "x"' in ran.out
    assert "Success: 2 successes" in ran.out
    assert "A 10 is rolled again, without end (CD-5)." in ran.out


def test_a_guided_roll_on_a_terminal_with_a_choice_at_the_end() -> None:
    typed = ["3", "d8", "5", "", "1", "1 2 3 | 4", "2", "6", "n"]
    shown = run_on_terminal("play", "narraject", typed=typed)
    assert shown.code == 0
    assert "Change it? 1 IP held." in shown.out
    assert "The Step Die now shows 6 (NJ-13)." in shown.out


FIRST_STEPS = "\n" * 5
"""Intent, approach and the three conditions of a Check, all left blank (RW-1)."""


def test_an_empty_answer_that_cannot_be_taken_is_explained() -> None:
    ran = run("play", "razorweave", typed="1\n" + FIRST_STEPS + "\n14\n")
    asked = next(line for line in ran.out.splitlines() if "no usual value" in line)
    assert "so give one: it must be a whole number from 1 to 99." in asked
    assert "dc:" not in ran.out


def test_a_question_is_asked_once_and_names_its_steps_once() -> None:
    ran = run("play", "razorweave", typed="1\n" + FIRST_STEPS + "14\n")
    assert ran.out.count("12 Easy") == 1
    assert "How hard? (the DC; 12 Easy" in ran.out
    assert "??" not in ran.out and ")?" not in ran.out


def test_a_guided_roll_whose_input_ends_says_so() -> None:
    ran = run("play", typed="1\n")
    assert ran.code == 2
    assert ran.err.strip() == "astragal: The input ended before every question was answered; run this at a terminal."


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m astragal examples | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ([], {"roll", "play", "games", "--help"}),
        (["roll"], {"narraject", "tgimh"}),
        (["roll", "razorweave"], {"oracle", "--dc", "--strike"}),
        (["roll", "razorweave", "oracle"], {"--question", "--counted"}),
        (["roll", "chronicles", "--again"], {"10", "9", "8", "none"}),
        (["odds", "razorweave"], {"race", "--dc", "--vary", "--show"}),
        (["odds", "narraject", "--show"], {"success", "joint"}),
        (["advise", "narraject", "--wish"], {"succeed"}),
        (["advise", "narraject"], {"--faces", "--spend"}),
        (["race"], {"razorweave"}),
        (["race", "razorweave"], {"--goal", "--threat-ticks"}),
        (["lint"], {"narraject", "--strict"}),
        (["lint", "razorweave"], {"check", "race"}),
        (["games"], {"tgimh", "--json"}),
        (["discord"], {"commands", "register", "--guild"}),
        (["compare"], {"--show", "--svg"}),
        (["completion"], {"bash", "zsh", "fish"}),
    ],
)
def test_completion_knows_what_may_come_next(typed: list[str], wanted: set[str]) -> None:
    assert wanted <= set(run("completion", "--words", *typed).out.split())


def test_nothing_completes_what_makes_no_sense() -> None:
    for command in ("roll", "lint"):
        assert run("completion", "--words", command, "poker").out.strip() == ""


def test_bash_completes(tmp_path: Path) -> None:
    """The real shell, with the real script."""
    script = tmp_path / "completion.bash"
    script.write_text(run("completion", "bash").out)
    bin_folder = Path(sys.executable).parent
    words = f"source {script}; COMP_WORDS=(astragal roll chron); COMP_CWORD=2; _astragal; echo ${{COMPREPLY[*]}}"
    done = subprocess.run(
        ["bash", "-c", f"PATH={bin_folder}:$PATH; {words}"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "chronicles"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script_that_it_can_read(shell: str) -> None:
    script = run("completion", shell).out
    assert "astragal completion --words" in script
    if found := shutil.which(shell):
        assert subprocess.run([found, "-n"], input=script, text=True, check=False, capture_output=True).returncode == 0


def test_a_terminal_that_knows_few_signs_is_no_error() -> None:
    ran = run_apart("roll", "chronicles", "3", "--seed", "1", env={"PYTHONIOENCODING": "ascii"})
    assert ran.code == 0
    assert "Chronicles: 3d10" in ran.out
    assert run_apart("roll", "razorweave", "30", "--faces", "1 1 1 1", env={"PYTHONIOENCODING": "ascii"}).err == ""


def test_a_word_that_is_required_stands_without_brackets() -> None:
    assert run("verify", "--help").out.startswith("usage: astragal verify FILE [")
