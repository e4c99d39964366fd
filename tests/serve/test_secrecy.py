"""Secrecy: what a player receives over WebSocket and HTTP is the same, byte for byte, whatever the GM hides.

The same visible actions are done at two servers, with the same keys, times and dice. At
one of them the GM does hidden things in between. Actions are made up beforehand on two
tables in memory, so that what is visible never speaks of what is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

import pytest

from astragal.dice.dice import Faces, Pool
from astragal.games.registry import names
from astragal.table.log.export import export_lines
from astragal.table.log.seal import HeadKey
from astragal.table.rolls.ticket import Tickets
from astragal.table.state import State
from tests.serve.hidden import NOON, WATCHERS, Pair, Step
from tests.serve.running import FREE, Guest, LiveSocket, Running
from tests.share import record, share
from tests.table.tables import started


class KnownTickets(Tickets):
    """Tickets that are the same at both servers, with keys and dice as they are thrown everywhere."""

    def __init__(self, table: str) -> None:
        super().__init__(table, table.encode())


class OtherTickets(KnownTickets):
    """The same tickets, with other dice where the nonce says that nobody sees them."""

    def faces(self, pool: Pool, key: bytes, place: str, nonce: str) -> Faces:
        return super().faces(pool, key, place, nonce.replace("blind", "other"))


class Servers(NamedTuple):
    """The server with secrets, and the one without."""

    secret: Running
    plain: Running


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    # Time must not tell the servers apart on a busy machine: of two same questions, one could be stopped.
    patient = FREE._replace(question_timeout=120, receive_timeout=600, send_timeout=600)
    fixed = patient._replace(clock=lambda: NOON, tickets=KnownTickets, head_key=HeadKey(b"k" * 32), keep_idle=1)
    other = fixed._replace(tickets=OtherTickets)
    folder = tmp_path_factory.mktemp("secrecy")
    with Running(folder / "secret.db", fixed) as secret, Running(folder / "plain.db", other) as plain:
        secret.request_id = plain.request_id = "SAME"
        yield Servers(secret, plain)


class Seats:
    """Everybody's seats at one of the servers."""

    def __init__(self, server: Running, file: bytes, ids: dict[str, str]) -> None:
        gm = server.guest()
        answer = gm.http.post(
            "/api/tables/import?unsealed=true", content=file, headers={"Content-Type": "application/x-ndjson"}
        )
        assert answer.status_code == 201, answer.text
        gm.table = answer.json()["table"]
        self.by_id: dict[str, Guest] = {ids["Mira"]: gm}
        self.connections: dict[str, LiveSocket] = {}
        for name in WATCHERS:
            link = gm.post(gm.at("/links"), {"role": "player", "member": ids[name]}, 201)
            self.by_id[ids[name]] = server.guest().take_seat(gm.table, link["path"])
        self.first = {name: self._watch(name, ids) for name in WATCHERS}

    def _watch(self, name: str, ids: dict[str, str]) -> str:
        """One after the other, so that each is told of the next in the same order at both servers."""
        self.connections[name] = self.by_id[ids[name]].connection()
        return "".join(connection.raw() for connection in self.connections.values())

    def act(self, step: Step, action: dict[str, Any]) -> tuple[int, bytes]:
        guest = self.by_id[step.by]
        answer = guest.http.post(guest.at("/actions"), json=action, headers={"Idempotency-Key": step.key})
        return answer.status_code, answer.content

    def close(self) -> None:
        for connection in self.connections.values():
            connection.socket.close()
        for guest in self.by_id.values():
            guest.http.close()


def _file(game: str, table: str) -> tuple[bytes, State]:
    state, entries, _ = started(game)
    return b"".join(export_lines(table, state, entries)), state


@pytest.mark.parametrize("game", names())
def test_nothing_that_a_player_gets_tells_of_what_is_hidden(servers: Servers, game: str) -> None:
    n, hidden = share(250, 6), 0
    for seed in range(n):
        hidden += _compare(servers, game, f"{game}-{seed}")
    assert hidden > n
    record(
        f"sequences with and without hidden things, the same byte for byte to players ({game})",
        f"{n}, {hidden} hidden actions",
    )


