"""Offers of sheets to rolls: which items may be put in, by whom, into which input and at what price, declared once.

Offers are shown in this order; what several helpers may put in stands together for each of them::

    FEAT = (
        SheetOffer("gear", "d6", "{dice}", die=Dice(6)),
        SheetOffer("weather", "difficulty", "{hardship}", by="roller or scene", of="scene", label="{name} (weather)"),
        SheetOffer("stats", "help", by="helper", label="{giver}'s {name}", most="{now}", slot="help of {id}"),
    )
    TABLE_RULES = TableRules(character=(GEAR, STATS), scene=(WEATHER,), offers=offers_from({"feat": FEAT}))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias, cast

from astragal.dice.dice import Dice
from astragal.rule.inputs.total import signed
from astragal.rule.sheets.sheet import Item
from astragal.rule.sheets.table_rules import ROLES, Holder, Offer, Participants
from astragal.rule.texts import NO_WORDS, Wording, form_of
from astragal.rule.tree.effect import Role

GIVES, DICE, ADDS = map(Offer._fields.index, ("gives", "dice", "adds"))
SAID = ("group", "label", "adds", "does", "told")
"""The parts of an offer that people read."""


class Thing(NamedTuple):
    """An item that may be put into a roll, whose it is, and who may put it in."""

    name: str
    item: Item
    holder: Holder
    giver: Holder
    participants: Participants
    places: Mapping[str, Any]
    """What texts may have in their places: fields of the item and its ``name``, ``title`` and ``rule`` of its section,
    name and ``id`` of its ``holder``, name of the ``giver``, their id as ``by`` and their ``role``. ``{who}`` is left
    to the table: it is the one who pays."""


Fill: TypeAlias = Callable[[Thing], Any]


class SheetOffer:
    """The offer of every item of a section: an ``Offer``, written once for all of them.

    ``parts`` are those of an ``Offer``: values, texts with places, or functions of the ``Thing``. A text that is but
    one place is the value in it, 0 if the item lacks it. An item that gives None is not offered.

    ``by`` is the role of those who may put it in: "roller or table" is the first of these that there is, "helper" is
    each helper, "roller and helper" all of these. The section is on their own sheet, or ``of`` another role. With
    ``names`` only these items are offered, also if the sheet lacks them. ``mark`` tells the ids of an item apart if it
    is offered in several ways. As many of ``die`` as it gives are added to the tray. ``each`` makes other offers of the
    one of an item.
    """

    def __init__(
        self, section: str, into: str, gives: Any = 1, *, by: Role = "roller", of: Role = "", mark: str = "",
        names: tuple[str, ...] = (), die: Dice | Callable[[Thing], Dice] | None = None,
        each: Callable[[Offer, Thing], Iterable[Offer]] = lambda offer, thing: (offer,), **parts: Any,
    ) -> None:  # fmt: skip
        self.section, self.by, self.of, self.names, self.die, self.each = section, by, of, names, die, each
        usual = {"id": f"{{id}}/{section}/{{name}}{mark}", "group": "{title}", "label": "{name}", "rule": "{rule}"}
        self._offer = Offer(by="{by}", input=into, gives=gives, **{**usual, **parts})
        self._find_fills()

    def _find_fills(self) -> None:
        self._fills = [(place, fill) for place, part in enumerate(self._offer) if (fill := _fill(part))]

    def worded(self, texts: Wording) -> SheetOffer:
        """The same with the texts for parts and causes that are the names of some."""

        def said(part: Any) -> Any:
            return texts.get(part, part) if isinstance(part, str) else part

        found = copy(self)
        price = self._offer.price
        if not callable(price):
            price = tuple([effect._replace(cause=said(effect.cause)) for effect in price])
        parts = {name: said(getattr(self._offer, name)) for name in SAID}
        found._offer = self._offer._replace(price=price, **parts)
        found._find_fills()
        return found

    def offers(self, giver: Holder, role: Role, participants: Participants) -> Iterator[Offer]:
        """The offers of a holder in this role."""
        for whose, holder in _in_role(self.of, participants) if self.of else [(role, giver)]:
            section, items = participants.section(whose, self.section), holder.items(self.section)
            known = {"holder": holder.name, "id": holder.id, "giver": giver.name, "by": giver.id}
            known |= {"role": role, "who": "{who}"}
            known |= {"title": section.title, "rule": section.rule} if section else {}
            for name in self.names or items:
                item = items.get(name, {})
                thing = Thing(name, item, holder, giver, participants, {**item, **known, "name": name})
                parts = list[Any](self._offer)
                for place, fill in self._fills:
                    parts[place] = fill(thing)
                if self.die and parts[GIVES] is not None:
                    die = self.die if isinstance(self.die, Dice) else self.die(thing)
                    parts[DICE], parts[ADDS] = on_tray(die, parts[GIVES]).values()
                if parts[GIVES] is not None:
                    yield from self.each(Offer._make(parts), thing)


def offers_from(
    declared: Mapping[str, Iterable[SheetOffer]], texts: Wording = NO_WORDS
) -> Callable[[str, Participants], Iterator[Offer]]:
    """The offers for each kind of roll, as table rules take them; what they say may be the name of one of the texts."""

    @cache
    def blocks_of(kind: str) -> list[tuple[Role, list[SheetOffer]]]:
        every = [offer.worded(texts) for offer in declared.get(kind, ())]
        return [(by, [*block]) for by, block in groupby(every, attrgetter("by"))]

    def offers(kind: str, participants: Participants) -> Iterator[Offer]:
        for by, block in blocks_of(kind):
            for role, giver in _in_role(by, participants):
                for offer in block:
                    yield from offer.offers(giver, role, participants)

    return offers


def _in_role(roles: Role, participants: Participants) -> list[tuple[Role, Holder]]:
    if roles in ROLES:
        holder = participants.holder(roles)
        return [(roles, holder)] if holder else []
    if " and " in roles:
        return [found for role in roles.split(" and ") for found in _in_role(role, participants)]
    if " or " in roles:
        return next(filter(None, (_in_role(role, participants) for role in roles.split(" or "))), [])
    helpers = participants.their_helpers if roles == "their helper" else participants.helpers
    return [(f"{roles} {place}", helper) for place, helper in enumerate(helpers, 1)]


def _fill(part: Any) -> Fill | None:
    """What makes the part of an item's offer; nothing if it is the same for all, or has an empty place for a value."""
    if callable(part):
        return cast("Fill", part)
    if isinstance(part, tuple):
        inner, make = [(each, _fill(each)) for each in part], getattr(part, "_make", tuple)
        varies = any(fill for _, fill in inner)
        return (lambda thing: make([fill(thing) if fill else each for each, fill in inner])) if varies else None
    if not isinstance(part, str) or "{" not in part or "{}" in part:
        return None
    if part[1:-1].isidentifier():
        return lambda thing: thing.places.get(part[1:-1], 0)
    form = form_of(part)
    return lambda thing: form(**thing.places)


@lru_cache(maxsize=1000)
def on_tray(die: Dice, n: int) -> Mapping[str, Any]:
    """The parts of an offer of n dice: what it adds to the tray, or in words how many fewer."""
    return {"dice": (die._replace(n=n),) if n > 0 else (), "adds": f"{signed(n)} dice" if n < 0 else ""}
