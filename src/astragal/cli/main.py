"""The command ``astragal``: finds the subcommand, and turns every refusal into a sentence and exit code 2.

A subcommand is ``run`` in the module of its name, or a function named in ``ELSEWHERE``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from io import TextIOWrapper

from astragal.cli.parser import Finished
from astragal.cli.render.clean import clean_output
from astragal.errors import Refusal, Unknown, UnknownGame

COMMANDS = {
    "roll": "roll dice by a game's rules, or read the ones you type",
    "odds": "compute exact chances, before a die is thrown",
    "advise": "weigh the options of a choice, with the dice on the table",
    "compare": "compare two to six questions about odds",
    "race": "compute which of two Clocks fills first, and when",
    "audit": "check a rulebook's printed figures against exact odds",
    "lint": "find surprises in a game's rules, with their proof",
    "table": "play a campaign: characters, Clocks, rolls, a log with undo",
    "play": "be guided through a roll, or through a campaign",
    "serve": "serve the live table: a page for everyone who plays, and an HTTP API",
    "mcp": "give an assistant a seat at a table, or let it ask about odds (MCP)",
    "discord": "register the slash commands of a Discord application",
    "backup": "write everything that is stored into one file, while a server runs",
    "restore": "replace what is stored by a backup",
    "migrate": "move everything from a file into a PostgreSQL database, or back",
    "keys": "sign links and seats with a new key",
    "verify": "check the dice and the log of an exported table, without trust in a server",
    "check": "check a game of your own: its definition, examples, odds and table",
    "games": "list the games, their rolls, options and bounds",
    "rules": "print a game's rules by number",
    "examples": "replay worked examples",
    "completion": "print shell completion for bash, zsh or fish",
}
ELSEWHERE = {
    "race": ("odds", "run_race"),
    "rules": ("games", "run_rules"),
    "examples": ("games", "run_examples"),
    "restore": ("backup", "run_restore"),
    "keys": ("backup", "run_keys"),
}
LONG = {"verify", "backup", "examples", *(f"table {part}" for part in ("import", "export", "stats", "story", "log"))}
"""Commands that say that they still work; questions, lint, check and audit say how far they are."""
INTRO = """\
Astragal plays the dice rules of tabletop games, and computes their exact odds.

usage: astragal COMMAND …

{commands}

examples:
  astragal play
  astragal roll chronicles 7 --rote
  astragal roll narraject --d6 5 --step 10 --difficulty 3 --faces "6 5 4 2 1 | 7"
  astragal roll razorweave --dc 16 --attribute 2 --skill --edge 1 --explain
  astragal roll tgimh --ours 6 --theirs 4 --json
  astragal odds razorweave 16 --attribute 2 --edge 1
  astragal advise narraject 5 d10 3 --ip 2 --faces "6 4 4 2 1 | 3"

astragal COMMAND --help tells more; astragal --version prints the version."""


def main(words: list[str] | None = None) -> int:
    """Run a command; 0 means success, 2 a refusal, 130 that it was stopped."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character shows a question mark instead.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    with clean_output():
        return _finish(sys.argv[1:] if words is None else words)


def _finish(words: list[str]) -> int:
    """Run a command, and turn every way in which it may end into an exit code."""
    try:
        return _run(words)
    except Finished:
        return 0
    except Refusal as refusal:
        print(f"astragal: {refusal}{_hint(refusal, words)}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, EOFError) as ended:
        return _tell_stopped(isinstance(ended, KeyboardInterrupt))
    except BrokenPipeError:
        # The reader is gone; closing the stream must not raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _tell_fault(error)


def _tell_stopped(by_hand: bool) -> int:
    """Say that the command was stopped, or that nobody answers its questions."""
    said = "Stopped." if by_hand else "The input ended before every question was answered; run this at a terminal."
    print(f"\nastragal: {said}", file=sys.stderr)
    return 130 if by_hand else 2


def _hint(refusal: Refusal, words: list[str]) -> str:
    """Say where else a table's game may be: a table stores only its name."""
    if isinstance(refusal, UnknownGame) and "table" in words and "new" not in words:
        return " If the table's game is in a TOML file, name the file's folder: --games FOLDER."
    return ""


def _tell_fault(error: Exception) -> int:
    """An outside game's mistake is a sentence, too; a mistake of ours is not hidden."""
    from astragal.games.outside import fault_of

    fault = fault_of(error)
    if fault is None:
        raise error
    print(f"astragal: {fault} astragal check {fault.game} may say more.", file=sys.stderr)
    return 2


def _run(words: list[str]) -> int:
    words = _with_games(words)
    if not words or words[0] in ("-h", "--help", "help"):
        return _help()
    if words[0] == "--version":
        return _version()
    if words[0] not in COMMANDS:
        raise Unknown(f'There is no command "{words[0][:40]}"; there are {", ".join(COMMANDS)}.')
    run = function_of(words[0])
    long = " ".join(words[:2] if words[0] == "table" else words[:1])
    if long in LONG:
        from astragal.cli.watch import ProgressLine

        with ProgressLine(long):
            code = run(words[1:])
    else:
        code = run(words[1:])
    sys.stdout.flush()
    return code


def function_of(command: str) -> Callable[[list[str]], int]:
    """The function of a command, whose module is loaded only now."""
    module, function = ELSEWHERE.get(command, (command, "run"))
    found: Callable[[list[str]], int] = getattr(import_module(f"astragal.cli.commands.{module}"), function)
    return found


def _with_games(words: list[str]) -> list[str]:
    """Take the folders that --games names, which every command understands, and leave the other words."""
    if not any(word.partition("=")[0] == "--games" for word in words):
        return words
    from astragal.games.folder import use_folder

    left: list[str] = []
    rest = iter(words)
    for word in rest:
        name, _, folder = word.partition("=")
        if name == "--games":
            use_folder(folder or next(rest, ""))
        else:
            left.append(word)
    return left


def _help() -> int:
    print(INTRO.format(commands="\n".join(f"  {name:<11} {what}" for name, what in COMMANDS.items())))
    return 0


def _version() -> int:
    from astragal import __version__

    print(f"astragal {__version__}")
    return 0
