"""Who does what at a roll that is being gathered: what each member put in, what is claimed, who is ready."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from msgspec import UNSET

from astragal.table.access import GM, name_of
from astragal.table.rolls.ready import ends_at, sides_of
from astragal.table.state import Member, Roll, State
from astragal.table.view.roll_model import ClaimView, ReadyView, ShareView


def people_view(state: State, roll: Roll, member: Member | None, hidden: Container[str]) -> dict[str, Any]:
    """The fields of a roll's view that say who does what, without what is hidden from the seat."""
    shares = [
        ShareView(name, by, name_of(state, member, by), value, member is not None and by == member.id)
        for name, entries in roll.shares.items()
        if name not in hidden
        for by, value in entries.items()
    ]
    ready = _ready(state, roll, member)
    return {
        "shares": shares or UNSET,
        "claims": claims_of(state, roll, hidden) or UNSET,
        "ready": ready or UNSET,
        "ready_at": ends_at(state, roll) if ready else UNSET,
    }


def claims_of(state: State, roll: Roll, hidden: Container[str] = ()) -> list[ClaimView]:
    """What players have put into a roll that is a GM's to grant (T-7)."""
    return [
        ClaimView(name, by, state.members[by].name if by in state.members else "", words)
        for name, claimed in roll.claims.items()
        if name not in hidden
        for by, words in claimed.items()
    ]


def _ready(state: State, roll: Roll, member: Member | None) -> list[ReadyView]:
    """Both sides of an opposed roll where the throw waits for a player."""
    gms = [each.name for each in state.members.values() if each.role == GM]
    is_gm = member is not None and member.role == GM
    return [
        ReadyView(
            side,
            seat,
            (gms or [""])[0] if seat == GM else state.members[seat].name,
            side in roll.ready,
            is_gm if seat == GM else member is not None and member.id == seat,
        )
        for side, seat in sides_of(state, roll)
    ]
