"""The words of a game: one TOML file for each language, which is read when the first of them is needed.

A section is a rule, or a roll or a thing that words belong to: ``NJ-10.highest`` is a sentence about rule NJ-10, and
``NJ-10.rule`` the rule itself. Texts have places as ``str.format`` does, and five more forms: ``{n:+}`` has a sign,
``{n:# Mark|# Marks}`` is one or many, with the number for ``#``, ``{names:list}`` is "Ada, Ben and Cat",
``{name:'s}`` is "Ada's" or "the wolves'", and ``{words:.}`` are words without a full stop at their end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any, TypedDict, TypeVar

from astragal.errors import Illegal, Refusal
from astragal.rule.inputs.total import listed, signed
from astragal.rule.tree.note import Note

T = TypeVar("T")
OWNER = "'s"
"""The shape of an owner's name."""
PLACE = re.compile(r"\{(\w*)(?::([^{}]*))?\}")
"""A place of a text: its name, and its shape."""
_TEXT = r'"(?P<{}>(?:[^"\\\n]++|\\["\\])*+)"'
_LINE = re.compile(
    rf"(?:\[(?P<section>[^\n\]]+)\]|(?:(?P<name>[\w.-]+)|{_TEXT.format('quoted')}) = "
    rf'(?:"""\n?(?P<long>(?:[^"\\]++|\\["\\]|"(?!""))*+)"""|{_TEXT.format("text")}))?(?:#[^\n]*)?(?:\n|\Z)'
)
"""A line of a file as most are written: a section, or a name and its text, or nothing but a remark."""


class Reason(TypedDict):
    """Why something changes, and by which rule."""

    cause: str
    rule: str


class Texts:
    """The words of a game by key, from the file at this path."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._forms: dict[str, Callable[..., str]] = {}

    @cached_property
    def all(self) -> Mapping[str, str]:
        """Every text by its key."""
        return read_texts(self.path)

    def say(self, key: str, /, **values: object) -> str:
        """The text with these values in its places."""
        if not values:
            return self.all[key]
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = form_of(self.all[key])
        return form(**values)

    def cited(self, key: str, /, **values: object) -> tuple[str, str]:
        """The text and the rule whose section it is in, as notes, prompts and refusals take them."""
        return self.say(key, **values), key.partition(".")[0]

    def because(self, key: str, /, **values: object) -> Reason:
        """The same as the cause and the rule of a change or an effect: ``Change(…, **because("CF-4.repays"))``."""
        return {"cause": self.say(key, **values), "rule": key.partition(".")[0]}

    def note(self, key: str, /, **values: object) -> Note:
        """The same as a sentence about what happened."""
        return Note(*self.cited(key, **values))

    def said(self, when: object, key: str, /, **values: object) -> tuple[str, ...]:
        """The text if there is a reason for it, and nothing otherwise: ``gains = (*said(n, "NJ-12.gain", n=n),)``."""
        return (self.say(key, **values),) if when else ()

    def noted(self, when: object, key: str, /, **values: object) -> tuple[Note, ...]:
        """The note if there is a reason for it, and nothing otherwise."""
        return (self.note(key, **values),) if when else ()

    def refuse(self, when: object, key: str, how: type[Refusal] = Illegal, /, **values: object) -> None:
        """Raise the refusal in these words if there is a reason for it."""
        if when:
            raise how(*self.cited(key, **values))

    def of(self, section: str, name: str = "") -> Wording:
        """The texts of a section by name; or those with this name by section, such as all rules."""
        return Wording(self, section, name)

    @cached_property
    def rules(self) -> Wording:
        """The rules by number."""
        return self.of("", "rule")


class Wording(Mapping[str, str]):
    """Some texts of a game by name, read when one of them is looked at. Without ``texts`` there are none."""

    def __init__(self, texts: Texts | None = None, section: str = "", name: str = "") -> None:
        self._texts, self._before, self._after = texts, section and f"{section}.", name and f".{name}"

    def of(self, part: str) -> Wording:
        """Those of a part: of ``[flip]`` and ``coins`` the words of that input."""
        return Wording(self._texts, f"{self._before}{part}") if self._texts else self

    @cached_property
    def _found(self) -> dict[str, str]:
        before, after, every = self._before, self._after, self._texts.all if self._texts else {}
        keys = (key for key in every if key.startswith(before) and key.endswith(after))
        return {key[len(before) : len(key) - len(after)]: every[key] for key in keys}

    def __getitem__(self, name: str) -> str:
        if self._texts is None:
            raise KeyError(name)
        return self._texts.all[f"{self._before}{name}{self._after}"]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    __eq__ = object.__eq__
    __hash__ = object.__hash__


NO_WORDS = Wording()
"""The words of a declaration that says all of them itself."""


def worded(*words: str) -> Callable[[type[T]], type[T]]:
    """Let parts of a named tuple that are left out be those of its ``wording``, by their names.

    Those of a tuple are each by its own name. They are looked up when they are read, so that a declaration can
    be read without its words.
    """

    def with_words(kind: Any) -> Any:
        for word in words:
            usual = kind._field_defaults.get(word)
            setattr(kind, word, property(partial(_word, word, getattr(kind, word).__get__, usual)))
        return kind

    return with_words


def _word(name: str, own: Callable[[Any], Any], usual: Any, part: Any) -> Any:
    said = own(part)
    if isinstance(said, tuple):
        return tuple([part.wording.get(each) or each for each in said])
    return part.wording.get(name) or said if said == usual else said


def form_of(text: str) -> Callable[..., str]:
    """The function that puts values into a text: its own ``format``, unless some of its places are shaped here."""
    shaped: list[tuple[str, str]] = []

    def place(found: re.Match[str]) -> str:
        name, shape = found[1], found[2] or ""
        if shape not in ("+", "list", ".", OWNER) and "|" not in shape:
            return found[0]
        shaped.append((name, shape))
        return "{}"

    form = PLACE.sub(place, text).format

    def shape(**values: Any) -> str:
        return form(*[_shaped(values[name], shape) for name, shape in shaped], **values)

    return shape if shaped else text.format


def _shaped(value: Any, shape: str) -> str:
    if shape == "+":
        return signed(value)
    if shape == "list":
        return listed(list(value))
    if shape == ".":
        return str(value).removesuffix(".")
    if shape == OWNER:
        return f"{value}'" if value.endswith("s") else f"{value}'s"
    one, _, many = shape.partition("|")
    return (one if value == 1 else many).replace("#", f"{value:,}")


# Files.


def read_texts(path: str) -> dict[str, str]:
    """The texts of a TOML file by their keys; a text that is in no section has its name alone.

    A file that is written in plain lines is read by one expression, since a roll on a command line would take a tenth
    longer with ``tomllib``, which reads all others.
    """
    with open(path, encoding="utf-8") as file:  # noqa: PTH123  pathlib takes longer to import than a roll needs
        written = file.read()
    found: dict[str, str] = {}
    before, end = "", 0
    while end < len(written):
        line = _LINE.match(written, end)
        if not line:
            import tomllib

            return dict(_flat(tomllib.loads(written), ""))
        end = line.end()
        if line["section"]:
            before = f"{line['section']}.".replace('"', "")
        elif name := line["name"] or line["quoted"]:
            found[before + _plain(name)] = _plain(line["long"] or line["text"] or "")
    return found


def _plain(text: str) -> str:
    """A text without backslashes; breaks of lines are blanks."""
    return " ".join((re.sub(r"\\(.)", r"\1", text) if "\\" in text else text).split())


def _flat(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        elif isinstance(value, str):
            yield before + name, " ".join(value.split())
