"""``astragal games``, ``rules`` and ``examples``: what games declare, their rules by number, worked examples."""

from __future__ import annotations

import textwrap
from typing import Any

from astragal.cli.options import help_of
from astragal.cli.parser import Option, Parser
from astragal.errors import Malformed, Unknown
from astragal.explain.example import Replayed, examples_of, replay
from astragal.explain.hint import Hint, hints_of
from astragal.explain.report import plain
from astragal.games.registry import all_games, broken_games, game_at, names
from astragal.rule.game import Game


def run(words: list[str]) -> int:
    """List the games, their rolls, options and bounds."""
    examples = ("astragal games", "astragal games tgimh", "astragal games --json")
    parser = Parser("games", "The games, their rolls, options and bounds.", ("GAME",), examples)
    parser.add("output", Option("json", help="for programs"))
    parsed = parser.parse(words)
    chosen = (game_at(parsed.places[0]),) if parsed.places else all_games()
    if parsed.flag("json"):
        from astragal.cli.render.screen import print_shown
        from astragal.questions.wire_games import Games, declare_game, declare_games

        print_shown(Games([declare_game(chosen[0])]) if parsed.places else declare_games())
    else:
        for found in chosen:
            _show_game(found, bool(parsed.places))
        for broken in () if parsed.places else broken_games():
            print(f"{broken.name:<12} broken ({broken.package}): {broken.error}")
    return 0


def run_rules(words: list[str]) -> int:
    """Print a game's rules, or one of them."""
    examples = ("astragal rules narraject", "astragal rules chronicles CD-7")
    places = Parser("rules", "A game's rules by number.", ("GAME", "NUMBER"), examples).parse(words).places
    if not places:
        raise Malformed(f"Name a game: {', '.join(names())}; for example astragal rules chronicles.")
    found = game_at(places[0])
    rules = found.rules
    if places[1:]:
        number = places[1].upper()
        if number not in rules:
            raise Unknown(f'There is no rule "{number[:20]}" here; there are {", ".join(rules)}.')
        rules = {number: rules[number]}
    for number, text in rules.items():
        print(textwrap.fill(text, 96, initial_indent=f"{number:<7}", subsequent_indent=" " * 7))
        for hint in hints_of(found):
            if hint.rule == number:
                _show_hint(hint)
    return 0


def _show_hint(hint: Hint) -> None:
    title = hint.title if hint.title.endswith("?") else f"{hint.title}."
    print(textwrap.fill(f"{title} {hint.text}", 96, initial_indent=" " * 7 + "· ", subsequent_indent=" " * 9))


def run_examples(words: list[str]) -> int:
    """Replay the worked examples and show them; 1 if one no longer gives its stated result."""
    examples = ("astragal examples", "astragal examples narraject", "astragal examples --rule CD-7")
    parser = Parser("examples", "Worked examples, played again.", ("GAME",), examples)
    parser.add("which", Option("rule", "NUMBER", "only those for this rule"))
    parser.add("output", Option("json", help="for programs"))
    parsed = parser.parse(words)
    chosen = (game_at(parsed.places[0]),) if parsed.places else all_games()
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

        print(json.dumps([_described(found, again) for found, again in played], ensure_ascii=False, indent=2))
    else:
        _show_examples(played)
    return int(any(again.differences for _, again in played))


def _show_game(found: Game, whole: bool) -> None:
    print(f"{found.name:<12} {found.blurb}")
    for kind in found.kinds.values():
        print(f"  {kind.name:<12} {kind.title}")
        for input in kind.ask.inputs.values() if whole else ():
            print(f"    --{input.option:<18} {help_of(input)}")
        for decision in kind.decisions if whole else ():
            print(f"    --{decision.name:<18} {decision.help} ({decision.rule})")


def _described(found: Game, again: Replayed) -> dict[str, Any]:
    facts = plain(again.played.result) if again.played else {"refused": str(again.refusal)}
    return {"game": found.name, **again.example._asdict(), "result": facts, "right": not again.differences}


def _show_examples(played: list[tuple[Game, Replayed]]) -> None:
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
