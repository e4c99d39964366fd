"""Revealing: hidden rolls and inputs are shown to everybody."""

from __future__ import annotations

from typing import Any

from astragal.errors import Illegal, Refusal
from astragal.explain.report import told_inputs
from astragal.rule.game import Kind
from astragal.rule.sheets.table_rules import Change
from astragal.rule.tree.effect import Effect
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import EVERYBODY, dice_audience, find_roll, holder_audience, refuse_player
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.kept import new_faces, old_faces
from astragal.table.roll_event import Proof
from astragal.table.rolls.ask import claims_told, thaw
from astragal.table.rolls.basis import open_items
from astragal.table.rolls.picks import plain_name
from astragal.table.rolls.playback import BREAKS
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Roll, RollChange, Waiting

TOLD = ("headline", "verdict", "notes", "tone", "tier", "sum", "gains")
"""What a revealed roll tells as it was told before."""


def reveal(context: Context, action: a.RevealAction) -> Ledger:
    """Show everybody a hidden roll, or its hidden inputs, with the sentences that were told to those who saw it.

    What the roll changes on things that others see has waited for this, and happens now (T-11).
    """
    refuse_player(context.member, "reveal a roll")
    if move := _delayed_move(context, action.roll):
        told, ledger = context.state.world.delayed_moves[move], context.ledger()
        ledger.add(e.MoveRevealed(move=move, title=told.title, told=told.told))
        ledger.do(Change(*change) for change in told.changes)
        return ledger
    roll = _hidden_roll(context, action.roll)
    _refuse_unknown(context, roll)
    ledger = context.ledger()
    ledger.roll = roll.id
    if roll.ask is None:
        ledger.add(e.Revealed(roll=roll.id, ask=roll.inputs))
        return ledger
    kind = context.ruleset.game.kinds.get(roll.kind)
    ledger.add(
        e.Revealed(
            roll=roll.id,
            ask=roll.ask,
            told=list(told_inputs(kind.ask if kind else None, roll.ask, ledger.basis(roll).told_offers)),
            claims=claims_told(roll),
            dice=[die for thrown in roll.throws for die in thrown.dice],
            words=list(roll.words),
            thrown=_thrown(roll) if _had_hidden_dice(context, roll) else [],
            **{name: getattr(roll.told, name) for name in TOLD},
        )
    )
    _show_items(ledger, roll)
    if roll.waiting and kind:
        _happen(ledger, roll, kind, roll.waiting)
    return ledger


def _delayed_move(context: Context, ref: str) -> str:
    """The id of a hidden move whose changes wait: the one that is named, or the last where no roll is hidden."""
    delayed, rolls = context.state.world.delayed_moves, context.state.world.rolls.values()
    if ref or any(map(_is_hidden, rolls)):
        return ref if ref in delayed else ""
    return next(reversed(delayed), "")


def _show_items(ledger: Ledger, roll: Roll) -> None:
    """Show what the roll put on sheets where only GMs see it, under its own name; not what hides another roll too."""
    others = [other for other in ledger.state.world.rolls.values() if other.id != roll.id and _is_hidden(other)]
    hidden = {_place(change) for other in others for change in other.changes}
    for place in dict.fromkeys(map(_place, roll.changes)):
        id, section, name = place
        items = ledger.state.world.holders[id].sheet.get(section, {}) if id in ledger.state.world.holders else {}
        if place in hidden or items.get(name, {}).get("seen") != "gm" or plain_name(name) == name:
            continue
        plain, shown = plain_name(name), {**items[name], "seen": "all"}
        ledger.change(Change(id, section, name, silent=True))
        ledger.change(Change(id, section, plain if plain not in items else name, to=shown))


def _place(change: RollChange) -> tuple[str, str, str]:
    return change.holder, change.section, change.item


def _had_hidden_dice(context: Context, roll: Roll) -> bool:
    open_throws = roll.part.throws if roll.hidden else len(roll.throws)
    return dice_audience(context.state, roll) != EVERYBODY or open_throws < len(roll.throws)


def _happen(ledger: Ledger, roll: Roll, kind: Kind, waiting: Waiting) -> None:
    """Write what has waited, by today's rules and sheets; what happened out of sight does not happen again."""
    state = ledger.state
    effects = [Effect(**effect) for effect in waiting.effects]
    participants = open_items(state, ledger.basis(roll).participants, EVERYBODY)
    try:
        ask = thaw(kind, roll.ask or {})
        changes = list(ruleset_of(state.game).table_rules.apply(roll.kind, ask, effects, participants))
    except (Refusal, *BREAKS):
        ledger.add(e.Noted(text="What this roll changes no longer fits the rules; change the sheets by hand."))
        return
    done = list(waiting.done)
    ledger.do(change for change in changes if not isinstance(change, Change) or change[:4] not in done)


def _thrown(roll: Roll) -> list[tuple[Any, Proof | None]]:
    """The faces and proofs of the throws, if the machine threw some with tickets; kept dice are apart, without one."""
    if not any(thrown.proof for thrown in roll.throws):
        return []
    found: list[tuple[Any, Proof | None]] = []
    for thrown in roll.throws:
        found.append((new_faces(thrown.faces, thrown.kept), thrown.proof))
        found += [([[old_faces(thrown.faces, thrown.kept)]], None)] if thrown.kept else []
    return found


def _refuse_unknown(context: Context, roll: Roll) -> None:
    """Refuse to name a hidden character; an open roll names only those whom everybody knows."""
    others = (roll.against, *roll.helpers, *roll.their_helpers) if roll.seen != "all" else ()
    for id in (roll.who, *others):
        kept = context.state.world.holders.get(id)
        if kept and holder_audience(kept):
            raise Illegal(f"{kept.name} takes part in this roll and is hidden; show the character first.")


def _hidden_roll(context: Context, ref: str) -> Roll:
    if ref:
        roll = find_roll(context.state, context.member, ref)
        if not _is_hidden(roll):
            raise Illegal("Everybody can see this roll already.")
        return roll
    hidden = [roll for roll in context.state.world.rolls.values() if _is_hidden(roll)]
    if not hidden:
        raise Illegal("No roll is hidden.")
    return hidden[-1]


def _is_hidden(roll: Roll) -> bool:
    """True if a part of a roll is hidden, or waits for a reveal since a hidden character rolled."""
    return roll.seen != "all" or bool(roll.hidden) or roll.waiting is not None
