"""Options out of declarations: one for every input of an ask and for every choice answered beforehand."""

from __future__ import annotations

from typing import Any

from astragal.cli.parser import Option, Parsed, Parser
from astragal.errors import Malformed
from astragal.rule.game import Decision, Kind
from astragal.rule.hand import counted_dice
from astragal.rule.input import Input

INPUT = "input:"
DECISION = "decision:"
DICE = (
    Option("faces", '"6 5 | 7"', "the faces of real dice: | between kinds and throws, / between waves of rerolls"),
    Option("by-hand", help="ask at the terminal for the faces of every throw"),
    Option("seed", "SEED", "the same dice every time, for tests and tutorials"),
)
OUTPUT = (
    Option("explain", help="every step, and the rule that it fell under"),
    Option("json", help="one JSON object, for programs"),
)


def add_kind(parser: Parser, kind: Kind) -> None:
    """The options of one kind of roll."""
    add_inputs(parser, kind)
    if kind.decisions:
        parser.add(
            "answers to what the rules leave open",
            *(option for decision in kind.decisions for option in decision_options(decision)),
        )


def add_inputs(parser: Parser, kind: Kind) -> None:
    """The options for what is rolled."""
    parser.add("what is rolled", *map(input_option, kind.ask.inputs.values()))


def input_option(input: Input) -> Option:
    metavar = "" if input.kind == "flag" else input.metavar
    return Option(input.option, metavar, help_of(input), f"{INPUT}{input.name}")


def help_of(input: Input) -> str:
    """The help text, the bounds, the default and the rule."""
    bounds = input.bounds()
    limits = f"; {bounds['min']} to {bounds['max']}" if "min" in bounds else ""
    shown = not input.required and input.default is not False and isinstance(input.default, (int, str))
    default = f"; default {input.default}" if shown else "; required" if input.required else ""
    return f"{input.help}{limits}{default}{f' ({input.rule})' if input.rule else ''}"


def decision_options(decision: Decision) -> list[Option]:
    """A flag has its opposite, ``--no-…``."""
    key = f"{DECISION}{decision.name}"
    help = f"{decision.help}{f' ({decision.rule})' if decision.rule else ''}"
    if decision.written == "flag":
        yes, no = decision.answers
        return [
            Option(decision.name, "", help, key, yes),
            Option(f"no-{decision.name}", "", f"the other answer: {no}", key, no),
        ]
    metavar = {"words": "NAME", "list": '"A,B"'}.get(decision.written) or "|".join(decision.answers) or "ANSWER"
    return [Option(decision.name, metavar, help, key)]


def inputs_given(kind: Kind, parsed: Parsed) -> dict[str, Any]:
    """The inputs that somebody wrote, by name or by place."""
    given: dict[str, Any] = {
        key.removeprefix(INPUT): texts for key, texts in parsed.given.items() if key.startswith(INPUT)
    }
    for name, text in zip(kind.short, parsed.places, strict=False):
        if name in given:
            raise Malformed(f"{name} is given twice, by place and by name.")
        given[name] = [text]
    return {**counted_dice(kind, parsed.text("faces"), given), **given}


def answers_given(kind: Kind, parsed: Parsed) -> dict[str, list[str]]:
    """The answers that somebody gave beforehand."""
    return {
        decision.name: decision.parse(text)
        for decision in kind.decisions
        if (text := parsed.text(f"{DECISION}{decision.name}")) is not None
    }
