"""Asking without a table: games, rolls, odds, advice and comparisons. Computing is done in a thread."""

from __future__ import annotations

from starlette.responses import PlainTextResponse

from astragal.questions.wire_games import declared
from astragal.serve import metrics
from astragal.serve.api import questions
from astragal.serve.http.operation import Answer, Call


async def list_games(call: Call) -> Answer:
    """Every game with its rolls, sheets and moves."""
    return Answer(declared())


async def roll(call: Call) -> Answer:
    """Roll by a game's rules, or read the dice that you type."""
    return Answer(await call.house.think(questions.roll, call.body))


async def odds(call: Call) -> Answer:
    """Exact odds of a roll."""
    return Answer(await call.house.think(questions.ask_odds, call.body))


async def advise(call: Call) -> Answer:
    """With the dice on the table: what each answer would do to the chances."""
    return Answer(await call.house.think(questions.weigh, call.body))


async def compare(call: Call) -> Answer:
    """Two questions about odds, side by side."""
    return Answer(await call.house.think(questions.compare, call.body))


async def health(call: Call) -> Answer:
    """Whether the server works and its store can be read."""
    await call.house.think(call.house.desk.store.kept, "serve/secret")
    return Answer({"status": "ok"})


async def measure(call: Call) -> PlainTextResponse:
    """What the server counts, for Prometheus."""
    return PlainTextResponse("\n".join(call.house.metrics.lines()) + "\n", media_type=metrics.MEDIA)
