"""Exports of version 0.5, and what each seat saw of them then: they are read for ever, and show the same.

For each game there is the sample, a wild table of 250 entries with hidden rolls, and a long one of 1,200 entries with
undone entries, retired characters and rolls left open.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Container
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from astragal.games.registry import game
from astragal.table import event as e
from astragal.table.access import seat_version
from astragal.table.entry import Entry, decode_entry
from astragal.table.log.export import export_lines
from astragal.table.log.lines import shown
from astragal.table.log.shown import EntryShown
from astragal.table.log.story import story
from astragal.table.state import State, decode_state, encode_state
from astragal.table.table import folded
from astragal.table.view.build import view
from tests.table.exports import read_export

FOLDER = Path(__file__).parent / "exports-0.5"
NAMES = sorted(path.name.removesuffix(".jsonl.gz") for path in FOLDER.glob("*.jsonl.gz"))


def read(name: str) -> bytes:
    return gzip.decompress((FOLDER / name).read_bytes())


def as_json(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def with_type(path: str, part: dict[str, Any], others: Container[str]) -> dict[str, Any]:
    """A part of 0.5, but for what is sent otherwise today.

    The player's sheet of a GM or an onlooker, at one of the paths ``others``, has no items.

    An open node says its type. A roll whose outcome is hidden had a key ``throw``, always null, that nobody read.
    """
    if path in others:
        return {**part, "sheet": {section: {} for section in part["sheet"]}}
    if not path.startswith("rolls/"):
        return part
    assert part.get("throw") is None
    seen = {key: value for key, value in part.items() if key != "throw"}
    if seen.get("open"):
        seen["open"] = {"type": "choice" if "choice" in seen["open"] else "dice", **seen["open"]}
    if seen.get("waits") == "dice":
        del seen["yours"]
    return seen


NEW = {"their_helpers", "waits_for", "takes", "locked", "throws"} | {
    "name", "does", "about", "needs", "tray", "tone", "tier", "sum", "gains", "pairs", "series", "waits_name",
    "against_name", "request", "wants",
}  # fmt: skip
"""What today's view of a roll says besides; of an option, whose it is."""


def as_then(path: str, part: dict[str, Any]) -> dict[str, Any]:
    """A part as it is sent today, with the defaults that 0.5 sent and without what it did not say."""
    if path == "table":
        return {key: value for key, value in part.items() if key != "typed_dice"}
    if path.startswith("holders/"):
        return {key: value for key, value in part.items() if key != "free"}
    if not path.startswith("rolls/"):
        return part
    seen = {key: value for key, value in part.items() if key not in NEW}
    if "dice" in seen:
        lies = ("wave", "earned_by", "role", "side")
        dice = [{"throw": "", "did": "", "counts": False, **die} for die in seen["dice"]]
        seen["dice"] = [{key: value for key, value in die.items() if key not in lies} for die in dice]
    if seen.get("open", {}) and "options" in seen["open"]:
        for option in seen["open"]["options"]:
            del option["by"], option["yours"]
    if seen.get("waits") == "dice":
        del seen["yours"]  # whoever takes part could throw all dice
    return seen


GOES_ON = ("ask", "headline", "missing", "offers", "open", "result", "waits", "yours")
"""What an unfinished roll shows by today's rules, whatever they were when it was opened."""


