"""The honest table's times under one attack."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from bench.attack.cause import Action, Reading


class Times(NamedTuple):
    """The honest table's actions under one attack, what became of them, and how many commits met a stall."""

    name: str
    what: str
    actions: list[Action]
    stored: list[str]
    refused: list[str]
    stalls: int = 0
    commits: int = 0

    def percentile(self, share: float) -> float:
        """The time that this share of the actions kept within."""
        times = sorted(each.seconds for each in self.actions)
        return times[min(len(times) - 1, int(share * len(times)))]

    @property
    def slowest(self) -> Action:
        """The action that took the longest."""
        return max(self.actions)

    def over(self, seconds: float) -> str:
        """How many actions took longer than this, and why."""
        causes = Counter(each.cause for each in self.actions if each.seconds > seconds)
        slowest = f"; the slowest took {self.slowest.seconds * 1000:.0f} ms" if causes else ""
        return (", ".join(f"{n} × {cause}" for cause, n in causes.most_common()) or "none") + slowest

    def longer(self, more: Times) -> Times:
        """The same, measured for longer."""
        return self._replace(
            actions=self.actions + more.actions,
            stored=self.stored + more.stored,
            refused=self.refused + more.refused,
            stalls=self.stalls + more.stalls,
            commits=self.commits + more.commits,
        )


def read_times(name: str, what: str, told: dict[str, Any]) -> Times:
    """Times as the honest table's own process tells them."""
    actions = [Action(seconds, Reading(*meanwhile), commit) for seconds, meanwhile, commit in told.pop("actions")]
    return Times(name, what, actions, **told)
