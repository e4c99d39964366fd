"""Facts and wishes of a written game; their odds read of the dice only what they depend on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from astragal.dice.dice import Pool, endless
from astragal.dice.distribution import Beyond, Distribution, mix
from astragal.notation.endless import gathered
from astragal.rule.chances.fact import NEVER, Fact, Policy, Wish
from astragal.rule.chances.solve import Solver
from astragal.rule.inputs.ask import Ask
from astragal.rule.verdict import TONES, WINS
from astragal.written.cases import OUTCOME, Cases, Steps, steps_of
from astragal.written.document import Part
from astragal.written.formula import is_question, read_formula
from astragal.written.inputs import check_name
from astragal.written.roll import WrittenRoll
from astragal.written.sides import OTHER

FAR = 100
"""Counts without end are distinguished up to here at least, so that conditions on them can be answered."""


class WrittenWish(NamedTuple):
    """A wish, and the readings or the outcome that it depends on."""

    wish: Wish
    needs: frozenset[str]


def wishes_of(roll: WrittenRoll, part: Part) -> dict[str, WrittenWish]:
    """The wishes of a roll. Without any, they are a good outcome, and one that is at least mixed if that differs."""
    written = [_read_wish(each, roll) for each in part.parts("wishes", different="wishes")]
    if written and written[0].wish.theirs:
        part.parts("wishes")[0].refuse("the first wish is the roller's; write the other side's after it.", "who")
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
    """A wish for a reading: that it holds, or that it is as high as possible."""
    name, help, text = check_name(part.text("name"), part), part.text("help"), part.text("value")
    who = part.choice("who", OTHER, "roller")
    if who == "target" and not roll.is_decided_by_target:
        nothing = 'the other side decides nothing here; write by = "target" in an option, or helpers of both sides.'
        part.refuse(nothing, "who")
    with part.telling("value"):
        formula = read_formula(text, (), roll.readings)
    part.finish()
    questions = [each for each, reading in roll.readings.items() if is_question(reading.expression, ())]
    counts = not is_question(formula.expression, questions)
    worth = Wish(name, help, lambda result: int(formula.value(result._asdict())), counts, theirs=who == "target")
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
    """The odds of one fact if options are taken for a wish; of the dice, only what both need is read."""

    @cache
    def part(wish: str, policy: str) -> WrittenRoll:
        return roll.about({name, *roll.wishes[wish].needs}, policy)

    def planned(ask: Ask, up_to: int, policy: Policy) -> Distribution[Any] | None:
        wish = policy.wish.name if policy.wish else ""
        if policy.wish is None or wish not in roll.wishes or roll.wishes[wish].wish.worth is not policy.wish.worth:
            return None
        return Solver(policy, up_to, attrgetter(name)).solve(part(wish, policy.name).node(ask)).results

    return planned


def _closed(roll: WrittenRoll, name: str) -> Callable[[Ask, int], Distribution[Any]]:
    """The odds of one fact of a roll whose options are not taken."""

    @cache
    def about() -> tuple[WrittenRoll, Steps]:  # only when it is asked, as it looks at each face
        part = roll.about([name])
        part = part._replace(reading=part.reading.at_once) if part.falls_at_once else part
        return part, steps_of(part, name)

    def led(part: WrittenRoll, steps: Steps, inputs: dict[str, Any], up_to: int) -> Distribution[Any]:
        pool = part.pool(inputs)
        return Cases(part, inputs, part.reading.all.handfuls(pool, _far(pool, up_to), part.later)).odds(steps)

    def closed(ask: Ask, up_to: int) -> Distribution[Any]:
        part, steps = about()
        if part.later and not part.falls_at_once:
            return Solver(NEVER, up_to, attrgetter(name)).solve(part.node(ask)).results
        ways = list(part.ways(ask))
        found = mix(
            [(weight, led(part, steps, inputs, up_to)) for inputs, weight in ways], sum(weight for _, weight in ways)
        )
        return _cut(found, up_to) if roll.explodes and name != OUTCOME else found

    return closed


def _far(pool: Pool, up_to: int) -> int:
    return max(up_to, FAR) if endless(pool) else up_to


def _cut(found: Distribution[Any], up_to: int) -> Distribution[Any]:
    """The same with everything above ``up_to`` as one value."""
    listed = gathered(found)
    return listed.map(lambda value: Beyond(up_to) if isinstance(value, Beyond) or value > up_to else value)
