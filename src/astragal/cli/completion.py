"""``astragal completion SHELL``: a script for the shell, which asks ``--words`` for what may come next."""

from __future__ import annotations

from astragal.cli.parser import Parser
from astragal.errors import Malformed, Refusal
from astragal.games.registry import game, games
from astragal.rule.game import Kind

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
        raise Malformed(f"Say which shell: {', '.join(SCRIPTS)}.")
    print(SCRIPTS[places[0]])
    return 0


def next_words(typed: list[str]) -> list[str]:
    """What may come after these words; nothing if they make no sense."""
    from astragal.cli.main import COMMANDS

    if not typed:
        return [*COMMANDS, "--help", "--version"]
    try:
        return _after(typed[0], typed[1:])
    except Refusal:
        return []


def _after(command: str, typed: list[str]) -> list[str]:
    if command == "completion":
        return list(SCRIPTS)
    if command == "roll" and typed:
        return _after_roll(typed[0], typed[1:])
    names = [found.name for found in games()]
    return names if not typed else ["--json"] if command in ("games", "examples") else []


def _after_roll(name: str, typed: list[str]) -> list[str]:
    from astragal.cli.roll import find_kind, parser_of

    found = game(name)
    kind, rest = find_kind(found, typed)
    if rest and rest[-1].startswith("--") and (values := _values(kind, rest[-1])):
        return values
    options = [*parser_of(found, kind).options, "--help"]
    return [*options, *([] if typed else found.kinds)]


def _values(kind: Kind, option: str) -> list[str]:
    """The values of an option that takes one of a few."""
    name = option.removeprefix("--")
    input = kind.ask.inputs.get(name.replace("-", "_"))
    if input:
        return [str(value) for value in input.bounds().get("options", ())]
    return [answer for decision in kind.decisions if decision.name == name for answer in decision.answers]
