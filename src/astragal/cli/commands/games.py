"""``astragal games``, ``rules`` and ``examples``: what games declare, their rules by number, worked examples."""

from __future__ import annotations

import textwrap
from typing import Any

from astragal.cli.options import help_of, named_game
from astragal.cli.parser import JSON, Option, Parsed, command
from astragal.errors import Malformed, Unknown
from astragal.explain.example import Replayed, examples_of, replay
from astragal.explain.hint import hints_of
from astragal.explain.report import plain
from astragal.games.registry import all_games, broken_games, game_at, shelf_games
from astragal.rule.game import Game


@command("games [GAME]", which=(Option("shelf", help="the games on the shelf"),), output=(JSON,))
def run_games(parsed: Parsed) -> None:
    """List the games, their rolls, options and bounds.

    astragal games
    astragal games tgimh
    astragal games --shelf
    astragal games --json
    """
    shelf = parsed.flag("shelf")
    if shelf and parsed.places:
        raise Malformed("--shelf lists the whole shelf; leave out the name of the game, or the option.")
    chosen = shelf_games() if shelf else _chosen(parsed)
    every = not (shelf or parsed.places)
    if parsed.flag("json"):
        from astragal.cli.render.screen import print_shown
        from astragal.questions.wire_games import Games, declare_game, declare_games

        print_shown(declare_games() if every else Games([declare_game(found) for found in chosen]))
        return
    for found in chosen:
        _show_game(found, bool(parsed.places))
    if every:
        for broken in broken_games():
            print(f"{broken.name:<12} broken ({broken.package}): {broken.error}")
        print("There are more games on the shelf: astragal games --shelf.")


def _chosen(parsed: Parsed) -> tuple[Game, ...]:
    """The game that was named, or all of them."""
    return (game_at(parsed.places[0]),) if parsed.places else all_games()


@command("rules [GAME] [NUMBER]")
def run_rules(parsed: Parsed) -> None:
    """Print how a game is played and its rules by number, or one rule.

    astragal rules narraject
    astragal rules chronicles CD-7
    """
    found = named_game(parsed.places, "rules chronicles")
    rules = found.rules
    if number := (parsed.place(1) or "").upper():
        if number not in rules:
            raise Unknown(f'There is no rule "{number[:20]}" here; there are {", ".join(rules)}.')
        rules = {number: rules[number]}
    else:
        for paragraph in found.how:
            print(textwrap.fill(paragraph, 96), end="\n\n")
    for number, text in rules.items():
        print(textwrap.fill(text, 96, initial_indent=f"{number:<7}", subsequent_indent=" " * 7))
        for hint in hints_of(found):
            if hint.rule == number:
                title = hint.title if hint.title.endswith("?") else f"{hint.title}."
                print(
                    textwrap.fill(f"{title} {hint.text}", 96, initial_indent=" " * 7 + "· ", subsequent_indent=" " * 9)
                )
    if found.licence and rules is found.rules:
        print()
        print(textwrap.fill(f"{found.licence.source}, {found.licence.name}. {found.licence.text}", 96))


@command("examples [GAME]", long=True, which=(Option("rule", "NUMBER", "only those for this rule"),), output=(JSON,))
def run_examples(parsed: Parsed) -> int:
    """Replay worked examples, and show them; the exit code is 1 if a result is not the stated one.

    astragal examples
    astragal examples narraject
    astragal examples --rule CD-7
    """
    chosen = _chosen(parsed)
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
