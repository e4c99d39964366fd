"""Answers to questions as JSON, the same for ``--json`` and for HTTP.

Facts are keyed by name, and their rows are in order. An exact number is a text such as ``"247/324"``, since
numerators outgrow what JSON numbers hold; the decimal number is next to it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from astragal.dice.distribution import Distribution
from astragal.dice.render.text import format_exact, format_label, format_value, is_ordered, rows
from astragal.explain.report import explain
from astragal.notation.parser import Read
from astragal.notation.play import Value as NotationValue
from astragal.questions import SolvedQuestion
from astragal.questions.compare import Compared, FactCompared
from astragal.questions.odds import Question, title_of, values_of
from astragal.rule.chances.fact import PolicyName
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.play import Played
from astragal.rule.verdict import TONES, WINS, Tone

Value: TypeAlias = bool | int | str | list[Any] | None

SAFE = 2**53
"""Whole numbers of this size and above are written as texts: a browser rounds them."""


class NumberShown(Struct, frozen=True):
    """A number: exactly, as a fraction in lowest terms, and as a decimal."""

    exact: str
    number: float


class ChanceShown(Struct, frozen=True):
    """A chance, or the difference of two: exactly, as a fraction in lowest terms, and as a decimal."""

    exact: str
    chance: float


class RowShown(Struct, frozen=True):
    """A value, as data and as people read it, and its chance. Values over 20 together are ``"20+"``."""

    value: Value
    label: str
    exact: str
    chance: float


class TonesShown(Struct, frozen=True):
    """How likely a roll ends in each tone, the best first; ``success`` is that of a good one or better."""

    success: ChanceShown
    tones: dict[Tone, ChanceShown]


class FactShown(Struct, frozen=True):
    """The odds of a fact. ``ordered``: its values are rising numbers; words are listed from best to worst."""

    title: str
    ordered: bool
    mean: NumberShown | None
    deviation: float | None
    rows: list[RowShown]


class AskShown(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was asked, in a line and as data: a game's roll with inputs and policy, or dice notation."""

    headline: str
    game: str | UnsetType = UNSET
    roll: str | UnsetType = UNSET
    ask: dict[str, Any] | UnsetType = UNSET
    policy: PolicyName | UnsetType = UNSET
    wish: str | UnsetType = UNSET
    offers: bool = False
    notation: str | UnsetType = UNSET
    read: list[str] = []
    """How the notation was read where tools differ."""


class OddsShown(AskShown, frozen=True, kw_only=True):
    """What was asked, and the odds of its facts."""

    facts: dict[str, FactShown]


