"""Rolls at the table: dice are thrown, choices answered, outcomes written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal, Malformed, Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.report import Explanation, explain, in_a_line, judged, laid, plain, told_inputs
from astragal.rule.sheets.table_rules import Change
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Choice, Outcome, Throw
from astragal.rule.tree.note import Die, Note
from astragal.rule.tree.play import Answer, ChoiceStep, Played, Step, ThrowStep, chosen_option, play
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    EVERYBODY,
    GM,
    decider_of,
    dice_audience,
    id_in_role,
    may_answer,
    may_see,
    may_throw,
    outcome_audience,
    refuse_player,
    roll_audience,
    seat_name,
    speaks_for_target,
    throws_at_once,
)
from astragal.table.decide.build import opened
from astragal.table.decide.deal import deal
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.decide.prefill import prefilled
from astragal.table.proof import Proof
from astragal.table.rolls.ask import (
    ask_of,
    decks_of,
    defaults_of,
    doubt_of,
    freeze,
    kind_of,
    open_items,
    open_participants,
    prices_of,
    refuse_gone,
    roll_participants,
    told_offers,
)
from astragal.table.rolls.hand import Check, Mark, TableHand, dice_told, luck_value, marks_of
from astragal.table.rolls.odds import dice_tell
from astragal.table.rolls.playback import ask_now
from astragal.table.rolls.ticket import COVERED
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, Roll, State

Mine = Callable[[State, Roll, Throw[Any, Any], Member], bool]
"""Whether dice are thrown at once by this member."""


def roll(context: Context, action: a.RollAction) -> Ledger:
    """Open a roll and throw its first dice."""
    begins = prefilled if action.request or action.pool or action.again else opened
    ledger, roll = begins(context, action)
    advance(context, ledger, roll, answers=action.answers, faces=action.faces, nonce=action.nonce)
    return ledger


def refuse_typing(context: Context) -> None:
    """Refuse typed faces where the table leaves the dice to the machine."""
    if context.state.world.typed_dice == "nobody":
        raise Illegal("At this table nobody types dice; the machine throws them.")
    if context.state.world.typed_dice == "gm":
        refuse_player(context.member, "type dice at this table; the machine throws yours")


def sources_of(context: Context, hand: TableHand) -> list[tuple[str, str]]:
    """Where the faces of the new throws came from, and who typed them."""
    return [(source, context.member.id if source == "typed" else typed_by) for source, typed_by in hand.sources]


def advance(
    context: Context,
    ledger: Ledger,
    roll: Roll,
    *,
    answers: Sequence[str],
    faces: str,
    fresh: bool = False,
    throws: int = 1,
    mine: Mine = may_throw,
    nonce: str = "",
) -> None:
    """Fix and pay the ask if this is the first throw, then play one step and write what follows from it.

    ``mine`` says which dice this member throws; all others are left to those whose they are.
    """
    ledger.roll = roll.id
    ask, now = (ask_now(context.state, roll), roll) if roll.ask is not None else _fix(context, ledger, roll)
    if faces.strip():
        refuse_typing(context)
    if faces or roll.ask is None:
        mine = may_throw if faces else throws_at_once
    ticket = context.ticket(_lane(context.state, now, roll.ask is None), now.id, nonce)
    hand = TableHand(
        now.steps,
        context.dice,
        marks_of(context.state, kind_of(context.state, now), now),
        {} if fresh or (faces and not _may_see_dice(context, now)) else context.state.undone_dice,
        answers=answers,
        faces=faces,
        throws=throws,
        check=_check(context, ledger, now, ask),
        mine=lambda throw: mine(context.state, now, throw, context.member),
        after=roll.over,
        openly=dice_audience(context.state, now) == EVERYBODY,
        ticket=ticket,
    )
    _go_on(context, ledger, now, ask, hand, first=roll.ask is None)


def _lane(state: State, roll: Roll, first: bool) -> str:
    """Who will see the ticket used: those who see the dice, or those who are told at the first throw that it fell."""
    dice, knows = dice_audience(state, roll), roll_audience(state, roll)
    return f"{knows}{COVERED}" if first and dice != knows else dice


def _go_on(context: Context, ledger: Ledger, roll: Roll, ask: Ask, hand: TableHand, *, first: bool) -> None:
    """Play on from the steps so far, and write the new ones and what they came to."""
    kind = kind_of(context.state, roll)
    played = play(kind.rule(ask), hand)
    if not first and len(played.steps) == len(roll.steps) and isinstance(played.node, Throw):
        raise Malformed("No die was thrown.")
    explained = explain(played)
    dice = _dice_of(explained, hand)
    thrown = zip(dice, hand.marks, sources_of(context, hand), hand.proofs, strict=True)
    _Writer(context.state, ledger, roll, kind, ask).write(played.steps[len(roll.steps) :], thrown)
    ledger.audience = audience = outcome_audience(context.state, roll)
    if first and audience:
        _say_covered(ledger, roll, hand.ticket)
    hidden = [dice_told(shown) for shown in dice] if roll.hidden else []
    if roll.over and not isinstance(played.node, Outcome):
        return
    ledger.add(told(ledger.state, kind, roll, ask, played, notes=explained.notes, dice=hidden, audience=audience))
    if isinstance(played.node, Outcome):
        _write_outcome(ledger, roll, ask, played.node)


def _write_outcome(ledger: Ledger, roll: Roll, ask: Ask, outcome: Outcome[Any]) -> None:
    """Write the outcome's changes, computed only from what its audience may see."""
    audience, state = ledger.audience, ledger.state
    participants = open_items(state, roll_participants(state, roll), audience)
    effects = [effect for effect in outcome.effects if effect.when == "end"]
    ledger.do(ruleset_of(ledger.game).table_rules.apply(roll.kind, ask, effects, participants))


