"""``astragal play``: a guided roll, step by step, or a campaign at the terminal."""

from __future__ import annotations

import sys

from astragal.cli.parser import Parser
from astragal.cli.prompts import PromptHand, ask_inputs, choose_game, choose_hand, choose_kind
from astragal.cli.render.screen import Screen
from astragal.games.registry import game_at
from astragal.rule.game import Game
from astragal.rule.tree.play import play


def run(words: list[str]) -> int:
    """Play a campaign, if the person at the terminal wants one; otherwise single rolls until they stop."""
    examples = ("astragal play", "astragal play chronicles")
    about = (
        "A guided roll: a few questions, then dice. Without a game's name, at a terminal, a campaign is offered too."
    )
    places = Parser("play", about, ("GAME",), examples).parse(words).places
    screen = Screen()
    if not places and sys.stdin.isatty() and sys.stdout.isatty():
        from astragal.cli.table.campaign import offer

        if offer(screen):
            return 0
    screen.say("Astragal: a guided roll. An empty answer takes the one in [ ]; Ctrl-C leaves.", "bold")
    found = game_at(places[0]) if places else choose_game(screen)
    while True:
        _guided_roll(screen, found)
        again = screen.ask("\nAnother roll? y, n, or g for another game", "y").strip().lower()
        if again.startswith("n"):
            return 0
        if again.startswith("g"):
            found = choose_game(screen)


def _guided_roll(screen: Screen, found: Game) -> None:
    kind = choose_kind(screen, found)
    ask = ask_inputs(screen, kind)
    screen.say(f"\n{kind.headline(ask)}", "bold")
    played = play(kind.rule(ask), PromptHand(choose_hand(screen), kind, screen))
    screen.show_end(kind, played, every_note=True)
