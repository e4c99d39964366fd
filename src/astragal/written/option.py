"""Options after the dice of a written game: throw some again or throw more, pay, take an offer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from astragal.rule.tree.effect import Effect, Role
from astragal.written.change import CHARACTER, Names, WrittenChange, place_of, read_by, read_change, read_when
from astragal.written.document import Part
from astragal.written.formula import Formula, Values
from astragal.written.inputs import check_formula_name
from astragal.written.pools import NamedDice, SymbolDice

REST = "settle"
"""The name of the option that leaves the roll as it is."""
WHO = ("roller", "gm", "target")


class Price(NamedTuple):
    """What an option costs: an item of the payer's sheet changes ``by`` so much, or becomes ``to``."""

    what: str
    item: str = ""
    input: str = ""
    """The input with what is held when the dice are thrown."""
    by: int = 0
    to: Formula | int | None = None
    bounds: tuple[int, int] = (0, 0)
    who: Role = "roller"

    def left(self, held: int, inputs: Values) -> int:
        """How much there is once it is paid."""
        if isinstance(self.to, Formula):
            least, most = self.bounds
            return min(max(int(self.to.value(inputs)), least), most)
        return held + self.by if self.to is None else self.to

    def effect(self, held: int, inputs: Values, cause: str, rule: str) -> Effect:
        """The price as an effect, given how much there is."""
        by = self.left(held, inputs) - held
        return Effect(self.what, self.who, by, self.item, rule, "answer", cause, price=self.to is None)


class WrittenOption(NamedTuple):
    """An option after the dice, as it was written."""

    name: str
    title: str
    rule: str
    by: str = "roller"
    when: Formula | None = None
    bars: str = ""
    again: Mapping[str, frozenset[Any]] = {}
    """The dice that are thrown again, each with the faces that stay."""
    more: Mapping[str, int] = {}
    chosen: str = ""
    """The dice among which the roller chooses those that are thrown again; none if all of ``again`` are."""
    most: int | None = 1
    """How often it may be done; None if as often as it can be paid."""
    ends: bool = False
    price: tuple[Price, ...] = ()
    changes: tuple[WrittenChange, ...] = ()
    words: str = ""
    answers: Mapping[str, str] = {}
    """For an offer: the names and titles with which the roller accepts or declines."""
    gives: Formula | int | None = None
    """What a helper then gives; None if that does not change."""

    @property
    def counted(self) -> tuple[str, ...]:
        """The names, in formulas, for how often it was done, and accepted."""
        return (self.name, *list(self.answers)[:1])

    @property
    def throws(self) -> bool:
        """True if it throws dice."""
        return bool(self.again or self.more)

    def keeping(self, shown: Iterable[Any]) -> str:
        """The name of the answer that keeps these of the chosen dice."""
        return f"{self.name} keep {' '.join(map(str, shown)) or 'nothing'}"

    @property
    def may_matter(self) -> bool:
        """Whether it throws dice, or may bring the means for other options, whatever formulas say of it."""
        return self.throws or any(price.by > 0 or price.to is not None for price in self.price)

    def formulas(self) -> Iterator[Formula]:
        """The formulas of its condition and its changes."""
        yield from (self.when,) if self.when else ()
        yield from (formula for change in self.changes for formula in change.formulas())


def read_names(parts: Sequence[Part], taken: Iterable[str]) -> list[str]:
    """The names of options and answers that formulas may use."""
    names = []
    for part in parts:
        names.append(check_formula_name(part.text("name"), part))
        answers = part.part("answers").named_texts()
        if part.has("answers") and len(answers) != 2:
            part.refuse('answers has two, first the one that takes it: { take = "Yes", leave = "No" }.', "answers")
        for name in answers:
            check_formula_name(name, part.part("answers"))
        names += answers
    for part in parts:
        for name in (part.text("name"), *part.part("answers").names()):
            if name in (*taken, REST) or names.count(name) > 1:
                part.refuse(f'"{name}" is taken already; an option needs a name of its own.', "name")
    return names


def again_of(options: Iterable[WrittenOption]) -> dict[str, Mapping[str, frozenset[Any]]] | None:
    """What each option throws again; None if no dice come after the first ones."""
    found = {option.name: option.again for option in options if option.again}
    return found if found or any(option.more for option in options) else None


def matters_of(options: Iterable[WrittenOption], used: Iterable[str]) -> frozenset[str]:
    """The names of options and answers to count: those that formulas use, and options with a limit."""
    return frozenset((*used, *(option.name for option in options if option.most)))


