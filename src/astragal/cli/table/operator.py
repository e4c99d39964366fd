"""``astragal table link``, ``erase``, ``webhooks`` and ``ties``: what an operator does at a table from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from astragal.cli.parser import Option, Parsed, command
from astragal.cli.table.seat import WHERE, YES, answer, answer_rows, find_table, open_repository, seat_of
from astragal.cli.watch import ProgressLine
from astragal.errors import Malformed
from astragal.rule.inputs.total import counted
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import now

if TYPE_CHECKING:
    from astragal.serve.access.auth import Role
    from astragal.serve.chat.discord.bindings import Kind
    from astragal.serve.chat.webhooks.webhook import Audience, Form


@command(
    "table link [TABLE]",
    whose=(
        Option("member", "NAME", "this member's own seat"),
        Option("role", help="a new seat with this role", choices=("gm", "player", "onlooker")),
    ),
    where_and_how=WHERE,
)
def run_link(parsed: Parsed) -> None:
    """Create a link to a seat: the founding GM's, a member's own, or a new one with a role. A server may run.

    astragal table link
    astragal table link Bell --member Jonas
    astragal table link --role player
    """
    parsed.refuse_both("member", "role")
    from astragal.serve.access.auth import Links, load_signer

    with open_repository(parsed) as repository:
        table = find_table(repository.store, parsed.place()).table
        links = Links(repository.store, load_signer(repository.store), table)
        role, member = parsed.text("role"), None
        if role is None:
            found = seat_of(repository.open(table).state, parsed.text("member"))
            role, member = found.role, found.id
        link = links.create(cast("Role", role), member, now())
        path = links.path(link)
    data = {"table": table, "role": link.role, "member": link.member, "path": path}
    answer(parsed, data, f"Open this at the server's address: {path}")


@command("table erase TABLE MEMBER", how=(YES, *WHERE))
def run_erase(parsed: Parsed) -> None:
    """Remove a member's name and the words that they wrote, for good. Rolls, characters and versions stay.

    astragal table erase "The Drowned Bell" Jonas --yes
    """
    if not parsed.flag("yes"):
        raise Malformed("This cannot be undone; say --yes to do it.")
    from astragal.storage.backup import rewritten

    with open_repository(parsed) as repository:
        table = find_table(repository.store, parsed.places[0]).table
        member = seat_of(repository.open(table).state, parsed.places[1])
        with ProgressLine("erasure"):
            erased = repository.erase(table, member)
        rewritten(repository.store, "a member's words were erased")
    entries = counted(len(erased.changed), "entry was", "entries were")
    lines = [f"{entries} changed; backups and exports made before still have the old words."]
    if erased.named_by_others:
        where = ", ".join(map(str, erased.named_by_others[:20]))
        lines.append(f"The name is still in entries {where}{' …' if len(erased.named_by_others) > 20 else ''}.")
    answer(parsed, {"changed": len(erased.changed), "named_by_others": erased.named_by_others}, *lines)


@command(
    "table webhooks [TABLE]",
    change=(
        Option("add", "URL", "post to this address from now on; its secret is printed only now"),
        Option(
            "audience",
            help="whose view is posted: that of all (default), or of the GMs",
            choices=("all", "gm"),
        ),
        Option(
            "form",
            help="in our JSON (default), or as a message for a Discord webhook",
            choices=("astragal", "discord"),
        ),
        Option("remove", "ID", "stop posting to this webhook"),
    ),
    where_and_how=WHERE,
)
def run_webhooks(parsed: Parsed) -> None:
    """List the addresses to which a table's new entries are posted, add one or remove one. A server posts them.

    astragal table webhooks
    astragal table webhooks Bell --add https://example.org/hook --audience gm
    astragal table webhooks Bell --remove Xk3v9aQ0b1Cd
    """
    parsed.refuse_both("add", "remove")
    parsed.refuse_without("add", "audience", "form")
    with open_repository(parsed) as repository:
        table = find_table(repository.store, parsed.place()).table
        if parsed.text("add"):
            told = _add_webhook(repository, table, parsed)
        elif id := parsed.text("remove"):
            from astragal.serve.chat.webhooks.webhook import remove_webhook

            remove_webhook(repository.store, table, id)
            told = {"removed": id}
        else:
            _list_webhooks(repository, table, parsed)
            return
    answer(parsed, told, *(f"{name}: {value}" for name, value in told.items()))


def _add_webhook(repository: Repository, table: str, parsed: Parsed) -> dict[str, Any]:
    from astragal.serve.chat.webhooks.address import parse_address
    from astragal.serve.chat.webhooks.webhook import VIEWERS, add_webhook
    from astragal.table.access import seat_version

    audience = cast("Audience", parsed.text("audience") or "all")
    form = cast("Form", parsed.text("form") or "astragal")
    written = parsed.text("add") or ""
    address = parse_address(written, "any")  # the server that posts decides whether it may
    after = seat_version(repository.open(table).state, VIEWERS[audience])
    made = add_webhook(repository.store, table, written, audience=audience, form=form, secret="", at=now(), after=after)
    return {"id": made.id, "host": address.shown, "audience": audience, "form": form, "secret": made.secret}


def _list_webhooks(repository: Repository, table: str, parsed: Parsed) -> None:
    from astragal.serve.api.chat import show_webhook
    from astragal.serve.chat.webhooks.webhook import webhooks_of
    from astragal.table.access import seat_version

    store, state = repository.store, repository.open(table).state
    found = [show_webhook(store, each, seat_version(state, each.viewer)) for each in webhooks_of(store, table)]
    rows = [
        (
            *(each.id, each.host, each.audience, each.form, str(each.behind), str(each.dropped)),
            f"stopped: {each.said}" if each.stopped else each.said or "well",
        )
        for each in found
    ]
    heads = ("id", "host", "audience", "form", "behind", "dropped", "state")
    answer_rows(parsed, found, heads, rows, none="The table has no webhooks.", left=(0, 1, 2, 3, 6))


@command(
    "table ties [TABLE]",
    change=(Option("end", "TIE", "end this tie, such as channel-123 or user-456"),),
    where_and_how=WHERE,
)
def run_ties(parsed: Parsed) -> None:
    """List the channels and people of Discord that are tied to a table, or end a tie. A server may run.

    astragal table ties
    astragal table ties Bell --end channel-645027906669510667
    """
    from astragal.serve.chat.discord.bindings import Bindings

    with open_repository(parsed) as repository:
        table = find_table(repository.store, parsed.place()).table
        ties = Bindings(repository.store)
        if end := parsed.text("end"):
            kind, _, id = end.partition("-")
            if kind not in ("channel", "user"):
                raise Malformed("A tie is called channel- or user- and a number; astragal table ties lists them.")
            ties.unbind(table, cast("Kind", kind), id[:20])
            answer(parsed, {"ended": end}, f"{end} is no longer tied.")
            return
        names = {id: member.name for id, member in repository.open(table).state.members.items()}
        found = [
            {"id": f"{tie.kind}-{tie.id}", "member": names.get(tie.member, ""), "name": tie.name}
            for tie in ties.all(table)
        ]
    rows = [tuple(each.values()) for each in found]
    heads = ("tie", "member", "in Discord")
    answer_rows(parsed, found, heads, rows, none="The table has no ties to Discord.", left=(0, 1, 2))