def _compare(servers: Servers, game: str, seed: str) -> int:
    """Compare the two servers; returns how many hidden actions there were."""
    pair = Pair(game, Random(seed), seed)
    file, _ = _file(game, seed)
    secret, plain = Seats(servers.secret, file, pair.ids), Seats(servers.plain, file, pair.ids)
    try:
        assert secret.first == plain.first
        for step in pair.steps():
            told = secret.act(step, step.secret)
            if step.plain is None:
                assert told[0] == 200, told
                continue
            answer = plain.act(step, step.plain)
            if step.by != pair.ids["Mira"]:
                assert told == answer, step
            for name in step.recipients:
                assert secret.connections[name].raw() == plain.connections[name].raw(), step
        _compare_answers(secret, plain, pair)
    finally:
        secret.close()
        plain.close()
    return pair.hidden


def _compare_answers(secret: Seats, plain: Seats, pair: Pair) -> None:
    """Everything that can be asked; and the last frame of each connection, so that none came in between."""
    last = Step(pair.ids["Mira"], "last", {"do": "note", "text": "The end."}, None)
    secret.act(last, last.secret)
    plain.act(last, last.secret)
    for name in WATCHERS:
        assert secret.connections[name].raw() == plain.connections[name].raw()
        one, other = secret.by_id[pair.ids[name]], plain.by_id[pair.ids[name]]
        for path in _paths(other):
            answers = [(answer.status_code, answer.text) for answer in (one.http.get(path), other.http.get(path))]
            assert answers[0] == answers[1], path
        version = other.view()["version"]
        for since in (None, version - 3, version):
            with one.connection(since) as here, other.connection(since) as there:
                assert here.raw() == there.raw()


def _paths(guest: Guest) -> Iterator[str]:
    parts = guest.view()["parts"]
    yield from (
        guest.at(path)
        for path in (
            "",
            "/log?limit=200",
            "/log?before=3&limit=2",
            "/story",
            "/story?dice=true",
            "/stats",
            "/chain",
            "/chain?since=2&limit=5",
        )
    )
    for path in parts:
        kind, _, id = path.partition("/")
        if kind == "holders":
            yield guest.at(f"/sheets/{id}")
        if kind == "rolls":
            yield from (guest.at(f"/rolls/{id}/{asked}") for asked in ("odds", "chances", "advice"))


HIDDEN = {
    "narraject": [{"d6": 4, "difficulty": 1}, {"d6": 4, "difficulty": 5}],
    "razorweave": [{"dc": 10}, {"dc": 22}],
}
"""Inputs that differ in what the GM hides, and not in the dice that are thrown."""


@pytest.mark.parametrize("game", HIDDEN)
def test_a_hidden_difficulty_cannot_be_told_from_another(servers: Servers, game: str) -> None:
    for seed in range(share(80, 4)):
        _compare_hidden(servers, game, f"{game}-difficulty-{seed}")


def _compare_hidden(servers: Servers, game: str, seed: str) -> None:
    """Not even by undoing the roll and trying one difficulty after the other with the dice that it keeps (T-1)."""
    hide = [list(HIDDEN[game][0])[-1]]
    rolls = [{"do": "roll", "who": "Wren", "inputs": inputs} for inputs in HIDDEN[game]]
    with _twins(servers, game, seed) as twins:
        twins.act("Mira", *({**roll, "hide": hide} for roll in rolls))
        twins.act("Mira", {"do": "undo"})
        twins.act("Mira", {"do": "withdraw"})
        for roll in rolls:
            twins.act("Jonas", roll)
            twins.undo()
            twins.act("Mira", {"do": "withdraw"})
        twins.act("Mira", {**rolls[0], "hide": hide})
        twins.act("Mira", {"do": "undo"})
        twins.act("Jonas", {"do": "throw"})


@pytest.mark.parametrize("game", HIDDEN)
@pytest.mark.parametrize("seen", ["all", "owner"])
def test_a_difficulty_that_is_hidden_in_a_request_cannot_be_told_from_another(
    servers: Servers, game: str, seen: str
) -> None:
    """From asking to throwing, answering again after an undo, and withdrawing."""
    hide = [list(HIDDEN[game][0])[-1]]
    asks = [{"do": "ask", "who": ["Wren"], "inputs": inputs, "hide": hide, "seen": seen} for inputs in HIDDEN[game]]
    only: Any = {"recipients": WATCHERS if seen == "all" else ("Jonas",)}
    with _twins(servers, game, f"{game}-request-{seen}") as twins:
        twins.act("Mira", *asks, **only)
        twins.act("Jonas", {"do": "open", "request": twins.request}, **only)
        twins.act("Jonas", {"do": "undo"}, **only)
        twins.act("Jonas", {"do": "roll", "request": twins.request}, **only)
        twins.undo(**only)
        twins.act("Jonas", {"do": "throw"}, **only)
        twins.act("Mira", *asks, **only)
        twins.act("Mira", {"do": "withdraw", "request": twins.request}, **only)


