"""``astragal discord``: the slash commands of a Discord application, shown or registered."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from astragal import __version__
from astragal.cli.parser import Option, Parsed, command
from astragal.errors import Forbidden, Malformed, Unavailable, Unknown

API = "https://discord.com/api/v10"
TOKEN = "ASTRAGAL_DISCORD_TOKEN"
SECONDS = 20
MAX_ANSWER = 1 << 20
OPTIONS = (
    Option("application", "ID", "the application's id, from Discord's Developer Portal"),
    Option("guild", "ID", "register for one server of Discord only, where it shows immediately"),
    Option("token-file", "FILE", f"a file with the application's bot token; otherwise it is taken from {TOKEN}"),
    Option("api", "URL", f"the address of Discord's API; default {API}"),
)


@command("discord [commands|register]", registering=OPTIONS)
def run_discord(parsed: Parsed) -> None:
    """Print the slash commands /roll, /odds and /table as JSON, or register them with Discord.

    astragal discord commands
    astragal discord register --application 290926444748734465 --token-file bot-token.txt
    """
    what = next(iter(parsed.places), "")
    if what not in ("commands", "register"):
        raise Malformed("Say what to do: astragal discord commands, or astragal discord register.")
    from astragal.serve.chat.discord.commands import COMMANDS

    if what == "commands":
        print(json.dumps(COMMANDS, indent=2, ensure_ascii=False))
        return
    names = register(_address(parsed), _token(parsed), COMMANDS)
    print(f"Registered: {', '.join(f'/{name}' for name in names)}.")
    if not parsed.text("guild"):
        print("Discord may take up to an hour until they show everywhere.")


def _address(parsed: Parsed) -> str:
    api = (parsed.text("api") or API).rstrip("/")
    parts = urlsplit(api)
    if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
        raise Malformed("The address of Discord's API begins with https://, since the token is sent there.")
    guild = parsed.text("guild")
    below = f"/guilds/{_id(guild, 'guild')}" if guild else ""
    return f"{api}/applications/{_id(parsed.text('application'), 'application')}{below}/commands"


def _id(text: str | None, name: str) -> str:
    if not text or not re.fullmatch(r"[0-9]{1,20}", text):
        raise Malformed(f"--{name} is a number of up to 20 digits, such as 290926444748734465.")
    return text


def _token(parsed: Parsed) -> str:
    """The bot token; never an option, since everyone on the machine can read options."""
    file = parsed.text("token-file")
    try:
        token = Path(file).read_text("utf-8").strip() if file else os.environ.get(TOKEN, "").strip()
    except (OSError, UnicodeDecodeError):
        raise Unknown(f'The file "{file}" cannot be read.') from None
    if not re.fullmatch(r"[!-~]{1,200}", token):
        raise Malformed(f"Give the application's bot token in a file with --token-file, or as {TOKEN}.")
    return token


def register(address: str, token: str, commands: list[dict[str, Any]]) -> list[str]:
    """Replace the application's commands by these; the names of what Discord has then. Redirects are not followed."""
    from urllib.error import HTTPError, URLError
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *args: Any, **named: Any) -> None:
            return None

    body = json.dumps(commands).encode()
    headers = {
        "Authorization": f"Bot {token}",
        "Content-Type": "application/json",
        "User-Agent": f"DiscordBot (astragal, {__version__})",
    }
    request = Request(address, body, headers, method="PUT")
    try:
        with build_opener(Stay).open(request, timeout=SECONDS) as answer:
            return _names(answer.read(MAX_ANSWER))
    except HTTPError as error:
        with error:
            raise _refusal(error.code, error.read(MAX_ANSWER)) from None
    except (URLError, OSError):
        raise Unavailable("Discord cannot be reached. Nothing was registered; try again later.") from None


def _names(body: bytes) -> list[str]:
    try:
        return [str(command["name"]) for command in json.loads(body)]
    except (ValueError, TypeError, KeyError):
        raise Unavailable("Discord's answer cannot be read; look in the Developer Portal what is registered.") from None


def _refusal(status: int, body: bytes) -> Forbidden | Unavailable:
    if status in (401, 403):
        return Forbidden("Discord does not accept the token for this application. Nothing was registered.")
    try:
        said = str(json.loads(body).get("message", ""))[:200]
    except (ValueError, AttributeError):
        said = ""
    return Unavailable(f"Discord refused with status {status}{f': {said}' if said else ''}. Nothing was registered.")
