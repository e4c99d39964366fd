"""Everything that a game outside this package imports, and all that the built-in games import.

Names are stable: a break needs a new major version. The last group, for closed forms of odds, is provisional.
A name is loaded with its first use, so that a game which only rolls does not load what odds need.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astragal.dice.cache import cached
    from astragal.dice.dice import MAX_DICE, NO_FACES, Dice, Faces, Pool, Wave, faces_below, faces_from
    from astragal.dice.distribution import Beyond, Distribution, Moments
    from astragal.dice.reach import Bands, Climbed, Climbing, Independent, Reach, Reaches, Several
    from astragal.dice.reading import (
        Added,
        Beside,
        Face,
        Handful,
        Keep,
        Kept,
        Scored,
        Symbols,
        Tally,
        Walk,
    )
    from astragal.dice.solver.climb import Climb
    from astragal.dice.solver.endless.mixed import Mixed, versus
    from astragal.dice.solver.endless.repeated import Repeated
    from astragal.dice.solver.fight import Fight, Fighter
    from astragal.dice.solver.reached import Reached
    from astragal.errors import Illegal, Malformed, Unknown
    from astragal.rule.chances.fact import Fact, Policy, Wish, fact, facts
    from astragal.rule.chances.open_roll import OpenRoll, Own
    from astragal.rule.chances.solve import count_law
    from astragal.rule.game import Against, CoverDie, Decision, Game, Kind, LongTask, kinds_of
    from astragal.rule.inputs.ask import Ask, flag, named, numbers, one_of, side, summed, whole, words
    from astragal.rule.inputs.input import Flag, Numbers, OneOf, Whole
    from astragal.rule.inputs.total import (
        MAX_LABEL,
        Source,
        Total,
        counted,
        format_sources,
        format_total,
        signed,
        sources_of,
    )
    from astragal.rule.inputs.word import Words
    from astragal.rule.sheets.deck import Deck, deck
    from astragal.rule.sheets.random_table import random_table
    from astragal.rule.sheets.sheet import MAX_NAME, Item, Items, Options, Section, free_name, sections
    from astragal.rule.sheets.sheet_offer import SheetOffer, Thing, offers_from, on_tray
    from astragal.rule.sheets.table_rules import (
        TABLE,
        Change,
        Holder,
        Move,
        NoInputs,
        Offer,
        Participants,
        TableRules,
        changed,
        clocks_section,
        counter,
    )
    from astragal.rule.texts import Reason, Texts
    from astragal.rule.tree.effect import Effect, Role
    from astragal.rule.tree.node import (
        Barred,
        Choice,
        Deferred,
        Lazy,
        Node,
        Option,
        Outcome,
        Prompt,
        Throw,
        later,
        lazy,
    )
    from astragal.rule.tree.note import Die, Note, Telling
    from astragal.rule.tree.push import Counts, Push
    from astragal.rule.tree.result import Fields, field
    from astragal.rule.verdict import Tone, Verdict

_NAMES = {
    # Dice and faces.
    "dice.dice": "Dice Faces MAX_DICE NO_FACES Pool Wave faces_below faces_from",
    # Readings: what a throw comes to.
    "dice.reading": "Added Beside Face Handful Keep Kept Scored Symbols Tally Walk",
    # Readings of how far a throw reaches.
    "dice.reach": "Bands Climbed Climbing Independent Reach Reaches Several",
    # Distributions.
    "dice.distribution": "Beyond Distribution Moments",
    # Asks: what a roll needs to know.
    "rule.inputs.ask": "Ask flag named numbers one_of side summed whole words",
    "rule.inputs.input": "Flag Numbers OneOf Whole",
    "rule.inputs.word": "Words",
    # Decks of cards, of which a table keeps what is left.
    "rule.sheets.deck": "Deck deck",
    # Trees: throws, choices, outcomes.
    "rule.tree.node": "Barred Choice Deferred Lazy Node Option Outcome Prompt Throw later lazy",
    "rule.tree.effect": "Effect Role",
    "rule.tree.push": "Counts Push",
    "rule.tree.result": "Fields field",
    # Sentences.
    "rule.tree.note": "Die Note Telling",
    "rule.texts": "Reason Texts",
    # Totals with named sources.
    "rule.inputs.total": "MAX_LABEL Source Total counted format_sources format_total signed sources_of",
    # The game itself.
    "rule.game": "Against CoverDie Decision Game Kind LongTask kinds_of",
    "rule.verdict": "Tone Verdict",
    # Facts and wishes.
    "rule.chances.fact": "Fact Policy Wish fact facts",
    "rule.chances.open_roll": "OpenRoll Own",
    # Tables: sheets, offers, moves.
    "rule.sheets.sheet": "Item Items MAX_NAME Options Section free_name sections",
    "rule.sheets.table_rules": (
        "Change Holder Move NoInputs Offer Participants TABLE TableRules changed clocks_section counter"
    ),
    "rule.sheets.sheet_offer": "SheetOffer Thing offers_from on_tray",
    "rule.sheets.random_table": "random_table",
    # Refusals.
    "errors": "Illegal Malformed Unknown",
    # Caching, and closed forms (provisional).
    "dice.solver.climb": "Climb",
    "dice.solver.endless.mixed": "Mixed versus",
    "dice.solver.endless.repeated": "Repeated",
    "rule.chances.solve": "count_law",
    "dice.solver.fight": "Fight Fighter",
    "dice.solver.reached": "Reached",
    "dice.cache": "cached",
}

_MODULES = {name: f"astragal.{module}" for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "MAX_DICE",
    "MAX_LABEL",
    "MAX_NAME",
    "NO_FACES",
    "TABLE",
    "Added",
    "Against",
    "Ask",
    "Bands",
    "Barred",
    "Beside",
    "Beyond",
    "Change",
    "Choice",
    "Climb",
    "Climbed",
    "Climbing",
    "Counts",
    "CoverDie",
    "Decision",
    "Deck",
    "Deferred",
    "Dice",
    "Die",
    "Distribution",
    "Effect",
    "Face",
    "Faces",
    "Fact",
    "Fields",
    "Fight",
    "Fighter",
    "Flag",
    "Game",
    "Handful",
    "Holder",
    "Illegal",
    "Independent",
    "Item",
    "Items",
    "Keep",
    "Kept",
    "Kind",
    "Lazy",
    "LongTask",
    "Malformed",
    "Mixed",
    "Moments",
    "Move",
    "NoInputs",
    "Node",
    "Note",
    "Numbers",
    "Offer",
    "OneOf",
    "OpenRoll",
    "Option",
    "Options",
    "Outcome",
    "Own",
    "Participants",
    "Policy",
    "Pool",
    "Prompt",
    "Push",
    "Reach",
    "Reached",
    "Reaches",
    "Reason",
    "Repeated",
    "Role",
    "Scored",
    "Section",
    "Several",
    "SheetOffer",
    "Source",
    "Symbols",
    "TableRules",
    "Tally",
    "Telling",
    "Texts",
    "Thing",
    "Throw",
    "Tone",
    "Total",
    "Unknown",
    "Verdict",
    "Walk",
    "Wave",
    "Whole",
    "Wish",
    "Words",
    "cached",
    "changed",
    "clocks_section",
    "count_law",
    "counted",
    "counter",
    "deck",
    "faces_below",
    "faces_from",
    "fact",
    "facts",
    "field",
    "flag",
    "format_sources",
    "format_total",
    "free_name",
    "kinds_of",
    "later",
    "lazy",
    "named",
    "numbers",
    "offers_from",
    "on_tray",
    "one_of",
    "random_table",
    "sections",
    "side",
    "signed",
    "sources_of",
    "summed",
    "versus",
    "whole",
    "words",
]


if not TYPE_CHECKING:  # else type checkers would take every name

    def __getattr__(name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(_MODULES[name]), name)
        return found
