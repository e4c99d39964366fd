"""The story: a log as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from astragal.table.access import may_see
from astragal.table.entry import Entry
from astragal.table.event import SceneOpened
from astragal.table.log.lines import LogLine, heard, tell
from astragal.table.state import Member, State

_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~&$@]|(?<=www)\.|:(?=//)", re.IGNORECASE)
"""What means something in Markdown or its dialects, wherever it stands: markup, HTML, tables, formulas, links."""
_LINE_START = re.compile(r"^(\d*)([-+=.)])")
"""What would begin a list or underline a heading."""


def story(entries: Iterable[Entry], state: State, member: Member | None) -> Iterator[str]:
    """The lines of the story, as this seat knows it. What was undone is left out."""
    yield f"# {_escape(state.title)}\n"
    for entry in entries:
        if entry.id in state.struck or not any(may_see(member, event.audience) for event in entry.events):
            continue
        scene = next((event for event in heard(entry, member) if isinstance(event, SceneOpened)), None)
        if scene:
            yield f"\n## {_escape(scene.title)}\n"
        rest = replace(entry, events=[event for event in entry.events if not isinstance(event, SceneOpened)])
        yield from _paragraph([line for line in tell(rest, state, member) if line.kind != "undo"])


def _paragraph(lines: list[LogLine]) -> Iterator[str]:
    rolled = any(line.kind == "verdict" for line in lines)
    for line in lines:
        if line.kind == "dice":
            yield f"> {_dice(line)}  "
        elif line.kind == "verdict":
            yield f"> **{_escape(str(line))}**  "
        elif line.kind == "headline":
            yield f"> *{_escape(str(line))}*  "
        elif rolled and line.kind == "note" and line.roll:
            continue
        else:
            yield f"{_escape(str(line))}\n"


def _dice(line: LogLine) -> str:
    return " ".join(f"**[{face}]**" if counts else f"[{face}]" for _, _, face, _, counts in line.dice) or _escape(
        line.text
    )


def _escape(text: str) -> str:
    """The text as Markdown that shows it as it is: no markup, no links, no lists, and its line breaks kept."""
    lines = (line.strip() for line in text.splitlines())
    return "  \n".join(_LINE_START.sub(r"\1\\\2", _SIGNS.sub(r"\\\g<0>", line)) for line in lines if line)
