"""Tools for questions that need no table: games, rules, odds, advice, comparisons, notation, a text's figures."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from astragal.agents.api import Api, as_step
from astragal.agents.tool import Run, Tool, without
from astragal.errors import Unknown
from astragal.questions.wire import ComparedShown, NotationRolled, OddsShown
from astragal.questions.wire_advice import AdviceShown
from astragal.questions.wire_games import Blurb, InputDeclared, KindDeclared, MoveDeclared, Sheets, TemplateDeclared
from astragal.serve.api.questions import Report
from astragal.serve.workers import answers
from astragal.serve.workers.audit_answers import AuditRequest, AuditShown
from astragal.table.action import Name, Ref

Part = Literal["rolls", "moves", "sheets", "options", "templates"]
FIELDS: dict[str, str] = {"rolls": "kinds"}
"""The name of a part in a game's declaration, if it is another one."""


class NoArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing."""


class KindNamed(Struct, frozen=True):
    """A kind of roll, or a move."""

    name: str
    title: str


class GameNamed(Struct, frozen=True):
    """A game in a few words."""

    name: str
    title: str
    blurb: str
    rolls: list[KindNamed]
    moves: list[KindNamed]
    sample: Blurb | None


class ShelfGameNamed(Struct, frozen=True):
    """A game on the shelf in a few words."""

    name: str
    title: str
    blurb: str


class GamesNamed(Struct, frozen=True):
    """Every game that can be played here; those on the shelf are played by their name like all others."""

    games: list[GameNamed]
    shelf: list[ShelfGameNamed]


class GameArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """A game, and the parts to describe."""

    game: Name
    parts: Annotated[tuple[Part, ...], Meta(min_length=1, max_length=5)] = ("rolls",)
    roll: Ref = ""


class GameDescribed(Struct, frozen=True, omit_defaults=True):
    """The requested parts of a game."""

    game: str
    title: str
    blurb: str
    rolls: list[KindDeclared] = []
    moves: list[MoveDeclared] = []
    sheets: Sheets | None = None
    options: list[InputDeclared] = []
    templates: list[TemplateDeclared] = []


class RulesArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """A game, and numbers of its rules; without numbers, all rules."""

    game: Name
    numbers: Annotated[list[Ref], Meta(max_length=100)] = []


class RulesShown(Struct, frozen=True):
    """A game's rules by number, restated in our own words."""

    game: str
    rules: dict[str, str]


class RollShown(Report, frozen=True, kw_only=True):
    """A roll by a game's rules. ``typed``: its faces were typed, not thrown by the server."""

    typed: bool


class NotationShown(NotationRolled, frozen=True, kw_only=True):
    """Rolled notation. ``typed``: its faces were typed, not thrown by the server."""

    typed: bool


# A seed would let an assistant choose dice that it likes.
RollArguments = without(answers.RollRequest, "RollArguments", "seed")
NotationArguments = without(answers.NotationRequest, "NotationArguments", "seed")
AdviceArguments = without(answers.AdviceRequest, "AdviceArguments", "seed")


async def _declaration(api: Api, name: str) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(await api.get(f"/api/games/{as_step(name)}"))
    return found


async def _list_games(api: Api, asked: NoArguments) -> Any:
    found = msgspec.json.decode(await api.get("/api/games"))
    games = [
        {**_brief(game, "sample"), "rolls": _titles(game["kinds"]), "moves": _titles(game["moves"])}
        for game in found["games"]
    ]
    return {"games": games, "shelf": [_brief(game) for game in found["shelf"]]}


def _brief(game: dict[str, Any], *more: str) -> dict[str, Any]:
    return {key: game[key] for key in ("name", "title", "blurb", *more)}


def _titles(declared: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"name": each["name"], "title": each["title"]} for each in declared]


async def _describe_game(api: Api, asked: GameArguments) -> Any:
    game = await _declaration(api, asked.game)
    found = {part: game[FIELDS.get(part, part)] for part in asked.parts}
    if asked.roll and "rolls" in found:
        found["rolls"] = [kind for kind in found["rolls"] if kind["name"] == asked.roll]
        if not found["rolls"]:
            known = ", ".join(kind["name"] for kind in game["kinds"])
            raise Unknown(f'There is no roll "{asked.roll[:40]}" in this game; there are {known}.')
    return {"game": game["name"], "title": game["title"], "blurb": game["blurb"], **found}


async def _rules(api: Api, asked: RulesArguments) -> Any:
    rules: dict[str, str] = (await _declaration(api, asked.game))["rules"]
    wanted = [number.strip().upper() for number in asked.numbers] or list(rules)
    for number in wanted:
        if number not in rules:
            raise Unknown(f'There is no rule "{number[:40]}"; there are {", ".join(rules)}.')
    return {"game": asked.game, "rules": {number: rules[number] for number in wanted}}


