"""``astragal table new``, ``list``, ``delete`` and ``expire``: the tables of a data folder."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from astragal.cli.parser import Option, Parsed, command, named_values
from astragal.cli.table.seat import (
    NO_TABLE,
    WHERE,
    YES,
    address_of,
    answer,
    answer_rows,
    find_table,
    is_missing,
    open_repository,
)
from astragal.cli.watch import ProgressLine
from astragal.errors import Malformed, Refusal
from astragal.explain.visible import one_line
from astragal.games.registry import game_at
from astragal.rule.inputs.total import counted
from astragal.storage import TableInfo
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import now
from astragal.table.action import FoundAction
from astragal.table.entry import decode_entry
from astragal.table.ruleset import ruleset_of


@command(
    "table new GAME [TITLE]",
    the_table=(
        Option("name", "ME", "your name at the table; you are its GM; default GM"),
        Option("option", "NAME=VALUE", "a setting, such as edition=hits; may be given several times", many=True),
        Option("sample", help="with the game's sample campaign, which has its own title and settings"),
    ),
    where_and_how=WHERE,
)
def run_new(parsed: Parsed) -> None:
    """Create a table for a game, and print its id; --sample plays the game's sample campaign on it.

    astragal table new narraject "The Drowned Bell" --name Mira --option edition=hits
    astragal table new tgimh --sample
    """
    game, title = game_at(parsed.places[0]).name, parsed.place(1) or ""
    if parsed.flag("sample"):
        from astragal.table.log.sample import sample_of

        sample_of(game)
        if parsed.given.get("option") or title:
            raise Malformed("The sample campaign has its own title and settings; give neither with --sample.")
    else:
        if not title.strip():
            raise Malformed(f'A table needs a title: astragal table new {game} "Title".')
        options = settings(game, parsed.given.get("option", []))
        found = founding(game, title, parsed.text("name") or "GM", options)
    with open_repository(parsed, make=True) as repository:
        if parsed.flag("sample"):
            table = repository.create_sample(game, parsed.text("name") or "")
        else:
            table = repository.create(found)
        info = repository.store.info(table.id)
    answer(parsed, info._asdict(), info.table)


def founding(game: str, title: str, name: str, options: dict[str, Any]) -> FoundAction:
    """The action that creates a table, checked before a store is created for it."""
    title, name = one_line(title, "The title"), one_line(name, "Your name")
    for what, text in (("title", title), ("name", name)):
        if len(text) > 80:
            raise Malformed(f"A {what} has at most 80 characters, not {len(text)}.")
    ruleset_of(game).table_rules.options(**options)
    return FoundAction(game=game, title=title, name=name, options=options)


def settings(game: str, written: list[str]) -> dict[str, Any]:
    """The game's settings by name, read from ``name=value``."""
    inputs = ruleset_of(game).table_rules.options.inputs
    return {name: inputs[name].read(value) for name, value in named_values(written, "setting", inputs).items()}


@command("table list", where_and_how=WHERE)
def run_list(parsed: Parsed) -> None:
    """List every table: game, title, members, entries, last change.

    astragal table list
    astragal table list --json
    """
    tables: list[dict[str, Any]] = []
    if not is_missing(address_of(parsed)):
        with open_repository(parsed) as repository:
            tables = [_row(repository, about) for about in repository.store.tables()]
    rows = [
        (row["id"], row["game"], row["title"], ", ".join(row["members"]), str(row["entries"]), _time(row["last"]))
        for row in tables
    ]
    heads = ("id", "game", "title", "members", "entries", "last change")
    answer_rows(parsed, {"tables": tables}, heads, rows, none=NO_TABLE, left=(0, 1, 2, 3))


def _row(repository: Repository, about: TableInfo) -> dict[str, Any]:
    """A table as data; without members if its game is not installed."""
    try:
        members = [one.name for one in repository.open(about.table).state.members.values() if one.role != "gone"]
    except Refusal:
        members = []
    last = _last_used(repository, about)
    return {"id": about.table, **about._asdict(), "entries": about.version, "last": last, "members": members}


def _last_used(repository: Repository, about: TableInfo) -> int:
    rows = repository.store.read(about.table, about.version - 1)
    return decode_entry(rows[-1].body).at if rows else about.created


