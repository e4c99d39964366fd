"""Decks at a table: what was drawn is taken out of what is left, and comes back when it is undone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from astragal.dice.dice import Cards, Dice, Pool, Wave
from astragal.dice.estimates import AHEAD_NODES, AHEAD_THROWS
from astragal.dice.solver.readings import different_throws
from astragal.errors import Illegal
from astragal.rule.chances.odds import UP_TO
from astragal.rule.chances.solve import reading_odds
from astragal.rule.sheets.deck import DRAWN, LEFT
from astragal.rule.sheets.table_rules import TABLE, Change
from astragal.rule.tree.node import Lazy, Node, Throw
from astragal.rule.tree.play import ThrowStep
from astragal.table import event as e
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.entry import Entry
from astragal.table.rolls.hand import refuse_draw
from astragal.table.ruleset import ruleset_of


def deal(ledger: Ledger, step: ThrowStep) -> None:
    """Take the cards of a throw out of the decks that the table keeps; shuffle first where the draw says so."""
    for dice, waves in zip(step.throw.pool, step.faces, strict=True):
        if dice.cards and dice.cards.deck:
            ledger.do(_drawn(ledger, dice, dice.cards, waves[0]))


def _drawn(ledger: Ledger, dice: Dice, cards: Cards, wave: Wave) -> Iterator[Change]:
    if cards.shuffled:
        yield Change(TABLE, cards.deck, "", cause="shuffled")
    for face in sorted(set(wave)):
        card, n = dice.label(face) or str(face), wave.count(face)
        section = ruleset_of(ledger.game).sections.get((TABLE, cards.deck))
        known = ledger.state.world.holders[TABLE].sheet.get(cards.deck, {})
        if card not in known and section and card in section.names:  # it came to the game after the table was founded
            yield Change(TABLE, cards.deck, card, to=section.start(card), cause=DRAWN)
        yield Change(TABLE, cards.deck, card, LEFT, by=-n, cause=DRAWN)


def refuse_draws_ahead(tree: Node[Any], title: str, openly: bool) -> None:
    """Refuse a move whose dice may lead to cards that cannot be drawn, before they are thrown.

    Afterwards it could only be taken back, and a player could try again until the dice suit.
    """
    for pool in _pools_ahead(tree):
        try:
            refuse_draw(pool, openly)
        except Illegal as refusal:
            raise Illegal(f"{title}: its dice may lead to cards that cannot be drawn. {refusal.sentence}") from None


def _pools_ahead(tree: Node[Any]) -> list[Pool]:
    """The pools that may follow the first throw of a tree, as far as little work finds them."""
    found: list[Pool] = []
    ahead = [tree]
    for _ in range(AHEAD_NODES):
        if not ahead:
            break
        node = ahead.pop()
        if isinstance(node, Lazy):
            ahead.append(node.node())
        elif isinstance(node, Throw):
            found.append(node.pool)
            ahead += _after(node)
    return found[1:]


def _after(throw: Throw[Any, Any]) -> list[Node[Any]]:
    """The nodes that may follow a throw; none if it has very many throws, or no odds."""
    if different_throws(throw.pool) > AHEAD_THROWS:
        return []
    try:
        return [throw.then(value) for value, weight in reading_odds(throw, UP_TO).weights.items() if weight]
    except Illegal:
        return []


# Undo takes an entry out of the middle of the log. Its drawn cards go back; but cards that were drawn since, after
# cards had been put back or shuffled, must have been there.


def refuse_short_after_undo(context: Context, struck: Iterable[Entry]) -> None:
    """Refuse to undo that cards were put back where some were drawn since."""
    struck = list(struck)
    ids, since = {entry.id for entry in struck}, struck[0].version
    put_back = {event.section for event in _dealt(context, struck) if not event.item or (event.by or 0) > 0}
    if not put_back:
        return
    later = [entry for entry in context.history(since) if entry.id not in ids | context.state.struck.keys()]
    for event in _dealt(context, later):
        if event.section in put_back and (event.by or 0) < 0:
            raise Illegal(f"Cards of {_title(context, event.section)} were drawn since; undo those draws first.")


def refuse_drawn_again(context: Context, restored: Iterable[Entry]) -> None:
    """Refuse to redo a draw whose cards another member has drawn since it was undone."""
    sheet = context.state.world.holders[TABLE].sheet
    left: dict[tuple[str, str], int] = {}
    shuffled: set[str] = set()
    for event in _dealt(context, restored):
        shuffled |= {event.section} if not event.item else set()
        place = event.section, event.item
        left.setdefault(place, sheet.get(event.section, {}).get(event.item, {}).get(LEFT, 0))
        left[place] += event.by or 0
        if left[place] < 0 and event.section not in shuffled:
            raise Illegal(f"{event.item} of {_title(context, event.section)} was drawn again since; undo that first.")


def _dealt(context: Context, entries: Iterable[Entry]) -> Iterator[e.Changed]:
    """Every change of a deck."""
    sections = context.ruleset.sections
    for entry in entries:
        for event in entry.events:
            if isinstance(event, e.Changed) and event.holder == TABLE:
                section = sections.get((TABLE, event.section))
                if section and section.look == "cards":
                    yield event


def _title(context: Context, deck: str) -> str:
    return context.ruleset.sections[TABLE, deck].title
