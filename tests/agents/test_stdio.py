"""``astragal mcp``: for questions alone, at a table of a data folder, and by a link; and what it refuses at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from astragal.agents import stdio
from astragal.agents.server import TOOLS
from astragal.cli.main import main
from tests.agents.seats import over_stdio, own_link, run
from tests.cli.command import run_apart as command
from tests.serve.running import Guest, Running


def test_without_a_table_it_answers_questions() -> None:
    async def ask() -> None:
        async with over_stdio() as agent:
            assert {tool.name for tool in (await agent.client.list_tools()).tools} == {
                tool.name for tool in TOOLS.values() if not tool.seat
            }
            odds = await agent.call("odds", game="razorweave", inputs={"dc": 16})
            assert odds["facts"]["tier"]["rows"]
            rules = await agent.call("read_rules", game="narraject", numbers=["nj-4"])
            assert list(rules["rules"]) == ["NJ-4"]
            assert "there are NJ-1" in await agent.refused("read_rules", game="narraject", numbers=["NJ-99"])
            found = await agent.call("audit_text", text="Reaching 14 has <!-- astragal: 4d6 >= 14 --> 57%.")
            assert (found["figures"][0]["is_right"], found["figures"][0]["right"]) == (False, "56%")
            assert 'read up to "4d6 "' in await agent.refused("odds", notation="4d6 ?")
            compared = await agent.call("compare", sides=[{"notation": "2d6"}, {"notation": "1d12"}])
            assert len(compared["sides"]) == 2

    run(ask())


def test_at_a_table_of_a_data_folder_it_sees_what_other_programs_do_there(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path))
    assert command("table", "new", "razorweave", "The Drowned Bell", "--name", "Mira", *data).code == 0

    async def play() -> None:
        async with over_stdio("--table", "The Drowned Bell", "--seat", "Mira", *data) as mira:
            done = await mira.do("narrate", text="The bell rings under water.")
            assert done["entry"]["name"] == "Mira"
            told = await asyncio.to_thread(command, "table", "log", *data)
            assert "The bell rings under water." in told.out
            await asyncio.to_thread(command, "table", "do", "note", "Somebody answers.", *data)
            assert "Somebody answers." in (await mira.call("story_so_far"))["story"]

    run(play())


def test_beside_a_server_it_acts_through_it_and_sees_all_that_happens_there(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        gm = server.found("razorweave")
        with gm.connection() as live:
            live.next("hello")

            async def play() -> None:
                async with over_stdio("--table", gm.table, "--data", str(tmp_path)) as mira:
                    for text in ("One.", "Two."):
                        await asyncio.to_thread(gm.act, "note", text=text)
                        assert text in (await mira.call("story_so_far"))["story"]
                        await mira.do("narrate", text=f"Heard: {text}")

            run(play())
            heard = str([live.next("news") for _ in range(4)])
            assert all(text in heard for text in ("Mira: One.", "Heard: One.", "Mira: Two.", "Heard: Two."))


def test_a_link_in_the_environment_opens_its_seat_until_it_is_revoked(server: Running, gm: Guest) -> None:
    gm.invite("player", "Jonas")
    link = own_link(gm, "Jonas")

    async def play() -> None:
        async with over_stdio(ASTRAGAL_LINK=link) as jonas:
            assert (await jonas.call("look"))["you"]["name"] == "Jonas"
            assert gm.http.delete(gm.at(f"/links/{link.partition('#')[2][:12]}")).status_code == 204
            assert "You have no seat" in await jonas.refused("look")
            assert (await jonas.call("list_games"))["games"]

    run(play())


Refused: TypeAlias = Callable[..., str]


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Refused:
    """What the command says when it refuses; in this process, since it has not begun to serve then."""

    def told(*words: str) -> str:
        code = main(["mcp", *words])
        out, err = capsys.readouterr()
        assert (code, out) == (2, "")
        return err

    return told


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--table", "https://example.org/t/#x"], "This is not a link to a table"),
        (["--table", "ftp://example.org/t/abc#def"], "This is not a link to a table"),
        (["--table", "http://127.0.0.1:9/t/abc#def"], "The server at http://127.0.0.1:9 cannot be reached."),
        (["--table", "http://127.0.0.1:9/t/abc#def", "--seat", "Mira"], "A link is of one seat"),
        (["--table", "Nowhere"], "There is no table"),
        (["Nowhere"], "one word too many"),
    ],
)
def test_what_cannot_be_served_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused, words: list[str], sentence: str
) -> None:
    monkeypatch.setenv("ASTRAGAL_DATA", str(tmp_path))
    told = refused(*words)
    assert sentence in told and "def" not in told  # the token is in no message


def test_a_link_that_makes_new_seats_is_refused_at_once(server: Running, gm: Guest, refused: Refused) -> None:
    told = refused("--table", f"{server.url}{gm.links['player']}")
    assert "a link to one member's own seat" in told
    assert "does not open this table" in refused("--table", f"{server.url}{gm.links['gm'][:-3]}AAA")


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
    monkeypatch.setattr(stdio, "is_installed", lambda: False)
    assert "pip install 'astragal[mcp]'" in refused()
