"""Questions to the person at the terminal: which game, which inputs, which dice, which answer to a choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from astragal.cli.render.screen import Screen
from astragal.dice.dice import Faces
from astragal.dice.faces import TypedFaces, asked_for
from astragal.errors import Refusal
from astragal.games.registry import all_games
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Input
from astragal.rule.report import in_a_line, judged
from astragal.rule.tree.node import Choice, Throw
from astragal.rule.tree.play import Answer, Hand, Rolled, chosen_option, parse_answer
from astragal.rule.typed import Typed

REFUSED = "bold yellow"


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
            faces = self._ask_faces(throw)
        self._screen.show_dice(throw.title, throw.tell(faces).dice)
        return faces

    def choose(self, choice: Choice[Any]) -> Answer | None:
        """The answer of the inner hand, or the person's."""
        return self._inner.choose(choice._replace(passes=False)) or self._ask_choice(choice)

    def finish(self) -> None:
        """Refuse what the inner hand has left over."""
        self._inner.finish()

    def _ask_faces(self, throw: Throw[Any, Any]) -> Faces:
        dice = asked_for(throw.pool)
        while True:
            try:
                typed = TypedFaces(self._screen.ask(f"Faces of {throw.title or 'the throw'}: {dice}"))
                faces = typed.throw(throw.pool)
                typed.finish()
            except Refusal as refusal:
                self._screen.say(str(refusal))
                continue
            if faces is not None:
                return faces

    def _ask_choice(self, choice: Choice[Any]) -> Answer:
        if choice.so_far is not None:
            self._screen.say(in_a_line(judged(self._kind, choice.so_far)), "bold")
        self._screen.show_choice(choice)
        names = list(choice.options)
        while True:
            text = self._screen.ask("Which?", choice.rest)
            answer = parse_answer(text or choice.rest)
            if answer.option.isdigit() and 1 <= int(answer.option) <= len(names):
                answer = answer._replace(option=names[int(answer.option) - 1])
            try:
                return self._with_words(choice, answer)
            except Refusal as refusal:
                self._screen.say(str(refusal))

    def _with_words(self, choice: Choice[Any], answer: Answer) -> Answer:
        option = choice.options.get(answer.option)
        if option and option.words and not answer.words:
            hint = "" if option.needs else " (or nothing)"
            answer = answer._replace(words=self._screen.ask(f"In words: {option.words}{hint}?").strip())
        chosen_option(choice, answer)
        return answer


def choose(screen: Screen, question: str, lines: Sequence[str], names: Sequence[str]) -> int:
    """The index of the line that the person picks, by number or by name."""
    for place, line in enumerate(lines, 1):
        screen.say(f"  {place}. {line}")
    while True:
        picked = screen.ask(question, "1").strip().lower() or "1"
        if picked in names:
            return names.index(picked)
        if picked.isdigit() and 1 <= int(picked) <= len(names):
            return int(picked) - 1
        screen.say(f"It must be a number from 1 to {len(names)}, or one of {', '.join(names)}.")


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
    while True:
        text = screen.ask(
            "Press Enter to roll, or type the faces of your dice, or h to be asked for each throw:"
        ).strip()
        try:
            return Hand() if text.lower() == "h" else Typed(text) if text else Rolled()
        except Refusal as refusal:
            screen.say(str(refusal), REFUSED)


def ask_inputs(screen: Screen, kind: Kind) -> Ask:
    """Ask for the inputs that matter most, one question each, until they fit together."""
    while True:
        given: dict[str, Any] = {}
        for input in kind.ask.inputs.values():
            if input.guided and (not input.unless or input.is_needed(given)):
                given[input.name] = _ask_input(screen, input)
        try:
            return kind.ask(**{name: value for name, value in given.items() if value is not None})
        except Refusal as refusal:
            screen.say(f"{refusal} Once more:", REFUSED)


def _ask_input(screen: Screen, input: Input) -> Any:
    """The value, or None to leave it at its default."""
    while True:
        text = screen.ask(question_of(input), _default(input)).strip()
        if not text and not input.required:
            return None
        if not text:
            screen.say(f"{input.called.removesuffix('?')} has no usual value, so say one: {input.allowed}.", REFUSED)
            continue
        try:
            return input.read(_step(input, text))
        except Refusal as refusal:
            screen.say(str(refusal), REFUSED)


def question_of(input: Input) -> str:
    """What is asked for: the input's title as a question, what it is, and what may be answered, each said once."""
    hint = _hint(input)
    help = input.help.removesuffix(hint[2:]).rstrip(" :;") if hint else input.help
    return f"{input.called.removesuffix('?')}? ({help}{hint})"


def _hint(input: Input) -> str:
    if input.steps:
        return f"; {', '.join(f'{value} {name}' for value, name in input.steps)}"
    return f"; {input.metavar}" if input.kind == "one_of" else "; yes or no" if input.kind == "flag" else ""


def _step(input: Input, text: str) -> Any:
    """The value of a step that is answered by its name."""
    return next((str(value) for value, name in input.steps if name.casefold() == text.casefold()), text)


def _default(input: Input) -> str:
    if input.required or input.default is None:
        return ""
    return "no" if input.default is False else str(input.default)
