"""Names of offers: how people write what they put into a roll, as it stands on the sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar

from astragal.errors import Malformed, Unknown
from astragal.rule.sheets.table_rules import Offer

MOST_LISTED = 20
"""Names in a refusal; a sheet may have hundreds."""
_ASIDE = re.compile(r"\s*\([^()]*\)$")


class Named(Protocol):
    """A thing with a name in a roll: an offer, or an offer as a seat sees it."""

    @property
    def id(self) -> str: ...
    @property
    def group(self) -> str: ...
    @property
    def label(self) -> str: ...


N = TypeVar("N", bound=Named)


def find_offer(
    offers: Mapping[str, Offer],
    ref: str,
    own: Callable[[Offer], bool] = lambda offer: False,
    others: bool = True,
) -> Offer:
    """The offer with this name on the sheet, this label, or this "group: name", in upper or lower case.

    Where several have the name, those that are the asker's ``own`` go first; where they may not put in what is
    ``others``', also before what is others' by its very label.
    """
    if ref in offers:
        return offers[ref]
    found = _meant(list(offers.values()), ref)
    mine = [offer for offer in found if own(offer)]
    if not mine and not others:
        mine = _meant([offer for offer in offers.values() if own(offer)], ref)
    found = mine or found
    if len(found) == 1:
        return found[0]
    if found:
        ways = " or ".join(f'"{written_name(offer, offers.values())}"' for offer in found[:MOST_LISTED])
        raise Malformed(f'"{ref[:60]}" could be several things here: write {ways}.')
    labels = ", ".join(dict.fromkeys(_bare(offer.label) for offer in list(offers.values())[:MOST_LISTED]))
    raise Unknown(f'"{ref[:60]}" cannot be put into this roll; there are {labels or "no such things here"}.')


def _meant(offers: list[Offer], ref: str) -> list[Offer]:
    """The offers with this name; those whose whole label it is hide those that are called so only in part."""
    wanted = ref.strip().casefold()
    for names in (lambda offer: {offer.label}, _names):
        found = [offer for offer in offers if wanted in {name.casefold() for name in names(offer)}]
        if found:
            return found
    group, colon, name = wanted.rpartition(": ")
    inside = [offer for offer in offers if offer.group.casefold().startswith(group)]
    return _meant(inside, name) if colon else []


def _names(offer: Named) -> set[str]:
    """The names of an offer: the label, the label without an aside, the item's name."""
    item = offer.id.rpartition("/")[2].partition("!")[0]
    return {offer.label, _bare(offer.label), item}


def _bare(label: str) -> str:
    return _ASIDE.sub("", label)


def written_name(offer: N, offers: Iterable[N]) -> str:
    """The shortest name that means this offer and no other, to be written back; the id if there is none."""
    bare = _bare(offer.label)
    names = {id: {name.casefold() for name in _names(other)} for id, other in ((each.id, each) for each in offers)}
    twins = [other for other in offers if other.id != offer.id and bare.casefold() in names[other.id]]
    if not twins:
        return bare
    words = offer.group.split(" ")
    for n in range(1, len(words) + 1):
        start = " ".join(words[:n]).rstrip(":")
        if not any(other.group.casefold().startswith(start.casefold()) for other in twins):
            return f"{start}: {bare}"
    return offer.id
