"""Asking without a table: games, rolls, odds, advice and comparisons. Computing is done in a thread."""

from __future__ import annotations

from starlette.responses import PlainTextResponse

from astragal.questions.wire_games import declared
from astragal.serve.api import questions
from astragal.serve.http.operation import Call, Reply
from astragal.serve.telemetry import METRICS_MEDIA


async def list_games(call: Call) -> Reply:
    """Every game with its rolls, sheets and moves."""
    return Reply(declared())


async def roll(call: Call) -> Reply:
    """Roll by a game's rules, or read the dice that you type."""
    return Reply(await call.server.compute(questions.roll, call.body))


async def odds(call: Call) -> Reply:
    """Exact odds of a roll."""
    return Reply(await call.server.compute(questions.ask_odds, call.body))


async def advise(call: Call) -> Reply:
    """With the dice on the table: what each answer would do to the chances."""
    return Reply(await call.server.compute(questions.weigh, call.body))


async def compare(call: Call) -> Reply:
    """Two questions about odds, side by side."""
    return Reply(await call.server.compute(questions.compare, call.body))


async def health(call: Call) -> Reply:
    """Whether the server works and its store can be read."""
    await call.server.compute(call.server.repository.store.setting, "serve/secret")
    return Reply({"status": "ok"})


async def measure(call: Call) -> PlainTextResponse:
    """What the server counts, for Prometheus."""
    return PlainTextResponse("\n".join(call.server.metrics.lines()) + "\n", media_type=METRICS_MEDIA)
