"""Questions about odds: a roll in the words of ``astragal roll``, without dice, and what is to be known about it."""

from __future__ import annotations

import shlex
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

from astragal.cli.commands.roll import find_kind
from astragal.cli.options import DICE, add_inputs, decision_options, inputs_given
from astragal.cli.parser import Option, Parsed, Parser
from astragal.dice.distribution import Distribution
from astragal.errors import Malformed, Unknown
from astragal.games.registry import game, names
from astragal.rule.ask import Ask
from astragal.rule.fact import NEVER, Policy, facts_of, wish_of, wishes_of
from astragal.rule.game import Game, Kind
from astragal.rule.number import Whole
from astragal.rule.odds import MOST_UP_TO, UP_TO, all_odds, odds
from astragal.rule.word import OneOf

POLICY = OneOf(("never", "best", "cheapest"), "how choices are answered")
POLICY.name = "policy"
UP_TO_INPUT = Whole(0, MOST_UP_TO, "values told apart where they have no end")
UP_TO_INPUT.name = "up-to"
ABOUT = (
    Option("table", "NAME", "only this table; may be given several times"),
    Option("up-to", "K", f"where a count has no end, tell values apart up to K; default {UP_TO}"),
    Option(
        "policy", POLICY.metavar, "what is done where the rules leave a choice; default never: all is left as it is"
    ),
    Option("wish", "NAME", "what the policy is best for; given alone it means the policy best"),
)


class Question(NamedTuple):
    """A roll that nobody has made yet, and what is asked about it. ``given`` are the inputs as they were written."""

    game: Game
    kind: Kind
    given: dict[str, Any]
    policy: Policy
    up_to: int
    wanted: tuple[str, ...]
    parsed: Parsed

    @property
    def ask(self) -> Ask:
        return self.kind.ask.read(self.given)

    def solve(self, ask: Ask) -> dict[str, Distribution[Any]]:
        """The tables that are wanted; all of them if none is named."""
        if self.wanted and facts_of(self.kind):
            return {name: odds(ask, name, policy=self.policy, up_to=self.up_to) for name in self.wanted}
        found = all_odds(ask, self.policy, self.up_to)
        for name in self.wanted:
            if name not in found:
                raise Unknown(f'There is no table "{name[:40]}" here; there are {", ".join(found) or "none"}.')
        return {name: found[name] for name in self.wanted or found}

    def title(self, name: str) -> str:
        known = facts_of(self.kind)
        return known[name].title if name in known else name.replace("_", " ").capitalize()

    def domain(self, name: str, ask: Ask) -> list[Hashable] | None:
        """The values to list, in their order; None if the table has no more than can happen."""
        known = facts_of(self.kind)
        values = known[name].domain if name in known else None
        return list(values(ask)) if values else None


def read_question(words: list[str], command: str, *more: Option) -> Question:
    """The question in these words; a command may add options of its own for what it prints."""
    found, kind, rest = find_roll(words, command)
    refuse_dice(kind, rest)
    parsed = parser_of(found, kind, command, *more).parse(rest)
    return Question(
        found,
        kind,
        inputs_given(kind, parsed),
        policy_of(kind, parsed),
        up_to_of(parsed),
        tuple(dict.fromkeys(parsed.given.get("table", ()))),
        parsed,
    )


def refuse_dice(kind: Kind, words: list[str]) -> None:
    """Before a roll there are no faces and no answers yet."""
    written = [word.partition("=")[0].removeprefix("--") for word in words if word.startswith("--")]
    answers = {option.name for decision in kind.decisions for option in decision_options(decision)}
    for name in written:
        if name in {option.name for option in DICE}:
            raise Malformed(f"Odds come before the dice, so {name} is not taken; astragal advise takes dice.")
        if name in answers:
            raise Malformed(f"Odds take no answers, so {name} is not taken; policy says how choices are answered.")


def find_roll(words: list[str], command: str) -> tuple[Game, Kind, list[str]]:
    """The game and the kind of roll that the first words name, and the words after them."""
    if not words or words[0].startswith("-"):
        raise Malformed(f"Say which game: {', '.join(names())}; for example astragal {command} chronicles 7.")
    found = game(words[0])
    return found, *find_kind(found, words[1:])


def parser_of(found: Game, kind: Kind, command: str, *more: Option) -> Parser:
    """The parser for questions about one kind of roll."""
    kinds = [kind] if command == kind.name else [kind, *(each for each in found.kinds.values() if each is not kind)]
    parser = Parser(
        f"{command} {found.name}{'' if kind is found.main or command == kind.name else ' ' + kind.name}",
        f"{found.title}: {kind.title}. Exact odds.{listed_names(kind)}",
        kind.short,
        [example_of(each, command) for each in kinds],
    )
    add_inputs(parser, kind)
    parser.add("what is asked about it", *ABOUT)
    if more:
        parser.add("output", *more)
    return parser


def listed_names(kind: Kind) -> str:
    """The tables and wishes that can be named, as sentences."""
    known = ", ".join(facts_of(kind))
    wishes = ", ".join(f"{wish.name} ({wish.help})" for wish in wishes_of(kind).values())
    return (f" Tables: {known}." if known else "") + (f" Wishes: {wishes}." if wishes else "")


def example_of(kind: Kind, command: str) -> str:
    """The example of a roll without the answers in it, which a policy gives here."""
    takes_value = {f"--{option.name}": option.metavar for each in kind.decisions for option in decision_options(each)}
    kept, words = ["astragal", command], iter(shlex.split(kind.example))
    for word in words:
        if word not in takes_value and word != command:
            kept.append(word)
        elif takes_value.get(word):
            next(words, None)
    return join_words(kept)


def join_words(words: Iterable[str]) -> str:
    """Words as they are typed into a shell."""
    return " ".join(f'"{word}"' if " " in word and '"' not in word else shlex.quote(word) for word in words)


def policy_of(kind: Kind, parsed: Parsed) -> Policy:
    name, wish = parsed.text("policy"), parsed.text("wish")
    chosen: Any = POLICY.read(name) if name is not None else "best" if wish is not None else "never"
    if chosen == "never":
        if wish is not None:
            raise Malformed("A wish is given, and the policy is never; the policies best and cheapest follow a wish.")
        return NEVER
    if not wishes_of(kind) or not kind.decisions:
        raise Malformed("This roll has no choices that a wish could guide; leave out policy and wish.")
    return Policy(chosen, wish_of(kind, wish or ""))


def up_to_of(parsed: Parsed) -> int:
    text = parsed.text("up-to")
    return UP_TO if text is None else int(UP_TO_INPUT.read(text))
