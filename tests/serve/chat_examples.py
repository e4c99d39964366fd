"""The payloads that docs/chat.md shows, from a real server; ``python -m tests.serve.chat_examples`` writes them in."""

from __future__ import annotations

import json
import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from astragal.serve.access.auth import SECRET, SeatCookie
from astragal.serve.chat.discord.bindings import Bindings
from astragal.serve.chat.webhooks.payload import entry_body, headers_for, note_body
from astragal.serve.chat.webhooks.webhook import VIEWERS, Webhook
from astragal.table import action as a
from astragal.table.entry import decode_entry
from astragal.table.log.export import export_lines
from astragal.table.log.lines import shown
from astragal.table.table import Table
from tests.serve.discord import CHANNEL, PING, PUBLIC_KEY, Person, signed
from tests.serve.hidden import NOON
from tests.serve.running import FREE, Running
from tests.table.tables import seeded_dice

PAGE = Path(__file__).parents[2] / "docs" / "chat.md"
BLOCK = re.compile(r"```json chat:([\w-]+)\n(.*?)```\n", re.DOTALL)
WEBHOOK = Webhook("Xk3v9aQ0b1Cd", "bell", "https://example.org/hook", "all", "astragal", "a-secret-of-yours", NOON)


@cache
def examples() -> dict[str, str]:
    """Every example by name, as it is written on the page."""
    with tempfile.TemporaryDirectory() as folder:
        settings = FREE._replace(discord_key=PUBLIC_KEY, clock=lambda: NOON, dice=seeded_dice)
        with Running(Path(folder) / "tables.db", settings) as server:
            return {name: _written(value) for name, value in _made(server).items()}


def _written(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _made(server: Running) -> dict[str, Any]:
    store = server.server.repository.store
    store.set_setting(SECRET, bytes(32)).result()
    server.server.signer.reload(store)
    jonas = _table(server)
    person = Person(server, "53908232506183680")
    Bindings(store).bind_user(jonas, person.user, "Jonas", NOON)
    Bindings(store).bind_channel("bell", CHANNEL, jonas.member, NOON)
    found = {
        "ping": _said(person, PING),
        "roll": _said(person, person.says("roll", dice="4d6kh3 + 2")),
        "odds": _said(person, person.says("odds", dice="2d4")),
        "table": _said(person, person.says("roll", inputs="d6=4 step=8 difficulty=2")),
        "note": _said(person, person.says("table note", text="The bell rings at *low* tide.")),
        "refusal": _said(person, person.says("roll", inputs="difficulty")),
    }
    return found | _posted(server)


def _table(server: Running) -> SeatCookie:
    """A table that is the same every time, and Jonas's seat there."""
    table, entries = Table(), []
    joins: list[a.Action] = [
        a.FoundAction(game="narraject", title="The Drowned Bell", name="Mira"),
        a.JoinAction(name="Jonas"),
    ]
    for n, action in enumerate(joins):
        entries.append(table.decide("", action, f"example {n}", NOON, seeded_dice("example")))
        table.apply(entries[-1])
    file = b"".join(export_lines("bell", table.state, entries))
    gm = server.guest()
    answer = gm.http.post(
        "/api/tables/import?unsealed=true", content=file, headers={"Content-Type": "application/x-ndjson"}
    )
    assert answer.status_code == 201, answer.text
    gm.table, member = "bell", entries[1].by
    return SeatCookie("bell", member, gm.post(gm.at("/links"), {"member": member}, 201)["id"])


ids = iter(range(846462639134605312, 846462639134606312))


def _said(person: Person, sent: dict[str, Any]) -> Any:
    body = json.dumps({**sent, "id": str(next(ids))}).encode()
    return person.post(body, signed(body, NOON // 1000)).json()


def _posted(server: Running) -> dict[str, Any]:
    """The roll at the table and the note after it, as webhooks post them."""
    stored = server.server.repository.open("bell")
    last = [decode_entry(record.body) for record in server.server.repository.store.read("bell")[-2:]]
    roll, note = (shown(entry, stored.state, VIEWERS["all"]) for entry in last)
    assert roll is not None and note is not None
    body = entry_body(WEBHOOK, stored.state.public, note)
    message = entry_body(msgspec.structs.replace(WEBHOOK, form="discord"), stored.state.public - 1, roll)
    return {
        "entry": json.loads(body),
        "headers": headers_for(WEBHOOK, note.id, body, NOON),
        "entry-discord": json.loads(message),
        "dropped": json.loads(note_body(WEBHOOK, 12)),
    }


def main() -> None:
    """Write the examples into the page."""
    made = examples()
    text = BLOCK.sub(lambda block: f"```json chat:{block[1]}\n{made[block[1]]}```\n", PAGE.read_text("utf-8"))
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
