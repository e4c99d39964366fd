"""Metrics of workers: whichever of them is asked answers for all, since nobody can choose which one that is.

Each tells the others its figures at a socket in a folder that their supervisor made, and that only its user can open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from astragal.serve.telemetry import RequestLog

PATIENCE = 1.0
"""Seconds that the others have to answer; one that does not counts as down."""
UP = "astragal_worker_up"


class WorkerMetrics:
    """What one worker needs for it: where the sockets are, which one it is, and its own figures."""

    def __init__(self, folder: Path, number: int, n: int) -> None:
        self._folder, self._number, self._n = folder, number, n
        self._own: Callable[[], str] = str

    async def run(self, own: Callable[[], str], log: RequestLog) -> None:
        """Tell the others what they ask for, as long as the worker runs."""
        self._own = own
        path = self._socket(self._number)
        try:
            path.unlink(missing_ok=True)  # of a worker that died
            async with await asyncio.start_unix_server(self._tell, str(path)) as server:
                await server.serve_forever()
        except OSError as error:
            log.error(error, "/metrics")

    async def all(self) -> str:
        """The figures of all workers, each with the label ``worker``; and which of them answered."""
        numbers = range(1, self._n + 1)
        texts = await asyncio.gather(*map(self._ask, numbers))
        found = dict(zip(numbers, texts, strict=True))
        up = "".join(f'{UP}{{worker="{number}"}} {int(bool(text))}\n' for number, text in found.items())
        return f"# HELP {UP} Whether a worker answered.\n# TYPE {UP} gauge\n{up}{merged(found)}"

    def _socket(self, number: int) -> Path:
        return self._folder / f"{number}.sock"

    async def _tell(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(self._own().encode())
            await writer.drain()
        except OSError:
            pass  # whoever asked is gone
        finally:
            writer.close()

    async def _ask(self, number: int) -> str:
        """A worker's figures; empty if it does not answer."""
        if number == self._number:
            return self._own()
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_unix_connection(str(self._socket(number)))
                try:
                    return (await reader.read(-1)).decode()
                finally:
                    writer.close()
        except OSError:
            return ""  # also a TimeoutError


def merged(texts: Mapping[int, str]) -> str:
    """Several expositions as one: each metric is explained once, and its lines say whose they are."""
    families: dict[str, tuple[list[str], list[str]]] = {}
    for number, text in texts.items():
        family = ""
        for line in text.splitlines():
            if line.startswith("# "):
                family = line.split(" ", 3)[2]
                head, _ = families.setdefault(family, ([], []))
                if len(head) < 2:
                    head.append(line)
            else:
                families[family][1].append(_labelled(line, number))
    return "".join(_lines(head + samples) for head, samples in families.values())


def _labelled(line: str, number: int) -> str:
    """A sample with one more label."""
    name, brace, rest = line.partition("{")
    if brace:
        return f'{name}{{worker="{number}",{rest}'
    name, _, value = line.partition(" ")
    return f'{name}{{worker="{number}"}} {value}'


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
