"""A load balancer of our own: Debian's HAProxy in front of servers of this machine, and its configuration.

``python -m tools.balancer`` writes deploy/haproxy.cfg, which is the same for containers.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from tools.program import Program

MISSING = "HAProxy is not installed here; on Debian, make haproxy installs it."

HEAD = """\
global
    maxconn 4000
    log stdout format iso local0 info

defaults
    mode http
    # What went wrong and which server came or went, with the request's id; neither addresses nor tables.
    log global
    option dontlog-normal
    log-format "%HM by %b/%s: %ST %tsc, %rc retries, %TR/%Tw/%Tc/%Tr/%Ta ms, request %ID"
    # A server that died refuses at once; the request goes to another one. One that died in the middle of a request
    # has it sent again elsewhere if it may be: an action has a key, so it happens once.
    retries 3
    option redispatch 1
    retry-on conn-failure empty-response
    timeout connect 1s
    timeout http-request 10s
    timeout client 75s
    timeout server 75s
    timeout queue 5s
    timeout check 2s
    # The servers ping their sockets every 20 seconds.
    timeout tunnel 120s
    default-server inter 1s fastinter 500ms downinter 500ms fall 2 rise 1

frontend visitors
    bind {address}:{port}
    # What visitors say of themselves is not believed.
    http-request del-header X-Forwarded-For
    http-request del-header X-Forwarded-Proto
    http-request del-header X-Request-Id
    option forwardfor
    unique-id-format %[uuid(4),bytes(0,8),upper]
    unique-id-header X-Request-Id
    # What an assistant or Discord sends has a key in it. HAProxy can send again only what had come as a whole when it
    # began to send it, and many clients send a body after its head; so it waits for the body.
    acl has_key req.hdr(idempotency-key) -m found
    acl has_key path /mcp /discord
    http-request disable-l7-retry if METH_POST !has_key
    http-request wait-for-body time 10s if METH_POST has_key
    http-request deny deny_status 404 if {{ path /metrics }}
    # A server is ready while it could store an action. If none is, as while the database is away, the tables that are
    # open can still be read, so requests go to any server that listens. A server that alone is not ready is left out
    # only after some seconds: were all to drop out one by one, tables would go to servers that do not have them open.
    # One server owns a table, so all who come to it go there: by its id in the path, and assistants by the one in the
    # link that they bring.
    acl at_table path_beg /api/tables/
    acl mcp path /mcp
    acl hashed path_beg /api/tables/
    acl hashed path /mcp
    http-request set-var(txn.table) path,field(4,/) if at_table
    http-request set-var(txn.table) 'req.hdr(authorization),regsub("^.*[ /]([-_A-Za-z0-9]+)[#.].*$","\\1")' if mcp
    use_backend tables if hashed {{ nbsrv(ready) gt 0 }} {{ nbsrv(tables) gt 0 }}
    use_backend listening_tables if hashed
    use_backend all if {{ nbsrv(ready) gt 0 }} {{ nbsrv(tables) gt 0 }}
    default_backend listening
"""
BY_TABLE = ("balance hash var(txn.table)", "hash-type consistent")
"""By the table's id, so that a table stays with the server that owns it. Without that, it would change servers time and
again; nothing is lost by it."""
LEAVES = "http-check disable-on-404"
"""A server that is stopping answers 404; it gets nothing new from then on, and finishes what it has."""
READY = ("option httpchk GET /healthz", "http-check send hdr Host localhost", "http-check expect status 200", LEAVES)
SLOW_TO_LEAVE = ("default-server fall 20 observe layer4 error-limit 1 on-error mark-down",)
"""What is not ready leaves after ten seconds, when it is known of all others whether they are; what cannot be
connected to, at once."""
BACKENDS = {
    "ready": READY,  # nobody is sent here: it tells whether any server is ready
    "tables": (*BY_TABLE, *READY, *SLOW_TO_LEAVE),
    "listening_tables": BY_TABLE,
    "all": ("balance leastconn", LEAVES),
    "listening": ("balance leastconn",),
}
TRACKED = {"all": "tables", "listening": "listening_tables"}
"""Whose checks count for a backend that makes none itself."""


CONTAINERS = """
# The names of containers, which get new addresses when they are re-created.
resolvers containers
    parse-resolv-conf
    hold valid 2s
"""


def configuration(port: int, servers: Sequence[str], address: str = "127.0.0.1") -> str:
    """HAProxy's configuration for servers, given as host:port."""
    return HEAD.format(address=address, port=port) + "".join(_backends(servers))


def container_configuration() -> str:
    """The same for deploy/compose.yaml, which is where deploy/haproxy.cfg is used."""
    text = configuration(8080, [f"server{n}:8000" for n in (1, 2, 3)], "*")
    named = "    default-server resolvers containers init-addr libc,none "
    return text.replace("    default-server ", named, 1) + CONTAINERS


def _backends(servers: Sequence[str]) -> Iterator[str]:
    for name, lines in BACKENDS.items():
        yield f"\nbackend {name}\n"
        yield from (f"    {line}\n" for line in lines)
        for n, server in enumerate(servers, 1):
            yield f"    server s{n} {server} {f'track {TRACKED[name]}/s{n}' if name in TRACKED else 'check'}\n"


class Balancer(Program):
    """HAProxy in front of servers; it can be killed, and started again at the same port."""

    name = "HAProxy"

    def __init__(self, folder: Path, port: int, servers: Sequence[str]) -> None:
        super().__init__(folder / "haproxy.log")
        program = shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
        if program is None:
            raise FileNotFoundError(MISSING)
        self.address = f"http://localhost:{port}"
        self._program = program
        self._file = folder / "haproxy.cfg"
        self._file.write_text(configuration(port, servers), "utf-8")

    def command(self) -> list[str | Path]:
        return [self._program, "-db", "-f", self._file]

    def is_ready(self) -> bool:
        """Whether it answers; that of a server is an answer, too."""
        try:
            with urlopen(f"{self.address}/healthz", timeout=5):
                return True
        except HTTPError:
            return True
        except (OSError, HTTPException):
            return False


if __name__ == "__main__":
    (Path(__file__).parents[1] / "deploy" / "haproxy.cfg").write_text(container_configuration(), "utf-8")
