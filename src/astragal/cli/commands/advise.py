"""``astragal advise GAME …``: with the dice on the table, what each answer to the open choice would do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

from astragal.cli.commands.roll import hand_of
from astragal.cli.options import DICE, add_kind, answers_given, inputs_given
from astragal.cli.parser import Finished, Option, Parsed, Parser
from astragal.cli.read_question import ABOUT, find_roll, listed_names, up_to_of
from astragal.cli.render.charts import print_json
from astragal.errors import Illegal, Malformed, Refusal
from astragal.games.registry import all_games
from astragal.rule.advise import Advice, advise
from astragal.rule.ask import Ask
from astragal.rule.fact import Wish, fact_of, wish_of, wishes_of
from astragal.rule.game import Game, Kind
from astragal.rule.hand import Given, Hand, missing_faces
from astragal.rule.node import Choice, Throw
from astragal.rule.play import Played, play

RESOURCE = "ip"
"""An input of this name is a purse that choices are paid from; the last point in it has a worth of its own."""
EXAMPLES = (
    'astragal advise tgimh 2 2 --crossed "1 2 3 4" --condition none --faces "2 1 | 9 8"',
    'astragal advise razorweave 14 --strike --faces "6 6 6 5" --wish succeed',
    'astragal advise narraject 5 d10 3 --ip 2 --faces "6 4 4 2 1 | 3"',
    'astragal advise narraject 5 d10 3 --ip 3 --spend reroll --faces "6 4 4 2 1 | 3 | 2"',
    "astragal advise chronicles 3 --faces '2 3 4' --wish calm --json",
)


WISH = Option("wish", "NAME", "what is hoped for; without one, the first that something can be done for")


class Advising(NamedTuple):
    """What was asked, how far it was played, and the advice."""

    game: Game
    kind: Kind
    ask: Ask
    played: Played[Any]
    advice: Advice
    last_point: Fraction | None
    up_to: int
    wanted: tuple[str, ...]


def run(words: list[str]) -> int:
    """Play up to the open choice, and weigh its options."""
    if words[:1] in (["-h"], ["--help"]):
        _help()
    found, kind, rest = find_roll(words, "advise")
    parsed = parser_of(found, kind).parse(rest)
    advising = advise_on(found, kind, parsed)
    if parsed.flag("json"):
        from astragal.cli.render.advice import describe

        print_json(describe(advising))
    else:
        from astragal.cli.render.advice import show

        show(advising)
    return 0


def parser_of(found: Game, kind: Kind) -> Parser:
    main = kind is found.main
    parser = Parser(
        f"advise {found.name}{'' if main else ' ' + kind.name}",
        f"{found.title}: {kind.title}. What each answer to the open choice would do.{listed_names(kind)}",
        kind.short,
        [example for example in EXAMPLES if example.split()[2] == found.name],
    )
    add_kind(parser, kind)
    parser.add("dice", *(option for option in DICE if option.name != "by-hand"))
    parser.add(
        "what is asked about it",
        *(WISH if option.name == "wish" else option for option in ABOUT if option.name != "policy"),
    )
    parser.add("output", Option("json", help="one JSON object, for programs"))
    return parser


def advise_on(found: Game, kind: Kind, parsed: Parsed) -> Advising:
    """The advice for the first choice that the given answers leave open."""
    given = inputs_given(kind, parsed)
    ask = kind.ask.read(given)
    played = play_given(kind, ask, parsed)
    if not isinstance(played.node, Choice):
        raise Illegal(_settled(kind, played))
    wanted = tuple(dict.fromkeys(parsed.given.get("table", ())))
    for name in wanted:
        fact_of(kind, name)
    advice = advice_for(kind, played.node, parsed)
    last = last_point(kind, given, parsed, advice)
    return Advising(found, kind, ask, played, advice, last, up_to_of(parsed), wanted)


def advice_for(kind: Kind, choice: Choice[Any], parsed: Parsed) -> Advice:
    """For the wish that is named; without one, for the first wish that something can be done for."""
    if (named := parsed.text("wish")) is not None:
        return advise(choice, wish_of(kind, named), up_to_of(parsed))
    wish_of(kind)
    found = [advise(choice, wish, up_to_of(parsed)) for wish in wishes_of(kind).values()]
    return next((advice for advice in found if advice.helps), found[0])


def _settled(kind: Kind, played: Played[Any]) -> str:
    """Why there is nothing to weigh."""
    return f"Nothing is left to decide here: {kind.verdict(played.result)}."


def play_given(kind: Kind, ask: Ask, parsed: Parsed) -> Played[Any]:
    """Play with the dice and answers that were given, up to what nobody has answered."""
    answers = answers_given(kind, parsed)
    known = parsed.flag("faces") or parsed.flag("seed")
    inner = hand_of(kind, parsed) if known else Hand(answers, kind.several)
    played = play(kind.rule(ask), Given(inner, answers))
    if isinstance(played.node, Throw):
        raise Malformed(
            missing_faces(played.node) if known else "Advice needs the dice on the table; give their faces, or a seed."
        )
    return played


def last_point(kind: Kind, given: dict[str, Any], parsed: Parsed, advice: Advice) -> Fraction | None:
    """How much less the wish would be worth on the same dice with one point less; None without points."""
    ask = kind.ask.read(given)
    held = getattr(ask, RESOURCE, 0) if RESOURCE in kind.ask.inputs else 0
    if not held:
        return None
    try:
        poorer = play_given(kind, kind.ask.read({**given, RESOURCE: [str(held - 1)]}), parsed)
    except Refusal:
        return None
    return advice.worth - worth_of(poorer, advice.wish)


def worth_of(played: Played[Any], wish: Wish) -> Fraction | int:
    """What the wish is worth from here on, if all is done for it."""
    return advise(played.node, wish).worth if isinstance(played.node, Choice) else wish.worth(played.result)


def _help() -> NoReturn:
    print("usage: astragal advise GAME [ROLL] … --faces FACES\n")
    print("With the dice on the table: what each answer to the open choice would do, and which is best for a wish.")
    print("\nexamples:")
    for example in EXAMPLES:
        print(f"  {example}")
    names = ", ".join(found.name for found in all_games() if any(kind.decisions for kind in found.kinds.values()))
    print(f"\nGames with choices: {names}. astragal advise GAME --help lists the options and wishes.")
    raise Finished
