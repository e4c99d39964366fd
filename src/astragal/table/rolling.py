"""Rolls at the table: opened, built together, thrown, answered, settled, revealed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal, Malformed
from astragal.rule.explain import explain
from astragal.rule.game import Kind
from astragal.rule.node import Choice, Outcome, Throw
from astragal.rule.play import Played, Thrown, play
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.asking import (
    ask_of,
    find_offer,
    freeze,
    kind_of,
    offer_ear,
    offers_of,
    prices_of,
    refuse_gone,
    roll_cast,
    thaw,
)
from astragal.table.book import book_of
from astragal.table.hand import Marks, TableHand
from astragal.table.ledger import Ledger
from astragal.table.moment import Moment
from astragal.table.seat import (
    GM,
    dice_ear,
    find_holder,
    find_roll,
    hears,
    narrower,
    outcome_ear,
    owner_of,
    owns,
    refuse_player,
    roll_ear,
)
from astragal.table.state import Roll, State

MAX_OPEN = 50


def open_roll(moment: Moment, action: a.Open) -> list[e.Event]:
    """A roll is opened, with what is known of it so far."""
    return _opened(moment, action).events


def _opened(moment: Moment, action: a.Open) -> Ledger:
    state, member = moment.state, moment.member
    if sum(not roll.over for roll in state.world.rolls.values()) >= MAX_OPEN:
        raise Illegal(f"{MAX_OPEN} rolls are open; finish or withdraw some first.")
    if action.seen == "gm":
        refuse_player(member, "roll where nobody else sees it; a player may roll blind")
    roll = Roll(
        f"r{moment.id}",
        moment.book.game.kind(action.kind).name,
        member.id,
        _roller(moment, action.who),
        _id_of(moment, action.against),
        tuple(_id_of(moment, helper) for helper in action.helpers),
        action.seen,
    )
    ledger = Ledger(state)
    ledger.add(
        e.Opened(
            roll=roll.id,
            kind=roll.kind,
            by=roll.by,
            who=roll.who,
            against=roll.against,
            helpers=list(roll.helpers),
            seen=roll.seen,
            only=roll_ear(state, roll),
        )
    )
    _build(moment, ledger, roll.id, inputs=action.inputs, use=action.use, hide=action.hide or None)
    return ledger


def _roller(moment: Moment, ref: str) -> str:
    """A player rolls for a character of their own; a GM for anybody, or for a quick pool without a sheet."""
    if not ref:
        return ""
    kept = find_holder(moment.state, moment.member, ref)
    if not owns(moment.member, kept):
        raise Forbidden(f"{kept.name} is not yours to roll for.")
    return kept.id


def _id_of(moment: Moment, ref: str) -> str:
    return find_holder(moment.state, moment.member, ref).id if ref else ""


def build(moment: Moment, action: a.Build) -> list[e.Event]:
    """The one who rolls, helpers and the GM put things in, each what is theirs."""
    roll = _unthrown(moment, action.roll)
    ledger = Ledger(moment.state)
    if action.helpers is not None or action.against is not None:
        _refuse_outsider(moment, roll)
        ledger.add(
            e.Built(
                roll=roll.id,
                helpers=None if action.helpers is None else [_id_of(moment, helper) for helper in action.helpers],
                against=None if action.against is None else _id_of(moment, action.against),
                only=roll_ear(moment.state, roll),
            )
        )
    _build(moment, ledger, roll.id, inputs=action.inputs, use=action.use, hide=action.hide)
    return ledger.events


def _unthrown(moment: Moment, ref: str) -> Roll:
    roll = find_roll(moment.state, moment.member, ref)
    if roll.thrown or roll.over:
        raise Illegal("The dice of this roll are thrown; nothing can be put in any more.")
    return roll


def _build(
    moment: Moment, ledger: Ledger, id: str, *, inputs: dict[str, Any], use: dict[str, int], hide: list[str] | None
) -> None:
    roll = ledger.state.world.rolls[id]
    ear = roll_ear(ledger.state, roll)
    if hide is not None and tuple(hide) != roll.hidden:
        refuse_player(moment.member, "hide a part of a roll")
        for name in hide:
            kind_of(ledger.state, roll).ask._input(name)
        ledger.add(e.Built(roll=id, hidden=hide, only=ear))
    taps, veiled = _taps(moment, ledger.state, roll, use)
    if veiled:
        hidden = dict.fromkeys((*ledger.state.world.rolls[id].hidden, *veiled.values()))
        ledger.add(e.Built(roll=id, hidden=list(hidden), only=ear))
    shown, secret = _checked_inputs(moment, ledger.state, ledger.state.world.rolls[id], inputs)
    told = {offer: n for offer, n in taps.items() if offer not in veiled}
    if shown or told:
        ledger.add(e.Built(roll=id, inputs=shown, use=told, only=ear))
    if secret or veiled:
        ledger.add(e.Built(roll=id, inputs=secret, use={offer: taps[offer] for offer in veiled}, only=GM))


def _taps(moment: Moment, state: State, roll: Roll, use: dict[str, int]) -> tuple[dict[str, int], dict[str, str]]:
    """Offers by id, each only by the seat whose it is to give; and those that not everybody at the roll may see."""
    offers = offers_of(state, roll) if use else {}
    offers = {id: offer for id, offer in offers.items() if hears(moment.member, offer_ear(state, offer))}
    ear = roll_ear(state, roll)
    taps, veiled = {}, {}
    for ref, n in use.items():
        offer = find_offer(offers, ref)
        giver = state.world.holders.get(offer.by)
        if not owns(moment.member, giver) and owner_of(state, roll) != moment.member.id:
            raise Forbidden(f"{offer.label} is not yours to put in.")
        if giver and giver.kind == "character" and not owns(moment.member, giver):
            raise Forbidden(f"{offer.label} is {giver.name}'s to put in.")
        if n > offer.most:
            raise Illegal(f"{offer.label} can be used {offer.most} times, not {n}; nothing is spent.", offer.rule)
        taps[offer.id] = n
        if narrower(ear, offer_ear(state, offer)) != ear:
            veiled[offer.id] = offer.input
    return taps, veiled


def _checked_inputs(
    moment: Moment, state: State, roll: Roll, inputs: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs for everybody and inputs that are hidden; each is read, so that nonsense is refused at once."""
    if inputs:
        _refuse_outsider(moment, roll)
    kind = kind_of(state, roll)
    for name, written in inputs.items():
        input = kind.ask._input(name)
        if name in roll.hidden:
            refuse_player(moment.member, f"set {input.option}, which is hidden")
        if written is not None:
            input.read(written)
    shown = {name: value for name, value in inputs.items() if name not in roll.hidden}
    return shown, {name: value for name, value in inputs.items() if name in roll.hidden}


