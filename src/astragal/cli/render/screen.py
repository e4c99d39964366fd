"""Output to a person or a program: rich on a terminal, plain text when piped, JSON.

The text is the same on a terminal and in a pipe, and colour alone never carries meaning. No character that is printed
can command the terminal.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from itertools import groupby
from typing import TYPE_CHECKING, Any, TextIO, cast

from astragal.errors import cited
from astragal.explain.visible import safe_for_terminal

if TYPE_CHECKING:
    from msgspec import Struct

    from astragal.explain.hint import Hint
    from astragal.rule.game import Kind
    from astragal.rule.inputs.ask import Ask
    from astragal.rule.tree.node import Choice
    from astragal.rule.tree.note import Die, Note
    from astragal.rule.tree.play import Played

WIDTH = 100
"""Most columns of running text: longer lines are hard to read."""
MANY_DICE = 40
"""Beyond this many dice, equal ones are counted instead of listed."""


class CleanStream:
    """A text stream that shows control signs as � and passes the rest on. ``raw`` is for our own colours."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        """Write the text, cleaned."""
        self.raw.write(safe_for_terminal(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write the lines, cleaned."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


@contextmanager
def clean_output() -> Iterator[None]:
    """Clean everything that is printed inside."""
    out, err = (cast(TextIO, CleanStream(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        yield


def raw_stream(stream: TextIO) -> TextIO:
    """The stream below a clean one."""
    return stream.raw if isinstance(stream, CleanStream) else stream


def continued(text: str, indent: int) -> str:
    """A text whose further lines are indented, so that none of them can pass for a line of its own."""
    return text.replace("\n", "\n" + " " * indent)


class Screen:
    """Prints to a person and asks them; colours on a terminal only."""

    def __init__(self) -> None:
        self._rich: Any = None
        if sys.stdout.isatty():
            from rich.console import Console

            self._rich = Console(highlight=False, file=raw_stream(sys.stdout))

    def say(self, text: str, style: str = "") -> None:
        """Print a line; the style is for the terminal only."""
        if self._rich:
            self._rich.print(safe_for_terminal(text), style=style or None, markup=False)
        else:
            print(text)

    def ask(self, question: str, default: str = "") -> str:
        """Ask, and return the line that the person types."""
        shown = f"{question} [{default}] " if default else f"{question} "
        if self._rich:
            self._rich.print(safe_for_terminal(shown), style="bold cyan", end="", markup=False)
            return input()
        return input(shown)

    def refuse(self, sentence: str) -> None:
        """Print why something was refused, where the person can try again."""
        self.say(sentence, "bold yellow")

    def show_played(self, kind: Kind, ask: Ask, played: Played[Any], every_note: bool = False) -> None:
        """Print a roll: headline, dice, verdict, and why."""
        from astragal.explain.report import explain, headline_of

        self.say(headline_of(kind, ask, played), "bold")
        for title, dice in explain(played).throws:
            self.show_dice(title, dice)
        self.show_end(kind, played, every_note)

    def show_end(self, kind: Kind, played: Played[Any], every_note: bool = False) -> None:
        """Print the verdict and why; of an open roll, the result so far and the open choice."""
        from astragal.explain.report import explain, in_a_line, judged, last_notes
        from astragal.rule.tree.node import Choice

        verdict = judged(kind, played.result)
        said = (f"{in_a_line(verdict)}.", f"{verdict.tier}: {verdict.sum}.")
        self.say(in_a_line(verdict), "bold")
        last = last_notes(played)
        notes = explain(played).notes if every_note else tuple(note for note in last if note.text not in said)
        self.show_notes(notes)
        if isinstance(played.node, Choice):
            self.show_choice(played.node)
            self.say(f"Answer with --{played.node.name}.")

    def show_read(self, notes: Collection[str]) -> None:
        """Say how notation was read, where tools differ."""
        if notes:
            self.say(f"Read: {' '.join(notes)}", "dim")

    def show_hints(self, hints: Iterable[Hint]) -> None:
        """Print what a game has to say about a result and a choice."""
        for hint in hints:
            self.say(f"  · {cited(hint.told, hint.rule)}", "dim")

    def show_dice(self, title: str, dice: Iterable[Die]) -> None:
        """Print a line for each kind of dice, with waves of rerolls behind a /."""
        if title:
            self.say(f"  {title}")
        for name, kind in groupby(dice, key=lambda die: die.name):
            self._show_row(name, list(kind))

    def _show_row(self, name: str, dice: list[Die]) -> None:
        if len(dice) > MANY_DICE:
            counted = Counter(die._replace(wave=0) for die in dice)
            parts = [f"{n} × {plain_die(die)}" for die, n in sorted(counted.items(), key=lambda pair: -pair[0].face)]
            self.say(f"  {name:<11} {' · '.join(parts)}")
            return
        waves = [list(wave) for _, wave in groupby(dice, key=lambda die: die.wave)]
        if self._rich:
            self._rich.print(_rich_row(name, waves))
        else:
            print(f"  {name:<11} " + " / ".join(" · ".join(map(plain_die, wave)) for wave in waves))

    def show_grid(self, heads: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> None:
        """Print rows in columns, aligned to the right but for those named in ``left``."""
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        for row in (heads, *rows) if any(heads) else rows:
            cells = [
                cell.ljust(width) if place in left else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            if self._rich:
                self._rich.print(_rich_cells(cells, row is heads), soft_wrap=True)
            else:
                print(f"  {'  '.join(cells)}".rstrip())

    def show_notes(self, notes: Iterable[Note]) -> None:
        """Print sentences with their rules."""
        for note in notes:
            self.say(f"  {note}")

    def show_choice(self, choice: Choice[Any]) -> None:
        """Print a choice: its options, and what is barred and why."""
        self.say(f"{choice.question} ({choice.by})", "bold cyan")
        width = max(map(len, (*choice.options, *choice.barred)))
        for place, (name, option) in enumerate(choice.options.items(), 1):
            cost = f", costs {option.cost}" if option.cost else ""
            whose = f"{option.by}, " if option.by else ""
            label = f"{option.label}: {option.described}" if option.described else option.label
            self.say(f"  {place}. {name:<{width}}  {label}{cost} ({whose}{option.rule})")
        for name, barred in choice.barred.items():
            self.say(f"  ×  {name:<{width}}  {cited(barred.short, barred.rule)}", "dim")


def width_of_text() -> int:
    """Columns for running text: those of the terminal, but no more than ``WIDTH``, which a pipe has too."""
    if not sys.stdout.isatty():
        return WIDTH
    from shutil import get_terminal_size

    return min(WIDTH, get_terminal_size().columns)


def at_terminal() -> bool:
    """True if a person sees the output and can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def print_json(data: Any) -> None:
    """Print data as one line of JSON; Structs become objects without their absent fields."""
    import json

    import msgspec

    print(_escaped(json.dumps(msgspec.to_builtins(data), ensure_ascii=False)))


