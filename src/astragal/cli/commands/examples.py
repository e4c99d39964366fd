"""``astragal examples [GAME]``: worked examples, played again."""

from __future__ import annotations

from typing import Any

from astragal.cli.parser import Option, Parser
from astragal.errors import Unknown
from astragal.games.registry import all_games, game
from astragal.rule.example import Replayed, examples_of, replay
from astragal.rule.game import Game
from astragal.rule.report import plain


def run(words: list[str]) -> int:
    """Replay the examples and show them; 1 if one of them no longer gives what it says."""
    examples = ("astragal examples", "astragal examples narraject", "astragal examples --rule CD-7")
    parser = Parser("examples", "Worked examples, played again.", ("GAME",), examples)
    parser.add("which", Option("rule", "NUMBER", "only those for this rule"))
    parser.add("output", Option("json", help="for programs"))
    parsed = parser.parse(words)
    chosen = (game(parsed.places[0]),) if parsed.places else all_games()
    rule = (parsed.text("rule") or "").upper()
    if rule and not any(rule in found.rules for found in chosen):
        raise Unknown(f'There is no rule "{rule[:20]}" here; astragal rules GAME lists them.')
    played = [
        (found, replay(found, example))
        for found in chosen
        for example in examples_of(found)
        if not rule or rule in example.rules
    ]
    if parsed.flag("json"):
        import json

        print(json.dumps([describe(found, again) for found, again in played], ensure_ascii=False, indent=2))
    else:
        show(played)
    return int(any(again.differences for _, again in played))


def describe(found: Game, again: Replayed) -> dict[str, Any]:
    facts = plain(again.played.result) if again.played else {"refused": str(again.refusal)}
    return {"game": found.name, **again.example._asdict(), "result": facts, "right": not again.differences}


def show(played: list[tuple[Game, Replayed]]) -> None:
    from astragal.cli.render.screen import Screen

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
