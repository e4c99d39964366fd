"""``astragal check`` and ``astragal lint``: whether a game keeps the contract, and surprises in its rules."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator
from time import monotonic, process_time
from typing import Any

from astragal.check import Mistake, mistakes_of, remarks_on
from astragal.check.contract import CHECKS
from astragal.cli.commands.roll import parser_of
from astragal.cli.options import find_roll, inputs_given, named_game
from astragal.cli.parser import JSON, TIMEOUT, Option, Parsed, command
from astragal.cli.render.screen import Screen, print_json, width_of_text
from astragal.cli.watch import ProgressLine, seconds_given
from astragal.deadline import Deadline, time_is_up
from astragal.dice.render.text import format_exact
from astragal.errors import Refusal
from astragal.lint import LintReport, lint_report
from astragal.lint.finding import format_ask
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.total import counted

USUAL = 120.0
"""Seconds for a game, if ``--timeout`` gives no other number. They count only while the command computes."""
OUTPUT = (
    JSON,
    TIMEOUT._replace(help=f"stop after this time, and say what was left out; default {USUAL:g}"),
)
SIGNS = {"warning": "!", "note": "·"}


@command("check [GAME]", output=OUTPUT)
def run_check(parsed: Parsed) -> int:
    """Check a game of your own: its declarations, examples, rolls, odds, sheets, and a session at a table.

    astragal check coinflip
    astragal check narraject --json
    """
    found = named_game(parsed.places, "check narraject")
    given = seconds_given(parsed)
    seconds = given or USUAL
    with (
        Deadline(seconds, clock=process_time if given is None else monotonic, interrupts=False),
        ProgressLine(f"check of {found.title}") as progress,
    ):
        reached = 0

        def count(done: int, parts: int) -> None:
            nonlocal reached
            reached = done
            progress(done, parts)

        mistakes = mistakes_of(found, count)
        left = list(CHECKS)[reached:] if time_is_up() else []
        mistakes = mistakes if mistakes or time_is_up() else list(help_mistakes(found))
        remarks = [] if mistakes or time_is_up() else remarks_on(found)
        cut = time_is_up()
        if cut:
            omitted = ", ".join([*left, "examples in the help", "notes"])
            remarks = [
                Mistake("check", f"the time of {seconds:g} seconds was up. Left out, at least in part: {omitted}.")
            ]
    if parsed.flag("json"):
        told = {"mistakes": mistakes, "notes": remarks}
        print_json({"game": found.name, **{name: [each._asdict() for each in part] for name, part in told.items()}})
    else:
        _show_mistakes(found, mistakes, remarks, cut)
    return 2 if cut else int(bool(mistakes))


def help_mistakes(found: Game) -> Iterator[Mistake]:
    """Mistakes in the examples that the help of a roll shows: each can be typed as it is."""
    for kind in found.kinds.values():
        try:
            _, named, rest = find_roll(shlex.split(kind.example), "roll")
            parsed = parser_of(found, named).parse(rest)
            named.ask.read(inputs_given(named, parsed))
        except (Refusal, ValueError) as error:
            yield Mistake(f"roll {kind.name}", f'its example "{kind.example}" cannot be rolled: {error}')
            continue
        if named.name != kind.name:
            yield Mistake(f"roll {kind.name}", f'its example "{kind.example}" rolls {named.name}.')


def _show_mistakes(found: Game, mistakes: list[Mistake], remarks: list[Mistake], cut: bool) -> None:
    screen = Screen()
    for remark in remarks:
        screen.say(f"  Note: {remark}", "dim")
    for mistake in mistakes:
        screen.say(f"  {mistake}", "yellow")
    if mistakes:
        n = counted(len(mistakes), "mistake")
        screen.say(f"{found.title}: {n}. Fix these and run again; there may be more.", "bold")
    elif cut:
        screen.say(f"{found.title}: not everything was checked.", "bold")
    else:
        kept = f"{counted(len(found.kinds), 'roll')}, {counted(len(found.rules), 'rule')}"
        screen.say(f"{found.title} keeps the contract: {kept}.")


@command(
    "lint [GAME] [ROLL]",
    output=(Option("strict", help="end with exit code 1 if something is found"), *OUTPUT),
)
def run_lint(parsed: Parsed) -> int:
    """Find surprises in a game's rules: more that is worse, outcomes that never or hardly ever happen, choices that are
    never worth taking. Every one is proved by exact numbers.

    astragal lint narraject
    astragal lint razorweave race --json
    astragal lint tgimh --strict
    """
    found = named_game(parsed.places, "lint narraject")
    kinds = [found.kind(name) for name in parsed.places[1:]] or list(found.kinds.values())
    linted = list(_linted(kinds, seconds_given(parsed)))
    if parsed.flag("json"):
        print_json({"game": found.name, "rolls": [describe(kind, each) for kind, each in linted]})
    else:
        _show_findings(found, linted)
    return int(parsed.flag("strict") and any(each.findings for _, each in linted))


def _linted(kinds: list[Kind], given: float | None) -> Iterator[tuple[Kind, LintReport]]:
    """Each kind in turn, with its share of the time that is left."""
    clock = process_time if given is None else monotonic
    end = clock() + (given or USUAL)
    for place, kind in enumerate(kinds):
        share = max(end - clock(), 0.1) / (len(kinds) - place)
        with ProgressLine(f"lint of {kind.title}") as progress:
            yield kind, lint_report(kind, progress=progress, seconds=share, clock=clock)


def _show_findings(found: Game, linted: list[tuple[Kind, LintReport]]) -> None:
    """Print what was looked at, and every finding."""
    screen = Screen()
    for kind, each in linted:
        screen.say(f"{found.title}: {kind.title}", "bold")
        screen.say(_filled(looked_at(each), "  "), "dim")
        for finding in each.findings:
            head = f"  {SIGNS[finding.severity]} {finding.category}: "
            screen.say(_filled(str(finding), head), "yellow" if finding.severity == "warning" else "")
        for sentence in each.left_out:
            screen.say(_filled(sentence, "  Left out: "), "yellow")
    screen.say(f"{counted(sum(len(each.findings) for _, each in linted), 'finding')}.")


def _filled(text: str, head: str) -> str:
    return textwrap.fill(text, width_of_text(), initial_indent=head, subsequent_indent="    ", break_on_hyphens=False)


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
        "findings": [
            {
                "sort": finding.category,
                "severity": finding.severity,
                "sentence": finding.sentence,
                "rules": list(finding.rules),
                "proof": [
                    {"ask": ask.values(), "what": what, "exact": format_exact(exact), "chance": float(exact)}
                    for ask, what, exact in finding.proof
                ],
            }
            for finding in linted.findings
        ],
    }
