"""Settings of a server, with defaults for a group at home."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from astragal.errors import Unavailable
from astragal.storage.tables.limits import Limits
from astragal.storage.tables.stored_table import now
from astragal.table.log.seal import Signing
from astragal.table.rolls.hand import Roller
from astragal.table.rolls.ticket import Tickets

NO_PASSWORD = ""
"""Without this, OpenSSL would ask for a password at the terminal, which a service does not have."""


class Certificate(NamedTuple):
    """Files in PEM format: a certificate with its chain, and its private key."""

    cert: Path
    key: Path


def check_certificate(certificate: Certificate) -> Certificate:
    """The certificate, if the two files can be read and belong together; else Unavailable."""
    for path in certificate:
        if not path.is_file():
            raise Unavailable(f'There is no file "{path}".')
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*certificate, password=NO_PASSWORD)
    except (ssl.SSLError, OSError) as error:
        reason = getattr(error, "reason", None) or error.strerror or "unreadable"
        sentence = f'"{certificate.cert}" and "{certificate.key}" are not a certificate and its key'
        raise Unavailable(f"{sentence} ({str(reason).replace('_', ' ').lower()}); both must be PEM files.") from None
    return certificate


class Rate(NamedTuple):
    """A rate limit: requests per second in the long run, and requests at once."""

    per_second: float
    burst: float


Founding: TypeAlias = Literal["everybody", "nobody", "link"]
"""Who may create and import tables; with ``link``, anyone who has the founder's link."""
WebhookTargets: TypeAlias = Literal["public", "any", "nobody"]
"""Where webhooks may lead: public addresses over https, private networks and http too, or nowhere."""


class ServerSettings(NamedTuple):
    """How a server behaves. Times are in seconds. Tests replace clock and dice, to be repeatable."""

    secure: bool = False
    """True if cookies are always for https only."""
    certificate: Certificate | None = None
    """For https; None for http."""
    hosts: tuple[str, ...] = ()
    """Host names that the server answers to, besides those of the machine for itself; empty for any name."""
    proxies: tuple[str, ...] = ("127.0.0.1/32", "::1/128")
    """Networks of proxies, which are trusted about a visitor's address."""
    founding: Founding = "everybody"
    limits: Limits = Limits()
    actions: Rate = Rate(30, 60)
    """Actions per member."""
    reads: Rate = Rate(40, 120)
    """Reads per member."""
    questions: Rate = Rate(20, 80)
    """Rolls, odds and advice without a table, per address; an IPv6 address stands for its network of 64 bits."""
    new_tables: Rate = Rate(0.2, 20)
    """Tables created or imported, per address."""
    joins: Rate = Rate(1, 40)
    """Link tokens tried, per address."""
    codes: Rate = Rate(0.1, 10)
    """Codes tried, per address."""
    all_codes: Rate = Rate(5, 200)
    """Codes tried, by everyone together."""
    all_new_tables: Rate = Rate(2, 40)
    """Tables created or imported, by everyone together."""
    chats: Rate = Rate(2, 30)
    """Commands and buttons in chats, per person there."""
    table_work: Rate = Rate(0.1, 0.1)
    """Seconds of work for one table, in decisions and frames; a table above it rests before its next action."""
    all_work: Rate = Rate(0.2, 0.2)
    """The same for all tables together that have to rest."""
    strangers: Rate = Rate(200, 200)
    """Requests without a seat, by everyone together; more of them are queued."""
    patience: float = 5
    """How long a request waits for its turn before it is refused."""
    pause: float = 1
    """Delay before a client over its rate gets the refusal, so that quick retries are useless."""
    question_timeout: float = 2
    """A question that takes longer is stopped."""
    workers: int = 2
    """Processes for long questions of visitors, and the same number for members; with 0, this process answers.

    An asker uses at most one, so with two, one asker cannot make the others wait."""
    ping_every: float = 20
    """Time between pings. Pings keep proxies from closing an idle socket, and find lost ones."""
    receive_timeout: float = 60
    """A socket that sends nothing for this long is closed."""
    send_timeout: float = 10
    """A socket that accepts nothing for this long is closed."""
    poll_every: float = 1
    """How often the store is measured, and open tables are checked where no notices arrive."""
    keep_idle: float = 60
    """How long a table without visitors stays in memory."""
    leaving: float = 0
    """How long a stopping server keeps serving while /healthz is 404, so that balancers stop routing to it."""
    discord_key: str = ""
    """The public key of a Discord application, in hex; without one, there is no ``/discord``."""
    webhooks: WebhookTargets = "public"
    webhook_every: float = 1
    """How often new entries are looked for."""
    clock: Callable[[], int] = now
    """Milliseconds since 1970."""
    dice: Callable[[str], Roller] | None = None
    """The dice for an action's key; None for the machine's own."""
    tickets: Callable[[str], Tickets] | None = None
    """The tickets of a table, by its id; None for tickets from the secret in the store."""
    head_key: Signing | None = None
    """Signs heads of chains; None for the key in the store."""


RATES = tuple(name for name, usual in ServerSettings._field_defaults.items() if isinstance(usual, Rate))
"""The settings that are rates."""
TIMES = (
    "patience",
    "pause",
    "question_timeout",
    "ping_every",
    "receive_timeout",
    "send_timeout",
    "keep_idle",
    "leaving",
)
"""The settings that are times and that an operator may change."""
UNLIMITED = Rate(1e9, 1e9)
"""For tests and measurements."""
