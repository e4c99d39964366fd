"""``astragal table``: a campaign at the command line. A module for each group of subcommands."""

from __future__ import annotations

import re

from astragal.cli.parser import Command, function_of
from astragal.errors import Malformed, Unknown

SUBCOMMANDS = {
    "new": "table.tables",
    "list": "table.tables",
    "show": "table.show",
    "do": "table.do",
    "log": "table.log",
    "undo": "table.do",
    "redo": "table.do",
    "export": "table.files",
    "import": "table.files",
    "stats": "table.stats",
    "story": "table.log",
    "link": "table.operator",
    "webhooks": "table.operator",
    "ties": "table.operator",
    "erase": "table.operator",
    "expire": "table.tables",
    "delete": "table.tables",
}
"""Each subcommand: the module with its ``run_`` function, which is loaded with its first use."""
HELP = """\
usage: astragal table {names} …

A campaign with characters, Clocks, rolls and a log, kept in a folder of yours. A table is named by its id,
by the beginning of its id, or by its title; if there is only one, it need not be named.

{parts}

All of them take --data FOLDER (otherwise ASTRAGAL_DATA, otherwise ~/.local/share/astragal) or --database URL
(otherwise ASTRAGAL_DATABASE), and --json.

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


def run_table(words: list[str]) -> int:
    """Run the subcommand that is named."""
    if not words:
        raise Malformed(f"Say what to do with a table: {', '.join(SUBCOMMANDS)}; for example astragal table list.")
    if words[0] in ("-h", "--help", "help"):
        print(HELP.format(names="|".join(SUBCOMMANDS), parts="\n".join(map(_described, SUBCOMMANDS))))
        return 0
    if words[0] not in SUBCOMMANDS:
        raise Unknown(f'There is no "astragal table {words[0][:40]}"; there are {", ".join(SUBCOMMANDS)}.')
    return function_of(SUBCOMMANDS[words[0]], words[0])(words[1:])


def _described(part: str) -> str:
    """A subcommand's words and what it does, from its declaration."""
    found = function_of(SUBCOMMANDS[part], part)
    if not isinstance(found, Command):
        return f"  {part:<8} {'[TABLE] ACTION …':<18} {(found.__doc__ or '').rstrip('.')}"
    return f"  {part:<8} {found.parser.usage:<18} {re.split('[.;:]', found.parser.description)[0]}"
