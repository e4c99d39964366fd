"""Which bus an address means."""

from __future__ import annotations

from importlib.util import find_spec
from secrets import token_urlsafe

from astragal.errors import Malformed, Unavailable
from astragal.serve.bus.bus import Bus
from astragal.store import Store

FLEET = "serve/fleet"
"""Name of the setting that tells the servers of this store from those of others on the same bus."""
NONE = "none"
POSTGRES = ("postgresql://", "postgres://")
NATS = ("nats://", "tls://")
WRONG = "A bus is nats://HOST:PORT, postgresql://… or none; what was given is none of these."
"""An address is not repeated: a password may be in it."""
MISSING = "The bus {address} needs the package {package}, which is not installed: pip install 'astragal[{extra}]'."


def check_bus(address: str) -> None:
    """Refuse an address that is none of a bus, and one whose package is missing."""
    if address.startswith(NATS):
        _check_package("nats", "nats-py", "nats", address)
    elif address.startswith(POSTGRES):
        _check_package("psycopg", "psycopg", "postgresql", address)
    elif address not in ("", NONE):
        raise Malformed(WRONG)


def _check_package(module: str, package: str, extra: str, address: str) -> None:
    if find_spec(module) is None:
        raise Unavailable(MISSING.format(address=address.partition("//")[0] + "//…", package=package, extra=extra))


def open_bus(address: str, store: Store) -> Bus:
    """The bus at an address; it connects when it runs. Without an address, one that carries nothing."""
    check_bus(address)
    if address.startswith(NATS):
        from astragal.serve.bus.nats import NatsBus

        return NatsBus(address, fleet_of(store))
    if address.startswith(POSTGRES):
        from astragal.serve.bus.postgres import PostgresBus

        return PostgresBus(address)
    return Bus()


def fleet_of(store: Store) -> str:
    """What the servers of one store have in common, made by the first of them."""
    if store.setting(FLEET) is None:
        store.swap_setting(FLEET, None, token_urlsafe(9).encode()).result()
    return (store.setting(FLEET) or b"").decode()
