"""Asks the OSV database for known vulnerabilities of every pinned package, Python's and the page's.

``make audit`` runs it. Exit code 1 if there are any, 0 otherwise. Where the network does not allow it, it says so and
ends with 0.
"""

from __future__ import annotations

import json
import sys
from typing import Any, NamedTuple
from urllib.error import URLError
from urllib.request import Request, urlopen

from tools.lock import ROOT, pinned

SERVICE = "https://api.osv.dev/v1/querybatch"
TIMEOUT = 20
BATCH = 1000
"""Packages that one request may ask about."""
NOT_REACHED = (
    "The database of vulnerabilities cannot be reached from here ({error}), so nothing is known of {packages}."
)


class Package(NamedTuple):
    """A package as it is pinned; ``ecosystem`` is PyPI or npm."""

    ecosystem: str
    name: str
    version: str


def packages() -> list[Package]:
    """Everything that is pinned, for running, building and testing."""
    python = [Package("PyPI", name, version) for name, version in pinned()]
    locked: dict[str, Any] = json.loads((ROOT / "page" / "package-lock.json").read_text("utf-8"))["packages"]
    page = {
        Package("npm", path.rpartition("node_modules/")[2], each["version"]) for path, each in locked.items() if path
    }
    return [*python, *sorted(page)]


def known(asked: list[Package]) -> list[tuple[Package, list[str]]]:
    """The packages that have vulnerabilities, with their ids."""
    found: list[tuple[Package, list[str]]] = []
    for start in range(0, len(asked), BATCH):
        some = asked[start : start + BATCH]
        queries = [
            {"package": {"name": name, "ecosystem": ecosystem}, "version": version} for ecosystem, name, version in some
        ]
        request = Request(SERVICE, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"})
        with urlopen(request, timeout=TIMEOUT) as answer:
            results: list[Any] = json.load(answer)["results"]
        ids = [[each["id"] for each in result.get("vulns", ())] for result in results]
        found += [pair for pair in zip(some, ids, strict=True) if pair[1]]
    return found


def main() -> int:
    """Print what is known."""
    asked = packages()
    page = sum(package.ecosystem == "npm" for package in asked)
    counts = f"{len(asked) - page} Python and {page} npm packages"
    try:
        found = known(asked)
    except (URLError, OSError, ValueError, KeyError) as error:
        print(NOT_REACHED.format(error=type(error).__name__, packages=counts))
        return 0
    for (_, name, version), ids in found:
        print(f"{name} {version}: {', '.join(ids)}")
    print(f"{len(found)} of {counts} have known vulnerabilities.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
