"""A game: its kinds of roll, its rules by number, its worked examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, NamedTuple

from astragal.dice.dice import Pool
from astragal.dice.reading import Reading
from astragal.errors import Unknown
from astragal.rule.inputs.ask import Ask
from astragal.rule.texts import NO_WORDS, Texts, Wording, worded
from astragal.rule.tree.node import Node
from astragal.rule.tree.play import Step
from astragal.rule.verdict import Verdict


@worded("help")
class Decision(NamedTuple):
    """A choice that can be answered before it comes up, and how the answer is written.

    ``flag``: yes is the first answer, no the second. ``words``: any text belongs to the first answer. ``list``: several
    answers in order, which must all be used. ``one``: one answer, optionally with a text after a colon.
    """

    name: str
    help: str = ""
    answers: tuple[str, ...] = ()
    written: Literal["flag", "words", "list", "one"] = "one"
    rule: str = ""
    wording: Wording = NO_WORDS

    def parse(self, text: str) -> list[str]:
        """The answers that this text stands for."""
        if self.written == "list":
            return [part.strip() for part in text.split(",") if part.strip()]
        if self.written == "words" and text.strip() not in self.answers[1:]:
            return [f"{self.answers[0]}: {text.strip()}"]
        return [text.strip()]


class LongTask(NamedTuple):
    """A task of several throws: the fields of a result that say how far it has come."""

    total: str
    target: str
    left: str
    """The number of throws left."""
    rest: Callable[[Any, Any], Ask | None] = lambda ask, result: None
    """What is left to do, as an ask of its own, whose odds are those of the rest; None if nothing is left."""
    whole: Callable[[Any], Ask] = lambda ask: ask
    """All that is left to do in one go, where an ask is of the next throw alone: if each of them is like it."""
    begun: Callable[[Any], tuple[int, int, int]] | None = None
    """Total, target and throws left before the next one, by the ask."""
    before: tuple[str, ...] = ()
    """The inputs that say how far it has come; where a GM hides another one, these are hidden with it."""


@worded("price")
class Against(NamedTuple):
    """What of the other's sheet may be used against them: its section, and what that costs, in words."""

    section: str
    price: str = ""
    wording: Wording = NO_WORDS


class CoverDie(NamedTuple):
    """A die on a game's cover, and the face that it shows."""

    sides: int
    face: int
    role: Literal["plain", "special"] = "plain"


class Licence(NamedTuple):
    """The licence under which a game's rules are used."""

    name: str
    source: str
    """The work that the rules come from, and its author."""
    text: str
    """The attribution that the licence asks for."""


def undeclared(about: Any) -> Any:
    """The parts that a declaration must have; only its words may be elsewhere."""
    raise TypeError("A Kind needs a rule, a headline and a verdict, a Fact what it is of, a Wish its worth.")


