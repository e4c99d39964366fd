"""Texts in place of a written game: examples with a few things changed, lines in any order, any signs at all."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples" / "games"
GAMES = (*sorted(HERE.glob("*.toml")), *sorted(EXAMPLES.glob("*.toml")))
TEXTS = [path.read_text("utf-8") for path in GAMES]
LINES = [line for text in TEXTS for line in text.splitlines()]
TOKEN = re.compile(r'"[^"\n]*"|[\w-]+|\s+|.')
WORDS = sorted({word for text in TEXTS for word in re.findall(r'"[^"\n]*"|[\w-]+', text)})
SIGNS = "0123456789dkhlb{}[]()=<>!+-*/\"'.,#_ \n\t\\éß≥😀\0\u202e"
VALUES = """
0 | 1979-05-27 | -1 | 1 | 7 | 101010101010101010101010101010 | -9999999999999999999999999999999999999999 | 1e400 | 0.5
nan | true | false | [] | {} | "" | [1, 2] | ["a", "a"] | { a = { b = 1 } } | "\\u202e" | "a\\nb" | "\\u0000"
"1000d1000" | "(stat)d6" | "2d6!" | "5d{0,1,2}" | "d{hit,miss}" | "total / 0" | "total ^ 999999" | "pool kh1 + pool kl1"
"99999999999999999999d6" | "total * 999999999999" | "stat / stat" | "if" | "outcome" | "0d6" | "-1" | "(stat * 1000)d6"
"{total}" | "pool" | "total" | "luck" | "name" | "__class__" | "self" | "inputs" | "{0.__class__}" | "{" | "x" * 2
"""
"""Values that belong nowhere, or only in some places."""
DEEP = ("[" * 40, "{a=" * 40, f'"{"(" * 140}1{")" * 140}"', f'"{"x" * 500}"', f'"{"-" * 250}1"', f'"{"not " * 70}1"')
VALUE = [*(value for line in VALUES.split("\n") for value in line.split(" | ") if value), *DEEP]


def fuzzed(rng: Random) -> str:
    """A text that is nearly a game, or nothing like one."""
    way = rng.random()
    if way < 0.05:
        return "".join(rng.choices(SIGNS, k=rng.randrange(80)))
    if way < 0.15:
        return "\n".join(rng.choices(LINES, k=rng.randrange(60)))
    text = rng.choice(TEXTS)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(CHANGES)(text, rng)
    return text


def _word(text: str, rng: Random) -> str:
    tokens = TOKEN.findall(text) or [""]
    place = rng.randrange(len(tokens))
    tokens[place] = rng.choice((*WORDS, "", tokens[place] * 2))
    return "".join(tokens)


def _value(text: str, rng: Random) -> str:
    lines = text.split("\n")
    places = [place for place, line in enumerate(lines) if "=" in line] or [0]
    place = rng.choice(places)
    lines[place] = lines[place].partition("=")[0] + "= " + rng.choice((*VALUE, rng.choice(WORDS)))
    return "\n".join(lines)


def _alike(text: str, rng: Random) -> str:
    """A number in place of a number, or a text in place of a text: most of these can be loaded."""
    found = list(re.finditer(r'(?<== )(-?\d+)$|(?<== )"[^"\n]*"$', text, re.MULTILINE))
    if not found:
        return text
    place = rng.choice(found)
    number = str(rng.choice((-1000, -2, 0, 1, 2, 3, 20, 1000, 1_000_000)))
    written = number if place[1] else rng.choice([value for value in (*VALUE, *WORDS) if value.startswith('"')])
    return text[: place.start()] + written + text[place.end() :]


def _line(text: str, rng: Random) -> str:
    lines = text.split("\n")
    place = rng.randrange(len(lines))
    took = lines[place]
    way = rng.randrange(4)
    if way == 0:
        del lines[place]
    elif way == 1:
        lines.insert(rng.randrange(len(lines)), took)
    elif way == 2:
        lines.insert(rng.randrange(len(lines)), lines.pop(place))
    else:
        lines.insert(place, rng.choice(LINES))
    return "\n".join(lines)


def _block(text: str, rng: Random) -> str:
    """A part that is gone, or there once or many times more."""
    blocks = text.split("\n\n")
    place = rng.randrange(len(blocks))
    blocks[place : place + 1] = [blocks[place]] * rng.choice((0, 2, 2, 50))
    return "\n\n".join(blocks)


def _signs(text: str, rng: Random) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + "".join(rng.choices(SIGNS, k=rng.randrange(1, 4))) + text[place + rng.randrange(3) :]


CHANGES = (_alike, _alike, _alike, _alike, _word, _word, _value, _value, _value, _line, _line, _block, _signs)
