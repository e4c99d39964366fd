"""Helpers of a written game's roll: each brings a number, throws dice for it if the file says so, and gives something.

What they give together is a number, ``helped``, which dice and formulas of the roll use like an input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from astragal.dice.dice import Faces, Pool
from astragal.dice.distribution import Distribution
from astragal.errors import Illegal, Refusal
from astragal.rule.inputs.ask import Ask, summed
from astragal.rule.inputs.input import Input
from astragal.rule.inputs.total import Source, Total, counted, sources_of
from astragal.rule.sheets.sheet import Section
from astragal.rule.sheets.sheet_offer import SheetOffer, Thing
from astragal.rule.sheets.table_rules import Holder, Participants
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Node, Throw, lazy
from astragal.written.change import place_of, section_of
from astragal.written.document import Part
from astragal.written.formula import Formula, Values, read_formula, said
from astragal.written.inputs import check_formula_name
from astragal.written.pools import NamedDice, read_dice, teller
from astragal.written.reading import Picked
from astragal.written.symbols import Gathered

HELPED = "helped"
"""What formulas call all that helpers give."""
MOST = 50
"""Most helpers of a roll."""
LARGEST = 1_000
"""Most that a helper brings."""


class WrittenHelpers(NamedTuple):
    """Who may help, what each brings, and what comes of it."""

    most: int
    largest: int
    """Most that one of them brings."""
    brings: str
    """The input with what each helper brings."""
    gives: Formula
    dice: tuple[NamedDice, ...]
    reading: Picked
    section: str
    """The section of a helper's sheet of which one item is brought; nothing if it is typed."""
    item: str
    """The only item, which is read from the sheet then."""
    price: tuple[Effect, ...]
    rule: str

    @property
    def is_tapped(self) -> bool:
        """Whether each helper chooses what to bring."""
        return bool(self.section and not self.item)

    def check(self, ask: Ask) -> None:
        """Refuse more helpers than there may be, and more than a single one may bring."""
        sources = sources_of(getattr(ask, self.brings))
        if len(sources) > self.most:
            raise Illegal(f"{counted(len(sources), 'helper')} are too many; at most {self.most} help.", self.rule)
        for source in sources:
            if source.n > self.largest:
                raise Illegal(f"A helper brings at most {self.largest}, not {source.n}.", self.rule)

    def of(self, source: Source, values: Values) -> Given:
        """What one helper gives, by what they bring and the other inputs."""
        numbers = {name: value for name, value in values.items() if isinstance(value, int)}
        return Given(self, tuple({**numbers, self.brings: source.n}.items()))

    def pool(self, values: Values) -> Pool:
        """The dice of one helper."""
        return self.reading.pool(values)

    def given(self, value: Any, values: Values) -> int:
        """What one helper gives, never less than nothing."""
        return max(0, int(self.gives.value({**values, **dict(self.reading.parts(value))})))

    def law(self, ask: Ask, values: Mapping[str, Any]) -> Distribution[int]:
        """The odds of all that helpers give."""
        found: Distribution[int] = Distribution.certain(0)
        for source in sources_of(getattr(ask, self.brings)):
            each = self.of(source, values)
            found = found.convolve(each.odds(self.pool(each.inputs), 0), lambda one, other: one + other)
        return found

    def offered(self) -> Iterator[SheetOffer]:
        """What each helper may bring: one item of the section, at its price."""

        def price(thing: Thing) -> tuple[Effect, ...]:
            role = thing.places["role"]
            return tuple(effect._replace(who=role, name=effect.name or thing.name) for effect in self.price)

        parts: dict[str, Any] = {
            "group": "{giver} helps",
            "label": "{giver}: {name}",
            "price": price,
            "slot": "help of {id}",
        }
        if self.is_tapped:
            yield SheetOffer(self.section, self.brings, "{now}", by="helper", mark="!help", rule=self.rule, **parts)

    def completed(self, values: Mapping[str, Any], participants: Participants) -> dict[str, Any]:
        """What helpers bring, one after the other as they take part; what their sheets say where nobody says more."""
        if not participants.helpers:
            return {}
        left = list(sources_of(values.get(self.brings)))
        found = []
        for helper in participants.helpers:
            own = [each for each in left if _is_of(helper, each)]
            left = [each for each in left if each not in own]
            n = sum(each.n for each in own)
            if not own and self.item:
                n = helper.value(self.section, self.item, "now")
            found.append(own[0]._replace(n=n) if own else Source(helper.name, n))
        return {self.brings: Total([*found, *left])}


def _is_of(helper: Holder, source: Source) -> bool:
    """Whether a helper brings this: tapped on their sheet, or typed with their name."""
    return (source.offer or "").startswith(f"{helper.id}/") or source.label.partition(": ")[0] == helper.name


