"""Nothing on a command line is dropped: an option given twice is refused unless it takes several values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

import pytest

from astragal.cli.commands.compare import run_compare
from astragal.cli.main import COMMANDS
from astragal.cli.parser import Finished, Option, Parser, function_of
from astragal.cli.table import SUBCOMMANDS
from astragal.cli.table.do import split_words
from astragal.cli.table.forms import VERBS, GamePart, form_of
from astragal.cli.table.tables import settings
from astragal.errors import Malformed
from astragal.games.registry import all_games
from astragal.table.ruleset import ruleset_of
from tests.cli.command import run

ASKING = ("roll", "odds", "advise")
"""Commands whose parser depends on the game and its kind of roll."""
SEVERAL = {
    "add", "answer", "drop", "end", "helper", "hide", "limit", "option", "order", "rate", "remove", "show", "time",
    "use", "who",
}  # fmt: skip
"""The options of commands that may be given several times; those of a game's inputs are declared by the game."""


def parsers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Parser]:
    """Every parser that a command line can meet."""
    met: list[Parser] = []

    def caught(self: Parser, words: list[str]) -> None:
        met.append(self)
        raise Finished

    monkeypatch.setattr(Parser, "parse", caught)
    runs = {name: function_of(module, name) for name, (module, _) in COMMANDS.items()}
    calls: list[tuple[Callable[[list[str]], int], list[str]]] = [(run_command, []) for run_command in runs.values()]
    calls += [(function_of(module, name), []) for name, module in SUBCOMMANDS.items()]
    asked = [[game.name, kind.name] for game in all_games() for kind in game.kinds.values()]
    calls += [(runs[command], words) for command in ASKING for words in asked]
    calls += [(runs["race"], ["razorweave"]), (runs["odds"], ["--program", "x"])]
    calls += [(runs[command], ["4d6"]) for command in ("roll", "odds")]
    for run_command, words in calls:
        try:
            run_command([*words])
        except (Finished, Malformed):
            continue
    monkeypatch.undo()
    forms = [form_of(verb) for verb in VERBS]
    rolls = [form for form in forms if form.has_inputs]
    kinds = [kind for game in all_games() for kind in game.kinds.values()]
    moves = [move for game in all_games() for move in ruleset_of(game.name).table_rules.moves]
    yield from chain(
        met,
        (form.parser() for form in forms),
        (form.parser(GamePart([], inputs=kind.ask.inputs, kind=kind)) for form in rolls for kind in kinds),
        (form_of("move").parser(GamePart([], inputs=move.ask.inputs, move=move.name)) for move in moves),
    )


def test_every_command_has_a_parser_here(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {parser.prog.removeprefix("astragal ") for parser in parsers(monkeypatch)}
    firsts = {prog.split()[0] for prog in found}
    assert set(COMMANDS) - firsts == set()
    parts = {prog.split()[1] for prog in found if prog.startswith("table ")}
    assert set(SUBCOMMANDS) - parts == set()


def test_an_option_given_twice_is_refused_in_every_command_unless_it_takes_several(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = 0
    for parser in parsers(monkeypatch):
        for option in parser.options.values():
            first, *_, last = option.choices or ("1", "2")
            words = [*["x"] * parser.required, f"--{option.name}", *([first] if option.value else [])]
            others = [f"--{option.name}", *([last] if option.value else [])]
            tried += 1
            if option.many:
                key = option.key or option.name
                assert parser.parse([*words, *others]).given[key] == ["1", "2"]
                assert option.name in SEVERAL or key.startswith("input:"), (parser.prog, option.name)
            else:
                with pytest.raises(Malformed, match=f"--{option.name} is given twice"):
                    parser.parse([*words, *others])
    assert tried > 500


def test_an_answer_and_its_opposite_are_refused() -> None:
    parser = Parser("roll", "A roll.")
    parser.add("answers", Option("spend", key="spend", const="yes"), Option("no-spend", key="spend", const="no"))
    with pytest.raises(Malformed, match="--no-spend is given twice, and once more as yes"):
        parser.parse(["--spend", "--no-spend"])


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("odds narraject --step 8 --vary d6=1..12 --vary difficulty=1..5", "--vary is given twice"),
        ("odds razorweave --dc 16 --dc 18", '--dc is given twice, as "16" and as "18"'),
        ("odds razorweave 16 --dc 18", "dc is given twice, by position and by name"),
        ("roll chronicles 7 --seed 1 --seed 2", "--seed is given twice"),
        ("compare 2d6 3d6 --svg a.svg --json", "--svg and --json cannot be combined"),
        ("odds 2d6 --csv --json", "--csv and --json cannot be combined"),
        ("odds razorweave 16 --at-least --json", "leave out --at-least"),
        ("table do --as A --as B note hello", "--as is given twice"),
        ("table webhooks --audience gm", "--audience belongs to --add"),
        ("table import x.jsonl --as Mira", "--as belongs to --into"),
        ("serve --limit tables=5 --limit tables=6", "The limit tables is given twice"),
        ("audit --example book.md", "leave out everything else"),
        ("audit . --all --format github", "leave out --all"),
        ("mcp --data folder", "name one with --table"),
    ],
)
def test_what_would_be_dropped_is_refused_in_a_sentence(words: str, part: str) -> None:
    ran = run(*words.split())
    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err


def test_an_input_that_takes_several_values_still_does() -> None:
    ran = run("odds", "razorweave", "16", "--edge", "1", "--edge", "1", "--show", "tier", "--json")
    assert ran.json["ask"]["edge"] is not None


def test_settings_and_fields_by_name_are_given_once() -> None:
    with pytest.raises(Malformed, match="The setting edition is given twice"):
        settings("narraject", ["edition=hits", "edition=marks"])
    with pytest.raises(Malformed, match="--json is given twice"):
        split_words(["--json", "--json"])


def test_compare_refuses_a_side_with_an_option_given_twice() -> None:
    with pytest.raises(Malformed, match="--dc is given twice"):
        run_compare(["razorweave --dc 16 --dc 18", "razorweave 16"])
