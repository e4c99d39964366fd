"""Inputs: what an ask takes, each declared once with its bounds, help text and rule.

Command-line options, JSON schemas, guided questions and refusals come from the declaration. ``check`` takes a value;
``read`` takes what a person or a program wrote.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from reprlib import repr as short_repr
from typing import Any

from astragal.errors import Illegal, Malformed, Refusal
from astragal.rule.inputs.total import Apart, Source, Total, capital, parse_total, sources_of, total

REQUIRED: Any = object()
"""The default of an input that has none."""
WORDS = ("help", "title", "asks", "granted")
"""What an input says to people; a file of words may say it in place of the declaration."""
MAX_WRITTEN = 4_000
"""Most characters of one input as it is written."""
MAX_TEXTS = 200
"""Most texts of an input that repeats."""


class Input(ABC):
    """Base of all inputs. ``guided``: a guided roll asks for it although it has a default.

    ``whose`` says who gives it at a table: ``roller``, ``target``, ``either`` of these, ``helper`` (any of them) or
    ``gm``, each besides a GM; or ``sheet``, where it is only read. ``live`` is the ``what`` of the effects that spend
    it while a roll is open: such an input is read from the sheets again with every choice. A number counts what the
    roll has spent already.
    ``told``: how the log and the story tell its value, such as ``"at stake: {}"``; nothing if it is not worth telling.
    ``title`` is its name for people, ``steps`` are usual values with their names, ``advanced`` puts it behind "More",
    and ``asks`` is what a button says while it is missing. ``granted``: it is a GM's to grant, and a player's entry is
    a claim, told in these words, such as "DC {}" (T-7).
    ``dice`` is False if no value of it changes the number, size or rerolls of the first throw: then people may type the
    dice, and all members see them, while its value is hidden (T-3). Text never does, unless it is declared.
    ``judged``: a GM judges it, so that a GM is asked first, and players only where there is no GM.
    ``reads`` names where a table reads it, unless it is given: a setting, such as ``options.die``, or a role, a
    section with one item and perhaps a field, such as ``roller.will`` or ``roller.power.length``, or a section and an
    item, such as ``scene.wards/North``, which is 0 where it is missing. A role alone is the name of the one who has it.
    ``unless`` has other inputs with values: where one of them has its value, this input is not required.
    """

    kind = "input"
    metavar = ""
    repeats = False
    name = ""

    told = ""
    texts: Mapping[str, str] = {}
    """Its words by their names, such as ``help``, if they stand in a file."""
    help: str
    title: str
    asks: str
    granted: str

    def __init__(
        self,
        help: str = "",
        default: Any = REQUIRED,
        rule: str = "",
        guided: bool = False,
        *,
        whose: str = "roller",
        live: str = "",
        told: str | None = None,
        title: str = "",
        steps: tuple[Any, ...] = (),
        advanced: bool | None = None,
        asks: str = "",
        dice: bool | None = None,
        granted: str = "",
        judged: bool = False,
        unless: tuple[tuple[str, Any], ...] = (),
        reads: str = "",
    ) -> None:
        self.reads = reads
        self.dice = dice
        self.judged = judged
        self.unless = unless
        self._steps = steps
        self.advanced = default is not REQUIRED if advanced is None else advanced
        for word, said in zip(WORDS, (help, title, asks, granted), strict=True):
            if said:
                setattr(self, word, said)
        self.whose = whose
        self.live = live
        self.default = default
        self.rule = rule
        self.guided = guided or default is REQUIRED
        if told is not None:
            self.told = told

    def __getattr__(self, name: str) -> str:
        """Words that the declaration leaves out: those of the ask's file, if it has any."""
        if name not in WORDS:
            raise AttributeError(f"an input has no {name!r}")
        return self.texts.get(name, "")

    @property
    def steps(self) -> tuple[tuple[Any, str], ...]:
        """Usual values with their names; those that are declared without one have that of the file."""
        return tuple(
            [step if isinstance(step, tuple) else (step, self.texts.get(str(step), "")) for step in self._steps]
        )

    @property
    def option(self) -> str:
        """The name as it is written on a command line."""
        return self.name.replace("_", "-")

    @property
    def called(self) -> str:
        """Its name for people: its title, or its name in plain writing."""
        return self.title or capital(self.name.replace("_", " "))

    @property
    def required(self) -> bool:
        """True if the input has no default."""
        return self.default is REQUIRED

    def is_needed(self, values: Mapping[str, Any]) -> bool:
        """True if an ask with these values cannot do without it."""
        return self.required and not any(values.get(name) == value for name, value in self.unless)

    @property
    @abstractmethod
    def allowed(self) -> str:
        """The allowed values, as the second half of a refusal."""

    def bounds(self) -> dict[str, Any]:
        """The allowed values, as data for JSON schemas."""
        return {}

    @abstractmethod
    def check(self, value: Any) -> Any:
        """Return the value if it is allowed; otherwise raise a refusal."""

    def read(self, written: Any) -> Any:
        """Parse texts from a command line, or take a JSON value, and check the result."""
        return self.check(self.parse(self._texts(written)) if _is_text(written) else written)

    def _texts(self, written: str | list[str]) -> list[str]:
        """The texts; too long ones are refused unparsed."""
        texts = [written] if isinstance(written, str) else written
        if len(texts) > 1 and not self.repeats:
            raise Malformed(f"{self.option} takes one value, and {len(texts)} are given.", self.rule)
        if sum(map(len, texts)) > MAX_WRITTEN or len(texts) > MAX_TEXTS:
            raise Malformed(f"{self.option} is too long; at most {MAX_WRITTEN:,} characters are allowed.", self.rule)
        return texts

    @abstractmethod
    def parse(self, texts: list[str]) -> Any:
        """Parse texts; there is one, unless the input repeats."""

    def refusal(self, value: object, how: type[Refusal] = Illegal) -> Refusal:
        """The refusal that says what was given and what is allowed."""
        shown = f'"{value[:40]}"' if isinstance(value, str) else _called(value)
        return how(f"{self.option} is {shown}; {self.allowed}.", self.rule)


