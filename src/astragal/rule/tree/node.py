"""The three nodes that every rule is made of: a throw, a choice, an outcome.

A tree is a value and does not know where faces and answers come from. Playing it, computing its odds and explaining
it are different walks over the same tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, Union, overload

from astragal.dice.dice import Faces, Pool
from astragal.dice.reading import Reading
from astragal.errors import Refusal
from astragal.rule.tree.effect import Effect, Role, is_theirs
from astragal.rule.tree.note import Note, Telling
from astragal.rule.tree.push import Push
from astragal.rule.tree.result import field

R = TypeVar("R")
V = TypeVar("V")


class Prompt(NamedTuple):
    """A question for words about an outcome. Nothing waits for the answer, which may be left out."""

    by: Role
    """The role that is asked; ``player`` and ``roller`` both mean the member who rolls."""
    question: str
    rule: str = ""


class Deferred(Sequence[V]):
    """Effects or prompts that are worked out on demand; odds look at none, so none is a price."""

    def __init__(self, make: Callable[[], Iterable[V]]) -> None:
        self._make = make

    @field
    def _all(self) -> tuple[V, ...]:
        return tuple(self._make())

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[V]:
        return iter(self._all)

    @overload
    def __getitem__(self, place: int) -> V: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[V]: ...
    def __getitem__(self, place: int | slice) -> V | Sequence[V]:
        return self._all[place]


class Outcome(NamedTuple, Generic[R]):
    """A leaf: the game's own result, its effects, the notes that explain it, and who is asked to describe it."""

    result: R
    effects: Sequence[Effect] = ()
    tell: Callable[[], Iterable[Note]] = tuple
    prompts: Sequence[Prompt] = ()
    after: Choice[R] | Lazy[R] | None = None
    """A choice that a table leaves open when the roll is over, until the roller's next roll.

    The outcome that it leads to has the new result and only further effects. Odds leave it aside.
    """


class Throw(NamedTuple, Generic[V, R]):
    """Throw ``pool``, read the faces with ``reading``, go on with ``then(value)``."""

    pool: Pool
    reading: Reading[V]
    then: Callable[[V], Node[R]]
    tell: Callable[[Faces], Telling] = lambda faces: Telling(())
    title: str = ""
    by: Role = "roller"
    """The role that throws these dice."""
    enough: int | None = None
    """For an endless count: higher counts change only the number that is shown."""
    rivals: bool = False
    """Whether, from ``enough`` on, it still matters which is greater, this count or that of a later throw."""
    level: int | None = None
    """For the later throw: the count with which it is level with its rival. From ``enough`` on it only matters whether
    it is that, less or more."""
    instead: Choice[R] | None = None
    """What a table lets a member answer while it waits for these dice: that another one throws first. Odds leave it
    aside."""
    together: Throw[Any, R] | None = None
    """Where throws follow each other and nothing is decided between them: the same in one throw, which has the same
    odds. It is never played, so its reading may be of any number of dice."""
    barred: Refusal | None = None
    """Why these dice cannot be thrown, though their results have odds."""
    so_far: Callable[[V], R] | None = None
    """The result of these dice if no decision follows them, so that odds need not build the decisions. It must be
    the result that ``then`` leads to."""
    gives: Lazy[R] | None = None
    """For a throw whose counts are dice of a later one: the same throw as a node of a number of dice (``Lazy.dice``).

    A count of k leads to the next such node with k dice more, for every k from 1 on.
    """
    push: Push[R] | None = None
    """All that may be decided after these dice, if that is to throw some again, once: odds need no tree then."""


class Lazy(NamedTuple, Generic[R]):
    """A node built on demand. Two are equal if they call the same function with the same arguments.

    With ``dice`` it is ``make(*args, marks, dice)``, a node of a number of dice: throws that give dice, and at last one
    that has them. With equal ``args``, such nodes differ in nothing but the dice of the last throw if these are at
    least one, and in nothing at all if they are fewer, but for numbers that results only show. ``marks`` are counted on
    the way: they change results, and nothing else.
    """

    make: Callable[..., Node[R]]
    args: tuple[Any, ...] = ()
    dice: int | None = None
    marks: tuple[int, ...] = ()

    def node(self, *more: object) -> Node[R]:
        """Build the node; ``more`` are further arguments, such as the words of an answer."""
        if self.dice is not None:
            return self.make(*self.args, self.marks, self.dice)
        return self.make(*self.args, *more)


class Later(NamedTuple):
    """Words that are found when they are read. Two are equal if they call the same with the same arguments."""

    say: Callable[..., str]
    args: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return self.say(*self.args)


def later(say: Callable[..., str], *args: object) -> Later:
    """Return the words ``say(*args)`` for when they are read: odds read none."""
    return Later(say, args)


