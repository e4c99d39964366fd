"""The body of a post to a webhook: an entry as its audience may see it; and the signed headers.

The body depends only on what the audience may see; even the numbers of entries count only those.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Any

import msgspec

from astragal.serve.chat.text import content_of, plain
from astragal.serve.chat.webhooks.webhook import Webhook
from astragal.table.log.shown import EntryShown, LogLine

MAX_LINES, MAX_BODY = 400, 64 << 10
"""Lines of an entry, and their approximate bytes; of a larger entry, only the first lines are posted."""
AGENT = "Astragal (webhook)"
_encode = msgspec.json.Encoder().encode


def entry_body(webhook: Webhook, n: int, entry: EntryShown) -> bytes:
    """The nth entry that the audience may see."""
    if webhook.form == "discord":
        return _message([chat_line(line) for line in entry.lines] or [plain(f"{entry.name}: {entry.do}")])
    lines = _few(entry.lines)
    body = {**_about(webhook, "entry"), "n": n, "entry": msgspec.structs.replace(entry, lines=lines)}
    return _encode(body | ({"cut": True} if len(lines) < len(entry.lines) else {}))


def note_body(webhook: Webhook, dropped: int) -> bytes:
    """A notice about entries that were never posted, since the receiver did not accept them in time."""
    said = "1 entry was" if dropped == 1 else f"{dropped} entries were"
    if webhook.form == "discord":
        return _message([f"-# {said} not posted here, since this address could not be reached."])
    return _encode({**_about(webhook, "dropped"), "dropped": dropped})


def _about(webhook: Webhook, type: str) -> dict[str, Any]:
    return {"type": type, "webhook": webhook.id, "table": webhook.table, "audience": webhook.audience}


def _few(lines: list[LogLine]) -> list[LogLine]:
    """The lines that fit, at least one; the first keeps no dice if it is too large with them."""
    kept: list[LogLine] = []
    left = MAX_BODY
    for line in lines[:MAX_LINES]:
        left -= len(_encode(line))
        if left < 0 and kept:
            break
        kept.append(line if left >= 0 else msgspec.structs.replace(line, dice=(), labels=(), cards=()))
    return kept


def chat_line(line: LogLine) -> str:
    """A line of the log for a chat."""
    text = plain(str(line))
    return f"**{text}**" if line.kind in ("headline", "verdict") else f"-# {text}" if line.kind == "note" else text


def _message(lines: list[str]) -> bytes:
    return _encode({"content": content_of(lines), "allowed_mentions": {"parse": []}, "flags": 4})


def headers_for(webhook: Webhook, about: str, body: bytes, now: int) -> dict[str, str]:
    """The headers of a post: its id, which stays the same in a retry, and a signature."""
    seconds = now // 1000
    return {
        "Content-Type": "application/json",
        "User-Agent": AGENT,
        "Astragal-Delivery": f"{webhook.id}-{about}",
        "Astragal-Signature": f"t={seconds},v1={sign(webhook.secret, seconds, body)}",
    }


def sign(secret: str, seconds: int, body: bytes) -> str:
    """HMAC-SHA256 of the time, a full stop and the body, in hex."""
    return hmac.digest(secret.encode(), b"%d." % seconds + body, sha256).hex()
