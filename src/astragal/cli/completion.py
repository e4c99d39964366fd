"""``astragal completion SHELL``: a script for the shell, which calls ``--words`` for what may come next.

What a command takes comes from its parser, and the names at a table from the table.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from astragal.cli.parser import HERE, CompletionPoint, Parsed, command, function_of
from astragal.errors import Malformed, Refusal
from astragal.games.registry import all_games, game_at, names
from astragal.games.shelf import shelf_names

ROLLING = ("roll", "odds", "advise", "race")
"""Commands whose options depend on the game and its kind of roll."""
SCRIPTS = {
    "bash": """\
_astragal() {
    local IFS=$'\\n'
    local next=$(astragal completion --words "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
    COMPREPLY=($(compgen -W "$next" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _astragal astragal""",
    "zsh": """\
#compdef astragal
_astragal() {
    compadd -- ${(f)"$(astragal completion --words "${(@)words[2,CURRENT-1]}" 2>/dev/null)"}
}
compdef _astragal astragal""",
    "fish": """\
complete -c astragal -f -a '(astragal completion --words (commandline -opc)[2..-1] 2>/dev/null)'""",
}


def run_completion(words: list[str]) -> int:
    """Print the script, or the words that may follow those already typed."""
    if words[:1] == ["--words"]:
        print("\n".join(next_words(words[1:])))
        return 0
    return _print_script(words)


@command("completion [SHELL]")
def _print_script(parsed: Parsed) -> None:
    """Print shell completion for bash, zsh or fish.

    eval "$(astragal completion bash)"
    astragal completion fish > ~/.config/fish/completions/astragal.fish
    """
    shell = parsed.place()
    if shell not in SCRIPTS:
        raise Malformed(f"Name a shell: {', '.join(SCRIPTS)}.")
    print(SCRIPTS[shell])


def next_words(typed: list[str]) -> list[str]:
    """The words that may come next; none if these make no sense."""
    from astragal.cli.main import COMMANDS

    if not typed:
        return [*COMMANDS, "--help", "--version"]
    command, *rest = typed
    if command == "completion":
        return list(SCRIPTS)
    if command == "table":
        return _after_table(rest)
    if command in ROLLING and not rest:
        return _games() if command != "race" else [found.name for found in all_games() if "race" in found.kinds]
    if command not in COMMANDS:
        return []
    words = _parsed_words(function_of(COMMANDS[command][0], command), rest)
    kinds = [*game_at(rest[0]).kinds] if words and command in ROLLING and len(rest) == 1 else []
    return [*kinds, *words]


def _after_table(typed: list[str]) -> list[str]:
    from astragal.cli.table import SUBCOMMANDS

    part, *rest = typed or [""]
    if part == "do":
        from astragal.cli.table.do import after_do

        return after_do(rest)
    if part not in SUBCOMMANDS:
        return [] if part else [*SUBCOMMANDS, "--help"]
    return _parsed_words(function_of(SUBCOMMANDS[part], part), rest)


def _parsed_words(run: Callable[[list[str]], object], typed: list[str]) -> list[str]:
    """The words that a command's parser takes next: values of the last option, or words by position and options."""
    try:
        run([*typed, HERE])
    except CompletionPoint as point:
        if point.option:
            return [*(point.option.choices or point.option.names)]
        with suppress(Refusal):
            return [*_placed(point), *point.parser.options, "--help"]
    except Refusal:
        return []
    return []


def _games() -> list[str]:
    """The names of all games, the shelf's last."""
    return [*dict.fromkeys((*names(), *shelf_names()))]


def _placed(point: CompletionPoint) -> list[str]:
    """The values of the next word by position."""
    places = point.parsed.places
    place = next(iter(point.parser.places[len(places) :]), "")
    if place == "GAME":
        return _games()
    if place == "ROLL":
        return [*game_at(places[0]).kinds]
    if place == "TABLE":
        from astragal.cli.table.seat import titles

        return titles(point.parsed)
    return place.split("|") if "|" in place else []
