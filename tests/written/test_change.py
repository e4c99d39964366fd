"""What outcomes of a written game change: by formulas, on the target's sheet, on Clocks; a mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal import Typed, play
from astragal.errors import Faulty
from astragal.rule.tree.effect import Effect
from astragal.written import load_game

LADDER = Path(__file__).with_name("ladder.toml").read_text("utf-8")
CHANGE = 'what = "luck"\nby = -1\n\n[[sheet]]'
"""The only change of the ladder's outcomes."""
CLOCK = """
[roll.inputs.clock]
kind = "words"
help = "the Clock"

[roll.dice]"""


def ladder(tmp_path: Path, *edits: tuple[str, str]) -> Path:
    """The ladder with texts replaced."""
    text = LADDER
    for find, write in edits:
        assert text.count(find) == 1, find
        text = text.replace(find, write)
    path = tmp_path / "ladder.toml"
    path.write_text(text, "utf-8")
    return path


def change(what: str, by: str, more: str = "") -> tuple[str, str]:
    return CHANGE, f'what = "{what}"\nby = {by}\n{more}\n\n[[sheet]]'


def effects(path: Path, faces: str, **given: object) -> tuple[Effect, ...]:
    found = load_game(path).main
    return play(found.rule(found.ask(**given)), Typed(faces)).effects


def test_a_formula_says_by_how_much(tmp_path: Path) -> None:
    path = ladder(tmp_path, change("luck", '"pool kl1 - 7"', 'who = "target"'))
    assert effects(path, "2 3") == (Effect("luck", "target", -5, "Luck", "LA-2"),)


def test_a_formula_that_comes_to_nothing_changes_nothing(tmp_path: Path) -> None:
    assert effects(ladder(tmp_path, change("luck", '"total - 5"')), "2 3") == ()


def test_a_clock_is_named_by_an_input_or_not_at_all(tmp_path: Path) -> None:
    named = change("clocks/{clock}", "2", 'who = "table"')
    path = ladder(tmp_path, named, ("[roll.dice]", CLOCK))
    assert effects(path, "1 1", clock="Dawn") == (Effect("clocks", "table", 2, "Dawn", "LA-2"),)
    assert effects(path, "1 1") == ()


def test_a_new_item_begins_with_the_count(tmp_path: Path) -> None:
    free = ('name = "luck"\ntitle = "Luck"\n', 'name = "luck"\ntitle = "Luck"\nfree = true\n')
    for by, effect in (
        ("2", Effect("luck", "roller", 0, "Charm", "LA-2", to={"now": 2})),
        ("-2", Effect("luck", "roller", -2, "Charm", "LA-2")),
    ):
        path = ladder(tmp_path, free, change("luck/Charm", by, "new = true"))
        assert effects(path, "1 1") == (effect,)


def test_what_is_full_limits_the_count_and_is_where_it_starts(tmp_path: Path) -> None:
    path = ladder(tmp_path, ("max = 5\nstart = 3", "max = 9\nfull = 4"))
    found = load_game(path)
    section = next(part for part in found.table_rules.TABLE_RULES.character if part.name == "luck")  # type: ignore[union-attr]
    assert (section.counts, section.top, section.start()) == ("now", "full", {"now": 4, "full": 4})


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (change("luck", "-1", 'who = "gm"'), 'line 54: who is "gm"; it may be roller, target, table, scene.'),
        (change("luck", '"totl"'), 'line 53: "totl" is neither dice nor a number here'),
        (change("luck", "1.5"), "line 53: by is the number 1.5; it must be a whole number."),
        (change("clocks/Dawn", "1"), 'line 52: the table has Clocks: write who = "table"'),
        (change("clocks/{stat}", "1", 'who = "table"'), "line 52: {stat} must name an input of words or of sources"),
        (change("luck", "1", "new = true"), "line 54: new puts an item into a section that counts, and"),
        (change("clocks", "1", 'who = "table"'), "line 52: which Clock?"),
        (("start = 3", "start = 3\nfull = 2"), "line 69: start is 3; it must be from 0 to 2."),
        (("default = 0\nrule", 'default = 0\nsheet = "luck"\nof = "gm"\nrule'), 'of is "gm"; it may be'),
        (("default = 0\nrule", 'default = 0\nsheet = "lack"\nrule'), 'there is no section "lack" on the sheet'),
        (('pool = "2d6"', 'd6 = "2d6"'), 'line 28: "d6" means something in dice notation; choose another name.'),
        (('"pool + stat + bonus"', '"pool + stat +"'), "line 32: This is not dice notation: expected a number"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(tmp_path: Path, edit: tuple[str, str], says: str) -> None:
    with pytest.raises(Faulty) as refused:
        load_game(ladder(tmp_path, edit))
    assert says in str(refused.value)
