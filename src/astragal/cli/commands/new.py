"""``astragal new``: a game of your own, begun as a copy of one on the shelf."""

from __future__ import annotations

import re
from pathlib import Path

from astragal.cli.parser import Option, Parsed, command, file_errors
from astragal.errors import Malformed, Unknown
from astragal.games.registry import BUILT_IN, SUFFIX
from astragal.games.shelf import is_on_shelf, shelf_file, shelf_names

_NAME = re.compile(r"[a-z][a-z0-9_]*").fullmatch


@command("new FILE", which=(Option("like", "GAME", "the game on the shelf that is copied"),))
def run_new(parsed: Parsed) -> None:
    """Begin a game of your own: copy a game of the shelf into a new file. The file's name becomes the game's.

    astragal new --like blades mygame.toml
    """
    path, like = Path(parsed.places[0]), parsed.text("like")
    there = ", ".join(shelf_names())
    if not like:
        raise Malformed(f"Say which game is copied: --like {shelf_names()[0]}; there are {there}.")
    if not is_on_shelf(like):
        raise Unknown(f'There is no game "{like[:40]}" on the shelf; there are {there}.')
    name = path.stem
    if path.suffix != SUFFIX or not _NAME(name) or name in BUILT_IN:
        raise Malformed(
            f'"{path.name[:80]}" cannot be the file of a game: its name becomes the game\'s, so it has small letters, '
            f"digits and _, no built-in game has it, and it ends in {SUFFIX}, such as mygame{SUFFIX}."
        )
    with file_errors(str(path), "written"):
        if path.exists():
            raise Malformed(f'"{path}" exists already, and is not overwritten; choose another name.')
        path.write_text(_renamed(shelf_file(like).read_text("utf-8"), like, name), "utf-8")
    print(f"{path} is a copy of {like} with the name {name}. Edit it, and run: astragal check {path}")


def _renamed(text: str, like: str, name: str) -> str:
    """The text of a game's file under another name, which its examples of commands use, too."""
    text = re.sub(rf'^name = "{like}"', f'name = "{name}"', text, count=1, flags=re.MULTILINE)
    title = name.replace("_", " ").capitalize()
    text = re.sub(r'^title = "[^"]*"', f'title = "{title}"', text, count=1, flags=re.MULTILINE)
    text = re.sub(rf'^example = "{like}\b', f'example = "{name}', text, flags=re.MULTILINE)
    return f"# Begun as a copy of {like} on Astragal's shelf.\n{text}"
