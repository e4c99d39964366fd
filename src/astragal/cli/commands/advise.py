"""``astragal advise GAME …``: with the dice on the table, what each answer to the open choice would do."""

from __future__ import annotations

from fractions import Fraction

from astragal.cli.options import (
    DICE,
    add_answers,
    answers_given,
    find_roll,
    hand_given,
    inputs_given,
    print_help,
    roll_parser,
)
from astragal.cli.parser import JSON, TIMEOUT, Option, Parser
from astragal.cli.read_question import SHOW, UP_TO_OPTION, listed_names, named, up_to_given
from astragal.cli.render.charts import format_bar, show_columns
from astragal.cli.render.screen import Screen, print_shown
from astragal.cli.watch import answering
from astragal.dice.render.text import format_number, format_one_in, format_percent, format_points, listed_values
from astragal.explain.report import explain, in_a_line, judged
from astragal.games.registry import all_games
from astragal.questions.advice import Weighed, advise_on
from astragal.questions.compare import FactCompared
from astragal.questions.odds import Question, title_of, values_of
from astragal.rule.chances.advise import Advice, Advised
from astragal.rule.chances.fact import NEVER
from astragal.rule.game import Game, Kind

BEST = "★"
BAR = 12
"""Columns of a bar."""
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


# Advice for a person: the dice, the options with what they are worth, the odds after each, the verdict.


def show_advice(weighed: Weighed) -> None:
    """Print the advice."""
    screen = Screen()
    question, played, advice, _ = weighed
    screen.say(question.kind.headline(question.ask), "bold")
    for title, dice in explain(played).throws:
        screen.show_dice(title, dice)
    if played.result is not None:
        screen.say(in_a_line(judged(question.kind, played.result)), "bold")
    screen.show_choice(advice.choice)
    screen.say("")
    screen.say(f'For the wish "{advice.wish.name}": {advice.wish.help}', "bold")
    _show_options(screen, advice, question.kind.budget)
    if advice.choice.assumes:
        screen.say(advice.choice.assumes)
    for name in _shown_facts(weighed):
        screen.say("")
        _show_outcomes(screen, weighed, name)
    screen.say("")
    for line in _verdict_lines(weighed):
        screen.say(line)


def _show_options(screen: Screen, advice: Advice, budget: str) -> None:
    """The options in a grid. What they are paid with is named unless it is the roll's own budget."""
    counts = advice.wish.counts
    named = {what for option in advice.options for what in option.costs} - {budget}
    heads = ("", "", "", "worth" if counts else "chance", "", "cost now", "cost in all")
    cells = [
        (
            BEST if option.name == advice.best and advice.matters else "",
            option.name,
            format_bar(_share(option.worth, advice), BAR),
            _worth(option.worth, counts),
            "" if counts else format_one_in(option.worth),
            str(option.cost),
            format_number(option.total_cost),
            *((_paid_with(option),) if named else ()),
        )
        for option in advice.options
    ]
    screen.show_grid((*heads, "paid with") if named else heads, cells, (0, 1, 2, 4, 7))


def _paid_with(option: Advised) -> str:
    """The total cost of an option: "0.5 stress, 1 coins"."""
    return ", ".join(f"{format_number(cost)} {what.replace('_', ' ')}" for what, cost in option.costs.items() if cost)


def _share(worth: Fraction, advice: Advice) -> Fraction:
    """The length of a bar: a chance itself, an average between the least and the greatest of them."""
    worths = [option.worth for option in advice.options]
    least, most = (min(worths), max(worths)) if advice.wish.counts else (Fraction(0), Fraction(1))
    return (worth - least) / (most - least) if most > least else Fraction(1)


def _shown_facts(weighed: Weighed) -> tuple[str, ...]:
    """The facts asked for; without any, the first whose values are words."""
    if weighed.question.facts or not weighed.facts:
        return weighed.question.facts
    first = weighed.advice.options[0]
    worded = (name for name in weighed.facts if any(isinstance(value, str) for value in weighed.odds(first, name)))
    return (next(worded, weighed.facts[0]),)


def _show_outcomes(screen: Screen, weighed: Weighed, name: str) -> None:
    """A fact's odds, a column for each option; later choices are answered as well as can be."""
    kind, ask = weighed.question.kind, weighed.question.ask
    options = weighed.advice.options
    each = [weighed.odds(option, name) for option in options]
    values = listed_values(each, values_of(kind, name, ask))
    fact = FactCompared(f"{title_of(kind, name, ask)} after each", values, tuple(each))
    show_columns(screen, fact, [option.name for option in options])


def _verdict_lines(weighed: Weighed) -> list[str]:
    """The best option, the worth of saving the points, and the worth of the last point."""
    advice = weighed.advice
    counts = advice.wish.counts
    best = next(option for option in advice.options if option.name == advice.best)
    if advice.matters:
        lines = [f"Best: {best.name} ({_worth(best.worth, counts)})."]
    else:
        costs = any(option.cost for option in advice.options)
        lines = [f"Nothing here changes the wish{': save the points for later' if costs else ''}."]
    gain = advice.worth - advice.saved
    rest = advice.choice.rest
    if rest and rest != best.name:
        each = f", or {_more(gain / best.total_cost, counts)} for each point that it costs" if best.total_cost else ""
        lines.append(f"Leaving it ({rest}) comes to {_worth(advice.saved, counts)}.")
        lines.append(f"{best.name.capitalize()} gains {_more(gain, counts)}{each}.")
    if weighed.last_point is not None:
        budget = weighed.question.kind.budget.upper()
        lines.append(f"The last {budget} held is worth {_more(weighed.last_point, counts)} here.")
    return lines


def _worth(worth: Fraction, counts: bool) -> str:
    return format_number(worth) if counts else format_percent(worth)


def _more(gain: Fraction, counts: bool) -> str:
    return format_number(gain) if counts else f"{format_points(gain).lstrip('+')} percentage points"
