"""Moves: what a game allows besides rolling. A move may throw dice; it is one entry of the log, dice and all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from astragal.dice.dice import refuse_short
from astragal.errors import Forbidden, Illegal, Malformed, Unknown
from astragal.explain.report import explain
from astragal.rule.inputs.word import Words
from astragal.rule.sheets.table_rules import Change, Move, parts_of
from astragal.rule.tree.node import Throw
from astragal.rule.tree.note import Note
from astragal.rule.tree.play import MAX_STEPS, Played, ThrowStep, play
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    EVERYBODY,
    GM,
    both,
    find_holder,
    holder_audience,
    owns,
    refuse_player,
    viewers_of,
)
from astragal.table.decide.deal import deal, refuse_draws_ahead
from astragal.table.decide.ledger import GAME_ERROR, Context, Ledger, in_words
from astragal.table.decide.roll import refuse_typing
from astragal.table.kept import usable
from astragal.table.rolls.basis import participants_of, seen_participants
from astragal.table.rolls.hand import KeptDice, TableHand, dice_told
from astragal.table.state import HolderState


def find_move(context: Context, name: str) -> Move:
    """A move of the table's game by name, or a refusal that names them all."""
    moves = {move.name: move for move in context.ruleset.table_rules.moves}
    if name not in moves:
        title = context.ruleset.game.title
        raise Unknown(f'{title} has no move "{name[:40]}"; there are {", ".join(moves) or "none"}.')
    return moves[name]


def move(context: Context, action: a.MoveAction) -> Ledger:
    """Make one of the game's moves, for a character or for the table; a GM may make it unseen."""
    found = find_move(context, action.name)
    _refuse_seat(context, action, found)
    who = find_holder(context.state, context.member, action.who) if action.who else None
    against = find_holder(context.state, context.member, action.against) if action.against else None
    _refuse_sides(context, found, who, against)
    for roll in context.state.world.rolls.values() if found.settled and who else ():
        if roll.ask is not None and not roll.over and who and who.id in (roll.who, roll.against):
            raise Illegal(f"A roll of {who.name}'s is not settled yet; settle it first.", found.rule)
    participants = participants_of(
        context.state, who.id if who else "", against.id if against else "", by=context.member.id
    )
    seen = seen_participants(context.state, participants, viewers_of(context.member))
    everybody = tuple(kept for kept in context.state.world.holders.values() if kept.kind == "character")
    audiences = [holder_audience(kept) for kept in (who, against) if kept] + [GM] * (action.seen == "gm")
    ledger = context.ledger(reduce(both, audiences, EVERYBODY), context.member)
    if action.seen == "gm":
        # The result may be visible. This note comes first, so that its cause stays hidden.
        ledger.add(e.Noted(text=f"{found.title}, where only GMs see it.", rule=found.rule, audience=GM))
        ledger.only_hidden = True
    parts = found.does(found.ask.read(action.inputs), seen._replace(characters=everybody))
    _make(_Making(context, action, found, ledger, who), parts)
    _tell(ledger, found, action)
    if ledger.delayed:
        ledger.add(_delayed(context, ledger, found))
    return ledger


def _delayed(context: Context, ledger: Ledger, found: Move) -> e.Event:
    """The event with the changes that wait until a GM reveals the move, and the sentences for then."""
    holders = context.state.world.holders
    return e.MoveDelayed(
        move=context.id,
        title=found.title,
        told=[(event.text, event.rule) for event in ledger.events[1:] if isinstance(event, e.Noted)],
        changes=[(*change[:6], change.cause, change.rule) for change in ledger.delayed],
        said=[in_words(holders[change.holder], change) for change in ledger.delayed],
        audience=GM,
    )


def _tell(ledger: Ledger, found: Move, action: a.MoveAction) -> None:
    """Tell the words that came with a move, in the log and in the story (T-9)."""
    for name, input in found.ask.inputs.items():
        said = action.inputs.get(name)
        if isinstance(input, Words) and input.told and isinstance(said, str) and said.strip():
            text = input.told.replace("{}", said.strip())
            ledger.add(e.Noted(text=text, said=True, audience=ledger.audience))


def _refuse_seat(context: Context, action: a.MoveAction, found: Move) -> None:
    if found.by == "gm":
        refuse_player(context.member, f"do this ({found.title})")
    if action.seen == "gm":
        refuse_player(context.member, "make a move that only GMs see")
    if action.fresh:
        refuse_player(context.member, "throw fresh dice after an undo")


