"""Problems: every refusal as problem+json (RFC 9457), with the sentence that the command line would print."""

from __future__ import annotations

from http import HTTPStatus
from typing import Literal, TypeAlias

import msgspec
from starlette.responses import Response

from astragal.errors import Malformed, Refusal

ProblemKind: TypeAlias = Literal["malformed", "illegal", "stale", "unknown", "forbidden", "unavailable", "limited"]
MEDIA = "application/problem+json"
STATUS = {
    "malformed": 422,
    "illegal": 422,
    "stale": 409,
    "unknown": 404,
    "forbidden": 403,
    "unavailable": 503,
    "limited": 429,
}


class Problem(msgspec.Struct, frozen=True):
    """Why something was not done."""

    type: str
    title: str
    status: int
    detail: str
    kind: ProblemKind
    rule: str = ""


class Unfit(Malformed):
    """What was sent does not fit the schema; anything beyond that is the rules' matter."""

    def __init__(self, sentence: str, status: int = 400, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers = headers or {}


class Limited(Refusal):
    """Too much in too short a time."""

    kind = "limited"

    def __init__(self, wait: int) -> None:
        super().__init__(f"That is too much in a short time; try again in {wait} s.")
        self.status = STATUS[self.kind]
        self.headers = {"Retry-After": str(wait)}


def problem(refusal: Refusal) -> Response:
    """The answer to something that was refused."""
    status = getattr(refusal, "status", None) or STATUS.get(refusal.kind, 422)
    headers = getattr(refusal, "headers", None) or {}
    return answer(status, refusal.kind, str(refusal), refusal.rule, headers)


def answer(status: int, kind: str, detail: str, rule: str = "", headers: dict[str, str] | None = None) -> Response:
    body = Problem(f"/docs#{kind}", HTTPStatus(status).phrase, status, detail, kind, rule)  # type: ignore[arg-type]
    return Response(msgspec.json.encode(body), status, headers, MEDIA)


def broken() -> Response:
    """A mistake of ours; what went wrong is in the log, and none of it in the answer."""
    return answer(500, "unavailable", "Something went wrong in the server. Try again; its log says more.")
