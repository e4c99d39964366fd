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


@pytest.mark.parametrize("name", NAMES)
def test_an_export_of_0_5_shows_every_seat_what_it_showed_then(name: str) -> None:
    imported = read_export(read(f"{name}.jsonl.gz").splitlines(keepends=True))
    then: dict[str, dict[str, Any]] = json.loads(read(f"{name}.seats.json.gz"))
    for id, seen in then.items():
        member = imported.state.members.get(id)
        assert seat_version(imported.state, member) == seen["version"]
        assert as_json(view(imported.state, member)) == seen["view"]
        log = [told for entry in imported.entries if (told := shown(entry, imported.state, member))]
        assert as_json(log) == seen["log"]
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
