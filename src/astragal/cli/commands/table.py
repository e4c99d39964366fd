"""``astragal table``: finds the subcommand, and loads only that."""

from __future__ import annotations

from astragal.cli.table import SUBCOMMANDS, function_of
from astragal.errors import Malformed, Unknown

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


def run(words: list[str]) -> int:
    """Run the subcommand that is named."""
    if not words:
        raise Malformed(f"Say what to do with a table: {', '.join(SUBCOMMANDS)}; for example astragal table list.")
    if words[0] in ("-h", "--help", "help"):
        lines = (f"  {name:<7} {places:<18} {what}" for name, (_, places, what) in SUBCOMMANDS.items())
        print(HELP.format(names="|".join(SUBCOMMANDS), parts="\n".join(lines)))
        return 0
    if words[0] not in SUBCOMMANDS:
        raise Unknown(f'There is no "astragal table {words[0][:40]}"; there are {", ".join(SUBCOMMANDS)}.')
    return function_of(words[0])(words[1:])
