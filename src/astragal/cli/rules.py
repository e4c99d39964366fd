"""``astragal rules GAME [NUMBER]``: the rules in our own words, with the rulings."""

from __future__ import annotations

import textwrap

from astragal.cli.parser import Parser
from astragal.errors import Unknown
from astragal.games.registry import game


def run(words: list[str]) -> int:
    """Print a game's rules, or one of them."""
    parser = Parser("rules", "A game's rules by number.", "examples:\n  astragal rules narraject\n  astragal rules chronicles CD-7")
    parser.add_argument("game", help="the game")
    parser.add_argument("number", nargs="?", help="only this rule")
    options = parser.parse_args(words)
    rules = game(options.game).rules
    if options.number:
        number = options.number.upper()
        if number not in rules:
            raise Unknown(f'There is no rule "{options.number[:20]}" here; there are {", ".join(rules)}.')
        rules = {number: rules[number]}
    for number, text in rules.items():
        print(textwrap.fill(text, 96, initial_indent=f"{number:<7}", subsequent_indent=" " * 7))
    return 0
