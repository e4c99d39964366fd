"""A request as a seat sees it."""

from __future__ import annotations

from typing import cast

from astragal.table.access import GM
from astragal.table.requests import ROLLED, asked_of
from astragal.table.state import Member, State
from astragal.table.view.card import knows
from astragal.table.view.model import AskedState, AskedView, RequestView
from astragal.table.view.roll_model import RollSeen


def request_view(state: State, member: Member | None, id: str) -> RequestView | None:
    """A request, with those asked and the inputs of which this seat may know; None if it waits for none of them."""
    request = state.world.requests.get(id)
    asked = asked_of(state, request, member) if request else {}
    if request is None or not asked:
        return None
    hidden = () if member is not None and member.role == GM else (*request.hidden, *request.secret)
    rows = [
        AskedView(who, cast("AskedState", at), roll, _is_own(state, who, member)) for who, (at, roll) in asked.items()
    ]
    return RequestView(
        id=request.id,
        by=request.by,
        kind=request.kind,
        title=request.title,
        note=request.note,
        against=request.against if knows(state, request.against, member) else "",
        seen=cast("RollSeen", request.seen),
        hidden=list(request.hidden),
        inputs={name: value for name, value in request.inputs.items() if name not in hidden},
        use=request.use,
        asked=rows,
        yours=any(row.yours and row.state != ROLLED for row in rows),
    )


def _is_own(state: State, who: str, member: Member | None) -> bool:
    return member is not None and member.role != "onlooker" and state.world.holders[who].owner == member.id
