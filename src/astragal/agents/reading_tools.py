"""Tools that read at a table: look, the odds and options of a roll, the log, the story."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from astragal.agents.api import Api
from astragal.agents.question_tools import UP_TO, WISH
from astragal.agents.seat_view import LookArguments, Looked, look
from astragal.agents.tool import Tool
from astragal.questions.wire import OddsShown
from astragal.questions.wire_advice import AdviceShown
from astragal.serve.api.tables import LogPage, LogShown, StoryPart
from astragal.serve.live.seat_log import MAX_PAGE
from astragal.table import action as a

MAX_STORY = 60_000
"""Characters of a story in one answer."""


class StoryShown(Struct, frozen=True):
    """The story as Markdown, as your seat knows it; ``cut`` if its beginning was left out."""

    story: str
    cut: bool


class RollArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """A roll."""

    roll: Annotated[str, Meta(min_length=1, max_length=80)]
    up_to: Annotated[int, Meta(ge=0, le=100)] = 20


class AdviseArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """A roll, and a wish."""

    roll: Annotated[str, Meta(min_length=1, max_length=80)]
    wish: a.Ref = ""


async def read_log(api: Api, asked: LogPage) -> Any:
    """A page of the seat's log."""
    before = None if asked.before is UNSET else asked.before
    return msgspec.json.decode(await api.get(api.at("/log"), before=before, limit=asked.limit))


async def story(api: Api, asked: StoryPart) -> dict[str, Any]:
    """The story as the seat knows it: its end, where it is long."""
    last = MAX_PAGE if isinstance(asked.last, UnsetType) else asked.last
    text = (await api.get(api.at("/story"), last=last, language=asked.language)).decode()
    return {"story": text[-MAX_STORY:], "cut": len(text) > MAX_STORY}


async def _roll_odds(api: Api, asked: RollArguments) -> Any:
    return msgspec.json.decode(await api.get(api.at("/rolls/{roll}/odds", roll=asked.roll), up_to=asked.up_to))


async def _roll_advice(api: Api, asked: AdviseArguments) -> Any:
    return msgspec.json.decode(await api.get(api.at("/rolls/{roll}/advice", roll=asked.roll), wish=asked.wish))


READING_TOOLS = (
    Tool(
        "look",
        "Look at the table",
        "What your seat sees: the scene, members, sheets, rolls with what they wait for, a GM's requests, turns, and "
        "the latest entries of the log. Look before you act, and when others may have acted.",
        LookArguments,
        Looked,
        look,
        seat=True,
        help={
            "parts": "what to look at; rolls are those that are not over, finished the others",
            "entries": "how many of the latest entries of the log",
        },
    ),
    Tool(
        "odds_of_roll",
        "Exact odds of a roll at the table",
        "The exact odds of an open roll at your table, from what your seat may see.",
        RollArguments,
        OddsShown,
        _roll_odds,
        seat=True,
        help={"roll": "the roll's id", "up_to": UP_TO},
    ),
    Tool(
        "advise_on_roll",
        "Weigh the options of a roll at the table",
        "The effect of each answer to the open choice of a roll at your table on the exact chances.",
        AdviseArguments,
        AdviceShown,
        _roll_advice,
        seat=True,
        help={"roll": "the roll's id", "wish": WISH},
    ),
    Tool(
        "read_log",
        "Read the log",
        "Entries of the log as your seat sees them, oldest first; first is the version of the first, to read on with "
        "before.",
        LogPage,
        LogShown,
        read_log,
        seat=True,
        help={"before": "entries before this version", "limit": "how many"},
    ),
    Tool(
        "story_so_far",
        "Read the story so far",
        "The story in prose (Markdown) as your seat knows it: the last entries of the log, as many as fit.",
        StoryPart,
        StoryShown,
        story,
        seat=True,
        help={
            "language": "a language, such as de, where the game has a translation",
            "last": f"how many entries of the log; without it, {MAX_PAGE}",
        },
    ),
)
