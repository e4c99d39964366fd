"""``astragal rules GAME [NUMBER]``: the rules in our own words, with the rulings."""

from __future__ import annotations

import textwrap

from astragal.cli.parser import Parser
from astragal.errors import Malformed, Unknown
from astragal.games.registry import game, names


def run(words: list[str]) -> int:
    """Print a game's rules, or one of them."""
    examples = ("astragal rules narraject", "astragal rules chronicles CD-7")
    places = Parser("rules", "A game's rules by number.", ("GAME", "NUMBER"), examples).parse(words).places
    if not places:
        raise Malformed(f"Say which game: {', '.join(names())}; for example astragal rules chronicles.")
    rules = game(places[0]).rules
    if places[1:]:
        number = places[1].upper()
        if number not in rules:
            raise Unknown(f'There is no rule "{number[:20]}" here; there are {", ".join(rules)}.')
        rules = {number: rules[number]}
    for number, text in rules.items():
        print(textwrap.fill(text, 96, initial_indent=f"{number:<7}", subsequent_indent=" " * 7))
    return 0