def read_option(part: Part, rule: str, names: Names, dice: Iterable[Any], used: Collection[str]) -> WrittenOption:
    """The option in a part of the file; ``used`` are the names that formulas of others use."""
    rule, by, when = part.rule(rule), part.choice("by", WHO, "roller"), read_when(part, names)
    if part.has("price") and by == "gm":
        part.refuse("a GM has no sheet to pay from; write [[roll.options.changes]].", "price")
    prices = tuple(_read_price(each, names, by) for each in part.parts("price"))
    ends, answers = part.yes("ends"), part.part("answers").named_texts()
    once = part.yes("once") if part.has("once") else not (prices or part.has("most"))
    most = 1 if once else part.whole("most") if part.has("most") else None
    if most is not None and (most < 1 or (once and part.has("most"))):
        part.refuse("most is how often it may be done, at least 1; once = true is the same as most = 1.", "most")
    changes = tuple(read_change(each, rule, names) for each in part.parts("changes"))
    there = {each.name: each for each in dice}
    again, more = _read_again(part, there), _read_more(part, there)
    chosen = next(iter(again), "") if part.yes("chosen") else ""
    if part.yes("chosen") and (len(again) != 1 or by != "roller" or part.has("words")):
        part.refuse("chosen is for again with dice of one name, among which the roller chooses.", "chosen")
    option = WrittenOption(
        part.text("name"), part.text("title"), rule, by, when, part.text("bars", ""), again, more, chosen, most, ends,
        prices, changes, part.text("words", ""), answers,
    )  # fmt: skip
    part.finish()
    if answers and by == "roller":
        part.refuse('answers is for offers of others; write by = "gm" with it.', "answers")
    if not (prices or most or (ends and (by == "roller" or answers))):
        part.refuse("once is false, but it costs nothing and does not end the roll, so it would never end.", "once")
    if option.bars and when is None:
        part.refuse("bars is the reason while when does not hold; there is no when.", "bars")
    if not (option.throws or prices or changes or ends or option.words or {*option.counted} & {*used}):
        part.refuse("this option does nothing; give it again, more, changes or ends, or use its name in a formula.")
    return option


def _read_again(part: Part, dice: Mapping[str, Any]) -> dict[str, frozenset[Any]]:
    """The dice that are thrown again, each with the faces that stay."""
    names = _listed(part.text("again", ""))
    for name in names:
        _check_throwable(part, name, dice, "again")
    given = part.any("except", [])
    if given and not names:
        part.refuse("except has the faces that again leaves alone; there is no again.", "except")
    each = given if isinstance(given, dict) else dict.fromkeys(names, given)
    for name, faces in each.items():
        part.among("except", "dice", names, name)
        kind = str if isinstance(dice[name], SymbolDice) else int
        if not isinstance(faces, list) or not all(type(face) is kind for face in faces):
            part.refuse(
                "except is a list of what dice show, such as [1, 6], or { body = [1, 6], kit = [6] }.", "except"
            )
    return {name: frozenset(each.get(name, ())) for name in names}


def _read_more(part: Part, dice: Mapping[str, Any]) -> dict[str, int]:
    """The numbers of extra dice: ``"1 pool"``, ``"2 body, 1 kit"``."""
    found = {}
    for text in _listed(part.text("more", "")):
        number = re.fullmatch(r"([1-9]\d{0,2}) +(\w+)", text)
        if number is None:
            part.refuse('more is the number and name of dice, such as "1 pool" or "2 body, 1 kit".', "more")
        _check_throwable(part, number[2], dice, "more")
        found[number[2]] = int(number[1])
    return found


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _check_throwable(part: Part, name: str, dice: Mapping[str, Any], key: str) -> None:
    part.among(key, "dice", dice, name)
    if not isinstance(dice[name], (NamedDice, SymbolDice)):
        part.refuse(f"{name} are cards; an option throws dice.", key)


def _read_price(part: Part, names: Names, who: Role) -> Price:
    name, item = place_of(part, part.text("what"), names.sheets[CHARACTER])
    input = next((input for input, path in names.reads.items() if path == f"{who}.{name}/{item}"), "")
    if not input:
        what = part.text("what")
        part.refuse(f'the roll must know how much there is: give it an input with sheet = "{what}".', "what")
    if part.has("by") == part.has("to"):
        part.refuse("a price has by, such as by = -1, or to for what is left, such as to = 2.")
    section = next(section for section in names.sheets[CHARACTER] if section.name == name)
    bounds = section.fields[section.counts].bounds()
    to = read_by(part, Names(numbers=names.inputs), "to") if part.has("to") else None
    if isinstance(to, int) and not bounds["min"] <= to <= bounds["max"]:
        part.refuse(f"to is {to}; it must be from {bounds['min']} to {bounds['max']}.", "to")
    price = Price(name, item, input, 0 if to is not None else part.whole("by"), to, (bounds["min"], bounds["max"]), who)
    part.finish()
    return price