def _time(at: int) -> str:
    try:
        return datetime.fromtimestamp(at / 1000).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "?"


@command("table delete TABLE", how=(YES._replace(help="do not ask"), *WHERE))
def run_delete(parsed: Parsed) -> None:
    """Delete a table with its whole log, for good.

    astragal table delete "The Drowned Bell"
    astragal table delete Xk3v --yes
    """
    from astragal.cli.prompts import confirmed

    with open_repository(parsed) as repository:
        about = find_table(repository.store, parsed.places[0])
        question = f'Delete "{about.title}" with its {counted(about.version, "entry", "entries")} for good?'
        refusal = Malformed("This is not a terminal, so nobody can be asked; --yes deletes the table for good.")
        if not parsed.flag("yes") and not confirmed(question, refusal):
            print("Nothing was deleted.")
            return
        repository.delete(about.table)
    answer(parsed, {"deleted": about.table}, f'"{about.title}" is deleted.')


# Tables that have not been used for long.


class Expired(NamedTuple):
    """The result of an expiry for one table."""

    table: str
    title: str
    deleted: bool
    file: str = ""
    kept: str = ""
    """Why it still exists, although it was to be deleted."""

    def __str__(self) -> str:
        done = "Kept" if self.kept else "Deleted" if self.deleted else "Would be deleted"
        more = f": {self.kept}" if self.kept else f", exported to {self.file}" if self.file else ""
        return f'{done}: "{self.title}" ({self.table}){more}'


@command(
    "table expire",
    what=(Option("days", "N", "days without an entry"), Option("to", "FOLDER", "export each table there first")),
    how=(YES._replace(help="do it; without it, the tables are only listed"), *WHERE),
)
def run_expire(parsed: Parsed) -> int:
    """Delete tables without a new entry for N days; with --to, each is exported first.

    astragal table expire --days 365 --to old --yes
    astragal table expire --days 30
    """
    days = parsed.whole("days", 1, 100_000)
    if days is None:
        raise Malformed("Say how long a table is kept: --days N.")
    before = now() - int(timedelta(days=days).total_seconds() * 1000)
    found: list[Expired] = []
    with open_repository(parsed) as repository, ProgressLine("expiry") as progress:
        tables = repository.store.tables()
        for n, each in enumerate(tables):
            progress(n, len(tables))
            found += _expired(repository, each, before, parsed)
    answer(
        parsed,
        {"tables": [each._asdict() for each in found]},
        *(map(str, found) if found else ["No table is that old."]),
    )
    return 1 if any(each.kept for each in found) else 0


def _expired(repository: Repository, about: TableInfo, before: int, parsed: Parsed) -> list[Expired]:
    """Expire a table; no result if it is in use. A table that cannot be deleted stays, and the others follow."""
    try:
        if _last_used(repository, about) >= before:
            return []
        if not parsed.flag("yes"):
            return [Expired(about.table, about.title, False)]
        file = _export(repository, about, Path(parsed.text("to") or "")) if parsed.text("to") else None
        if repository.store.info(about.table).version != about.version:
            if file:
                file.unlink()
            raise Malformed("a member has used it in the meantime.")
        repository.delete(about.table)
        return [Expired(about.table, about.title, True, str(file or ""))]
    except Refusal as refusal:
        return [Expired(about.table, about.title, False, kept=str(refusal))]


def _export(repository: Repository, about: TableInfo, folder: Path) -> Path:
    """Export a table into a new file of this folder, and read it back to check it."""
    from astragal.cli.table.files import write_file
    from astragal.storage.tables.staged import staged
    from astragal.table.log.export import bounded_lines

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Malformed(f'the folder "{folder}" cannot be created: {error.strerror}.') from None
    name = re.sub(r"[^A-Za-z0-9_-]", "_", about.table)
    # An earlier table may have had the same id.
    names = (f"{name}.jsonl" if n == 1 else f"{name}-{n}.jsonl" for n in count(1))
    file = next(folder / each for each in names if not (folder / each).exists())
    write_file(str(file), repository.open(about.table).export())
    with file.open("rb") as written, staged(bounded_lines(written)):
        return file
