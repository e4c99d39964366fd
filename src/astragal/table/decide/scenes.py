"""Scenes and notes: what people say happens."""

from __future__ import annotations

from astragal.errors import Illegal
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import audience_of, refuse_player
from astragal.table.decide.ledger import Context, Ledger


def open_scene(context: Context, action: a.SceneAction) -> list[e.Event]:
    """A scene opens; one that is still open is closed first. Dice of undone rolls are swept from the table."""
    refuse_player(context.member, "open a scene")
    events = _closing(context) if context.state.world.in_scene else []
    swept = (
        [e.UndoneDiceKept(dice=dict.fromkeys(context.state.undone_dice), audience="gm")]
        if context.state.undone_dice
        else []
    )
    return [*events, *swept, e.SceneOpened(title=action.title.strip())]


def close_scene(context: Context, action: a.CloseAction) -> list[e.Event]:
    refuse_player(context.member, "close a scene")
    if not context.state.world.in_scene:
        raise Illegal("No scene is open.")
    return _closing(context)


def _closing(context: Context) -> list[e.Event]:
    """What the game does at the end of a scene, then the end."""
    ledger = Ledger(context.state)
    characters = tuple(kept for kept in context.state.world.holders.values() if kept.kind == "character")
    ledger.do(context.ruleset.table_rules.closes(characters, context.state.options))
    ledger.add(e.SceneClosed())
    return ledger.events


def note(context: Context, action: a.NoteAction) -> list[e.Event]:
    """A sentence for the log, for everybody, for the writer and the GMs, or for the GMs."""
    audience = audience_of(action.seen, context.member.id)
    return [e.Noted(text=action.text.strip(), said=True, audience=audience)]
