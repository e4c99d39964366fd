"""One evening at a table, which follows from its seed: people act and watch, programs come and go, the disk fails.

Every check is made at the end or as soon as it fails, and raises an AssertionError that says what was seen.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple, cast
from unittest.mock import patch

import msgspec
from msgspec.structs import replace
from starlette.websockets import WebSocketDisconnect

from astragal.errors import Refusal, Stale, Unavailable
from astragal.serve.live import connection as connections
from astragal.serve.live import hub as hubs
from astragal.serve.live import owner as owners
from astragal.serve.live import watch
from astragal.serve.live.hub import Hub
from astragal.serve.problems import Busy, Limited
from astragal.serve.telemetry import Metrics
from astragal.storage import Record
from astragal.storage.tables import log
from astragal.storage.tables import stored_table as stored_tables
from astragal.storage.tables.stored_table import StoredTable
from astragal.table import action as a
from astragal.table import table as tables
from astragal.table.access import seat_version
from astragal.table.entry import Entry, decode_entry, encode_entry
from astragal.table.fold import seen_by
from astragal.table.state import State, encode_state
from astragal.table.table import Table, folded
from astragal.table.view.build import view
from tests.simulation.loop import VirtualLoop
from tests.simulation.servers import TICKETS, Lone, OneOfSeveral, Server
from tests.simulation.store import FAULTS, MemoryStore, Rows
from tests.table.tables import seeded_dice

SMALL = {
    (stored_tables, "SNAPSHOT_EVERY"): 10,
    (stored_tables, "BEHIND"): 6,
    (tables, "CHECKPOINT"): 4,
    (tables, "TAIL"): 16,
    (log, "PAGE"): 7,
    (connections, "MAX_QUEUED"): 4,
    (owners, "MAX_BATCH"): 5,
    (owners, "MANY"): 5,
    (hubs, "AT_A_TIME"): 1,
    (hubs, "HEAVY"): 600,
}
"""Limits that are made small, so that a short evening reaches them."""


LONGEST = 600.0
"""Seconds of virtual time after which an evening must be over: nobody waits without end."""


class Plan(NamedTuple):
    """What an evening has; a failing one is shrunk by having less of it."""

    seed: int
    servers: int = 1
    """One that has the table alone, or several that claim it."""
    turns: int = 8
    people: int = 5
    watchers: int = 3
    commands: int = 4
    restarts: int = 2
    pauses: int = 3
    """How often one of several servers is stopped for a while, and continues later."""
    faults: tuple[str, ...] = FAULTS
    hidden: str = "the lamp"
    """What is hidden from players; nothing that they get may depend on it."""


class Found(NamedTuple):
    """What an evening came to."""

    counts: Counter[str]
    told: list[list[Any]]
    """The frames of each watcher of the player's seat, as they were read."""
    log: list[str]


class Socket:
    """A browser's end of a connection, which reads at its own pace and checks what it reads."""

    def __init__(self, loop: VirtualLoop, watcher: Watcher) -> None:
        self.scope: dict[str, Any] = {"type": "websocket"}
        self._loop, self._watcher, self.ended = loop, watcher, loop.create_future()

    async def send_text(self, text: str) -> None:
        pace = self._loop.random.choice([2000, 2000, 500, 20])
        await asyncio.sleep(self._loop.random.expovariate(pace))
        if self.ended.done():
            raise WebSocketDisconnect(1006)
        self._watcher.read(json.loads(text))

    async def receive(self) -> dict[str, Any]:
        await asyncio.shield(self.ended)
        return {"type": "websocket.disconnect"}

    async def close(self, code: int, reason: str = "") -> None:
        self.end()

    def end(self) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


