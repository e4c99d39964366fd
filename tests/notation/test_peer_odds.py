"""Random expressions that other tools know, asked of them: icepool, dyce, and d20 with every random number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, given, settings

from astragal.notation.expression import Expression
from astragal.notation.parser import parse
from astragal.notation.solve import expression_odds
from astragal.questions.calls import solve_call
from tests.notation.d20_text import d20_text
from tests.notation.expressions import shared
from tests.notation.notation_referee import TooMany
from tests.notation.peer_dyce import odds_by_dyce
from tests.notation.peers import Unsaid, odds_by_d20, odds_by_icepool
from tests.share import share

EXAMPLES = share(2000, 120)
FEW = 70
"""Throws that d20 is asked for, which takes long."""
PEERS: dict[str, Callable[[Any], dict[Any, Fraction]]] = {
    "icepool": odds_by_icepool,
    "dyce": odds_by_dyce,
    "d20": lambda expression: odds_by_d20(d20_text(expression), FEW),
}


def test_icepool_dyce_and_d20_say_the_same() -> None:
    asked: Counter[str] = Counter()

    @settings(deadline=None, max_examples=EXAMPLES, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(shared())
    def same(expression: Expression) -> None:
        ours = {value: chance for value, chance in expression_odds(expression, solve_call).items() if chance}
        assert parse(str(expression)) == expression
        for name, peer in PEERS.items():
            try:
                theirs = peer(expression)
            except (Unsaid, TooMany):
                continue
            asked[name] += 1
            assert theirs == ours, name

    same()
    assert asked["icepool"] > EXAMPLES / 2
    assert asked["dyce"] > EXAMPLES / 3
    assert asked["d20"] > EXAMPLES / 8
