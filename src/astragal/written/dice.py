"""The dice of a written game's roll, as the file has them: in notation, with words on their faces, or from a deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from astragal.dice.dice import MAX_DICE
from astragal.written.change import Names, read_when
from astragal.written.deck import WrittenDeck, read_cards
from astragal.written.document import Part
from astragal.written.formula import Formula, read_formula
from astragal.written.inputs import check_formula_name
from astragal.written.pools import SymbolDice, read_dice, symbols_on
from astragal.written.reading import Plain, Worded

MAX_FACES = 40
"""Most faces of a die with words."""


def symbols_of(part: Part, dice: tuple[Plain | Worded, ...], numbers: list[str]) -> tuple[str, ...]:
    """Every symbol on these dice; formulas use them as numbers."""
    found = dict.fromkeys(
        symbol for each in dice if isinstance(each, Worded) for label in each.labels for symbol in symbols_on(label)
    )
    for symbol in found:
        if symbol in (*numbers, *(each.name for each in dice)):
            part.refuse(f'the symbol "{symbol}" has the name of an input or of dice; choose another.')
    return tuple(found)


def decks_of(part: Part, decks: Mapping[str, WrittenDeck]) -> list[WrittenDeck]:
    """The decks from which a roll draws, each once."""
    wanted = [(name, part.any(name)) for name in part.names()]
    names = [(name, each["deck"]) for name, each in wanted if isinstance(each, dict) and "deck" in each]
    for place, (name, deck) in enumerate(names):
        if deck in [other for _, other in names[:place]]:
            part.refuse(f'the deck "{deck}" is drawn from twice; draw all of its cards under one name.', name)
    return [decks[deck] for _, deck in names if isinstance(deck, str) and deck in decks]


def read_pool(part: Part, numbers: list[str], decks: Mapping[str, WrittenDeck]) -> Iterator[Plain | Worded]:
    """The dice of a roll, each under its name."""
    names = part.names()
    if not names:
        part.refuse('dice is missing; name at least one, such as pool = "2d6".')
    for name in names:
        check_formula_name(name, part)
        if name in numbers:
            part.refuse(f'"{name}" is an input already; choose another name.', name)
        with part.telling(name):
            if isinstance(part.any(name), dict):
                yield _read_table_of_dice(name, part.part(name), numbers, decks)
            else:
                yield read_dice(name, part.text(name), numbers)


def _read_table_of_dice(name: str, part: Part, numbers: list[str], decks: Mapping[str, WrittenDeck]) -> Plain | Worded:
    part.has("when")  # see read_later
    if part.has("dice"):
        with part.telling("dice"):
            named = read_dice(name, part.text("dice"), numbers)
        part.finish()
        return named
    if part.has("deck"):
        return read_cards(name, part, decks, _read_number(part, numbers))
    return _read_symbols(name, part, numbers)


def read_later(part: Part, names: Names) -> dict[str, Formula]:
    """The dice that fall only if something holds, and what that is."""
    tables = [(name, part.part(name)) for name in part.names() if isinstance(part.any(name), dict)]
    later = {name: when for name, each in tables if (when := read_when(each, names))}
    if len(later) == len(part.names()):
        part.refuse("all dice have when; some must fall at first.")
    return later


def _read_symbols(name: str, part: Part, numbers: list[str]) -> SymbolDice:
    """Dice with words on their faces: ``{ n = "skill", faces = ["blank", "hit", "hit+star"] }``."""
    labels = tuple("+".join(map(str.strip, label.split("+"))) for label in part.texts("faces", different=False))
    if not 2 <= len(labels) <= MAX_FACES:
        part.refuse(f"faces must be a list of 2 to {MAX_FACES} words, one for each face.", "faces")
    for label in labels:
        for word in label.split("+"):
            if " " in word:
                part.refuse(f'"{word}" on a face is two words; join them with + if both count.', "faces")
            check_formula_name(word, part)
    n = _read_number(part, numbers)
    part.finish()
    return SymbolDice(name, labels, n)


def _read_number(part: Part, numbers: list[str]) -> Formula | int:
    """The number of dice or cards, or a formula of inputs."""
    if not part.has("n"):
        part.refuse('n is missing; it is a number, or a formula of inputs such as "skill".')
    if isinstance(part.any("n"), str):
        return read_formula(part.text("n"), (), numbers)
    return part.whole("n", least=0, most=MAX_DICE)
