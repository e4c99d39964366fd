"""``astragal roll`` and ``astragal play``: one roll, from options or guided by questions; a campaign is offered too."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from astragal.cli.options import (
    DIALECT,
    DICE,
    OUTPUT,
    add_answers,
    find_roll,
    hand_given,
    inputs_given,
    is_notation,
    print_help,
    roll_parser,
)
from astragal.cli.parser import Parsed, Parser, command
from astragal.errors import Malformed
from astragal.explain.report import explain, hints_for, report
from astragal.games.registry import all_games, game_at
from astragal.questions.play import hand_for, play_roll
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.play import Hand, Played, play

if TYPE_CHECKING:
    from astragal.cli.render.screen import Screen
    from astragal.notation.parser import Read
    from astragal.notation.play import Value


def run_roll(words: list[str]) -> int:
    """Roll, and show the result."""
    if words[:1] in (["-h"], ["--help"]):
        print_help(
            'usage: astragal roll GAME [ROLL] …\n       astragal roll "NOTATION" …\n\ngames:',
            *(f"  {found.name:<12} {found.blurb}" for found in all_games()),
            "\nexamples:",
            *(f"  astragal roll {kind.example}" for found in all_games() for kind in found.kinds.values()),
            '  astragal roll "5d6kh4+2"\n\nastragal roll GAME --help lists the options of a game.',
        )
    if is_notation(words):
        return _roll_notation(words)
    found, kind, rest = find_roll(words, "roll")
    parsed = parser_of(found, kind).parse(rest)
    ask = kind.ask.read(inputs_given(kind, parsed))
    hand = hand_given(kind, parsed)
    if sys.stdin.isatty() and sys.stdout.isatty() and not parsed.flag("json"):
        _roll_live(found, kind, ask, hand, parsed.flag("explain"))
        return 0
    if parsed.flag("by-hand"):
        raise Malformed("--by-hand asks for faces at a terminal, and this is not one; give them with --faces.")
    played, every_note = play_roll(kind, ask, hand), parsed.flag("explain")
    if parsed.flag("json"):
        import json

        print(json.dumps(report(found, kind, ask, played, notes=every_note), ensure_ascii=False))
    else:
        _show(found, kind, ask, played, every_note)
    return 0


@command(
    "roll NOTATION",
    dice=[option for option in DICE if option.name != "by-hand"],
    notation=(DIALECT,),
    output=OUTPUT,
)
def _roll_notation(parsed: Parsed) -> None:
    """Roll dice notation, and explain it.

    astragal roll '5d6kh4+2'
    astragal roll '6d10 count>=8 !10'
    astragal roll '6 x 4d6kh3'
    astragal roll '2d20kh1 + 5 >= 15'
    """
    from astragal.questions.calls import roll_read
    from astragal.questions.notation import read

    written = read(parsed.places[0], parsed.text("dialect") or "")
    played = roll_read(written, hand_for(parsed.text("faces"), parsed.text("seed")))
    if parsed.flag("json"):
        from astragal.cli.render.screen import print_shown
        from astragal.questions.wire import show_rolled

        print_shown(show_rolled(written, played, parsed.flag("explain")))
    else:
        _show_notation(written, played, parsed.flag("explain"))


def _show_notation(written: Read, played: Played[Value], every_note: bool) -> None:
    from astragal.cli.render.screen import Screen
    from astragal.notation.play import say

    screen, told = Screen(), explain(played)
    screen.say(str(written.expression), "bold")
    for title, dice in told.throws:
        screen.show_dice(title if len(told.throws) > 1 else "", dice)
    assert played.result is not None
    screen.say(say(played.result.value), "bold green")
    if every_note:
        screen.show_notes(told.notes[:-1])
    screen.show_read(written.notes)


def parser_of(found: Game, kind: Kind) -> Parser:
    """The parser for a kind of roll."""
    others = [other.example for other in found.kinds.values() if other is not kind]
    examples = [f"astragal roll {example}" for example in (kind.example, *others)]
    parser = roll_parser("roll", found, kind, found.blurb, examples)
    add_answers(parser, kind)
    parser.add("dice", *DICE)
    parser.add("output", *OUTPUT)
    return parser


def _roll_live(found: Game, kind: Kind, ask: Ask, hand: Hand, every_note: bool) -> None:
    """At a terminal, show each throw as it lands and ask for what the rules leave open."""
    from astragal.cli.prompts import PromptHand
    from astragal.cli.render.screen import Screen

    screen = Screen()
    screen.say(kind.headline(ask), "bold")
    played = play(kind.rule(ask), PromptHand(hand, kind, screen))
    screen.show_end(kind, played, every_note)
    if every_note:
        screen.show_hints(hints_for(found, kind, ask, played))


def _show(found: Game, kind: Kind, ask: Ask, played: Played[Any], every_note: bool) -> None:
    from astragal.cli.render.screen import Screen

    screen = Screen()
    screen.show_played(kind, ask, played, every_note)
    if every_note:
        screen.show_hints(hints_for(found, kind, ask, played))


@command("play [GAME]")
def run_play(parsed: Parsed) -> None:
    """Be guided through a roll: a few questions, then dice. Without a game, at a terminal, a campaign is offered too.

    astragal play
    astragal play chronicles
    """
    from astragal.cli.prompts import choose_game
    from astragal.cli.render.screen import Screen, at_terminal

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
    from astragal.cli.prompts import PromptHand, ask_inputs, choose_hand, choose_kind

    kind = choose_kind(screen, found)
    ask = ask_inputs(screen, kind)
    screen.say(f"\n{kind.headline(ask)}", "bold")
    played = play(kind.rule(ask), PromptHand(choose_hand(screen), kind, screen))
    screen.show_end(kind, played, every_note=True)
