"""Long reads: stories and exports are made in pieces, in turn, and rest for as long as they work."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, thread_time

import pytest

from astragal.errors import Unavailable
from astragal.serve.limits import long_reads
from astragal.serve.limits.long_reads import LongRead, LongReads
from astragal.serve.problems import Limited
from astragal.table import action as a
from astragal.table.entry import Entry
from astragal.table.log.story import Story
from tests.serve.running import Running
from tests.table.tables import Party


def named(name: str, n: int, order: list[str]) -> Iterator[bytes]:
    for _ in range(n):
        order.append(name)
        yield name.encode()


async def read(stream: LongRead) -> bytes:
    return b"".join([piece async for piece in stream])


def test_long_reads_take_turns_piece_by_piece() -> None:
    order: list[str] = []

    async def all_read() -> list[bytes]:
        reads = LongReads()

        async def whole(name: str) -> bytes:
            return await read(await reads.stream(name, named(name, 20, order)))

        try:
            return list(await asyncio.gather(whole("a"), whole("b")))
        finally:
            reads.close()

    assert asyncio.run(all_read()) == [b"a" * 20, b"b" * 20]
    assert order.index("b") < 3, "the second does not wait for the end of the first"
    assert "aaa" not in "".join(order[:36])


def test_empty_pieces_are_not_sent() -> None:
    async def pieces() -> list[bytes]:
        reads = LongReads()
        try:
            return [piece async for piece in await reads.stream("a", iter([b"", b"", b"one", b"", b"two", b""]))]
        finally:
            reads.close()

    assert asyncio.run(pieces()) == [b"one", b"two"]


def test_the_thread_rests_for_as_long_as_it_worked() -> None:
    def busy() -> Iterator[bytes]:
        for _ in range(4):
            begun = thread_time()
            while thread_time() - begun < 0.05:
                pass
            yield b"x"

    async def timed() -> float:
        reads = LongReads()
        begun = perf_counter()
        try:
            await read(await reads.stream("a", busy()))
            return perf_counter() - begun
        finally:
            reads.close()

    assert asyncio.run(timed()) >= 2 * 4 * 0.05


def test_an_asker_has_a_few_at_a_time_and_places_become_free_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_reads, "MAX_WAITING", long_reads.MAX_OF_ONE + 1)

    async def asked() -> None:
        reads = LongReads()
        held = [await reads.stream("a", iter([b"x"])) for _ in range(long_reads.MAX_OF_ONE)]
        with pytest.raises(Limited):
            await reads.stream("a", iter([b"x"]))
        other = await reads.stream("b", iter([b"x"]))
        with pytest.raises(Unavailable, match="busy with other stories"):
            await reads.stream("c", iter([b"x"]))
        del held[0]  # nobody reads it any more, as when a browser goes away before the first byte
        assert await read(other) == b"x"
        del other
        gc.collect()
        assert await read(await reads.stream("a", iter([b"y"]))) == b"y"
        reads.close()

    asyncio.run(asked())


def test_a_read_that_fails_at_its_beginning_is_a_refusal_and_leaves_its_place() -> None:
    def broken() -> Iterator[bytes]:
        yield b""
        raise Unavailable("The disk is gone.")

    async def asked() -> None:
        reads = LongReads()
        for _ in range(2 * long_reads.MAX_OF_ONE):
            with pytest.raises(Unavailable, match="The disk is gone"):
                await reads.stream("a", broken())
            gc.collect()
        reads.close()

    asyncio.run(asked())


def rolls(n: int) -> Party:
    party = Party("razorweave")
    for _ in range(n):
        party.do("Mira", a.RollAction(inputs={"dc": 14}, faces="4 4 4 4"))
    return party


class Watched(str):
    """A paragraph that counts how often anything is compared with it."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Watched.compared += 1
        return str.__eq__(self, other)


def test_a_roll_is_not_looked_for_among_the_paragraphs_of_a_story() -> None:
    """Or the time of a story would grow with the square of the log."""
    party = rolls(5)
    story = Story(party.state, party.member("Mira"))
    taken: list[Entry] = party.entries
    for entry in taken[:-1]:
        story.take(entry)
    story._parts.append(Watched("A paragraph."))
    story.take(taken[-1])
    assert Watched.compared == 0
    assert sum("Full success" in line for line in story.lines()) == 5


def test_four_stories_and_an_export_are_whole_and_the_same(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        for n in range(120):
            gm.act("note", text=f"Note {n}.")
        story = gm.http.get(gm.at("/story")).text
        assert all(f"Note {n}." in story for n in range(120))
        assert len(gm.http.get(gm.at("/export")).text.splitlines()) == gm.view()["version"] + 2
        with_dice = gm.http.get(gm.at("/story"), params={"dice": "true"}).text
        assert with_dice.startswith(story.rstrip("\n")[:2000])
