"""Requests: a GM asks characters for a roll, and takes the request back."""

from __future__ import annotations

from astragal.errors import Illegal, Refusal, Unknown
from astragal.rule.game import Kind
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import GM, find_holder, refuse_player
from astragal.table.decide import resume
from astragal.table.decide.build import check_inputs, named_inputs, refuse_unset, titles_in_log
from astragal.table.decide.ledger import Context
from astragal.table.decide.prefill import find_request
from astragal.table.requests import asked_audience
from astragal.table.rolls.basis import Basis
from astragal.table.rolls.naming import find_offer
from astragal.table.state import HolderState, Roll

MAX_ASKED = 50
"""Most characters asked by one request."""
MAX_REQUESTS = 20
"""Requests that wait for answers."""


def ask(context: Context, action: a.AskAction) -> list[e.Event]:
    """Ask for a roll; each audience learns of the requests whose rolls it will see, and hidden inputs stay with GMs."""
    refuse_player(context.member, "ask for a roll")
    if len(context.state.world.requests) >= MAX_REQUESTS:
        raise Illegal(f"{MAX_REQUESTS} requests wait for answers; withdraw some first.")
    kinds = context.ruleset.game.kinds
    kind = context.ruleset.game.kind(action.kind) if action.kind else next(iter(kinds.values()))
    asked = _asked(context, action.who)
    against = find_holder(context.state, context.member, action.against).id if action.against else ""
    rolls = [Roll("", kind.name, context.member.id, kept.id, against, seen=action.seen) for kept in asked]
    bases = [context.basis(roll) for roll in rolls]
    _check(context, action, kind, bases)
    inputs, picks = named_inputs(context, bases[0], action.inputs)
    inputs = {name: value for name, value in inputs.items() if value is not None}
    hidden = {name: value for name, value in inputs.items() if name in action.hide} | picks
    shown = {name: value for name, value in inputs.items() if name not in action.hide}
    groups: dict[str, list[str]] = {}
    for kept in asked:
        groups.setdefault(asked_audience(context.state, action.seen, kept.id), []).append(kept.id)
    events: list[e.Event] = [
        e.Requested(
            request=f"q{context.id}",
            by=context.member.id,
            kind=kind.name,
            title=kind.title,
            who=who,
            seen=action.seen,
            note=action.note.strip(),
            against=against,
            inputs=shown,
            use={name: n for name, n in action.use.items() if n},
            hidden=action.hide,
            noun=kind.noun,
            labels=titles_in_log(kind, [*shown, *action.hide]),
            audience=audience,
        )
        for audience, who in groups.items()
    ]
    if not hidden:
        return events
    labels = titles_in_log(kind, hidden)
    return [*events, e.Concealed(request=f"q{context.id}", inputs=hidden, labels=labels, audience=GM)]


def _asked(context: Context, who: list[str]) -> list[HolderState]:
    """The characters that are named; without names, those of all players."""
    state, member = context.state, context.member
    if who:
        found = list({kept.id: kept for kept in (find_holder(state, member, ref) for ref in who)}.values())
    else:
        players = {id for id, member in state.members.items() if member.role == "player"}
        found = [kept for kept in state.world.holders.values() if kept.kind == "character" and kept.owner in players]
    if wrong := [kept for kept in found if kept.kind != "character"]:
        raise Illegal(f"{wrong[0].name or 'The ' + wrong[0].kind} is no character; only characters roll.")
    if not found:
        raise Illegal("No player has a character yet, so nobody can be asked for a roll.")
    if len(found) > MAX_ASKED:
        raise Illegal(f"{len(found)} characters are asked; at most {MAX_ASKED} can be asked at once.")
    return found


def _check(context: Context, action: a.AskAction, kind: Kind, bases: list[Basis]) -> None:
    """Refuse what those asked could not answer."""
    for name in action.hide:
        refuse_unset(kind.ask._input(name), action.inputs.get(name))
    for basis in bases:
        check_inputs(context, basis, action.inputs)
    for ref in action.use:
        _refuse_unknown(bases, ref)


def _refuse_unknown(bases: list[Basis], ref: str) -> None:
    """Refuse to suggest a thing that no asked player can see on their sheets; a suggestion would reveal it."""
    refusal: Refusal = Unknown(f'"{ref[:40]}" cannot be put into this roll.')
    for basis in bases:
        try:
            find_offer(basis.open_offers, ref, lambda offer, who=basis.roll.who: offer.by == who)  # type: ignore[misc]
        except Refusal as found:
            refusal = found
        else:
            return
    raise refusal


def withdraw(context: Context, action: a.WithdrawAction) -> list[e.Event]:
    """Withdraw a request, or a roll."""
    return take_back(context, action) if action.request else resume.withdraw(context, action)


def take_back(context: Context, action: a.WithdrawAction) -> list[e.Event]:
    """Some of those asked, or all, need not answer any more; what they rolled stays."""
    refuse_player(context.member, "withdraw a request")
    request, state = find_request(context, action.request), context.state
    who = [find_holder(state, context.member, ref).id for ref in action.who] or list(request.asked)
    for id in who:
        if id not in request.asked:
            raise Illegal(f"{state.world.holders[id].name} is not asked for this roll.")
    groups: dict[str, list[str]] = {}
    for id in who:
        audience = asked_audience(state, request.seen, id) if id in state.world.holders else GM
        groups.setdefault(audience, []).append(id)
    return [e.Excused(request=request.id, who=ids, audience=audience) for audience, ids in groups.items()]
