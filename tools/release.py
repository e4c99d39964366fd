"""Prepare and tag a release: ``make release VERSION=0.6.0``, then ``make tag``. See docs/releasing.md."""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = Path("src/astragal/__init__.py")
CHANGELOG = Path("CHANGELOG.md")
VERSION = re.compile(r'^__version__ = "(?P<version>[^"]+)"$', re.MULTILINE)
NUMBER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
UNRELEASED = "## [Unreleased]"
SECTION = re.compile(r"^## \[(?P<name>[^\]]+)\](?: - (?P<date>\d{4}-\d{2}-\d{2}))?\n", re.MULTILINE)


class Unready(Exception):
    """The checkout cannot be released; the message says why."""


def main(words: list[str] | None = None, root: Path = ROOT) -> int:
    """Run one of the two steps; 0 if it was done, 1 with a sentence if not."""
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("prepare", help="set the version and date the changelog").add_argument("version")
    steps.add_parser("tag", help="tag the commit that holds the release")
    given = parser.parse_args(words)
    try:
        print(prepare(root, given.version) if given.step == "prepare" else tag(root))
    except Unready as why:
        print(f"release: {why}", file=sys.stderr)
        return 1
    return 0


def prepare(root: Path, version: str) -> str:
    """Write the version and the changelog's date into the files, and nothing at all if a check fails."""
    changelog = dated(read(root / CHANGELOG), version, datetime.datetime.now(datetime.UTC).date())
    source = with_version(read(root / SOURCE), version)
    (root / CHANGELOG).write_text(changelog, "utf-8")
    (root / SOURCE).write_text(source, "utf-8")
    return f"Version {version} is written. Next: make test, commit as 'release: {version}', make tag."


def tag(root: Path) -> str:
    """Tag HEAD with the version that its files state; refuse an unclean checkout or an undated changelog."""
    version = version_in(read(root / SOURCE))
    if git(root, "status", "--porcelain"):
        raise Unready("There are changes that are not committed.")
    newest = SECTION.search(read(root / CHANGELOG))
    if not newest or newest["name"] != version or not newest["date"]:
        raise Unready(f"The newest section of {CHANGELOG} is not that of {version} with a date.")
    name = f"v{version}"
    if git(root, "tag", "--list", name):
        raise Unready(f"The tag {name} exists already.")
    git(root, "tag", "--annotate", name, "--message", f"Astragal {version}")
    return f"Tagged {name}. Next: git push --follow-tags."


def version_in(source: str) -> str:
    """The version that the package states."""
    found = VERSION.findall(source)
    if len(found) != 1:
        raise Unready(f"{SOURCE} states the version {len(found)} times; it must be once.")
    return str(found[0])


def with_version(source: str, version: str) -> str:
    """The package's source with the new version; a version that is no number or not newer is refused."""
    old = version_in(source)
    if number(version) <= number(old):
        raise Unready(f"{version} is not newer than {old}.")
    return VERSION.sub(f'__version__ = "{version}"', source)


def number(version: str) -> tuple[int, ...]:
    """The version's three numbers."""
    if not NUMBER.fullmatch(version):
        raise Unready(f'"{version}" is no version: three numbers with dots between them are wanted.')
    return tuple(map(int, version.split(".")))


def dated(changelog: str, version: str, today: datetime.date) -> str:
    """The changelog with its unreleased section named after the version; an absent or empty one is refused."""
    sections = list(SECTION.finditer(changelog))
    if not sections or sections[0]["name"] != "Unreleased":
        raise Unready(f'The newest section of {CHANGELOG} must be "{UNRELEASED}".')
    end = sections[1].start() if sections[1:] else len(changelog)
    if "\n- " not in changelog[sections[0].end() : end]:
        raise Unready(f"The unreleased section of {CHANGELOG} lists no change.")
    return changelog.replace(UNRELEASED, f"## [{version}] - {today.isoformat()}", 1)


def git(root: Path, *words: str) -> str:
    """What git prints; git's own message if it fails."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise Unready(done.stderr.strip())
    return done.stdout


def read(file: Path) -> str:
    return file.read_text("utf-8")


if __name__ == "__main__":
    sys.exit(main())
