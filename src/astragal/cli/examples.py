"""``astragal examples [GAME]``: worked examples, played again."""

from __future__ import annotations

from typing import Any

from astragal.cli.parser import Parser
from astragal.games.registry import game, games
from astragal.rule.example import Replayed, examples_of, replay
from astragal.rule.game import Game
from astragal.rule.report import plain


def run(words: list[str]) -> int:
    """Replay the examples and show them; 1 if one of them no longer gives what it says."""
    parser = Parser("examples", "Worked examples, played again.",
                    "examples:\n  astragal examples\n  astragal examples narraject\n  astragal examples --rule CD-7")
    parser.add_argument("game", nargs="?", help="only this game's")
    parser.add_argument("--rule", metavar="NUMBER", help="only those for this rule")
    parser.add_argument("--json", action="store_true", help="for programs")
    options = parser.parse_args(words)
    chosen = (game(options.game),) if options.game else games()
    played = [(found, replay(found, example)) for found in chosen for example in examples_of(found)
              if not options.rule or options.rule.upper() in example.rules]
    if options.json:
        import json

        print(json.dumps([describe(found, again) for found, again in played], ensure_ascii=False, indent=2))
    else:
        show(played)
    return int(any(again.differences for _, again in played))


def describe(found: Game, again: Replayed) -> dict[str, Any]:
    facts = plain(again.played.result) if again.played else {"refused": str(again.refusal)}
    return {"game": found.name, **again.example._asdict(), "result": facts, "right": not again.differences}


def show(played: list[tuple[Game, Replayed]]) -> None:
    from astragal.cli.screen import Screen

    screen = Screen()
    for found, again in played:
        example = again.example
        screen.say(f"{found.title}: {example.title} [{', '.join(example.rules)}; {example.origin}]", "bold")
        if again.played:
            kind = found.kind(example.roll)
            screen.show_played(kind, kind.ask.read(example.given), again.played)
        else:
            screen.say(f"  Refused: {again.refusal}", "yellow")
        if example.note:
            screen.say(f"  {example.note}", "dim")
        for difference in again.differences:
            screen.say(f"  WRONG: {difference}", "bold red")
        screen.say("")
    wrong = sum(bool(again.differences) for _, again in played)
    screen.say(f"{len(played)} examples, {wrong} wrong.")