def _called(value: object) -> str:
    """A value that was sent in place of a text, in words."""
    names = {dict: "an object", list: "a list", tuple: "a list", type(None): "nothing"}
    return names.get(type(value)) or short_repr(value)[:40]


def _is_text(written: object) -> bool:
    if type(written) is int:
        return False
    return isinstance(written, str) or (isinstance(written, list) and set(map(type, written)) == {str})


MAX_DIGITS = 20
"""Most digits of a number; longer ones are refused unread."""


class Whole(Input):
    """A whole number within bounds."""

    kind = "whole"
    metavar = "N"

    def __init__(self, lowest: int, highest: int, help: str = "", **more: Any) -> None:
        super().__init__(help, **more)
        self.lowest = lowest
        self.highest = highest

    @property
    def allowed(self) -> str:
        return f"it must be a whole number from {_number(self.lowest)} to {_number(self.highest)}"

    def bounds(self) -> dict[str, Any]:
        return {"min": self.lowest, "max": self.highest}

    def check(self, value: Any) -> Any:
        """Return a whole number within bounds; None only if it is the default."""
        if type(value) is int and self.lowest <= value <= self.highest:
            return value
        if value is None and (self.default is None or self.unless):
            return value
        raise self.refusal(value, Illegal if type(value) is int else Malformed)

    def parse(self, texts: list[str]) -> int:
        """Parse the last text."""
        return parse_whole(texts[-1], self)


