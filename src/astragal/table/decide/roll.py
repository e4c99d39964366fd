"""Rolls at the table: dice are thrown, choices answered, outcomes written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal, Malformed, Refusal
from astragal.explain.report import explain, headline_of, in_a_line, judged, laid, plain, told_inputs
from astragal.rule.inputs.ask import Ask
from astragal.rule.sheets.table_rules import Change
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Choice, Outcome, Throw
from astragal.rule.tree.note import Die, Note
from astragal.rule.tree.play import (
    Answer,
    ChoiceStep,
    Played,
    Step,
    ThrowStep,
    answer_data,
    chosen_option,
    parse_answer,
    play,
    throw_data,
)
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    EVERYBODY,
    GM,
    decider_of,
    dice_audience,
    id_in_role,
    is_partly_known,
    may_see,
    may_throw,
    may_type,
    name_of,
    outcome_audience,
    refuse_player,
    roll_audience,
    seat_name,
    seen_rolls,
    throws_at_once,
    verdict_for_target,
)
from astragal.table.decide.build import opened
from astragal.table.decide.deal import deal
from astragal.table.decide.follow import losses
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.decide.prefill import prefilled
from astragal.table.kept import read_line
from astragal.table.rolls.ask import claims_told, decks_of, defaults_of, freeze, helping
from astragal.table.rolls.basis import Basis, open_items
from astragal.table.rolls.hand import Check, NewThrow, TableHand, dice_told, kept_dice
from astragal.table.rolls.known import known_after, known_of, may_answer
from astragal.table.rolls.picks import full_play, refuse_unpicked, step_key, where_it_stands, with_plain_names
from astragal.table.rolls.playback import ask_now
from astragal.table.rolls.ready import awaited_of, ruling_of
from astragal.table.rolls.ticket import COVERED, TicketDice
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, Roll, State

Mine = Callable[[State, Roll, Throw[Any, Any], Member], bool]
"""True for dice that this member throws immediately."""


def roll(context: Context, action: a.RollAction) -> Ledger:
    """Open a roll and throw its first dice, unless it has to wait for the other side."""
    begins = prefilled if action.request or action.pool or action.again else opened
    ledger, roll = begins(context, action)
    basis = ledger.basis(roll)
    if awaited_of(ledger.state, roll) not in ("", context.member.id):
        # Both sides gather first (T-8), and the log says for whom the roll waits.
        refused = None if roll.hidden else basis.refusal
        if isinstance(refused, Illegal):
            raise refused
        return ledger
    if not action.answers and ruling_of(basis):
        return ledger  # nothing is thrown: a member answers
    advance(context, ledger, roll, answers=action.answers, faces=action.faces, nonce=action.nonce)
    return ledger


UNSEEN_DICE = "Part of this roll is hidden from you, so the machine throws its dice; leave the faces out."
"""Refuses typed faces, whatever is hidden and whatever was typed (T-3)."""


def refuse_typing(context: Context) -> None:
    """Refuse typed faces where the table leaves the dice to the machine."""
    if context.state.world.typed_dice == "nobody":
        raise Illegal("At this table nobody types dice; the machine throws them.")
    if context.state.world.typed_dice == "gm":
        refuse_player(context.member, "type dice at this table; the machine throws yours")


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
    picks: str = "",
) -> None:
    """Fix and pay the ask if this is the first throw, then play one step and write what follows from it.

    ``mine(throw)`` is true for dice that this member may throw; other dice wait for their owner. ``picks`` is the first
    of the answers in full, where it names something hidden.
    """
    state, member, first = context.state, context.member, roll.ask is None
    ledger.roll = roll.id
    if picks:
        ledger.add(e.Picked(roll=roll.id, names={step_key(len(roll.steps)): picks}, audience=GM))
    # Refuse what a member who does not see the roll may not say, before anything hidden is read.
    if faces.strip():
        refuse_typing(context)
        if not may_type(state, roll, member):
            raise Forbidden(UNSEEN_DICE)
    if answers and throws and not may_see(member, outcome_audience(state, roll)):
        raise Forbidden("How this roll goes is hidden, so no answers go with its dice; throw first.")
    paid = False
    if first:
        refuse_dodge(context, roll)
        ask, roll, paid = _fix(context, ledger, ledger.basis(roll))
    else:
        ask = ask_now(ledger.basis(roll))
    if faces or first:
        mine = may_throw if faces else throws_at_once
    now = Basis(state, roll)
    shown, dice_seen = throw_audience(now, answers), dice_audience(state, roll)
    # The lane of those who see the dice, or of those who are told at the first throw that it fell.
    knows = shown if roll.steps else roll_audience(state, roll)
    ticket = context.ticket(shown if shown == knows else f"{knows}{COVERED}", roll.id, nonce)
    kept = kept_dice(roll, shown)
    if fresh or (faces and not may_see(member, dice_seen)):
        kept = kept._replace(dice={})  # to others, a refusal of typed faces would tell which dice lie there
    hand = TableHand(
        roll.steps,
        context.dice,
        kept,
        answers=answers,
        faces=faces,
        by=member.id,
        throws=throws,
        check=_check(context, ledger, roll, ask),
        mine=_mine(context, roll, mine),
        after=roll.over,
        openly=dice_seen == EVERYBODY,
        ticket=ticket,
    )
    _Advance(ledger, now, ask, hand, fresh=fresh and roll.undone.struck, paid=paid).write(first, ticket)


def refuse_dodge(context: Context, roll: Roll) -> None:
    """Refuse the first throw of a roll while the roller has an undone one: that is thrown or withdrawn first (T-1)."""
    rolls = context.state.world.rolls.values() if not roll.undone.struck else ()
    undone = [other for other in rolls if other.undone.struck]
    roller = roll.who or roll.name or roll.by
    for other in seen_rolls(context.state, context.member, undone):
        if _is_owed(other) and other.id != roll.id and roller == (other.who or other.name or other.by):
            whose = other.name or name_of(context.state, context.member, roller)
            raise Illegal(f"{whose}'s undone roll comes first: throw it again, or have a GM withdraw it (T-1).")


def _is_owed(roll: Roll) -> bool:
    """True if a roll was undone, and its roller has not thrown again: others may have, or it was only begun."""
    if roll.reopened or not roll.undone.struck or roll.over:
        return roll.reopened
    own = (roll.who or roll.by, "roller")
    thrown = any(thrown.by in own for thrown in roll.throws)
    return not thrown and any(read_line(line).whose in own for line in roll.undone.dice)


def _mine(context: Context, roll: Roll, mine: Mine) -> Callable[[Throw[Any, Any]], bool]:
    """True for dice that the member throws now.

    Of a roll with hidden inputs that is one throw at a time: whether there is another may rest on what is hidden.
    """
    asked: list[Throw[Any, Any]] = []

    def is_mine(throw: Throw[Any, Any]) -> bool:
        allowed = not (asked and roll.hidden) and mine(context.state, roll, throw, context.member)
        asked.append(throw)
        return allowed

    return is_mine


def throw_audience(basis: Basis, answers: Sequence[str] = ()) -> str:
    """The audience of the next throw; of a roll with hidden inputs, after these answers (T-11)."""
    state, roll = basis.state, basis.roll
    if not is_partly_known(state, roll) or not roll.steps:
        return dice_audience(state, roll)
    node, steps = known_of(basis).node, list(roll.part.steps)
    for text in answers:
        choice = node.instead if isinstance(node, Throw) else node
        if not isinstance(choice, Choice) or parse_answer(text).option not in choice.options:
            return GM
        steps.append(answer_data(choice.name, text))
        node = known_after(basis, steps).node
    return dice_audience(state, roll) if isinstance(node, Throw) else GM


def _new_effects(played: Played[Any], known: int, first: bool) -> Iterator[Effect]:
    """The effects since these steps were known: of fallen dice, of answers, of the end."""
    for place, step in enumerate(played.steps[known:]):
        # The choice at which a roll waited had its effects when the roll got there.
        if isinstance(step, ChoiceStep) and (place or first):
            yield from step.choice.effects
    if isinstance(played.node, Choice) and (first or len(played.steps) > known):
        yield from played.node.effects
    if isinstance(played.node, Outcome):
        yield from (effect for effect in played.node.effects if effect.when in ("fallen", "end"))


def _tell_part(ledger: Ledger, roll: Roll) -> None:
    """Tell the part that rests on nothing hidden; a GM's hidden step is told only where another member was to act."""
    after = ledger.state.world.rolls[roll.id]
    if after.part.secret_steps > roll.part.secret_steps and not roll.known_open and roll.steps:
        return
    known = known_of(ledger.basis(after))
    ledger.add(
        e.PartlyTold(
            roll=roll.id,
            sum=known.sum,
            gains=known.gains,
            notes=list(known.notes),
            dice=[dice_told(dice) for dice in known.dice],
            result=known.result,
            open=known.open,
            audience=dice_audience(ledger.state, roll),
        )
    )


