"""Refusing is cheap: no refused body, of any shape, costs much more than reading it as JSON."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any

import httpx
import msgspec
import pytest
from starlette.applications import Starlette

from astragal.games.registry import all_games
from astragal.rule.inputs.input import Numbers, OneOf, Summed, Whole
from astragal.rule.inputs.word import Named, Words
from astragal.serve.app import app
from astragal.serve.http.endpoint import decode, is_deep
from astragal.serve.problems import BadRequest
from astragal.serve.telemetry import NoRequestLog
from astragal.serve.workers.answers import OddsRequest
from tests.serve.running import FREE
from tests.share import share

LONGEST = 240_000
LENGTH = share(LONGEST, 60_000)
TIMES = 20
"""Calls that a refusal may take for each piece of JSON, where reading it takes about the time of one. The constants are
estimates; in processor time, the worst of the bodies below took 19 times as long as ``json.loads`` (80,000 sides)."""
LETTERS = 200
"""Letters of a text that are read in the time of a call."""
REQUEST = 6_000
"""Calls that any request may take besides."""
PIECES = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]|[^][{}",:\s]+')
"""Pieces of JSON: brackets, texts, numbers and words."""

VALUES: dict[str, str] = {
    "open": "[" * LENGTH,
    "many lists": f"[{'[],' * (LENGTH // 3)}0]",
    "lists of 39 levels": f"[{('[' * 38 + ']' * 38 + ',') * (LENGTH // 77)}0]",
    "lists below 35 others": f"{'[' * 35}{'[],' * (LENGTH // 3)}0{']' * 35}",
    "objects": f"[{'{},' * (LENGTH // 3)}0]",
    "floats": f"[{'1.0,' * (LENGTH // 4)}0.5]",
    "digits": "9" * 4000,
    "numbers": f"[{'1,' * (LENGTH // 2)}1]",
    "texts": "[" + ",".join(['"1 a"'] * (LENGTH // 6)) + "]",
    "a text of sources": f'"{"1 a," * (LENGTH // 4)}1 a"',
    "a text of numbers": f'"{"1 " * (LENGTH // 2)}"',
    "a text of spaces": f'"{" " * LENGTH}"',
    "a text of commas": f'"{"," * LENGTH}"',
    "a text of escapes": '"' + '\\"' * (LENGTH // 2) + '"',
    "a text of equal signs": f'"{"a=b," * (LENGTH // 4)}"',
    "keys": "{" + ",".join(f'"k{n}":1' for n in range(LENGTH // 12)) + "}",
    "nested keys": '{"a":' * 39 + "1" + "}" * 39,
}


def questions(value: str) -> Iterator[tuple[str, str]]:
    """Paths and bodies with the value in every place that takes one, one input of each type for each game."""
    yield "/api/odds", value
    yield "/api/tables", f'{{"game": {value}}}'
    yield "/api/tables", f'{{"game": "narraject", "title": "T", "name": "N", "options": {{"edition": {value}}}}}'
    for path in ("roll", "odds", "advise"):
        yield f"/api/{path}", f'{{"game": "tgimh", "inputs": {value}}}'
        yield f"/api/{path}", f'{{"game": "chronicles", "roll": {value}}}'
    yield "/api/roll", f'{{"game": "chronicles", "faces": {value}}}'
    yield "/api/roll", f'{{"game": "chronicles", "answers": {{"spend": {value}}}}}'
    yield "/api/compare", f'{{"sides": {value}}}'
    types = {Whole, Summed, Numbers, OneOf, Named, Words}
    for game in all_games():
        for kind in game.kinds.values():
            for name, input in kind.ask.inputs.items():
                if type(input) in types:
                    types.remove(type(input))
                    yield (
                        "/api/odds",
                        f'{{"game": "{game.name}", "roll": "{kind.name}", "inputs": {{"{name}": {value}}}}}',
                    )


def actions(value: str) -> Iterator[str]:
    """Actions with the value where a table takes one."""
    yield f'{{"do": "note", "text": {value}}}'
    yield f'{{"do": "create", "name": "A", "sheet": {value}}}'
    yield f'{{"do": "create", "name": "A", "sheet": {{"reserves": {value}}}}}'
    yield f'{{"do": "create", "name": "A", "sheet": {{"reserves": {{"Agility": {value}}}}}}}'
    yield f'{{"do": "edit", "holder": "table", "section": "x", "item": "y", "to": {value}}}'
    yield f'{{"do": "roll", "inputs": {{"d6": {value}}}}}'
    yield f'{{"do": "roll", "use": {value}}}'
    yield f'{{"do": "roll", "helpers": {value}}}'
    yield f'{{"do": "move", "name": "refresh", "inputs": {{"amount": {value}}}}}'


class Calls:
    """Counts the calls of functions on every thread that starts meanwhile, those written in C included."""

    def __init__(self) -> None:
        self.n = 0

    def profile(self, frame: FrameType, event: str, arg: object) -> None:
        """For ``sys.setprofile``."""
        self.n += event in ("call", "c_call")


@contextmanager
def counting() -> Iterator[Calls]:
    calls, before = Calls(), sys.getprofile()
    threading.setprofile(calls.profile)
    sys.setprofile(calls.profile)
    try:
        yield calls
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def measured(
    runner: asyncio.Runner, made: Starlette, path: str, body: str, headers: dict[str, str], *, calls: Calls
) -> tuple[int, httpx.Response]:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(made)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.post(path, content=body, headers=headers)

    before = calls.n
    answer = runner.run(ask())
    return calls.n - before, answer


def allowed(body: str) -> int:
    """The calls that a refusal of this body may take."""
    return TIMES * (sum(1 for _ in PIECES.finditer(body)) + len(body) // LETTERS) + REQUEST


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, str], tuple[int, Any]]]:
    """Posts a body, at the table of this server if the path is empty; the calls that it took, and the answer."""
    folder: Path = tmp_path_factory.mktemp("cheap")
    made = app(folder / "tables.db", FREE, NoRequestLog())
    headers = {"Content-Type": "application/json", "Idempotency-Key": "k"}
    # A server lives in one event loop.
    with counting() as calls, asyncio.Runner() as runner:
        life = made.router.lifespan_context(made)
        runner.run(_begin(life))
        yield from _posting(runner, made, headers, calls)
        runner.run(_end(life))


async def _begin(life: AbstractAsyncContextManager[Any]) -> None:
    await life.__aenter__()


async def _end(life: AbstractAsyncContextManager[Any]) -> None:
    await life.__aexit__(None, None, None)


def _posting(
    runner: asyncio.Runner, made: Starlette, headers: dict[str, str], calls: Calls
) -> Iterator[Callable[[str, str], tuple[int, Any]]]:
    new = '{"game": "narraject", "title": "T", "name": "N"}'
    founded = measured(runner, made, "/api/tables", new, headers, calls=calls)[1]
    headers["Cookie"] = f"seat={founded.cookies['seat']}"
    table = f"/api/tables/{founded.json()['table']}/actions"
    yield lambda path, body: measured(runner, made, path or table, body, headers, calls=calls)


@pytest.mark.parametrize("shape", VALUES)
def test_a_refused_body_costs_at_most_20_times_its_reading(
    post: Callable[[str, str], tuple[int, httpx.Response]], shape: str
) -> None:
    value = VALUES[shape]
    for path, body in (*questions(value), *(("", body) for body in actions(value))):
        took, answer = post(path, body)
        if answer.status_code < 300:
            continue  # some values are right somewhere
        assert answer.status_code in (400, 404, 413, 422), answer.text
        assert len(answer.content) < 2_000, answer.text[:200]
        assert took <= allowed(body), (took, path, body[:80])


@pytest.mark.parametrize(
    "rest",
    [
        '"' + '\\"' * 60_000,
        '"' * LONGEST,
        '"' + "\\" * LONGEST,
        '"' + '\\"' * 60_000 + "\\",
        '","' * 50_000,
    ],
    ids=["escaped quotes", "quotes", "backslashes", "a backslash at the end", "quotes and commas"],
)
def test_a_text_without_an_end_costs_no_more_than_its_length(rest: str) -> None:
    """Nesting is looked for in what is no JSON too, where a float is found before: each quote began a search then."""
    body = ('{"notation": "1d6", "up_to": 1.0, "x": ' + "[" * 60 + rest).encode()
    began = process_time()
    assert is_deep(body)
    with pytest.raises(BadRequest, match="cannot be read"):
        decode(msgspec.json.Decoder(OddsRequest), body)
    assert process_time() - began < 2  # some milliseconds; it was minutes
