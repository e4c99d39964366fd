"""A hand that asks the person at the terminal for what nobody has answered yet."""

from __future__ import annotations

from typing import Any

from astragal.cli.render.screen import Screen
from astragal.dice.dice import Faces
from astragal.dice.faces import TypedFaces
from astragal.errors import Refusal
from astragal.rule.game import Kind
from astragal.rule.hand import Answer, Hand, chosen_option, parse_answer
from astragal.rule.node import Choice, Throw


class PromptHand(Hand):
    """Shows every throw as it lands; what the inner hand does not know is asked for until it can be read."""

    def __init__(self, inner: Hand, kind: Kind, screen: Screen) -> None:
        super().__init__()
        self._inner = inner
        self._kind = kind
        self._screen = screen

    def throw(self, throw: Throw[Any, Any]) -> Faces | None:
        faces = self._inner.throw(throw)
        if faces is None:
            faces = self._ask_faces(throw)
        self._screen.show_dice(throw.title, throw.tell(faces).dice)
        return faces

    def choose(self, choice: Choice[Any]) -> Answer | None:
        return self._inner.choose(choice) or self._ask_choice(choice)

    def finish(self) -> None:
        self._inner.finish()

    def _ask_faces(self, throw: Throw[Any, Any]) -> Faces:
        dice = " | ".join(f"{kind.n} × {kind.title} (d{kind.sides})" for kind in throw.pool if kind.n)
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
        self._screen.say(f"So far: {self._kind.verdict(choice.so_far)}", "bold")
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
