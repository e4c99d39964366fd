"""Exports of version 0.5, and what each seat saw of them then: they are read for ever, and show the same.

For each game there is the sample, a wild table of 250 entries with hidden rolls, and a long one of 1,200 entries with
undone entries, retired characters and rolls left open.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from astragal.table.log.export import read_export
from astragal.table.log.lines import shown
from astragal.table.log.story import story
from astragal.table.view.build import seat_version, view

FOLDER = Path(__file__).parent / "exports-0.5"
NAMES = sorted(path.name.removesuffix(".jsonl.gz") for path in FOLDER.glob("*.jsonl.gz"))


def read(name: str) -> bytes:
    return gzip.decompress((FOLDER / name).read_bytes())


def as_json(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def with_type(path: str, part: dict[str, Any]) -> dict[str, Any]:
    """A part of 0.5, but for what 0.6 sends otherwise.

    An open node says its type. A roll whose outcome is hidden had a key ``throw``, always null, that nobody read.
    """
    if not path.startswith("rolls/"):
        return part
    assert part.get("throw") is None
    seen = {key: value for key, value in part.items() if key != "throw"}
    if seen.get("open"):
        seen["open"] = {"type": "choice" if "choice" in seen["open"] else "dice", **seen["open"]}
    return seen


def with_reused(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry of 0.5, but for ``reused``: only the text said that dice are those of an undone throw."""
    lines = [
        {**line, "reused": True} if line["kind"] == "dice" and "before the undo" in line["text"] else line
        for line in entry["lines"]
    ]
    return {**entry, "lines": lines}


@pytest.mark.parametrize("name", NAMES)
def test_an_export_of_0_5_shows_every_seat_what_it_showed_then(name: str) -> None:
    imported = read_export(read(f"{name}.jsonl.gz").splitlines(keepends=True))
    then: dict[str, dict[str, Any]] = json.loads(read(f"{name}.seats.json.gz"))
    for id, seen in then.items():
        member = imported.state.members.get(id)
        assert seat_version(imported.state, member) == seen["version"]
        assert as_json(view(imported.state, member)) == {
            path: with_type(path, part) for path, part in seen["view"].items()
        }
        log = [told for entry in imported.entries if (told := shown(entry, imported.state, member))]
        assert as_json(log) == [with_reused(entry) for entry in seen["log"]]
        assert "\n".join(story(imported.entries, imported.state, member)) == seen["story"]


def test_there_are_exports_of_every_game() -> None:
    assert (
        sorted(
            f"{game}-{sort}"
            for game in ("narraject", "tgimh", "chronicles", "razorweave")
            for sort in ("sample", "hidden", "long")
        )
        == NAMES
    )
