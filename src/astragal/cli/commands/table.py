"""``astragal table …``: a campaign at the command line. Finds what is to be done, and loads only that."""

from __future__ import annotations

from importlib import import_module

from astragal.errors import Malformed, Unknown

PARTS = {
    "new": ("manage", 'GAME "Title"', "make a table; --sample brings the game's sample campaign"),
    "list": ("manage", "", "every table: game, title, members, entries, last change"),
    "show": ("show", "[TABLE]", "the scene, characters, Clocks, and rolls that wait for something"),
    "do": ("do", "[TABLE] ACTION …", "roll, answer, create, change, tick, scene, note, and all else"),
    "log": ("log", "[TABLE]", "what happened, in sentences"),
    "undo": ("do_table_undo", "[TABLE] [ENTRY]", "take back the latest entry, or the one that is named"),
    "redo": ("do_table_undo", "[TABLE] [ENTRY]", "do again what was undone"),
    "export": ("files", "[TABLE] FILE", "a table as JSON Lines, or a character's sheet as JSON"),
    "import": ("files", "FILE", "a table out of a file, or a sheet into a table"),
    "stats": ("stats", "[TABLE]", "everybody's luck, as an exact percentile"),
    "story": ("log", "[TABLE]", "the log as Markdown, to be read"),
    "delete": ("manage", "TABLE", "remove a table for good"),
}
HELP = """\
usage: astragal table {names} …

A campaign with characters, Clocks, rolls and a log, kept in a folder of yours. A table is named by its id,
by the beginning of its id, or by its title; if there is only one, it need not be named.

{parts}

All of them take --data FOLDER (otherwise ASTRAGAL_DATA, otherwise ~/.local/share/astragal) and --json.

examples:
  astragal table new narraject "The Drowned Bell" --name Mira
  astragal table new razorweave --sample
  astragal table do create Kira --template "Kira Voss"
  astragal table do roll --who Kira --use Agility --use Stealth --dc 16
  astragal table do answer settle
  astragal table do tick "The bell rings" 2
  astragal table show
  astragal table log --last 5
  astragal table undo

astragal table PART --help tells more; astragal table do --help lists the actions."""


def run(words: list[str]) -> int:
    """Hand the words to the part that is named."""
    if not words:
        raise Malformed(f"Say what to do with a table: {', '.join(PARTS)}; for example astragal table list.")
    if words[0] in ("-h", "--help", "help"):
        lines = (f"  {name:<7} {places:<18} {what}" for name, (_, places, what) in PARTS.items())
        print(HELP.format(names="|".join(PARTS), parts="\n".join(lines)))
        return 0
    if words[0] not in PARTS:
        raise Unknown(f'There is no "astragal table {words[0][:40]}"; there are {", ".join(PARTS)}.')
    module = import_module(f"astragal.cli.table.{PARTS[words[0]][0]}")
    code: int = getattr(module, f"run_{words[0]}")(words[1:])
    return code
