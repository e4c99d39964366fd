"""Settings of a server, with defaults that suit a group at home."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from astragal.serve.tls import Certificate
from astragal.storage.tables.limits import Limits
from astragal.storage.tables.stored_table import now
from astragal.table.log.seal import Signing
from astragal.table.rolls.hand import Roller
from astragal.table.rolls.ticket import Tickets


class Rate(NamedTuple):
    """A rate limit: requests per second in the long run, and requests at once."""

    per_second: float
    burst: float


Founding: TypeAlias = Literal["everybody", "nobody", "link"]
"""Who may found and import tables; ``link``: whoever has the founder's link."""
WebhookTargets: TypeAlias = Literal["public", "any", "nobody"]
"""Where webhooks may lead: public addresses over https, private networks and http too, or nowhere."""


class ServerSettings(NamedTuple):
    """How a server behaves. Times are in seconds. Clock and dice can be replaced, so that a test is repeatable."""

    secure: bool = False
    """Whether cookies are for https only, whatever the request says."""
    certificate: Certificate | None = None
    """For https; None for http."""
    hosts: tuple[str, ...] = ()
    """Names that the server answers to besides those of the machine for itself; any name if there are none."""
    proxies: tuple[str, ...] = ("127.0.0.1/32", "::1/128")
    """Networks of proxies; what they say of a visitor's address is believed."""
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
    """Codes tried, by everybody together."""
    all_new_tables: Rate = Rate(2, 40)
    """Tables created or imported, by everybody together."""
    chats: Rate = Rate(2, 30)
    """Commands and buttons in chats, per person there."""
    table_work: Rate = Rate(0.1, 0.1)
    """Seconds of work for one table, in decisions and frames; one that took more rests before it acts again."""
    all_work: Rate = Rate(0.2, 0.2)
    """The same for all tables together that have to rest."""
    strangers: Rate = Rate(200, 200)
    """Requests without a seat, by everybody together; those beyond it wait for their turn."""
    patience: float = 5
    """How long a request waits for its turn; then it is refused."""
    pause: float = 1
    """How long a refusal waits if somebody asked too often, so that asking again and again is no use."""
    question_timeout: float = 2
    """A question that takes longer is stopped."""
    reckoners: int = 2
    """Processes for long questions of visitors, and as many for members'; with 0, this process answers all of them.

    An asker has at most one of them, so with two nobody waits for a single other asker."""
    ping_every: float = 20
    """Pings keep proxies from closing an idle socket, and find the ones that are gone."""
    receive_timeout: float = 60
    """A socket that sends nothing for this long is closed."""
    send_timeout: float = 10
    """A socket that accepts nothing for this long is closed."""
    poll_every: float = 1
    """How often the store is measured, and open tables are checked where no notice tells of changes."""
    keep_idle: float = 60
    """How long a table without visitors stays in memory."""
    leaving: float = 0
    """How long a server that was told to stop goes on, while /healthz says so: until a balancer sends nobody here."""
    discord_key: str = ""
    """The public key of a Discord application, in hex; without one, there is no ``/discord``."""
    webhooks: WebhookTargets = "public"
    webhook_every: float = 1
    """How often the courier looks for new entries."""
    clock: Callable[[], int] = now
    """Milliseconds since 1970."""
    dice: Callable[[str], Roller] | None = None
    """The dice for an action's key; None for the machine's own."""
    tickets: Callable[[str], Tickets] | None = None
    """The tickets of a table, by its id; None for those whose secret is in the store."""
    head_key: Signing | None = None
    """What signs heads of chains; None for the key in the store."""


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
"""The settings that are times, as far as an operator may want to change them."""
UNLIMITED = Rate(1e9, 1e9)
"""For tests and measurements."""
