"""``astragal advise GAME …``: with the dice on the table, what each answer to the open choice would do."""

from __future__ import annotations

from typing import NoReturn

from astragal.cli.options import DICE, add_kind, answers_given, find_roll, hand_given, inputs_given
from astragal.cli.parser import Finished, Option, Parser
from astragal.cli.read_question import SHOW, UP_TO_OPTION, listed_names, named, up_to_given
from astragal.cli.render.screen import print_shown
from astragal.cli.watch import TIMEOUT, answering
from astragal.games.registry import all_games
from astragal.questions.advice import advise_on
from astragal.questions.odds import Question
from astragal.rule.chances.fact import NEVER
from astragal.rule.game import Game, Kind

OFFERS = Option("offers", help="count in what others may offer, such as the GM on a near miss")
WISH = Option("wish", "NAME", "what is hoped for; without one, the first that an option helps")
EXAMPLES = (
    'astragal advise tgimh 2 2 --crossed "1 2 3 4" --condition none --faces "2 1 | 9 8"',
    'astragal advise razorweave 14 --strike --faces "6 6 6 5" --wish succeed',
    'astragal advise narraject 5 d10 3 --ip 2 --faces "6 4 4 2 1 | 3"',
    'astragal advise narraject 5 d10 3 --ip 3 --spend reroll --faces "6 4 4 2 1 | 3 | 2"',
    "astragal advise chronicles 3 --faces '2 3 4' --wish calm --json",
)


def run(words: list[str]) -> int:
    """Play up to the open choice, and weigh its options."""
    if words[:1] in (["-h"], ["--help"]):
        _help()
    found, kind, rest = find_roll(words, "advise")
    parsed = parser_of(found, kind).parse(rest)
    ask = kind.ask.read(inputs_given(kind, parsed))
    question = Question(found, kind, ask, NEVER, parsed.texts("show"), up_to_given(parsed))
    hand = hand_given(kind, parsed, fair=False)
    with answering(f"advice on {found.title}", parsed):
        weighed = advise_on(question, hand, answers_given(kind, parsed), parsed.text("wish"), parsed.flag("offers"))
    if parsed.flag("json"):
        from astragal.questions.wire_advice import show_weighed

        print_shown(show_weighed(weighed))
    else:
        from astragal.cli.render.advice import show_advice

        show_advice(weighed)
    return 0


def parser_of(found: Game, kind: Kind) -> Parser:
    """The parser for advice on a kind of roll."""
    parser = Parser(
        f"advise {found.name}{'' if kind is found.main else ' ' + kind.name}",
        f"{found.title}: {kind.title}. What each answer to the open choice would do.{listed_names(kind)}",
        kind.short,
        [example for example in EXAMPLES if example.split()[2] == found.name],
    )
    add_kind(parser, kind)
    parser.add("dice", *(option for option in DICE if option.name != "by-hand"))
    parser.add("what is asked about it", named(SHOW, kind), UP_TO_OPTION, named(WISH, kind), OFFERS)
    parser.add("output", Option("json", help="one JSON object, for programs"), TIMEOUT)
    return parser


def _help() -> NoReturn:
    print("usage: astragal advise GAME [ROLL] … --faces FACES\n")
    print("With the dice on the table: what each answer to the open choice would do, and which is best for a wish.")
    print("\nexamples:")
    for example in EXAMPLES:
        print(f"  {example}")
    names = ", ".join(found.name for found in all_games() if any(kind.decisions for kind in found.kinds.values()))
    print(f"\nGames with choices: {names}. astragal advise GAME --help lists the options and wishes.")
    raise Finished
