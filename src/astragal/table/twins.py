"""Twins: names that cannot be told apart by eye, by Unicode's table of look-alike characters (UTS #39)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from unicodedata import category, normalize

from astragal.errors import Illegal
from astragal.explain.visible import BLANKS

TABLE = Path(__file__).with_name("confusables.txt")


@cache
def _prototypes() -> dict[int, str]:
    """The prototype of each look-alike character."""
    found: dict[int, str] = {}
    for line in TABLE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            prototype, twins = line.split(":")
            text = "".join(chr(int(code, 16)) for code in prototype.split())
            found.update((int(code, 16), text) for code in twins.split())
    return found


@lru_cache(4096)
def skeleton(name: str) -> str:
    """The shape of a name; names with equal skeletons look the same. It is not for reading."""
    seen = "".join(character for character in normalize("NFKD", name) if not _is_unseen(character))
    return normalize("NFD", seen.translate(_prototypes()))


def _is_unseen(character: str) -> bool:
    """True if a character leaves no trace: joiners and other formats, variation selectors, fillers."""
    return (
        category(character) == "Cf"
        or character in BLANKS
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
    )


def look_alike(one: str, other: str) -> bool:
    """True if two names look the same, with the letters' case or without it."""
    return skeleton(one) == skeleton(other) or skeleton(one.casefold()) == skeleton(other.casefold())


def refuse_twin(name: str, others: Iterable[str], there: str = "who is at this table already") -> None:
    """Refuse a name that looks like one of the others without being the same."""
    own = name.casefold()
    twin = next((other for other in others if other and other.casefold() != own and look_alike(name, other)), None)
    if twin is not None:
        raise Illegal(f'"{name}" looks like "{twin}", {there}; take one that can be told apart.')


def refuse_twins(names: Iterable[str]) -> None:
    """Refuse names if two of them look the same."""
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(skeleton(name.casefold()), name)
        refuse_twin(name, [twin], "which is on the same sheet")
