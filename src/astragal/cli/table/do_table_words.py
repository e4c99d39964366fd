"""The words of ``astragal table do``: those for every action are told from those of the action itself."""

from __future__ import annotations

from typing import NamedTuple

from astragal.cli.parser import Parsed
from astragal.errors import Malformed

TAKES_VALUE = ("data", "as")


class Spoken(NamedTuple):
    """What belongs to every action, an action in JSON if there is one, and the other words."""

    common: Parsed
    raw: str | None
    words: list[str]


def split(words: list[str]) -> Spoken:
    """Take out --data, --as and --json wherever they stand, since the table decides what else may be said.

    ``--json`` says how the answer is printed; an action in JSON may follow it.
    """
    common, raw, left = Parsed({}, []), None, list[str]()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.removeprefix("--").partition("=")
        if word == "--":
            return Spoken(common, raw, [*left, word, *rest])
        if word.startswith("--") and name in TAKES_VALUE:
            common.given[name] = [value if equals else _value(name, rest)]
        elif word.startswith("--") and name == "json":
            common.given[name] = ["yes"]
            if equals or (rest and rest[0].lstrip().startswith("{")):
                raw = value if equals else rest.pop(0)
        else:
            left.append(word)
    return Spoken(common, raw, left)


def _value(name: str, rest: list[str]) -> str:
    if not rest or rest[0].startswith("--"):
        raise Malformed(f"--{name} needs a value.")
    return rest.pop(0)
