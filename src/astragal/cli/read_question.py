"""Questions about odds, read from the words of a command line; one input may be varied (``--vary``)."""

from __future__ import annotations

import shlex
from collections.abc import Container
from typing import Any, NamedTuple, cast

from astragal.cli.options import CSV, DICE, SVG, decision_options, find_roll, inputs_given, roll_parser
from astragal.cli.parser import JSON, TIMEOUT, Option, Parsed, Parser
from astragal.errors import Illegal, Malformed, Unknown
from astragal.questions.odds import Question, policy_for
from astragal.rule.chances.fact import Policy, PolicyName, facts_of, wishes_of
from astragal.rule.chances.odds import MAX_UP_TO, UP_TO
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.input import Input, parse_whole

SHOW = Option("show", "FACT", "only this fact; may be given several times", was="table", many=True)
UP_TO_OPTION = Option("up-to", "K", f"where a count has no end, list values up to K; default {UP_TO}")
WISH = Option("wish", "NAME", "what the policy aims at; given alone it means the policy best")
ABOUT = (
    SHOW,
    UP_TO_OPTION,
    Option(
        "policy",
        help="how choices are answered: never (the default) changes no dice, the others follow a wish",
        choices=("never", "best", "cheapest"),
    ),
    WISH,
    Option(
        "offers", help="count in what others may offer, such as the GM on a near miss; alone it means the policy best"
    ),
)
MOST_COLUMNS = 12
"""Columns that a terminal has room for."""
OUTPUT = (
    Option("vary", "INPUT=A..B", f"a column for each value: edge=-2..2, again=10,9,8; {MOST_COLUMNS} at the most"),
    Option("at-least", help="chances of each value or more"),
    Option("at-most", help="chances of each value or less"),
    CSV,
    SVG,
    JSON,
    TIMEOUT,
)


class WrittenQuestion(NamedTuple):
    """A question as it was written; the inputs are still texts, so that one of them can be varied."""

    game: Game
    kind: Kind
    given: dict[str, Any]
    policy: Policy
    facts: tuple[str, ...]
    up_to: int
    parsed: Parsed

    def question(self, **others: list[str]) -> Question:
        """The question, with these inputs besides those that were given."""
        ask = self.kind.ask.read({**self.given, **others})
        return Question(self.game, self.kind, ask, self.policy, self.facts, self.up_to)


def read_question(words: list[str], command: str, *more: Option) -> WrittenQuestion:
    """The question in these words; a command may add options of its own for what it prints."""
    found, kind, rest = find_roll(words, command)
    _refuse_dice(kind, rest)
    parsed = parser_of(found, kind, command, *more).parse(rest)
    given, name = inputs_given(kind, parsed), cast("PolicyName | None", parsed.text("policy"))
    policy = policy_for(kind, name, parsed.text("wish"), parsed.flag("offers"))
    return WrittenQuestion(found, kind, given, policy, parsed.texts("show"), up_to_given(parsed), parsed)


def parser_of(found: Game, kind: Kind, command: str, *more: Option) -> Parser:
    """The parser for questions about a kind of roll."""
    kinds = [kind] if command == kind.name else [kind, *(each for each in found.kinds.values() if each is not kind)]
    examples = [example_of(each, command) for each in kinds]
    parser = roll_parser(command, found, kind, f"Exact odds.{listed_names(kind)}", examples)
    parser.add("what is asked about it", *(named(option, kind) for option in ABOUT))
    if more:
        parser.add("output", *more)
    return parser


def named(option: Option, kind: Kind) -> Option:
    """The option with the facts or wishes of a kind of roll that it may name."""
    names = {SHOW.name: facts_of, WISH.name: wishes_of}.get(option.name)
    return option._replace(names=tuple(names(kind))) if names else option


def listed_names(kind: Kind) -> str:
    """The facts and wishes that can be named, as sentences for a help text."""
    facts = ", ".join(facts_of(kind))
    wishes = ", ".join(f"{wish.name} ({wish.help})" for wish in wishes_of(kind).values())
    return (f" Facts: {facts}." if facts else "") + (f" Wishes: {wishes}." if wishes else "")


def example_of(kind: Kind, command: str) -> str:
    """A roll's example as a question: without the answers in it, which a policy gives here."""
    takes_value = {f"--{option.name}": option.metavar for each in kind.decisions for option in decision_options(each)}
    kept, words = ["astragal", command], iter(shlex.split(kind.example))
    for word in words:
        if word not in takes_value and word != command:
            kept.append(word)
        elif takes_value.get(word):
            next(words, None)
    return " ".join(f'"{word}"' if " " in word and '"' not in word else shlex.quote(word) for word in kept)


def up_to_given(parsed: Parsed) -> int:
    """The last value that has a row of its own where a count has no end."""
    up_to = parsed.whole("up-to", 0, MAX_UP_TO)
    return UP_TO if up_to is None else up_to


def _refuse_dice(kind: Kind, words: list[str]) -> None:
    """Refuse faces and answers, with a hint: odds are those before both."""
    written = [word.partition("=")[0].removeprefix("--") for word in words if word.startswith("--")]
    answers = {option.name for decision in kind.decisions for option in decision_options(decision)}
    for name in written:
        if name in {option.name for option in DICE}:
            raise Malformed(f"Odds need no dice, so --{name} is not taken; astragal advise takes dice.")
        if name in answers:
            raise Malformed(f"Odds take no answers, so --{name} is not taken; --policy says how choices are answered.")


class Varied(NamedTuple):
    """An input, and the values that it takes in turn, as they were written."""

    input: Input
    texts: tuple[str, ...]

    @property
    def heads(self) -> list[str]:
        """A heading for each value."""
        return [f"{self.input.option} {text.replace('-', '−')}" for text in self.texts]


def vary(kind: Kind, given: Container[str], written: str) -> Varied:
    """The input and the values in ``edge=-2..2`` or ``again=10,9,8``; inputs that are given are refused."""
    name, equals, values = written.partition("=")
    if not equals or not values.strip():
        raise Malformed(f'"{written[:40]}" cannot be varied; write an input and its values, such as edge=-2..2.')
    name, inputs = name.strip().removeprefix("--").replace("-", "_"), kind.ask.inputs
    if name not in inputs:
        options = ", ".join(input.option for input in inputs.values())
        raise Unknown(f'There is no input "{name[:40]}" to vary here; there are {options}.')
    input = inputs[name]
    if input.name in given:
        raise Malformed(f"{input.option} is both given and varied; leave out one of them.")
    texts = tuple(_texts(input, values))
    if len(texts) > MOST_COLUMNS:
        raise Illegal(
            f"{input.option} is varied over more than {MOST_COLUMNS} values; at most {MOST_COLUMNS} are shown."
        )
    return Varied(input, texts)


def _texts(input: Input, values: str) -> list[str]:
    """``-2..2`` counts up or down; otherwise commas separate the values."""
    first, dots, last = values.partition("..")
    if not dots:
        return list(dict.fromkeys(text.strip() for text in values.split(",")))
    low, high = parse_whole(first, input), parse_whole(last, input)
    step = 1 if low <= high else -1
    return [str(n) for n in range(low, high + step, step)[: MOST_COLUMNS + 1]]
