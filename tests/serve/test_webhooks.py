"""Webhooks: each entry as its audience may see it, signed, in order, once, and never in a table's way."""

from __future__ import annotations

import hmac
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from astragal.games.registry import names
from astragal.serve.chat.webhooks import cursor, dispatcher
from astragal.serve.chat.webhooks.cursor import Cursor, CursorClaim
from astragal.serve.chat.webhooks.post import Answer
from astragal.serve.chat.webhooks.webhook import MAX_WEBHOOKS
from astragal.storage import SqliteStore, open_store
from astragal.storage.backup import rewritten
from astragal.storage.tables.repository import Repository
from tests.serve.hidden import NOON, Pair
from tests.serve.receiver import Post, Receiver
from tests.serve.running import FREE, Guest, Running, until
from tests.serve.test_secrecy import Seats, _file
from tests.share import share
from tests.table.tables import seeded_dice

HOME = FREE._replace(webhooks="any")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("webhooks") / "tables.db", HOME) as running:
        yield running


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as made:
        yield made


def add(gm: Guest, receiver: Receiver, status: int = 201, **more: Any) -> Any:
    return gm.post(gm.at("/webhooks"), {"address": receiver.url, **more}, status)


def shown(gm: Guest) -> Any:
    return gm.get(gm.at("/chat"))["webhooks"][0]


def texts(posts: list[Post]) -> list[str]:
    return [line["text"] for post in posts for line in post.json["entry"]["lines"]]


def test_what_happens_from_now_on_is_posted_in_order_and_signed(home: Running, receiver: Receiver) -> None:
    gm = home.found()
    gm.act("note", text="Before.")
    made = add(gm, receiver)
    for n in range(30):
        gm.act("note", text=f"Note {n}.")
    posts = receiver.wait(30)
    assert texts(posts) == [f"Mira: Note {n}." for n in range(30)]
    assert [post.json["n"] for post in posts] == list(range(posts[0].json["n"], posts[0].json["n"] + 30))
    for post in posts:
        time_, _, signature = post.headers["astragal-signature"].partition(",v1=")
        said = hmac.digest(made["secret"].encode(), f"{time_[2:]}.".encode() + post.body, sha256).hex()
        assert signature == said and abs(int(time_[2:]) - time.time()) < 60
    assert len({post.headers["astragal-delivery"] for post in posts}) == 30
    assert posts[0].path == "/hook?key=1" and posts[0].headers["content-type"] == "application/json"
    until(lambda: shown(gm)["behind"] == 0)


def test_secrets_are_shown_once_and_addresses_by_their_host(home: Running, receiver: Receiver) -> None:
    gm = home.found()
    made = add(gm, receiver)
    assert len(made["secret"]) >= 40
    listed = gm.http.get(gm.at("/chat")).text
    assert made["secret"] not in listed and "key=1" not in listed and "/hook" not in listed
    player = gm.invite()
    player.get(player.at("/chat"), 403)
    player.post(player.at("/webhooks"), {"address": receiver.url}, 403)
    assert made["secret"].encode() not in b"".join(gm.http.get(gm.at("/export")).iter_bytes())


def test_an_audience_hears_what_it_may_see_and_a_gms_hears_all(home: Running, receiver: Receiver) -> None:
    gm = home.found()
    with Receiver() as secret:
        add(gm, receiver)
        add(gm, secret, audience="gm")
        gm.act("note", text="For all.")
        gm.act("note", text="For the GM.", seen="gm")
        gm.act("note", text="The end.")
        assert ["For the GM" in text for text in texts(secret.wait(3))] == [False, True, False]
    assert not any("For the GM" in text for text in texts(receiver.wait(2)))
    first = receiver.posts[0].json["n"]
    assert [post.json["n"] for post in receiver.posts] == [first, first + 1]


def test_an_undone_entry_is_told_as_undone(home: Running, receiver: Receiver) -> None:
    gm = home.found()
    gm.act("note", text="Wrong.")
    add(gm, receiver)
    gm.act("undo")
    (post,) = receiver.wait(1)
    assert post.json["entry"]["do"] == "undo"


