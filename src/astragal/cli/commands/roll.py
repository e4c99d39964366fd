"""``astragal roll GAME …``: one roll, with fair dice or typed ones, for a person or for a program."""

from __future__ import annotations

import sys
from typing import Any

from astragal.cli.options import (
    DICE,
    OUTPUT,
    add_kind,
    find_roll,
    hand_given,
    inputs_given,
    is_notation,
)
from astragal.cli.parser import Finished, Parsed, Parser
from astragal.errors import Malformed
from astragal.explain.report import hints_for, report
from astragal.games.registry import all_games
from astragal.questions.play import play_roll
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.play import Hand, Played, play


def run(words: list[str]) -> int:
    """Roll, and show the result."""
    if words[:1] in (["-h"], ["--help"]):
        _help()
    if is_notation(words):
        from astragal.cli.commands.notation import run_roll

        return run_roll(words)
    found, kind, rest = find_roll(words, "roll")
    parsed = parser_of(found, kind).parse(rest)
    ask = kind.ask.read(inputs_given(kind, parsed))
    hand = hand_given(kind, parsed)
    if sys.stdin.isatty() and sys.stdout.isatty() and not parsed.flag("json"):
        _roll_live(found, kind, ask, hand, parsed.flag("explain"))
        return 0
    if parsed.flag("by-hand"):
        raise Malformed("--by-hand asks for faces at a terminal, and this is not one; give them with --faces.")
    _show(found, kind, ask, play_roll(kind, ask, hand), parsed)
    return 0


def parser_of(found: Game, kind: Kind) -> Parser:
    """The parser for a kind of roll."""
    main = kind is found.main
    others = [other.example for other in found.kinds.values() if other is not kind]
    parser = Parser(
        f"roll {found.name}{'' if main else ' ' + kind.name}",
        f"{found.title}: {kind.title}. {found.blurb}",
        kind.short,
        [f"astragal roll {example}" for example in (kind.example, *others)],
    )
    add_kind(parser, kind)
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


def _show(found: Game, kind: Kind, ask: Ask, played: Played[Any], parsed: Parsed) -> None:
    if parsed.flag("json"):
        import json

        print(json.dumps(report(found, kind, ask, played, notes=parsed.flag("explain")), ensure_ascii=False))
        return
    from astragal.cli.render.screen import Screen

    screen, every_note = Screen(), parsed.flag("explain")
    screen.show_played(kind, ask, played, every_note)
    if every_note:
        screen.show_hints(hints_for(found, kind, ask, played))


def _help() -> None:
    print('usage: astragal roll GAME [ROLL] …\n       astragal roll "NOTATION" …\n\ngames:')
    for found in all_games():
        print(f"  {found.name:<12} {found.blurb}")
    print("\nexamples:")
    for found in all_games():
        for kind in found.kinds.values():
            print(f"  astragal roll {kind.example}")
    print('  astragal roll "5d6kh4+2"')
    print("\nastragal roll GAME --help lists the options of a game.")
    raise Finished