def _say_covered(ledger: Ledger, roll: Roll, used: tuple[str, str] | None) -> None:
    """Tell those who know of the roll but may see neither ask nor dice that it was rolled, and with which ticket."""
    knows = roll_audience(ledger.state, roll)
    if not any(event.audience == knows for event in ledger.events if isinstance(event, (e.Asked, e.Thrown))):
        ticket, next = used or ("", "")
        ledger.add(e.Covered(roll=roll.id, ticket=ticket, next=next, audience=knows))


def _check(context: Context, ledger: Ledger, roll: Roll, ask: Ask) -> Check:
    """A check of answers given along with a throw: they must be this member's to give, and affordable."""
    paid: Ledger | None = None

    def check(choice: Choice[Any], answer: Answer) -> None:
        nonlocal paid
        if not may_answer(context.state, roll, choice, answer.option, context.member):
            raise Forbidden(f'"{answer.option[:40]}" is {_decider(context, roll, choice, answer.option)}\'s to say.')
        effects = chosen_option(choice, answer).effects
        if effects:
            paid = paid or Ledger(ledger.state, asker=context.member)
            _pay(paid, roll, ask, effects)

    return check


def _decider(context: Context, roll: Roll, choice: Choice[Any], option: str) -> str:
    """Who gives an answer, by name; where the outcome is hidden, that would tell who won."""
    if not may_see(context.member, outcome_audience(context.state, roll)):
        return "the GM"
    return seat_name(context.state, decider_of(context.state, roll, choice, option))


def _pay(ledger: Ledger, roll: Roll, ask: Ask, effects: Sequence[Effect]) -> None:
    """Pay what an answer costs at once, or refuse the answer."""
    participants = roll_participants(ledger.state, roll)
    own = {holder.id for holder in (participants.roller, participants.player) if holder}
    changes = ruleset_of(ledger.game).table_rules.apply(roll.kind, ask, effects, participants)
    paid = (change._replace(whole=change.holder in own) if isinstance(change, Change) else change for change in changes)
    ledger.do(paid, strict=True)


def told(
    state: State,
    kind: Kind,
    roll: Roll,
    ask: Any,
    played: Played[Any],
    *,
    notes: Iterable[Note],
    dice: list[list[e.DieTold]],
    audience: str,
) -> e.Told:
    """The event that tells a roll's outcome, so far or final; only the final one stores the result."""
    outcome = played.outcome
    verdict = judged(kind, played.result) if played.result is not None else None
    verdict = verdict.turned if verdict and speaks_for_target(state, roll) else verdict
    return e.Told(
        roll=roll.id,
        headline=kind.headline(ask),
        verdict=in_a_line(verdict) if verdict else "",
        tone=verdict.tone if verdict else "",
        tier=verdict.tier if verdict else "",
        sum=verdict.sum if verdict else "",
        gains=list(verdict.gains) if verdict else [],
        about=str((kind.aim and getattr(ask, kind.aim, None)) or roll.about),
        series=_series(kind, roll, played),
        notes=list(notes),
        over=outcome is not None,
        dice=dice,
        result=plain(outcome.result) if outcome else None,
        effects=[_effect(effect) for effect in played.effects] if outcome else [],
        after=outcome is not None and outcome.after is not None,
        prompts=[(id_in_role(roll, by), question, rule) for by, question, rule in outcome.prompts] if outcome else [],
        audience=audience,
    )


def _series(kind: Kind, roll: Roll, played: Played[Any]) -> list[int]:
    """How far a long task has come; while it waits for a helper, as far as it was."""
    result, node = played.result, played.node
    if result is None and isinstance(node, Throw) and node.instead is not None:
        result = node.instead.so_far
    if not kind.series or result is None:
        return list(roll.series)
    return [getattr(result, name) for name in kind.series[:3]]


def _effect(effect: Effect) -> dict[str, Any]:
    """An effect as plain data, without default values."""
    usual = Effect._field_defaults
    return {name: value for name, value in zip(effect._fields, effect, strict=True) if value != usual.get(name)}


