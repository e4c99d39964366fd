"""A parser whose complaints are refusals, and whose options come from an ask's declaration."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from astragal.errors import Malformed
from astragal.rule.game import Decision, Kind
from astragal.rule.input import Input


class Finished(Exception):
    """The parser has printed its help, and there is nothing more to do."""


class Parser(argparse.ArgumentParser):
    """Argparse without abbreviations; it raises where argparse would exit."""

    def __init__(self, prog: str, description: str, epilog: str = "") -> None:
        super().__init__(
            prog=f"astragal {prog}",
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        raise Malformed(f"{message[0].upper()}{message[1:]}; {self.prog} --help lists what there is.")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise Finished


def add_kind(parser: Parser, kind: Kind) -> None:
    """An option for every input of the ask and for every choice that can be answered beforehand."""
    if kind.short:
        parser.add_argument("short", nargs="*", metavar=" ".join(kind.short), help="by place instead of by name")
    inputs = parser.add_argument_group(f"what is rolled ({kind.name})")
    for input in kind.ask.inputs.values():
        inputs.add_argument(f"--{input.option}", **_input_option(input))
    if kind.decisions:
        decisions = parser.add_argument_group("answers to what the rules leave open")
        for decision in kind.decisions:
            add_decision(decisions, decision)


def _input_option(input: Input) -> dict[str, Any]:
    more: dict[str, Any] = {"dest": f"input:{input.name}", "help": escape(help_of(input)), "default": None}
    if input.kind == "flag":
        return {**more, "action": "store_const", "const": True}
    return {**more, "metavar": input.metavar, "action": "append"}


def help_of(input: Input) -> str:
    """The help text, the bounds, the default and the rule."""
    bounds = "" if input.kind in ("flag", "one_of", "named", "words") else f"; {_range(input)}"
    default = f"; default {input.default}" if input.default not in (None, False, ()) and not input.required else ""
    rule = f" ({input.rule})" if input.rule else ""
    return f"{input.help}{bounds}{default if isinstance(input.default, (int, str)) else ''}{rule}"


def _range(input: Input) -> str:
    bounds = input.bounds()
    return f"{bounds['min']} to {bounds['max']}"


def add_decision(group: Any, decision: Decision) -> None:
    more = {"dest": f"decision:{decision.name}", "default": None}
    help = escape(f"{decision.help}{f' ({decision.rule})' if decision.rule else ''}")
    if decision.written == "flag":
        yes, no = decision.answers
        group.add_argument(f"--{decision.name}", action="store_const", const=yes, help=help, **more)
        group.add_argument(f"--no-{decision.name}", action="store_const", const=no, help=f"the other way: {no}", **more)
    else:
        metavar = {"words": "NAME", "list": '"A,B"'}.get(decision.written) or "|".join(decision.answers) or "ANSWER"
        group.add_argument(f"--{decision.name}", metavar=metavar, help=help, **more)


def escape(text: str) -> str:
    """Argparse formats help texts with %."""
    return text.replace("%", "%%")


def inputs_given(kind: Kind, options: argparse.Namespace) -> dict[str, Any]:
    """The inputs that somebody wrote, by name or by place."""
    given: dict[str, Any] = {
        name: value for name in kind.ask.inputs if (value := getattr(options, f"input:{name}")) is not None
    }
    places = getattr(options, "short", [])
    if len(places) > len(kind.short):
        raise Malformed(f'"{places[len(kind.short)][:40]}" has no place here; by place there are {", ".join(kind.short)}.')
    for name, text in zip(kind.short, places, strict=False):
        if name in given:
            raise Malformed(f"{name} is given twice, by place and by name.")
        given[name] = [text]
    return given


def answers_given(kind: Kind, options: argparse.Namespace) -> dict[str, list[str]]:
    """The answers that somebody gave beforehand."""
    return {
        decision.name: decision.parse(text)
        for decision in kind.decisions
        if (text := getattr(options, f"decision:{decision.name}")) is not None
    }
