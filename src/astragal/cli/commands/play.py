"""``astragal play``: a guided roll, step by step, or a campaign at the terminal."""

from __future__ import annotations

from astragal.cli.command import command
from astragal.cli.parser import Parsed
from astragal.cli.prompts import PromptHand, ask_inputs, choose_game, choose_hand, choose_kind
from astragal.cli.render.screen import Screen, at_terminal
from astragal.games.registry import game_at
from astragal.rule.game import Game
from astragal.rule.tree.play import play


@command("play [GAME]")
def run_play(parsed: Parsed) -> None:
    """Be guided through a roll: a few questions, then dice. Without a game, at a terminal, a campaign is offered too.

    astragal play
    astragal play chronicles
    """
    game, screen = parsed.place(), Screen()
    if not game and at_terminal():
        from astragal.cli.table.campaign import offer

        if offer(screen):
            return
    screen.say("Astragal: a guided roll. An empty answer takes the one in [ ]; Ctrl-C leaves.", "bold")
    found = game_at(game) if game else choose_game(screen)
    while True:
        _guided_roll(screen, found)
        again = screen.ask("\nAnother roll? y, n, or g for another game", "y").strip().lower()
        if again.startswith("n"):
            return
        if again.startswith("g"):
            found = choose_game(screen)


def _guided_roll(screen: Screen, found: Game) -> None:
    kind = choose_kind(screen, found)
    ask = ask_inputs(screen, kind)
    screen.say(f"\n{kind.headline(ask)}", "bold")
    played = play(kind.rule(ask), PromptHand(choose_hand(screen), kind, screen))
    screen.show_end(kind, played, every_note=True)
