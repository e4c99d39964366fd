"""``astragal advise GAME …``: with the dice on the table, what each answer to the open choice would do."""

from __future__ import annotations

from astragal.cli.options import (
    DICE,
    JSON,
    TIMEOUT,
    add_answers,
    answers_given,
    find_roll,
    hand_given,
    inputs_given,
    print_help,
    roll_parser,
)
from astragal.cli.parser import Option, Parser
from astragal.cli.read_question import SHOW, UP_TO_OPTION, listed_names, named, up_to_given
from astragal.cli.render.screen import print_shown
from astragal.cli.watch import answering
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


def run_advise(words: list[str]) -> int:
    """Play up to the open choice, and weigh its options."""
    if words[:1] in (["-h"], ["--help"]):
        games = [found.name for found in all_games() if any(kind.decisions for kind in found.kinds.values())]
        print_help(
            "usage: astragal advise GAME [ROLL] … --faces FACES\n",
            "With the dice on the table: what each answer to the open choice would do, and which is best for a wish.",
            "\nexamples:",
            *(f"  {example}" for example in EXAMPLES),
            f"\nGames with choices: {', '.join(games)}. astragal advise GAME --help lists the options and wishes.",
        )
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
    about = f"What each answer to the open choice would do.{listed_names(kind)}"
    examples = [example for example in EXAMPLES if example.split()[2] == found.name]
    parser = roll_parser("advise", found, kind, about, examples)
    add_answers(parser, kind)
    parser.add("dice", *(option for option in DICE if option.name != "by-hand"))
    parser.add("what is asked about it", named(SHOW, kind), UP_TO_OPTION, named(WISH, kind), OFFERS)
    parser.add("output", JSON, TIMEOUT)
    return parser