class Summed(Whole):
    """A whole number that may be given as named sources.

    ``each`` bounds every source, by the rule ``each_rule``. ``spends`` is the rule for spending points; without it,
    sources have no points. ``apart``: the sources are different people's, and not only their sum matters.
    """

    kind = "summed"
    metavar = "N"
    repeats = True
    told = "with {}"

    def __init__(
        self,
        lowest: int,
        highest: int,
        help: str = "",
        *,
        each: tuple[int, int] | None = None,
        each_rule: str = "",
        spends: str = "",
        apart: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(lowest, highest, help, **more)
        self.each = each
        self.each_rule = each_rule
        self.spends = spends
        self.apart = apart

    def bounds(self) -> dict[str, Any]:
        each = {"each": {"min": self.each[0], "max": self.each[1]}} if self.each else {}
        return {**super().bounds(), **each, "sources": True}

    def check(self, value: Any) -> Any:
        """Return a number within bounds whose sources are within theirs."""
        if type(value) is int and self.lowest <= value <= self.highest:
            return value
        if not isinstance(value, Total):
            return super().check(value)
        super().check(int(value))
        for source in value.sources:
            self._check_source(source)
        self._check_points(value.sources)
        return Apart(value.sources) if self.apart else value

    def _check_source(self, source: Source) -> None:
        named = f'"{source.label}" in {self.option}' if source.label else f"One part of {self.option}"
        if self.each and not self.each[0] <= source.n <= self.each[1]:
            low, high = self.each
            each = f"exactly {_number(low)}" if low == high else f"from {_number(low)} to {_number(high)}"
            raise Illegal(f"{named} is {_number(source.n)}; each must be {each}.", self.each_rule or self.rule)
        if source.held is not None and not self.spends:
            raise Malformed(f"{named} has a / in it; {self.option} spends no points.")

    def _check_points(self, sources: tuple[Source, ...]) -> None:
        """Refuse to spend more points of a source than it has."""
        for label, held in {(source.label, source.held) for source in sources if source.held is not None}:
            asked = sum(source.n for source in sources if source.label == label)
            if asked > (held or 0):
                raise Illegal(f"{label} has {held} to spend and {asked} were asked for; nothing is spent.", self.spends)

    def part(self, written: Any) -> int:
        """One person's entry, or those of several: each source is checked, the sum only with what comes besides."""
        if isinstance(written, dict):
            value: Any = total(written)
        else:
            value = self.parse(self._texts(written)) if _is_text(written) else written
        most = max(abs(self.lowest), abs(self.highest))
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > most:
            raise self.refusal(value, Illegal if isinstance(value, int) else Malformed)
        for source in sources_of(value) if isinstance(value, Total) else ():
            self._check_source(source)
        return value

    def parse(self, texts: list[str]) -> int:
        """Parse numbers and named sources, and add them up."""
        return parse_total(texts, self.option)

    def read(self, written: Any) -> Any:
        """Parse texts or take a JSON value; an object has a number for each label."""
        return self.check(total(written)) if isinstance(written, dict) else super().read(written)


class Numbers(Input):
    """A set of whole numbers, such as boxes of a track; with ``n``, exactly ``n`` numbers in order."""

    kind = "numbers"
    metavar = '"N N …"'
    repeats = True

    def __init__(self, lowest: int, highest: int, help: str = "", n: int | None = None, **more: Any) -> None:
        super().__init__(help, **{"default": (), **more})
        self.lowest = lowest
        self.highest = highest
        self.n = n

    @property
    def allowed(self) -> str:
        which = f"{self.n}" if self.n else "different"
        return f"it must be {which} whole numbers from {self.lowest} to {self.highest}"

    def bounds(self) -> dict[str, Any]:
        return {"min": self.lowest, "max": self.highest, **({"n": self.n} if self.n else {})}

    def check(self, value: Any) -> tuple[int, ...]:
        """Return the numbers as a tuple, sorted unless their order matters."""
        if not isinstance(value, (tuple, list)) or any(type(n) is not int for n in value):
            raise self.refusal(value, Malformed)
        many = len(value) == self.n if self.n else len(set(value)) == len(value)
        if not many or not all(self.lowest <= n <= self.highest for n in value):
            raise self.refusal(value)
        return tuple(value) if self.n else tuple(sorted(value))

    def parse(self, texts: list[str]) -> tuple[int, ...]:
        """Parse numbers from all texts."""
        words = " ".join(texts).replace(",", " ").replace("/", " ").split()
        return tuple([parse_whole(word, self) for word in words])


class OneOf(Input):
    """One of a few values."""

    kind = "one_of"

    def __init__(self, options: tuple[Any, ...], help: str = "", prefix: str = "", **more: Any) -> None:
        super().__init__(help, **more)
        self.options = options
        self.prefix = prefix
        self.metavar = "|".join(map(str, options))

    @property
    def allowed(self) -> str:
        *first, last = map(str, self.options)
        return f"it must be {', '.join(first)} or {last}"

    def bounds(self) -> dict[str, Any]:
        return {"options": list(self.options)}

    def check(self, value: Any) -> Any:
        """Return the option that equals the value or its text."""
        if value is None and self.default is None:
            return value
        for option in self.options:
            if type(value) in (int, str) and str(option) == str(value):
                return option
        raise self.refusal(value)

    def parse(self, texts: list[str]) -> Any:
        """Parse the last text, in upper or lower case, with or without the prefix."""
        written = texts[-1].strip().lower()
        for option in self.options:
            if str(option).lower() == written or (self.prefix and f"{self.prefix}{option}" == written):
                return option
        raise self.refusal(texts[-1])


class Flag(Input):
    """Yes or no; no by default."""

    kind = "flag"

    def __init__(self, help: str = "", **more: Any) -> None:
        super().__init__(help, **{"default": False, **more})

    allowed = "it must be yes or no"

    def check(self, value: Any) -> bool:
        """Return a boolean."""
        if type(value) is not bool:
            raise self.refusal(value, Malformed)
        return value

    def parse(self, texts: list[str]) -> bool:
        """Parse yes or no; an empty text is yes."""
        written = texts[-1].strip().lower()
        if written in ("yes", "y", "true", ""):
            return True
        if written in ("no", "n", "false"):
            return False
        raise self.refusal(texts[-1], Malformed)


def parse_whole(text: str, input: Input) -> int:
    """Parse a whole number in ASCII digits; refuse everything else."""
    digits = text.strip().replace("−", "-")
    unsigned = digits[1:] if digits[:1] in "+-" else digits
    if unsigned.isascii() and unsigned.isdigit() and len(unsigned) <= MAX_DIGITS:
        return int(digits)
    raise input.refusal(text, Malformed)


def _number(n: int) -> str:
    return f"{n:,}".replace("-", "−")
