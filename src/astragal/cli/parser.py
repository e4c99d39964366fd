"""Commands: the options that each declares, and how the words of a command line are read by them.

Every complaint is a refusal in a sentence. Why this is not argparse: docs/dependencies.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

from astragal.errors import Malformed

WIDTH = 100
"""Columns of a help text."""
INDENT = 28
"""Columns left of an option's help."""


class Finished(Exception):
    """The help was printed, and the command ends."""


HERE = "\0"
"""The word in a command line at which completion asks what may be typed."""


class CompletionPoint(Exception):
    """A parser met ``HERE``, after the words ``parsed``, as a word of its own or as the value of an option."""

    def __init__(self, parser: Parser, parsed: Parsed, option: Option | None) -> None:
        super().__init__()
        self.parser = parser
        self.parsed = parsed
        self.option = option


class Option(NamedTuple):
    """``--name METAVAR``; without a metavar and choices it is a flag, which means ``const``.

    ``choices`` are the only values that it takes, ``names`` some that completion offers. ``was`` is a former name that
    still works, with a hint; ``short`` is another one, such as ``-o``. ``many`` options may be given several times; any
    other one is refused the second time.
    """

    name: str
    metavar: str = ""
    help: str = ""
    key: str = ""
    const: str = "yes"
    was: str = ""
    many: bool = False
    short: str = ""
    choices: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def value(self) -> str:
        """Its value as help texts show it; empty for a flag."""
        return self.metavar or "|".join(self.choices)

    @property
    def written(self) -> str:
        """The option as help texts show it."""
        return f"--{self.name} {self.value}".rstrip()


JSON = Option("json", help="one JSON object, for programs")
TIMEOUT = Option("timeout", "SECONDS", "stop after this time; without it, the command runs until Ctrl+C")


class Parsed(NamedTuple):
    """The words of a command line: texts by the option's key, and words by position."""

    given: dict[str, list[str]]
    places: list[str]

    def text(self, key: str) -> str | None:
        """The text given for an option."""
        return self.given[key][-1] if key in self.given else None

    def texts(self, key: str) -> tuple[str, ...]:
        """Every different text given for an option, in order."""
        return tuple(dict.fromkeys(self.given.get(key, ())))

    def flag(self, key: str) -> bool:
        """True if the option was given."""
        return key in self.given

    def place(self, n: int = 0) -> str | None:
        """The word at this position."""
        return self.places[n] if n < len(self.places) else None

    def whole(self, key: str, least: int, most: int) -> int | None:
        """The whole number given for an option, within these bounds."""
        text = self.text(key)
        return None if text is None else read_whole(key, text, least, most)

    def refuse_both(self, *names: str) -> None:
        """Refuse two of these options together, since one of them would be dropped."""
        given = [f"--{name}" for name in names if self.flag(name)]
        if len(given) > 1:
            raise Malformed(f"{' and '.join(given)} cannot be combined; choose one.")

    def refuse_without(self, needed: str, *names: str) -> None:
        """Refuse options that mean something only together with another one."""
        for name in names:
            if self.flag(name) and not self.flag(needed):
                raise Malformed(f"--{name} belongs to --{needed}, which is not given; leave it out, or give both.")


