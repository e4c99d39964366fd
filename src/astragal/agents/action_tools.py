"""Tools that act at a table: roll, answer, ask for rolls, narrate, or any other action, once for each key."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from astragal.agents.api import Api, without_nonce
from astragal.agents.seat_view import RollNow, roll_now, snapshot
from astragal.agents.tool import Key, Run, Tool, key_of, without
from astragal.serve.api.actions import Done, TableAction
from astragal.table import action as a
from astragal.table.action import with_nonce


class ActArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """An action and its key."""

    key: Key
    action: TableAction


class ActDone(Done, frozen=True, kw_only=True):
    """The new entry, as your seat may see it, and the rolls that it is about as they are now.

    ``repeated``: the same key and action were used before, and nothing was done now.
    """

    rolls: list[RollNow]  # type: ignore[valid-type]


class NarrateArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """Words for the log, or about a finished roll."""

    key: Key
    text: Annotated[str, Meta(min_length=1, max_length=2000, pattern=r"\S")]
    roll: a.Ref = ""
    seen: a.Seen = "all"


ThrowArguments = without(a.RollAction, "RollAtTable", key=Key)
AnswerArguments = without(a.AnswerAction, "AnswerChoice", "steps", key=Key)
AskArguments = without(a.AskAction, "AskForRolls", key=Key)


async def act(api: Api, key: str, action: Any) -> Any:
    """Act, once for each key and action; the result has the rolls concerned, with their open choices.

    Dice are thrown with the assistant's nonce, or with one that this connection makes.
    """
    written = msgspec.to_builtins(with_nonce(action, api.nonce(key)))
    headers = {"idempotency-key": key_of(key, without_nonce(written))}
    done = msgspec.json.decode(await api.post(api.at("/actions"), written, headers))
    lines = done["entry"]["lines"] if done["entry"] else []
    about = {f"rolls/{line['roll']}" for line in lines if line.get("roll")}
    parts = (await snapshot(api))["parts"] if about else {}
    return {**done, "rolls": [roll_now(view) for path, view in parts.items() if path in about]}


async def _act(api: Api, asked: ActArguments) -> Any:
    return await act(api, asked.key, asked.action)


def _acting(action: type[Struct]) -> Run:
    """A tool's function that acts with its arguments."""

    async def run(api: Api, asked: Struct) -> Any:
        given = msgspec.structs.asdict(asked)
        return await act(api, given.pop("key"), action(**given))

    return run


async def _narrate(api: Api, asked: NarrateArguments) -> Any:
    if asked.roll:
        return await act(api, asked.key, a.DescribeAction(text=asked.text, roll=asked.roll))
    return await act(api, asked.key, a.NoteAction(text=asked.text, seen=asked.seen))


KEY = (
    "a new text of your own for each action, hard to guess, such as 16 random letters; send the same key again only to "
    "repeat a call whose answer was lost"
)
FACES = (
    "leave it out: the server throws. Only for faces that a person at the table threw with real dice and gave to you, "
    "where the table lets this seat type dice; the log says that they were typed"
)
NONCE = (
    "a random text of your own, a new one for each throw, with which anyone can check afterwards that the server did "
    "not choose the dice; left out, the key stands for it, or your program adds one"
)
WHO = "a character's id or name; empty for your only one"
INPUTS = "the inputs of the roll, by the names that describe_game lists"
USE = 'things from the sheets that are put in, by the offer\'s id or label, and how often: {"Agility": 1}'
SEEN = "who sees it: all; owner, those whose character it is; gm; blind, a GM sees what the roller does not"
ABOUT_ROLL = {
    "key": KEY,
    "kind": "the kind of roll; empty for the game's usual one",
    "who": WHO,
    "against": "the character on the other side, by id or name",
    "helpers": "characters who help",
    "inputs": INPUTS,
    "use": USE,
    "hide": "names of inputs that only GMs see (GM)",
    "seen": SEEN,
    "request": "the id of the request that this answers",
    "pool": "the name of a saved pool to begin with",
    "again": "begin with the inputs of the last time",
    "name": "who rolls, for a person without a sheet (GM)",
    "against_name": "the other side, if it has no sheet (GM)",
    "faces": FACES,
    "answers": "answers to the choices that come, in order",
    "nonce": NONCE,
}

ACTION_TOOLS = (
    Tool(
        "roll",
        "Roll at the table",
        "Opens a roll and throws its first dice. The server throws them, everyone who may see the roll sees it, and "
        "the result says what it waits for. To build a roll with others first, act with open, then build and throw.",
        ThrowArguments,
        ActDone,
        _acting(a.RollAction),
        seat=True,
        acts=True,
        help=ABOUT_ROLL,
    ),
    Tool(
        "answer_choice",
        "Answer an open choice",
        "Answers the choice that a roll waits for (its field open lists the options; yours says whether you may). Dice "
        "that follow are thrown by the server. advise_on_roll weighs the options first.",
        AnswerArguments,
        ActDone,
        _acting(a.AnswerAction),
        seat=True,
        acts=True,
        help={
            "key": KEY,
            "answer": "the name of the option; some want words behind it",
            "roll": "the roll's id; empty for the latest unfinished one",
            "faces": FACES,
            "nonce": NONCE,
        },
    ),
    Tool(
        "ask_for_rolls",
        "Ask players to roll (GM)",
        "Asks characters for a roll, which their players then make themselves. Say what is at stake in the note; hide "
        "an input that the players should not know.",
        AskArguments,
        ActDone,
        _acting(a.AskAction),
        seat=True,
        acts=True,
        help={
            **ABOUT_ROLL,
            "who": "characters by id or name; empty for every player's",
            "use": "what is suggested from their sheets",
            "note": "what they read",
        },
    ),
    Tool(
        "narrate",
        "Say something",
        "Writes a sentence or a few into the log, in your seat's name; with a roll, says what that finished roll "
        "looked like.",
        NarrateArguments,
        ActDone,
        _narrate,
        seat=True,
        acts=True,
        help={"key": KEY, "text": "what to say", "roll": "a finished roll's id", "seen": "who sees a note"},
    ),
    Tool(
        "act",
        "Do anything else at the table",
        "Any action of the table, by its name in the field do: open, build, assist and throw a roll; move (the game's "
        "moves); create, edit, change, hold, take, retire characters; scene, close, turn; note, describe, reveal; "
        "undo, redo; and more. What your seat may not do is refused with a sentence, and nothing is changed.",
        ActArguments,
        ActDone,
        _act,
        seat=True,
        acts=True,
        help={"key": KEY, "action": "the action"},
    ),
)
