"""Questions without a table: a roll, its odds, advice on it, two compared. They take what the command line takes."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from astragal.errors import Illegal, Malformed, Unknown
from astragal.games.registry import game
from astragal.questions.wire import (
    Advice,
    Compared,
    Odds,
    Solved,
    compare_table,
    describe_advice,
    describe_tables,
    domain_of,
)
from astragal.rule.advise import Advice as RuleAdvice
from astragal.rule.advise import advise
from astragal.rule.ask import Ask
from astragal.rule.fact import NEVER, Policy, facts_of, wish_of, wishes_of
from astragal.rule.game import Game, Kind
from astragal.rule.hand import Given, Hand, Rolled, Typed, counted_dice, missing_faces
from astragal.rule.node import Choice, Throw
from astragal.rule.odds import MOST_UP_TO, UP_TO, all_odds, odds
from astragal.rule.play import Played, play
from astragal.rule.report import report
from astragal.table.action import Faces, Inputs, Name, Ref

Texts = Annotated[list[Annotated[str, Meta(max_length=500)]], Meta(max_length=50)]
Answers = Annotated[dict[Ref, Texts], Meta(max_length=20)]


class Rolling(Struct, frozen=True, forbid_unknown_fields=True):
    """A roll of a game, with the machine's dice, a seed's, or typed ones; what is not answered stays open."""

    game: Name
    roll: Ref = ""
    inputs: Inputs = {}
    faces: Faces | None = None
    answers: Answers = {}
    seed: Annotated[str, Meta(max_length=200)] | None = None


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """A question about the odds of a roll; without a table, about all of its tables."""

    game: Name
    roll: Ref = ""
    inputs: Inputs = {}
    table: Ref = ""
    policy: Literal["never", "best", "cheapest"] | None = None
    wish: Ref | None = None
    up_to: Annotated[int, Meta(ge=0, le=MOST_UP_TO)] = UP_TO


class Weighing(Struct, frozen=True, forbid_unknown_fields=True):
    """Dice on the table, and the answers given so far: what would each answer to the next choice do?"""

    game: Name
    faces: Faces
    roll: Ref = ""
    inputs: Inputs = {}
    answers: Answers = {}
    wish: Ref | None = None
    up_to: Annotated[int, Meta(ge=0, le=MOST_UP_TO)] = UP_TO


class Comparing(Struct, frozen=True, forbid_unknown_fields=True):
    """Two questions; without a table, about all tables that they have in common."""

    a: Asked
    b: Asked
    table: Ref = ""


class Solution(NamedTuple):
    """An answered question."""

    kind: Kind
    ask: Ask
    solved: Solved


def roll(asked: Rolling) -> dict[str, Any]:
    """Roll, and report it."""
    found, kind = _roll(asked)
    ask = _ask(kind, asked.inputs, asked.faces)
    played = play(kind.rule(ask), _hand(kind, asked))
    if isinstance(played.node, Throw):
        raise Malformed(missing_faces(played.node))
    return report(found, kind, ask, played, notes=True)


def _roll(asked: Rolling | Asked | Weighing) -> tuple[Game, Kind]:
    found = game(asked.game)
    return found, found.kind(asked.roll)


def _ask(kind: Kind, inputs: dict[str, Any], faces: str | None) -> Ask:
    return kind.ask.read({**counted_dice(kind, faces, inputs), **inputs})


def _hand(kind: Kind, asked: Rolling) -> Hand:
    _refuse_answers(kind, asked.answers)
    if asked.faces is None:
        return Rolled(asked.answers, kind.several, seed=asked.seed)
    if asked.seed is not None:
        raise Malformed("Dice come from faces or from a seed; give one of them.")
    return Typed(asked.faces, asked.answers, kind.several)


def _refuse_answers(kind: Kind, answers: dict[str, list[str]]) -> None:
    known = [decision.name for decision in kind.decisions]
    for name in answers:
        if name not in known:
            raise Unknown(f'There is no choice "{name[:40]}" here; there are {", ".join(known) or "none"}.')


def solve(asked: Asked) -> Solution:
    """The tables that are asked for."""
    _, kind = _roll(asked)
    ask, policy = kind.ask.read(asked.inputs), _policy(kind, asked)
    if asked.table and facts_of(kind):
        return Solution(kind, ask, {asked.table: odds(ask, asked.table, policy=policy, up_to=asked.up_to)})
    found = all_odds(ask, policy, asked.up_to)
    if asked.table and asked.table not in found:
        raise Unknown(f'There is no table "{asked.table[:40]}" here; there are {", ".join(found) or "none"}.')
    return Solution(kind, ask, {asked.table: found[asked.table]} if asked.table else found)


def _policy(kind: Kind, asked: Asked) -> Policy:
    name = asked.policy or ("best" if asked.wish is not None else "never")
    if name == "never":
        if asked.wish is not None:
            raise Malformed("A wish is given, and the policy is never; the policies best and cheapest follow a wish.")
        return NEVER
    if not wishes_of(kind) or not kind.decisions:
        raise Malformed("This roll has no choices that a wish could guide; leave out policy and wish.")
    return Policy(name, wish_of(kind, asked.wish or ""))


def describe(found: Solution) -> Odds:
    return Odds(found.kind.headline(found.ask), describe_tables(found.kind, found.ask, found.solved))


def ask_odds(asked: Asked) -> Odds:
    """Exact odds."""
    return describe(solve(asked))


def weigh(asked: Weighing) -> Advice:
    """Advice on the first choice that the given answers leave open."""
    _, kind = _roll(asked)
    _refuse_answers(kind, asked.answers)
    ask = _ask(kind, asked.inputs, asked.faces)
    hand = Given(Typed(asked.faces, asked.answers, kind.several), asked.answers)
    played: Played[Any] = play(kind.rule(ask), hand)
    if isinstance(played.node, Throw):
        raise Malformed(missing_faces(played.node))
    if not isinstance(played.node, Choice):
        raise Illegal(f"Nothing is left to decide here: {kind.verdict(played.result)}.")
    return describe_advice(advice_for(kind, played.node, asked.wish, asked.up_to))


def advice_for(kind: Kind, choice: Choice[Any], wish: str | None, up_to: int) -> RuleAdvice:
    """For the wish that is named; without one, for the first wish that something can be done for."""
    if wish:
        return advise(choice, wish_of(kind, wish), up_to)
    wish_of(kind)
    found = [advise(choice, each, up_to) for each in wishes_of(kind).values()]
    return next((advice for advice in found if advice.helps), found[0])


def compare(asked: Comparing) -> Compared:
    """Two questions side by side."""
    a, b = solve(asked.a), solve(asked.b)
    common = [name for name in a.solved if name in b.solved]
    if asked.table and asked.table not in common:
        raise Unknown(f'They have no table "{asked.table[:40]}" in common; they have {", ".join(common) or "none"}.')
    if not common:
        raise Malformed("These questions have no table in common, so there is nothing to compare.")
    names = [asked.table] if asked.table else common
    difference = [compare_table(a.kind, name, a.solved[name], b.solved[name], _values(a, b, name)) for name in names]
    return Compared(describe(_only(a, names)), describe(_only(b, names)), difference)


def _only(found: Solution, names: list[str]) -> Solution:
    return found._replace(solved={name: found.solved[name] for name in names})


def _values(a: Solution, b: Solution, name: str) -> list[Any]:
    listed = [domain_of(side.kind, name, side.ask) or list(side.solved[name]) for side in (a, b)]
    return list(dict.fromkeys(value for values in listed for value in values))
