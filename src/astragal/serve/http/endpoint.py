"""A place: one path of the API and the operations at it. It reads, checks, answers, counts and logs."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from astragal.errors import Forbidden, Refusal
from astragal.serve.auth.cookie import SeatCookie, give_seat, seat_in
from astragal.serve.http.body import decode, read_body, sentence
from astragal.serve.http.operation import Call, Operation, Reply, Text
from astragal.serve.live.hub import Hub
from astragal.serve.problems import Unfit, broken, problem
from astragal.serve.security_origin import refuse_foreign
from astragal.serve.state import ServerState
from astragal.table.access import GM

_encode = msgspec.json.Encoder().encode
ONLY_GM = "Only a GM may do that."


class Endpoint:
    """An ASGI app for one path."""

    def __init__(self, server: ServerState, path: str, operations: list[Operation]) -> None:
        self._server = server
        self._path = path
        self._operations = {operation.method: operation for operation in operations}
        self._decoders = {each.method: msgspec.json.Decoder(each.body) for each in operations if _is_json(each.body)}
        allowed = sorted(self._operations) + (["HEAD"] if "GET" in self._operations else [])
        self._allow = ", ".join(allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = perf_counter()
        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except Refusal as refusal:
            self._server.metrics.refusals[refusal.kind] += 1
            response = problem(refusal)
        except ClientDisconnect:
            return
        except Exception as error:
            self._server.request_log.broke(error, self._path)
            response = broken()
        await response(scope, receive, send)
        self._count(request, response, perf_counter() - started)

    def _count(self, request: Request, response: Response, took: float) -> None:
        method = request.method if request.method in ("HEAD", *self._operations) else "other"
        self._server.metrics.requests[method, self._path, response.status_code] += 1
        self._server.metrics.took.observe(took)
        self._server.request_log.write(
            "request",
            method=method,
            path=self._path,
            status=response.status_code,
            ms=round(took * 1000, 2),
            member=request.scope.get("astragal.member", ""),
        )

    async def _answer(self, request: Request) -> Response:
        operation = self._operations.get("GET" if request.method == "HEAD" else request.method)
        if operation is None:
            refused = f"{request.method[:20]} is not done here; {self._allow} is."
            raise Unfit(refused, 405, {"Allow": self._allow})
        if operation.method != "GET":
            refuse_foreign(request)
        hub, seat = await self._seat(operation, request)
        self._limit(operation, request, seat)
        body = await self._body(operation, request)
        query = _read(operation.query, _flat(request.query_params.multi_items(), "query"), "The query")
        call = Call(self._server, request, body, query, hub, seat)
        return self._response(await operation.does(call), request)

    async def _seat(self, operation: Operation, request: Request) -> tuple[Hub | None, SeatCookie | None]:
        """The table and the seat, if the operation has them; whoever may not do it learns so before all else."""
        if not operation.at_table:
            return None, None
        table = request.path_params["table"]
        if not operation.seat:
            return await self._server.registry.open(table), None
        seat = seat_in(self._server.signer, request, table)
        hub = await self._server.registry.open(table)
        member = hub.seated(seat)
        request.scope["astragal.member"] = member.id
        if operation.seat == GM and member.role != GM:
            raise Forbidden(ONLY_GM)
        return hub, seat

    def _limit(self, operation: Operation, request: Request, seat: SeatCookie | None) -> None:
        if operation.limit:
            address = request.client.host if request.client else "?"
            self._server.limits[operation.limit].take(f"{seat.table}/{seat.member}" if seat else address)

    async def _body(self, operation: Operation, request: Request) -> Any:
        if operation.body is None or isinstance(operation.body, Text):
            return None  # whoever takes another body reads it piece by piece
        return decode(self._decoders[operation.method], await read_body(request))

    def _response(self, answer: Reply | Response, request: Request) -> Response:
        if isinstance(answer, Response):
            return answer
        if answer.value is None:
            response = Response(status_code=answer.status)
        else:
            response = Response(_encode(answer.value), answer.status, media_type="application/json")
        if answer.seat:
            secure = self._server.settings.secure or request.url.scheme == "https"
            give_seat(response, self._server.signer, answer.seat, secure)
        return response


def _is_json(body: Any) -> bool:
    return body is not None and not isinstance(body, Text)


def _flat(items: list[tuple[str, str]], what: str) -> dict[str, str]:
    found = dict(items)
    if len(found) < len(items):
        raise Unfit(f"Something is given twice in the {what}.")
    return found


def _read(type: Any, given: dict[str, str], what: str) -> Any:
    """Parameters are texts; numbers among them are read as such."""
    if type is None:
        if given:
            raise Unfit(f'{what} has "{next(iter(given))[:40]}", and nothing is taken there.')
        return None
    try:
        return msgspec.convert(given, type, strict=False)
    except msgspec.ValidationError as error:
        raise Unfit(f"{what} cannot be read: {sentence(error)}") from None
