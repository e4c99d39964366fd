"""The one small tree of refusals: each is a sentence for the person, with the rule's number if there is one."""

from __future__ import annotations


def cited(sentence: str, rule: str) -> str:
    """The sentence with its rule's number before the full stop."""
    return f"{sentence.removesuffix('.')} ({rule})." if rule else sentence


class Refusal(Exception):
    """Something was asked that cannot be done; nothing was spent or changed."""

    kind = "refused"

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.rule = rule

    def __str__(self) -> str:
        return cited(self.sentence, self.rule)


class Malformed(Refusal):
    """It cannot be read: text where a number belongs, a face no such die has."""

    kind = "malformed"


class Illegal(Refusal):
    """It can be read, and the rules forbid it."""

    kind = "illegal"


class Stale(Refusal):
    """Somebody else was faster."""

    kind = "stale"


class Unknown(Refusal):
    """There is no such thing."""

    kind = "unknown"


class Forbidden(Refusal):
    """Not your seat."""

    kind = "forbidden"


class Unavailable(Refusal):
    """The storage cannot be used just now; nothing was changed."""

    kind = "unavailable"
