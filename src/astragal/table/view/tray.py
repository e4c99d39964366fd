"""The tray: what is being gathered for a roll, with its dice, as a seat sees it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import UNSET
from msgspec.structs import astuple, replace

from astragal.dice.dice import Cards, Dice, Pool
from astragal.errors import Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Summed
from astragal.rule.inputs.total import counted, sources_of
from astragal.rule.sheets.table_rules import Change, Offer
from astragal.rule.tree.node import Throw
from astragal.rule.tree.play import Hand, play
from astragal.rule.tree.result import field
from astragal.table.access import GM, dice_audience, id_in_role, may_see, owner_of, verdict_for_target
from astragal.table.kept import Slots, kept_in_wave, read_line, usable
from astragal.table.rolls.basis import Basis
from astragal.table.rolls.hand import slots_after, whose_dice
from astragal.table.rolls.playback import played_of
from astragal.table.rolls.ready import SIDES, dice_of
from astragal.table.state import HolderState, Member, Roll
from astragal.table.view.roll_model import DiceView, KeptView, PriceView, Side, SideView, TrayView


class Sight:
    """A roll before one seat, or before everybody."""

    def __init__(self, basis: Basis, member: Member | None) -> None:
        self.basis, self.state, self.roll, self.member = basis, basis.state, basis.roll, member
        self.is_gm = member is not None and member.role == GM
        self.takes_part = self.is_gm or (member is not None and owner_of(self.state, self.roll) == member.id)
        """Whether it is a GM's seat, or that of whose roll it is."""

    @field
    def for_target(self) -> bool:
        """True if the verdict is for the target's side."""
        return verdict_for_target(self.state, self.roll)

    @field
    def is_across(self) -> bool:
        """True if a member plays only the side that the verdict does not speak for."""
        member, holders = self.member, self.state.world.holders
        spoken, other = holders.get(self.roll.who), holders.get(self.roll.against)
        if self.for_target:
            spoken, other = other, spoken
        if member is None or member.role != "player" or other is None or other.owner != member.id:
            return False
        return spoken is None or spoken.owner != member.id

    def price(self, giver: HolderState | None, change: Change) -> PriceView:
        """The cost or gain of a change; a holder besides the giver is named."""
        holder = self.state.world.holders.get(change.holder)
        own = giver is None or change.holder in (giver.id, giver.owner)
        return PriceView(change.item, change.by or 0, holder.name if holder and not own else "")


def tray_view(
    sight: Sight, ask: Ask, against: str, offers: Mapping[str, Offer], hidden: Container[str] = ()
) -> TrayView:
    """The dice and sources of the ask, by sides; ``offers`` and ``against`` are as the seat sees them."""
    kind = sight.basis.kind
    names: tuple[Side, ...] = SIDES if kind.opposed else ("",)
    pools = dice_of(kind, ask)
    sides = list(zip(names, pools, strict=False))
    if kind.pool:
        words = kind.pool(ask)
    elif kind.opposed:
        words = " against ".join(str(sum(dice.n for dice in pool)) for pool in pools)
    else:
        words = pool_words(tuple(dice for pool in pools for dice in pool))
    first = play(kind.rule(ask), Hand()).node if kind.opposed else None
    return TrayView(
        words,
        [die for side, pool in sides for die in dice_views(pool, side)],
        [_side(sight, side, pool, against, offers=offers, hidden=hidden) for side, pool in sides],
        isinstance(first, Throw) and len(first.pool) < len(SIDES),
        list(kind.questions(ask)) if kind.questions else [],
    )


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


def side_of(kind: Kind, offer: Offer) -> Side:
    """The side of an opposed roll that an offer is for."""
    if not kind.opposed:
        return ""
    input = kind.ask.inputs.get(offer.input)
    return "theirs" if input is not None and input.whose == "target" else "ours"


def _side(
    sight: Sight, side: Side, pool: Pool, against: str, *, offers: Mapping[str, Offer], hidden: Container[str]
) -> SideView:
    state, roll, kind = sight.state, sight.roll, sight.basis.kind
    by = against if side == "theirs" else roll.who or roll.by
    holder, member = state.world.holders.get(by), state.members.get(by)
    nameless = roll.against_name if side == "theirs" else roll.name
    name = nameless or (member.name if member else holder.name if holder else "")
    used = [(offers[id], n) for id, n in roll.use.items() if id in offers and side_of(kind, offers[id]) == side]
    named = [] if kind.questions else [_source(kind, offer, n) for offer, n in used]  # questions stand apart
    owed: dict[tuple[str, str], int] = {}
    for offer, n in used:
        for change in offer.changes:
            item, by_one, whose = astuple(sight.price(state.world.holders.get(offer.by), change))
            owed[item, whose] = owed.get((item, whose), 0) + by_one * n
    price = [PriceView(item, paid, whose) for (item, whose), paid in owed.items() if paid]
    return SideView(side, by, name, pool_words(pool), [*_typed(kind, roll, side, hidden), *named], price)


