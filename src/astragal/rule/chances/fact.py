"""Facts: named questions about a result. Wishes and policies: what a result is worth, and how choices are answered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from importlib import import_module
from operator import attrgetter
from types import ModuleType
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

from astragal.dice.distribution import NUMBERS, Beyond, Distribution
from astragal.errors import Malformed, Unknown
from astragal.rule.game import Kind, undeclared
from astragal.rule.inputs.ask import Ask
from astragal.rule.texts import NO_WORDS, Wording, worded
from astragal.rule.tree.node import Choice
from astragal.rule.tree.result import field
from astragal.rule.verdict import Tone


@worded("title", "parts")
class Fact(NamedTuple):
    """One question about a result.

    ``domain`` lists the values to show, including those with chance 0: words from best to worst, so that “at least”
    means this one or a better one. ``closed`` is a closed form for the policy ``never``. ``endless``: values above
    ``up_to`` count as one. ``parts`` names the parts of values that are tuples.
    """

    title: str = ""
    of: Callable[[Any], Hashable] = undeclared
    domain: Callable[[Any], Sequence[Hashable]] | None = None
    closed: Callable[[Any, int], Distribution[Any]] | None = None
    endless: bool = False
    parts: tuple[str, ...] = ()
    planned: Callable[[Any, int, Policy], Distribution[Any] | None] | None = None
    """A closed form for other policies; None for a policy that it does not cover."""
    titled: Callable[[Any], str] | None = None
    """The title for one ask, where the game has more than one word for it."""
    read: tuple[str, ...] = ()
    """The parts of the roll's first throw that this fact is, where nothing is decided after the dice: then their odds
    are its odds, and no result is made. One part is its value, several are a tuple."""
    tallies: bool = False
    """True if it goes up by one with each count from the last throw's ``enough`` on; then its average is exact."""
    marked: bool = True
    """True if it looks at what is counted on the way (``Lazy.marks``)."""
    tones: Mapping[Any, Tone] | None = None
    """The tone of each value, if this fact alone decides it; chances by tone need no more than its odds then."""
    wording: Wording = NO_WORDS

    def title_for(self, ask: Any) -> str:
        """The title, in the words of this ask if there is one."""
        return self.titled(ask) if self.titled and ask is not None else self.title

    def of_results(self, results: Distribution[Any], up_to: int) -> Distribution[Any]:
        """The distribution of this fact, given that of whole results."""
        return self.cut(results.map(self.of), up_to)

    def cut(self, odds: Distribution[Any], up_to: int) -> Distribution[Any]:
        """The odds of this fact with everything above ``up_to`` as one value, if it is endless."""
        if not self.endless:
            return odds
        found = odds.map(lambda value: Beyond(up_to) if isinstance(value, int) and value > up_to else value)
        return Distribution(found.weights, found.total, odds.moments, found.order)

    def ordered(self, odds: Distribution[Any], ask: Any) -> Distribution[Any]:
        """The odds of this fact in the order of its domain; numbers have their own."""
        values = tuple(self.domain(ask)) if self.domain else ()
        in_order = odds.order == values or all(type(value) in NUMBERS for value in values)
        return odds if in_order else odds.in_order(values)


def fact(title: str, of: field[Any], **more: Any) -> Fact:
    """Return the fact that is a field of the result: ``fact("Degree", Result.degree)``.

    Its values and their order follow from the field's type: the words of a ``Literal`` from best to worst, yes and
    no of a ``bool``; numbers have their own. ``more`` is what else a ``Fact`` takes.
    """
    return _fact(of.name, get_type_hints(of.make)["return"], {"title": title, **more})


def facts(result: type, *names: str, **more: Any) -> dict[str, Fact]:
    """Return the facts that are fields or properties of a result, by name: ``facts(Result, "degree", "marks")``.

    Values and their order follow from the field's type: the words of a ``Literal`` from best to worst, yes and no of a
    ``bool``; numbers have their own. ``more`` is what else a ``Fact`` takes.
    """
    return {name: _fact(name, _type_of(result, name), dict(more)) for name in names}


def _type_of(result: Any, name: str) -> Any:
    made = vars(result).get(name)
    make = made.make if isinstance(made, field) else made.fget if isinstance(made, property) else None
    return get_type_hints(make)["return"] if make else get_type_hints(result)[name]


def _fact(name: str, kind: Any, more: dict[str, Any]) -> Fact:
    values = values_of(kind)
    if values:
        more.setdefault("domain", lambda ask: values)
    return Fact(of=attrgetter(name), **more)


def values_of(kind: Any) -> tuple[Hashable, ...]:
    """The values of a type in their order, best first; none for one that has too many to list."""
    return get_args(kind) if get_origin(kind) is Literal else (True, False) if kind is bool else ()


