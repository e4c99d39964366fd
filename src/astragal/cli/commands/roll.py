"""``astragal roll GAME …``: one roll, by machine or typed, shown to a person or to a program."""

from __future__ import annotations

import sys
from typing import Any

from astragal.cli.options import DICE, OUTPUT, add_kind, answers_given, inputs_given
from astragal.cli.parser import Finished, Parsed, Parser
from astragal.errors import Malformed
from astragal.games.registry import BUILT_IN, all_games, game, names
from astragal.rule.ask import Ask
from astragal.rule.game import Game, Kind
from astragal.rule.hand import Hand, Rolled, Typed, missing_faces
from astragal.rule.node import Throw
from astragal.rule.play import Played, play
from astragal.rule.report import report

MAX_SEED = 200


def run(words: list[str]) -> int:
    """Roll, and show it."""
    if not words or words[0] in ("-h", "--help"):
        return _help(asked=bool(words))
    if is_notation(words[0]):
        from astragal.cli.commands import notation as formula

        return formula.roll(words)
    found = game(words[0])
    kind, rest = find_kind(found, words[1:])
    parsed = parser_of(found, kind).parse(rest)
    ask = kind.ask.read(inputs_given(kind, parsed))
    hand = hand_of(kind, parsed)
    if sys.stdin.isatty() and sys.stdout.isatty() and not parsed.flag("json"):
        return roll_live(kind, ask, hand, parsed.flag("explain"))
    if parsed.flag("by-hand"):
        raise Malformed("by-hand asks for faces at a terminal, and this is none; give them with faces.")
    played = play(kind.rule(ask), hand)
    if isinstance(played.node, Throw):
        raise Malformed(missing_faces(played.node))
    show(found, kind, ask, played, parsed)
    return 0


def is_notation(word: str) -> bool:
    """A first word that is no game's name and has a digit or a bracket in it is dice notation."""
    return word not in BUILT_IN and any(sign in word for sign in "0123456789(%") and word not in names()


def roll_live(kind: Kind, ask: Ask, hand: Hand, every_note: bool) -> int:
    """At a terminal: show each throw as it lands, and ask for what the rules leave to people."""
    from astragal.cli.prompts import PromptHand
    from astragal.cli.render.screen import Screen

    screen = Screen()
    screen.say(kind.headline(ask), "bold")
    screen.show_end(kind, play(kind.rule(ask), PromptHand(hand, kind, screen)), every_note)
    return 0


def find_kind(found: Game, words: list[str]) -> tuple[Kind, list[str]]:
    """A first word that names one of the game's rolls picks it; otherwise its main roll is meant."""
    if words and words[0] in found.kinds:
        return found.kinds[words[0]], words[1:]
    if words and words[0].isalpha() and not found.main.short:
        found.kind(words[0])
    return found.main, words


def parser_of(found: Game, kind: Kind) -> Parser:
    """The parser for one kind of roll."""
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


def hand_of(kind: Kind, parsed: Parsed) -> Hand:
    """Where faces and answers come from."""
    faces, seed = parsed.text("faces"), parsed.text("seed")
    if sum((faces is not None, seed is not None, parsed.flag("by-hand"))) > 1:
        raise Malformed("Dice come from faces, from a seed or by-hand; give one of them.")
    if seed is not None and len(seed) > MAX_SEED:
        raise Malformed(f"The seed has {len(seed)} characters; at most {MAX_SEED} are taken.")
    answers = answers_given(kind, parsed)
    if faces is not None:
        return Typed(faces, answers, kind.several)
    return Hand(answers, kind.several) if parsed.flag("by-hand") else Rolled(answers, kind.several, seed=seed)


def show(found: Game, kind: Kind, ask: Ask, played: Played[Any], parsed: Parsed) -> None:
    """As JSON for a program, as words for a person."""
    if parsed.flag("json"):
        import json

        print(json.dumps(report(found, kind, ask, played, notes=parsed.flag("explain")), ensure_ascii=False))
        return
    from astragal.cli.render.screen import Screen

    Screen().show_played(kind, ask, played, every_note=parsed.flag("explain"))


def _help(asked: bool) -> int:
    if not asked:
        raise Malformed(f"Say which game: {', '.join(names())}; for example astragal roll chronicles 7.")
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
