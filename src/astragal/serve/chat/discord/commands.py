"""The slash commands, as they are registered with Discord, and functions that read their options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from astragal.errors import Malformed
from astragal.serve.chat.discord.interaction import Option

TEXT, FLAG, BELOW = 3, 5, 1
"""Types of options: a text, yes or no, a command below a command."""
SEEN = {"all": "everyone", "owner": "me and the GM", "gm": "the GM only", "blind": "the GM only, me blind"}
MAX_TEXT = 500
_PAIR = re.compile(r"""\s*(\w{1,80})\s*[=:]\s*("[^"]*"|[^\s,;]+)\s*[,;]?""")
_TAP = re.compile(r"\s*([^,;=]{1,200}?)\s*(?:=\s*(\d{1,4}))?\s*(?:[,;]|$)")
_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def _option(name: str, help: str, type: int = TEXT, **more: Any) -> dict[str, Any]:
    bound = {"max_length": MAX_TEXT} if type == TEXT and "choices" not in more else {}
    return {"type": type, "name": name, "description": help, **bound, **more}


def _below(name: str, help: str, *options: dict[str, Any]) -> dict[str, Any]:
    return {"type": BELOW, "name": name, "description": help, "options": list(options)}


DICE = _option("dice", "dice notation, such as 4d6kh3 + 2; rolled without the table")
GAME = _option("game", "a game; without it, the table of this channel", autocomplete=True)
KIND = _option("kind", "the kind of roll, if the game has several", autocomplete=True)
INPUTS = _option("inputs", "the inputs, such as difficulty=3 d6=5", autocomplete=True)
SECRET = _option("secret", "only you see the answer", FLAG)
WHO = _option("who", "the character that rolls, if you have several", autocomplete=True)
USE = _option("use", "things from a sheet, such as Agility, Stealth")
WHO_SEES = _option(
    "seen", "who sees it; everyone by default", choices=[{"name": name, "value": key} for key, name in SEEN.items()]
)

COMMANDS: list[dict[str, Any]] = [
    {
        "name": "roll",
        "description": "Roll at the table of this channel, by a game's rules, or any dice",
        "options": [DICE, GAME, KIND, INPUTS, WHO, USE, WHO_SEES],
    },
    {
        "name": "odds",
        "description": "Exact odds of dice, of a game's roll, or of the roll that is open at the table",
        "options": [DICE, GAME, KIND, INPUTS, SECRET],
    },
    {
        "name": "table",
        "description": "The table of this channel",
        "options": [
            _below("look", "The scene, and everything that waits for you; only you see it"),
            _below(
                "note",
                "Write a sentence into the log",
                _option("text", "the sentence; without it, a window opens for a longer one"),
                _option("secret", "only you and the GM see it", FLAG),
            ),
            _below("undo", "Undo your last action at the table; once dice have fallen, a GM is asked"),
            _below("allow", "As a GM, allow the latest undo request"),
            _below("decline", "As a GM, decline the latest undo request"),
            _below(
                "sit",
                "Take your seat with a link; no one else sees the link",
                _option("link", "your own link to the table, or one that makes a new seat", required=True),
                _option("name", "your name, if the link makes a new seat"),
            ),
            _below("stand", "Give up your seat here; at the table it stays yours"),
            _below("free", "Disconnect this channel from its table"),
        ],
    },
]


def texts_of(options: Iterable[Option]) -> dict[str, str]:
    """The options that are texts, by name."""
    return {option.name: option.value[:MAX_TEXT] for option in options if isinstance(option.value, str)}


def flag_of(options: Iterable[Option], name: str) -> bool:
    """True if an option is given as yes."""
    return any(option.name == name and option.value is True for option in options)


def parse_inputs(text: str) -> dict[str, Any]:
    """The inputs in ``difficulty=3, about="the wall"``."""
    found: dict[str, Any] = {}
    at = 0
    while rest := text[at:].strip():
        pair = _PAIR.match(text, at)
        if pair is None:
            raise Malformed(f'The inputs cannot be read at "{rest[:40]}"; write them as name=value, such as d6=5.')
        found[pair[1]] = _value(pair[2])
        at = pair.end()
    return found


def _value(text: str) -> Any:
    if text.startswith('"'):
        return text[1:-1]
    if re.fullmatch(r"-?\d{1,9}", text):
        return int(text)
    return _WORDS.get(text.lower(), text)


def parse_use(text: str) -> Mapping[str, int]:
    """The things and their numbers in ``Agility, Wits=2``."""
    found = (pair for pair in _TAP.finditer(text) if pair[1].strip())
    return {pair[1].strip(): int(pair[2] or 1) for pair in found}
