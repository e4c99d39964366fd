"""Asks the OSV database for known vulnerabilities of the pinned Python packages; ``make audit`` runs it.

Exit code 1 if there are any, 0 otherwise. Where the network does not allow it, it says so and ends with 0.
"""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from tools.lock import pinned

SERVICE = "https://api.osv.dev/v1/querybatch"
TIMEOUT = 20


def known() -> list[tuple[str, str, list[str]]]:
    """Name, version and the ids of its vulnerabilities, for each pinned package that has some."""
    packages = pinned()
    queries = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in packages]
    request = Request(SERVICE, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=TIMEOUT) as answer:
        results: list[Any] = json.load(answer)["results"]
    found = zip(packages, results, strict=True)
    return [(name, version, [each["id"] for each in result.get("vulns", [])]) for (name, version), result in found]


def main() -> int:
    """Print what is known."""
    try:
        found = [each for each in known() if each[2]]
    except (URLError, OSError, ValueError, KeyError) as error:
        print(f"The database of vulnerabilities cannot be reached, so nothing is known: {type(error).__name__}.")
        return 0
    for name, version, ids in found:
        print(f"{name} {version}: {', '.join(ids)}")
    print(f"{len(found)} of {len(pinned())} pinned Python packages have known vulnerabilities.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