class Parser:
    """A command: its options in groups, and the names of its words by position, such as ``TABLE`` and ``[ENTRY]``.

    Words in brackets may be left out. A last one with dots takes all the words that are left. ``about`` says what each
    means.
    """

    def __init__(
        self,
        prog: str,
        description: str,
        places: Sequence[str] = (),
        examples: Iterable[str] = (),
        *,
        about: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.prog = f"astragal {prog}"
        self.description = description
        self.usage = " ".join(places)
        self.places = tuple(place.strip("[]") for place in places)
        optional = [n for n, place in enumerate(places) if place[0] == "["]
        self.required = min(optional, default=len(places))
        self.examples = tuple(examples)
        self.about = about
        self.groups: dict[str, list[Option]] = {}

    def add(self, group: str, *options: Option) -> None:
        """Declare options under a heading of the help."""
        self.groups.setdefault(group, []).extend(options)

    @property
    def options(self) -> dict[str, Option]:
        """Every option by its name with dashes."""
        return {f"--{option.name}": option for options in self.groups.values() for option in options}

    def parse(self, words: Iterable[str], ask: Callable[[str], str] | None = None) -> Parsed:
        """Read the words, or print the help if that is requested; ``ask`` asks a person for words that are missing."""
        parsed = Parsed({}, [])
        options = self.options
        short = {option.short: f"--{option.name}" for option in options.values() if option.short}
        rest = (short.get(word, word) for word in words)
        for word in rest:
            if word == HERE:
                raise CompletionPoint(self, parsed, None)
            if word in ("-h", "--help"):
                print("\n".join(self.help()))
                raise Finished
            if word == "--":
                parsed.places.extend(rest)
            elif word.startswith("--"):
                self._take(word, rest, options, parsed)
            else:
                parsed.places.append(word)
        takes_many = bool(self.places) and self.places[-1].endswith("…")
        if len(parsed.places) > len(self.places) and not takes_many:
            extra = parsed.places[len(self.places)][:40]
            where = "; options go before --" if extra.startswith("--") else ""
            takes = f"takes {', '.join(self.places)} by position" if self.places else "takes options only"
            raise Malformed(f'"{extra}" is one word too many; {self.prog} {takes}{where}.')
        for place in self.places[len(parsed.places) : self.required]:
            parsed.places.append(self._missing(place, ask))
        return parsed

    def _missing(self, place: str, ask: Callable[[str], str] | None) -> str:
        """The word that a person gives for one that is missing; refused if nobody can be asked."""
        name = place.rstrip("…")
        about = f" ({self.about[place]})" if place in self.about else ""
        word = ask(f"{name.capitalize()}?{about}").strip() if ask else ""
        if not word:
            example = f"; for example {self.examples[0]}" if self.examples else ""
            raise Malformed(f"{name} is missing{example}.")
        return word

    def _take(self, word: str, rest: Iterator[str], options: dict[str, Option], parsed: Parsed) -> None:
        name, equals, value = word.partition("=")
        option = options.get(name) or _renamed(name, options.values())
        if option is None:
            raise Malformed(
                f'There is no option "{name[:40]}"; {_nearest(name, options)}{self.prog} --help lists them.'
            )
        if not option.value:
            if equals:
                raise Malformed(f"{name} takes no value.")
            value = option.const
        elif not equals:
            value = next(rest, "--")
            if value == HERE:
                raise CompletionPoint(self, parsed, option)
            if value.startswith("--"):
                raise Malformed(f"{name} needs a value: {option.written}.")
        if option.choices and value not in option.choices:
            *first, last = option.choices
            raise Malformed(f'{name} is "{value[:40]}"; it must be {", ".join(first)} or {last}.')
        texts = parsed.given.setdefault(option.key or option.name, [])
        if texts and not option.many:
            raise Malformed(_twice(option, texts[0], value))
        texts.append(value)

    def help(self) -> Iterator[str]:
        """The help, line by line."""
        yield " ".join(filter(None, (f"usage: {self.prog}", self.usage, "[--option …]" if self.groups else "")))
        yield ""
        yield from _wrapped(self.description, 0)
        if self.about:
            yield "\nwords:"
            for place in filter(self.about.get, self.places):
                yield from _described(place.rstrip("…"), self.about[place])
        for group, options in self.groups.items():
            yield f"\n{group}:"
            for option in options:
                yield from _described(option.written, option.help)
        if self.examples:
            yield "\nexamples:"
            yield from (f"  {example}" for example in self.examples)


class Command:
    """A command: its parser, and the function that runs it with what was given; no exit code means 0.

    ``long``: it says that it still works when that takes more than a second.
    """

    def __init__(self, parser: Parser, run: Callable[[Parsed], int | None], long: bool) -> None:
        self.parser = parser
        self._run = run
        self._long = long

    def __call__(self, words: Iterable[str]) -> int:
        """Run the command with these words, and return its exit code."""
        parsed = self.parser.parse(words)
        if not self._long:
            return self._run(parsed) or 0
        from astragal.cli.watch import ProgressLine

        with ProgressLine(self.parser.prog.removeprefix("astragal ")):
            return self._run(parsed) or 0


def command(
    usage: str, *, long: bool = False, **groups: Iterable[Option]
) -> Callable[[Callable[[Parsed], int | None]], Command]:
    """Declare a command by its usage, such as ``table erase TABLE MEMBER``, and its options by heading.

    The function's docstring is its help: a description, and after an empty line examples.
    """

    def declare(run: Callable[[Parsed], int | None]) -> Command:
        words = usage.split()
        places = [word for word in words if word[0] == "[" or word.isupper()]
        about, _, examples = (run.__doc__ or "").partition("\n\n")
        parser = Parser(
            " ".join(words[: len(words) - len(places)]),
            " ".join(about.split()),
            tuple(places),
            [line.strip() for line in examples.splitlines() if line.strip()],
        )
        for heading, options in groups.items():
            parser.add(heading.replace("_", " "), *options)
        return Command(parser, run, long)

    return declare


def function_of(module: str, name: str) -> Callable[[list[str]], int]:
    """The function that runs the command of this name; its module is loaded only now."""
    found: Callable[[list[str]], int] = getattr(import_module(f"astragal.cli.{module}"), f"run_{name}")
    return found


@contextmanager
def file_errors(file: str, done: str) -> Iterator[None]:
    """Turn an error of the system about a file into a refusal; ``done`` is what cannot be done, such as ``read``."""
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, OSError):
            reason = error.strerror or "it is not a file"
        else:
            reason = "it is not a text" if isinstance(error, UnicodeDecodeError) else str(error)
        raise Malformed(f'"{file[:80]}" cannot be {done}: {reason}.') from None


def named_values(texts: Iterable[str], what: str, names: Collection[str]) -> dict[str, str]:
    """The values of ``name=value`` texts, by name; each name is one of these, and given once."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        field = name.strip().replace("-", "_")
        if field not in names:
            known = ", ".join(names).replace("_", "-") or "none"
            raise Malformed(f'There is no {what} "{name[:40]}"; there are {known}.')
        if not equals:
            raise Malformed(f'The {what} "{name[:40]}" has no value; write NAME=VALUE.')
        if field in found:
            raise Malformed(f"The {what} {name.strip()} is given twice; leave out one of them.")
        found[field] = value
    return found


def read_whole(name: str, text: str, least: int, most: int) -> int:
    """A whole number within these bounds, as it is written."""
    from astragal.rule.inputs.input import Whole

    bounds = Whole(least, most, "")
    bounds.name = name
    return int(bounds.read(text))


def _described(name: str, help: str) -> Iterator[str]:
    """A name, and its meaning on the same line or below."""
    name, lines = f"  {name}", _wrapped(help, INDENT)
    if len(name) >= INDENT - 1 or not lines:
        yield name
        yield from lines
    else:
        yield name.ljust(INDENT) + lines[0].lstrip()
        yield from lines[1:]


def _wrapped(text: str, indent: int) -> list[str]:
    from textwrap import wrap

    return wrap(text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent)


def _twice(option: Option, first: str, second: str) -> str:
    """The refusal of an option that is given twice: one of its values would be dropped."""
    if not option.value:
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