def _refuse_outsider(moment: Moment, roll: Roll) -> None:
    if moment.member.role != GM and owner_of(moment.state, roll) != moment.member.id:
        raise Forbidden("This roll is not yours; you may put in what your own characters offer.")


# Throwing and answering.


def roll(moment: Moment, action: a.Roll) -> list[e.Event]:
    """Open and throw in one go."""
    ledger = _opened(moment, action)
    _advance(moment, ledger, ledger.state.world.rolls[f"r{moment.id}"], answers=action.answers, faces=action.faces)
    return ledger.events


def throw(moment: Moment, action: a.Throw) -> list[e.Event]:
    """Throw the next dice."""
    roll = find_roll(moment.state, moment.member, action.roll)
    _refuse_bystander(moment, roll)
    if action.fresh:
        refuse_player(moment.member, "throw fresh dice after an undo")
    played = played_of(moment.state, roll) if roll.thrown else None
    if played and not isinstance(played.node, Throw):
        raise Illegal("This roll waits for an answer, not for dice.")
    ledger = Ledger(moment.state)
    _advance(moment, ledger, roll, answers=action.answers, faces=action.faces, fresh=action.fresh)
    return ledger.events


def _refuse_bystander(moment: Moment, roll: Roll) -> None:
    """Everybody who takes part in a roll may throw its dice."""
    holders = moment.state.world.holders
    taking_part = {holders[id].owner for id in (roll.against, *roll.helpers) if id in holders}
    if moment.member.role != GM and moment.member.id not in taking_part | {owner_of(moment.state, roll)}:
        raise Forbidden("This roll is not yours to throw.")


