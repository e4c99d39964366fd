"""``astragal check GAME``: whether a game keeps the contract; every mistake with its place."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from astragal.check import Mistake, mistakes_of
from astragal.cli.commands.roll import parser_of
from astragal.cli.options import find_roll, inputs_given
from astragal.cli.parser import Option, Parser
from astragal.cli.render.screen import Screen, print_json
from astragal.errors import Malformed, Refusal
from astragal.games.registry import game_at, names
from astragal.rule.game import Game
from astragal.rule.inputs.total import counted


def run(words: list[str]) -> int:
    """Check a game; 1 if there is a mistake."""
    examples = ("astragal check coinflip", "astragal check narraject --json")
    about = "Check a game of your own: what it declares, its examples, rolls, odds, sheets, and an evening at a table."
    parser = Parser("check", about, ("GAME",), examples)
    parser.add("output", Option("json", help="one JSON object, for programs"))
    parsed = parser.parse(words)
    if not parsed.places:
        raise Malformed(f"Name a game: {', '.join(names())}; for example astragal check narraject.")
    found = game_at(parsed.places[0])
    mistakes = mistakes_of(found) or list(help_mistakes(found))
    if parsed.flag("json"):
        print_json({"game": found.name, "mistakes": [mistake._asdict() for mistake in mistakes]})
    else:
        _show(found, mistakes)
    return int(bool(mistakes))


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


def _show(found: Game, mistakes: list[Mistake]) -> None:
    screen = Screen()
    for mistake in mistakes:
        screen.say(f"  {mistake}", "yellow")
    if mistakes:
        n = counted(len(mistakes), "mistake")
        screen.say(f"{found.title}: {n}. Others may show up when these are mended.", "bold")
    else:
        kept = f"{counted(len(found.kinds), 'roll')}, {counted(len(found.rules), 'rule')}"
        screen.say(f"{found.title} keeps the contract: {kept}.")