class NotationRolled(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A roll of dice notation: how it was read, every die and what became of it, and the value."""

    notation: str
    read: list[str] = []
    faces: str
    value: Value
    dice: list[dict[str, Any]]
    notes: list[dict[str, str]] = []


class ColumnShown(OddsShown, frozen=True, kw_only=True):
    """The odds with one value of the varied input."""

    value: str


class VaryShown(Struct, frozen=True):
    """The input that was varied, and its values as they were written."""

    input: str
    values: list[str]


class VariedShown(Struct, frozen=True):
    """One question with several values of an input."""

    vary: VaryShown
    columns: list[ColumnShown]


class RowCompared(Struct, frozen=True):
    """A value's chance on each side, and the difference of each further side to the first."""

    value: Value
    label: str
    chances: list[ChanceShown]
    differences: list[ChanceShown]


class FactComparedShown(Struct, frozen=True):
    """A fact that all sides have; means and deviations are those of the sides."""

    title: str
    ordered: bool
    means: list[NumberShown | None]
    deviations: list[float | None]
    rows: list[RowCompared]


class ComparedShown(Struct, frozen=True):
    """The questions side by side."""

    sides: list[AskShown]
    facts: dict[str, FactComparedShown]


def asked_of(question: Question) -> dict[str, Any]:
    """What was asked, but for the policy: the headline, the names and every input."""
    game, kind, ask, _, _, _ = question
    return {"headline": kind.headline(ask), "game": game.name, "roll": kind.name, "ask": ask.values()}


def _with_policy(question: Question) -> dict[str, Any]:
    policy = question.policy
    wish = {"wish": policy.wish.name} if policy.wish else {}
    return {**asked_of(question), "policy": policy.name, **wish, "offers": policy.offers}


def show_odds(solved: SolvedQuestion) -> OddsShown:
    """A solved question: a game's roll, notation or a program."""
    return OddsShown(**_asked(solved), facts=_facts(solved))


def _asked(solved: SolvedQuestion) -> dict[str, Any]:
    if solved.question:
        return _with_policy(solved.question)
    notation = {"notation": solved.notation} if solved.notation else {}
    return {"headline": solved.headline, **notation, "read": list(solved.notes)}


def _facts(solved: SolvedQuestion) -> dict[str, FactShown]:
    return {name: show_fact(solved.title(name), odds, solved.values(name)) for name, odds in solved.facts.items()}


def show_rolled(written: Read, played: Played[NotationValue], notes: bool) -> NotationRolled:
    """A roll of dice notation; ``notes`` adds the sentences that explain it."""
    told = explain(played)
    return NotationRolled(
        notation=str(written.expression),
        read=list(written.notes),
        faces=played.faces,
        value=show_value(played.result.value if played.result else None),
        dice=[{"throw": title, **die._asdict()} for title, dice in told.throws for die in dice],
        notes=[note._asdict() for note in told.notes] if notes else [],
    )


def show_varied(input: str, texts: Iterable[str], columns: Iterable[SolvedQuestion]) -> VariedShown:
    """The odds of several questions that differ in one input."""
    listed = list(texts)
    pairs = zip(listed, columns, strict=True)
    shown = [ColumnShown(value=text, **_asked(solved), facts=_facts(solved)) for text, solved in pairs]
    return VariedShown(VaryShown(input, listed), shown)


def show_compared(compared: Compared) -> ComparedShown:
    """The sides, with chances and differences for every value of every fact."""
    return ComparedShown(
        [AskShown(**_asked(side)) for side in compared.sides],
        {name: _compared(fact) for name, fact in compared.facts.items()},
    )


def show_facts(kind: Kind, ask: Ask | None, solved: Mapping[str, Distribution[Any]]) -> dict[str, FactShown]:
    """Facts with their titles and rows; without an ask only values that can happen are listed."""
    return {
        name: show_fact(title_of(kind, name, ask), odds, values_of(kind, name, ask)) for name, odds in solved.items()
    }


def show_fact(title: str, odds: Distribution[Any], values: Iterable[Hashable] | None = None) -> FactShown:
    """The odds of a fact, with a row for each of these values and for each other one that can happen."""
    listed = rows(odds, values)
    return FactShown(
        title,
        is_ordered([row.value for row in listed]),
        _mean(odds),
        _deviation(odds),
        [
            RowShown(show_value(row.value), format_label(row.value), format_exact(row.chance), float(row.chance))
            for row in listed
        ],
    )


def show_number(number: Fraction | int) -> NumberShown:
    """A number with its exact fraction."""
    return NumberShown(format_exact(Fraction(number)), float(number))


def show_tones(odds: Distribution[Tone], wins: Iterable[Tone] = WINS) -> TonesShown:
    """The chances of the tones that can happen; ``wins`` are those in which the roller succeeds."""
    tones = {tone: _chance(odds.get(tone)) for tone in TONES if odds.get(tone)}
    return TonesShown(_chance(sum((odds.get(tone) for tone in wins), Fraction(0))), tones)


def show_value(value: Hashable) -> Value:
    """A value as data: numbers, yes or no, words, lists of these; values over 20 together are ``"20+"``."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, Fraction)) and value.denominator == 1:
        number = int(value)
        return number if abs(number) < SAFE else format_value(number)
    return [show_value(part) for part in value] if isinstance(value, tuple) else format_value(value)


def _compared(fact: FactCompared) -> FactComparedShown:
    first, *others = fact.odds
    return FactComparedShown(
        fact.title,
        is_ordered(fact.values),
        [_mean(odds) for odds in fact.odds],
        [_deviation(odds) for odds in fact.odds],
        [
            RowCompared(
                show_value(value),
                format_label(value),
                [_chance(odds.get(value)) for odds in fact.odds],
                [_chance(odds.get(value) - first.get(value)) for odds in others],
            )
            for value in fact.values
        ],
    )


def _chance(chance: Fraction) -> ChanceShown:
    return ChanceShown(format_exact(chance), float(chance))


def _mean(odds: Distribution[Any]) -> NumberShown | None:
    return show_number(odds.mean) if odds.is_numeric else None


def _deviation(odds: Distribution[Any]) -> float | None:
    return odds.deviation if odds.is_numeric else None
