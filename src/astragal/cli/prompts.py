"""Questions to the person at the terminal: which game, which inputs, which dice, which answer to a choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from astragal.cli.render.screen import Screen, at_terminal
from astragal.dice.dice import Faces, Pool
from astragal.dice.faces import TypedFaces, asked_for
from astragal.errors import Malformed, Refusal
from astragal.explain.report import in_a_line, judged
from astragal.games.registry import all_games
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Input
from astragal.rule.tree.node import Choice, Throw
from astragal.rule.tree.play import Answer, Hand, Rolled, chosen_option, parse_answer
from astragal.rule.typed import Typed

T = TypeVar("T")
DICE = "Press Enter to roll, or type the faces of your dice, or h to be asked for each throw:"


def until_accepted(screen: Screen, question: Callable[[], T], again: str = "") -> T:
    """Ask until the answer is accepted; each refusal is printed."""
    while True:
        try:
            return question()
        except Refusal as refusal:
            screen.refuse(f"{refusal}{again}")


def confirmed(question: str, otherwise: Refusal) -> bool:
    """True if the person types "yes"; refused as said where nobody can be asked."""
    if not at_terminal():
        raise otherwise
    return Screen().ask(f"{question} Type yes:").strip().lower() == "yes"


def typed_faces(screen: Screen, pool: Pool, title: str = "") -> Faces:
    """The faces of these dice, as the person types them."""

    def ask() -> Faces:
        typed = TypedFaces(screen.ask(f"Faces of {f'{title}: ' if title else ''}{asked_for(pool)}:"))
        faces = typed.throw(pool)
        typed.finish()
        if faces is None:
            raise Malformed("Type a face for each die.")
        return faces

    return until_accepted(screen, ask)


def hand_roller(screen: Screen) -> Callable[[Pool], Faces]:
    """A roller that asks the person for the faces of every throw."""
    return lambda pool: typed_faces(screen, pool)


class PromptHand(Hand):
    """Shows every throw, and asks for what the inner hand does not know, again until the answer can be read."""

    def __init__(self, inner: Hand, kind: Kind, screen: Screen) -> None:
        super().__init__()
        self._inner = inner
        self._kind = kind
        self._screen = screen

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        """The faces of the inner hand, or those that the person types; the dice are shown."""
        faces = self._inner.throw(throw)
        if faces is None:
            faces = typed_faces(self._screen, throw.pool, throw.title)
        self._screen.show_dice(throw.title, throw.tell(faces).dice)
        return faces

    def choose(self, choice: Choice[Any]) -> Answer | None:
        """The answer of the inner hand, or the person's."""
        return self._inner.choose(choice._replace(passes=False)) or ask_choice(self._screen, self._kind, choice)

    def finish(self) -> None:
        """Refuse what the inner hand has left over."""
        self._inner.finish()


def ask_choice(screen: Screen, kind: Kind, choice: Choice[Any]) -> Answer:
    """The person's answer to a choice: an option by its number or name, with words where the option takes some."""
    if choice.so_far is not None:
        screen.say(in_a_line(judged(kind, choice.so_far)), "bold")
    screen.show_choice(choice)
    names = list(choice.options)

    def ask() -> Answer:
        answer = parse_answer(screen.ask("Which?", choice.rest) or choice.rest)
        if answer.option.isdigit() and 1 <= int(answer.option) <= len(names):
            answer = answer._replace(option=names[int(answer.option) - 1])
        option = choice.options.get(answer.option)
        if option and option.words and not answer.words:
            hint = "" if option.needs else " (or nothing)"
            answer = answer._replace(words=screen.ask(f"In words: {option.words}{hint}?").strip())
        chosen_option(choice, answer)
        return answer

    return until_accepted(screen, ask)


def choose(screen: Screen, question: str, lines: Sequence[str], names: Sequence[str]) -> int:
    """The index of the line that the person picks, by number or by name."""
    for place, line in enumerate(lines, 1):
        screen.say(f"  {place}. {line}")

    def ask() -> int:
        picked = screen.ask(question, "1").strip().lower() or "1"
        if picked in names:
            return names.index(picked)
        if picked.isdigit() and 1 <= int(picked) <= len(names):
            return int(picked) - 1
        raise Malformed(f"It must be a number from 1 to {len(names)}, or one of {', '.join(names)}.")

    return until_accepted(screen, ask)


def choose_game(screen: Screen) -> Game:
    """The game that the person picks."""
    games = all_games()
    lines = [f"{found.title}: {found.blurb}" for found in games]
    return games[choose(screen, "Which game?", lines, [found.name for found in games])]


def choose_kind(screen: Screen, found: Game) -> Kind:
    """The kind of roll that the person picks; a game with only one is not asked about."""
    kinds = list(found.kinds.values())
    if len(kinds) == 1:
        return kinds[0]
    return kinds[choose(screen, "What kind of roll?", [kind.title for kind in kinds], [kind.name for kind in kinds])]


def choose_hand(screen: Screen) -> Hand:
    """Fair dice, typed ones, or a hand that asks for each throw."""

    def ask() -> Hand:
        text = screen.ask(DICE).strip()
        return Hand() if text.lower() == "h" else Typed(text) if text else Rolled()

    return until_accepted(screen, ask)


def ask_inputs(screen: Screen, kind: Kind) -> Ask:
    """Ask for the inputs that matter most, one question each, until they fit together."""

    def ask() -> Ask:
        given: dict[str, Any] = {}
        for input in kind.ask.inputs.values():
            if input.guided and (not input.unless or input.is_needed(given)):
                given[input.name] = until_accepted(screen, lambda input=input: _ask_input(screen, input))  # type: ignore[misc]
        return kind.ask(**{name: value for name, value in given.items() if value is not None})

    return until_accepted(screen, ask, " Once more:")


def _ask_input(screen: Screen, input: Input) -> Any:
    """The value, or None to leave it at its default."""
    default = "" if input.required or input.default is None else "no" if input.default is False else str(input.default)
    text = screen.ask(question_of(input), default).strip()
    if not text and input.required:
        raise Malformed(f"{input.called.removesuffix('?')} has no usual value, so give one: {input.allowed}.")
    if not text:
        return None
    steps = {name.casefold(): str(value) for value, name in input.steps}
    return input.read(steps.get(text.casefold(), text))


def question_of(input: Input) -> str:
    """The question for an input: title, description and allowed values."""
    if input.steps:
        hint = f"; {', '.join(f'{value} {name}' for value, name in input.steps)}"
    else:
        hint = f"; {input.metavar}" if input.kind == "one_of" else "; yes or no" if input.kind == "flag" else ""
    help = input.help.removesuffix(hint[2:]).rstrip(" :;") if hint else input.help
    return f"{input.called.removesuffix('?')}? ({help}{hint})"
