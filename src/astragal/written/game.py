"""A written game: a TOML file in, a game like any other out."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from astragal.errors import Faulty, Refusal
from astragal.rule.game import CoverDie, Decision, Game, Kind, Licence, kinds_of
from astragal.rule.inputs.input import Input
from astragal.written.deck import read_decks
from astragal.written.document import Document, Part
from astragal.written.inputs import check_name
from astragal.written.like import with_likes
from astragal.written.move import read_moves
from astragal.written.odds import facts_of, wishes_of
from astragal.written.option import REST
from astragal.written.reader import read_roll
from astragal.written.roll import WrittenRoll
from astragal.written.sides import with_sides
from astragal.written.table import read_sheets, read_table

MAX_ROLLS = 20
KIND_TEXTS = {"does": "rolls", "called": "roll", "target": "", "aim": ""}
"""The texts of a roll, with their defaults."""
ROLES = ("gm", "player")
"""The roles of members of a sample campaign."""
COVER_DICE = (4, 6, 8, 10, 12, 20)


def load_game(path: Path | str) -> Game:
    """The game in a TOML file; ``Faulty`` with file, line and what was expected if it has a mistake."""
    document = Document(Path(path))
    try:
        return _read_game(document)
    except Faulty:
        raise
    except Refusal as refusal:
        raise document.fault(str(refusal)) from None
    except RecursionError:
        raise document.fault("it has a formula with too many brackets inside each other.") from None


def _read_game(document: Document) -> Game:
    root = document.root
    name = check_name(root.text("name"), root)
    rules = _rules(root)
    document.rules = list(rules)
    parts = [with_sides(part) for part in with_likes(root.parts("roll", required=True, different="rolls"))]
    if not 0 < len(parts) <= MAX_ROLLS:
        root.refuse(f"a game has from 1 to {MAX_ROLLS} rolls, each under [[roll]].", "roll")
    decks = read_decks(root)
    sheets = read_sheets(root)
    rolls = [read_roll(part, decks, sheets) for part in parts]
    rolls = [roll._replace(wishes=wishes_of(roll, part)) for part, roll in zip(parts, rolls, strict=True)]
    table = read_table(root, sheets, rolls, decks)
    table = table._replace(moves=read_moves(root, table))
    kinds = [_kind(name, roll, part, place) for place, (part, roll) in enumerate(zip(parts, rolls, strict=True))]
    path = str(document.path)
    root.parts("example")
    hints = path if [_check_hint(part) for part in root.parts("hint")] else ""
    templates = path if [_check_character(part) for part in root.parts("character")] else ""
    table_rules = table.table_rules()._replace(templates=templates, sample=path if _has_sample(root) else "")
    game = Game(
        name,
        root.text("title"),
        _blurb(root),
        kinds_of(*kinds),
        rules,
        path,
        hints,
        table_rules=_module(f"{name}.table", TABLE_RULES=table_rules),
        hue=root.whole("hue") if root.has("hue") else None,
        icon=root.text("icon", ""),
        mood=root.text("mood", ""),
        pile=tuple(_read_cover_die(part) for part in root.parts("pile")),
        minutes=root.whole("minutes", 5),
        how=root.texts("how"),
        licence=_read_licence(root.part("licence")) if root.has("licence") else None,
    )
    root.finish()
    return game


def _blurb(root: Part) -> str:
    blurb = root.text("blurb")
    if not blurb.endswith("."):
        root.refuse("blurb must be a sentence, with a full stop at its end.", "blurb")
    return blurb


def _check_hint(part: Part) -> bool:
    """Check that a hint has a place, a title, a text and a rule; the contract checks that the place exists."""
    for name in ("at", "title", "text"):
        part.text(name)
    part.texts("kinds")
    if not part.rule():
        part.refuse("rule is missing; it is the number of the rule that the hint explains.")
    part.finish()
    return True


def _check_character(part: Part) -> bool:
    """Check the keys of a ready-made character; the contract checks the sheet."""
    part.text("name"), part.text("blurb", ""), part.yes("foe")
    part.part("sheet")
    part.finish()
    return True


def _has_sample(root: Part) -> bool:
    """True if there is a sample campaign: members, the GM first, and actions; the contract plays it."""
    if not root.has("sample"):
        return False
    sample = root.part("sample")
    sample.text("title"), sample.any("options")
    names = []
    for member in sample.parts("member", required=True):
        names.append(member.text("name"))
        if member.choice("role", ROLES) != "gm" and len(names) == 1:
            member.refuse("the first member of a sample campaign is the GM.", "role")
        member.finish()
    for action in sample.parts("action", required=True):
        actor = "actor" if "actor" in action.values else "by"
        action.choice(actor, names), action.text("do")
    sample.finish()
    return True


def _read_cover_die(part: Part) -> CoverDie:
    """A die on the cover, and the face that it shows."""
    sides = part.whole("sides")
    if sides not in COVER_DICE:
        part.refuse(f"sides is {sides}; a die on the cover has {', '.join(map(str, COVER_DICE))} sides.", "sides")
    die = CoverDie(sides, part.whole("face", least=1, most=sides), "special" if part.yes("special") else "plain")
    part.finish()
    return die


def _read_licence(part: Part) -> Licence:
    licence = Licence(part.text("name"), part.text("source"), part.text("text"))
    part.finish()
    return licence


def _rules(root: Part) -> dict[str, str]:
    rules = root.part("rules").named_texts()
    if not rules:
        root.refuse('rules is missing; write [rules] and number them, such as LA-1 = "Roll two dice".')
    return rules


def _kind(game: str, roll: WrittenRoll, part: Part, place: int) -> Kind:
    required = [input for input in roll.ask.inputs.values() if input.required]
    example = " ".join([game, *([] if place == 0 else [roll.name]), *(_given(input) for input in required)])
    texts: dict[str, Any] = {key: part.text(key, default) for key, default in KIND_TEXTS.items()}
    most = {team.role: team.most for team in roll.helpers}
    kind = Kind(
        roll.name,
        roll.title,
        roll.ask,
        roll.node,
        roll.headline,
        roll.verdict,
        decisions=_decisions(roll),
        example=part.text("example", example),
        short=part.texts("short"),
        **texts,
        helpers=most.get("helper", 0),
        their_helpers=most.get("their helper", 0),
        helpers_give=any(team.is_tapped for team in roll.helpers),
        helpers_rule=next((team.rule for team in roll.helpers), ""),
        opposed="count" if roll.is_opposed else "",
        dice=roll.dice_of_sides if roll.is_opposed or roll.helpers else None,
        odds=_module(
            f"{game}.odds",
            FACTS={roll.name: facts_of(roll)},
            WISHES={roll.name: {name: each.wish for name, each in roll.wishes.items()}},
        ),
    )
    named = [("target", kind.target), ("aim", kind.aim), *(("short", name) for name in kind.short)]
    for what, name in named:
        if name:
            part.among(what, "input", roll.ask.inputs, name)
    part.finish()
    return kind


def _given(input: Input) -> str:
    """An input on a command line, with a value that is allowed."""
    value = (
        input.steps[0][0] if input.steps else input.bounds().get("min", next(iter(input.bounds().get("options", [1]))))
    )
    return f"--{input.option} {value}"


def _module(name: str, **values: Any) -> ModuleType:
    """A module, as a game in Python has one."""
    module = ModuleType(f"written.{name}")
    vars(module).update(values)
    return module


def _decisions(roll: WrittenRoll) -> tuple[Decision, ...]:
    """The choices among options, so that a command line can answer them before the dice are thrown."""
    options = roll.options.values()
    after = [name for each in options for name in (each.keeping(()) if each.chosen else each.name, *each.answers)]
    choices = [(roll.choice, after, "what to do after the dice", roll.rule)]
    for team in roll.helpers:
        choices.append((team.choice, [option.name for option in team.options], "what helpers do", team.rule))
    return tuple(
        Decision(choice, f'{what}, in order, such as "{",".join(names[:2])}"; "{REST}" for nothing', (*names, REST),
                 "list", rule)
        for choice, names, what, rule in choices
        if names
    )  # fmt: skip