def _refuse_sides(context: Context, found: Move, who: HolderState | None, against: HolderState | None) -> None:
    for kept in filter(None, (who, against)):
        if kept.kind != "character":
            raise Illegal(f"{found.title}: {kept.name or 'the ' + kept.kind} is no character; name one.", found.rule)
    if not owns(context.member, who):
        raise Forbidden(f"{found.title}: name a character of your own with who.")
    if found.against and not found.nameless and against is None:
        raise Illegal(f"{found.title} needs another character; name one with against.", found.rule)


class _Making:
    """A move that is being made."""

    def __init__(
        self, context: Context, action: a.MoveAction, found: Move, ledger: Ledger, who: HolderState | None
    ) -> None:
        self.context = context
        self.action = action
        self.move = found
        self.ledger = ledger
        self.by = who.id if who else context.member.id
        self.thrown = False

    def kept(self) -> KeptDice:
        """The dice of this move that were undone, which come up again (T-1)."""
        kept = self.context.state.world.kept_moves.get(f"{self.move.name}/{self.by}", {})
        dice = {} if self.action.fresh else usable(kept, self.ledger.audience)
        return KeptDice(lambda throw: self.by, dice)

    def has_decks(self) -> bool:
        """True if the table keeps cards, which a move may draw after its dice."""
        return any(section.look == "cards" for section in self.context.ruleset.table_rules.table)

    def hand(self) -> TableHand:
        """The hand that throws all dice of the move."""
        return TableHand(
            (), self.context.dice, self.kept(),
            faces=self.action.faces, by=self.context.member.id, throws=MAX_STEPS,
            openly=self.ledger.audience == EVERYBODY,
            ticket=self.context.ticket(self.ledger.audience, self.context.id, self.action.nonce),
        )  # fmt: skip


def _make(making: _Making, parts: Iterable[Any]) -> None:
    """Write what a move does. What comes before its dice is a price, refused if it cannot be paid.

    After them nothing is refused: otherwise a player could try again until the dice suit. What the sheets cannot
    take then becomes a note.
    """
    ledger, found = making.ledger, making.move
    if making.action.faces.strip():
        refuse_typing(making.context)
    for part in parts_of(parts):
        if isinstance(part, (Change, Note)):
            ledger.do((part,), strict=not making.thrown)
        elif making.thrown:
            raise Illegal(f"{found.title} has two trees of dice, and a move has one; this is {GAME_ERROR}.", found.rule)
        else:
            making.thrown = True
            _throw(making, part)
    if making.action.faces.strip() and not making.thrown:
        raise Illegal(f"{found.title} throws no dice, so that no faces can be typed for it.", found.rule)


def _throw(making: _Making, tree: Any) -> None:
    """Play the tree of a move to its end, and write its dice, its notes and its changes."""
    if not making.action.faces.strip() and making.has_decks():
        refuse_draws_ahead(tree, making.move.title, making.ledger.audience == EVERYBODY)
    hand = making.hand()
    played = play(tree, hand)
    if played.outcome is None:
        raise _unfinished(making, played)
    _write_throws(making, played, hand)
    ledger = making.ledger
    ledger.do(explain(played).notes)
    ledger.do(played.outcome.result)


def _unfinished(making: _Making, played: Played[Any]) -> Illegal | Malformed:
    if isinstance(played.node, Throw):
        refuse_short(played.node.pool)
        return Malformed(
            f"Too few faces: the {played.node.pool[0].title} is thrown next, and no face was typed for it."
        )
    title = making.move.title
    return Illegal(f"{title} asks somebody to choose, and a move cannot ask; this is {GAME_ERROR}.", making.move.rule)


def _write_throws(making: _Making, played: Played[Any], hand: TableHand) -> None:
    ledger = making.ledger
    steps = [step for step in played.steps if isinstance(step, ThrowStep)]
    told = [dice for _, dice in explain(played).throws]
    for place, (step, dice, thrown) in enumerate(zip(steps, told, hand.thrown, strict=True)):
        ledger.add(
            e.MoveThrown(
                move=making.move.name,
                title=step.throw.title if place and step.throw.title else making.move.title,
                dice=dice_told(dice),
                by=making.by,
                fresh=making.action.fresh and not place,
                audience=ledger.audience,
                **thrown.stored(step),
            )
        )
        deal(ledger, step)
