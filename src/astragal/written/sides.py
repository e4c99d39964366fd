"""Sides of a written game's roll: what is declared once exists twice, ours and theirs.

Ours keeps the names of the file; theirs has ``their_`` before them. In all other texts of the roll, write ``ours.hits``
or ``theirs.hits``. Below the sides, ``ours`` is the side itself, and ``theirs`` the other one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from astragal.written.document import Part, near
from astragal.written.lines import KeyPath

THEIR = "their_"
"""The prefix of the other side's names."""
SETS = ("target", "gm")
"""Who may set the other side's inputs: its player, or only the GM."""
SIDED = re.compile(r"\b(ours|theirs)\.([a-z]\w*)|(?<![\w.])([a-z]\w*)")
FORMULAS = ("gives", "when", "by")
"""The keys of helpers whose texts are formulas."""
OTHER = {"roller": "target", "target": "roller"}


def with_sides(part: Part) -> Part:
    """The roll in which everything below ``sides`` exists for both sides."""
    if not part.has("sides"):
        return part
    sides = part.part("sides")
    by = sides.choice("by", SETS, "target")
    inputs, dice, readings, helpers = (sides.part(name) for name in ("inputs", "dice", "readings", "helpers"))
    brought = helpers.part("inputs")
    sides.finish()
    there = [*inputs.names(), *dice.names(), *readings.names()]
    if sides.has("helpers"):
        if part.has("helpers"):
            part.refuse("helpers are either in [roll.sides], for both sides, or in [roll], for one.", "helpers")
        there += [*brought.names(), "helped", "helpers"]
    if not dice.names():
        sides.refuse('sides need dice that both throw, such as dice.hand = "(pool)d10".')
    for group in (inputs, dice, readings, brought):
        for name in group.names():
            if name.startswith(THEIR):
                group.refuse(f'"{name}" is a name of the other side; choose another name.', name)
    for name in dice.names():
        if not isinstance(dice.any(name), str):
            dice.refuse("dice of both sides are in notation; words or cards would count for both sides.", name)
    said = _Said(part, there)
    both: dict[str, dict[str, Any]] = {
        "inputs": {**inputs.values, **{THEIR + name: _theirs(value, by) for name, value in inputs.values.items()}},
        "dice": dict(_twice("dice", dice, said)),
        "readings": dict(_twice("readings", readings, said)),
    }
    moved: dict[KeyPath, KeyPath] = {}
    for key, values in both.items():
        moved |= {(key, name): ("sides", key, name.removeprefix(THEIR)) for name in values}
    written = {name: said.everywhere(value, (name,)) for name, value in part.values.items() if name != "sides"}
    for key, values in both.items():
        own = written.get(key, {})
        written[key] = {**values, **own} if isinstance(own, dict) else own
    if helpers.values:
        path: KeyPath = ("sides", "helpers")
        written["helpers"] = said.everywhere(helpers.values, path)
        named = {THEIR + name: _called_theirs(value) for name, value in brought.values.items()}
        written["their_helpers"] = {**said.everywhere(helpers.values, path, said.by_theirs), "inputs": named}
        moved |= {(key,): path for key in ("helpers", "their_helpers")}
    return part.rewritten(written, moved)


def _theirs(value: Any, by: str) -> Any:
    """An input of the other side: it is read from the other sheet, and the other player or a GM sets it."""
    if not isinstance(value, dict):
        return value
    theirs = {"by": by, **_called_theirs(value)}
    theirs["of"] = OTHER.get(value.get("of", "roller"), value.get("of"))
    if value.get("kind") == "sources":
        theirs.setdefault("told", "against {}")
    return theirs


def _called_theirs(value: Any) -> Any:
    """The same with the words for the other side."""
    if not isinstance(value, dict):
        return value
    title = {"title": f"Their side: {value['title']}"} if "title" in value else {}
    return {**value, "help": f"their side: {value.get('help', '')}", **title}


def _twice(key: str, part: Part, said: _Said) -> Iterator[tuple[str, Any]]:
    """Dice or readings of both sides, one after the other, since each may use what is above it."""
    for name, value in part.values.items():
        path = "sides", key, name
        yield name, said.by_ours(value, path)
        yield THEIR + name, said.by_theirs(value, path)


class _Said:
    """Texts in which a side is named, with the names that each thing has."""

    def __init__(self, part: Part, there: Iterable[str]) -> None:
        self._part, self._there = part, list(there)

    def everywhere(self, value: Any, path: KeyPath, says: Callable[[str, KeyPath], Any] | None = None) -> Any:
        """The rest of the roll, with names such as ``theirs.hits`` as they are stored.

        ``says`` rewrites formulas; all other texts are ours.
        """
        if isinstance(value, Mapping):
            return {name: self.everywhere(each, (*path, name), says) for name, each in value.items()}
        if isinstance(value, list):
            return [self.everywhere(each, (*path, place), says) for place, each in enumerate(value)]
        if not isinstance(value, str):
            return value
        in_formula = path[-1] in FORMULAS or "dice" in path
        return says(value, path) if says and in_formula else self.by_ours(value, path)

    def by_ours(self, text: Any, path: KeyPath) -> Any:
        """The text of our side: a plain name is ours."""
        return self._named(text, path, lambda whose: THEIR if whose == "theirs" else "")

    def by_theirs(self, text: Any, path: KeyPath) -> Any:
        """The text of their side: a plain name is theirs, and so is ``ours``; ``theirs`` is ours."""
        return self._named(text, path, lambda whose: "" if whose == "theirs" else THEIR)

    def _named(self, text: Any, path: KeyPath, prefix: Callable[[str], str]) -> Any:
        def replaced(found: re.Match[str]) -> str:
            whose, name, plain = found.groups()
            if name and name not in self._there:
                self._part.refuse_at(f'both sides have no "{name}"; {near(name, self._there)}.', path)
            return prefix(whose or "") + (name or plain) if (name or plain) in self._there else found[0]

        return SIDED.sub(replaced, text) if isinstance(text, str) else text
