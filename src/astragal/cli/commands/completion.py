"""``astragal completion SHELL``: a script for the shell, which calls ``--words`` for what may come next."""

from __future__ import annotations

from astragal.cli.parser import Parser
from astragal.errors import Malformed, Refusal
from astragal.games.registry import all_games, game_at
from astragal.rule.game import Game, Kind

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
    if command in ("audit", "table"):
        return _auditing(typed) if command == "audit" else _at_tables(typed)
    if command == "lint" and typed:
        return [*game_at(typed[0]).kinds, "--strict", "--timeout", "--json", "--help"]
    if command in ("roll", "odds", "advise", "race") and typed:
        return _after_game(command, game_at(typed[0]), typed[1:])
    if command in ("compare", "race"):
        return ["--show", "--up-to", "--svg", "--json", "--timeout"] if command == "compare" else _racing()
    names = [found.name for found in all_games()]
    return names if not typed else ["--json"] if command in ("games", "examples") else []


def _auditing(typed: list[str]) -> list[str]:
    from astragal.cli.commands.audit import FORMATS, OPTIONS

    return [*FORMATS] if typed[-1:] == ["--format"] else [*(f"--{option.name}" for option in OPTIONS), "--help"]


def _at_tables(typed: list[str]) -> list[str]:
    from astragal.cli.table.completion import after_table

    return after_table(typed)


def _racing() -> list[str]:
    return [found.name for found in all_games() if "race" in found.kinds]


def _after_game(command: str, found: Game, typed: list[str]) -> list[str]:
    from astragal.cli.options import find_kind

    kind, rest = (found.kind("race"), typed) if command == "race" else find_kind(found, typed)
    if rest and rest[-1].startswith("--") and (values := _values(kind, rest[-1]) or _asked(command, kind, rest[-1])):
        return values
    options = [*_parser(command, found, kind).options, "--help"]
    return [*options, *([] if typed or command == "race" else found.kinds)]


def _parser(command: str, found: Game, kind: Kind) -> Parser:
    if command == "roll":
        from astragal.cli.commands.roll import parser_of as roll_parser

        return roll_parser(found, kind)
    if command == "advise":
        from astragal.cli.commands.advise import parser_of as advise_parser

        return advise_parser(found, kind)
    from astragal.cli.commands.odds import OUTPUT
    from astragal.cli.read_question import parser_of

    return parser_of(found, kind, command, *OUTPUT)


def _asked(command: str, kind: Kind, option: str) -> list[str]:
    """Facts, wishes and policies by name."""
    if command == "roll":
        return []
    from astragal.cli.read_question import POLICY
    from astragal.rule.chances.fact import facts_of, wishes_of

    named = {"--show": facts_of(kind), "--wish": wishes_of(kind), "--policy": POLICY.options}
    return list(named.get(option, ()))


def _values(kind: Kind, option: str) -> list[str]:
    """The values of an option that takes one of a few."""
    name = option.removeprefix("--")
    input = kind.ask.inputs.get(name.replace("-", "_"))
    if input:
        return [str(value) for value in input.bounds().get("options", ())]
    return [answer for decision in kind.decisions if decision.name == name for answer in decision.answers]
