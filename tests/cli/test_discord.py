"""``astragal discord``: the commands as Discord takes them, registered over HTTP with a token that nobody sees."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from astragal.cli.main import main
from astragal.serve.chat.discord.commands import COMMANDS, parse_inputs, parse_use
from astragal.serve.chat.discord.interact import PLAIN

NAME = re.compile(r"[-_'a-z0-9]{1,32}")


class FakeDiscord:
    """Discord's API at a free port: it keeps what was sent, and answers with it or as it was told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str | None, Any]] = []
        self.answers: deque[tuple[int, Any]] = deque()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                fake.asked.append((self.command, self.path, self.headers["Authorization"], sent))
                status, answer = fake.answers.popleft() if fake.answers else (200, sent)
                body = json.dumps(answer).encode()
                self.send_response(status)
                if status == 307:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/api/v10"
        Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()


@pytest.fixture
def discord() -> Iterator[FakeDiscord]:
    fake = FakeDiscord()
    yield fake
    fake.server.shutdown()
    fake.server.server_close()


@pytest.fixture
def token(tmp_path: Path) -> str:
    (tmp_path / "token").write_text("a.secret-token\n", "utf-8")
    return str(tmp_path / "token")


def test_the_commands_are_registered_for_all_or_for_one_guild(
    discord: FakeDiscord, token: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["discord", "register", "--application", "42", "--token-file", token, "--api", discord.url]
    assert main(words) == 0
    assert main([*words, "--guild", "7"]) == 0
    assert [asked[:3] for asked in discord.asked] == [
        ("PUT", "/api/v10/applications/42/commands", "Bot a.secret-token"),
        ("PUT", "/api/v10/applications/42/guilds/7/commands", "Bot a.secret-token"),
    ]
    assert discord.asked[0][3] == COMMANDS
    said = capsys.readouterr()
    assert "Registered: /roll, /odds, /table." in said.out and "secret-token" not in said.out + said.err


def test_the_token_may_come_from_the_environment(
    discord: FakeDiscord, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["discord", "register", "--application", "42", "--api", discord.url]
    monkeypatch.delenv("ASTRAGAL_DISCORD_TOKEN", raising=False)
    assert main(words) == 2 and "--token-file" in capsys.readouterr().err
    monkeypatch.setenv("ASTRAGAL_DISCORD_TOKEN", "from-env")
    assert main(words) == 0 and discord.asked[0][2] == "Bot from-env"


@pytest.mark.parametrize(
    "refused",
    [
        (401, {"message": "401: Unauthorized"}, "does not accept the token"),
        (400, {"message": "Invalid Form Body"}, "status 400: Invalid Form Body"),
        (500, [], "status 500"),
        (307, {}, "status 307"),
        (200, {"no": "list"}, "cannot be read"),
    ],
)
def test_refusals_of_discord_are_sentences(
    discord: FakeDiscord, token: str, capsys: pytest.CaptureFixture[str], refused: tuple[int, Any, str]
) -> None:
    status, answer, sentence = refused
    discord.answers.append((status, answer))
    assert main(["discord", "register", "--application", "42", "--token-file", token, "--api", discord.url]) == 2
    said = capsys.readouterr().err
    assert sentence in said and "secret-token" not in said and len(discord.asked) == 1


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["unregister"],
        ["register", "--application", "x"],
        ["register", "--application", "1", "--api", "http://discord.example"],
        ["register", "--application", "1", "--token-file", "no such file"],
        ["register", "--application", "1", "--guild", "../1"],
    ],
)
def test_what_cannot_be_meant_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["discord", *words]) == 2
    assert capsys.readouterr().err.startswith("astragal: ")


def test_the_commands_are_within_discords_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["discord", "commands"]) == 0
    assert json.loads(capsys.readouterr().out) == COMMANDS

    def check(command: dict[str, Any]) -> None:
        assert NAME.fullmatch(command["name"]) and 1 <= len(command["description"]) <= 100
        options = command.get("options", [])
        assert len(options) <= 25
        required = [option.get("required", False) for option in options]
        assert required == sorted(required, reverse=True)
        for option in options:
            assert not (option.get("choices") and option.get("autocomplete"))
            check(option)

    for command in COMMANDS:
        check(command)
    below = {f"table {option['name']}" for option in COMMANDS[2]["options"]}
    assert set(PLAIN) <= below and below - set(PLAIN) == {"table note", "table sit"}


def test_inputs_and_things_to_use_are_read() -> None:
    assert parse_inputs('d6=5, step:10 rote=yes about="over the wall" who=Kira') == {
        "d6": 5,
        "step": 10,
        "rote": True,
        "about": "over the wall",
        "who": "Kira",
    }
    assert parse_use("Agility, Wits=2; The long knife") == {"Agility": 1, "Wits": 2, "The long knife": 1}
    assert parse_inputs("") == parse_use(" ,") == {}