def write_effects(ledger: Ledger, roll: Roll, ask: Ask, effects: Sequence[Effect]) -> None:
    """Write what effects change, computed only from what the outcome's audience may see.

    While the outcome is hidden from a member, changes of things that they see wait for the reveal (T-11).
    """
    state, audience = ledger.state, ledger.audience
    participants = open_items(state, ledger.basis(roll).participants, audience)
    rules = ruleset_of(ledger.game).table_rules
    if audience == EVERYBODY:
        ledger.do(rules.apply(roll.kind, ask, effects, participants))
        return
    changes = [
        where_it_stands(state, participants, each) if isinstance(each, Change) else each
        for each in rules.apply(roll.kind, ask, effects, with_plain_names(state, participants))
    ]
    made = [change for change in changes if isinstance(change, Change)]
    only_gms = roll_audience(state, roll) == GM
    later = [change for change in made if not ledger.is_out_of_sight(change, only_gms)]
    if not later:
        ledger.do(changes)
        return
    now = [change for change in made if change not in later]
    ledger.do(now)
    ledger.add(
        e.Delayed(
            roll=roll.id,
            effects=[_effect(effect) for effect in effects],
            changes=[change[:6] for change in later],
            done=[change[:4] for change in now],
            audience=audience,
        )
    )


