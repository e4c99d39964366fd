"""Checks of a game's sheets: sections, settings, moves, and ready-made characters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import get_args, get_type_hints

from astragal.check.definition import ask_mistakes
from astragal.check.mistake import Mistake, tried, unknown_rules
from astragal.check.parts import part_mistakes
from astragal.rule.game import Game
from astragal.rule.inputs.input import Numbers, Whole
from astragal.rule.sheets.deck import CardsLeft
from astragal.rule.sheets.sheet import Layout, Place, Section, read_sheet
from astragal.rule.sheets.table_rules import TableRules, table_rules_of
from astragal.table.ruleset import ruleset_of

HOLDERS = ("character", "player", "table", "scene")
LOOKS = get_args(get_type_hints(Section)["look"])
DECIDERS = ("owner", "gm")


def sheet_mistakes(game: Game) -> Iterator[Mistake]:
    """Every section of every sheet."""
    named = game.table_rules if isinstance(game.table_rules, str) else game.table_rules.__name__
    yield from tried("table rules", f'importing "{named}"', _table_rules(game))


def _table_rules(game: Game) -> Iterator[Mistake]:
    rules = table_rules_of(game.table_rules)
    if not isinstance(rules, TableRules):
        yield Mistake("table rules", f"TABLE_RULES is a {type(rules).__name__}, not TableRules.")
        return
    wrong = list(part_mistakes(rules, "table rules"))
    yield from wrong or tried("sheets", "looking at them", _sheets(game, rules))


def _sheets(game: Game, rules: TableRules) -> Iterator[Mistake]:
    for kind in HOLDERS:
        names = [section.name for section in rules.sections(kind)]
        for name in {name for name in names if names.count(name) > 1}:
            yield Mistake(f"{kind} sheet", f'two sections are called "{name}".')
        for section in rules.sections(kind):
            where = f"{kind} sheet, section {section.name}"
            wrong = list(part_mistakes(section, where))
            yield from wrong or tried(where, "looking at it", _section(section, game, where))
        yield from tried(f"{kind} sheet", "making an empty one", partial(read_sheet, rules.sections(kind), {}))
    if not any(section.look == "clock" for section in rules.table):
        yield Mistake("table sheet", "it has no Clocks; add clocks_section().")
    yield from _decks(game, rules)
    for kind in ("character", "player", "scene"):
        for section in rules.sections(kind):
            if section.look == "cards":
                yield Mistake(f"{kind} sheet, section {section.name}", "decks are the table's; put it on its sheet.")


def _decks(game: Game, rules: TableRules) -> Iterator[Mistake]:
    """Every deck from which a roll draws is kept by the table."""
    kept = {section.name: section.begins for section in rules.table if section.look == "cards"}
    for kind in game.kinds.values():
        for input in kind.ask.inputs.values():
            if isinstance(input, CardsLeft) and kept.get(input.deck.name) != input.deck.section().begins:
                where = f"roll {kind.name}, input {input.name}"
                yield Mistake(where, f'the table does not keep the deck "{input.deck.name}"; add its .section().')


def _section(section: Section, game: Game, where: str) -> Iterator[Mistake]:
    if not section.name.isidentifier() or not section.title:
        yield Mistake(where, "its name must be one word, and it needs a title.")
    for what, value, allowed in (
        ("look", section.look, LOOKS),
        ("layout", section.layout, (None, *get_args(Layout))),
        ("place", section.place, (None, *get_args(Place))),
    ):
        if value not in allowed:
            yield Mistake(where, f'{what} is "{value}"; it may be {", ".join(filter(None, allowed))}.')
    if not section.fields:
        yield Mistake(where, "it needs fields.")
    yield from unknown_rules(game, where, section.rule)
    for what in ("counts", "top"):
        name = getattr(section, what)
        if name and name not in section.fields:
            yield Mistake(where, f'{what} names the field "{name}", and there are {", ".join(section.fields)}.')
        elif name and not isinstance(section.fields[name], (Whole, Numbers)):
            yield Mistake(where, f"{what} names {name}, which must be a whole number with bounds.")
    if section.look == "boxes" and not isinstance(section.fields.get(section.counts), Numbers):
        yield Mistake(where, "boxes count a field of numbers; the others count a whole number.")
    for name, field in section.fields.items():
        if not field.help or field.help.endswith("."):
            yield Mistake(f"{where}, field {name}", "it needs a help text, without a full stop at its end.")
        yield from unknown_rules(game, f"{where}, field {name}", field.rule)


def option_and_move_mistakes(game: Game) -> Iterator[Mistake]:
    """The table's settings, and its moves."""
    rules = table_rules_of(game.table_rules)
    yield from ask_mistakes(rules.options, game, "settings")
    rules.options()
    names = [move.name for move in rules.moves]
    for move in rules.moves:
        where = f"move {move.name}"
        yield from part_mistakes(move, where)
        if names.count(move.name) > 1:
            yield Mistake(where, "another move has the same name.")
        if not move.name.isidentifier() or not move.title[:1].isupper() or move.title.endswith("."):
            yield Mistake(where, "its name must be one word, and its title begins with a capital and has no full stop.")
        if move.by not in DECIDERS:
            yield Mistake(where, f'by is "{move.by}"; it may be {" or ".join(DECIDERS)}.')
        yield from unknown_rules(game, where, move.rule)
        yield from ask_mistakes(move.ask, game, where)


def template_mistakes(game: Game) -> Iterator[Mistake]:
    """Every ready-made character fits the sheet."""
    sections = table_rules_of(game.table_rules).character
    for name, written in ruleset_of(game.name).templates.items():
        where = f"ready-made character {name}"
        yield from tried(where, "reading the sheet", _template(sections, written.get("sheet", {})))


def _template(sections: tuple[Section, ...], written: object) -> Iterator[Mistake]:
    sheet = read_sheet(sections, written)
    if read_sheet(sections, sheet) != sheet:
        yield Mistake("ready-made characters", "a sheet reads differently when it is read again.")
