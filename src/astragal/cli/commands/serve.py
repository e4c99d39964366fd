"""``astragal serve`` and ``astragal mcp``: the live table in browsers, and a seat for an assistant."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from ipaddress import ip_address
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from astragal.cli.parser import Option, Parsed, command, named_values, read_whole
from astragal.cli.table.seat import DATA, DATABASE, address_of, find_table, open_repository, seat_of
from astragal.errors import Malformed

if TYPE_CHECKING:
    from astragal.serve.settings import ServerSettings

LINK = "ASTRAGAL_LINK"
"""The variable of the environment that may hold a link, which a list of processes would show otherwise."""
MOST_OF_A_RATE = 1e9
LONGEST = 86_400.0
MAY_BE_0 = ("pause", "leaving")
ANY_HOST = (
    "Any host name is answered. Name yours with --hosts, so that no page can reach this server under a name of its own."
)


@command(
    "serve",
    options=(
        Option("host", "ADDRESS", "the address to listen at; default 127.0.0.1, this machine only"),
        Option("port", "N", "the port; default 8000, and 0 takes any free one"),
        DATA,
        DATABASE,
        Option(
            "reckoners", "N", "processes for long questions: N for visitors and N for members; default 2, 0 for none"
        ),
    ),
    safety=(
        Option("cert", "FILE", "a certificate in PEM format: serve https, with --key"),
        Option("key", "FILE", "the certificate's private key"),
        Option("secure", help="cookies for https only, for a server behind a TLS proxy"),
        Option("hosts", '"NAME, …"', "names that the server answers to; default: localhost, or any with a warning"),
        Option("proxies", '"NETWORK, …"', "proxies whose X-Forwarded-For is believed; default 127.0.0.1/32, ::1/128"),
        Option(
            "founding",
            help="who may create and import tables: everybody (default), nobody, or only with the founder's link",
            choices=("everybody", "nobody", "link"),
        ),
        Option("discord-key", "HEX", "the public key of a Discord application: answer its commands at /discord"),
        Option(
            "webhooks",
            help="where webhooks may lead: public (default), any (private networks too), nobody",
            choices=("public", "any", "nobody"),
        ),
        Option("new-founder-link", help="replace the founder's link; the old one stops working"),
        Option(
            "limit",
            "NAME=N",
            "change a limit, such as tables=500; docs/limits.md lists them; repeat for more",
            many=True,
        ),
        Option(
            "rate",
            "NAME=N,M",
            "change a rate, such as questions=20,80: 20 a second, 80 at once; repeat for more",
            many=True,
        ),
        Option("time", "NAME=N", "change a time in seconds, such as question-timeout=1; repeat for more", many=True),
    ),
)
def run_serve(parsed: Parsed) -> None:
    """Serve the live table: a page for everyone at the table, and an HTTP API.

    astragal serve
    astragal serve --host 0.0.0.0 --port 8080 --data ~/campaigns
    astragal serve --host 0.0.0.0 --cert table.pem --key table.key
    astragal serve --database postgresql://astragal@db.example.org/astragal
    astragal serve --secure --hosts table.example.org --founding link --limit tables=500
    """
    host, port = parsed.text("host") or "127.0.0.1", parsed.whole("port", 0, 65535)
    address, settings = address_of(parsed), read_settings(parsed, host)
    from astragal.agents.endpoint import mcp_route
    from astragal.serve.api.tables import founder_path
    from astragal.serve.app import app
    from astragal.serve.server import let_others_finish, listen, make_server

    with listen(host, 8000 if port is None else port) as listening:
        if not isinstance(address, Path):  # others may serve on the same cores
            let_others_finish()
        made = app(address, settings, extras=(mcp_route,))
        server = make_server(made)
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else f"[{host}]" if ":" in host else host
        url = f"{'https' if settings.certificate else 'http'}://{shown}:{listening.getsockname()[1]}"
        print(f"Astragal is at {url}/", flush=True)
        print(f"Tables are kept in {address}. Stop with Ctrl+C.", flush=True)
        if settings.founding == "link" or parsed.flag("new-founder-link"):
            path = founder_path(made.state.server.repository.store, parsed.flag("new-founder-link"))
            print(f"Anyone with this link can create tables: {url}{path}", flush=True)
        with suppress(KeyboardInterrupt):  # uvicorn passes the signal on once everything is closed
            server.run(sockets=[listening])


def read_settings(parsed: Parsed, host: str) -> ServerSettings:
    """The settings that the options change."""
    from astragal.serve.http.security import LOCAL_NAMES
    from astragal.serve.limits.addresses import Networks
    from astragal.serve.server import fit_to_system
    from astragal.serve.settings import Certificate, Founding, ServerSettings, WebhookTargets, check_certificate

    hosts = _names(parsed.text("hosts")) or (LOCAL_NAMES if _is_local(host) else ())
    if not hosts:
        print(f"astragal: {ANY_HOST}", file=sys.stderr)
    cert, key = parsed.text("cert"), parsed.text("key")
    if (cert is None) != (key is None):
        raise Malformed("--cert and --key belong together: a certificate and its private key.")
    certificate = check_certificate(Certificate(Path(cert), Path(key))) if cert and key else None
    standard = ServerSettings()
    proxies = _names(parsed.text("proxies")) or standard.proxies
    Networks(proxies)
    standard = _changed(parsed, standard)
    discord_key = (parsed.text("discord-key") or "").strip()
    if discord_key:
        from astragal.serve.chat.discord.interaction import read_key

        read_key(discord_key)
    workers = parsed.whole("reckoners", 0, 32)
    return standard._replace(
        secure=parsed.flag("secure") or certificate is not None,
        certificate=certificate,
        hosts=hosts,
        proxies=proxies,
        founding=cast("Founding", parsed.text("founding") or "everybody"),
        webhooks=cast("WebhookTargets", parsed.text("webhooks") or "public"),
        discord_key=discord_key,
        workers=standard.workers if workers is None else workers,
        limits=fit_to_system(standard.limits),
    )


def _names(text: str | None) -> tuple[str, ...]:
    return tuple((text or "").replace(",", " ").split())


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _changed(parsed: Parsed, settings: ServerSettings) -> ServerSettings:
    """The settings with the limits, rates and times that are given by name."""
    from astragal.serve.settings import RATES, TIMES, Rate

    limits = named_values(parsed.texts("limit"), "limit", settings.limits._fields)
    times = named_values(parsed.texts("time"), "time", TIMES)
    changed: dict[str, Any] = {
        field: _number(field, n, 0.0 if field in MAY_BE_0 else 0.1, LONGEST) for field, n in times.items()
    }
    for field, numbers in named_values(parsed.texts("rate"), "rate", RATES).items():
        per_second, _, at_once = numbers.partition(",")
        changed[field] = Rate(
            _number(f"{field}, a second", per_second, 1e-6, MOST_OF_A_RATE),
            _number(f"{field}, at once", at_once, 0.001 if field.endswith("_work") else 1.0, MOST_OF_A_RATE),
        )
    whole = {field: read_whole(field, n, 0, 1 << 60) for field, n in limits.items()}
    return settings._replace(limits=settings.limits._replace(**whole), **changed)


def _number(name: str, written: str, least: float, most: float) -> float:
    """A number that need not be whole, within bounds."""
    try:
        found = float(written)
    except ValueError:
        found = nan
    if not least <= found <= most:
        shown = name.replace("_", "-")
        raise Malformed(f'{shown} must be a number from {least:g} to {most:,.0f}, not "{written.strip()[:40]}".')
    return found


# A seat for an assistant.


@command(
    "mcp",
    options=(
        Option("table", "TABLE-OR-LINK", f"a table of the data folder, or a link to a seat; otherwise {LINK}"),
        Option("seat", "MEMBER", "whose seat, by name; otherwise the founding GM's. A link has its seat already"),
        DATA,
        DATABASE,
    ),
)
def run_mcp(parsed: Parsed) -> None:
    """Serve the Model Context Protocol on standard input and output: a seat at a table for an assistant, or, without a
    table, questions about games and odds alone. docs/agents.md tells how clients start it.

    astragal mcp
    astragal mcp --table "The Drowned Bell" --seat Jonas
    astragal mcp --table https://table.example.org/t/TABLE#TOKEN
    """
    table = parsed.text("table") or os.environ.get(LINK) or ""
    if "#" in table:
        if parsed.flag("seat") or parsed.flag("data") or parsed.flag("database"):
            raise Malformed("A link is of one seat at one server; --seat, --data and --database belong to tables here.")
        from astragal.agents.stdio import serve_link

        serve_link(table)
    elif table or parsed.flag("seat"):
        from astragal.agents.stdio import serve_table

        with open_repository(parsed) as repository:
            id = find_table(repository.store, table or None).table
            serve_table(repository, id, seat_of(repository.open(id).state, parsed.text("seat")))
    elif parsed.flag("data") or parsed.flag("database"):
        raise Malformed("Questions about games and odds need no tables; name one with --table, or leave out the rest.")
    else:
        from astragal.agents.stdio import serve_questions

        serve_questions()
