"""``astragal check GAME``: whether a game keeps the contract; every mistake with its place."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from time import monotonic, process_time

from astragal.check import Mistake, mistakes_of, remarks_on
from astragal.check.contract import CHECKS
from astragal.cli.commands.roll import parser_of
from astragal.cli.options import find_roll, inputs_given
from astragal.cli.parser import Option, Parser
from astragal.cli.render.screen import Screen, print_json
from astragal.cli.watch import ProgressLine, seconds_given
from astragal.deadline import Deadline, time_is_up
from astragal.errors import Malformed, Refusal
from astragal.games.registry import game_at, names
from astragal.rule.game import Game
from astragal.rule.inputs.total import counted

USUAL = 120.0
"""Seconds for a game, if nobody says how long they want to wait."""


def run(words: list[str]) -> int:
    """Check a game; 1 if there is a mistake, 2 if there was no time for all of it."""
    examples = ("astragal check coinflip", "astragal check narraject --json")
    about = "Check a game of your own: what it declares, its examples, rolls, odds, sheets, and an evening at a table."
    parser = Parser("check", about, ("GAME",), examples)
    parser.add(
        "output",
        Option("json", help="one JSON object, for programs"),
        Option("timeout", "SECONDS", f"stop after this time, and say what was left out; default {USUAL:g}"),
    )
    parsed = parser.parse(words)
    if not parsed.places:
        raise Malformed(f"Name a game: {', '.join(names())}; for example astragal check narraject.")
    found = game_at(parsed.places[0])
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
        _show(found, mistakes, remarks, cut)
    return 2 if cut else int(bool(mistakes))


def help_mistakes(found: Game) -> Iterator[Mistake]:
    """The example in the help of every roll can be typed as it stands."""
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


def _show(found: Game, mistakes: list[Mistake], remarks: list[Mistake], cut: bool) -> None:
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
