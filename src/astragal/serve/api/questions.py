"""Questions without a table: games, rolls, odds, advice, comparisons, with the command line's options."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from astragal.explain.translation import translations
from astragal.games.registry import game
from astragal.questions.wire_games import BrokenDeclared, declaration_of, declare_games
from astragal.serve.http.operation import Call, Reply
from astragal.serve.workers import answers, audit_answers
from astragal.table.view.roll_model import DieView, OpenNode


class Translation(Struct, frozen=True):
    """Translations by English text; both may have places in braces, such as ``{n} Marks``."""

    texts: dict[str, str]


class EffectShown(Struct, frozen=True):
    """A change by a roll: ``what`` of ``who`` by a number, with the throw, with an answer or at the end."""

    what: str
    who: str
    by: int
    name: str
    rule: str
    when: Literal["throw", "answer", "end"]
    cause: str


class NoteShown(Struct, frozen=True):
    """A sentence, and its rule."""

    text: str
    rule: str


class Report(Struct, frozen=True):
    """A roll as plain data; the fields of the game's result are added to these."""

    game: str
    roll: str
    ask: dict[str, Any]
    faces: str
    verdict: str | None
    settled: bool
    open: OpenNode
    dice: list[DieView]
    effects: list[EffectShown]
    notes: list[NoteShown]


BROKEN = "This game has a mistake; the server's log has the details."
"""The public text about a broken game."""


async def list_games(call: Call) -> Reply:
    """Every game with its rolls, sheets and moves."""
    found = await asyncio.to_thread(declare_games)
    call.server.request_log.broken(found.broken)
    # Errors name files and show code, which only the operator may see, in the log or by astragal games.
    return Reply(replace(found, broken=[BrokenDeclared(each.name, "", BROKEN) for each in found.broken]))


async def show_game(call: Call) -> Reply:
    """One game by its name, also of the shelf."""
    return Reply(await asyncio.to_thread(declaration_of, game(call.path("game"))))


async def translate(call: Call) -> Reply:
    """A game's texts in another language, by the English texts; missing ones stay English."""
    found = game(call.path("game"))
    return Reply(Translation(dict(await asyncio.to_thread(translations, found, call.path("language")))))


async def roll(call: Call) -> Reply:
    """Roll by a game's rules, or read the dice that you type."""
    return await call.answer(answers.rolled, call.body)


async def odds(call: Call) -> Reply:
    """Exact odds of a roll."""
    return await call.answer(answers.odds, call.body)


async def advise(call: Call) -> Reply:
    """With thrown dice: the effect of each answer on the chances."""
    return await call.answer(answers.advice, call.body)


async def compare(call: Call) -> Reply:
    """Two to six questions about odds, side by side."""
    return await call.answer(answers.comparison, call.body)


async def audit(call: Call) -> Reply:
    """The figures that a text prints, compared with exact odds."""
    return await call.answer(audit_answers.audit_text, call.body, short=False)


async def roll_notation(call: Call) -> Reply:
    """Roll dice notation, or read the dice that you type."""
    return await call.answer(answers.rolled_notation, call.body)


async def solve_program(call: Call) -> Reply:
    """Exact odds of every output of an AnyDice program."""
    return await call.answer(answers.program, call.body, short=False)
