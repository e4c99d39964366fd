"""Facts and wishes of a written game; their odds read of the dice only what they depend on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from astragal.dice.dice import Pool, endless
from astragal.dice.distribution import Beyond, Distribution, mix
from astragal.errors import Refusal
from astragal.notation.endless import gathered
from astragal.rule.chances.fact import Fact, Policy, Wish
from astragal.rule.chances.pushes import Pushed
from astragal.rule.chances.solve import Solver
from astragal.rule.inputs.ask import Ask
from astragal.rule.verdict import TONES, WINS
from astragal.written.after import OUTCOME, After
from astragal.written.document import Part, check_different
from astragal.written.formula import is_question, read_formula, said
from astragal.written.inputs import check_name
from astragal.written.plan import Plan
from astragal.written.roll import WrittenRoll

FAR = 100
"""Counts without end are told apart at least up to here, so that conditions on them can be answered."""


class WrittenWish(NamedTuple):
    """A wish, and the readings or the outcome that it depends on."""

    wish: Wish
    needs: frozenset[str]


def wishes_of(roll: WrittenRoll, part: Part) -> dict[str, WrittenWish]:
    """The wishes of a roll. Without any, they are a good outcome, and one that is at least mixed if that differs."""
    written = [_read_wish(each, roll) for each in part.parts("wishes")]
    check_different([each.wish.name for each in written], part.parts("wishes"), "wishes")
    if not written:
        good = frozenset(band.name for band in roll.bands if band.tone in WINS)
        fair = good | {band.name for band in roll.bands if band.tone == "mixed"}
        written = [_among("good", "a good outcome", good)]
        if fair != good:
            written.append(_among("fair", "at least a mixed outcome", fair))
    return {each.wish.name: each for each in written}


def _among(name: str, help: str, bands: frozenset[str]) -> WrittenWish:
    return WrittenWish(Wish(name, help, lambda result: int(result.outcome in bands)), frozenset({OUTCOME}))


def _read_wish(part: Part, roll: WrittenRoll) -> WrittenWish:
    """A wish for a reading: that it holds, or that it is as high as can be."""
    name, help, text = check_name(part.text("name"), part), part.text("help"), part.text("value")
    try:
        formula = read_formula(text, (), roll.readings)
    except Refusal as refusal:
        part.refuse(f"{said(refusal)}.", "value")
    part.finish()
    questions = [each for each, reading in roll.readings.items() if is_question(reading.expression, ())]
    counts = not is_question(formula.expression, questions)
    worth = Wish(name, help, lambda result: int(formula.value(result._asdict())), counts)
    return WrittenWish(worth, frozenset(used.name for used in formula.names()))


def facts_of(roll: WrittenRoll) -> dict[str, Fact]:
    """The outcome, from the best tone to the worst, and every reading, as facts."""
    names = tuple(band.name for band in sorted(roll.bands, key=lambda band: TONES.index(band.tone)))
    tones = {band.name: band.tone for band in roll.bands}
    outcome = _fact(roll, OUTCOME)._replace(domain=lambda ask: names, tones=tones, endless=False)
    return {OUTCOME: outcome, **{name: _fact(roll, name) for name in roll.readings}}


def _fact(roll: WrittenRoll, name: str) -> Fact:
    words = name.replace("_", " ")
    fact = Fact(words[:1].upper() + words[1:], attrgetter(name), closed=_closed(roll, name), endless=roll.explodes)
    return fact._replace(planned=_planned(roll, name)) if roll.options else fact


def _planned(roll: WrittenRoll, name: str) -> Callable[[Ask, int, Policy], Distribution[Any] | None]:
    """The odds of one fact if options are taken for a wish: of the dice, nothing is read but what these two need."""

    @cache
    def part(wish: str, policy: str) -> WrittenRoll:
        return roll.about({name, *roll.wishes[wish].needs}, policy)

    def planned(ask: Ask, up_to: int, policy: Policy) -> Distribution[Any] | None:
        wish = policy.wish.name if policy.wish else ""
        if policy.wish is None or wish not in roll.wishes or roll.wishes[wish].wish.worth is not policy.wish.worth:
            return None
        needed, of, hoped = part(wish, policy.name), attrgetter(name), policy.wish
        if policy.offers or any(team.options for team in needed.helpers):
            return Solver(policy, up_to, of).solve(needed.node(ask)).results
        parts = [(weight, _led(needed, inputs, of, hoped, policy)) for inputs, weight in needed.ways(ask)]
        return mix(parts, sum(weight for weight, _ in parts))

    return planned


def _led(
    roll: WrittenRoll, inputs: dict[str, Any], of: Callable[[Any], Any], wish: Wish, policy: Policy
) -> Distribution[Any]:
    """The odds of a fact by a policy once it is known what helpers give."""
    push = After(roll, inputs).push()
    if push and (push.free or policy.name == "best"):
        found = Pushed(push, roll.pool(inputs), of, wish.worth).odds()
        if found is not None:
            return found
    return Plan(roll, inputs, of, wish, policy).odds()


def _closed(roll: WrittenRoll, name: str) -> Callable[[Ask, int], Distribution[Any]]:
    """The odds of one fact of a roll."""
    part = roll.about([name])

    def led(inputs: dict[str, Any], up_to: int) -> Distribution[Any]:
        pool = part.pool(inputs)
        picked = part.reading.all.odds(pool, _far(pool, up_to))
        return picked.map(lambda value: part.fact(name, {**inputs, **dict(part.reading.parts(value))}))

    def closed(ask: Ask, up_to: int) -> Distribution[Any]:
        ways = list(part.ways(ask))
        found = mix([(weight, led(inputs, up_to)) for inputs, weight in ways], sum(weight for _, weight in ways))
        return _cut(found, up_to) if roll.explodes and name != OUTCOME else found

    return closed


def _far(pool: Pool, up_to: int) -> int:
    return max(up_to, FAR) if endless(pool) else up_to


def _cut(found: Distribution[Any], up_to: int) -> Distribution[Any]:
    """The same with everything above ``up_to`` as one value."""
    listed = gathered(found)
    return listed.map(lambda value: Beyond(up_to) if isinstance(value, Beyond) or value > up_to else value)