def _say_covered(ledger: Ledger, roll: Roll, ticket: TicketDice | None) -> None:
    """Tell those who know of the roll but may see neither ask nor dice that it was rolled, and with which ticket.

    A ticket is used although no dice may have been thrown: whether a roll needs any may be hidden (RW-1).
    """
    knows = roll_audience(ledger.state, roll)
    if not any(event.audience == knows for event in ledger.events if isinstance(event, (e.Asked, e.Thrown))):
        used, next = ticket.use() if ticket else ("", "")
        ledger.add(e.Covered(roll=roll.id, ticket=used, next=next, audience=knows))


def _check(context: Context, ledger: Ledger, roll: Roll, ask: Ask) -> Check:
    """A check of answers given along with a throw: they must be this member's to give, and affordable."""
    paid: Ledger | None = None

    def check(choice: Choice[Any], answer: Answer) -> None:
        nonlocal paid
        if not may_answer(Basis(context.state, roll), choice, answer.option, context.member):
            if not may_see(context.member, outcome_audience(context.state, roll)):
                raise Forbidden(HIDDEN_COURSE)
            decider = seat_name(context.state, decider_of(context.state, roll, choice, answer.option))
            raise Forbidden(f'"{answer.option[:40]}" is {decider}\'s to say.')
        effects = chosen_option(choice, answer).effects
        refuse_unpicked(context.state, context.member, choice, answer)
        if effects:
            paid = paid or Ledger(ledger.state, asker=context.member)
            _pay(paid, roll, ask, effects)

    return check


HIDDEN_COURSE = "How this roll goes on is hidden; it is the GM's to say."


def _pay(ledger: Ledger, roll: Roll, ask: Ask, effects: Sequence[Effect]) -> None:
    """Pay the price of an answer immediately, or refuse the answer."""
    participants = ledger.basis(roll).participants
    own = {holder.id for holder in (participants.roller, participants.player) if holder}
    changes = ruleset_of(ledger.game).table_rules.apply(roll.kind, ask, effects, participants)
    paid = (change._replace(whole=change.holder in own) if isinstance(change, Change) else change for change in changes)
    ledger.do(paid, strict=True)


def told(
    basis: Basis, ask: Any, played: Played[Any], *, notes: Iterable[Note], dice: list[list[e.DieTold]], audience: str
) -> e.Told:
    """The event that tells a roll's outcome, so far or final; only the final one stores the result."""
    kind, roll, outcome = basis.kind, basis.roll, played.outcome
    verdict = judged(kind, played.result) if played.result is not None else None
    verdict = verdict.turned if verdict and verdict_for_target(basis.state, roll) else verdict
    said: dict[str, Any] = {"verdict": ""}
    if verdict:
        said = {"verdict": in_a_line(verdict), "tone": verdict.tone, "tier": verdict.tier, "sum": verdict.sum}
        said |= {"other_tier": verdict.theirs, "gains": list(verdict.gains)}
    series: list[int] = []
    if kind.series and played.result is not None:
        series = [getattr(played.result, name) for name in kind.series[:3]]
    elif kind.series and kind.series.begun:  # while it waits for dice, as far as it was
        series = list(kind.series.begun(ask))
    return e.Told(
        roll=roll.id,
        headline=headline_of(kind, ask, played),
        **said,
        about=str((kind.aim and getattr(ask, kind.aim, None)) or roll.about),
        series=series,
        notes=list(notes),
        over=outcome is not None,
        dice=dice,
        result=plain(outcome.result) if outcome else None,
        effects=[_effect(effect) for effect in played.effects] if outcome else [],
        after=outcome is not None and outcome.after is not None,
        prompts=[(id_in_role(roll, by) or GM, question, rule) for by, question, rule in outcome.prompts]
        if outcome
        else [],
        audience=audience,
    )