class Watcher:
    """Somebody who has the table open, and comes back whenever the connection ends."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.version: int | None = None
        self.parts: dict[str, Any] = {}
        self.ids: list[str] = []
        """The entries that it was told, in order."""
        self.frames: list[Any] = []

    def read(self, frame: Any) -> None:
        """Take a frame as a page does; nothing may be missing or come twice."""
        self.frames.append(frame)
        if frame["type"] == "hello":
            self.version, self.parts = frame["version"], frame["parts"]
            self.ids = [entry["id"] for entry in frame["log"]]
        elif frame["type"] == "news":
            assert self.version is not None
            assert frame["version"] == self.version + len(frame["entries"]), f"after {self.version}: {frame}"
            self.version = frame["version"]
            parts = frame["parts"] if frame["all"] else {**self.parts, **frame["parts"]}
            self.parts = {path: part for path, part in parts.items() if part is not None}
            self.ids += [entry["id"] for entry in frame["entries"]]
            assert len(set(self.ids)) == len(self.ids), "an entry came twice"


class Evening:
    """Everybody at one table."""

    def __init__(self, plan: Plan, loop: VirtualLoop) -> None:
        self.plan, self.loop, self.random = plan, loop, loop.random
        self.rows, self.counts, self.log = Rows(), Counter[str](), list[str]()
        self.gm, self.player = self._found()
        self.several = plan.servers > 1
        self.servers = [self._started() for _ in range(plan.servers)]
        """Those that run, or were stopped and will continue."""
        self.all = list(self.servers)
        self.usual = self.servers[0]
        """The server to which the balancer sends most."""
        self.pace = 0.03 if self.several else 1.0
        """How fast people act; claims hold for a second."""
        self.asked: dict[str, dict[Server, int]] = {}
        """The servers that still work on each key, and how many records there were when it came: who asks once more
        waits for the same answer."""
        self.done: dict[str, tuple[int, str]] = {}
        self.refused: set[str] = set()
        self.hands: list[str] = []
        """Characters that others than the owner have created."""
        self.metrics = Metrics()
        self.over = False

    def _started(self) -> Server:
        kind = OneOfSeveral if self.several else Lone
        return kind(self.rows, self.loop, self.plan.faults)

    def _found(self) -> tuple[str, str]:
        table, sheet = Table(), {"stats": {"Might": {"now": 3, "full": 9}}}
        seats = ["", ""]
        first: list[tuple[int, a.Action]] = [
            (0, a.FoundAction(game="narraject", title="T", name="Mira")),
            (1, a.JoinAction(name="Jonas")),
            (1, a.CreateAction(name="Ysolde", sheet=sheet)),
            (0, a.CreateAction(name="Lurker", sheet=sheet, seen="gm")),
        ]
        for n, (who, action) in enumerate(first):
            entry = table.decide(seats[who], action, f"first {n}", 1, seeded_dice(str(n)), tickets=TICKETS)
            seats[who] = seats[who] or entry.by
            record = Record(entry.version, entry.key, encode_entry(entry), seen_by(table.state, entry), b"x")
            self.rows.append(record, None)
            table.apply(entry)
        return seats[0], seats[1]

    # Who takes part.

    async def play(self) -> None:
        """The whole evening, and its checks."""
        plan = self.plan
        seats = [(self.player, "player")] * (plan.watchers - 1) + [(self.gm, "GM")]
        self.watchers = [Watcher(seat) for seat, _ in seats[: plan.watchers]]
        watching = [self.loop.create_task(self._watch(watcher)) for watcher in self.watchers]
        if self.several:
            watching.append(self.loop.create_task(self._balance()))
        others = [self._guest(), self._pause()] if self.several else []
        people = map(self._person, range(plan.people))
        await asyncio.gather(*people, self._command(), self._restart(), *others)
        await self._end()
        self.over = True
        for server in self.all:
            for socket in server.sockets:
                socket.end()
        await asyncio.gather(*watching)
        self._check()

    async def _end(self) -> None:
        """Everybody gets an answer, every server what is new, and every watcher all of it; then nothing fails."""
        for server in self.all:
            server.store.rate = 0
            server.process.go_on()
            for hub in server.hubs:
                await hub.owner.stop()
        if not self.several:
            await self._hub.catch_up()
        n, last = 0, list[int]()
        for _ in range(5000):
            if n != len(self.rows.records):  # an entry that was on its way
                n, last = len(self.rows.records), [self._last(watcher) for watcher in self.watchers]
            if last == [watcher.version for watcher in self.watchers]:
                break
            await asyncio.sleep(0.05)
        else:
            raise AssertionError("a watcher never got everything")
        if self.several:
            await asyncio.sleep(3 * watch.EVERY)
        for _ in range(100 if self.several else 0):  # a watcher may just now have come to another server
            if all(hub.stored_table.epoch == self.rows.epoch for hub in self._hubs if hub.owned):
                break
            await asyncio.sleep(watch.EVERY / 10)
        else:
            assert not self.several, "two owners"
        for task in (task for server in self.all if isinstance(server, OneOfSeveral) for task in server.watching):
            task.cancel()

    @property
    def _hubs(self) -> list[Hub]:
        """The hubs in use: of a server alone the last one."""
        several = [server for server in self.all if isinstance(server, OneOfSeveral)]
        return [hub for server in several for hub in server.registry.hubs.values()] if several else [self._hub]

    @property
    def _hub(self) -> Hub:
        return self.usual.hubs[-1]

    def _last(self, watcher: Watcher) -> int:
        """The version that a watcher has who has everything."""
        state = folded([decode_entry(record.body) for record in self.rows.records])
        return seat_version(state, state.members[watcher.seat])

    def _random(self, rate: float) -> float:
        """Seconds of a random pause, at a mean rate of so many a second."""
        return self.random.expovariate(rate * self.pace)

    def _server(self) -> Server:
        """The server that somebody gets to."""
        return self.usual if self.random.random() < 0.9 else self.random.choice(self.servers)

    async def _person(self, n: int) -> None:
        for turn in range(self.plan.turns):
            key = f"{n}/{turn}"
            by, action = self._action(n)
            await self._done(key, by, action)
            await asyncio.sleep(self._random(300))

    async def _done(self, key: str, by: str, action: a.Action, guest: bool = False) -> None:
        """Send an action until it is done or refused."""
        self.asked[key] = {}
        while not await self._try(key, by, action, guest):
            self.counts["retries"] += 1
            await asyncio.sleep(self._random(100))

    async def _try(self, key: str, by: str, action: a.Action, guest: bool) -> bool:
        """Send an action to a server; whether it is done or refused."""
        server = self._server()
        known = self.asked[key].setdefault(server, len(self.rows.records))
        work = server.act_as_guest if guest and isinstance(server, OneOfSeveral) else server.act
        task = server.process.start(work(by, action, key))
        patience = self.random.choice([0.1 if self.several else 0.01, 1, 5])
        if not (await asyncio.wait([task], timeout=patience))[0]:
            task.cancel()  # it goes on there, though nobody waits
            return False
        try:
            acted = task.result()
        except (Unavailable, Busy, Limited) as refusal:
            self.counts[type(refusal).__name__] += 1
            self._note(key, type(refusal).__name__)
        except Stale:
            pass
        except Refusal as refusal:
            self.asked[key].pop(server)
            elsewhere = self.asked[key] and not self.several  # a claim comes before the decision
            assert key not in self.rows.keys or elsewhere, f"{key} was refused ({refusal}), though it is stored"
            assert self._is_right(by, action, key, known), f"{key} was refused ({refusal}), though it can be done"
            self.counts["refused"] += 1
            self.refused.add(key)
            self._note(key, "refused")
            return True
        else:
            self.done[key] = (acted.entry.version, acted.entry.id)
            self.counts["repeated" if acted.repeated else "stored"] += 1
            self._note(key, f"version {acted.entry.version}{' again' if acted.repeated else ''}")
            return True
        self.asked[key].pop(server)
        return False

    def _is_right(self, by: str, action: a.Action, key: str, known: int) -> bool:
        """Whether a refusal was right at some moment since somebody asked, when the log had this many records."""
        entries = [decode_entry(record.body) for record in self.rows.records]
        for version in range(known, len(entries) + 1):
            log = entries[:version]
            table = Table(folded(log), partial(_after, log))
            try:
                table.decide(by, action, key, 1, seeded_dice(key), tickets=TICKETS)
            except Refusal:
                return True
        return False

    def _action(self, n: int) -> tuple[str, a.Action]:
        """What a person does: the GM, with hidden things among them, or the player."""
        r, hidden = self.random, self.plan.hidden
        dice = r.randint(1, 6)
        both: list[a.Action] = [
            a.NoteAction(text=f"n{r.random()}"),
            a.RollAction(who="Ysolde", inputs={"d6": dice, "difficulty": 2}, answers=["settle"] * r.randint(0, 1)),
            a.ChangeAction(holder="Ysolde", section="stats", item="Might", by=r.choice([-1, 1, -2])),
            a.UndoAction(),
        ]
        if self.hands and r.random() < 0.3:
            return self.gm, a.ChangeAction(holder=self.hands[-1], section="stats", item="Might", by=-1)
        if n % 2:
            return self.player, r.choice(both)
        gm: list[a.Action] = [
            a.NoteAction(text=f"It was {hidden}.", seen="gm"),
            a.EditAction(holder="Lurker", section="gear", item=hidden, to={"dice": 1 + len(hidden)}),
            a.UndoAction(),
            a.RedoAction(),
            self._undo_of_some(),
        ]
        return self.gm, r.choice([*both, *gm])

    def _undo_of_some(self) -> a.Action:
        record = self.random.choice(self.rows.records)
        return a.UndoAction(entry=decode_entry(record.body).id)

    async def _command(self) -> None:
        """Another program at the same file, which comes and goes."""
        for turn in range(self.plan.commands):
            await asyncio.sleep(self._random(60))
            table = StoredTable(cast(Any, MemoryStore(self.rows)), "t", tickets=TICKETS)
            table.act(*self._by_another(turn), f"command {turn}", 1)
            self._note(f"command {turn}", f"version {table.state.version}")
            self.hands.append(f"Hand {turn}")

    async def _guest(self) -> None:
        """Somebody whose requests come to any server by chance."""
        for turn in range(self.plan.commands):
            await asyncio.sleep(self._random(60))
            await self._done(f"guest {turn}", *self._by_another(turn + 100), guest=True)
            self.hands.append(f"Hand {turn + 100}")

    def _by_another(self, turn: int) -> tuple[str, a.Action]:
        """What somebody does of whom the owner need not hear: what is done next may depend on it."""
        return self.gm, a.CreateAction(name=f"Hand {turn}", sheet={"stats": {"Might": {"now": 9, "full": 9}}})

    async def _restart(self) -> None:
        """A server is replaced, and its sockets end. The old one goes on with what it has begun: at once, or, if others
        may have the table, after a long time.
        """
        for _ in range(self.plan.restarts):
            await asyncio.sleep(self._random(15))
            new = self._started()
            old = self.usual if new.hubs else self.random.choice(self.servers)
            self.servers[self.servers.index(old)] = new
            self.all.append(new)
            self.usual = new if self.usual is old else self.usual
            old.process.stopped = self.several
            for socket in old.sockets:
                socket.end()
            self._note("server", "replaced")

    async def _balance(self) -> None:
        """The balancer sends people elsewhere now and then."""
        while not self.over:
            await asyncio.sleep(self.random.expovariate(0.5))
            self.usual = self.random.choice(self.servers)

    async def _pause(self) -> None:
        """A server is stopped in the middle of a batch; then it continues, not knowing what has happened meanwhile."""
        for _ in range(self.plan.pauses):
            await asyncio.sleep(self._random(20))
            server = self.usual
            for _ in range(1000):
                if server.store.is_writing:
                    break
                await asyncio.sleep(0.001)
            server.process.stopped = True
            await asyncio.sleep(self.random.uniform(0, 0.2))
            self.usual = self.random.choice(self.servers)
            for socket in self.random.sample(server.sockets, len(server.sockets) // 2):
                socket.end()
            await asyncio.sleep(self.random.uniform(0, 4))
            if server in self.servers:
                server.process.go_on()

    async def _watch(self, watcher: Watcher) -> None:
        while not self.over:
            server, socket = self._server(), Socket(self.loop, watcher)
            server.sockets.append(socket)
            task = server.process.start(server.show(socket, watcher.seat, watcher.version, self.metrics))
            await asyncio.wait([task, socket.ended], return_when=asyncio.FIRST_COMPLETED)
            if task.done() and not isinstance(task.exception(), Refusal):
                task.result()
            socket.end()
            server.sockets.remove(socket)
            await asyncio.sleep(self._random(50))
            if not self.over and self.random.random() < 0.2:
                watcher.version = None  # a page that is loaded again

    def _note(self, what: str, happened: str) -> None:
        self.log.append(f"{self.loop.time():.4f} {what}: {happened}")

    # What must hold.

    def _check(self) -> None:
        entries = [decode_entry(record.body) for record in self.rows.records]
        assert [entry.version for entry in entries] == list(range(1, len(entries) + 1)), "a gap"
        assert len({entry.key for entry in entries}) == len(entries), "a key twice"
        for key, (version, entry) in self.done.items():
            assert entries[version - 1].key == key and entries[version - 1].id == entry, f"{key} is lost"
        assert self.several is False or not self.refused & self.rows.keys.keys(), "what was refused is stored"
        state = folded(entries)
        self._check_tables(state, entries)
        for watcher in self.watchers:
            member = state.members[watcher.seat]
            assert watcher.parts == _plain(view(state, member)), "a watcher sees something else than the log"
        assert not any(hub.owner.busy for server in self.all for hub in server.hubs), "somebody waits in the end"
        assert not self.loop.broken, self.loop.broken
        self.counts.update({f"cut {why}": n for why, n in self.metrics.sockets_cut.items()})
        self.counts["entries"] = len(entries)
        self.counts["claims"] = self.rows.epoch
        self.counts["frames"] = sum(len(watcher.frames) for watcher in self.watchers)

    def _check_tables(self, state: State, entries: list[Entry]) -> None:
        """The table in memory, and one that is opened now, are what the whole log makes."""
        opened = StoredTable(cast(Any, MemoryStore(self.rows)), "t", tickets=TICKETS)
        for table in (opened, *(hub.stored_table for hub in self._hubs)):
            assert _encoded(table.state) == _encoded(state), "memory is something else than the log"
            table.read_on()
            undone = Table(state, lambda since: entries[since:])
            for each in (undone, table.twin()):
                try:
                    each.apply(each.decide(self.gm, a.UndoAction(entry=entries[-1].id), "last", 1))
                except Refusal:
                    continue
            assert _encoded(undone.state) == _encoded(_after_undo(table, self.gm, entries[-1].id))


def _after(entries: list[Entry], version: int) -> list[Entry]:
    return entries[version:]


def _after_undo(table: StoredTable, by: str, id: str) -> State:
    twin = table.twin()
    try:
        return twin.apply(twin.decide(by, a.UndoAction(entry=id), "last", 1))
    except Refusal:
        return twin.state


def _encoded(state: State) -> bytes:
    """A state to compare; the order in which entries were undone is no part of it."""
    return encode_state(replace(state, struck=dict(sorted(state.struck.items()))))


def _plain(parts: Any) -> Any:
    return json.loads(msgspec.json.encode(parts))


@contextmanager
def small_limits() -> Iterator[None]:
    """Limits that an evening reaches."""
    patches = [patch.object(module, name, value) for (module, name), value in SMALL.items()]
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()


def played(plan: Plan) -> Found:
    """Play an evening; raises what went wrong."""
    loop = VirtualLoop(plan.seed)
    asyncio.set_event_loop(loop)
    try:
        with small_limits():
            evening = Evening(plan, loop)
            try:
                loop.run_until_complete(asyncio.wait_for(evening.play(), LONGEST))
            except Exception as error:
                error.add_note("\n".join(evening.log))
                raise
            finally:
                loop.end()
        told = [watcher.frames for watcher in evening.watchers if watcher.seat == evening.player]
        return Found(evening.counts, told, evening.log)
    finally:
        asyncio.set_event_loop(None)
        loop.close()


def failure(plan: Plan) -> str:
    """What goes wrong in an evening, and what had happened until then; empty if nothing does."""
    try:
        played(plan)
    except Exception as error:
        return "\n".join([f"{type(error).__name__}: {error}", *error.__notes__])
    return ""


COUNTS = ("servers", "turns", "people", "watchers", "commands", "restarts", "pauses")
"""What there may be less of; of the first four, one at least."""


def shrunk(plan: Plan) -> Plan:
    """A failing evening with as little in it as still fails."""
    smaller = True
    while smaller:
        smaller = False
        less = [plan._replace(**{name: n - 1}) for name in COUNTS
                if (n := getattr(plan, name)) > (name in COUNTS[:4])]  # fmt: skip
        less += [plan._replace(faults=tuple(each for each in plan.faults if each != fault)) for fault in plan.faults]
        for each in less:
            if failure(each):
                plan, smaller = each, True
                break
    return plan
