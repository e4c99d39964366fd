"""``astragal roll GAME …``: one roll, by machine or typed, shown to a person or to a program."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Any

from astragal.cli.parser import Finished, Parser, add_kind, answers_given, inputs_given
from astragal.errors import Malformed
from astragal.games.registry import BUILT_IN, game, games
from astragal.rule.ask import Ask
from astragal.rule.game import Game, Kind
from astragal.rule.hand import Hand, Rolled, Typed
from astragal.rule.node import Throw
from astragal.rule.play import Played, play
from astragal.rule.report import report

MAX_SEED = 200


def run(words: list[str]) -> int:
    """Roll, and show it."""
    if not words or words[0] in ("-h", "--help"):
        return _help(asked=bool(words))
    found = game(words[0])
    kind, rest = find_kind(found, words[1:])
    options = parser_of(found, kind).parse_intermixed_args(rest)
    ask = kind.ask.read(inputs_given(kind, options))
    if sys.stdin.isatty() and sys.stdout.isatty() and not options.json:
        return roll_live(kind, ask, hand_of(kind, options), options.explain)
    if options.by_hand:
        raise Malformed("by-hand asks for faces at a terminal, and this is none; give them with faces.")
    played = play(kind.rule(ask), hand_of(kind, options))
    if isinstance(played.node, Throw):
        raise Malformed(_missing(played.node))
    show(found, kind, ask, played, options)
    return 0


def roll_live(kind: Kind, ask: Ask, hand: Hand, every_note: bool) -> int:
    """At a terminal: show each throw as it lands, and ask for what the rules leave to people."""
    from astragal.cli.asking import Asking
    from astragal.cli.screen import Screen

    screen = Screen()
    screen.say(kind.headline(ask), "bold")
    screen.show_end(kind, play(kind.rule(ask), Asking(hand, kind, screen)), every_note)
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
    others = [f"  astragal roll {found.name} {name:<12} {other.title}" for name, other in found.kinds.items()]
    parser = Parser(
        f"roll {found.name}{'' if main else ' ' + kind.name}",
        f"{found.title}: {kind.title}. {found.blurb}",
        "example:\n  astragal roll " + kind.example + "\n\nrolls of this game:\n" + "\n".join(others),
    )
    add_kind(parser, kind)
    common = parser.add_argument_group("dice and output")
    common.add_argument("--faces", metavar='"6 5 | 7"', help="the faces of real dice: | between kinds and throws, / between waves of rerolls")
    common.add_argument("--by-hand", action="store_true", help="ask at the terminal for the faces of every throw")
    common.add_argument("--seed", metavar="SEED", help="the same dice every time, for tests and tutorials")
    common.add_argument("--explain", action="store_true", help="every step, and the rule that it fell under")
    common.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser


def hand_of(kind: Kind, options: Namespace) -> Hand:
    """Where faces and answers come from."""
    if options.faces is not None and options.seed is not None:
        raise Malformed("Both faces and seed are given; dice are typed or rolled, not both.")
    if options.seed is not None and len(options.seed) > MAX_SEED:
        raise Malformed(f"The seed has {len(options.seed)} characters; at most {MAX_SEED} are taken.")
    answers = answers_given(kind, options)
    several = [decision.name for decision in kind.decisions if decision.written == "list"]
    if options.faces is not None:
        return Typed(options.faces, answers, several)
    return Hand(answers, several) if options.by_hand else Rolled(answers, several, seed=options.seed)


def _missing(throw: Throw[Any, Any]) -> str:
    dice = throw.pool[0]
    where = f" ({throw.title})" if throw.title else ""
    return f"Too few faces: the {dice.title}{where} is thrown next, and no face was typed for it."


def show(found: Game, kind: Kind, ask: Ask, played: Played[Any], options: Namespace) -> None:
    """As JSON for a program, as words for a person."""
    if options.json:
        import json

        print(json.dumps(report(found, kind, ask, played, notes=options.explain), ensure_ascii=False))
        return
    from astragal.cli.screen import Screen

    Screen().show_played(kind, ask, played, every_note=options.explain)


def _help(asked: bool) -> int:
    if not asked:
        raise Malformed(f"Say which game: {', '.join(BUILT_IN)}; for example astragal roll chronicles 7.")
    print("usage: astragal roll GAME [ROLL] …\n\ngames:")
    for found in games():
        print(f"  {found.name:<12} {found.blurb}")
    print("\nexamples:")
    for found in games():
        for kind in found.kinds.values():
            print(f"  astragal roll {kind.example}")
    print("\nastragal roll GAME --help lists the options of a game.")
    raise Finished
