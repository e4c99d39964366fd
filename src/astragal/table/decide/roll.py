"""Rolls at the table: dice thrown, choices answered, outcomes written down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal, Malformed, Refusal
from astragal.rule.ask import Ask
from astragal.rule.explain import Explanation, explain
from astragal.rule.game import Kind
from astragal.rule.hand import Answer, chosen_option
from astragal.rule.node import Choice, Outcome, Throw
from astragal.rule.note import Die, Note
from astragal.rule.play import Played, Step, Thrown, play
from astragal.rule.table_rules import nothing
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    GM,
    dice_ear,
    find_roll,
    hears,
    narrower,
    outcome_ear,
    owner_of,
    refuse_player,
    roll_ear,
)
from astragal.table.decide.build import opened
from astragal.table.decide.context import Moment
from astragal.table.decide.ledger import Ledger
from astragal.table.participants import open_items
from astragal.table.rolls.ask import ask_of, freeze, kind_of, prices_of, refuse_gone, roll_cast, thaw
from astragal.table.rolls.hand import Check, Mark, Marks, TableHand
from astragal.table.rolls.odds import dice_tell
from astragal.table.ruleset import book_of
from astragal.table.state import Roll, State

OVER = "This roll is over."


def roll(moment: Moment, action: a.Roll) -> Ledger:
    """Open and throw in one go."""
    ledger, roll = opened(moment, action)
    _advance(moment, ledger, roll, answers=action.answers, faces=action.faces)
    return ledger


def throw(moment: Moment, action: a.Throw) -> Ledger:
    """Throw the next dice."""
    roll = find_roll(moment.state, moment.member, action.roll)
    _refuse_bystander(moment, roll)
    if action.fresh:
        refuse_player(moment.member, "throw fresh dice after an undo")
    if roll.ask is not None:
        _refuse_unknowing(moment, roll)
        _refuse_no_dice(played_of(moment.state, roll))
    ledger = Ledger(moment.state)
    _advance(moment, ledger, roll, answers=action.answers, faces=action.faces, fresh=action.fresh)
    return ledger


def _refuse_unknowing(moment: Moment, roll: Roll) -> None:
    """Whoever may not see what came up may not ask what the roll waits for either."""
    if not hears(moment.member, outcome_ear(moment.state, roll)):
        raise Forbidden("How this roll goes on is hidden; it is the GM's to say.")


def _refuse_no_dice(played: Played[Any]) -> None:
    if not isinstance(played.node, Throw):
        raise Illegal(OVER if played.outcome else "This roll waits for an answer, not for dice.")


def _refuse_bystander(moment: Moment, roll: Roll) -> None:
    """Everybody who takes part in a roll may throw its dice."""
    holders = moment.state.world.holders
    taking_part = {holders[id].owner for id in (roll.against, *roll.helpers) if id in holders}
    if moment.member.role != GM and moment.member.id not in taking_part | {owner_of(moment.state, roll)}:
        raise Forbidden("This roll is not yours to throw.")


def answer(moment: Moment, action: a.Answer) -> Ledger:
    """Answer a choice, if it is yours by the rules."""
    roll = find_roll(moment.state, moment.member, action.roll)
    if roll.ask is not None:
        _refuse_unknowing(moment, roll)
    node = played_of(moment.state, roll).node if roll.ask is not None else None
    if not isinstance(node, Choice):
        raise Illegal(OVER if roll.over else "This roll waits for dice, not for an answer.")
    ledger = Ledger(moment.state)
    _advance(moment, ledger, roll, answers=[action.answer], faces=action.faces, throws=0)
    return ledger


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
    return replayed(kind, thaw(kind, roll.ask or {}), roll.steps)


def replayed(kind: Kind, ask: Ask, steps: Sequence[dict[str, Any]]) -> Played[Any]:
    """A roll played back from its steps."""
    return play(kind.rule(ask), TableHand(steps, _no_dice, lambda place, throw: "", {}, throws=0))


def _no_dice(pool: Any) -> Any:
    raise AssertionError("a roll that is looked at throws nothing")


def _advance(
    moment: Moment,
    ledger: Ledger,
    roll: Roll,
    *,
    answers: Sequence[str],
    faces: str,
    fresh: bool = False,
    throws: int = 1,
) -> None:
    """Pay and fix the ask if this is the first throw; then one step more, and what it leads to."""
    kind = moment.book.game.kind(roll.kind)
    ask, now = (thaw(kind, roll.ask), roll) if roll.ask is not None else _fix(moment, ledger, roll)
    hand = TableHand(
        now.steps,
        moment.dice,
        _marks(kind, now),
        {} if fresh else moment.state.spare,
        answers=answers,
        faces=faces,
        throws=throws,
        check=_check(moment, ledger, now),
    )
    played = play(kind.rule(ask), hand)
    if len(played.steps) == len(now.steps) and not isinstance(played.node, (Outcome, Choice)):
        raise Malformed("No die was thrown.")
    explained = explain(played)
    new = played.steps[len(now.steps) :]
    _write_steps(moment.state, ledger, now, new, zip(_dice_of(explained, hand), hand.marks, strict=True))
    ledger.ear = ear = outcome_ear(moment.state, now)
    if roll.ask is None and ear:
        _say_covered(ledger, now)
    ledger.add(told(kind, now, ask, played, explained.notes, ear=ear))
    if isinstance(played.node, Outcome):
        _write_outcome(ledger, now, ask, played.node)


def _write_outcome(ledger: Ledger, roll: Roll, ask: Ask, outcome: Outcome[Any]) -> None:
    """What comes of a roll is made of what those may see who may see what came of it."""
    ear, state = ledger.ear, ledger.state
    cast = open_items(state, roll_cast(state, roll), lambda other: narrower(ear, other) == ear)
    ledger.do(book_of(ledger.game).keeping.writes(roll.kind, cast, ask, outcome))


def _say_covered(ledger: Ledger, roll: Roll) -> None:
    """Those who know of the roll, and may see neither what is rolled nor the dice, know that it is done."""
    knows = roll_ear(ledger.state, roll)
    if not any(event.only == knows for event in ledger.events if isinstance(event, (e.Asked, e.Thrown))):
        ledger.add(e.Covered(roll=roll.id, only=knows))


def _check(moment: Moment, ledger: Ledger, roll: Roll) -> Check:
    """Whoever throws may answer at once, but only what is theirs to answer, and what they can pay for."""
    paid: Ledger | None = None

    def check(choice: Choice[Any], answer: Answer) -> None:
        nonlocal paid
        if not may_answer(moment.state, roll, choice, moment.member.id):
            raise Forbidden(f"{choice.question} That is not yours to say.")
        chosen_option(choice, answer)
        if moment.book.keeping.pays is not nothing:
            paid = paid or Ledger(ledger.state)
            _pay(paid, roll, choice.name, answer)

    return check


def _pay(ledger: Ledger, roll: Roll, choice: str, answer: Answer) -> None:
    pays = book_of(ledger.game).keeping.pays
    if pays is not nothing:
        ledger.do(pays(roll.kind, roll_cast(ledger.state, roll), choice, answer.option), strict=True)


def dice_told(dice: Iterable[Die], hidden: bool) -> list[tuple[str, int, int, str, bool]]:
    """Every die of a throw; what it did is left out where that would tell something hidden."""
    return [(die.name, die.sides, die.face, "" if hidden else die.did, die.counts and not hidden) for die in dice]


def told(kind: Kind, roll: Roll, ask: Any, played: Played[Any], notes: Iterable[Note], *, ear: str) -> e.Told:
    """What a roll came to, so far or in the end."""
    return e.Told(
        roll=roll.id,
        headline=kind.headline(ask),
        verdict=kind.verdict(played.result) if played.result is not None else "",
        notes=list(notes),
        over=played.outcome is not None,
        only=ear,
    )


def _fix(moment: Moment, ledger: Ledger, roll: Roll) -> tuple[Ask, Roll]:
    """The ask is fixed and paid for; too little of something refuses the whole throw."""
    try:
        return _fixed(moment.state, ledger, roll)
    except Refusal:
        if roll.hidden and moment.member.role != GM:
            raise Illegal("This roll cannot be thrown as it stands, for a reason that is hidden; ask the GM.") from None
        raise


def _fixed(state: State, ledger: Ledger, roll: Roll) -> tuple[Ask, Roll]:
    refuse_gone(state, roll)
    ask = ask_of(state, roll)
    ledger.ear = ear = outcome_ear(state, roll)
    frozen, covered = freeze(ask), dice_tell(state, roll, ask)
    ledger.add(e.Asked(roll=roll.id, ask=frozen, covered=covered, only=ear))
    ledger.do(prices_of(state, roll), strict=True)
    return ask, replace(roll, ask=frozen, covered=covered)


def _dice_of(explained: Explanation, hand: TableHand) -> list[tuple[Die, ...]]:
    """The dice of each new throw."""
    return [dice for _, dice in explained.throws[len(explained.throws) - len(hand.marks) :]]


def _write_steps(
    state: State, ledger: Ledger, roll: Roll, steps: Iterable[Step], thrown: Iterator[tuple[tuple[Die, ...], Mark]]
) -> None:
    """New faces and answers become events; an answer is paid for at once."""
    for step in steps:
        if isinstance(step, Thrown):
            dice, (mark, lain) = next(thrown)
            shown, ear = dice_told(dice, bool(roll.hidden)), dice_ear(state, roll)
            ledger.add(e.Thrown(roll=roll.id, faces=step.faces, dice=shown, mark=mark, lain=lain, only=ear))
            if mark in state.spare:
                ledger.add(e.Spared(dice={mark: state.spare[mark][1:] or None}, only=GM))
        else:
            ledger.ear = ear = outcome_ear(state, roll)
            ledger.add(e.Answered(roll=roll.id, choice=step.choice.name, answer=str(step.answer), only=ear))
            _pay(ledger, roll, step.choice.name, step.answer)


_encoder = msgspec.json.Encoder(order="sorted")


def _marks(kind: Kind, roll: Roll) -> Marks:
    """A throw is the same if the same one rolls the same at the same place."""
    numbers = {name: _number(value) for name, value in (roll.ask or {}).items()}
    about = _encoder.encode([roll.who or roll.by, kind.name, roll.against, numbers]).decode()

    def mark(place: int, throw: Throw[Any, Any]) -> str:
        dice = [(dice.sides, dice.n) for dice in throw.pool]
        return blake2b(f"{about}{place}{dice}".encode(), digest_size=8).hexdigest()

    return mark


def _number(value: Any) -> Any:
    """What a source is called makes it no other roll."""
    return sum(source[1] for source in value["sources"]) if isinstance(value, dict) else value
