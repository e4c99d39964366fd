"""Reads the words of a command line by the options that a command declares.

Every complaint is a refusal in a sentence. Why this is not argparse: docs/dependencies.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from astragal.errors import Malformed

WIDTH = 100
"""Columns of a help text."""
INDENT = 28
"""Columns left of an option's help."""


class Finished(Exception):
    """The help was printed, and the command ends."""


class Option(NamedTuple):
    """``--name METAVAR``; without a metavar it is a flag, which stands for ``const``.

    ``was`` is a former name that still works, with a hint. ``many`` options may be given several times; any other one
    is refused the second time.
    """

    name: str
    metavar: str = ""
    help: str = ""
    key: str = ""
    const: str = "yes"
    was: str = ""
    many: bool = False

    @property
    def written(self) -> str:
        """The option as help texts show it."""
        return f"--{self.name} {self.metavar}".rstrip()


class Parsed(NamedTuple):
    """What was given: texts by the option's key, and the words by position."""

    given: dict[str, list[str]]
    places: list[str]

    def text(self, key: str) -> str | None:
        """The text given for an option."""
        return self.given[key][-1] if key in self.given else None

    def texts(self, key: str) -> tuple[str, ...]:
        """Every different text given for an option, in order."""
        return tuple(dict.fromkeys(self.given.get(key, ())))

    def flag(self, key: str) -> bool:
        """Whether an option was given."""
        return key in self.given

    def refuse_both(self, *names: str) -> None:
        """Refuse two of these options: one of them would be dropped."""
        given = [f"--{name}" for name in names if self.flag(name)]
        if len(given) > 1:
            raise Malformed(f"{' and '.join(given)} cannot be combined; choose one.")

    def refuse_without(self, needed: str, *names: str) -> None:
        """Refuse options that mean something only together with another one."""
        for name in names:
            if self.flag(name) and not self.flag(needed):
                raise Malformed(f"--{name} belongs to --{needed}, which is not given; leave it out, or give both.")


class Parser:
    """A command: its options in groups, and the names of its words by position; the first of them may be required."""

    def __init__(
        self,
        prog: str,
        description: str,
        places: tuple[str, ...] = (),
        examples: Iterable[str] = (),
        required: int = 0,
    ) -> None:
        self.prog = f"astragal {prog}"
        self.description = description
        self.places = places
        self.required = required
        self.examples = tuple(examples)
        self.groups: dict[str, list[Option]] = {}

    def add(self, group: str, *options: Option) -> None:
        """Declare options under a heading of the help."""
        self.groups.setdefault(group, []).extend(options)

    @property
    def options(self) -> dict[str, Option]:
        """Every option by its name with dashes."""
        return {f"--{option.name}": option for options in self.groups.values() for option in options}

    def parse(self, words: list[str]) -> Parsed:
        """Read the words, or print the help if that is asked for."""
        parsed = Parsed({}, [])
        options = self.options
        rest = iter(words)
        for word in rest:
            if word in ("-h", "--help"):
                print("\n".join(self.help()))
                raise Finished
            if word == "--":
                parsed.places.extend(rest)
            elif word.startswith("--"):
                self._take(word, rest, options, parsed)
            else:
                parsed.places.append(word)
        if len(parsed.places) > len(self.places) and not self._takes_many:
            extra = parsed.places[len(self.places)][:40]
            where = "; options go before --" if extra.startswith("--") else ""
            raise Malformed(f'"{extra}" is one word too many; {self._place_words()}{where}.')
        return parsed

    def _take(self, word: str, rest: Iterator[str], options: dict[str, Option], parsed: Parsed) -> None:
        name, equals, value = word.partition("=")
        option = options.get(name) or _renamed(name, options.values())
        if option is None:
            raise Malformed(
                f'There is no option "{name[:40]}"; {_nearest(name, options)}{self.prog} --help lists them.'
            )
        if not option.metavar:
            if equals:
                raise Malformed(f"{name} takes no value.")
            value = option.const
        elif not equals:
            value = next(rest, "--")
            if value.startswith("--"):
                raise Malformed(f"{name} needs a value: {option.written}.")
        texts = parsed.given.setdefault(option.key or option.name, [])
        if texts and not option.many:
            raise Malformed(_twice(option, texts[0], value))
        texts.append(value)

    @property
    def _takes_many(self) -> bool:
        """Whether the last place, written with dots, takes any number of words."""
        return bool(self.places) and self.places[-1].endswith("…")

    def _place_words(self) -> str:
        if not self.places:
            return f"{self.prog} takes options only"
        return f"{self.prog} takes {', '.join(self.places)} by position"

    def help(self) -> Iterator[str]:
        """The help, line by line."""
        places = "".join(f" {place}" if n < self.required else f" [{place}]" for n, place in enumerate(self.places))
        yield f"usage: {self.prog}{places}{' [--option …]' if self.groups else ''}"
        yield ""
        yield from _wrapped(self.description, 0)
        for group, options in self.groups.items():
            yield f"\n{group}:"
            for option in options:
                yield from _option_lines(option)
        if self.examples:
            yield "\nexamples:"
            yield from (f"  {example}" for example in self.examples)


def _option_lines(option: Option) -> Iterator[str]:
    name = f"  {option.written}"
    help = list(_wrapped(option.help, INDENT))
    if len(name) >= INDENT - 1 or not help:
        yield name
        yield from help
    else:
        yield name.ljust(INDENT) + help[0].lstrip()
        yield from help[1:]


def _wrapped(text: str, indent: int) -> list[str]:
    from textwrap import wrap

    return wrap(text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent)


def _twice(option: Option, first: str, second: str) -> str:
    """Why an option cannot be given twice: one of two values would be dropped."""
    if not option.metavar:
        other = "" if first == second else f", and once more as {first}"
        return f"--{option.name} is given twice{other}; give it once."
    return (
        f'--{option.name} is given twice, as "{first[:40]}" and as "{second[:40]}", and takes one value; '
        "leave out one of them."
    )


def _renamed(name: str, options: Iterable[Option]) -> Option | None:
    """The option that had this name before; prints a hint to use the new one."""
    found = next((option for option in options if option.was and name == f"--{option.was}"), None)
    if found:
        print(f"astragal: {name} is called --{found.name} now; the old name works until 1.0.", file=sys.stderr)
    return found


def _nearest(name: str, options: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, options, 1)
    return f"did you mean {near[0]}? " if near else ""
