"""Messages for Discord: answers to interactions, within Discord's bounds, that mention no one and show no previews."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from astragal.serve.chat.discord.interaction import EPHEMERAL
from astragal.serve.chat.text import content_of, cut, plain

PONG, MESSAGE, UPDATE, CHOICES, MODAL = 1, 4, 7, 8, 9
"""Types of answers."""
NO_PREVIEWS = 4
ROWS, IN_ROW = 5, 5
"""Rows of buttons below a message, and buttons in a row."""
MAX_LABEL, MAX_ID, MAX_TITLE = 80, 100, 45
MAX_CHOICES = 25
GREY, BLUE = 2, 1


class Button(NamedTuple):
    """A button: its id, its label, and True for the option that helps most."""

    id: str
    label: str
    best: bool = False


def message(
    lines: Iterable[str], buttons: Sequence[Button] = (), *, private: bool = False, update: bool = False
) -> dict[str, Any]:
    """A message of escaped lines, or the new content of the message with the button."""
    data = {
        "content": content_of(lines) or "\u200b",
        "allowed_mentions": {"parse": []},
        "flags": NO_PREVIEWS | (EPHEMERAL if private else 0),
        "components": _rows(buttons),
    }
    return {"type": UPDATE if update else MESSAGE, "data": data}


def refused(sentence: str) -> dict[str, Any]:
    """A refusal, visible only to the caller."""
    return message([plain(sentence)], private=True)


def _rows(buttons: Sequence[Button]) -> list[dict[str, Any]]:
    few = [button for button in buttons if len(button.id) <= MAX_ID][: ROWS * IN_ROW]
    rows = [few[at : at + IN_ROW] for at in range(0, len(few), IN_ROW)]
    return [{"type": 1, "components": [_button(button) for button in row]} for row in rows]


def _button(button: Button) -> dict[str, Any]:
    # A label is never formatted, so nothing in it needs to be escaped.
    label = cut(" ".join(button.label.split()), MAX_LABEL)
    return {"type": 2, "style": BLUE if button.best else GREY, "label": label, "custom_id": button.id}


def choices(values: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Completions of a text: the shown name and the value of each."""
    few = [{"name": cut(name, 100), "value": value} for name, value in values if 0 < len(value) <= 100 and name]
    return {"type": CHOICES, "data": {"choices": few[:MAX_CHOICES]}}


def modal(id: str, title: str, label: str, most: int) -> dict[str, Any]:
    """A window with one field for a text."""
    field = {"type": 4, "custom_id": "words", "style": 2, "label": cut(label, MAX_TITLE), "max_length": most}
    rows = [{"type": 1, "components": [field | {"min_length": 1, "required": True}]}]
    return {"type": MODAL, "data": {"custom_id": id, "title": cut(title, MAX_TITLE), "components": rows}}