def _effect(effect: Effect) -> dict[str, Any]:
    """An effect as plain data, without default values."""
    usual = Effect._field_defaults
    return {name: value for name, value in zip(effect._fields, effect, strict=True) if value != usual.get(name)}


def _fix(context: Context, ledger: Ledger, basis: Basis) -> tuple[Ask, Roll, bool]:
    """Fix the ask and pay for it, if it costs something; refuse the whole throw if that cannot be paid."""
    try:
        return _fixed(ledger, basis)
    except Refusal:
        if basis.roll.hidden and context.member.role != GM:
            raise Illegal("This roll cannot be thrown as it stands, for a reason that is hidden; ask the GM.") from None
        raise


def _fixed(ledger: Ledger, basis: Basis) -> tuple[Ask, Roll, bool]:
    basis.refuse_overused()
    if lost := list(losses(basis, basis)):  # since the last action of a member who sees the roll
        ledger.events.extend(lost)
        basis = ledger.basis(ledger.state.world.rolls[basis.roll.id])
    roll = basis.roll
    if roll.helpers and basis.kind.helpers_give:
        # Helpers who have put nothing in leave the roll, where only that helps.
        giving, audience = helping(basis.kind, roll, roll.helpers, basis.offers), roll_audience(ledger.state, roll)
        for helper in roll.helpers:
            if helper not in giving:
                ledger.add(e.Assisted(roll=roll.id, helper=helper, leaves=True, idle=True, audience=audience))
        basis = ledger.basis(ledger.state.world.rolls[roll.id])
        roll = basis.roll
    state, kind, ask = basis.state, basis.kind, basis.ask
    ledger.audience = audience = outcome_audience(state, roll)
    frozen, covered = freeze(ask), bool(roll.hidden) and kind.change_dice(roll.hidden)
    ledger.add(
        e.Asked(
            roll=roll.id,
            ask=frozen,
            defaults=defaults_of(ask),
            covered=covered,
            told=list(told_inputs(type(ask), frozen, basis.told_offers)),
            claims=claims_told(roll),
            deed=kind.deed(ask) if kind.deed and not roll.hidden else "",
            audience=audience,
        )
    )
    if refused := basis.hidden_refusal:
        ledger.add(e.Noted(text=f"By what only you know: {refused.sentence}", rule=refused.rule, audience=GM))
    prices = basis.prices
    ledger.do(prices, strict=True)
    ledger.do(ruleset_of(state.game).table_rules.uses_up(roll.kind, ask, basis.open_participants))
    return ask, replace(roll, ask=frozen, covered=covered), bool(prices)


