"""Hints: guidance that a game gives at the moment of a decision, as data that ships with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from astragal.rule.game import Game
from astragal.rule.texts import Texts

HintPlace: TypeAlias = Literal["roll", "input", "result", "choice", "section"]
"""What a hint belongs to: a roll before it is built, an input, a field of the result, a choice, a part of a sheet."""


class Hint(NamedTuple):
    """A few sentences that help to decide something, with the rule that they explain.

    ``name`` is the input, field, choice or section; ``value``, if there is one, limits the hint to that value.
    ``kinds`` limits it to some kinds of roll.
    """

    at: HintPlace
    name: str
    value: str
    title: str
    text: str
    rule: str
    kinds: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """Title and text in one line."""
        return f"{self.title}{'' if self.title.endswith('?') else ':'} {self.text}"


def hints_of(game: Game) -> tuple[Hint, ...]:
    """The hints of a game: those among its words, then those of a file of hints, each in the order of its file."""
    if not (game.hints or game.texts):
        return ()
    known = _known.get(game.name)
    if known is None or known[0] is not game:
        own = _among(game.texts) if game.texts else ()
        known = _known[game.name] = (game, (*own, *(_read(game.hints) if game.hints else ())))
    return known[1]


_known: dict[str, tuple[Game, tuple[Hint, ...]]] = {}
"""The hints of each game that was asked for; a game whose file was edited is another one."""


def _among(texts: Texts) -> Iterator[Hint]:
    """Hints stand below their rule, by where they belong: ``[NJ-8."result degree=solid"]`` with title and text."""
    for key, title in texts.all.items():
        place = key.removesuffix(".title")
        if f"{place}.text" in texts.all:
            rule, _, at = place.partition(".")
            own = texts.of(place)
            yield _hint({"at": at, "rule": rule, "title": title, **own, "kinds": own.get("kinds", "").split()})


def _read(path: str) -> tuple[Hint, ...]:
    import tomllib

    with open(path, "rb") as file:  # noqa: PTH123  pathlib takes longer to import than a roll needs otherwise
        data = tomllib.load(file)
    return tuple(_hint(entry) for entry in data["hint"])


def _hint(entry: Mapping[str, Any]) -> Hint:
    """``at`` is written "roll", "input dc", "input dc=16", "result tier=failure", "choice loss" or "section keys"."""
    at, _, which = entry["at"].partition(" ")
    name, _, value = which.partition("=")
    kinds = tuple(entry.get("kinds", ()))
    text = " ".join(entry["text"].split())
    return Hint(cast("HintPlace", at), name, value, entry["title"], text, entry["rule"], kinds)


def hints_about(game: Game, kind: str, at: HintPlace, given: Mapping[str, Any]) -> Iterator[Hint]:
    """The hints for a roll that fit what is given: those whose name has just their value there."""
    for hint in hints_of(game):
        fits = hint.at == at and (not hint.kinds or kind in hint.kinds)
        if fits and hint.name in given and str(given[hint.name]).lower() == hint.value:
            yield hint