@pytest.mark.parametrize("game", HIDDEN)
def test_a_request_to_somebody_hidden_is_not_noticed(servers: Servers, game: str) -> None:
    with _twins(servers, game, f"{game}-hidden-request") as twins:
        twins.act_in_secret({"do": "create", "name": "Lurker", "seen": "gm"})
        twins.act("Mira", {"do": "ask", "who": ["Wren"], "inputs": HIDDEN[game][0]})
        open_one = twins.request
        twins.act_in_secret({"do": "ask", "who": ["Lurker"], "inputs": HIDDEN[game][1]})
        twins.act_in_secret({"do": "roll", "request": twins.request, "who": "Lurker"})
        twins.act("Jonas", {"do": "roll", "request": open_one})


@pytest.mark.parametrize("game", HIDDEN)
def test_dice_that_were_rolled_blind_are_not_seen_by_undoing_and_rolling_openly(servers: Servers, game: str) -> None:
    roll = {"do": "roll", "who": "Wren", "inputs": HIDDEN[game][0]}
    only: Any = {"recipients": ("Jonas",)}
    alike = 0
    for n in range(8):
        with _twins(servers, game, f"{game}-blind-{n}") as twins:
            twins.act("Jonas", {**roll, "seen": "blind", "nonce": f"blind-{n}"}, key="blind", **only)
            if not twins.alike:  # other dice had other effects, which everybody sees
                continue
            alike += 1
            twins.undo(**only)
            twins.act("Mira", {"do": "withdraw"}, **only)
            twins.act("Jonas", roll)
            twins.undo()
    assert alike


@pytest.mark.parametrize("game", HIDDEN)
def test_dice_that_a_gm_rolled_in_secret_do_not_come_up_again_for_a_player(servers: Servers, game: str) -> None:
    roll = {"do": "roll", "who": "Wren", "inputs": HIDDEN[game][0]}
    with _twins(servers, game, f"{game}-secret") as twins:
        twins.act_in_secret({**roll, "seen": "gm"})
        twins.act_in_secret({"do": "undo"})
        twins.act_in_secret({"do": "withdraw"})
        twins.act("Jonas", roll)


class Twins:
    """A table at both servers, at which the same is done but for what is hidden."""

    def __init__(self, servers: Servers, game: str, seed: str) -> None:
        self.pair = Pair(game, Random(seed), seed)
        file, _ = _file(game, seed)
        self.both = [Seats(server, file, self.pair.ids) for server in servers]
        self.seed = seed
        self.done = 0
        self.alike = True

    def act(self, name: str, *actions: dict[str, Any], key: str = "", recipients: tuple[str, ...] = WATCHERS) -> None:
        """Do this at both; what players get must be the same, but for effects of a roll of which the key says blind."""
        self.done += 1
        step = Step(self.pair.ids[name], f"{key or 'open'}-{self.seed}-{self.done}", {}, None)
        answers = [seats.act(step, action) for seats, action in zip(self.both, actions * 2, strict=False)]
        assert [status for status, _ in answers] == [200, 200], answers
        told = [[seats.connections[name].raw() for name in recipients] for seats in self.both]
        self.alike = told[0] == told[1]
        assert self.alike or key == "blind", actions

    def undo(self, **more: Any) -> None:
        """Jonas asks for his dice back, and Mira allows it (T-2)."""
        self.act("Jonas", {"do": "undo"}, **more)
        self.act("Mira", {"do": "allow"}, **more)

    @property
    def request(self) -> str:
        """The id of the latest request, the same at both tables."""
        parts: dict[str, Any] = self.both[0].by_id[self.pair.ids["Mira"]].view()["parts"]
        return [path for path in parts if path.startswith("requests/")][-1].removeprefix("requests/")

    def act_in_secret(self, action: dict[str, Any]) -> None:
        """The GM does this at one of them only."""
        self.done += 1
        status, told = self.both[0].act(Step(self.pair.ids["Mira"], f"{self.seed}-{self.done}", {}, None), action)
        assert status == 200, told

    def close(self) -> None:
        for seats in self.both:
            seats.close()


@contextmanager
def _twins(servers: Servers, game: str, seed: str) -> Iterator[Twins]:
    twins = Twins(servers, game, seed)
    try:
        yield twins
        if twins.alike:
            _compare_answers(twins.both[0], twins.both[1], twins.pair)
    finally:
        twins.close()
