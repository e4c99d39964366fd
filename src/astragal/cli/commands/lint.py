"""``astragal lint GAME [ROLL]``: surprises in a game's rules, proved by exact numbers."""

from __future__ import annotations

import sys
import textwrap
import time
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from astragal.cli.parser import Option, Parser
from astragal.cli.render.charts import describe_chance, print_json
from astragal.errors import Malformed
from astragal.games.registry import game, names
from astragal.lint import Finding, Linted, look_over
from astragal.lint.finding import described
from astragal.rule.game import Game, Kind

if TYPE_CHECKING:
    from astragal.cli.render.screen import Screen

WIDTH = 100
PATIENCE = 1.0
"""Seconds after which a progress bar appears."""
SIGNS = {"warning": "!", "note": "·"}


def run(words: list[str]) -> int:
    """Look over one kind of roll, or all of a game; with --strict, 1 if there is anything to say."""
    examples = ("astragal lint narraject", "astragal lint razorweave race --json", "astragal lint tgimh --strict")
    parser = Parser(
        "lint",
        "Surprises in a game's rules: more that is worse, outcomes that never or hardly ever happen, choices that are "
        "never worth taking. Every one is proved by exact numbers.",
        ("GAME", "ROLL"),
        examples,
    )
    parser.add(
        "output",
        Option("strict", help="end with exit code 1 if something is found"),
        Option("json", help="one JSON object, for programs"),
    )
    parsed = parser.parse(words)
    if not parsed.places:
        raise Malformed(f"Say which game: {', '.join(names())}; for example astragal lint narraject.")
    found = game(parsed.places[0])
    kinds = [found.kind(name) for name in parsed.places[1:]] or list(found.kinds.values())
    linted = [(kind, _looked_over(kind)) for kind in kinds]
    if parsed.flag("json"):
        print_json({"game": found.name, "rolls": [describe(kind, each) for kind, each in linted]})
    else:
        show(found, linted)
    return int(parsed.flag("strict") and any(each.findings for _, each in linted))


def _looked_over(kind: Kind) -> Linted:
    """With a progress bar, on a terminal and if it takes a while."""
    if not sys.stderr.isatty():
        return look_over(kind)
    bar = Bar(kind.title)
    try:
        return look_over(kind, progress=bar)
    finally:
        bar.close()


class Bar:
    """A progress bar that appears late and leaves nothing behind."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._start = time.monotonic()
        self._rich: Any = None
        self._task: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self._rich is None and time.monotonic() - self._start > PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            self._rich = Progress(console=Console(stderr=True), transient=True)
            self._task = self._rich.add_task(self._title, total=total)
            self._rich.start()
        if self._rich is not None:
            self._rich.update(self._task, completed=done)

    def close(self) -> None:
        if self._rich is not None:
            self._rich.stop()


def show(found: Game, linted: list[tuple[Kind, Linted]]) -> None:
    """For a person: what was looked at, and every finding."""
    from astragal.cli.render.screen import Screen

    screen = Screen()
    for kind, each in linted:
        screen.say(f"{found.title}: {kind.title}", "bold")
        screen.say(_filled(looked_at(each), "  "), "dim")
        for finding in each.findings:
            _show(screen, finding)
    total = sum(len(each.findings) for _, each in linted)
    screen.say(f"{total} finding{'' if total == 1 else 's'}.")


def _show(screen: Screen, finding: Finding) -> None:
    head = f"  {SIGNS[finding.severity]} {finding.sort}: "
    screen.say(_filled(str(finding), head), "yellow" if finding.severity == "warning" else "")


def _filled(text: str, head: str) -> str:
    width = min(WIDTH, get_terminal_size().columns) if sys.stdout.isatty() else WIDTH
    return textwrap.fill(text, width, initial_indent=head, subsequent_indent="    ", break_on_hyphens=False)


def looked_at(linted: Linted) -> str:
    """The asks, what was measured in them, and what was left alone."""
    grid, measure = linted.survey.grid, linted.survey.measure
    measured = f", measured by {measure.words} ({measure.help})" if measure else ""
    cut = "" if grid.whole else " There are more; the limit was met."
    fixed = [input.option for name, input in grid.kind.ask.inputs.items() if name not in grid.varied]
    left = f" Not varied: {', '.join(fixed)}." if fixed else ""
    return f"{len(grid.asks):,} asks around {described(grid.middle)}{measured}.{cut}{left}"


def describe(kind: Kind, linted: Linted) -> dict[str, Any]:
    """For a program."""
    grid, measure = linted.survey.grid, linted.survey.measure
    return {
        "roll": kind.name,
        "asks": len(grid.asks),
        "whole": grid.whole,
        "around": grid.middle.values(),
        "varied": list(grid.varied),
        "measure": measure.words if measure else None,
        "findings": [_described(finding) for finding in linted.findings],
    }


def _described(finding: Finding) -> dict[str, Any]:
    return {
        "sort": finding.sort,
        "severity": finding.severity,
        "sentence": finding.sentence,
        "rules": list(finding.rules),
        "proof": [
            {"ask": part.ask.values(), "what": part.what, **describe_chance(part.exact)} for part in finding.proof
        ],
    }
