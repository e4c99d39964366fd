"""The endpoint of interactions: signed, recent, once, within the rate, answered within Discord's three seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from msgspec import Struct
from starlette.responses import Response

from astragal.errors import Refusal, Unknown
from astragal.serve.chat.discord import at_table, questions, seats
from astragal.serve.chat.discord.caller import Caller
from astragal.serve.chat.discord.commands import flag_of, texts_of
from astragal.serve.chat.discord.completion import complete
from astragal.serve.chat.discord.interaction import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    MODAL,
    PING,
    check_signature,
    read_interaction,
    words_in,
)
from astragal.serve.chat.discord.message import PONG, choices, refused
from astragal.serve.http.endpoint import JSON, check_length, read_body
from astragal.serve.http.operation import Call

MAX_BODY = 128 << 10
"""Bytes of an interaction; Discord's own messages are shorter."""
SECONDS = 2.5
"""Time limit of an answer: Discord waits for three seconds. A later answer would need a request of our own."""
LATE = "That took too long for a chat. It may still be done; check before you repeat it."
NOT_HERE = "This server does not talk to Discord."
NO_COMMAND = "This server does not know that command. Ask the person who runs it to register the newest commands."

_encode = msgspec.json.Encoder().encode


class InteractionAnswer(Struct, frozen=True):
    """An answer as Discord takes it."""

    type: int
    data: dict[str, Any] = {}


async def interact(call: Call) -> Response:
    """An interaction, signed by Discord; the path exists only if the server has an application's key."""
    settings, request = call.server.settings, call.request
    if not settings.discord_key:
        raise Unknown(NOT_HERE)
    check_length(request, MAX_BODY)
    body = await read_body(request, call.server.bodies, MAX_BODY)
    headers = request.headers
    signature, time = headers.get("x-signature-ed25519", ""), headers.get("x-signature-timestamp", "")
    check_signature(settings.discord_key, signature, time, body, settings.clock())
    interaction = read_interaction(body)
    if interaction.type == PING:
        return Response(_encode({"type": PONG}), media_type=JSON)
    caller = Caller(call.server, request, interaction)
    request.scope["astragal.member"] = "discord"
    answer = await call.server.replays.answer(f"discord/{interaction.id}", lambda: _answer(caller))
    return Response(answer, media_type=JSON)


async def _answer(caller: Caller) -> bytes:
    """The answer; only the person sees a refusal."""
    typing = caller.interaction.type == AUTOCOMPLETE
    try:
        caller.server.rates.take("chats", f"{caller.client}/typing" if typing else caller.client)
        async with asyncio.timeout(SECONDS):
            answer = await _dispatch(caller)
    except Refusal as refusal:
        caller.server.metrics.refusals[refusal.kind] += 1
        answer = choices([]) if typing else refused(refusal.public)
    except TimeoutError:
        answer = choices([]) if typing else refused(LATE)
    return _encode(answer)


async def _dispatch(caller: Caller) -> dict[str, Any]:
    interaction = caller.interaction
    name, options = interaction.command
    if interaction.type == AUTOCOMPLETE:
        return await complete(caller, options)
    if interaction.type == COMMAND:
        return await _command(caller, name, texts_of(options), flag_of(options, "secret"))
    place = interaction.data.custom_id.split("/")
    if interaction.type == MODAL:
        return await _modal(caller, place, words_in(interaction.data.components))
    if interaction.type == COMPONENT:
        return await _button(caller, place)
    raise Unknown(NO_COMMAND)


async def _command(caller: Caller, name: str, texts: dict[str, str], secret: bool) -> dict[str, Any]:
    alone = "dice" in texts or "game" in texts
    if name == "roll":
        hidden = texts.get("seen", "all") != "all"
        return await (questions.roll(caller, texts, hidden) if alone else at_table.roll(caller, texts))
    if name == "odds":
        return await (questions.odds(caller, texts, secret) if alone else at_table.odds(caller))
    if name == "table note":
        return await at_table.note(caller, texts.get("text", ""), secret)
    if name == "table sit":
        return await seats.sit(caller, texts)
    if name not in PLAIN:
        raise Unknown(NO_COMMAND)
    return await PLAIN[name](caller)


PLAIN: dict[str, Callable[[Caller], Awaitable[dict[str, Any]]]] = {
    "table look": at_table.look,
    "table undo": at_table.undo,
    "table allow": at_table.allow,
    "table decline": at_table.decline,
    "table stand": seats.stand,
    "table free": seats.free,
}
"""Commands without options."""


async def _button(caller: Caller, place: list[str]) -> dict[str, Any]:
    match place[0]:
        case "answer":
            return await at_table.answer(caller, place)
        case "throw":
            return await at_table.throw(caller, place)
        case "asked":
            return await at_table.roll_asked(caller, place)
        case "plea":
            return await at_table.answer_plea(caller, place)
        case "here":
            return await seats.connect_channel(caller, "/".join(place[1:]))
    raise Unknown(NO_COMMAND)


async def _modal(caller: Caller, place: list[str], words: str) -> dict[str, Any]:
    match place[0]:
        case "words" if words.strip():
            return await at_table.answer(caller, ["answer", *place[1:]], words)
        case "note" if words.strip():
            return await at_table.note(caller, words, "owner" in place)
    raise Unknown("You wrote nothing, so nothing was done.")