def answer(moment: Moment, action: a.Answer) -> list[e.Event]:
    """Answer a choice, if it is yours by the rules."""
    roll = find_roll(moment.state, moment.member, action.roll)
    node = played_of(moment.state, roll).node if roll.thrown or roll.ask is not None else None
    if not isinstance(node, Choice):
        raise Illegal("This roll waits for dice, not for an answer.")
    if not may_answer(moment.state, roll, node, moment.member.id):
        raise Forbidden(f"{node.question} That is not yours to say.")
    ledger = Ledger(moment.state)
    _advance(moment, ledger, roll, answers=[action.answer], faces=action.faces, throws=0)
    return ledger.events


def may_answer(state: State, roll: Roll, choice: Choice[Any], member: str) -> bool:
    """Whether the rules leave this choice to this member; what hides the outcome leaves it to the GM."""
    seat = state.members[member]
    if seat.role == GM:
        return True
    if not hears(seat, outcome_ear(state, roll)):
        return False
    side = book_of(state.game).keeping.decides(roll.kind, choice.by, choice.so_far)
    if side == "against":
        kept = state.world.holders.get(roll.against)
        return bool(kept and kept.owner == member)
    return side == "who" and owner_of(state, roll) == member


def played_of(state: State, roll: Roll) -> Played[Any]:
    """The roll as far as it went."""
    kind = kind_of(state, roll)
    ask = thaw(kind, roll.ask or {})
    return play(kind.rule(ask), TableHand(roll.steps, _no_dice, lambda place, throw: "", {}, throws=0))


def _no_dice(pool: Any) -> Any:
    raise AssertionError("a roll that is looked at throws nothing")


def _advance(
    moment: Moment,
    ledger: Ledger,
    roll: Roll,
    *,
    answers: Iterable[str],
    faces: str,
    fresh: bool = False,
    throws: int = 1,
) -> None:
    """Pay and fix the ask if this is the first throw; then one step more, and what it leads to."""
    if roll.ask is None:
        roll = _fix(ledger, roll)
    kind = kind_of(ledger.state, roll)
    ask = thaw(kind, roll.ask or {})
    lying = {} if fresh else ledger.state.spare
    hand = TableHand(
        roll.steps, moment.dice, _marks(kind, roll), lying, answers=list(answers), faces=faces, throws=throws
    )
    played = play(kind.rule(ask), hand)
    if len(played.steps) == len(roll.steps) and not isinstance(played.node, Outcome | Choice):
        raise Malformed("No die was thrown.")
    _write_steps(ledger, roll, played, hand)
    ledger.ear = outcome_ear(ledger.state, roll)
    ledger.add(_told(ledger.state, roll, ask, played))
    if isinstance(played.node, Outcome):
        cast = roll_cast(ledger.state, roll)
        ledger.do(book_of(ledger.state.game).keeping.writes(roll.kind, cast, ask, played.node))


def dice_told(step: Thrown, hidden: bool) -> list[tuple[str, int, int, str, bool]]:
    """Every die of a throw; what it did is left out where that would tell something hidden."""
    return [
        (die.name, die.sides, die.face, "" if hidden else die.did, die.counts and not hidden)
        for die in step.throw.tell(step.faces).dice
    ]


def _told(state: State, roll: Roll, ask: Any, played: Played[Any]) -> e.Told:
    kind = kind_of(state, roll)
    return e.Told(
        roll=roll.id,
        headline=kind.headline(ask),
        verdict=kind.verdict(played.result) if played.result is not None else "",
        notes=[(note.text, note.rule) for note in explain(played).notes],
        over=played.outcome is not None,
        only=outcome_ear(state, roll),
    )


