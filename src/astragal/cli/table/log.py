"""``astragal table log`` and ``story``: what happened, as a seat knows it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import groupby

from astragal.cli.parser import Option, Parsed, command
from astragal.cli.render.screen import Screen, continued, print_json
from astragal.cli.table.files import write_file
from astragal.cli.table.runner import STYLES, NewLines, labelled_dice, whose_dice
from astragal.cli.table.seat import HOW, Seat, answer, find_table, name_of, open_repository, seat_at, sit_down
from astragal.cli.watch import ProgressLine
from astragal.explain.translation import speaker
from astragal.storage.tables.keys import load_head_key
from astragal.table.access import may_see
from astragal.table.entry import Entry
from astragal.table.log.appendix import appendix, sealed_story
from astragal.table.log.lines import shown
from astragal.table.log.shown import DieTold, LogLine
from astragal.table.log.story import story
from astragal.table.ruleset import ruleset_of

SHORT = 8
"""Digits shown of an entry's id; commands accept them in place of the id."""


@command(
    "table log [TABLE]",
    long=True,
    what_is_shown=(
        Option("last", "N", "the latest N entries only"),
        Option("rules", help="every step of a roll, and the rules by number"),
    ),
    how=HOW,
)
def run_log(parsed: Parsed) -> None:
    """Print what happened, in sentences, the oldest entry first; each has the id to undo it by.

    astragal table log --last 5
    astragal table log "The Drowned Bell" --as Jonas --rules
    """
    last = parsed.whole("last", 1, 10_000_000)
    with sit_down(parsed, parsed.place()) as seat:
        if parsed.flag("json"):
            entries = (shown(entry, seat.state, seat.member) for entry in _read(seat, "log"))
            print_json({"entries": list(deque((entry for entry in entries if entry), last))})
        else:
            show_log(Screen(), seat, last, parsed.flag("rules"))


def show_log(screen: Screen, seat: Seat, last: int | None, rules: bool = False) -> None:
    """Print the entries that this seat may see part of; undone ones are marked."""
    # All entries are read, even for the last few, since each line of a roll is shown only once.
    for entry, lines in deque(_told(seat), last):
        undone = entry.id in seat.state.struck
        wanted = [line for line in lines if rules or not (line.roll and line.kind == "note")]
        for place, line in enumerate(wanted):
            head = entry.id[:SHORT] if not place else ""
            text = dice_words(line, seat) if line.kind == "dice" and line.dice else str(line) if rules else line.text
            style = "dim" if undone else STYLES.get(line.kind, "")
            screen.say(f"{head:<{SHORT}}  {'(undone) ' if undone else ''}{continued(text, SHORT + 4)}", style)


def _told(seat: Seat) -> Iterator[tuple[Entry, list[LogLine]]]:
    """Every entry that this seat may see part of, with its new lines."""
    new_lines = NewLines()
    for entry in _read(seat, "log"):
        if any(may_see(seat.member, event.audience) for event in entry.events):
            lines = list(new_lines.of(entry, seat))
            yield entry, lines or [LogLine(f"{name_of(seat.state, entry.by)} puts something into a roll.", "done")]


def _read(seat: Seat, title: str) -> Iterator[Entry]:
    """The entries of the log, with progress if that takes long."""
    with ProgressLine(title) as progress:
        for n, entry in enumerate(seat.stored_table.history(), 1):
            progress(n, seat.state.version)
            yield entry


def dice_words(line: LogLine, seat: Seat) -> str:
    """Dice as ``d6 [6] [5] 3 | Step Die 2``; brackets mark those that count. Typed ones say who typed them."""
    groups = groupby(labelled_dice(line), key=lambda pair: pair[0][0])
    shown = [f"{name} {' '.join(_face(die, label) for die, label in dice)}" for name, dice in groups]
    whose = whose_dice(line, seat)
    thrower = f"{name_of(seat.state, line.by)}'s dice" if line.by else "Dice"
    return f"{thrower}: {' | '.join(shown) or 'none'}{f' ({whose})' if whose else ''}"


def _face(die: DieTold, label: str) -> str:
    _, _, face, _, counts = die
    return f"[{label or face}]" if counts else label or str(face)


@command(
    "table story [TABLE]",
    long=True,
    how=(
        Option("output", "FILE", "write it into a file; -o FILE is short for it", short="-o"),
        Option("language", "NAME", "such as de; where a game has no translation, English"),
        Option("dice", help="with an appendix that has all of the machine's throws and a seal, for astragal verify"),
        *HOW,
    ),
)
def run_story(parsed: Parsed) -> None:
    """Write the log as Markdown, to be read.

    astragal table story -o story.md
    astragal table story "The Drowned Bell" --as Jonas
    """
    file = parsed.text("output")
    with open_repository(parsed) as repository:
        store = repository.store
        seat = seat_at(repository, find_table(store, parsed.place()).table, parsed.text("as"))
        state, entries = seat.state, seat.stored_table.history()
        say = speaker(ruleset_of(state.game).game, parsed.text("language") or "en")
        lines = story(entries, state, seat.member, say)
        throws = appendix(entries, state, seat.member) if parsed.flag("dice") else ()
        with ProgressLine("story"):
            sealed = sealed_story(lines, throws, seat.stored_table.id, load_head_key(store))
            text = b"".join(sealed).decode()
    if file is None:
        answer(parsed, {"story": text}, text.removesuffix("\n"))
        return
    write_file(file, [text.encode()])
    answer(parsed, {"file": file}, *([] if file == "-" else [f"The story is in {file}."]))
