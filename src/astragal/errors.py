"""Refusals: every error that a user causes is one sentence, with a rule's number where a rule forbids it."""

from __future__ import annotations

from collections.abc import Iterable


def cited(sentence: str, rule: str) -> str:
    """Return the sentence with the rule's number before its full stop."""
    return f"{sentence.removesuffix('.')} ({rule})." if rule else sentence


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question with the known name that is nearest to a wrong one, after a blank; empty if none is near."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), 1)
    return f' Did you mean "{close[0]}"?' if close else ""


class Refusal(Exception):
    """A request that cannot be carried out; nothing was spent or changed.

    ``kind`` names the class of refusal for programs: HTTP problems and exit codes depend on it. ``wants`` is the input
    that would answer it, where it is a question.
    """

    kind = "refused"

    def __init__(self, sentence: str, rule: str = "", wants: str = "") -> None:
        super().__init__(sentence)
        self.wants = wants
        self.sentence = sentence
        self.rule = rule

    def __str__(self) -> str:
        return cited(self.sentence, self.rule)

    @property
    def public(self) -> str:
        """The sentence as a server tells it to strangers."""
        return str(self)


class Malformed(Refusal):
    """The input cannot be parsed: text instead of a number, a face that the die does not have."""

    kind = "malformed"


class Illegal(Refusal):
    """The input is well-formed, but the rules or our limits forbid it."""

    kind = "illegal"


class Unsealed(Refusal):
    """A file has no seal that shows that it is unchanged; it is taken only if somebody says so."""

    kind = "unsealed"


class Stale(Refusal):
    """Somebody else changed the same thing first."""

    kind = "stale"


class Unknown(Refusal):
    """The thing that was named does not exist."""

    kind = "unknown"


class UnknownGame(Unknown):
    """There is no game of this name: neither built in nor installed, nor in a folder that was named."""


class Forbidden(Refusal):
    """The member, or the process, lacks permission."""

    kind = "forbidden"


class Unavailable(Refusal):
    """The storage cannot be used at the moment."""

    kind = "unavailable"


class Faulty(Refusal):
    """A game's own definition is wrong, which only its author can mend."""

    kind = "faulty"

    def __init__(self, game: str, sentence: str) -> None:
        super().__init__(sentence)
        self.game = game

    @property
    def public(self) -> str:
        """No paths and no code: those are for whoever runs the server."""
        return f"The game {self.game} has a mistake in it; astragal check {self.game} tells its author more."
