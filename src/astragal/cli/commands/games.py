"""``astragal games``: which games there are, and what each of their rolls takes."""

from __future__ import annotations

from typing import Any

from astragal.cli.options import help_of
from astragal.cli.parser import Option, Parser
from astragal.games.registry import all_games, game
from astragal.rule.game import Decision, Game, Kind
from astragal.rule.input import Input


def run(words: list[str]) -> int:
    """List the games for a person or, with --json, for a program."""
    examples = ("astragal games", "astragal games tgimh", "astragal games --json")
    parser = Parser("games", "The games, their rolls, options and bounds.", ("GAME",), examples)
    parser.add("output", Option("json", help="for programs"))
    parsed = parser.parse(words)
    chosen = (game(parsed.places[0]),) if parsed.places else all_games()
    if parsed.flag("json"):
        import json

        print(json.dumps({"games": [describe(found) for found in chosen]}, ensure_ascii=False, indent=2))
    else:
        for found in chosen:
            _show(found, bool(parsed.places))
    return 0


def describe(found: Game) -> dict[str, Any]:
    """A game as plain data."""
    return {
        "name": found.name,
        "title": found.title,
        "blurb": found.blurb,
        "asks": [describe_kind(kind) for kind in found.kinds.values()],
        "rules": dict(found.rules),
    }


def describe_kind(kind: Kind) -> dict[str, Any]:
    return {
        "name": kind.name,
        "title": kind.title,
        "options": [describe_input(input) for input in kind.ask.inputs.values()],
        "answers": [describe_decision(decision) for decision in kind.decisions],
        "by_place": list(kind.short),
        "example": f"astragal roll {kind.example}",
    }


def describe_input(input: Input) -> dict[str, Any]:
    return {
        "name": input.name,
        "option": f"--{input.option}",
        "kind": input.kind,
        "help": input.help,
        "rule": input.rule,
        "required": input.required,
        "default": None if input.required else input.default,
        "repeats": input.repeats,
        **input.bounds(),
    }


def describe_decision(decision: Decision) -> dict[str, Any]:
    return {**decision._asdict(), "option": f"--{decision.name}"}


def _show(found: Game, whole: bool) -> None:
    print(f"{found.name:<12} {found.blurb}")
    for kind in found.kinds.values():
        print(f"  {kind.name:<12} {kind.title}")
        for input in kind.ask.inputs.values() if whole else ():
            print(f"    --{input.option:<18} {help_of(input)}")
        for decision in kind.decisions if whole else ():
            print(f"    --{decision.name:<18} {decision.help} ({decision.rule})")
