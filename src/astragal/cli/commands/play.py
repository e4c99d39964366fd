"""``astragal play``: a guided roll or a campaign. Choose a game, answer a few questions, roll or type dice."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from astragal.cli.parser import Parser
from astragal.cli.prompts import PromptHand
from astragal.cli.render.screen import Screen
from astragal.errors import Refusal
from astragal.games.registry import all_games, game
from astragal.rule.ask import Ask
from astragal.rule.game import Game, Kind
from astragal.rule.hand import Hand, Rolled, Typed
from astragal.rule.input import Input
from astragal.rule.play import play


def run(words: list[str]) -> int:
    """A campaign, if the person at the terminal wants one; otherwise roll after roll, until they have had enough."""
    examples = ("astragal play", "astragal play chronicles")
    about = (
        "A guided roll: a few questions, then dice. Without a game's name, at a terminal, a campaign is offered too."
    )
    places = Parser("play", about, ("GAME",), examples).parse(words).places
    screen = Screen()
    if not places and sys.stdin.isatty() and sys.stdout.isatty():
        from astragal.cli.table.solo import offer

        if offer(screen):
            return 0
    screen.say("Astragal: a guided roll. An empty answer takes what stands in [ ]; Ctrl-C leaves.", "bold")
    found = game(places[0]) if places else choose_game(screen)
    while True:
        guided_roll(screen, found)
        again = screen.ask("\nAnother roll? y, n, or g for another game", "y").strip().lower()
        if again.startswith("n"):
            return 0
        if again.startswith("g"):
            found = choose_game(screen)


def choose_game(screen: Screen) -> Game:
    every = all_games()
    place = choose(
        screen, "Which game?", [f"{found.title}: {found.blurb}" for found in every], [found.name for found in every]
    )
    return every[place]


def choose(screen: Screen, question: str, lines: Sequence[str], names: Sequence[str]) -> int:
    """The place of the line that was picked, by number or by name."""
    for place, line in enumerate(lines, 1):
        screen.say(f"  {place}. {line}")
    while True:
        picked = screen.ask(question, "1").strip().lower() or "1"
        if picked in names:
            return names.index(picked)
        if picked.isdigit() and 1 <= int(picked) <= len(names):
            return int(picked) - 1
        screen.say(f"It must be a number from 1 to {len(names)}, or one of {', '.join(names)}.")


def guided_roll(screen: Screen, found: Game) -> None:
    kinds = list(found.kinds.values())
    kind = kinds[0]
    if len(kinds) > 1:
        kind = kinds[
            choose(screen, "What kind of roll?", [kind.title for kind in kinds], [kind.name for kind in kinds])
        ]
    ask = ask_inputs(screen, kind)
    screen.say(f"\n{kind.headline(ask)}", "bold")
    played = play(kind.rule(ask), PromptHand(choose_hand(screen), kind, screen))
    screen.show_end(kind, played, every_note=True)


def ask_inputs(screen: Screen, kind: Kind) -> Ask:
    """The inputs that matter most, one question each, until they fit together."""
    while True:
        given = {input.name: ask_input(screen, input) for input in kind.ask.inputs.values() if input.guided}
        try:
            return kind.ask(**{name: value for name, value in given.items() if value is not None})
        except Refusal as refusal:
            screen.say(f"{refusal} Once more:", "bold yellow")


def ask_input(screen: Screen, input: Input) -> Any:
    """The value, or None to leave it at its default."""
    while True:
        text = screen.ask(f"{input.option}: {input.help}{_hint(input)}?", _default(input)).strip()
        if not text and not input.required:
            return None
        try:
            return input.read(text)
        except Refusal as refusal:
            screen.say(str(refusal), "bold yellow")


def _hint(input: Input) -> str:
    return f" ({input.metavar})" if input.kind == "one_of" else " (yes or no)" if input.kind == "flag" else ""


def _default(input: Input) -> str:
    if input.required or input.default is None:
        return ""
    return "no" if input.default is False else str(input.default)


def choose_hand(screen: Screen) -> Hand:
    """Dice by the machine, or from the real table."""
    while True:
        text = screen.ask(
            "Press Enter to roll, or type the faces of your dice, or h to be asked for each throw:"
        ).strip()
        try:
            return Hand() if text.lower() == "h" else Typed(text) if text else Rolled()
        except Refusal as refusal:
            screen.say(str(refusal), "bold yellow")