class Given(NamedTuple):
    """Reads what one helper gives of their dice, by what they bring."""

    helpers: WrittenHelpers
    values: tuple[tuple[str, Any], ...]

    @property
    def inputs(self) -> dict[str, Any]:
        """What formulas may use."""
        return dict(self.values)

    def read(self, faces: Faces) -> int:
        """What the helper gives."""
        return self.helpers.given(self.helpers.reading.all.read(faces), self.inputs)

    def odds(self, pool: Pool, up_to: int) -> Distribution[int]:
        """The exact odds of that."""
        values = self.inputs
        return self.helpers.reading.all.odds(pool, up_to).map(lambda value: self.helpers.given(value, values))


class Team:
    """The tree of one roll: its helpers one after the other, then the roll with what they gave."""

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
        source = self._sources[place]
        given = self._helpers.of(source, self._values)
        pool = self._helpers.pool(given.inputs)
        if not any(dice.n for dice in pool):
            return self._next(place + 1, helped + given.read(tuple(((),) for _ in pool)))
        name = source.label.partition(": ")[0] or f"Helper {place + 1}"
        return Throw(
            pool, given, lambda n: lazy(self._next, place + 1, helped + n), teller(pool), name,
            by=f"helper {place + 1}",
        )  # fmt: skip


def brought(part: Part) -> dict[str, Input]:
    """The input with what each helper brings: a number of each, by name."""
    if not part.has("helpers"):
        return {}
    helpers = part.part("helpers")
    most = _most(helpers)
    inputs = list(helpers.part("inputs").named_parts())
    if len(inputs) != 1:
        helpers.refuse('inputs has one number that each helper brings, such as inputs.aid = { help = "…", max = 5 }.')
    name, given = inputs[0]
    largest = given.whole("max")
    if not 0 <= largest <= LARGEST:
        given.refuse(f"max is {largest}; it must be from 0 to {LARGEST:,}.", "max")
    help, title, rule = given.text("help"), given.text("title", ""), given.rule(helpers.text("rule", ""))
    given.has("sheet")  # what of a helper's sheet it is; see read_helpers
    given.finish()
    made: Input = summed(
        0, most * largest, help, default=0, rule=rule, title=title, whose="helper", apart=True, each=(0, largest),
        dice=True,
    )  # fmt: skip
    if name in part.part("inputs").names():
        given.refuse(f'"{name}" is an input already; choose another name.')
    return {check_formula_name(name, given): made}


def _most(helpers: Part) -> int:
    most = helpers.whole("most")
    if not 1 <= most <= MOST:
        helpers.refuse(f"most is {most}; it must be from 1 to {MOST}.", "most")
    return most


def read_helpers(part: Part, ask: type[Ask], sections: Sequence[Section]) -> WrittenHelpers | None:
    """The helpers of a roll, if it has any."""
    if not part.has("helpers"):
        return None
    helpers = part.part("helpers")
    ((brings, input),) = helpers.part("inputs").named_parts()
    numbers = [name for name, each in ask.inputs.items() if each.kind in ("whole", "summed", "flag")]
    dice = tuple(_read_dice(helpers.part("dice"), numbers))
    names = [each.name for each in dice]
    try:
        formula = read_formula(helpers.text("gives", brings), names, numbers)
    except Refusal as refusal:
        helpers.refuse(f"{said(refusal)}.", "gives")
    gathered = Gathered((), names)
    gives = gathered.formula(formula)
    picks = dict.fromkeys(each for each in gives.names() if each.name in names and str(each) not in gathered.sums)
    reading = Picked(dice, tuple(picks), tuple(gathered.sums.values()), gathered.units)
    section = item = ""
    if input.has("sheet"):
        section, _, item = input.text("sheet").partition("/")
        found = section_of(input, section, sections, "sheet")
        if item or len(found.names) == 1:
            section, item = place_of(input, input.text("sheet"), sections, "sheet")
    rule = helpers.rule()
    prices = helpers.parts("price")
    if prices and (item or not section):
        helpers.refuse(
            "price is paid for the item that a helper brings; write sheet with a section of several.", "price"
        )
    price = tuple(_read_price(each, section, rule, sections) for each in prices)
    made = WrittenHelpers(_most(helpers), input.whole("max"), brings, gives, dice, reading, section, item, price, rule)
    helpers.finish()
    return made


def _read_dice(part: Part, numbers: list[str]) -> Iterator[NamedDice]:
    for name in part.names():
        check_formula_name(name, part)
        try:
            found = read_dice(name, part.text(name), numbers)
        except Refusal as refusal:
            part.refuse(f"{said(refusal)}.", name)
        if name in numbers:
            part.refuse(f'"{name}" is an input already; choose another name.', name)
        if found.explodes:
            part.refuse(f"{name} explodes without end, and helpers' dice cannot; a game in Python can.", name)
        yield found


def _read_price(part: Part, section: str, rule: str, sections: Sequence[Section]) -> Effect:
    """What a helper pays: a count of the sheet, or some of the item that they bring."""
    what, by = part.text("what"), part.whole("by")
    name, item = (section, "") if what == section else place_of(part, what, sections)
    part.finish()
    return Effect(name, "helper 1", by, item, rule, when="throw", cause="helps")
