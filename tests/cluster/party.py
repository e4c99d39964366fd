"""Everybody who plays at a cluster: players at some tables, in a thread of their own, and what they must agree on."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import Counter
from types import TracebackType
from typing import Self

import httpx

from tests.cluster.player import Player, Refused

PAUSE = (0.1, 0.5)
"""Seconds between two actions of a player."""
CALM = (1.0, 3.0)
"""The same where browsers watch: a page draws its whole log again with every entry, and shows the last ones only after
a reconnect, so that it must not be longer than those of people are."""
SETTLE = 30.0
"""Seconds in which everybody must agree at the end."""


def request(http: httpx.Client, method: str, path: str, seconds: float = 30, **more: object) -> httpx.Response:
    """A request that is made again while the service is away; everything that it may do twice has a key."""
    end = time.monotonic() + seconds
    while True:
        try:
            answer = http.request(method, path, **more)  # type: ignore[arg-type]
            if answer.status_code < 400:
                return answer
            said = f"{answer.status_code} {answer.text[:300]}"
        except httpx.TransportError as error:
            said = repr(error)
        assert time.monotonic() < end, f"{method} {path}: {said}"
        time.sleep(0.1)


class Host:
    """A GM over HTTP: makes a table and its links, and writes marks that everybody must see."""

    def __init__(self, address: str, n: int, game: str = "razorweave") -> None:
        self.http = httpx.Client(base_url=address, timeout=15, verify=False)
        made = request(
            self.http, "POST", "/api/tables", json={"game": game, "title": f"Table {n}", "name": "Mira"}
        ).json()
        self.table: str = made["table"]
        self.link: str = made["links"]["player"]

    def cookie_for(self, address: str, name: str) -> str:
        """A player's seat."""
        with httpx.Client(base_url=address, timeout=15, verify=False) as http:
            token = self.link.partition("#")[2]
            request(http, "POST", f"/api/tables/{self.table}/seat", json={"token": token, "name": name})
            return "; ".join(f"{cookie.name}={cookie.value}" for cookie in http.cookies.jar)

    def mark(self, text: str) -> None:
        """Write a note that everybody looks out for."""
        request(
            self.http,
            "POST",
            f"/api/tables/{self.table}/actions",
            json={"do": "note", "text": text},
            headers={"Idempotency-Key": text.replace(" ", "-")},
        )

    def log(self) -> list[dict[str, str]]:
        """The whole log, as it is stored."""
        lines = request(self.http, "GET", f"/api/tables/{self.table}/export").text.splitlines()
        entries = [found for line in lines[1:] if "events" in (found := json.loads(line))]
        assert [entry["version"] for entry in entries] == list(range(1, len(entries) + 1)), "a gap in the log"
        return entries


class Party:
    """Players at tables, who play in a thread from the beginning of the block to ``settle``."""

    def __init__(self, address: str, tables: int = 4, players: int = 16, calm: int = 0) -> None:
        """At the first so many tables, ``calm``, people take their time."""
        self.hosts = [Host(address, n + 1) for n in range(tables)]
        self.players = []
        for n in range(players):
            host, name = self.hosts[n % tables], f"Player {n + 1}"
            pause = CALM if n % tables < calm else PAUSE
            self.players.append(Player(address, host.table, host.cookie_for(address, name), name, pause))
        self._marks = 0
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()), daemon=True)

    def __enter__(self) -> Self:
        self._ready = threading.Event()
        self._thread.start()
        assert self._ready.wait(10)
        end = time.monotonic() + SETTLE
        while not all(player.is_there for player in self.players):
            self.check_troubles()
            assert time.monotonic() < end, "not everybody could connect"
            time.sleep(0.02)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._in_loop(self._over)
        self._thread.join(30)
        for host in self.hosts:
            host.http.close()

    async def _play(self) -> None:
        self._enough, self._over = asyncio.Event(), asyncio.Event()
        self._loop = asyncio.get_running_loop()
        playing = [asyncio.create_task(player.play(self._enough)) for player in self.players]
        self._ready.set()
        await self._over.wait()
        self._enough.set()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    def _in_loop(self, event: asyncio.Event) -> None:
        self._loop.call_soon_threadsafe(event.set)

    def all_see_mark(self, seconds: float, since: float | None = None) -> float:
        """Write a note at every table; the seconds from a moment until all players have seen theirs."""
        since = time.monotonic() if since is None else since
        self._marks += 1
        text = f"mark {self._marks}"
        for host in self.hosts:
            host.mark(text)
        end = since + seconds + 60
        while not all(text in player.marks for player in self.players):
            self.check_troubles()
            missing = [player.name for player in self.players if text not in player.marks]
            assert time.monotonic() < end, f"{missing} never saw {text}"
            time.sleep(0.02)
        return max(player.marks[text] for player in self.players) - since

    def check_troubles(self) -> None:
        """Nobody was told anything wrong so far."""
        troubles = [trouble for player in self.players for trouble in player.troubles]
        assert not troubles, troubles

    def settle(self) -> int:
        """Everybody stops, and must agree with what is stored; how many entries were acknowledged in all."""
        self._in_loop(self._enough)
        end = time.monotonic() + SETTLE
        time.sleep(1)  # a note in flight is stored, and told to everybody
        while self._differences() and time.monotonic() < end:
            time.sleep(0.5)
        assert not (differences := self._differences()), differences
        self.check_troubles()
        return sum(len(player.acknowledged) for player in self.players)

    def _differences(self) -> list[str]:
        return [difference for host in self.hosts for difference in self._differences_at(host)]

    def _differences_at(self, host: Host) -> list[str]:
        log = host.log()
        ids = [entry["id"] for entry in log]
        found = [f"an entry is there twice: {id}" for id, n in Counter(ids).items() if n > 1]
        keys = Counter(entry["key"] for entry in log)
        found += [f"a key was used twice: {key}" for key, n in keys.items() if n > 1]
        for player in self.players:
            if player.table == host.table:
                lost = player.acknowledged.keys() - set(ids)
                found += [f"{player.name}'s {player.acknowledged[id]} was acknowledged and lost" for id in lost]
                if player.seen != ids[len(ids) - len(player.seen) :] or not player.seen:
                    found.append(f"{player.name} saw {len(player.seen)} entries, not the last of {len(ids)}")
        return found

    def at(self, moment: str) -> None:
        """What the test does from now on; whatever is refused meanwhile is kept with it."""
        for player in self.players:
            player.moment = moment

    @property
    def refused(self) -> list[Refused]:
        """Every action that was refused, in order."""
        return sorted(refused for player in self.players for refused in player.refused)

    @property
    def refusals(self) -> Counter[str]:
        """All sentences that players were refused with."""
        return sum((player.refusals for player in self.players), Counter())