def _asking(path: str) -> Run:
    """A tool's function that passes its arguments to an operation."""

    async def run(api: Api, asked: Any) -> Any:
        return msgspec.json.decode(await api.post(path, msgspec.to_builtins(asked)))

    return run


def _rolling(path: str) -> Run:
    """A tool's function that rolls by an operation, and says if the faces were typed."""
    ask = _asking(path)

    async def run(api: Api, asked: Any) -> Any:
        return {**await ask(api, asked), "typed": asked.faces is not None}

    return run


GAME = "the game's name, as list_games gives it"
ROLL = "the kind of roll, as list_games gives it; empty for the game's usual one"
INPUTS = "the inputs of the roll, by the names that describe_game lists; numbers, words or true"
FACES = (
    "faces that people threw with dice of their own, such as 6 5 2; never make them up. Without it the server throws"
)
NOTATION = "dice notation, such as 4d6kh3, 2d10! or 8d10>=8"
DIALECT = "read the notation as this tool does; empty for Astragal's own way"
SHOW = "names of facts, as describe_game lists them; empty for all"
UP_TO = "values of an unbounded count are listed up to here"
ANSWERS = "answers to the roll's choices so far, by the choice's name"
WISH = "what to hope for, as describe_game lists the roll's wishes; empty for the first one that an option helps"
ASKED = {"game": GAME, "roll": ROLL, "inputs": INPUTS, "show": SHOW, "up_to": UP_TO, "wish": WISH, "answers": ANSWERS}
OFFERS = "true to count things that the table may offer after the throw"

QUESTION_TOOLS = (
    Tool(
        "list_games",
        "List the games",
        "Every game that can be played here, with the names of its rolls and moves. Start here.",
        NoArguments,
        GamesNamed,
        _list_games,
    ),
    Tool(
        "describe_game",
        "Describe a game",
        "What a game declares: the inputs, bounds, choices, facts and wishes of its rolls; its moves; the sections of "
        "its sheets; the options of its tables; its ready-made characters. Ask for the parts that you need.",
        GameArguments,
        GameDescribed,
        _describe_game,
        help={"game": GAME, "parts": "the parts to describe", "roll": "describe only this kind of roll"},
    ),
    Tool(
        "read_rules",
        "Read rules by number",
        "A game's rules, by the numbers that results and refusals cite, such as NJ-4.",
        RulesArguments,
        RulesShown,
        _rules,
        help={"game": GAME, "numbers": "which rules; empty for all"},
    ),
    Tool(
        "odds",
        "Exact odds",
        "The exact odds of a roll before any die is thrown: of a game's roll, or of dice notation (give game or "
        "notation, not both). Chances come as fractions and as percentages.",
        answers.OddsRequest,
        OddsShown,
        _asking("/api/odds"),
        help={
            **ASKED,
            "notation": NOTATION,
            "dialect": DIALECT,
            "policy": "how the roll's choices are answered; empty for the usual way",
            "offers": OFFERS,
        },
    ),
    Tool(
        "advise",
        "Weigh the options of a choice",
        "With the dice of a game's roll known: what each answer to its next choice would do to the exact chances. For "
        "a roll at your table use advise_on_roll instead.",
        AdviceArguments,
        AdviceShown,
        _asking("/api/advise"),
        help={**ASKED, "faces": "the dice on the table, such as 6 4 4 2 1 | 3", "offers": OFFERS},
    ),
    Tool(
        "compare",
        "Compare odds",
        "Two to six questions about odds side by side, each as the tool odds takes it.",
        answers.CompareRequest,
        ComparedShown,
        _asking("/api/compare"),
        help={"sides": "the questions", "show": SHOW, "up_to": UP_TO},
    ),
    Tool(
        "roll_notation",
        "Roll dice notation",
        "Rolls dice notation with the server's fair dice, apart from any table. No one else sees it and no log keeps "
        "it; at a table, roll with the tool roll.",
        NotationArguments,
        NotationShown,
        _rolling("/api/roll/notation"),
        help={"notation": NOTATION, "dialect": DIALECT, "faces": FACES},
    ),
    Tool(
        "practice_roll",
        "Roll by a game's rules, apart from any table",
        "A roll of a game with the server's fair dice, explained rule by rule, apart from any table. Choices "
        "without an answer stay open.",
        RollArguments,
        RollShown,
        _rolling("/api/roll"),
        help={**ASKED, "faces": FACES},
    ),
    Tool(
        "audit_text",
        "Check the figures of a text",
        "Compares the figures that a Markdown text prints with exact odds, where a comment such as "
        "<!-- astragal: 4d6 >= 14 --> right before a figure says what it should be, or one above a table does: a line "
        "<!-- astragal, a line such as Chance = 4d6 >= {Total} for each column, a line -->.",
        AuditRequest,
        AuditShown,
        _asking("/api/audit"),
        help={"text": "the text", "dialect": DIALECT},
    ),
)
