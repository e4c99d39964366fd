"""What the sentences about one entry are told by: the table, who acted, and which seat reads them."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import NamedTuple

from astragal.table.state import Member, State


class Telling(NamedTuple):
    """One entry that is told to one seat."""

    state: State
    who: str
    """The name of whoever acted."""
    member: Member | None
    name: Callable[[str], str]
    """The name of a member or holder, if the seat may know it."""
    told: Container[str] = ()
    """Rolls that are told as a whole in this entry; what was put in needs no words of its own then."""
    by: str = ""
    """The id of whoever acted."""
    answers: Container[str] = ()
    """Rolls that were opened in this entry in answer to a request, which has told what the GM put in."""


def start(text: str) -> str:
    """A name at the start of a sentence."""
    return text[:1].upper() + text[1:]
