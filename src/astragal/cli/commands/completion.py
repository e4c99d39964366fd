"""``astragal completion SHELL``: a script for the shell, which calls ``--words`` for what may come next."""

from __future__ import annotations

from collections.abc import Callable

from astragal.cli.parser import HERE, Parser, Reached
from astragal.errors import Malformed, Refusal
from astragal.games.registry import all_games, game_at

WITH_ROLL = ("roll", "odds", "advise", "lint")
WITH_GAME = (*WITH_ROLL, "race", "play", "games", "rules", "examples", "check")
"""Commands that begin with a game, and then perhaps a kind of roll."""
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


def run(words: list[str]) -> int:
    """Print the script, or the words that may follow those already typed."""
    if words[:1] == ["--words"]:
        print("\n".join(next_words(words[1:])))
        return 0
    fish = "~/.config/fish/completions/astragal.fish"
    examples = ('eval "$(astragal completion bash)"', f"astragal completion fish > {fish}")
    places = Parser("completion", "Shell completion for bash, zsh and fish.", ("SHELL",), examples).parse(words).places
    if not places or places[0] not in SCRIPTS:
        raise Malformed(f"Name a shell: {', '.join(SCRIPTS)}.")
    print(SCRIPTS[places[0]])
    return 0


def next_words(typed: list[str]) -> list[str]:
    """What may come after these words; empty if they make no sense."""
    from astragal.cli.main import COMMANDS, function_of

    if not typed:
        return [*COMMANDS, "--help", "--version"]
    command, *rest = typed
    if command == "completion":
        return list(SCRIPTS)
    try:
        if command == "table":
            from astragal.cli.table.completion import after_table

            return after_table(rest)
        if command in WITH_GAME and not rest:
            return [found.name for found in all_games() if command != "race" or "race" in found.kinds]
        kinds = [*game_at(rest[0]).kinds] if command in WITH_ROLL and len(rest) == 1 else []
        return [*kinds, *parsed_words(function_of(command), rest)] if command in COMMANDS else []
    except Refusal:
        return []


def parsed_words(run: Callable[[list[str]], object], typed: list[str]) -> list[str]:
    """What a command's parser takes after these words: the values of the last option, or options."""
    try:
        run([*typed, HERE])
    except Reached as reached:
        if reached.option:
            return [*(reached.option.choices or reached.option.names)]
        return [*reached.parser.options, "--help"]
    return []
