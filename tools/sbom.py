"""Writes the bill of materials that goes with the wheel: what is inside it and what it needs, as CycloneDX JSON.

    python -m tools.sbom dist/astragal-1.2.3.cdx.json dist/runtime.lock

The second file is the part of the lock that the wheel needs.

Python packages are those that a server requires, extras included, with the versions and hashes of the lock; npm
packages are those that the page is built from.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from astragal import __version__

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
NPM = ROOT / "page" / "package-lock.json"
LINE = re.compile(r"^([\w.-]+)==(\S+)((?:\s*\\\n\s*--hash=sha256:\w+)+)", re.MULTILINE)
SERVER = "postgresql,mcp"
"""The extras that a server needs for its options; images and units are made for all of them."""


def bill() -> dict[str, Any]:
    """The whole document."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    own = {
        "type": "application",
        "name": about["name"],
        "version": __version__,
        "purl": f"pkg:pypi/astragal@{__version__}",
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": [*python_packages(), *npm_packages(), *data()],
    }


def python_packages() -> Iterator[dict[str, Any]]:
    """What pip installs with the wheel."""
    needed = _needed()
    for name, version, hashes in LINE.findall(LOCK.read_text("utf-8")):
        if _key(name) in needed:
            yield {
                "type": "library",
                "name": name,
                "version": version,
                "purl": f"pkg:pypi/{_key(name)}@{version}",
                "hashes": [{"alg": "SHA-256", "content": each} for each in re.findall(r"sha256:(\w+)", hashes)],
            }


def runtime_lock() -> str:
    """The lines of the lock that the wheel needs, for an installation that checks hashes."""
    needed = _needed()
    return "".join(f"{found[0]}\n" for found in LINE.finditer(LOCK.read_text("utf-8")) if _key(found[1]) in needed)


def _needed() -> set[str]:
    """The packages that a server requires, whatever its options ask of it, and what these require."""
    found: set[tuple[str, str]] = set()
    todo = [("astragal", SERVER)]
    while todo:
        for each in _required(*todo.pop()):
            if each not in found:
                found.add(each)
                todo.append(each)
    return {name for name, _ in found}


def _required(package: str, extras: str) -> Iterator[tuple[str, str]]:
    """What a package requires with these extras, by commas: each with the extras that it is wanted with."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        wanted = requires(package) or []
    except PackageNotFoundError:
        return
    for requirement in wanted:
        only_for = re.search(r"extra == ['\"]([\w-]+)['\"]", requirement)
        if not only_for or only_for[1] in extras.split(","):
            name, more = re.match(r"([\w.-]+)(?:\[([^\]]*)\])?", requirement).groups()  # type: ignore[union-attr]
            yield _key(name), (more or "").replace(" ", "")


def npm_packages() -> Iterator[dict[str, Any]]:
    """What the page in the wheel is built from and with."""
    for path, package in json.loads(NPM.read_text("utf-8"))["packages"].items():
        if path:
            name = path.rpartition("node_modules/")[2]
            scope = "optional" if package.get("optional") else "excluded" if package.get("dev") else "required"
            purl = f"pkg:npm/{name.replace('@', '%40')}@{package['version']}"
            yield {"type": "library", "name": name, "version": package["version"], "scope": scope, "purl": purl}


def data() -> Iterator[dict[str, Any]]:
    """Data of others inside the wheel."""
    yield {
        "type": "data",
        "name": "Unicode confusables",
        "version": "13.0.0",
        "licenses": [{"license": {"id": "Unicode-3.0"}}],
    }


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(bill(), indent=1, ensure_ascii=False) + "\n", "utf-8")
    Path(sys.argv[2]).write_text(runtime_lock(), "utf-8")