class _Kind(NamedTuple):
    """The parts of a kind of roll."""

    name: str
    title: str = ""
    ask: type[Ask] = Ask
    rule: Callable[[Any], Node[Any]] = undeclared
    headline: Callable[[Any], str] = undeclared
    verdict: Callable[[Any], Verdict | str] = undeclared
    """What a result is called; of a plain sentence, a card takes name and numbers as well as it can."""
    decisions: tuple[Decision, ...] = ()
    short: tuple[str, ...] = ()
    """The inputs that may be given by position on a command line."""
    example: str = ""
    """The arguments of ``astragal roll`` that the help shows."""
    counted: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """For each group of typed faces: the input that their number sets, and inputs that prevent this if given."""
    odds: str | ModuleType = ""
    """The module with this roll's ``FACTS`` and ``WISHES``, or its name; it is imported when odds are needed."""
    does: str = "rolls"
    """The story's verb for the roller: "acts", "goes up" (against an opponent)."""
    begins: Callable[[Mapping[str, Any], bool], str] | None = None
    """The same as far as it is known when the roll is opened, by the inputs and whether there is an opponent.

    {} stands for the opponent: "strikes at {}". Nothing if it is not known yet.
    """
    noun: str = ""
    """The noun of a GM's request: "a Check"."""
    called: str | Callable[[Mapping[str, Any], bool], str] = "roll"
    """What a roll is called afterwards: "Recovery", or by the same "Strike at {}"; {} may be left out."""
    deed: Callable[[Any], str] | None = None
    """The same once it is known what is rolled, with whom or what it is about: "tends Odo's Broken arm"."""
    budget: str = ""
    """The input with the points that pay for choices; advice says what the last point is worth."""
    helpers: int = 0
    """Most helpers of the roller at a table."""
    their_helpers: int = 0
    """Most helpers of the other side."""
    helpers_give: bool = False
    """True if a helper helps only with something that they put in; who has put nothing in at the throw does not."""
    helpers_rule: str = ""
    """The rule for helpers."""
    shared: bool = False
    """True if those who come in roll as the roller does, instead of helping."""
    target: str = ""
    """The input that says how hard it is."""
    aim: str = ""
    """The input that says in words what is attempted."""
    usual: bool = False
    """True if a tap on a sheet opens this kind; without one, the main kind."""
    dice: Callable[[Any], tuple[Pool, ...]] | None = None
    """The dice that each side brings; without it, those of the first throw."""
    pool: Callable[[Any], str] | None = None
    """The same in a few words, such as "5d6 best 4 +4"; without it, the dice summed."""
    opposed: Literal["", "pairs", "count"] = ""
    """Whether two sides roll: their dice are compared in pairs from the highest down, or their successes counted."""
    against: Against | None = None
    helps_target: bool = False
    """True if the other character is tended by the roll, and not its opponent."""
    waves: str = "goes again"
    """The text about a die that is rolled again."""
    series: LongTask | None = None
    empty: str = "Tap anything on your sheet."
    """The text of a roll that has no inputs yet."""
    questions: Callable[[Any], tuple[str, ...]] | None = None
    """The question that each die of the throw will answer, in order, to be read before the throw."""
    solo: bool = False
    """True if it takes a GM's place, so that no GM asks for it."""
    hopes: str = ""
    """What the chance beside the dice is of, such as "for DC 14 or easier"; without it, to succeed."""
    thrown: Callable[[Any], tuple[Pool, Reading[Any]] | None] | None = None
    """All dice of a roll as one throw, and how they are read; None if nothing is thrown.

    Facts that are parts of it have their odds without a tree. Its rule throws the same, perhaps one after the other.
    """
    turned: Callable[[Any, Sequence[Step]], str] | None = None
    """What the headline says besides, as the dice fall: ask and steps so far. Nothing if it is empty."""


@worded("title", "does", "noun", "called", "waves", "empty", "hopes")
class Kind(_Kind):
    """One kind of roll: its ask, the function that builds its tree, and the texts for its result.

    Words that it leaves out are those of its ask: ``title`` of the roll, ``spend.help`` of a decision.
    """

    __slots__ = ()

    @property
    def wording(self) -> Wording:
        """Its words in the game's file."""
        return self.ask.wording

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The choices that may be answered in advance."""
        declared = super().decisions
        if type(declared) is not tuple:  # a check says what it should be
            return declared
        return tuple([each._replace(wording=self.wording.of(each.name)) for each in declared])

    @property
    def against(self) -> Against | None:
        """What of the other's sheet may be used against them."""
        declared = super().against
        return declared._replace(wording=self.wording.of("against")) if isinstance(declared, Against) else declared

    @property
    def is_live(self) -> bool:
        """True if some input is counted when it is spent, while a roll is open."""
        return any(input.live for input in self.ask.inputs.values())

    def change_dice(self, names: Iterable[str]) -> bool:
        """True if one of these inputs may change the number, size or rerolls of the first throw, by its declaration."""
        for name in names:
            input = self.ask.inputs.get(name)
            if input is None or (name != self.target and input.kind != "words" if input.dice is None else input.dice):
                return True
        return False

    @property
    def several(self) -> tuple[str, ...]:
        """The choices that take a list of answers."""
        return tuple(decision.name for decision in self.decisions if decision.written == "list")


