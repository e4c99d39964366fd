"""Scenes and notes: what people say happens."""

from __future__ import annotations

from astragal.errors import Illegal
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import ear_of, refuse_player
from astragal.table.decide.context import Moment
from astragal.table.decide.ledger import Ledger


def open_scene(moment: Moment, action: a.Scene) -> list[e.Event]:
    """A scene opens; one that is still open is closed first. Dice of undone rolls are swept from the table."""
    refuse_player(moment.member, "open a scene")
    events = _closing(moment) if moment.state.world.in_scene else []
    swept = [e.Spared(dice=dict.fromkeys(moment.state.spare), only="gm")] if moment.state.spare else []
    return [*events, *swept, e.SceneOpened(title=action.title.strip())]


def close_scene(moment: Moment, action: a.Close) -> list[e.Event]:
    refuse_player(moment.member, "close a scene")
    if not moment.state.world.in_scene:
        raise Illegal("No scene is open.")
    return _closing(moment)


def _closing(moment: Moment) -> list[e.Event]:
    """What the game does at the end of a scene, then the end."""
    ledger = Ledger(moment.state)
    characters = tuple(kept for kept in moment.state.world.holders.values() if kept.kind == "character")
    ledger.do(moment.book.keeping.closes(characters, moment.state.options))
    ledger.add(e.SceneClosed())
    return ledger.events


def note(moment: Moment, action: a.Note) -> list[e.Event]:
    """A sentence for the log, for everybody, for the writer and the GMs, or for the GMs."""
    only = ear_of(action.seen, moment.member.id)
    return [e.Noted(text=action.text.strip(), said=True, only=only)]
