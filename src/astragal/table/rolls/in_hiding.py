"""Items that hidden rolls put on a sheet. They stand under names that no open item takes: "The codex (hidden)".

To the rules such an item has its plain name, so a hidden roll goes on with what an earlier one began.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from typing import cast

from msgspec.structs import replace

from astragal.rule.sheets.table_rules import Change, Holder, Participants
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, State

APART = re.compile(r" \(hidden(?: \d+)?\)$")


def hidden_name(name: str, taken: Iterable[str]) -> str:
    """The name under which an item is put on a sheet out of sight."""
    names = (f"{name[:60]} (hidden{f' {n}' if n > 1 else ''})" for n in count(1))
    return next(each for each in names if each not in taken)


def plain_name(name: str) -> str:
    """The name of such an item to people; of any other, its own."""
    return APART.sub("", name)


def with_plain_names(state: State, participants: Participants) -> Participants:
    """The participants of a hidden roll, to whose rules what earlier ones put on a sheet has its plain name as well."""
    roller, table = participants.roller, participants.table
    return participants._replace(roller=_plainly(state, roller) if roller else None, table=_plainly(state, table))


def _plainly(state: State, holder: Holder) -> Holder:
    kept = cast("HolderState", holder)  # with what the roll's own viewers may see of it
    more = {
        section: {**{plain_name(name): item for name, item in reversed(items.items()) if APART.search(name)}, **items}
        for section, items in kept.sheet.items()
        if _is_secret(state, kept, section)
    }
    return replace(kept, sheet={**kept.sheet, **more}) if more else kept


def _is_secret(state: State, kept: HolderState, section: str) -> bool:
    """Whether what hidden rolls put into a section has its plain name to the rules of hidden rolls."""
    known = ruleset_of(state.game).sections.get((kept.kind, section))
    return known is not None and known.secret


def where_it_stands(state: State, participants: Participants, change: Change) -> Change:
    """A change by the rules, with the name that the item has on the sheet, as far as the roll's viewers may see it."""
    holders = (cast("HolderState", each) for each in (participants.roller, participants.table) if each)
    kept = next((each for each in holders if each.id == change.holder), None)
    if kept is None or not _is_secret(state, kept, change.section):
        return change
    items = kept.sheet.get(change.section, {})
    found = next((name for name in items if APART.search(name) and plain_name(name) == change.item), change.item)
    return change if change.item in items else change._replace(item=found)
