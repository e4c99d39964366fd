"""Questions without a table: games, rolls, odds, advice, comparisons. They take what the command line takes."""

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
    """What a roll changes: ``what`` of ``who`` by so much, with the throw, with an answer or in the end."""

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
    """A roll as plain data; the fields of the game's result stand beside these."""

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


BROKEN = "It has a mistake in it; the server's log says which."
"""What strangers are told of a game that cannot be used."""


async def list_games(call: Call) -> Reply:
    """Every game with its rolls, sheets and moves."""
    found = await asyncio.to_thread(declare_games)
    call.server.request_log.broken(found.broken)
    # Errors name files and show code, which is for whoever runs the server; its log and astragal games tell them.
    return Reply(replace(found, broken=[BrokenDeclared(each.name, "", BROKEN) for each in found.broken]))


async def show_game(call: Call) -> Reply:
    """One game by its name, also of the shelf."""
    return Reply(await asyncio.to_thread(declaration_of, game(call.path("game"))))


async def translate(call: Call) -> Reply:
    """What a game says in another language, by its English texts; where a text is missing, English stands."""
    found = game(call.path("game"))
    return Reply(Translation(dict(await asyncio.to_thread(translations, found, call.path("language")))))


async def roll(call: Call) -> Reply:
    """Roll by a game's rules, or read the dice that you type."""
    return await call.answer(answers.rolled, call.body)


async def odds(call: Call) -> Reply:
    """Exact odds of a roll."""
    return await call.answer(answers.odds, call.body)


async def advise(call: Call) -> Reply:
    """With the dice on the table: what each answer would do to the chances."""
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
