"""Advice as JSON, the same for ``--json`` and for HTTP."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from astragal.questions.advice import Weighed
from astragal.questions.wire import AskShown, FactShown, NumberShown, asked_of, show_facts, show_number
from astragal.rule.chances.advise import Advice, Advised
from astragal.rule.game import Kind


class OptionWeighed(Struct, frozen=True, omit_defaults=True):
    """An option: its cost now, what the wish is worth after it, its cost in all on average, the odds of each fact."""

    name: str
    label: str
    rule: str
    cost: int
    worth: NumberShown
    total_cost: NumberShown
    facts: dict[str, FactShown] | UnsetType = UNSET
    costs: dict[str, NumberShown] = {}
    """The cost in all by what it is paid with; empty if there is none."""


class BarredShown(Struct, frozen=True):
    """An option that cannot be taken now."""

    name: str
    why: str
    rule: str


class SavedShown(Struct, frozen=True):
    """What leaving things as they are is worth, what the best option gains over it, and for each point spent."""

    by: str
    worth: NumberShown
    gain: NumberShown
    per_point: NumberShown | None


class AdviceShown(AskShown, frozen=True, kw_only=True):
    """The options of the open choice, weighed for a wish.

    ``counts``: the wish's worth is an average number, otherwise a chance. ``matters``: the options differ in it.
    ``assumes``: what the figures take for granted about others.
    """

    choice: str
    by: str
    question: str
    wish: str
    help: str
    counts: bool
    matters: bool
    best: str
    options: list[OptionWeighed]
    barred: list[BarredShown]
    saved: SavedShown | None
    last_point: NumberShown | None
    faces: str | UnsetType = UNSET
    assumes: str = ""


def show_weighed(weighed: Weighed) -> AdviceShown:
    """Advice on a roll: what was asked, the dice, and what each option would do to the odds of the wanted facts."""
    question, played, advice, last_point = weighed
    options = [_option(option, _option_facts(weighed, option)) for option in advice.options]
    last = None if last_point is None else show_number(last_point)
    return _advice(advice, options, last, {**asked_of(question), "faces": played.faces})


def show_advice(game: str, kind: Kind, headline: str, advice: Advice) -> AdviceShown:
    """Advice on a roll at a table, where the dice and the inputs are shown already."""
    asked = {"headline": headline, "game": game, "roll": kind.name}
    return _advice(advice, [_option(option) for option in advice.options], None, asked)


def _advice(
    advice: Advice, options: list[OptionWeighed], last_point: NumberShown | None, asked: dict[str, Any]
) -> AdviceShown:
    choice, wish = advice.choice, advice.wish
    return AdviceShown(
        **asked,
        choice=choice.name,
        by=choice.by,
        question=choice.question,
        wish=wish.name,
        help=wish.help,
        counts=wish.counts,
        matters=advice.matters,
        best=advice.best,
        options=options,
        barred=[BarredShown(name, barred.why, barred.rule) for name, barred in choice.barred.items()],
        saved=_saved(advice),
        last_point=last_point,
        assumes=choice.assumes,
    )


def _option(option: Advised, facts: dict[str, FactShown] | UnsetType = UNSET) -> OptionWeighed:
    worth, total_cost = show_number(option.worth), show_number(option.total_cost)
    costs = {what: show_number(cost) for what, cost in option.costs.items()}
    return OptionWeighed(option.name, option.label, option.rule, option.cost, worth, total_cost, facts, costs)


def _option_facts(weighed: Weighed, option: Advised) -> dict[str, FactShown]:
    question = weighed.question
    return show_facts(question.kind, question.ask, {name: weighed.odds(option, name) for name in weighed.facts})


def _saved(advice: Advice) -> SavedShown | None:
    if not advice.choice.rest:
        return None
    best = next(option for option in advice.options if option.name == advice.best)
    gain = advice.worth - advice.saved
    per_point = show_number(gain / best.total_cost) if best.total_cost else None
    return SavedShown(advice.choice.rest, show_number(advice.saved), show_number(gain), per_point)
