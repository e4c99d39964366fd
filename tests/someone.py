"""Someone with a sheet, for rules that are tried without a table."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.rule.sheets.sheet import Sheet
from astragal.rule.sheets.table_rules import Holder


@dataclass(frozen=True)
class Someone(Holder):
    """A holder, and nothing else."""

    id: str
    name: str
    sheet: Sheet
