"""Names that people type: whose something is, whether two mean the same, and what an item is called (RW-13)."""

from __future__ import annotations

import re

from astragal.author import Holder, Item, free_name

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
"""A word, without the signs around it."""
ENGLISH = "a an the this that these those my your his her its our their some any same"
GERMAN = (
    "der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem jener jene jenes jenen "
    "jenem mein meine meinen meinem dein deine deinen deinem sein seine seinen seinem ihr ihre ihren ihrem unser "
    "unsere unseren unserem"
)
DETERMINERS = frozenset((*ENGLISH.split(), *GERMAN.split()))
"""Words that do not tell one thing from another, in the languages of the page."""


def is_whose(item: Item, holder: Holder | None) -> bool:
    """True if the holder owns the item: by name, or by id as in tables of 0.6 and earlier."""
    whose = item.get("whose")
    if holder is None or not whose:
        return holder is None and not whose
    return bool(whose == holder.id or whose.strip().lower() == holder.name.strip().lower())


def same_words(one: str, other: str) -> bool:
    """True if two texts say the same, without regard to case, spacing, articles and the like (RW-13)."""
    return _telling_words(one) == _telling_words(other)


def _telling_words(text: str) -> list[str]:
    """The words of a text that tell it from others; of one that has no others, all."""
    words = [word for word in WORD.findall(text.casefold()) if word]
    return [word for word in words if word not in DETERMINERS] or words


def item_name(wanted: str) -> str:
    """Words as the name of an item: no stroke, and not too long."""
    return free_name(wanted, {})