def print_shown(shown: Struct) -> None:
    """Print an answer as one line of JSON, byte for byte as the server sends it."""
    import msgspec

    print(_escaped(msgspec.json.encode(shown).decode()))


def _escaped(text: str) -> str:
    """JSON with the signs escaped that a terminal would obey; it means the same."""
    if safe_for_terminal(text) == text:
        return text
    return "".join(
        f"\\u{ord(sign):04x}" if safe_for_terminal(sign) != sign and ord(sign) < 1 << 16 else sign for sign in text
    )


def plain_die(die: Die) -> str:
    """``6 Mark``: the face, and what it did."""
    return f"{die.shown} {die.did}".rstrip()


def _rich_row(name: str, waves: list[list[Die]]) -> Any:
    from rich.text import Text

    row = Text(f"  {safe_for_terminal(name):<11}")
    for place, wave in enumerate(waves):
        row.append(" / " if place else " ")
        for die in wave:
            row.append(
                f" {safe_for_terminal(die.shown)} ", style="bold black on green" if die.counts else "black on white"
            )
            row.append(f"{'✓' if die.counts else ''} {safe_for_terminal(die.did)}  " if die.did else "  ", style="dim")
    return row


def _rich_cells(cells: Sequence[str], head: bool) -> Any:
    from rich.text import Text

    row = Text(style="bold" if head else "")
    for cell in cells:
        row.append("  ").append(safe_for_terminal(cell), style="cyan" if cell[:1] in "▏▎▍▌▋▊▉█·" else "")
    return row
