"""``astragal lint GAME [ROLL]``: surprises in a game's rules, proved by exact numbers."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from shutil import get_terminal_size
from time import monotonic, process_time
from typing import Any

from astragal.cli.parser import Option, Parser
from astragal.cli.render.screen import Screen, print_json
from astragal.cli.watch import ProgressLine, seconds_given
from astragal.dice.render.text import format_exact
from astragal.errors import Malformed
from astragal.games.registry import game_at, names
from astragal.lint import Finding, LintReport, lint_report
from astragal.lint.finding import format_ask
from astragal.rule.game import Game, Kind

WIDTH = 100
USUAL = 120.0
"""Seconds for a game, if nobody says how long they want to wait."""
SIGNS = {"warning": "!", "note": "·"}


def run(words: list[str]) -> int:
    """Lint one kind of roll, or all of a game's; with --strict, 1 if anything is found."""
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
        Option("timeout", "SECONDS", f"stop after this time, and say what was left out; default {USUAL:g}"),
    )
    parsed = parser.parse(words)
    if not parsed.places:
        raise Malformed(f"Name a game: {', '.join(names())}; for example astragal lint narraject.")
    found = game_at(parsed.places[0])
    kinds = [found.kind(name) for name in parsed.places[1:]] or list(found.kinds.values())
    linted = list(_linted(kinds, seconds_given(parsed)))
    if parsed.flag("json"):
        print_json({"game": found.name, "rolls": [describe(kind, each) for kind, each in linted]})
    else:
        show(found, linted)
    return int(parsed.flag("strict") and any(each.findings for _, each in linted))


def _linted(kinds: list[Kind], given: float | None) -> Iterator[tuple[Kind, LintReport]]:
    """Each kind in turn, with its share of the time that is left; the usual time is that of work alone."""
    clock = process_time if given is None else monotonic
    end = clock() + (given or USUAL)
    for place, kind in enumerate(kinds):
        share = max(end - clock(), 0.1) / (len(kinds) - place)
        with ProgressLine(f"lint of {kind.title}") as progress:
            yield kind, lint_report(kind, progress=progress, seconds=share, clock=clock)


def show(found: Game, linted: list[tuple[Kind, LintReport]]) -> None:
    """Print what was looked at, and every finding."""
    screen = Screen()
    for kind, each in linted:
        screen.say(f"{found.title}: {kind.title}", "bold")
        screen.say(_filled(looked_at(each), "  "), "dim")
        for finding in each.findings:
            _show(screen, finding)
        for sentence in each.left_out:
            screen.say(_filled(sentence, "  Left out: "), "yellow")
    total = sum(len(each.findings) for _, each in linted)
    screen.say(f"{total} finding{'' if total == 1 else 's'}.")


def _show(screen: Screen, finding: Finding) -> None:
    head = f"  {SIGNS[finding.severity]} {finding.category}: "
    screen.say(_filled(str(finding), head), "yellow" if finding.severity == "warning" else "")


def _filled(text: str, head: str) -> str:
    width = min(WIDTH, get_terminal_size().columns) if sys.stdout.isatty() else WIDTH
    return textwrap.fill(text, width, initial_indent=head, subsequent_indent="    ", break_on_hyphens=False)


def looked_at(linted: LintReport) -> str:
    """The asks, what was measured in them, and what was not varied, in a sentence."""
    grid, measure = linted.survey.grid, linted.survey.measure
    measured = f", measured by {measure.words} ({measure.help})" if measure else ""
    cut = "" if grid.whole else " There are more; the limit was met."
    fixed = [input.option for name, input in grid.kind.ask.inputs.items() if name not in grid.varied]
    left = f" Not varied: {', '.join(fixed)}." if fixed else ""
    asks = "1 ask" if len(grid.asks) == 1 else f"{len(grid.asks):,} asks"
    return f"{asks} around {format_ask(grid.middle)}{measured}.{cut}{left}"


def describe(kind: Kind, linted: LintReport) -> dict[str, Any]:
    """The findings of a kind of roll as plain data."""
    grid, measure = linted.survey.grid, linted.survey.measure
    return {
        "roll": kind.name,
        "asks": len(grid.asks),
        "whole": grid.whole,
        "around": grid.middle.values(),
        "varied": list(grid.varied),
        "measure": measure.words if measure else None,
        "left_out": list(linted.left_out),
        "findings": [_described(finding) for finding in linted.findings],
    }


def _described(finding: Finding) -> dict[str, Any]:
    return {
        "sort": finding.category,
        "severity": finding.severity,
        "sentence": finding.sentence,
        "rules": list(finding.rules),
        "proof": [
            {
                "ask": part.ask.values(),
                "what": part.what,
                "exact": format_exact(part.exact),
                "chance": float(part.exact),
            }
            for part in finding.proof
        ],
    }
