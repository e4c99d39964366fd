"""What was put into a roll that is being built, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from astragal.table import event as e


def what_was_put(event: e.Opened | e.Built, plain: Callable[[Any], str]) -> Iterator[str]:
    """What somebody did: every input and offer that was put in, and every one that was taken out."""
    for name, value in event.inputs.items():
        yield f"takes {spoken(name)} out" if value is None else f"sets {spoken(name)} to {written(value, plain)}"
    for id, n in event.use.items():
        label = event.labels.get(id) or id.rpartition("/")[2].partition("!")[0]
        yield f"puts {label} in{f' ({n} times)' if n > 1 else ''}" if n else f"takes {label} out"


def written(value: Any, plain: Callable[[Any], str]) -> str:
    """An input as it was written; named sources keep their names."""
    if isinstance(value, dict):
        return ", ".join(f"{n} {label}".strip() for label, n in value.items())
    if isinstance(value, list):
        return ", ".join(" ".join(map(str, part)) if isinstance(part, list) else str(part) for part in value)
    return f'"{value}"' if isinstance(value, str) and " " in value else plain(value)


def hides(names: Sequence[str]) -> str:
    """What a GM did who hides these inputs."""
    *first, last = map(spoken, names or ["nothing any more"])
    return f"hides {', '.join(first)} and {last}" if first else f"hides {last}"


def spoken(field: str) -> str:
    """The name of a field or an input, as it is said."""
    return field.replace("_", " ")