class Option(NamedTuple, Generic[R]):
    """One answer to a choice.

    ``effects`` happen with the answer. ``words`` says what text the answer takes; ``needs`` makes that text required.
    """

    label: str
    then: Lazy[R]
    rule: str = ""
    effects: tuple[Effect, ...] = ()
    words: str = ""
    needs: bool = True
    by: Role = ""
    """Who may give it, if that is not who decides: the GM offers something while the player thinks."""
    detail: str | Later = ""
    """What it does, in half a line."""
    told: str = ""
    """How log and story tell it, where no result will: an offer that was declined; {} stands for the words."""
    names: str = ""
    """What its words name, of what the table keeps, by section and perhaps kind: ``clocks:threat``.

    Further words may follow after a semicolon. At a table the name must be there, and one that is hidden stays hidden.
    """
    warns: str | Later = ""
    """What speaks against it in half a line, by what is known: "cannot succeed". It takes the place of ``detail``."""
    offered: bool = False
    """True if it takes or refuses an offer: that is a matter of taste, and no chance is shown beside it."""
    refuses: bool = False
    """True if it refuses an offer and leaves all else as it is: it is never better than the other options."""
    also_costs: str = ""
    """What it costs besides, as the dice fall, in a few words: "1 stress for each 1". Advice has the average."""

    @property
    def cost(self) -> int:
        """The cost of the answer, as far as it is known before further dice: the sum of what its effects cost."""
        return sum([effect.cost for effect in self.effects])

    @property
    def described(self) -> str:
        """What it does and what it costs as the dice fall, in half a line."""
        falls = f"costs {self.also_costs}" if self.also_costs else ""
        return "; ".join(filter(None, (str(self.warns) or str(self.detail), falls)))

    @property
    def costs(self) -> dict[str, int]:
        """The same by what it is paid with."""
        return costs_of(self.effects)


def prices_of(effects: Sequence[Effect]) -> list[Effect]:
    """The costs of a roll as its dice fall."""
    return [] if isinstance(effects, Deferred) else [effect for effect in effects if effect.price]


def costs_of(effects: Iterable[Effect]) -> dict[str, int]:
    """The costs of effects, by the item that pays."""
    found: dict[str, int] = {}
    for effect in effects:
        if effect.cost:
            found[effect.what] = found.get(effect.what, 0) + effect.cost
    return found


class Barred(NamedTuple):
    """An answer that the rules do not allow here, and why not."""

    why: str
    rule: str = ""
    for_now: bool = False
    """True if it may become possible while the roll is open: points may come."""
    label: str = ""
    """Its label, as if it were an option."""
    needs: str = ""
    """The missing thing, in a few words: "Needs 3 IP"."""

    @property
    def short(self) -> str:
        """Why not, in as few words as there are."""
        return self.needs or self.why


class Offered(NamedTuple):
    """An offer that waits for an answer: what it is, its maker's words, and the question that follows."""

    what: str
    words: str
    question: str = ""


class Choice(NamedTuple, Generic[R]):
    """A decision among options. ``so_far`` is the result if nothing more is done; None in the middle of a roll.

    ``rest`` names the option that leaves things as they are, if there is one. With ``passes``, a roll continues
    with ``rest`` where no one is asked: on a command line, in odds. A table and a prompt ask.
    """

    name: str
    by: str
    question: str
    options: Mapping[str, Option[R]]
    so_far: R | None
    rest: str = ""
    barred: Mapping[str, Barred] = {}
    tell: Callable[[], Iterable[Note]] = tuple
    passes: bool = False
    assumes: str = ""
    """What the chances after each option take for granted about others, in a sentence."""
    effects: tuple[Effect, ...] = ()
    """What has happened when the roll gets here, whatever is answered: the dice have fallen. No prices."""
    theirs: bool = False
    """True if the other side decides, where ``by`` does not tell: the loser may be either."""
    offered: Offered | None = None
    """The offer that the question tells, in parts."""

    @property
    def own(self) -> dict[str, Option[R]]:
        """The options of the person who decides, without those of others."""
        return {name: option for name, option in self.options.items() if not option.by}

    @property
    def taken(self) -> dict[str, Option[R]]:
        """The same without those that only refuse an offer, if there are others."""
        return {name: option for name, option in self.own.items() if not option.refuses} or self.own

    def of_side(self, theirs: bool) -> dict[str, Option[R]]:
        """The options for a wish of ours or ``theirs``: while we decide, the other side has only what is by it."""
        if not theirs or self.is_theirs or not self.rest:
            return self.own
        return {name: each for name, each in self.options.items() if name == self.rest or each.by == "target"}

    @property
    def is_theirs(self) -> bool:
        """True if the other side decides, or one of its helpers."""
        return self.theirs or is_theirs(self.by)


Node: TypeAlias = Union[Throw[Any, R], Choice[R], Outcome[R], Lazy[R]]


def lazy(make: Callable[..., Node[R]], *args: object) -> Lazy[R]:
    """Return a node that calls ``make(*args)`` when it is needed."""
    return Lazy(make, args)