@worded("title", "blurb", "mood")
class Game(NamedTuple):
    """A game. Its first kind of roll is the default."""

    name: str
    title: str = ""
    blurb: str = ""
    kinds: Mapping[str, Kind] = {}
    rules: Mapping[str, str] = {}
    examples: str = ""
    """The path of the worked examples, a TOML file."""
    hints: str = ""
    """The path of the hints, a TOML file, if the game gives any."""
    table_rules: str | ModuleType = ""
    """The module with this game's ``TABLE_RULES``, or its name; it is imported when a table is opened."""
    hue: int | None = None
    """The colour of the game, as a hue from 0 to 359; without it, one that follows from the name."""
    icon: str = ""
    """One stroke on a grid of 24, as an SVG path."""
    mood: str = ""
    """The mood of the game, in at most 60 characters; without it, the beginning of the blurb."""
    pile: tuple[CoverDie, ...] = ()
    """Three dice for the cover."""
    minutes: int = 10
    """The time that it takes to learn."""
    texts: Texts | None = None
    """The words of the game, if they stand in a file of their own; its hints may stand there, too."""
    how: tuple[str, ...] = ()
    """How to play, paragraph by paragraph."""
    licence: Licence | None = None
    """The licence of the rules, if they come from another work."""

    @property
    def wording(self) -> Wording:
        """The texts about the game itself."""
        return self.texts.of("game") if self.texts else NO_WORDS

    @property
    def main(self) -> Kind:
        """The default kind of roll."""
        return next(iter(self.kinds.values()))

    @property
    def usual(self) -> Kind:
        """The kind of roll that a tap on a sheet opens."""
        return next((kind for kind in self.kinds.values() if kind.usual), self.main)

    def kind(self, name: str = "") -> Kind:
        """The kind of roll with this name, by default the main one."""
        try:
            return self.kinds[name] if name else self.main
        except KeyError:
            raise Unknown(f'{self.title} has no roll called "{name[:40]}"; it has {", ".join(self.kinds)}.') from None


SAID = ("headline", "verdict", "begins", "called", "deed", "pool")
"""The parts of a kind of roll that a game's module of texts may have."""


def game_in(package: str, *kinds: Kind, **more: Any) -> Game:
    """Return the game whose parts stand in files of this package, found by their names: ``game_in(__name__, …)``.

    All its words are in ``rules.toml``, which the module ``rules`` has as ``TEXTS``, and its worked examples in
    ``examples.toml``. The module ``text`` says what rolls are called: ``check_headline`` is the headline of a check.
    The module ``odds`` has facts and wishes, ``table`` what the game adds for tables; both are imported on demand.
    """
    texts: Texts = import_module(f"{package}.rules").TEXTS
    said = vars(import_module(f"{package}.text"))

    def found(kind: Kind) -> Kind:
        parts = {part: said[name] for part in SAID if (name := f"{kind.name}_{part}") in said}
        return kind._replace(**{"odds": f"{package}.odds", **parts})

    examples = texts.path.replace("rules.toml", "examples.toml")
    files: dict[str, Any] = {"texts": texts, "examples": examples, "table_rules": f"{package}.table"}
    return Game(package.rpartition(".")[2], kinds=kinds_of(*map(found, kinds)), rules=texts.rules, **files, **more)


_KINDS: dict[type[Ask], Kind] = {}


def kinds_of(*kinds: Kind) -> dict[str, Kind]:
    """Kinds by name, the main one first. Registers them for ``kind_of``."""
    _KINDS.update({kind.ask: kind for kind in kinds})
    return {kind.name: kind for kind in kinds}


def kind_of(ask: Ask) -> Kind:
    """The kind of roll that an ask belongs to."""
    try:
        return _KINDS[type(ask)]
    except KeyError:
        raise Unknown(f"{type(ask).__name__} belongs to no game.") from None
