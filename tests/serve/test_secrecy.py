"""Secrecy: what a player's socket and HTTP answers carry is the same, byte for byte, whatever the GM hides.

The same visible actions are done at two servers, with the same keys, times and dice. At
one of them the GM does hidden things in between. Actions are made up beforehand on two
tables in memory, so that what is visible never speaks of what is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from astragal.errors import Refusal
from astragal.games.registry import names
from astragal.table import action as a
from astragal.table.book import book_of
from astragal.table.entry import Entry
from astragal.table.export import export_lines
from astragal.table.seat import GM, hears
from astragal.table.state import State
from astragal.table.table import Table
from tests.serve.running import FREE, Guest, Line, Running
from tests.share import record, share
from tests.table.tables import seeded_dice, started
from tests.table.wild import Wild

NOON = 1_700_000_000_000
STEPS = 16
WATCHERS = ("Jonas", "Ada", "Olaf")
VAGUE = (a.Seat, a.Leave)
"""Who comes and goes is no secret, and would end the comparison."""


class Step(NamedTuple):
    """Something done at the table with secrets, and what is done at the other one: the same, or nothing."""

    by: str
    key: str
    secret: dict[str, Any]
    plain: dict[str, Any] | None
    heard: tuple[str, ...] = ()
    """Who hears of it; each gets one frame."""


class Pair:
    """Two tables in memory: the one with secrets, and the one without."""

    def __init__(self, game: str, rng: Random) -> None:
        state, entries, self.ids = started(game)
        self.rng = rng
        self.first = list(entries)
        self.logs: list[list[Entry]] = [list(entries), list(entries)]
        self.tables = [Table(state, self._reader(log)) for log in self.logs]
        self.hidden = 0

    def _reader(self, log: list[Entry]) -> Any:
        return lambda since: log[since : len(self.first)]

    def steps(self) -> Iterator[Step]:
        for n in range(STEPS):
            if self.rng.random() < 0.5:
                yield from self._hidden(n)
            yield from self._visible(n)

    def _decide(self, which: int, by: str, action: a.Action, key: str) -> Entry | None:
        try:
            return self.tables[which].decide(by, action, f"{by}/{key}", NOON, seeded_dice(f"{by}/{key}"))
        except Refusal:
            return None

    def _apply(self, which: int, entry: Entry) -> None:
        self.tables[which].apply(entry)
        self.logs[which].append(entry)

    def _visible(self, n: int) -> Iterator[Step]:
        """Made up where nothing is hidden. What a GM says vaguely may mean another thing where something is."""
        name = self.rng.choice(["Mira", "Mira", "Jonas", "Ada", "Olaf"])
        by, key = self.ids[name], f"visible {n}".replace(" ", "-")
        state = self.tables[1].state
        action = Wild(self.rng, state, [entry.id for entry in self.logs[1]]).action()
        if isinstance(action, VAGUE) or (name == "Mira" and _vague(action)):
            return
        entries = [self._decide(which, by, action, key) for which in (0, 1)]
        if name == "Mira" and (entries[0] is None or entries[1] is None):
            return
        for which, entry in enumerate(entries):
            if entry:
                self._apply(which, entry)
        written = msgspec.to_builtins(action)
        yield Step(by, key, written, written, self._heard(entries[1]))

    def _heard(self, entry: Entry | None) -> tuple[str, ...]:
        members = self.tables[1].state.members
        return tuple(
            name
            for name in WATCHERS
            if entry and any(hears(members[self.ids[name]], event.only) for event in entry.events)
        )

    def _hidden(self, n: int) -> Iterator[Step]:
        """Something of the GM's that nobody else hears anything of."""
        for turn in range(4):
            by, key = self.ids["Mira"], f"hidden-{n}-{turn}"
            action = Secret(self.rng, self.tables[0].state, [entry.id for entry in self.logs[0]]).action()
            entry = self._decide(0, by, action, key)
            if entry and all(event.only == GM for event in entry.events):
                self._apply(0, entry)
                self.hidden += 1
                yield Step(by, key, msgspec.to_builtins(action), None)


def _vague(action: a.Action) -> bool:
    """Without an id, a GM means the latest of all, and a hidden one may be later."""
    if isinstance(action, (a.Undo, a.Redo)):
        return not action.entry
    return isinstance(action, (a.Build, a.Throw, a.Answer, a.Withdraw, a.Reveal)) and not action.roll


