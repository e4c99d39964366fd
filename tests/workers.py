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

SLOW = ("tests/cluster", "tests/page", "tests/serve", "tests/serve/cluster", "tests/storage", "tests/agents",
        "tests/storage/tables", "tests/cli")  # fmt: skip
"""Begun first, in this order: their files take long, and mostly wait. What is left at the end are quick ones."""
APART = ("tests/cluster", "tests/page")
"""Not begun while a worker is in another of these: each keeps several processes busy, and clusters count seconds."""
LONG = ("evening_of_", "barriers", "model_games", "taps", "papers")
"""Files that are begun before the others of their folder, by the start of their names, so that none is the last."""


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

    def rank(file: str) -> tuple[bool, bool, bool, int, bool]:
        place = folder(file)
        crowded = place in APART and any(other in others for other in APART if other != place)
        slow = SLOW.index(place) if place in SLOW else len(SLOW)
        quick = not PurePosixPath(file).name.removeprefix("test_").startswith(LONG)
        return place != mine, crowded, place in others, slow, quick

    return min(files, key=rank)


class FolderScheduling(LoadFileScheduling):  # type: ignore[misc]
    """Hands out whole files, as `--dist loadfile` does, but by folder."""

    def _assign_work_unit(self, node: WorkerController) -> None:
        inside = {each: folder(next(reversed(units))) for each, units in self.assigned_work.items() if units}
        mine = inside.pop(node, "")
        self.workqueue.move_to_end(following(self.workqueue, mine, inside.values()), last=False)
        super()._assign_work_unit(node)
