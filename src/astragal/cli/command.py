"""Commands, declared: what each takes, what its help says, and the function that runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from astragal.cli.parser import Option, Parsed, Parser


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
