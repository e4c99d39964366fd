"""``astragal table webhooks`` and ``ties``: what connects a table with chats, for whoever runs a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.render.screen import Screen
from astragal.cli.table.seat import DATA, DATABASE, JSON, find_table, open_repository, print_json
from astragal.errors import Malformed
from astragal.rule.inputs.input import OneOf
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import now

if TYPE_CHECKING:
    from astragal.serve.api.chat import WebhookShown

AUDIENCE = OneOf(("all", "gm"), "whose view is told")
AUDIENCE.name = "audience"
FORM = OneOf(("astragal", "discord"), "how it is told")
FORM.name = "form"


def run_webhooks(words: list[str]) -> int:
    """List a table's webhooks, add one or remove one."""
    about = "Addresses to which a table's new entries are posted. A server may run meanwhile, and posts them."
    examples = (
        "astragal table webhooks",
        "astragal table webhooks Bell --add https://example.org/hook --audience gm",
        "astragal table webhooks Bell --remove Xk3v9aQ0b1Cd",
    )
    parser = Parser("table webhooks", about, ("TABLE",), examples)
    parser.add(
        "change",
        Option("add", "URL", "post to this address from now on; its secret is printed this once"),
        Option("audience", "WHO", "what is told: all (default), what everybody may see; or gm"),
        Option("form", "FORM", "how: astragal (default), our JSON; or discord, a message for a Discord webhook"),
        Option("remove", "ID", "post to this webhook no more"),
    )
    parser.add("where and how", DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    if parsed.text("add") and parsed.text("remove"):
        raise Malformed("Say --add or --remove, not both.")
    parsed.refuse_without("add", "audience", "form")
    with open_repository(parsed) as repository:
        table = find_table(repository.store, next(iter(parsed.places), None)).table
        if parsed.text("add"):
            told = _added(repository, table, parsed)
        elif id := parsed.text("remove"):
            from astragal.serve.chat.webhooks.webhook import remove_webhook

            remove_webhook(repository.store, table, id)
            told = {"removed": id}
        else:
            return _list(repository, table, parsed.flag("json"))
    if parsed.flag("json"):
        print_json(told)
    else:
        print(*(f"{name}: {value}" for name, value in told.items()), sep="\n")
    return 0


def _added(repository: Repository, table: str, parsed: Parsed) -> dict[str, Any]:
    from astragal.serve.chat.webhooks.address import parse_address
    from astragal.serve.chat.webhooks.webhook import VIEWERS, Audience, Form, add_webhook
    from astragal.table.access import seat_version

    audience = cast("Audience", AUDIENCE.read(parsed.text("audience") or "all"))
    form = cast("Form", FORM.read(parsed.text("form") or "astragal"))
    written = parsed.text("add") or ""
    address = parse_address(written, "any")  # the server that posts decides whether it may
    after = seat_version(repository.open(table).state, VIEWERS[audience])
    made = add_webhook(repository.store, table, written, audience=audience, form=form, secret="", at=now(), after=after)
    return {"id": made.id, "host": address.shown, "audience": audience, "form": form, "secret": made.secret}


def _list(repository: Repository, table: str, as_json: bool) -> int:
    import msgspec

    from astragal.serve.api.chat import show_webhook
    from astragal.serve.chat.webhooks.webhook import webhooks_of
    from astragal.table.access import seat_version

    state = repository.open(table).state
    found = [
        show_webhook(repository.store, each, seat_version(state, each.viewer))
        for each in webhooks_of(repository.store, table)
    ]
    if as_json:
        print_json(msgspec.to_builtins(found))
    elif not found:
        print("The table has no webhooks.")
    else:
        rows = [
            (each.id, each.host, each.audience, each.form, str(each.behind), str(each.dropped), _state(each))
            for each in found
        ]
        Screen().show_grid(("id", "host", "audience", "form", "behind", "dropped", "state"), rows, left=(0, 1, 2, 3, 6))
    return 0


def _state(webhook: WebhookShown) -> str:
    return "stopped: " + webhook.said if webhook.stopped else webhook.said or "well"


def run_ties(words: list[str]) -> int:
    """List a table's ties to Discord, or end one."""
    about = "The channels and people of Discord that are tied to a table. A server may run meanwhile."
    examples = ("astragal table ties", "astragal table ties Bell --end channel-645027906669510667")
    parser = Parser("table ties", about, ("TABLE",), examples)
    parser.add("change", Option("end", "TIE", "end this tie, such as channel-123 or user-456"))
    parser.add("where and how", DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    with open_repository(parsed) as repository:
        table = find_table(repository.store, next(iter(parsed.places), None)).table
        if end := parsed.text("end"):
            _end(repository, table, end)
            print_json({"ended": end}) if parsed.flag("json") else print(f"{end} is tied no more.")
            return 0
        found = _ties(repository, table)
    if parsed.flag("json"):
        print_json(found)
    elif not found:
        print("The table has no ties to Discord.")
    else:
        Screen().show_grid(("tie", "member", "in Discord"), [tuple(each.values()) for each in found], left=(0, 1, 2))
    return 0


def _end(repository: Repository, table: str, tie: str) -> None:
    from astragal.serve.chat.discord.ties import Kind, Ties

    kind, _, id = tie.partition("-")
    if kind not in ("channel", "user"):
        raise Malformed("A tie is called channel- or user- and a number; astragal table ties lists them.")
    Ties(repository.store).untie(table, cast("Kind", kind), id[:20])


def _ties(repository: Repository, table: str) -> list[dict[str, str]]:
    from astragal.serve.chat.discord.ties import Ties

    members = repository.open(table).state.members
    names = {id: member.name for id, member in members.items()}
    return [
        {"id": f"{tie.kind}-{tie.id}", "member": names.get(tie.member, ""), "name": tie.name}
        for tie in Ties(repository.store).all(table)
    ]
