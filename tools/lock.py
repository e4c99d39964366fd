"""Writes the lock files: every version of constraints.txt with the hashes of its files, so that pip checks them.

    python -m tools.lock

The hashes are those that pip's own index states. This reads them through pip's internals, which pip may change.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
NODE = "nodejs"
"""What only those need whose system has no Node.js."""
HEAD = "# Versions with the hashes of their files; make installs nothing else. Made by tools/lock.py.\n"


def pinned() -> list[tuple[str, str]]:
    """Names and versions of constraints.txt."""
    return re.findall(r"^([\w.-]+)==(\S+)$", CONSTRAINTS.read_text("utf-8"), re.MULTILINE)


def main() -> None:
    """Write the files."""
    found = {name: (version, sorted(_hashes(name, version))) for name, version in pinned()}
    for file, node in (("requirements.lock", False), ("requirements-node.lock", True)):
        rows = [_row(name, *about) for name, about in found.items() if (NODE in name) is node]
        (ROOT / file).write_text(HEAD + "".join(rows), "utf-8")


def _row(name: str, version: str, hashes: list[str]) -> str:
    if not hashes:
        sys.exit(f"The index states no hash for {name} {version}.")
    return f"{name}=={version}" + "".join(f" \\\n    --hash=sha256:{each}" for each in hashes) + "\n"


def _hashes(name: str, version: str) -> Iterator[str]:
    for link in _links(name):
        if link.hash_name == "sha256" and _version(link.filename, name) == version:
            yield str(link.hash)


def _version(filename: str, name: str) -> str:
    """The version in the name of a wheel or of an archive of sources."""
    rest = re.sub(r"[-_.]+", "-", filename[: len(name)]).lower()
    if rest != re.sub(r"[-_.]+", "-", name).lower():
        return ""
    stem = re.sub(r"(\.tar\.gz|\.zip|\.whl)$", "", filename[len(name) + 1 :])
    return stem.partition("-")[0]


_finders: list[Any] = []


def _links(name: str) -> Iterator[Any]:
    """The files of a project, as the index lists them."""
    from pip._internal.commands.index import IndexCommand
    from pip._internal.index.collector import parse_links
    from pip._internal.models.link import Link

    if not _finders:
        command = IndexCommand("index", "")
        command.main_context().__enter__()  # until the program ends; pip has no types
        options, _ = command.parse_args(["versions", "x"])
        _finders.append(command._build_package_finder(options=options, session=command._build_session(options)))
    collector = _finders[0]._link_collector
    for url in collector.search_scope.get_index_urls_locations(name):
        page = collector.fetch_response(Link(url))
        yield from parse_links(page) if page else ()


if __name__ == "__main__":
    main()
