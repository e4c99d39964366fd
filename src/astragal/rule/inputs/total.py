"""A total that remembers its sources: ``5`` that is ``2 Agility + 2 Stealth + 1 dark clothes``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from reprlib import repr as short_repr
from typing import Any, NamedTuple

from astragal.errors import Malformed

MAX_SOURCES = 50
"""Most sources of one total."""
MAX_LABEL = 80
"""Most characters of a source's label."""
MAX_DIGITS = 20
"""A source's number has fewer digits than this; longer ones are refused unread."""


class Source(NamedTuple):
    """A label and a number; ``held`` is how many points the source has, where points are spent.

    ``offer`` is the id of the offer that added the source, and empty for a source that was typed. None means unknown,
    as in the logs of 0.5.
    """

    label: str
    n: int
    held: int | None = None
    offer: str | None = ""

    def values(self) -> dict[str, Any]:
        """Label, number and points as plain data, for JSON."""
        return {"label": self.label, "n": self.n, "held": self.held}

    def __str__(self) -> str:
        held = f"/{self.held}" if self.held is not None else ""
        return f"{self.n}{held} {self.label}".strip()


class Total(int):
    """An ``int`` that remembers the named sources it was added up from."""

    sources: tuple[Source, ...]

    def __new__(cls, sources: Iterable[Source]) -> Total:
        """The sum of the sources."""
        parts = tuple(sources)
        self = super().__new__(cls, sum(part.n for part in parts))
        self.sources = parts
        return self

    def __str__(self) -> str:
        return int.__repr__(self)

    def __repr__(self) -> str:
        return f"Total({list(map(str, self.sources))!r})"


class Apart(Total):
    """A total of several people's numbers: another one equals it only if each person's number is the same."""

    def _shares(self) -> tuple[tuple[str, int], ...]:
        return tuple([(source.label, source.n) for source in self.sources])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Apart) and other._shares() == self._shares()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._shares())


def total(parts: Mapping[str, int]) -> Total:
    """Add up named sources: ``total({"Agility": 2, "gear": 1})`` is a 3 that knows where it comes from."""
    if len(parts) > MAX_SOURCES:
        raise Malformed(f"A number has at most {MAX_SOURCES} sources, not {len(parts):,}.")
    for label, n in parts.items():
        if type(n) is not int or not 0 < len(label) <= MAX_LABEL:
            raise Malformed(
                f'"{label[:40]}": {short_repr(n)[:20]} is not a source; a source is a label and a whole number.'
            )
    return Total(Source(label, n) for label, n in parts.items())


def sources_of(number: int | None, label: str = "") -> tuple[Source, ...]:
    """The sources of a number; a plain number is one source, 0 has none, and neither has what is left out."""
    if isinstance(number, Total):
        return number.sources
    return (Source(label, number),) if number else ()


def format_sources(sources: Iterable[Source]) -> str:
    """Bonuses first, then penalties: ``2 Agility + 1 gear − 1 dim light``."""
    text = ""
    for label, n, *_ in sorted(sources, key=lambda source: source.n < 0):
        sign = (" − " if n < 0 else " + ") if text else ("−" if n < 0 else "")
        text += f"{sign}{abs(n)} {label}".rstrip()
    return text or "0"


def format_total(sources: Sequence[Source]) -> str:
    """``2 Agility + 1 gear = 3``; a single source is its own sum."""
    if len(sources) < 2:
        return format_sources(sources)
    return f"{format_sources(sources)} = {signed(sum(source.n for source in sources)).removeprefix('+')}"


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 die``, ``2 dice``; without ``many``, the plural adds an s."""
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def listed(names: list[str], joined: str = "and") -> str:
    """Names in a row: "Ada, Ben and Cat"."""
    *most, last = names
    return f"{', '.join(most)} {joined} {last}" if most else last


def capital(text: str) -> str:
    """The text as a sentence begins with it."""
    return text[:1].upper() + text[1:]


def signed(n: int) -> str:
    """``+3``, ``−2`` or ``+0``, with a minus sign and not a hyphen."""
    return f"{n:+}".replace("-", "−")


def texts_of(written: Any) -> list[str]:
    """A number or its sources as texts, one for each source, however they were written."""
    if isinstance(written, Mapping):
        return [f"{n} {label}" for label, n in written.items()]
    texts = written if isinstance(written, list) else [str(written)]
    return [part.strip() for text in texts for part in str(text).split(",")]


def parse_total(texts: Sequence[str], name: str) -> int:
    """``"5"``, ``"2 Agility, 1 gear"`` or ``"Agility 2, gear 1"``; several texts are added up."""
    parts = [_parse_source(part, name) for text in texts for part in text.split(",")]
    if len(parts) > 1 and not all(part.label for part in parts) and any("," in text for text in texts):
        raise Malformed(f'Every one of several sources of {name} needs a label, as in "2 Agility, 1 gear".')
    if len(parts) == 1 and not parts[0].label and parts[0].held is None:
        return parts[0].n
    if len(parts) > MAX_SOURCES:
        raise Malformed(f"{name} has {len(parts)} sources; at most {MAX_SOURCES} are taken.")
    return Total(parts)


def _parse_source(text: str, name: str) -> Source:
    """Read one source; its number stands before or after its label."""
    parts = text.replace("=", " ").replace(":", " ").split()
    number = _parse_number(parts[0]) if parts else None
    label = " ".join(parts[1:])
    if number is None and parts:
        number, label = _parse_number(parts[-1]), " ".join(parts[:-1])
    if number is None:
        raise Malformed(
            f'{name} is "{text.strip()[:40]}"; it takes a whole number such as 2, '
            'or sources such as "2 Agility, 1 gear".'
        )
    if len(label) > MAX_LABEL:
        raise Malformed(f"A source of {name} has a label of {len(label)} characters; at most {MAX_LABEL} are taken.")
    return Source(label, *number)


def _parse_number(word: str) -> tuple[int, int | None] | None:
    """``2``, ``+2``, ``-2``, or ``2/5`` for 2 of 5 points."""
    n, slash, held = word.replace("−", "-").partition("/")
    digits = n[1:] if n[:1] in "+-" else n
    if not _is_number(digits) or (slash and not _is_number(held)):
        return None
    return int(n), int(held) if slash else None


def _is_number(digits: str) -> bool:
    return digits.isascii() and digits.isdigit() and len(digits) < MAX_DIGITS
