"""An open roll, as a policy of one's own looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from astragal.errors import Illegal, Malformed, Unknown, meant
from astragal.rule.tree.node import Choice


class OpenRoll:
    """A roll that waits for an answer. The fields of its result so far are attributes: ``roll.marks``.

    ``choice`` has the rest: its name, who decides, and the options with their costs.
    """

    __slots__ = ("choice",)

    def __init__(self, choice: Choice[Any]) -> None:
        self.choice = choice

    def can(self, name: str) -> bool:
        """Return True if this answer is allowed now."""
        return name in self.choice.options

    def __getattr__(self, name: str) -> Any:
        """Return a field of the result so far; a name that it does not have is refused with those that it has."""
        if name.startswith("_"):
            raise AttributeError(name)
        result = self.choice.so_far
        if hasattr(result, name):
            return getattr(result, name)
        fields = getattr(result, "_fields", ())
        if not fields:
            raise Unknown(f'There is no "{name}" here: at the choice "{self.choice.name}" there is no result yet.')
        raise Unknown(f'There is no field "{name}" here; there are {", ".join(fields)}.{meant(name, fields)}')


Own: TypeAlias = Callable[[OpenRoll], "str | None"]
"""A policy of one's own: the name of an option, or None to leave the roll as it is."""


def answer_of(own: Own, choice: Choice[Any]) -> str:
    """Return what this policy answers, empty if it leaves the roll as it is; what is not allowed is refused."""
    given = own(OpenRoll(choice))
    if given is not None and not isinstance(given, str):
        raise Malformed(f"A policy answers with the name of an option or None, not with a {type(given).__name__}.")
    answer = given or ""
    if answer in choice.barred:
        why, rule = choice.barred[answer][:2]
        raise Illegal(f'The policy answered "{answer}". {why}', rule)
    if answer and answer not in choice.options:
        names = tuple(choice.options)
        raise Unknown(
            f'The policy answered "{answer[:40]}" at the choice "{choice.name}"; there are {", ".join(names)}.'
            + meant(answer, names)
        )
    if not answer and choice.so_far is None and not choice.passes:
        raise Illegal(f'The choice "{choice.name}" needs an answer: {", ".join(choice.options)}.')
    return answer