@worded("help")
class Wish(NamedTuple):
    """The value of a result to a side: 1 if it is what they want, 0 if not, or a count."""

    name: str
    help: str = ""
    worth: Callable[[Any], int] = undeclared
    counts: bool = False
    """True if the worth is a count; otherwise its average is a chance."""
    unasked: bool = True
    """True if advice considers it without being asked for it by name."""
    theirs: bool = False
    """True if it is what the other side wants: it guides their choices, and the rest is left alone."""
    marks: tuple[int, ...] | None = None
    """What it is worth more for each that is counted on the way (``Lazy.marks``); None if that is not a fixed sum."""
    wording: Wording = NO_WORDS


PolicyName: TypeAlias = Literal["never", "best", "cheapest"]
POLICIES: tuple[PolicyName, ...] = get_args(PolicyName)


class _Policy(NamedTuple):
    name: PolicyName
    wish: Wish | None
    offers: bool


class Policy(_Policy):
    """The way that choices are answered: ``never`` changes nothing, ``best`` serves a wish, ``cheapest`` at least cost.

    With ``offers``, others give their answers where they have one: a GM who always offers a way out. A policy that
    could not be followed is refused: one of another name, or one without the wish that it needs.
    """

    __slots__ = ()

    def __new__(cls, name: PolicyName = "never", wish: Wish | None = None, offers: bool = False) -> Policy:
        """Check the parts."""
        if name not in POLICIES:
            raise Unknown(f'There is no policy "{str(name)[:40]}"; there are {", ".join(POLICIES)}.')
        if wish is not None and not isinstance(wish, Wish):
            raise Malformed(f"A policy follows a Wish, not a {type(wish).__name__}; wish_of(kind, name) gives it.")
        if name == "never" and offers:
            raise Malformed("Offers are counted, and the policy is never; the policies best and cheapest take them.")
        if name != "never" and wish is None:
            raise Malformed(f'The policy {name} needs a wish: Policy("{name}", wish_of(kind_of(ask))).')
        return super().__new__(cls, name, wish, offers)


NEVER = Policy()
"""The default policy: choices are left at their result so far."""


def facts_of(kind: Kind) -> Mapping[str, Fact]:
    """The facts of a kind of roll, by name."""
    return _declared(kind.odds, "FACTS", kind.name, kind.wording) if kind.odds else {}


def wishes_of(kind: Kind) -> Mapping[str, Wish]:
    """The wishes of a kind of roll, by name; the first is the default."""
    return _declared(kind.odds, "WISHES", kind.name, kind.wording) if kind.odds else {}


def wishes_for(kind: Kind, choice: Choice[Any]) -> list[Wish]:
    """The wishes that advice on a choice considers: those of whose choice it is, if the game tells them apart."""
    wishes = [wish for wish in wishes_of(kind).values() if wish.unasked]
    return [wish for wish in wishes if wish.theirs == choice.is_theirs] or wishes


@cache
def _declared(module: str | ModuleType, table: str, kind: str, wording: Wording) -> Mapping[str, Any]:
    """What the module's table has for a kind of roll, with its words."""
    found, words = getattr(module_of(module), table).get(kind, {}), wording.of(table.lower())
    return {name: each._replace(wording=words.of(name)) for name, each in found.items()}


def module_of(module: str | ModuleType) -> ModuleType:
    """The module, imported if only its name is given."""
    return import_module(module) if isinstance(module, str) else module


def fact_of(kind: Kind, name: str) -> Fact:
    """The fact with this name."""
    fact = _facts.get((kind.ask, name))
    if fact is None:
        facts = facts_of(kind)
        if name not in facts:
            raise Unknown(f'There is no fact "{name[:40]}" here; there are {", ".join(facts) or "none"}.')
        fact = _facts[kind.ask, name] = facts[name]
        if kind.thrown and len(fact.read) == 1:
            one_part[kind.ask, name] = OnePart(kind.thrown, fact.read[0], fact)
    return fact


_facts: dict[tuple[type[Ask], str], Fact] = {}
"""Facts that were asked for, by ask and name."""


class OnePart(NamedTuple):
    """A fact that is one part of what a kind throws."""

    thrown: Callable[[Any], Any]
    part: str
    fact: Fact


one_part: dict[tuple[type[Ask], str], OnePart] = {}
"""Those of them that are one part of what is thrown."""


def wish_of(kind: Kind, name: str = "") -> Wish:
    """The wish with this name, or the default one."""
    wishes = wishes_of(kind)
    if not wishes or (name and name not in wishes):
        raise Unknown(f'There is no wish "{name[:40]}" here; there are {", ".join(wishes) or "none"}.')
    return wishes[name] if name else next(iter(wishes.values()))