def as_stored(path: str, part: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    """A part as it is now, but for what asks and results did not have then, and for how an unfinished roll goes on."""
    if not path.startswith("rolls/"):
        return part
    if "dice" in part:
        part = {**part, "dice": as_titled(part["dice"], then["dice"])}
    if not then["over"]:
        same = {key: value for key, value in part.items() if key not in GOES_ON}
        return {**same, **{key: then[key] for key in GOES_ON if key in then}}
    known = {key: as_known(part[key], then[key]) for key in ("ask", "result") if then.get(key)}
    return {**part, **known}


def as_known(now: Any, then: Any) -> Any:
    """What is there now, without what was not there then; what today's rules cannot tell any more stays out."""
    if now is None:
        return then
    if isinstance(then, dict):
        return {name: as_known(now.get(name), value) for name, value in then.items()}
    return [as_known(*pair) for pair in zip(now, then, strict=True)] if isinstance(then, list) else now


def as_titled(now: list[dict[str, Any]], then: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Dice as they are now, under the titles that their throws had then: today's rules may call them otherwise."""
    return [{**die, "throw": before["throw"]} for die, before in zip(now, then, strict=True)]


def without_building(entry: EntryShown) -> EntryShown:
    """An entry without the lines about what was put into a roll, which 0.5 did not tell."""
    return replace(entry, lines=[line for line in entry.lines if line.kind != "build"])


def with_reused(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry of 0.5, but for ``reused``: only the text said that dice are those of an undone throw.

    A verdict that somebody could still change said "so far".
    """
    lines = [
        {**line, "reused": True} if line["kind"] == "dice" and "before the undo" in line["text"] else line
        for line in entry["lines"]
    ]
    return {**entry, "lines": [{**line, "text": line["text"].replace(", so far.", ".")} for line in lines]}


WORDING = (
    (re.compile(r", [a-z ]+ is now (?=\d)"), " is now "),  # the field that counts needs no name
    (re.compile(r"^The oracle answers: (.*) (yes|no|mixed)\.$"), r"\1."),  # the answer stands in the dice too
    (re.compile(r" \([^()]*\)(?=\.$| \()"), ""),  # what a new item says, and why
    (re.compile(r"^The table: IP "), "The GM's IP "),
    (re.compile(r"^.*Clock (?=.* is full)"), "Clock "),  # whose it is
    (re.compile(r"^(The table: |The Clock |A Clock begins: )"), ""),
    (re.compile(r"somebody against "), ""),
    (re.compile(r"^.*'s dice: "), "Dice: "),
    (re.compile(r" is (?:crossed at (.*)|clear) now(?=\.$)"), lambda found: f" is now {found[1] or 'none'}"),
    (re.compile(r": (no longer )?(Out of the scene|out of the scene)(, out is now (yes|no))?"), ": Out"),
    (re.compile(r", no longer: [\w ]+(?=\.$)"), " is now no"),  # a fact in the words of its help
    (re.compile(r", (the GM has used it|an Injury)(?=\.$)"), " is now yes"),
    (re.compile(r", [a-z ]+ is now "), " is now "),  # a count needs no other name than its item's
)
"""What a line says otherwise today, or may say otherwise, and what stands for both."""


def as_worded(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry of the log, but for wording that has been improved since 0.5.

    A move of which something hidden came was told apart from others in 0.5, which gave that away.
    """
    lines = [{**line, "text": _worded(line["text"])} for line in entry["lines"]]
    lines = [{name: value for name, value in line.items() if name != "by"} for line in lines]
    return {**entry, "do": "change" if entry["do"] == "move" else entry["do"], "lines": lines}


def _worded(text: str) -> str:
    for pattern, instead in WORDING:
        text = pattern.sub(instead, text)
    return text


def lines_of(name: str) -> list[bytes]:
    """The lines of an export."""
    return read(f"{name}.jsonl.gz").splitlines(keepends=True)


def verdicts_of(told: str) -> list[str]:
    """What the rolls of a story of 0.5 came to; it was a list of lines then, and is prose now."""
    bold = re.findall(r"^> (\*\*[^\[\n].*\*\*) {2}$", told, re.MULTILINE)
    return [verdict for verdict in bold if not verdict.endswith(", so far.**")]


def assert_shows_the_same(name: str, state: State, entries: list[Entry]) -> None:
    """Every seat sees what it saw in 0.5."""
    then: dict[str, dict[str, Any]] = json.loads(read(f"{name}.seats.json.gz"))
    for id, seen in then.items():
        member = state.members.get(id)
        assert seat_version(state, member) == seen["version"]
        others = {f"holders/{id}" for id, each in state.members.items() if each.role in ("gm", "onlooker")}
        then_seen = {path: with_type(path, part, others) for path, part in seen["view"].items()}
        parts = {path: part for path, part in as_json(view(state, member)).items() if not path.startswith("pools/")}
        now = {path: as_then(path, part) for path, part in parts.items()}
        assert {path: as_stored(path, part, then_seen.get(path, part)) for path, part in now.items()} == then_seen
        log = [without_building(told) for entry in entries if (told := shown(entry, state, member))]
        assert list(map(as_worded, as_json(log))) == [as_worded(with_reused(entry)) for entry in seen["log"]]
        prose = "\n".join(story(entries, state, member))
        assert [verdict for verdict in verdicts_of(seen["story"]) if verdict not in prose] == []


@pytest.mark.parametrize("name", NAMES)
def test_an_export_of_0_5_shows_every_seat_what_it_showed_then(name: str) -> None:
    imported = read_export(lines_of(name))
    assert imported.header.format == 1
    assert_shows_the_same(name, imported.state, imported.entries)
    assert_shows_the_same(name, decode_state(encode_state(imported.state)), imported.entries)
    assert_shows_the_same(name, folded(imported.entries), imported.entries)


@pytest.mark.parametrize("name", NAMES)
def test_in_the_new_format_it_is_complete_and_stays_the_same(name: str) -> None:
    first = read_export(lines_of(name))
    file = list(export_lines("t", first.state, first.entries))
    again = read_export(file)
    assert (again.header.format, {entry.v for entry in again.entries}) == (3, {2})
    assert again.entries == first.entries
    assert encode_state(again.state) == encode_state(first.state)
    assert list(export_lines("t", again.state, again.entries)) == file
    assert_shows_the_same(name, again.state, again.entries)


ADDED: dict[type, set[str]] = {
    e.Opened: {"title"},
    e.Asked: {"defaults"},
    e.Thrown: {"title", "by", "value"},
    e.Told: {"dice", "result", "effects"},
}
"""The fields that version 2 has and version 1 has not."""


@pytest.mark.parametrize("name", NAMES)
def test_what_0_5_stored_is_only_added_to(name: str) -> None:
    """But for the fields that version 2 adds, every line is what it was."""
    for line, entry in zip(lines_of(name)[1:], read_export(lines_of(name)).entries, strict=True):
        old = decode_entry(line)
        assert replace(entry, events=[], v=1) == replace(old, events=[])
        for before, after in zip(old.events, entry.events, strict=True):
            assert type(before) is type(after)
            for field in {*before.__struct_fields__} - ADDED.get(type(before), set()):
                assert getattr(after, field) == getattr(before, field)


class Replayed(BaseException):
    """A roll was played back, and nobody may catch this."""


@pytest.mark.parametrize("name", NAMES)
def test_no_finished_roll_is_played_back_to_be_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With finished rolls alone, a table shows the same when every rule fails; in the new format it also opens."""
    imported = read_export(lines_of(name))
    rolls = {id: roll for id, roll in imported.state.world.rolls.items() if roll.over}
    finished = replace(imported.state, world=replace(imported.state.world, rolls=rolls))
    before = {id: view(finished, member) for id, member in finished.members.items()}
    file = list(export_lines("t", imported.state, imported.entries))
    open_rolls = len(imported.state.world.rolls) - len(rolls)

    def rule(ask: Any) -> Any:
        raise Replayed

    kinds: Any = game(imported.state.game).kinds
    for kind in list(kinds.values()):
        monkeypatch.setitem(kinds, kind.name, kind._replace(rule=rule))
    assert {id: view(finished, member) for id, member in finished.members.items()} == before
    assert folded(imported.entries) == imported.state
    if not open_rolls:
        assert read_export(file).state == imported.state


def test_there_are_exports_of_every_game() -> None:
    assert (
        sorted(
            f"{game}-{sort}"
            for game in ("narraject", "tgimh", "chronicles", "razorweave")
            for sort in ("sample", "hidden", "long")
        )
        == NAMES
    )
