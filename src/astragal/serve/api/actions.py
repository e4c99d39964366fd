"""Acting: an action is decided, stored, told to everybody who watches, and then answered."""

from __future__ import annotations

import asyncio
from typing import Annotated, TypeAlias, Union

from msgspec import UNSET, Meta, Struct, UnsetType

from astragal.errors import Stale
from astragal.repository.stored_table import Acted
from astragal.serve.http.operation import Call, Reply
from astragal.serve.problems import Unfit
from astragal.table import action as a
from astragal.table.log.lines import EntryShown, shown
from astragal.table.view.build import seat_version

LONGEST_KEY = 100
LATE = "Somebody was faster: the table has changed since you looked. Nothing was done."
KEY_NEEDED = f"An action needs an Idempotency-Key header of 1 to {LONGEST_KEY} plain characters, a new one for each."
BAD_MATCH = "If-Match is a version of this table as your seat counts it, such as 12."

TableAction: TypeAlias = Union[
    a.SeatAction,
    a.LeaveAction,
    a.CreateAction,
    a.EditAction,
    a.ChangeAction,
    a.HoldAction,
    a.RetireAction,
    a.SceneAction,
    a.CloseAction,
    a.OpenAction,
    a.RollAction,
    a.BuildAction,
    a.ThrowAction,
    a.AnswerAction,
    a.WithdrawAction,
    a.MoveAction,
    a.NoteAction,
    a.RevealAction,
    a.UndoAction,
    a.RedoAction,
]
"""What can be done from a seat. Founding and sitting down have addresses of their own."""
SLOW = (a.UndoAction, a.RedoAction)
"""These read the log back, perhaps from the disk."""


class ActHeaders(Struct, frozen=True, rename={"key": "Idempotency-Key", "match": "If-Match"}):
    """A key, so that the same action is never done twice, and the version that it must still be."""

    key: Annotated[str, Meta(min_length=1, max_length=LONGEST_KEY, pattern="^[!-~]+$")]
    match: Annotated[str, Meta(pattern='^"?[0-9]{1,15}"?$')] | UnsetType = UNSET


class Done(Struct, frozen=True):
    """What was done, as you may see it, and the version after it."""

    version: int
    entry: EntryShown | None


async def act(call: Call) -> Reply:
    """Do something at the table; the answer comes when it is on the disk."""
    member, stored_table, settings = call.member, call.hub.stored_table, call.server.settings
    # One member's keys are nothing to another's: nobody can ask what a key of somebody else did.
    key = f"{member.id}/{_key(call)}"
    await _refuse_late(call, key)
    args = (member.id, call.body, key, settings.clock())
    dice = settings.dice(key)
    if isinstance(call.body, SLOW):
        future = await asyncio.to_thread(stored_table.submit, *args, dice=dice)
    else:
        future = stored_table.submit(*args, dice=dice)
    acted: Acted = await asyncio.wrap_future(future)
    call.server.metrics.actions[acted.entry.do] += 1
    told = shown(acted.entry, acted.state, member)
    return Reply({"version": seat_version(acted.state, member), "entry": told})


def _key(call: Call) -> str:
    key = call.request.headers.get("idempotency-key", "")
    if not 0 < len(key) <= LONGEST_KEY or not all("!" <= sign <= "~" for sign in key):
        raise Unfit(KEY_NEEDED)
    return key


async def _refuse_late(call: Call, key: str) -> None:
    """Whoever looked at an older table may not have meant this; but what was done before is answered again."""
    written = call.request.headers.get("if-match")
    if written is None:
        return
    digits = written.strip('"')
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15):
        raise Unfit(BAD_MATCH)
    if int(digits) != seat_version(call.hub.stored_table.state, call.member):
        done = await asyncio.to_thread(call.server.repository.store.find, call.hub.id, key)
        if done is None:
            raise Stale(LATE)
