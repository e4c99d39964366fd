"""Exact odds of a game's roll before a die is thrown."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from astragal.errors import Malformed, Refusal, Unknown
from astragal.questions import SolvedQuestion
from astragal.rule.chances.fact import NEVER, Policy, PolicyName, facts_of, wish_of, wishes_of
from astragal.rule.chances.odds import UP_TO, all_odds, odds
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Choice
from astragal.rule.tree.play import Rolled, play

NO_CHOICES = "This roll has no choices that a wish could guide; leave out policy and wish."
TRIED = 200
"""Throws in which a choice is looked for that the game does not declare."""


class Question(NamedTuple):
    """A roll before its dice, and the facts wanted about it; if none is named, all of them."""

    game: Game
    kind: Kind
    ask: Ask
    policy: Policy = NEVER
    facts: tuple[str, ...] = ()
    up_to: int = UP_TO


def solve(question: Question) -> SolvedQuestion:
    """The odds of every fact wanted, in the order asked for; unknown facts are refused."""
    _, kind, ask, policy, wanted, up_to = question
    if policy is not NEVER and not has_choices(kind, ask):
        raise Malformed(NO_CHOICES)
    if wanted and facts_of(kind):
        facts = {name: odds(ask, name, policy=policy, up_to=up_to) for name in wanted}
        return SolvedQuestion(kind.headline(ask), facts, question)
    found = all_odds(ask, policy, up_to)
    for name in wanted:
        if name not in found:
            raise Unknown(f'There is no fact "{name[:40]}" here; there are {", ".join(found) or "none"}.')
    return SolvedQuestion(kind.headline(ask), {name: found[name] for name in wanted or found}, question)


def policy_for(kind: Kind, name: PolicyName | None, wish: str | None, offers: bool = False) -> Policy:
    """The policy of this name for this wish. A wish alone means ``best``, a policy alone the roll's first wish.

    ``offers`` counts in what others may offer, and alone means ``best`` as well.
    """
    name = name or ("never" if wish is None and not offers else "best")
    if name == "never":
        if wish is not None:
            raise Malformed("A wish is given, and the policy is never; the policies best and cheapest follow a wish.")
        if offers:
            raise Malformed("Offers are counted, and the policy is never; the policies best and cheapest take them.")
        return NEVER
    if not wishes_of(kind):
        raise Malformed(NO_CHOICES)
    return Policy(name, wish_of(kind, wish or ""), offers)


def has_choices(kind: Kind, ask: Ask) -> bool:
    """True if the game declares a decision, or a choice comes up in one of some throws."""
    if kind.decisions:
        return True
    try:
        return any(isinstance(play(kind.rule(ask), Rolled(seed=n)).node, Choice) for n in range(TRIED))
    except Refusal:
        return False


def title_of(kind: Kind, name: str, ask: Ask | None = None) -> str:
    """A fact's title; a fact that the game does not name is titled by the result's field."""
    known = facts_of(kind)
    return known[name].title_for(ask) if name in known else name.replace("_", " ").capitalize()


def values_of(kind: Kind, name: str, ask: Ask | None) -> list[Hashable] | None:
    """The values that a fact lists, in order and with impossible ones; None if it lists only what can happen."""
    known = facts_of(kind)
    values = known[name].domain if name in known and ask is not None else None
    return list(values(ask)) if values else None
