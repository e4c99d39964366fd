"""Inputs: what an ask takes, each declared once with its bounds, its help and its rule.

Command-line options, the listing for programs, a guided question and every refusal
come from the declaration. ``check`` takes a value, ``read`` what a person or a
program wrote.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from astragal.errors import Illegal, Malformed, Refusal
from astragal.rule.total import Total, parse_total

MAX_WORDS = 400
MAX_ITEMS = 50
REQUIRED: Any = object()


class Input:
    """What every kind of input has."""

    kind = "input"
    metavar = ""
    repeats = False
    name = ""

    def __init__(self, help: str, default: Any = REQUIRED, rule: str = "", guided: bool = False) -> None:
        self.help = help
        self.default = default
        self.rule = rule
        self.guided = guided or default is REQUIRED

    @property
    def option(self) -> str:
        """The name as it is written on a command line."""
        return self.name.replace("_", "-")

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def allowed(self) -> str:
        """What is allowed, to end a sentence with."""
        raise NotImplementedError

    def bounds(self) -> dict[str, Any]:
        """What is allowed, for a program."""
        return {}

    def check(self, value: Any) -> Any:
        """The value, if it is within bounds."""
        raise NotImplementedError

    def read(self, written: Any) -> Any:
        """The value of what was written: texts from a command line, or a JSON value."""
        return self.check(self.parse(_texts(written)) if _is_text(written) else written)

    def parse(self, texts: list[str]) -> Any:
        """The value of a text; the last one wins unless the input repeats."""
        raise NotImplementedError

    def refusal(self, value: object, how: type[Refusal] = Illegal) -> Refusal:
        shown = f'"{value[:40]}"' if isinstance(value, str) else repr(value)[:40]
        return how(f"{self.option} is {shown}; {self.allowed}.", self.rule)


class Whole(Input):
    """A whole number within bounds."""

    kind = "whole"
    metavar = "N"

    def __init__(self, lowest: int, highest: int, help: str, **more: Any) -> None:
        super().__init__(help, **more)
        self.lowest = lowest
        self.highest = highest

    @property
    def allowed(self) -> str:
        return f"it must be a whole number from {_number(self.lowest)} to {_number(self.highest)}"

    def bounds(self) -> dict[str, Any]:
        return {"min": self.lowest, "max": self.highest}

    def check(self, value: Any) -> Any:
        if value is None and self.default is None:
            return value
        if type(value) is not int:
            raise self.refusal(value, Malformed)
        if not self.lowest <= value <= self.highest:
            raise self.refusal(value)
        return value

    def parse(self, texts: list[str]) -> int:
        return parse_whole(texts[-1], self)


class Summed(Whole):
    """A whole number within bounds that may be given as named sources."""

    kind = "summed"
    metavar = "N"
    repeats = True

    def __init__(
        self,
        lowest: int,
        highest: int,
        help: str,
        each: tuple[int, int] | None = None,
        each_rule: str = "",
        spends: str = "",
        **more: Any,
    ) -> None:
        super().__init__(lowest, highest, help, **more)
        self.each = each
        self.each_rule = each_rule
        self.spends = spends

    def bounds(self) -> dict[str, Any]:
        each = {"each": {"min": self.each[0], "max": self.each[1]}} if self.each else {}
        return {**super().bounds(), **each, "sources": True}

    def check(self, value: Any) -> Any:
        if not isinstance(value, Total):
            return super().check(value)
        super().check(int(value))
        for source in value.sources:
            self._check_source(source.label, source.n, source.held)
        return value

    def _check_source(self, label: str, n: int, held: int | None) -> None:
        named = f'"{label}" in {self.option}' if label else f"One part of {self.option}"
        if self.each and not self.each[0] <= n <= self.each[1]:
            low, high = self.each
            each = f"exactly {_number(low)}" if low == high else f"from {_number(low)} to {_number(high)}"
            raise Illegal(f"{named} is {_number(n)}; each must be {each}.", self.each_rule or self.rule)
        if held is not None and not self.spends:
            raise Malformed(f"{named} has a / in it; {self.option} spends no points.")
        if held is not None and n > held:
            raise Illegal(f"{label} has {held} to spend and {n} were asked for; nothing is spent.", self.spends)

    def parse(self, texts: list[str]) -> int:
        return parse_total(texts, self.option)

    def read(self, written: Any) -> Any:
        if isinstance(written, dict):
            written = [f"{n} {label}" for label, n in written.items()]
        return super().read(written)


class OneOf(Input):
    """One of a few values."""

    kind = "one_of"

    def __init__(self, options: tuple[Any, ...], help: str, prefix: str = "", **more: Any) -> None:
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
        if value is None and self.default is None:
            return value
        for option in self.options:
            if type(option) is type(value) and option == value:
                return option
        raise self.refusal(value)

    def parse(self, texts: list[str]) -> Any:
        written = texts[-1].strip().lower()
        for option in self.options:
            if str(option) == written or (self.prefix and f"{self.prefix}{option}" == written):
                return option
        raise self.refusal(texts[-1])


class Flag(Input):
    """Yes or no; no unless said."""

    kind = "flag"

    def __init__(self, help: str, **more: Any) -> None:
        super().__init__(help, **{"default": False, **more})

    allowed = "it must be yes or no"

    def check(self, value: Any) -> bool:
        if type(value) is not bool:
            raise self.refusal(value, Malformed)
        return value

    def parse(self, texts: list[str]) -> bool:
        written = texts[-1].strip().lower()
        if written in ("yes", "y", "true", ""):
            return True
        if written in ("no", "n", "false"):
            return False
        raise self.refusal(texts[-1], Malformed)


class Words(Input):
    """A few words."""

    kind = "words"
    metavar = "WORDS"
    allowed = f"it must be some words, at most {MAX_WORDS} characters"

    def bounds(self) -> dict[str, Any]:
        return {"max_length": MAX_WORDS}

    def check(self, value: Any) -> Any:
        if value is None and self.default is None:
            return value
        if type(value) is not str or not value.strip() or len(value) > MAX_WORDS:
            raise self.refusal(value)
        return value.strip()

    def parse(self, texts: list[str]) -> str:
        return texts[-1]


class Numbers(Input):
    """Several different whole numbers, such as boxes of a track."""

    kind = "numbers"
    metavar = '"N N …"'
    repeats = True

    def __init__(self, lowest: int, highest: int, help: str, **more: Any) -> None:
        super().__init__(help, **{"default": (), **more})
        self.lowest = lowest
        self.highest = highest

    @property
    def allowed(self) -> str:
        return f"it must be different whole numbers from {self.lowest} to {self.highest}"

    def bounds(self) -> dict[str, Any]:
        return {"min": self.lowest, "max": self.highest}

    def check(self, value: Any) -> tuple[int, ...]:
        if not isinstance(value, (tuple, list)) or any(type(n) is not int for n in value):
            raise self.refusal(value, Malformed)
        if len(set(value)) < len(value) or not all(self.lowest <= n <= self.highest for n in value):
            raise self.refusal(value)
        return tuple(sorted(value))

    def parse(self, texts: list[str]) -> tuple[int, ...]:
        return tuple(parse_whole(word, self) for text in texts for word in text.replace(",", " ").split())


class Named(Input):
    """Things with a word for each, such as ``Stealth=expert``."""

    kind = "named"
    repeats = True

    def __init__(self, options: tuple[str, ...], help: str, **more: Any) -> None:
        super().__init__(help, **{"default": (), **more})
        self.options = options
        self.metavar = f"NAME={'|'.join(options)}"

    @property
    def allowed(self) -> str:
        return f"it must be a name, = and one of {', '.join(self.options)}; at most {MAX_ITEMS} of them"

    def bounds(self) -> dict[str, Any]:
        return {"options": list(self.options), "max_items": MAX_ITEMS}

    def check(self, value: Any) -> tuple[tuple[str, str], ...]:
        pairs = tuple(tuple(pair) for pair in value) if isinstance(value, (tuple, list)) else None
        if pairs is None or len(pairs) > MAX_ITEMS:
            raise self.refusal(value)
        for pair in pairs:
            if len(pair) != 2 or pair[1] not in self.options or not 0 < len(pair[0]) <= MAX_WORDS:
                raise self.refusal("=".join(map(str, pair)))
        return pairs

    def parse(self, texts: list[str]) -> tuple[tuple[str, ...], ...]:
        pairs = (text.rpartition("=") for text in texts)
        return tuple((name.strip(), word.strip().lower()) for name, _, word in pairs)


def parse_whole(text: str, input: Input) -> int:
    """A whole number in plain digits; everything else is refused."""
    digits = text.strip().replace("−", "-")
    if digits.lstrip("+-").isdigit() and digits.isascii() and digits.count("+") + digits.count("-") <= 1:
        return int(digits) if len(digits) < 100 else 10**100
    raise input.refusal(text, Malformed)


def _number(n: int) -> str:
    return f"{n:,}".replace("-", "−")


def _is_text(written: object) -> bool:
    return isinstance(written, str) or (isinstance(written, list) and bool(written) and isinstance(written[0], str))


def _texts(written: str | Iterable[str]) -> list[str]:
    return [written] if isinstance(written, str) else list(written)
