"""Resources, which an assistant may read without calling a tool, at ``astragal://`` addresses."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote

import msgspec

from astragal.agents.api import Api
from astragal.agents.question_tools import QUESTION_TOOLS, NoArguments, RulesArguments
from astragal.agents.reading_tools import read_log, story
from astragal.agents.seat_view import LookArguments, look
from astragal.errors import Unknown
from astragal.serve.api.tables import LogPage, StoryPart

JSON, MARKDOWN = "application/json", "text/markdown"
MAX_ADDRESS = 400
NO_RESOURCE = 'There is nothing at "{address}"; there are {known}.'
Read: TypeAlias = Callable[..., Awaitable[str]]

_encode = msgspec.json.Encoder().encode
_tools = {tool.name: tool for tool in QUESTION_TOOLS}


class Resource(NamedTuple):
    """A resource; names in braces in its address make it a template."""

    address: str
    name: str
    title: str
    about: str
    media: str
    read: Read
    seat: bool = False

    @property
    def is_template(self) -> bool:
        """True if its address has names in braces."""
        return "{" in self.address

    def matches(self, address: str) -> dict[str, str] | None:
        """The values of the names in an address; None if the address is of another resource."""
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(self.address))
        found = re.fullmatch(pattern, address)
        return {name: unquote(text) for name, text in found.groupdict().items()} if found else None


async def _games(api: Api) -> str:
    return _json(await _tools["list_games"].run(api, NoArguments()))


async def _rules(api: Api, game: str) -> str:
    return _json(await _tools["read_rules"].run(api, RulesArguments(game)))


async def _scene(api: Api) -> str:
    seen = await look(api, LookArguments(("table", "sheets", "turns"), 0))
    kept = [sheet for sheet in seen.get("sheets", []) if sheet["kind"] in ("table", "scene")]
    return _json({"table": seen["table"], "sheets": kept, "turns": seen.get("turns")})


async def _sheets(api: Api) -> str:
    return _json({"sheets": (await look(api, LookArguments(("sheets",), 0))).get("sheets", [])})


async def _sheet(api: Api, holder: str) -> str:
    return (await api.get(api.at("/sheets/{holder}", holder=holder))).decode()


async def _log(api: Api) -> str:
    return _json(await read_log(api, LogPage()))


async def _story(api: Api) -> str:
    return str((await story(api, StoryPart()))["story"])


def _json(value: Any) -> str:
    return _encode(value).decode()


RESOURCES = (
    Resource("astragal://games", "games", "Games", "Every game that can be played here.", JSON, _games),
    Resource("astragal://games/{game}/rules", "rules", "Rules", "A game's rules by number.", JSON, _rules),
    Resource(
        "astragal://scene", "scene", "Scene", "The table, its scene, Clocks and turns as your seat sees them.", JSON,
        _scene, True,
    ),
    Resource("astragal://sheets", "sheets", "Sheets", "Every sheet that your seat sees.", JSON, _sheets, True),
    Resource("astragal://sheets/{holder}", "sheet", "Sheet", "One sheet, by id or name.", JSON, _sheet, True),
    Resource("astragal://log", "log", "Log", "The latest entries of the log as your seat sees them.", JSON, _log, True),
    Resource("astragal://story", "story", "Story", "The story so far, as your seat knows it.", MARKDOWN, _story, True),
)  # fmt: skip


async def read_resource(api: Api, address: str) -> tuple[str, str]:
    """The text at an address, and its media type; Unknown if there is none."""
    for resource in RESOURCES:
        places = resource.matches(address) if len(address) <= MAX_ADDRESS else None
        if places is not None:
            return await resource.read(api, **places), resource.media
    known = ", ".join(resource.address for resource in RESOURCES)
    raise Unknown(NO_RESOURCE.format(address=address[:80], known=known))
