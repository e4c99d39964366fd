"""Answers to requests: which request, and which of the characters asked answers it now."""

from __future__ import annotations

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.table.access import find_holder, owns
from astragal.table.decide.ledger import Context
from astragal.table.requests import GATHERING, ROLLED, asked_of
from astragal.table.state import Request


def find_request(context: Context, ref: str) -> Request:
    """A request that somebody still has to answer, as far as the member may know of it."""
    request = context.state.world.requests.get(ref)
    if request is None or not asked_of(context.state, request, context.member):
        raise Unknown(f'There is no request "{ref[:40]}" that waits for an answer.')
    return request


def answerer(context: Context, request: Request, ref: str) -> str:
    """The id of the character that answers a request now: the one that is named, else the member's own."""
    state, member = context.state, context.member
    asked = asked_of(state, request, member)
    if ref:
        kept = find_holder(state, member, ref)
        if kept.id not in asked:
            raise Illegal(f"{kept.name} is not asked for this roll.")
        if not owns(member, kept):
            raise Forbidden(f"{kept.name} is not yours to roll for.")
        _refuse_answered(kept.name, request.asked[kept.id][0])
        return kept.id
    own = [who for who in asked if state.world.holders[who].owner == member.id]
    if not own:
        raise Illegal("None of your characters is asked for this roll; say who rolls.")
    left = [who for who in own if asked[who][0] not in (GATHERING, ROLLED)]
    if not left:
        _refuse_answered(state.world.holders[own[0]].name, asked[own[0]][0])
    if len(left) > 1:
        names = ", ".join(state.world.holders[who].name for who in left)
        raise Illegal(f"Several of your characters are asked for this roll ({names}); say who rolls now.")
    return left[0]


def _refuse_answered(name: str, at: str) -> None:
    if at == ROLLED:
        raise Illegal(f"{name} has rolled for this already.")
    if at == GATHERING:
        raise Illegal(f"{name}'s roll for this is open already; go on with it, or withdraw it.")
