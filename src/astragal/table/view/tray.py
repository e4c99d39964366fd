"""The tray: what is being gathered for a roll, with its dice, as everybody sees it who sees the roll."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from msgspec import UNSET

from astragal.dice.dice import Dice, Pool
from astragal.errors import Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Summed
from astragal.rule.inputs.total import counted, sources_of
from astragal.rule.sheets.table_rules import Offer
from astragal.rule.tree.node import Throw
from astragal.rule.tree.play import Hand, play
from astragal.table.rolls.basis import kind_of
from astragal.table.rolls.ready import SIDES, dice_of
from astragal.table.state import Roll, State
from astragal.table.view.roll_model import DiceView, PriceView, Side, SideView, TrayView


def tray_view(state: State, roll: Roll, ask: Ask, offers: Mapping[str, Offer], hidden: Sequence[str] = ()) -> TrayView:
    """What the ask brings to the table, by sides; ``offers`` are those that the seat may see."""
    kind = kind_of(state, roll)
    pools = dice_of(kind, ask)
    sides = SIDES if kind.opposed else ("",)
    dice = [die for side, pool in zip(sides, pools, strict=False) for die in dice_views(pool, cast("Side", side))]
    shown = [
        _side(state, roll, cast("Side", side), pool, offers=offers, hidden=hidden)
        for side, pool in zip(sides, pools, strict=False)
    ]
    words = kind.pool(ask) if kind.pool else _in_words(kind, pools)
    questions = list(kind.questions(ask)) if kind.questions else []
    return TrayView(words, dice, shown, bool(kind.opposed) and _thrown_apart(kind, ask), questions)


def _thrown_apart(kind: Kind, ask: Ask) -> bool:
    node = play(kind.rule(ask), Hand()).node
    return isinstance(node, Throw) and len(node.pool) < len(SIDES)


def dice_views(pool: Pool, side: Side = "") -> list[DiceView]:
    """Dice as they are shown; those with another name than the first ones are special."""
    return [
        DiceView(
            dice.title,
            dice.sides,
            int(dice.n),
            dice.role or ("special" if dice.name != pool[0].name else "plain"),
            side,
            sorted(dice.again),
            sorted(dice.retry),
            list(dice.labels) or UNSET,
            list(dice.cards.left) if dice.cards else UNSET,
        )
        for dice in pool
        if dice.n
    ]


def pool_words(pool: Pool) -> str:
    """``4d6 + d10``, ``2 cards``; dice with words on their faces go by their name: ``4 lamp + 2 oil``."""
    return " + ".join(_some_words(dice) for dice in pool if dice.n) or "no dice"


def _some_words(dice: Dice) -> str:
    if dice.cards:
        return counted(dice.n, "card")
    if dice.labels:
        return f"{dice.n} {dice.title}"
    return f"{dice.n if dice.n > 1 else ''}d{dice.sides}"


def _in_words(kind: Kind, pools: Sequence[Pool]) -> str:
    if kind.opposed:
        return " against ".join(str(sum(dice.n for dice in pool)) for pool in pools)
    return pool_words(tuple(dice for pool in pools for dice in pool))


def side_of(kind: Kind, offer: Offer) -> Side:
    """The side of an opposed roll that an offer is for."""
    if not kind.opposed:
        return ""
    input = kind.ask.inputs.get(offer.input)
    return "theirs" if input is not None and input.whose == "target" else "ours"


def _side(
    state: State, roll: Roll, side: Side, pool: Pool, *, offers: Mapping[str, Offer], hidden: Sequence[str]
) -> SideView:
    kind = kind_of(state, roll)
    by = roll.against if side == "theirs" else roll.who or roll.by
    holder, member = state.world.holders.get(by), state.members.get(by)
    nameless = roll.against_name if side == "theirs" else roll.name
    name = nameless or (member.name if member else holder.name if holder else "")
    used = [(offers[id], n) for id, n in roll.use.items() if id in offers and side_of(kind, offers[id]) == side]
    named = [] if kind.questions else [_source(kind, offer, n) for offer, n in used]  # questions stand apart
    return SideView(
        side,
        by,
        name,
        pool_words(pool),
        [*_typed(kind, roll, side, hidden), *named],
        _paid(state, used),
    )


def _typed(kind: Kind, roll: Roll, side: Side, hidden: Sequence[str]) -> Iterator[str]:
    """What was typed as named sources or as a number of dice."""
    for name, written in roll.inputs.items():
        input = kind.ask.inputs.get(name)
        theirs = bool(kind.opposed) and input is not None and input.whose == "target"
        if not isinstance(input, Summed) or name in hidden or theirs != (side == "theirs"):
            continue
        try:
            sources = sources_of(input.part(written) or 0)
        except Refusal:
            continue
        yield from (f"{source.label or input.called} {source.n}" for source in sources)


def _source(kind: Kind, offer: Offer, n: int) -> str:
    """``Might 2``, ``Agility +3``, ``Roofs of the old town (Edge)``; what sets a value says it in its own label."""
    if offer.adds:
        return f"{offer.label} {offer.adds}" if offer.adds[0] in "+−" else f"{offer.label} ({offer.adds})"
    adds_up = type(offer.gives) is int and isinstance(kind.ask._input(offer.input), Summed)
    return f"{offer.label} {offer.gives * n}" if adds_up else offer.label


def _paid(state: State, used: Iterable[tuple[Offer, int]]) -> list[PriceView]:
    owed: dict[tuple[str, str], int] = {}
    for offer, n in used:
        giver = state.world.holders.get(offer.by)
        for change in offer.changes:
            holder = state.world.holders.get(change.holder)
            own = giver is None or change.holder in (giver.id, giver.owner)
            place = change.item, "" if own or holder is None else holder.name
            owed[place] = owed.get(place, 0) + (change.by or 0) * n
    return [PriceView(item, by, whose) for (item, whose), by in owed.items() if by]


def price_words(price: Iterable[PriceView]) -> str:
    """``1 Will, 2 Might``."""
    return ", ".join(f"{abs(paid.by)} {paid.item}" for paid in price)


def what_is_missing(kind: Kind, roll: Roll, refusal: Refusal) -> str:
    """What a roll still lacks, said kindly: an input that has to be chosen, or anything at all."""
    if refusal.wants in kind.ask.inputs:
        return kind.ask.inputs[refusal.wants].asks or refusal.sentence
    lacking = [input for name, input in kind.ask.inputs.items() if input.required and name not in roll.inputs]
    others = [input for input in lacking if input.name != kind.target]
    if not roll.use and not {*roll.inputs} - {kind.target} and (others or not lacking):
        return kind.empty
    return lacking[0].asks or refusal.sentence if lacking else refusal.sentence
