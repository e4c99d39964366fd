"""The command ``astragal``: finds the subcommand, and turns every refusal into a sentence and exit code 2."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

from astragal.cli.parser import Finished, function_of
from astragal.cli.render.screen import clean_output
from astragal.errors import Refusal, Unknown, UnknownGame

COMMANDS = {
    "roll": ("commands.roll", "roll dice by a game's rules, or read the ones you type"),
    "odds": ("commands.odds", "compute exact chances, before a die is thrown"),
    "advise": ("commands.advise", "weigh the options of a choice, with the dice on the table"),
    "compare": ("commands.compare", "compare two to six questions about odds"),
    "race": ("commands.odds", "compute which of two Clocks fills first, and when"),
    "audit": ("commands.audit", "check a rulebook's printed figures against exact odds"),
    "lint": ("commands.check", "find surprises in a game's rules, with their proof"),
    "table": ("table", "play a campaign: characters, Clocks, rolls, a log with undo"),
    "play": ("commands.roll", "be guided through a roll, or through a campaign"),
    "serve": ("commands.serve", "serve the live table: a page for everyone who plays, and an HTTP API"),
    "mcp": ("commands.serve", "give an assistant a seat at a table, or let it ask about odds (MCP)"),
    "discord": ("commands.discord", "register the slash commands of a Discord application"),
    "backup": ("commands.backup", "write everything that is stored into one file, while a server runs"),
    "restore": ("commands.backup", "replace what is stored by a backup"),
    "migrate": ("commands.backup", "move everything from a file into a PostgreSQL database, or back"),
    "keys": ("commands.backup", "sign links and seats with a new key"),
    "verify": ("commands.verify", "check the dice and the log of an exported table, without trust in a server"),
    "check": ("commands.check", "check a game of your own: its definition, examples, odds and table"),
    "new": ("commands.new", "begin a game of your own as a copy of one on the shelf"),
    "games": ("commands.games", "list the games, their rolls, options and bounds"),
    "rules": ("commands.games", "print a game's rules by number"),
    "examples": ("commands.games", "replay worked examples"),
    "completion": ("completion", "print shell completion for bash, zsh or fish"),
}
"""Each command: the module with its ``run_`` function, which is loaded with its first use, and what it does."""
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

astragal COMMAND --help says more; astragal --version prints the version."""


def main(words: list[str] | None = None) -> int:
    """Run a command; 0 means success, 2 a refusal, 130 that it was stopped."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character shows a question mark instead.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    with clean_output():
        return _finish(sys.argv[1:] if words is None else words)


def _finish(words: list[str]) -> int:
    """Run a command, and return its exit code, however it ends."""
    try:
        return _run(words)
    except Finished:
        return 0
    except Refusal as refusal:
        print(f"astragal: {refusal}{_hint(refusal, words)}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, EOFError) as ended:
        by_hand = isinstance(ended, KeyboardInterrupt)
        unanswered = "The input ended before every question was answered; run this at a terminal."
        print(f"\nastragal: {'Stopped.' if by_hand else unanswered}", file=sys.stderr)
        return 130 if by_hand else 2
    except BrokenPipeError:
        # The reader of the output has gone; closing the stream must not raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        from astragal.games.outside import fault_of

        fault = fault_of(error)
        if fault is None:
            raise  # a mistake of our own
        print(f"astragal: {fault} astragal check {fault.game} may say more.", file=sys.stderr)
        return 2


def _hint(refusal: Refusal, words: list[str]) -> str:
    """Say where the table's game may be, since a table stores only its name."""
    if isinstance(refusal, UnknownGame) and "table" in words and "new" not in words:
        return " If the table's game is in a TOML file, name the file's folder: --games FOLDER."
    return ""


def _run(words: list[str]) -> int:
    words = _with_games(words)
    if not words or words[0] in ("-h", "--help", "help"):
        print(INTRO.format(commands="\n".join(f"  {name:<11} {what}" for name, (_, what) in COMMANDS.items())))
        return 0
    if words[0] == "--version":
        from astragal import __version__

        print(f"astragal {__version__}")
        return 0
    if words[0] not in COMMANDS:
        raise Unknown(f'There is no command "{words[0][:40]}"; there are {", ".join(COMMANDS)}.')
    code = function_of(COMMANDS[words[0]][0], words[0])(words[1:])
    sys.stdout.flush()
    return code


def _with_games(words: list[str]) -> list[str]:
    """Use the folders that --games names, which every command takes; returns the other words."""
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