def _typed(kind: Kind, roll: Roll, side: Side, hidden: Container[str]) -> Iterator[str]:
    """The typed sources, and typed numbers of dice."""
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


def price_words(price: Iterable[PriceView]) -> str:
    """``1 Will, 2 Might``."""
    return ", ".join(f"{abs(paid.by)} {paid.item}" for paid in price)


def what_is_missing(kind: Kind, roll: Roll, refusal: Refusal) -> str:
    """A kind sentence about what a roll still lacks: an input that has to be chosen, or anything at all."""
    if refusal.wants in kind.ask.inputs:
        return kind.ask.inputs[refusal.wants].asks or refusal.sentence
    lacking = [input for name, input in kind.ask.inputs.items() if input.required and name not in roll.inputs]
    others = [input for input in lacking if input.name != kind.target]
    if not roll.use and not {*roll.inputs} - {kind.target} and (others or not lacking):
        return kind.empty
    return lacking[0].asks or refusal.sentence if lacking else refusal.sentence


# Kept dice as a seat sees them: all of a reopened roll, and those that come up again in the next throw (T-1).


def kept_view(roll: Roll, member: Member | None) -> list[KeptView]:
    """The kept dice of a roll that this seat saw when they fell."""
    found = []
    for line, dice in roll.undone.dice.items():
        seen = [die for _, die in sorted(dice.items()) if may_see(member, die.audience)]
        if seen:
            whose, sides, name, throw, wave = read_line(line)
            typed = [place for place, die in enumerate(seen) if die.typed_by]
            found.append(KeptView(whose, name, sides, [die.face for die in seen], throw, wave, typed))
    return found


def tray_with_kept(sight: Sight, tray: TrayView) -> TrayView:
    """The tray of a reopened roll, with the faces that its dice will show."""
    # Where each side throws its own dice, those of the other side are another throw.
    sides = {some.side for some in tray.dice} if tray.apart else {None}
    found = list(tray.dice)
    for side in sides:
        own = [n for n, some in enumerate(found) if side is None or some.side == side]
        role = "target" if side == "theirs" else "roller"
        pool = [
            Dice(some.sides, some.n, some.name, cards=None if some.left is UNSET else Cards(tuple(some.left)))
            for some in (found[n] for n in own)
        ]
        slots = Slots().of(id_in_role(sight.roll, role) or role, tuple(pool))
        named = zip([found[n] for n in own], pool, slots, strict=True)
        for n, shown in zip(own, _shown(sight, named), strict=True):
            found[n] = shown
    return replace(tray, dice=found)


def next_dice(sight: Sight, throw: Throw[Any, Any]) -> list[DiceView]:
    """The dice of a roll's next throw; kept ones with the faces that they will show."""
    dice, roll = dice_views(throw.pool), sight.roll
    if not roll.undone.dice:
        return dice
    try:
        steps = played_of(sight.basis).steps if roll.ask is not None else ()
    except Refusal:  # it no longer fits the rules, and cannot continue
        return dice
    whose = partial(whose_dice, roll)
    slots = slots_after(steps, whose).of(whose(throw), throw.pool)
    thrown = [(some, slot) for some, slot in zip(throw.pool, slots, strict=True) if some.n]
    return _shown(sight, [(view, *each) for view, each in zip(dice, thrown, strict=True)])


def _shown(sight: Sight, dice: Iterable[tuple[DiceView, Dice, str]]) -> list[DiceView]:
    """The dice, each with its slot, with their kept faces by wave and root, as far as this seat saw them fall."""
    kept = usable(sight.roll.undone.dice, dice_audience(sight.state, sight.roll))
    found = []
    for shown, some, slot in dice:
        waves: list[dict[int, int]] = []
        while line := kept.get(f"{slot}/{len(waves)}"):
            seen = {root: die for root, die in line.items() if may_see(sight.member, die.audience)}
            waves.append({root: die.face for root, die in kept_in_wave(some, sorted(seen), seen).items()})
        found.append(replace(shown, kept=waves) if any(waves) else shown)
    return found