def test_a_failure_is_tried_again_and_the_next_entries_wait_for_it(
    home: Running, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm = home.found()
    receiver.answers.extend([(500, {}), (302, {"Location": receiver.url}), (429, {"Retry-After": "0"})])
    monkeypatch.setattr(dispatcher, "MAX_WAIT", 0)
    add(gm, receiver)
    gm.act("note", text="One.")
    gm.act("note", text="Two.")
    posts = receiver.wait(5)
    one, two = posts[0].body, posts[4].body
    assert [post.body for post in posts] == [one, one, one, one, two]
    assert len({post.headers["astragal-delivery"] for post in posts}) == 2
    until(lambda: shown(gm)["said"] == "" and shown(gm)["behind"] == 0)


def test_back_off_grows_and_ends_with_a_note(receiver: Receiver) -> None:
    at, waits = Cursor(3), []
    for _ in range(12):
        at = dispatcher._failed(at, Answer(500), "Why.", NOON)
        waits.append((at.retry - NOON) // 1000)
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    for _ in range(8):
        at = dispatcher._failed(at, Answer(0), "Why.", NOON)
    assert (at.n, at.dropped, at.untold, at.stopped) == (4, 1, 1, False)
    assert dispatcher._failed(at, Answer(0), "Why.", NOON + dispatcher.GIVE_UP + 1).stopped
    assert dispatcher._failed(at, Answer(410), "Gone.", NOON).stopped
    assert dispatcher._failed(at, Answer(503, 120), "Busy.", NOON).retry == NOON + 300_000


def test_a_receiver_that_says_gone_hears_no_more(home: Running, receiver: Receiver) -> None:
    gm = home.found()
    receiver.answers.append((410, {}))
    add(gm, receiver)
    gm.act("note", text="One.")
    until(lambda: shown(gm)["stopped"])
    gm.act("note", text="Two.")
    time.sleep(0.2)
    assert len(receiver.posts) == 1 and "410" in shown(gm)["said"]


def test_what_waits_too_long_is_dropped_with_a_note(
    home: Running, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "MAX_BEHIND", 5)
    gm = home.found()
    receiver.open.clear()
    add(gm, receiver)
    gm.act("note", text="Note 0.")
    receiver.wait(1)
    for n in range(1, 12):
        gm.act("note", text=f"Note {n}.")
    receiver.answers.append((500, {}))
    receiver.open.set()
    posts = receiver.wait(7)[1:]
    assert (posts[0].json["type"], posts[0].json["dropped"]) == ("dropped", 7)
    assert all(f"Note {n}." in text for n, text in enumerate(texts(posts[1:6]), 7))
    assert shown(gm)["dropped"] == 7


def test_a_receiver_that_hangs_holds_up_neither_the_table_nor_another_receiver(
    home: Running, receiver: Receiver
) -> None:
    gm = home.found()
    with Receiver() as other:
        receiver.open.clear()
        add(gm, receiver)
        add(gm, other)
        gm.act("note", text="One.")
        receiver.wait(1)
        started = time.monotonic()
        for n in range(10):
            gm.act("note", text=f"{n}.")
        other.wait(11)
        assert time.monotonic() - started < 5
        assert len(receiver.posts) == 1
        receiver.open.set()


def test_a_discord_webhook_gets_a_message_that_calls_nobody(home: Running, receiver: Receiver) -> None:
    gm = home.found()
    add(gm, receiver, form="discord")
    gm.act("note", text="@everyone **look** at [this](https://evil.example) <@123> `x`\n# Title")
    sent = receiver.wait(1)[0].json
    assert sent["allowed_mentions"] == {"parse": []} and sent["flags"] == 4
    assert "@everyone" not in sent["content"] and "<@123>" not in sent["content"] and "https://" not in sent["content"]
    gm.act("note", text="long " * 790)
    assert len(receiver.wait(2)[1].json["content"]) <= 2000


def test_a_webhook_that_is_removed_hears_no_more(home: Running, receiver: Receiver) -> None:
    gm = home.found()
    made = add(gm, receiver)
    assert gm.http.delete(gm.at(f"/webhooks/{made['id']}")).status_code == 204
    assert gm.http.delete(gm.at(f"/webhooks/{made['id']}")).status_code == 404
    gm.act("note", text="One.")
    time.sleep(0.2)
    assert not receiver.posts and not gm.get(gm.at("/chat"))["webhooks"]


def test_a_table_has_so_many_webhooks(home: Running, receiver: Receiver) -> None:
    gm = home.found()
    for _ in range(MAX_WEBHOOKS):
        add(gm, receiver)
    assert "at most 10" in add(gm, receiver, 422)["detail"]
    add(gm, receiver, 400, audience="players")
    add(gm, receiver, 400, secret="short")


def test_webhooks_go_with_their_table(home: Running, receiver: Receiver) -> None:
    gm = home.found()
    add(gm, receiver)
    store = home.server.repository.store
    assert [name for kind in ("webhook", "cursor") for name in store.setting_names(f"{kind}/{gm.table}/")]
    home.server.repository.delete(gm.table)
    assert not [name for kind in ("webhook", "cursor") for name in store.setting_names(f"{kind}/{gm.table}/")]


def test_an_erased_person_is_not_named_in_what_is_posted_later(home: Running, receiver: Receiver) -> None:
    gm = home.found()
    gm.invite("player", "Bartholomew")
    receiver.answers.append((500, {}))
    add(gm, receiver)
    gm.act("note", text="One.")
    first = receiver.wait(1)[0]
    jonas = gm.invite("player", "Jonas")
    repository = home.server.repository
    repository.erase(gm.table, repository.open(gm.table).state.members[jonas.member])
    rewritten(repository.store, "a member's words were erased")
    later = receiver.wait(3)[1:3]
    assert later[0].body == first.body and b"Jonas" not in later[1].body and b"(removed)" in later[1].body


# Several servers.


def test_of_two_servers_one_posts(tmp_path: Path, receiver: Receiver) -> None:
    """Both look all the time at the same store, and every entry is posted once, in order."""
    with Running(tmp_path / "tables.db", HOME) as one, open_store(tmp_path / "tables.db") as store:
        gm = one.found()
        add(gm, receiver)
        second = dispatcher.Dispatcher(Repository(store), HOME, lambda error, where: None)
        second.start()
        try:
            for n in range(60):
                gm.act("note", text=f"Note {n}.")
            posts = receiver.wait(60)
            until(lambda: shown(gm)["behind"] == 0)
        finally:
            second.stop()
        assert all(f"Note {n}." in text for n, text in enumerate(texts(posts))) and len(posts) == 60


def test_the_entries_of_a_server_that_ended_are_posted_by_the_next(tmp_path: Path, receiver: Receiver) -> None:
    receiver.answers.append((500, {}))
    with Running(tmp_path / "tables.db", HOME) as one:
        gm = one.found()
        add(gm, receiver)
        gm.act("note", text="One.")
        receiver.wait(1)
    with Running(tmp_path / "tables.db", HOME):
        assert receiver.wait(2)[0].body == receiver.posts[1].body


def test_a_claim_keeps_others_away_until_it_ends(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        store.set_setting(cursor.cursor_name("t", "w"), b'{"n":3}').result()
        first, second = _claim(store, "one"), _claim(store, "two")
        assert first.move(first.cursor, NOON)
        assert not second.move(second.cursor, NOON)
        assert not _claim(store, "two").is_free(NOON + cursor.CLAIM - 1)
        assert _claim(store, "one").is_free(NOON) and _claim(store, "two").is_free(NOON + cursor.CLAIM)
        late = _claim(store, "two")
        assert late.move(Cursor(4), NOON + cursor.CLAIM)
        assert not first.move(Cursor(5), NOON + cursor.CLAIM)  # it was too slow, and the other one goes on
        assert _claim(store, "").cursor.n == 4
        assert late.move(late.cursor, NOON, keep=False) and _claim(store, "one").is_free(NOON)


def _claim(store: SqliteStore, owner: str) -> CursorClaim:
    return CursorClaim(store, "t", "w", owner)


# What is hidden.


@pytest.mark.parametrize("game", names())
def test_nothing_that_a_webhook_posts_tells_of_what_is_hidden(tmp_path: Path, game: str) -> None:
    """The same visible actions at two servers, with hidden ones in between at one: byte for byte the same posts."""
    fixed = HOME._replace(clock=lambda: NOON, dice=seeded_dice)
    with (
        Running(tmp_path / "secret.db", fixed) as secret,
        Running(tmp_path / "plain.db", fixed) as plain,
        Receiver() as here,
        Receiver() as there,
    ):
        for seed in range(share(20, 3)):
            pair = Pair(game, Random(f"{game}-{seed}"))
            file, _ = _file(game, f"{game}-{seed}")
            seats = [(Seats(server, file, pair.ids), to) for server, to in ((secret, here), (plain, there))]
            for each, to in seats:
                add(each.by_id[pair.ids["Mira"]], to, secret="a secret of sixteen".replace(" ", "-"))
            _play(pair, seats)
            for each, _ in seats:
                each.close()
        assert there.posts and pair.hidden
        assert [_comparable(post) for post in here.posts] == [_comparable(post) for post in there.posts]


def _play(pair: Pair, seats: list[tuple[Seats, Receiver]]) -> None:
    """Each visible step is posted before the next, so that an undo comes after the post of what it undoes."""
    (secret, _), (plain, _) = seats
    gms = [each.by_id[pair.ids["Mira"]] for each, _ in seats]
    for step in pair.steps():
        secret.act(step, step.secret)
        if step.plain is not None:
            plain.act(step, step.plain)
            for gm in gms:
                until(lambda gm=gm: shown(gm)["behind"] == 0, 20)  # type: ignore[misc]


def _comparable(post: Post) -> Any:
    """All of a post but the webhook's random id and what depends on it."""
    id = post.json["webhook"]
    headers = {
        name: value.replace(id, "ID")
        for name, value in post.headers.items()
        if name not in ("host", "astragal-signature")
    }
    return post.method, post.path, headers, post.body.replace(id.encode(), b"ID")
