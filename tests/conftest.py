"""While effects replace ``writes`` and ``pays``, both are asked at every roll of every test, and must agree."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from astragal.games.narraject.attempt import BOUGHT
from astragal.games.registry import BUILT_IN
from astragal.rule.table_rules import Offer, TableRules, nothing


def both(rules: TableRules) -> TableRules:
    """The old account, compared with the new one."""

    def writes(kind: str, participants: Any, ask: Any, outcome: Any) -> list[Any]:
        old = list(rules.writes(kind, participants, ask, outcome))
        ended = [effect for effect in outcome.effects if effect.when == "end"]
        assert list(rules.apply(kind, ask, ended, participants)) == old
        return old

    def offers(kind: str, participants: Any) -> Iterator[Offer]:
        for offer in rules.offers(kind, participants):
            assert tuple(rules.apply(kind, None, offer.costs, participants)) == offer.price
            yield offer

    def pays(kind: str, participants: Any, choice: str, option: str) -> list[Any]:
        old = list(rules.pays(kind, participants, choice, option))
        assert list(rules.apply(kind, None, BOUGHT.get(option, ()), participants)) == old
        return old

    return rules._replace(writes=writes, offers=offers, pays=nothing if rules.pays is nothing else pays)


for name in BUILT_IN:
    module = import_module(f"astragal.games.{name}.table")
    module.TABLE_RULES = both(module.TABLE_RULES)  # type: ignore[attr-defined]
