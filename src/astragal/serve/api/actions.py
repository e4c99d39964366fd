"""Actions: decided, stored, published to everyone at the table, and then answered."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, TypeAlias, Union

from msgspec import UNSET, Meta, Struct, UnsetType

from astragal.errors import Stale
from astragal.serve.http.operation import Call, Reply
from astragal.serve.problems import BadRequest
from astragal.table import action as a
from astragal.table.access import seat_version
from astragal.table.log.lines import shown
from astragal.table.log.shown import EntryShown
from astragal.table.rolls.hand import machine

MAX_KEY = 100
"""Characters; with the member's id before it, a key stays within the store's limit."""
CHANGED = "The table has changed since you looked. Nothing was done; look again."
_IS_KEY = re.compile(rf"[!-~]{{1,{MAX_KEY}}}").fullmatch
BAD_KEY = f"An action needs an Idempotency-Key header of 1 to {MAX_KEY} ASCII characters, a new one each time."
BAD_MATCH = "If-Match must be a version of this table that your seat has seen, such as 12."

TableAction: TypeAlias = Union[
    a.SeatAction,
    a.LeaveAction,
    a.SetAction,
    a.ConfirmAction,
    a.CreateAction,
    a.EditAction,
    a.ChangeAction,
    a.HoldAction,
    a.TakeAction,
    a.RetireAction,
    a.SceneAction,
    a.CloseAction,
    a.TurnAction,
    a.AskAction,
    a.OpenAction,
    a.RollAction,
    a.BuildAction,
    a.ReadyAction,
    a.AssistAction,
    a.ThrowAction,
    a.CorrectAction,
    a.AnswerAction,
    a.WithdrawAction,
    a.SaveAction,
    a.MoveAction,
    a.NoteAction,
    a.DescribeAction,
    a.RevealAction,
    a.UndoAction,
    a.AllowAction,
    a.DeclineAction,
    a.RedoAction,
]
"""The actions of a seat. Creating a table and taking a seat are separate operations."""


class ActHeaders(Struct, frozen=True, rename={"key": "Idempotency-Key", "match": "If-Match"}):
    """A key that prevents doing an action twice, and the version that the table must still have."""

    key: Annotated[str, Meta(min_length=1, max_length=MAX_KEY, pattern="^[!-~]+$")]
    match: Annotated[str, Meta(pattern='^"?[0-9]{1,15}"?$')] | UnsetType = UNSET


class Done(Struct, frozen=True):
    """The new entry as you may see it, and the version after it; ``repeated`` if the key was used before."""

    version: int
    entry: EntryShown | None
    repeated: bool = False


async def act(call: Call) -> Reply:
    """Act at the table; the reply comes after the action is stored."""
    member, settings = call.member, call.server.settings
    # Keys are separate for each member, so a key reveals nothing about another member's action.
    key = f"{member.id}/{_key(call)}"
    await _check_version(call, key)
    dice = settings.dice(key) if settings.dice else machine
    acted = await call.hub.submit(member.id, call.body, key, settings.clock(), dice)
    call.server.metrics.actions[acted.entry.do] += 1
    entry = shown(acted.entry, acted.state, member)
    again = {"repeated": True} if acted.repeated else {}
    return Reply({"version": seat_version(acted.state, member), "entry": entry, **again})


def _key(call: Call) -> str:
    key = call.request.headers.get("idempotency-key", "")
    if not _IS_KEY(key):
        raise BadRequest(BAD_KEY)
    return key


async def _check_version(call: Call, key: str) -> None:
    """Stale if the table has changed since If-Match, unless the key was used: then the first answer is repeated."""
    given = call.request.headers.get("if-match")
    if given is None:
        return
    digits = given.strip('"')
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15):
        raise BadRequest(BAD_MATCH)
    member = await call.hub.member_who_saw(call.seat, int(digits))
    if int(digits) != seat_version(call.hub.state, member):
        done = await asyncio.to_thread(call.server.repository.store.find, call.hub.id, key)
        if done is None:
            raise Stale(CHANGED)