def _fix(context: Context, ledger: Ledger, roll: Roll) -> tuple[Ask, Roll]:
    """Fix the ask and pay for it; refuse the whole throw if something cannot be paid."""
    try:
        return _fixed(context.state, ledger, roll)
    except Refusal:
        if roll.hidden and context.member.role != GM:
            raise Illegal("This roll cannot be thrown as it stands, for a reason that is hidden; ask the GM.") from None
        raise


def _fixed(state: State, ledger: Ledger, roll: Roll) -> tuple[Ask, Roll]:
    refuse_gone(state, roll)
    ask = ask_of(state, roll)
    ledger.audience = audience = outcome_audience(state, roll)
    frozen, covered = freeze(ask), bool(roll.hidden) and dice_tell(state, roll, ask)
    ledger.add(
        e.Asked(
            roll=roll.id,
            ask=frozen,
            defaults=defaults_of(ask),
            covered=covered,
            told=list(told_inputs(type(ask), frozen, told_offers(state, roll))),
            audience=audience,
        )
    )
    if doubt := doubt_of(state, roll):
        ledger.add(e.Noted(text=f"By what only you know: {doubt.sentence}", rule=doubt.rule, audience=GM))
    ledger.do(prices_of(state, roll), strict=True)
    ledger.do(ruleset_of(state.game).table_rules.uses_up(roll.kind, ask, open_participants(state, roll)))
    return ask, replace(roll, ask=frozen, covered=covered)


def _dice_of(explained: Explanation, hand: TableHand) -> list[tuple[Die, ...]]:
    """The dice of each new throw."""
    return [dice for _, dice in explained.throws[len(explained.throws) - len(hand.marks) :]]


Faces = tuple[tuple[Die, ...], Mark, tuple[str, str], Proof | None]
"""The dice of a new throw as they were read, its mark, where its faces came from, and how they were thrown."""


class _Writer:
    """Writes new faces and answers as events; an answer is paid for at once."""

    def __init__(self, state: State, ledger: Ledger, roll: Roll, kind: Kind, ask: Ask) -> None:
        self._state = state
        self._ledger = ledger
        self._roll = roll
        self._kind = kind
        self._ask = ask
        self._known = dict(roll.ask or {})

    def write(self, steps: Iterable[Step], thrown: Iterator[Faces]) -> None:
        """Write the steps in order."""
        for step in steps:
            if isinstance(step, ThrowStep):
                self._throw(step, *next(thrown))
            else:
                self._answer(step)

    def _new(self, values: dict[str, Any]) -> dict[str, Any]:
        """What of these inputs was not known before."""
        new = {name: value for name, value in values.items() if value != self._known.get(name)}
        self._known |= new
        return new

    def _throw(
        self, step: ThrowStep, dice: tuple[Die, ...], mark: Mark, source: tuple[str, str], proof: Proof | None
    ) -> None:
        roll, state, pool = self._roll, self._state, step.throw.pool
        self._ledger.add(
            e.Thrown(
                roll=roll.id,
                faces=step.faces,
                dice=dice_told(dice, bool(roll.hidden)),
                title=step.throw.title,
                by=id_in_role(roll, step.throw.by),
                value=None if roll.hidden else luck_value(ruleset_of(state.game), roll.kind, step),
                mark=mark[0],
                reused_from=mark[1],
                source=source[0],
                typed_by=source[1],
                laid=list[e.DieLaid](laid(step, dice, self._kind.opposed)),
                labels={each.title: list(each.labels) for each in pool if each.labels},
                cards=[each.title for each in pool if each.cards],
                held=self._new({name: list(getattr(self._ask, name)) for name in decks_of(type(self._ask))}),
                proof=proof,
                audience=dice_audience(state, roll),
            )
        )
        if any(each.cards for each in pool):
            deal(self._ledger, step)
        if mark[0] in state.undone_dice:
            left = {mark[0]: state.undone_dice[mark[0]][1:] or None}
            self._ledger.add(e.UndoneDiceKept(dice=left, audience=GM))

    def _answer(self, step: ChoiceStep) -> None:
        self._ledger.audience = audience = outcome_audience(self._state, self._roll)
        live = {name: value for name, value in freeze(self._ask).items() if self._ask.inputs[name].live}
        said = {"choice": step.choice.name, "answer": str(step.answer)}
        said |= {"label": step.option.label, "told": step.option.told}
        self._ledger.add(e.Answered(roll=self._roll.id, **said, held=self._new(live), audience=audience))
        if effects := step.option.effects:
            _pay(self._ledger, self._roll, self._ask, effects)


def _may_see_dice(context: Context, roll: Roll) -> bool:
    """Whether the member may see a roll's dice; to others, refusing typed faces would tell which dice lie there."""
    return may_see(context.member, dice_audience(context.state, roll))
