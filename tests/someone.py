"""Someone with a sheet, for rules that are tried without a table."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.rule.keeping import Holder
from astragal.rule.sheet import Sheet


@dataclass(frozen=True)
class Someone(Holder):
    """A holder, and nothing else."""

    id: str
    name: str
    sheet: Sheet