class _Advance:
    """Plays a roll on from its steps so far, and writes the new ones and what they came to as events."""

    def __init__(self, ledger: Ledger, basis: Basis, ask: Ask, hand: TableHand, *, fresh: bool, paid: bool) -> None:
        self.ledger = ledger
        self.roll = basis.roll
        self.kind = basis.kind
        self.ask = ask
        self._basis = basis
        self._hand = hand
        self._state = basis.state
        self._fresh = fresh
        self._paid = paid
        """Whether something was paid since the last throw."""
        self._known = dict(basis.roll.ask or {})

    def write(self, first: bool, ticket: TicketDice | None) -> None:
        """Play, and write all that follows; ``first`` if no die was thrown before."""
        ledger, roll, ask, before = self.ledger, self.roll, self.ask, len(self.roll.steps)
        played = play(self.kind.rule(ask), self._hand)
        if not first and len(played.steps) == before and isinstance(played.node, Throw):
            raise Malformed("No die was thrown.")
        explained = explain(played)
        dice = [dice for _, dice in explained.throws[len(explained.throws) - len(self._hand.thrown) :]]
        self._write_steps(played.steps, zip(dice, self._hand.thrown, strict=True))
        ledger.audience = audience = outcome_audience(self._state, roll)
        if first and audience:
            _say_covered(ledger, roll, ticket)
        if roll.over and not isinstance(played.node, Outcome):
            return
        hidden = [dice_told(shown) for shown in dice] if roll.hidden else []
        basis = ledger.basis(roll)
        ledger.add(told(basis, ask, played, notes=explained.notes, dice=hidden, audience=audience))
        if is_partly_known(self._state, roll):
            _tell_part(ledger, roll)
        new = list(_new_effects(played, before, first))
        thrown = ledger.state.world.rolls[roll.id]
        full = full_play(self.kind, thrown, ask) if thrown.picked else None
        true = list(_new_effects(full, before, first)) if full else new
        if seen := [effect for effect in new if effect in true]:
            write_effects(ledger, roll, ask, seen)
        if secret := [effect for effect in true if effect not in new]:
            # What follows from names that only GMs know; all others learn only that a threat grows (RW-9).
            if any(effect.what == "threat" for effect in secret):
                ledger.add(e.Noted(text="A threat grows.", rule=secret[0].rule, card=roll.id, audience=audience))
            ledger.audience = GM
            participants = ledger.basis(roll).participants
            ledger.do(ruleset_of(ledger.game).table_rules.apply(roll.kind, ask, secret, participants))
            ledger.audience = audience

    def _write_steps(self, steps: Iterable[Step], thrown: Iterator[tuple[tuple[Die, ...], NewThrow]]) -> None:
        """Write the new ones of a roll's steps in order; an answer is paid for when it is given."""
        for place, step in enumerate(steps):
            is_new = place >= len(self.roll.steps)
            if isinstance(step, ChoiceStep):
                self._paid = self._paid or step.option.cost > 0
                if is_new:
                    self._answer(step)
                continue
            if is_new:
                self._throw(step, *next(thrown))
            self._paid = False

    def _new(self, values: dict[str, Any]) -> dict[str, Any]:
        """The inputs among these that were not known before."""
        new = {name: value for name, value in values.items() if value != self._known.get(name)}
        self._known |= new
        return new

    def _throw(self, step: ThrowStep, dice: tuple[Die, ...], thrown: NewThrow) -> None:
        roll, pool, rules = self.roll, step.throw.pool, ruleset_of(self._state.game).table_rules
        audience = throw_audience(self._now)
        title, told = (
            (step.throw.title, dice_told(dice)) if not roll.hidden else self._told_openly(step, dice, audience)
        )
        self.ledger.add(
            e.Thrown(
                roll=roll.id,
                dice=told,
                title=title,
                by=id_in_role(roll, step.throw.by),
                value=None if roll.hidden else rules.luck(roll.kind, step.value),
                fresh=self._fresh,
                paid=self._paid,
                laid=list[e.DieLaid](laid(step, dice, self.kind.opposed)),
                held=self._new({name: list(getattr(self.ask, name)) for name in decks_of(type(self.ask))}),
                audience=audience,
                **thrown.stored(step),
            )
        )
        self._fresh = False
        if any(each.cards for each in pool):
            deal(self.ledger, step)

    @property
    def _now(self) -> Basis:
        """The roll after the events so far; what is known of one without hidden inputs does not change with them."""
        return Basis(self._state, self.ledger.state.world.rolls[self.roll.id]) if self.roll.hidden else self._basis

    def _told_openly(self, step: ThrowStep, dice: tuple[Die, ...], audience: str) -> tuple[str, list[e.DieTold]]:
        """The title and the dice of a throw without anything that rests on a hidden input."""
        if audience == GM:
            return step.throw.title, dice_told(dice, hidden=True)
        now = self._now
        known = known_after(now, [*now.roll.part.steps, throw_data(step.faces)])
        alike = known.dice and len(known.dice[-1]) == len(dice)
        return known.titles[-1] if known.titles else "", dice_told(known.dice[-1] if alike else dice, hidden=True)

    def _answer(self, step: ChoiceStep) -> None:
        now = self._now
        audience = outcome_audience(now.state, now.roll)
        if is_partly_known(now.state, now.roll):
            # Those who see the dice may know of an answer that could be given whatever is hidden.
            node = known_of(now).node
            known = node.instead if isinstance(node, Throw) else node
            given = isinstance(known, Choice) and known.name == step.choice.name and step.answer.option in known.options
            audience = dice_audience(now.state, now.roll) if given else GM
        self.ledger.audience = audience
        live = {name: value for name, value in freeze(self.ask).items() if self.ask.inputs[name].live}
        said = {"choice": step.choice.name, "answer": str(step.answer)}
        said |= {"label": step.option.label, "told": step.option.told}
        self.ledger.add(e.Answered(roll=self.roll.id, **said, held=self._new(live), audience=audience))
        effects = step.option.effects
        waits = [effect for effect in effects if not effect.cost] if audience else []
        if paid := [effect for effect in effects if effect not in waits]:
            _pay(self.ledger, self.roll, self.ask, paid)
        if waits:
            write_effects(self.ledger, self.roll, self.ask, waits)
