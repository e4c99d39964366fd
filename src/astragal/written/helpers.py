"""Helpers of a written game's roll: each brings a number, throws dice for it if the file says so, and gives something.

When their dice have fallen, they may have options. What they give together is a number, ``helped``, which dice and
formulas of the roll use like an input; of two sides, each has helpers of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.errors import Illegal
from astragal.rule.inputs.ask import Ask, summed
from astragal.rule.inputs.input import Input
from astragal.rule.inputs.total import Source, Total, counted, signed, sources_of
from astragal.rule.sheets.sheet_offer import SheetOffer, Thing
from astragal.rule.sheets.table_rules import Holder, Participants
from astragal.rule.tree.effect import Effect, Role
from astragal.rule.tree.node import Choice, Lazy, Node, Option, Throw, lazy
from astragal.written.change import (
    CHARACTER,
    HELPER,
    WHO,
    Names,
    Sheets,
    effects_of,
    names_in,
    place_of,
    read_by,
    read_change,
    read_prices,
    read_when,
    section_of,
)
from astragal.written.dice import read_pool
from astragal.written.document import Part
from astragal.written.formula import Formula, Values
from astragal.written.inputs import check_formula_name, check_name
from astragal.written.option import REST, WrittenOption
from astragal.written.pools import NamedDice, teller
from astragal.written.reading import Picked
from astragal.written.sides import THEIR
from astragal.written.symbols import Gathered

HELPED = "helped"
"""The name, in formulas, of all that helpers give."""
HELPERS = "helpers"
"""The name, in formulas, of the number of helpers."""
GIVES = "gives"
"""The name, in formulas of a helper's options, of what the helper gives without them."""
TEAMS = {"helpers": ("", "helper"), "their_helpers": (THEIR, "their helper")}
"""The parts of a roll that declare helpers: the prefix of their names, and their role."""
MOST = 50
"""Most helpers of a roll."""
LARGEST = 1_000
"""The most that a helper brings."""
MAX_OPTIONS = 10
"""Most options of a helper."""


class WrittenHelpers(NamedTuple):
    """The helpers of one side: their number, and what each brings and gives."""

    helped: str
    """The name, in formulas, of all that they give."""
    crowd: str
    """The name, in formulas, of their number."""
    role: Role
    """The role of each, without its number."""
    most: int
    largest: int
    """The most that one of them brings."""
    brings: str
    """The input with what each helper brings."""
    gives: Formula
    dice: tuple[NamedDice, ...]
    reading: Picked
    section: str
    """The section of a helper's sheet with the items to bring; empty if numbers are typed."""
    item: str
    """The only item, if it is read from the sheet."""
    price: tuple[Effect, ...]
    rule: str
    options: tuple[WrittenOption, ...] = ()
    choice: str = "assist"
    """The name of the choice among the options."""
    asks: str = ""

    @property
    def is_tapped(self) -> bool:
        """True if each helper chooses what to bring."""
        return bool(self.section and not self.item)

    def check(self, ask: Ask) -> None:
        """Refuse more helpers than there may be, and more than a single one may bring."""
        sources = sources_of(getattr(ask, self.brings))
        if len(sources) > self.most:
            raise Illegal(f"{counted(len(sources), 'helper')} are too many; at most {self.most} help.", self.rule)
        for source in sources:
            if source.n > self.largest:
                raise Illegal(f"A helper brings at most {self.largest}, not {source.n}.", self.rule)

    def inputs(self, source: Source, values: Values) -> dict[str, Any]:
        """The names for formulas: what one helper brings, and the other inputs."""
        numbers = {name: value for name, value in values.items() if isinstance(value, int)}
        return {**numbers, self.brings: source.n}

    def given(self, value: Any, inputs: Values) -> dict[str, Any]:
        """The same with what the dice show, and what one helper gives, at least 0."""
        values = {**inputs, **dict(self.reading.parts(value))}
        return {**values, GIVES: max(0, int(self.gives.value(values)))}

    def law(self, ask: Ask, values: Mapping[str, Any]) -> Distribution[int]:
        """The odds of all that helpers give without their options."""
        found: Distribution[int] = Distribution.certain(0)
        for source in sources_of(getattr(ask, self.brings)):
            inputs = self.inputs(source, values)
            thrown = self.reading.all.odds(self.reading.pool(inputs), 0)
            each = thrown.map(lambda value, inputs=inputs: self.given(value, inputs)[GIVES])  # type: ignore[misc]
            found = found.convolve(each, lambda one, other: one + other)
        return found

    def offered(self) -> Iterator[SheetOffer]:
        """The offers of what a helper may bring: one item of the section, at its price."""

        def price(thing: Thing) -> tuple[Effect, ...]:
            role = thing.places["role"]
            return tuple(effect._replace(who=role, name=effect.name or thing.name) for effect in self.price)

        if self.is_tapped:
            yield SheetOffer(
                self.section, self.brings, "{now}", by=self.role, mark="!help", rule=self.rule, price=price,
                group="{giver} helps", label="{giver}: {name}", slot="help of {id}",
            )  # fmt: skip

    def completed(self, values: Mapping[str, Any], participants: Participants) -> dict[str, Any]:
        """What helpers bring, in their order; from their sheets if they give nothing else."""
        helpers = participants.helpers if self.role == "helper" else participants.their_helpers
        if not helpers:
            return {}
        left = list(sources_of(values.get(self.brings)))
        found = []
        for helper in helpers:
            own = [each for each in left if _is_of(helper, each)]
            left = [each for each in left if each not in own]
            n = sum(each.n for each in own)
            if not own and self.item:
                n = helper.value(self.section, self.item, "now")
            found.append(own[0]._replace(n=n) if own else Source(helper.name, n))
        return {self.brings: Total([*found, *left])}


