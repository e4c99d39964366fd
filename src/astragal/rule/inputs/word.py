"""Text inputs: free text, and names with a keyword for each."""

from __future__ import annotations

from typing import Any

from astragal.rule.inputs.input import Input

MAX_WORDS = 400
"""Most characters of a text input; enough for a few sentences."""
MAX_ITEMS = 50
"""Most names in one ``Named`` input."""


class Words(Input):
    """Free text of one line or a few.

    ``names`` says that it names something the table keeps, by section and perhaps kind: ``clocks:threat``. At a table
    the name must be there, and one that is hidden stays hidden.
    """

    kind = "words"

    def __init__(self, help: str = "", names: str = "", **more: Any) -> None:
        super().__init__(help, **more)
        self.names = names

    metavar = "WORDS"
    allowed = f"it must be some words, at most {MAX_WORDS} characters"

    def bounds(self) -> dict[str, Any]:
        return {"max_length": MAX_WORDS}

    def check(self, value: Any) -> Any:
        """Return the text without surrounding spaces; None only if it is the default."""
        if value is None and self.default is None:
            return value
        if type(value) is not str or not value.strip() or len(value) > MAX_WORDS:
            raise self.refusal(value)
        return value.strip()

    def parse(self, texts: list[str]) -> str:
        """Take the last text."""
        return texts[-1]


class Named(Input):
    """Names with one of a few keywords for each, such as ``Stealth=expert``.

    ``boxes``: the names are items of a section, on the character's sheet and in the scene, each a box that is ticked
    for the first keyword and not for the second. Those of the character are ticked beforehand by a flag of the item.
    """

    kind = "named"
    repeats = True

    def __init__(
        self, options: tuple[str, ...], help: str = "", *, boxes: tuple[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(help, **{"default": (), **more})
        self.options = options
        self.boxes = boxes
        self.metavar = f"NAME={'|'.join(options)}"

    @property
    def allowed(self) -> str:
        return f"it must be a name, = and one of {', '.join(self.options)}; at most {MAX_ITEMS} of them"

    def bounds(self) -> dict[str, Any]:
        return {"options": list(self.options), "max_items": MAX_ITEMS}

    def check(self, value: Any) -> tuple[tuple[str, str], ...]:
        """Return pairs of a name and a keyword."""
        if not isinstance(value, (tuple, list)) or len(value) > MAX_ITEMS:
            raise self.refusal(value)
        return tuple(self._pair(item) for item in value)

    def _pair(self, item: Any) -> tuple[str, str]:
        if not isinstance(item, (tuple, list)) or len(item) != 2 or not all(isinstance(part, str) for part in item):
            raise self.refusal(item)
        name, word = item
        if word not in self.options or not 0 < len(name) <= MAX_WORDS:
            raise self.refusal(f"{name}={word}")
        return name, word

    def parse(self, texts: list[str]) -> tuple[tuple[str, ...], ...]:
        """Parse ``name=keyword`` from every text."""
        pairs = (text.rpartition("=") for text in texts)
        return tuple((name.strip(), word.strip().lower()) for name, _, word in pairs)
