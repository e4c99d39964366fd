"""Somebody who plays over HTTP and a WebSocket while servers die, and checks all that they are told.

A player acts, and tries again with the same key until they are answered, as the page does. They reconnect by
themselves, from the version that they have. Entries must come in order, each once, with no gap.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from random import Random
from time import monotonic, time
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

AGAIN = (0.1, 0.4)
"""Seconds before an action or a connection is tried again."""
BUSY = (409, 429, 502, 503, 504)
"""Answers after which the same request may succeed."""
MOST = 200
"""Entries of a page of the log."""


class Refused(NamedTuple):
    """An action that was not answered as done at its first try: when, at what moment of the test, and why."""

    at: float
    player: str
    moment: str
    status: int
    """0 where there was no answer at all."""
    sentence: str
    request: str
    """The request's id, which the logs of the balancer and of the server have."""


class Player:
    """A member of a table with a socket, who keeps what they saw and what they were told is stored."""

    def __init__(self, address: str, table: str, cookie: str, name: str, pause: tuple[float, float]) -> None:
        self.name, self.table = name, table
        self.seen: list[str] = []
        """The ids of all entries since the player came, in the order in which they were told of them."""
        self.acknowledged: dict[str, str] = {}
        """What was answered as stored: the text of a note by the id of its entry."""
        self.marks: dict[str, float] = {}
        """When each text was first seen."""
        self.refused: list[Refused] = []
        self.moment = ""
        """What the test does now."""
        self.troubles: list[str] = []
        self.lost = 0
        """How often the connection was lost."""
        self._version: int | None = None
        self._known: set[str] = set()
        self._base = f"/api/tables/{table}"
        self._url = f"{address.replace('http', 'ws')}{self._base}/live"
        self._pause, self._rng = pause, Random(name)
        self._headers = {"Cookie": cookie}
        self._http = httpx.AsyncClient(base_url=address, headers=self._headers, timeout=15, verify=False)

    @property
    def is_there(self) -> bool:
        """Whether the player was greeted, and knows where they begin."""
        return self._version is not None

    async def play(self, until: asyncio.Event) -> None:
        """Act and listen until the event; then listen until cancelled."""
        tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._act_until(until))]
        try:
            await asyncio.gather(*tasks)
        except Exception as error:  # of this program, not of a server; nobody else would hear of it
            self.troubles.append(f"{self.name} plays no more: {error!r}")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._http.aclose()

    # Acting.

    async def _act_until(self, until: asyncio.Event) -> None:
        n = 0
        while not until.is_set():
            n += 1
            await self.write(f"{self.name} {n}")
            with suppress(TimeoutError):
                await asyncio.wait_for(until.wait(), self._rng.uniform(*self._pause))

    async def write(self, text: str) -> None:
        """Write a note, and try again until it is stored."""
        body, headers = {"do": "note", "text": text}, {"Idempotency-Key": text.replace(" ", "-")}
        while not self.troubles:
            try:
                answer = await self._http.post(f"{self._base}/actions", json=body, headers=headers)
            except httpx.TransportError as error:
                self._keep(0, repr(error))
            else:
                if answer.status_code == 200:
                    self.acknowledged[answer.json()["entry"]["id"]] = text
                    return
                self._refused(answer)
            await asyncio.sleep(self._rng.uniform(*AGAIN))

    def _refused(self, answer: httpx.Response) -> None:
        if answer.status_code not in BUSY:
            self.troubles.append(f"{self.name} was refused: {answer.status_code} {answer.text[:300]}")
        elif "problem+json" in answer.headers.get("content-type", ""):
            self._keep(answer.status_code, answer.json()["detail"], answer.headers.get("x-request-id", ""))
        else:
            self._keep(answer.status_code, f"balancer {answer.status_code}")

    def _keep(self, status: int, sentence: str, request: str = "") -> None:
        self.refused.append(Refused(time(), self.name, self.moment, status, sentence, request))

    @property
    def refusals(self) -> Counter[str]:
        """Sentences that the player was refused with."""
        return Counter(refused.sentence for refused in self.refused)

    # Listening.

    async def _listen(self) -> None:
        while not self.troubles:
            try:
                since = "" if self._version is None else f"?since={self._version}"
                async with connect(
                    self._url + since,
                    additional_headers=self._headers,
                    max_size=None,
                    open_timeout=5,
                    close_timeout=1,
                    proxy=None,
                ) as socket:
                    await self._read(socket)
            except InvalidStatus as refused:
                if refused.response.status_code not in (*BUSY, 500):
                    self.troubles.append(f"{self.name} may not connect: {refused}")
            except (OSError, TimeoutError, WebSocketException, httpx.TransportError):
                pass
            self.lost += 1
            await asyncio.sleep(self._rng.uniform(*AGAIN))

    async def _read(self, socket: ClientConnection) -> None:
        async for text in socket:
            frame = json.loads(text)
            kind = frame["type"]
            if kind == "ping":
                await socket.send('{"type":"pong"}')
            elif kind == "news":
                self._take(frame["entries"], frame["version"])
            elif kind == "hello":
                await self._greet(frame)

    async def _greet(self, frame: dict[str, Any]) -> None:
        """The whole table: at first where to begin, later what was missed, read back page by page if it is much."""
        if self._version is None:
            self._version = frame["version"]
            self._known.update(entry["id"] for entry in frame["log"])
            return
        missed = frame["version"] - self._version
        if missed < 0:
            self.troubles.append(f"{self.name} went back from {self._version} to {frame['version']}")
            return
        entries: list[dict[str, Any]] = frame["log"]
        before = frame["version"] - len(entries) + 1
        while len(entries) < missed:
            answer = await self._http.get(f"{self._base}/log?before={before}&limit={MOST}")
            if answer.status_code != 200:
                raise OSError  # the server is gone again: the connection is made anew
            page = answer.json()["entries"]
            entries, before = page + entries, before - len(page)
        self._take(entries[len(entries) - missed :] if missed else [], frame["version"])

    def _take(self, entries: list[dict[str, Any]], version: int) -> None:
        """Entries that follow those that are known, up to a version."""
        assert self._version is not None
        if version - self._version != len(entries):
            told = f"{len(entries)} entries from {self._version} to {version}"
            self.troubles.append(f"{self.name} was told {told}")
        for entry in entries:
            if entry["id"] in self._known:
                self.troubles.append(f"{self.name} was told of {entry['id']} twice")
            self._known.add(entry["id"])
            self.seen.append(entry["id"])
            for line in entry["lines"]:
                if entry["do"] == "note":
                    self.marks.setdefault(line["text"].partition(": ")[2], monotonic())
        self._version = version
