"""Sample campaigns: each plays through, with the founder's name if one is given, and uses what its game keeps."""

from __future__ import annotations

import pytest

from astragal.errors import Unknown
from astragal.games.registry import names
from astragal.table import event as e
from astragal.table.log import sample as samples
from astragal.table.log.sample import play_sample, sample_of
from astragal.table.ruleset import ruleset_of
from astragal.table.state import encode_state
from astragal.table.table import folded
from astragal.table.view.build import view

every_game = pytest.mark.parametrize("game", names())


@every_game
def test_a_sample_plays_through_and_replays(game: str) -> None:
    table, entries = play_sample(game, 1)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert encode_state(folded(entries)) == encode_state(table.state)
    for member in (*table.state.members.values(), None):
        assert view(table.state, member)


@every_game
def test_a_sample_is_short_and_shows_scenes_rolls_and_somebody_else_than_the_gm(game: str) -> None:
    _, entries = play_sample(game, 1)
    done = {type(event) for entry in entries for event in entry.events}
    assert {e.SceneOpened, e.Created, e.Thrown, e.Told, e.Changed, e.Noted} <= done
    assert len({entry.by for entry in entries}) >= 2
    assert 10 < len(entries) < 120


@every_game
def test_the_same_sample_comes_out_the_same_wherever_dice_are_typed(game: str) -> None:
    (first, _), (second, _) = play_sample(game, 1), play_sample(game, 1)
    assert encode_state(first.state) == encode_state(second.state)


def test_somebody_can_take_the_gms_place() -> None:
    table, entries = play_sample("narraject", 1, "Zoe")
    assert table.state.members[entries[0].by].name == "Zoe"


def test_a_game_without_a_sample_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = ruleset_of("narraject")
    bare = ruleset._replace(table_rules=ruleset.table_rules._replace(sample=""))
    monkeypatch.setattr(samples, "ruleset_of", lambda game: bare)
    with pytest.raises(Unknown, match="Narraject has no sample campaign"):
        sample_of("narraject")
