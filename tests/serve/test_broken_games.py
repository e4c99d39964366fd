"""A game that cannot be used is listed as such, and strangers learn neither its file nor its code."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from astragal.games.folder import VARIABLE
from tests.serve.running import Running

LADDER = Path(__file__).parents[1] / "written" / "ladder.toml"


def test_a_spoilt_file_is_listed_by_name_alone_and_every_other_game_works(
    server: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where both files come while the server runs."""
    guest = server.guest()
    assert "rumble" not in str(guest.get("/api/games"))
    (tmp_path / "rumble.toml").write_text('name = "rumble"\ntitle = 7\n', "utf-8")
    (tmp_path / "ladder.toml").write_bytes(LADDER.read_bytes())
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    listed = guest.get("/api/games")
    told = "This game has a mistake; the server's log has the details."
    assert listed["broken"] == [{"name": "rumble", "package": "", "error": told}]
    assert "ladder" in [game["name"] for game in listed["games"]]
    refused = guest.http.post("/api/tables", json={"game": "rumble", "title": "T", "name": "Mira"})
    assert refused.status_code == 503
    assert (
        refused.json()["detail"] == "The game rumble has a mistake in it; astragal check rumble tells its author more."
    )
    assert guest.http.post("/api/tables", json={"game": "ladder", "title": "T", "name": "Mira"}).status_code == 201


@pytest.mark.parametrize("path", ["{}/ladder.toml", "{}/bad.toml", "{}/missing.toml", "../ladder.toml"])
def test_strangers_name_games_and_never_files_of_the_server(path: str, server: Running) -> None:
    """Neither what is in a file nor whether there is one can be told from the answers."""
    with TemporaryDirectory() as folder:  # whose path is short enough for the name of a game
        (Path(folder) / "ladder.toml").write_bytes(LADDER.read_bytes())
        (Path(folder) / "bad.toml").write_text('name = "secret"\ntitle = 7\n', "utf-8")
        _refuses(server, path.format(folder))


def _refuses(server: Running, game: str) -> None:
    guest = server.guest()
    bodies = {
        "/api/roll": {"game": game},
        "/api/odds": {"game": game},
        "/api/advise": {"game": game, "faces": "1 1"},
        "/api/tables": {"game": game, "title": "T", "name": "Mira"},
    }
    for where, body in bodies.items():
        refused = guest.http.post(where, json=body)
        assert refused.status_code == 404, (where, refused.text)
        assert refused.json()["detail"].startswith(f'There is no game "{game[:40]}"; there are narraject')