class Secret(Wild):
    """Wild actions of a GM who hides what they do."""

    def action(self) -> a.Action:
        makers = (self.secret_note, self.lurker, self.secret_clock, self.secret_item, self.at_random)
        return self.rng.choice((*makers, self.secret_roll, self.secret_roll))()

    def at_random(self) -> a.Action:
        """Anything at all; it is done only if nobody hears of it."""
        return super().action()

    def name(self) -> str:
        return f"Veil {self.rng.randrange(1000)}"

    def secret_note(self) -> a.Action:
        return a.Note(text=self.name(), seen="gm")

    def lurker(self) -> a.Action:
        return a.Create(name=self.name(), template=self.one(self._templates(), ""), seen="gm")

    def _templates(self) -> list[str]:
        from astragal.table.sheets import templates_of

        return list(templates_of(self.state.game))

    def secret_clock(self) -> a.Action:
        return a.Edit(holder="table", section="clocks", item=self.name(), to={"segments": 4, "seen": "gm"})

    def secret_item(self) -> a.Action:
        """Something hidden on a sheet that everybody sees."""
        kept = self.holder("character")
        sections = [part for part in book_of(self.state.game).keeping.sections(kept.kind) if not part.names]
        if not sections:
            return self.secret_note()
        section = self.rng.choice(sections)
        to = {name: self.value(input) for name, input in section.fields.items() if input.required}
        return a.Edit(holder=kept.id, section=section.name, item=self.name(), to={**to, "seen": "gm"})

    def secret_roll(self) -> a.Action:
        opening = {**self.opening(), "seen": "gm", "hide": []}
        return a.Roll(**opening) if self.maybe(0.6) else a.Open(**opening)


class Servers(NamedTuple):
    """The server with secrets, and the one without."""

    secret: Running
    plain: Running


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    fixed = FREE._replace(clock=lambda: NOON, dice=seeded_dice, keep_idle=1)
    folder = tmp_path_factory.mktemp("secrecy")
    with Running(folder / "secret.db", fixed) as secret, Running(folder / "plain.db", fixed) as plain:
        yield Servers(secret, plain)


class Seats:
    """Everybody's seats at one of the servers."""

    def __init__(self, server: Running, file: bytes, ids: dict[str, str]) -> None:
        gm = server.guest()
        answer = gm.http.post("/api/tables/import", content=file, headers={"Content-Type": "application/x-ndjson"})
        assert answer.status_code == 201, answer.text
        gm.table = answer.json()["table"]
        self.by_id: dict[str, Guest] = {ids["Mira"]: gm}
        self.lines: dict[str, Line] = {}
        for name in WATCHERS:
            link = gm.post(gm.at("/links"), {"role": "player", "member": ids[name]}, 201)
            self.by_id[ids[name]] = server.guest().sit_down(gm.table, link["path"])
        self.first = {name: self._watch(name, ids) for name in WATCHERS}

    def _watch(self, name: str, ids: dict[str, str]) -> str:
        """One after the other, so that each hears of the next in the same order at both servers."""
        self.lines[name] = self.by_id[ids[name]].line()
        return "".join(line.raw() for line in self.lines.values())

    def act(self, step: Step, action: dict[str, Any]) -> tuple[int, bytes]:
        guest = self.by_id[step.by]
        answer = guest.http.post(guest.at("/actions"), json=action, headers={"Idempotency-Key": step.key})
        return answer.status_code, answer.content

    def close(self) -> None:
        for line in self.lines.values():
            line.socket.close()
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
    pair = Pair(game, Random(seed))
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
            for name in step.heard:
                assert secret.lines[name].raw() == plain.lines[name].raw(), step
        _compare_answers(secret, plain, pair)
    finally:
        secret.close()
        plain.close()
    return pair.hidden


def _compare_answers(secret: Seats, plain: Seats, pair: Pair) -> None:
    """Everything that can be asked; and the last frame of each line, so that none came in between."""
    last = Step(pair.ids["Mira"], "last", {"do": "note", "text": "The end."}, None)
    secret.act(last, last.secret)
    plain.act(last, last.secret)
    for name in WATCHERS:
        assert secret.lines[name].raw() == plain.lines[name].raw()
        one, other = secret.by_id[pair.ids[name]], plain.by_id[pair.ids[name]]
        for path in _paths(other):
            answers = [(answer.status_code, answer.content) for answer in (one.http.get(path), other.http.get(path))]
            assert answers[0] == answers[1], path
        version = other.view()["version"]
        for since in (None, version - 3, version):
            with one.line(since) as here, other.line(since) as there:
                assert here.raw() == there.raw()


def _paths(guest: Guest) -> Iterator[str]:
    parts = guest.view()["parts"]
    yield from (guest.at(path) for path in ("", "/log?limit=200", "/log?before=3&limit=2", "/story", "/stats"))
    for path in parts:
        kind, _, id = path.partition("/")
        if kind == "holders":
            yield guest.at(f"/sheets/{id}")
        if kind == "rolls":
            yield from (guest.at(f"/rolls/{id}/odds"), guest.at(f"/rolls/{id}/advice"))


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
    pair = Pair(game, Random(seed))
    file, _ = _file(game, seed)
    both = [Seats(server, file, pair.ids) for server in servers]
    step = Step(pair.ids["Mira"], f"roll-{seed}", {}, None)
    hide = [list(HIDDEN[game][0])[-1]]
    try:
        for seats, inputs in zip(both, HIDDEN[game], strict=True):
            assert seats.act(step, {"do": "roll", "who": "Wren", "inputs": inputs, "hide": hide})[0] == 200
        for watcher in WATCHERS:
            assert both[0].lines[watcher].raw() == both[1].lines[watcher].raw()
        _compare_answers(both[0], both[1], pair)
    finally:
        for seats in both:
            seats.close()