def _is_of(helper: Holder, source: Source) -> bool:
    """True if a helper brings this: tapped on their sheet, or typed with their name."""
    return (source.offer or "").startswith(f"{helper.id}/") or source.label.partition(": ")[0] == helper.name


class Team:
    """The tree of one roll: the helpers of a side one after the other, then the roll with what they gave."""

    def __init__(
        self, helpers: WrittenHelpers, ask: Ask, values: Mapping[str, Any], led: Callable[[int], Node[Any]]
    ) -> None:
        self._helpers, self._values, self._led = helpers, values, led
        self._sources = sources_of(getattr(ask, helpers.brings))

    def start(self) -> Node[Any]:
        """The first helper's throw."""
        return self._next(0, 0)

    def _next(self, place: int, helped: int) -> Node[Any]:
        """The throw of the next helper who has dice; the roll when all have helped."""
        if place == len(self._sources):
            return self._led(helped)
        helpers, source = self._helpers, self._sources[place]
        inputs = helpers.inputs(source, self._values)
        pool = helpers.reading.pool(inputs)
        then = partial(self._gave, place, helped, inputs)
        if not any(dice.n for dice in pool):
            return then(helpers.reading.all.read(tuple(((),) for _ in pool)))
        return Throw(pool, helpers.reading.all, then, teller(pool), self._name(place), by=self._role(place))

    def _name(self, place: int) -> str:
        return self._sources[place].label.partition(": ")[0] or f"Helper {place + 1}"

    def _role(self, place: int) -> Role:
        return f"{self._helpers.role} {place + 1}"

    def _gave(self, place: int, helped: int, inputs: Values, value: Any) -> Node[Any]:
        """What follows a helper's dice: an option where there is one, then the next helper."""
        values = self._helpers.given(value, inputs)
        kept = lazy(self._next, place + 1, helped + values[GIVES])
        options = {
            option.name: self._option(option, place, helped, values)
            for option in self._helpers.options
            if option.when is None or option.when.value(values)
        }
        if not options:
            return kept
        options = {REST: Option("Leave it", kept, self._helpers.rule), **options}
        question = f"{self._name(place)}: {self._helpers.asks}"
        return Choice(self._helpers.choice, self._role(place), question, options, None, REST, passes=True)

    def _option(self, option: WrittenOption, place: int, helped: int, values: Values) -> Option[Any]:
        gives = option.gives if not isinstance(option.gives, Formula) else int(option.gives.value(values))
        gives = values[GIVES] if gives is None else gives
        changes = [
            effect._replace(who=self._role(place) if effect.who == HELPER else effect.who, when="answer")
            for effect in effects_of(option.changes, values)
        ]
        then: Lazy[Any] = lazy(self._next, place + 1, helped + gives)
        detail = "" if gives == values[GIVES] else f"gives {signed(gives)}"
        return Option(option.title, then, option.rule, tuple(changes), detail=detail)


def brought(part: Part) -> dict[str, Input]:
    """The inputs for what each helper brings, by name."""
    return dict(_brought(part, key) for key in TEAMS if part.has(key))


