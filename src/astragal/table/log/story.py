"""The story: a log as Markdown, to be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from astragal.table.access import may_see
from astragal.table.entry import Entry
from astragal.table.log.lines import LogLine, tell
from astragal.table.state import Member, State


def story(entries: Iterable[Entry], state: State, member: Member | None) -> Iterator[str]:
    """The lines of the story, as this seat knows it. What was undone is left out."""
    yield f"# {state.title}\n"
    for entry in entries:
        if entry.id in state.struck or not any(may_see(member, event.audience) for event in entry.events):
            continue
        yield from _paragraph([line for line in tell(entry, state, member) if line.kind not in ("undo",)])


def _paragraph(lines: list[LogLine]) -> Iterator[str]:
    scene = next((line for line in lines if line.kind == "scene" and line.text.startswith("Scene: ")), None)
    if scene:
        yield f"\n## {_escape(scene.text.removeprefix('Scene: ').removesuffix('.'))}\n"
    told = [line for line in lines if line is not scene]
    rolled = any(line.kind == "verdict" for line in told)
    for line in told:
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
    return " ".join(f"**[{face}]**" if counts else f"[{face}]" for _, _, face, _, counts in line.dice) or line.text


def _escape(text: str) -> str:
    """Signs that Markdown would take for its own."""
    for sign in "\\`*_[]<>#":
        text = text.replace(sign, f"\\{sign}")
    return text
