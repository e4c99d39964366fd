"""Discord, as far as a server meets it: signed interactions in the shapes that Discord's documentation shows."""

from __future__ import annotations

import json
import time
from itertools import count
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.serve.running import Guest, Running

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC_KEY = KEY.public_key().public_bytes_raw().hex()
GUILD, CHANNEL, APPLICATION = "290926798626357999", "645027906669510667", "290926444748734465"
ids = count(846462639134605312)


def signed(body: bytes, at: int | None = None, key: Ed25519PrivateKey = KEY) -> dict[str, str]:
    """The headers of a signed request."""
    timestamp = str(int(time.time()) if at is None else at)
    signature = key.sign(timestamp.encode() + body).hex()
    return {
        "X-Signature-Ed25519": signature,
        "X-Signature-Timestamp": timestamp,
        "Content-Type": "application/json",
        "User-Agent": "Discord-Interactions/1.0 (+https://discord.com)",
    }


def interaction(type: int, data: dict[str, Any] | None, user: str, channel: str, **more: Any) -> dict[str, Any]:
    """An interaction as Discord sends it from a channel of a server."""
    about = {
        "app_permissions": "2248473465835073",
        "application_id": APPLICATION,
        "attachment_size_limit": 10485760,
        "authorizing_integration_owners": {"0": GUILD},
        "channel": {"id": channel, "name": "the-drowned-bell", "type": 0, "nsfw": False, "parent_id": None},
        "channel_id": channel,
        "context": 0,
        "entitlements": [],
        "guild": {"features": [], "id": GUILD, "locale": "en-US"},
        "guild_id": GUILD,
        "guild_locale": "en-US",
        "id": str(next(ids)),
        "locale": "en-US",
        "member": {
            "avatar": None, "banner": None, "communication_disabled_until": None, "deaf": False, "flags": 0,
            "joined_at": "2021-05-19T02:12:51.710000+00:00", "mute": False, "nick": None, "pending": False,
            "permissions": "2147483648", "premium_since": None, "roles": ["290926798626357250"],
            "user": {
                "avatar": "a_d5efa99b3eeaa7dd43acca82f5692432", "avatar_decoration_data": None, "clan": None,
                "discriminator": "0", "global_name": f"Person {user}", "id": user, "public_flags": 131141,
                "username": f"person_{user}",
            },
        },
        "token": "A_UNIQUE_TOKEN",
        "type": type,
        "version": 1,
    }  # fmt: skip
    return {**about, **({"data": data} if data else {}), **more}


PING = {
    "application_id": APPLICATION, "entitlements": [], "id": "1287145673548275794", "token": "A_UNIQUE_TOKEN",
    "type": 1, "user": {"id": "53908232506183680", "username": "discord", "discriminator": "0000"}, "version": 1,
}  # fmt: skip


class Person:
    """Somebody in a channel of Discord, whose clicks and words reach a server."""

    def __init__(self, server: Running, user: str, channel: str = CHANNEL) -> None:
        self.server, self.user, self.channel = server, user, channel
        self.http = server.guest().http

    def send(self, sent: Any, status: int = 200, headers: dict[str, str] | None = None) -> Any:
        body = json.dumps(sent).encode()
        answer = self.post(body, signed(body) if headers is None else headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    def post(self, body: bytes, headers: dict[str, str]) -> httpx.Response:
        return self.http.post("/discord", content=body, headers=headers)

    def command(self, words: str, /, **options: Any) -> Any:
        return self.send(self.says(words, **options))

    def says(self, words: str, /, type: int = 2, focused: str = "", **options: Any) -> dict[str, Any]:
        first, _, below = words.partition(" ")
        given = [
            {"name": key, "type": 5 if isinstance(value, bool) else 3, "value": value}
            | ({"focused": True} if key == focused else {})
            for key, value in options.items()
        ]
        listed = [{"name": below, "type": 1, "options": given}] if below else given
        data = {"id": "771825006014889984", "name": first, "options": listed, "type": 1}
        return interaction(type, data, self.user, self.channel)

    def click(self, answer: Any, label: str) -> Any:
        return self.send(self.clicks(answer, label))

    def clicks(self, answer: Any, label: str) -> dict[str, Any]:
        """A click on the button that begins with this label, below a message that was an answer."""
        id = next(each["custom_id"] for each in buttons(answer) if each["label"].startswith(label))
        return self.clicks_id(id, answer["data"]["flags"])

    def clicks_id(self, id: str, flags: int = 0) -> dict[str, Any]:
        message = {
            "type": 20, "tts": False, "timestamp": "2021-05-19T02:12:51.710000+00:00", "pinned": False, "mentions": [],
            "mention_roles": [], "mention_everyone": False, "id": "844397162624450620", "flags": flags, "embeds": [],
            "edited_timestamp": None, "content": "…", "components": [], "channel_id": self.channel, "attachments": [],
            "author": {"username": "Astragal", "id": APPLICATION, "discriminator": "0", "bot": True},
        }  # fmt: skip
        data = {"custom_id": id, "component_type": 2, "id": 2}
        return interaction(3, data, self.user, self.channel, message=message)

    def fills(self, window: Any, words: str, clicked: dict[str, Any] | None = None) -> Any:
        """Words written into a modal that was an answer."""
        field = {"type": 4, "custom_id": "words", "value": words, "id": 2}
        data = {"custom_id": window["data"]["custom_id"], "components": [{"type": 1, "components": [field], "id": 1}]}
        more = {"message": clicked["message"]} if clicked else {}
        return self.send(interaction(5, data, self.user, self.channel, **more))

    def sit(self, gm: Guest, member: str = "", link: str = "", **more: Any) -> Any:
        """Take a seat: a member's own by a link that a GM makes, or by a link."""
        if member:
            link = gm.post(gm.at("/links"), {"member": member}, 201)["path"]
        return self.command("table sit", link=f"https://table.example{link}", **more)


def buttons(answer: Any) -> list[Any]:
    return [button for row in answer["data"]["components"] for button in row["components"]]


def content(answer: Any) -> str:
    text: str = answer["data"]["content"]
    return text