def _brought(part: Part, key: str) -> tuple[str, Input]:
    helpers = part.part(key)
    most, inputs = helpers.whole("most", least=1, most=MOST), list(helpers.part("inputs").named_parts())
    if len(inputs) != 1:
        helpers.refuse('inputs has one number that each helper brings, such as inputs.aid = { help = "…", max = 5 }.')
    name, given = inputs[0]
    largest = given.whole("max", least=0, most=LARGEST)
    help, title, rule = given.text("help"), given.text("title", ""), given.rule(helpers.text("rule", ""))
    given.has("sheet")  # see read_helpers
    given.finish()
    made: Input = summed(
        0, most * largest, help, default=0, rule=rule, title=title, whose="helper" if key == "helpers" else "target",
        apart=True, each=(0, largest), dice=True,
    )  # fmt: skip
    others = part.part("inputs").names()
    if name in others:
        given.refuse(f'"{name}" is an input already; choose another name.')
    for taken in {HELPED, HELPERS} & {name, *others}:
        given.refuse(f'"{taken}" has a meaning in a roll with helpers; choose another name.')
    return check_formula_name(name, given), made


def read_helpers(part: Part, ask: type[Ask], sheets: Sheets) -> tuple[WrittenHelpers, ...]:
    """The helpers of a roll, if it has any: ours, then theirs."""
    return tuple([_read_helpers(part.part(key), key, ask, sheets) for key in TEAMS if part.has(key)])


def _read_helpers(helpers: Part, key: str, ask: type[Ask], sheets: Sheets) -> WrittenHelpers:
    (their, role), sections = TEAMS[key], sheets[CHARACTER]
    ((brings, input),) = helpers.part("inputs").named_parts()
    names = names_in(ask, sheets)
    dice = tuple(_read_dice(helpers.part("dice"), list(names.numbers)))
    gathered = Gathered((), [each.name for each in dice])
    names = names._replace(dice=[each.name for each in dice], gathered=gathered)
    with helpers.telling("gives"):
        gives = names.formula(helpers.text("gives", brings))
    section = item = ""
    if input.has("sheet"):
        section, _, item = input.text("sheet").partition("/")
        found = section_of(input, section, sections, "sheet")
        if item or len(found.names) == 1:
            section, item = place_of(input, input.text("sheet"), sections, "sheet")
    rule = helpers.rule()
    if helpers.parts("price") and (item or not section):
        helpers.refuse(
            "price is paid for the item that a helper brings; write sheet with a section of several.", "price"
        )
    paid = Effect("", "helper 1", rule=rule, cause="helps")
    price = read_prices(helpers, sections, paid, section)
    options = tuple(_read_options(helpers, rule, names))
    reading = Picked.of(dice, gathered)
    most, choice, asks = helpers.whole("most"), helpers.text("choice", "assist"), helpers.text("asks", "Change it?")
    made = WrittenHelpers(
        their + HELPED, their + HELPERS, role, most, input.whole("max"), brings, gives, dice, reading, section, item,
        price, rule, options, their + check_name(choice, helpers), asks,
    )  # fmt: skip
    helpers.finish()
    return made


def _read_options(helpers: Part, rule: str, names: Names) -> list[WrittenOption]:
    """The options of helpers after their dice have fallen."""
    parts = helpers.parts("options", different="options")
    if len(parts) > MAX_OPTIONS:
        helpers.refuse(f"a helper has at most {MAX_OPTIONS} options.", "options")
    names = names._replace(numbers=[*names.numbers, GIVES], who=(HELPER, *WHO))
    return [_read_option(each, rule, names) for each in parts]


def _read_option(part: Part, rule: str, names: Names) -> WrittenOption:
    name = check_name(part.text("name"), part)
    if name == REST:
        part.refuse(f'"{REST}" leaves things as they are; an option needs a name of its own.', "name")
    when, rule = read_when(part, names), part.rule(rule)
    gives = read_by(part, names, "gives") if part.has("gives") else None
    changes = tuple(read_change(each, rule, names) for each in part.parts("changes"))
    if gives is None and not changes:
        part.refuse("this option does nothing; say what the helper then gives, or what changes.")
    option = WrittenOption(name, part.text("title"), rule, when=when, changes=changes, gives=gives)
    part.finish()
    return option


def _read_dice(part: Part, numbers: list[str]) -> Iterator[NamedDice]:
    for each in read_pool(part, numbers, {}) if part.names() else ():
        if not isinstance(each, NamedDice) or each.explodes:
            wrong = f"{each.name} has words or explodes without end, and helpers' dice cannot; a game in Python can."
            part.refuse(wrong, each.name)
        yield each
