"""The processes of a test run: how many there are, and which file each takes next.

A worker stays in its folder. What a folder's tests share (a browser, a cluster, a server) is then started once for each
worker and not at every change, and while one worker waits in one folder the others compute in theirs.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable
from pathlib import PurePosixPath

from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]
from xdist.workermanage import WorkerController  # type: ignore[import-untyped]

SLOW = ("tests/cluster", "tests/page", "tests/serve/cluster", "tests/serve", "tests/store", "tests/agents",
        "tests/repository", "tests/cli")  # fmt: skip
"""Begun first, in this order: their files take long, and mostly wait. What is left at the end are quick ones."""


def workers(cores: int) -> int:
    """Half as many again as there are cores: about a third of the tests' time is spent waiting."""
    return cores + cores // 2 if cores > 1 else 1


def cores() -> int:
    """Those that we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def folder(file: str) -> str:
    return str(PurePosixPath(file).parent)


def following(files: Iterable[str], mine: str, others: Container[str]) -> str:
    """Which of these files a worker takes that was in a folder of its own, while the others are in theirs.

    It stays there as long as it can; then it takes a folder where nobody is; then it helps.
    """

    def rank(file: str) -> tuple[bool, bool, int]:
        place = folder(file)
        slow = SLOW.index(place) if place in SLOW else len(SLOW)
        return place != mine, place in others, slow

    return min(files, key=rank)


class FolderScheduling(LoadFileScheduling):  # type: ignore[misc]
    """Hands out whole files, as `--dist loadfile` does, but by folder."""

    def _assign_work_unit(self, node: WorkerController) -> None:
        inside = {each: folder(next(reversed(units))) for each, units in self.assigned_work.items() if units}
        mine = inside.pop(node, "")
        self.workqueue.move_to_end(following(self.workqueue, mine, inside.values()), last=False)
        super()._assign_work_unit(node)
