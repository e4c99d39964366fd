"""What the sentences about one entry are told by: the table, who acted, and which seat reads them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from astragal.table import event as e
from astragal.table.state import Member, State


class Telling(NamedTuple):
    """One entry, written for one seat."""

    state: State
    who: str
    """The name of the member who acted."""
    member: Member | None
    name: Callable[[str], str]
    """The name of a member or holder, if the seat may know it."""
    told: Container[str] = ()
    """Rolls that are told as a whole in this entry; what was put in needs no words of its own then."""
    by: str = ""
    """The id of the member who acted."""
    answers: Container[str] = ()
    """Rolls that were opened in this entry in answer to a request, which has told what the GM put in."""


def start(text: str) -> str:
    """A name at the start of a sentence."""
    return text[:1].upper() + text[1:]


# What was put into a roll that is being gathered, in words.


LETTERS = frozenset({"dc", "gm", "ip", "xp"})
"""Words that are said letter by letter."""


def what_was_put(event: e.Opened | e.Built, plain: Callable[[Any], str], whose: str = "") -> Iterator[str]:
    """The inputs and offers that a member put in or took out, each as the rest of a sentence.

    ``whose`` names the member whose entries are taken out, if that is another member.
    """
    for name, value in event.inputs.items():
        if value is None and event.deeds:
            continue  # what was done takes its place
        title, said = event.labels.get(name, ""), called(name, event.labels)
        if value is None:
            yield f"takes {f'{whose} ' if whose else ''}{said} out"
        elif name in event.claims:
            yield f"claims {event.claims[name]}"
        elif name in event.sources:
            yield f"puts {written(value, plain)} into {said}"
        elif title.endswith("?"):
            yield f"answers {said} with {written(value, plain)}"
        else:
            yield f"sets {said} to {written(value, plain)}"
    for id, n in event.use.items():
        if n and id in event.deeds:
            yield event.deeds[id]
            continue
        label = event.labels.get(id) or id.rpartition("/")[2].partition("!")[0]
        yield f"puts {label} in{f' ({n} times)' if n > 1 else ''}" if n else f"takes {label} out"


def written(value: Any, plain: Callable[[Any], str]) -> str:
    """An input as it was written; named sources keep their names."""
    if isinstance(value, dict):
        return ", ".join(f"{n} {label}".strip() for label, n in value.items())
    if isinstance(value, list):
        return ", ".join(" ".join(map(str, part)) if isinstance(part, list) else str(part) for part in value)
    return f'"{value}"' if isinstance(value, str) and " " in value else plain(value)


def hides(names: Sequence[str], titles: Mapping[str, str]) -> str:
    """The rest of a sentence about a GM who hides these inputs."""
    *first, last = [called(name, titles) for name in names] or ["nothing any more"]
    return f"hides {', '.join(first)} and {last}" if first else f"hides {last}"


def called(name: str, titles: Mapping[str, str]) -> str:
    """The name of an input in a sentence: its title if it has one there, else its name."""
    return f'"{titles[name]}"' if titles.get(name) else spoken(name)


def spoken(field: str) -> str:
    """The name of a field or an input, as it is said."""
    return " ".join([word.upper() if word in LETTERS else word for word in field.split("_")])