def _fix(ledger: Ledger, roll: Roll) -> Roll:
    """The ask is fixed and paid for; too little of something refuses the whole throw."""
    refuse_gone(ledger.state, roll)
    ask = ask_of(ledger.state, roll)
    ear = outcome_ear(ledger.state, roll)
    ledger.add(e.Asked(roll=roll.id, ask=freeze(ask), only=ear))
    ledger.ear = roll_ear(ledger.state, roll)
    ledger.do(prices_of(ledger.state, roll), strict=True)
    return replace(roll, ask=freeze(ask))


def _write_steps(ledger: Ledger, roll: Roll, played: Played[Any], hand: TableHand) -> None:
    """New faces and answers become events; an answer is paid for at once."""
    keeping = book_of(ledger.state.game).keeping
    marks = iter(hand.marks)
    for step in played.steps[len(roll.steps) :]:
        if isinstance(step, Thrown):
            mark, lain = next(marks)
            faces = [[list(wave) for wave in waves] for waves in step.faces]
            ledger.add(e.Thrown(roll=roll.id, faces=faces, mark=mark, lain=lain, only=dice_ear(ledger.state, roll)))
            if lain or mark in ledger.state.spare:
                ledger.add(e.Spared(dice={mark: None}, only=GM))
        else:
            ear = outcome_ear(ledger.state, roll)
            ledger.add(e.Answered(roll=roll.id, choice=step.choice.name, answer=str(step.answer), only=ear))
            ledger.ear = ear
            cast = roll_cast(ledger.state, roll)
            ledger.do(keeping.pays(roll.kind, cast, step.choice.name, step.answer.option), strict=True)


def _marks(kind: Kind, roll: Roll) -> Marks:
    """A throw is the same if the same one rolls the same at the same place."""
    numbers = {name: _number(value) for name, value in (roll.ask or {}).items()}
    about = json.dumps([roll.who or roll.by, kind.name, roll.against, numbers], sort_keys=True)

    def mark(place: int, throw: Throw[Any, Any]) -> str:
        dice = [(dice.sides, dice.n) for dice in throw.pool]
        return blake2b(f"{about}{place}{dice}".encode(), digest_size=8).hexdigest()

    return mark


def _number(value: Any) -> Any:
    """What a source is called makes it no other roll."""
    return sum(source[1] for source in value["sources"]) if isinstance(value, dict) else value


def withdraw(moment: Moment, action: a.Withdraw) -> list[e.Event]:
    """Give a roll up before any die is thrown."""
    roll = _unthrown(moment, action.roll)
    _refuse_outsider(moment, roll)
    return [e.Withdrawn(roll=roll.id, only=roll_ear(moment.state, roll))]


def reveal(moment: Moment, action: a.Reveal) -> list[e.Event]:
    """Show everybody a roll that was hidden, or what was hidden in it."""
    refuse_player(moment.member, "reveal a roll")
    roll = _hidden_roll(moment, action.roll)
    if roll.ask is None:
        return [e.Revealed(roll=roll.id, ask=roll.inputs)]
    played = played_of(moment.state, roll)
    told = _told(moment.state, roll, thaw(kind_of(moment.state, roll), roll.ask), played)
    dice = [die for step in played.steps if isinstance(step, Thrown) for die in dice_told(step, False)]
    return [
        e.Revealed(
            roll=roll.id, ask=roll.ask, dice=dice, headline=told.headline, verdict=told.verdict, notes=told.notes
        )
    ]


def _hidden_roll(moment: Moment, ref: str) -> Roll:
    if ref:
        roll = find_roll(moment.state, moment.member, ref)
        if roll.seen == "all" and not roll.hidden:
            raise Illegal("Everybody can see this roll already.")
        return roll
    hidden = [roll for roll in moment.state.world.rolls.values() if roll.seen != "all" or roll.hidden]
    if not hidden:
        raise Illegal("No roll is hidden.")
    return hidden[-1]
