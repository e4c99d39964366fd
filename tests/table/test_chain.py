"""Chains of hashes: what was told cannot be changed later, and words that were removed show as removed."""

from __future__ import annotations

from typing import Any, cast

import pytest
from msgspec.structs import replace

from astragal.table import action as a
from astragal.table import event as e
from astragal.table.chain import START, WHOLE, blank_fault, leaf_of, leaves_of, link, linked, with_removed
from astragal.table.entry import Entry, decode_entry, encode_entry
from astragal.table.log.seal import code_of
from astragal.table.table import folded
from astragal.table.words import is_removed
from tests.table.tables import Party


def party() -> Party:
    party = Party("razorweave")
    party.do("Jonas", a.NoteAction(text="The road is wet."))
    party.do("Mira", a.NoteAction(text="They are followed.", seen="gm"))
    party.do("Jonas", a.NoteAction(text="I do not trust Ada.", seen="owner"))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 14}, seen="blind"))
    return party


def test_a_head_follows_from_the_leaves_of_its_audience() -> None:
    table = party()
    for audience in ("", table.ids["Jonas"]):
        leaves = [leaf_of(entry, audience) for entry in table.entries if audience in leaves_of(entry)]
        head = START
        for leaf in leaves:
            head = link(head, leaf)
        assert table.state.chains[audience] == (len(leaves), head)
    assert table.state.chains[WHOLE][0] == len(table.entries)


def test_what_is_hidden_leaves_the_chains_of_others_alone() -> None:
    table = party()
    before = dict(table.state.chains)
    table.do("Mira", a.NoteAction(text="Closer.", seen="gm"))
    assert {**table.state.chains, "gm": 0, WHOLE: 0} == {**before, "gm": 0, WHOLE: 0}
    assert table.state.chains[WHOLE] != before[WHOLE]


def test_versions_of_the_table_are_in_no_leaf_but_the_whole_logs() -> None:
    struck = Entry(9, "id", "key", "me", 1, "undo", [e.Struck(entries=["x"], since=7)], 2)
    other = replace(struck, events=[e.Struck(entries=["x"], since=5)])
    assert leaves_of(struck) == leaves_of(other)
    assert linked({}, struck)[WHOLE] != linked({}, other)[WHOLE]


def test_chains_are_the_same_when_a_log_is_read_again() -> None:
    table = party()
    again = [decode_entry(encode_entry(entry)) for entry in table.entries]
    assert folded(again).chains == table.state.chains


def test_an_undo_changes_nothing_that_was_chained() -> None:
    table = party()
    before = table.state.chains[""]
    table.do("Jonas", a.UndoAction(entry=table.entries[-4].id))
    leaf = leaves_of(table.entries[-1])[""]
    assert table.state.chains[""] == (before[0] + 1, link(before[1], leaf))
    assert folded(table.entries).chains == table.state.chains


def test_an_entry_without_some_of_its_words_keeps_its_leaves() -> None:
    table = party()
    said = next(entry for entry in table.entries if entry.do == "note")
    erased = with_removed(replace(said, events=[replace(said.events[0], text="(removed)")]), said)
    assert list(erased.removed[""]) == ["0"]
    assert linked({}, erased) == linked({}, said)
    assert decode_entry(encode_entry(erased)) == erased
    twice = with_removed(replace(erased, events=[replace(erased.events[0], text="(removed 2)")]), erased)
    assert linked({}, twice) == linked({}, said)


CHANGES: dict[str, dict[str, Any]] = {
    "a face": {"faces": [[[6, 6, 6, 6]]]},
    "a die that is told": {"dice": [("d6", 6, 6, "", True)]},
    "who threw": {"by": "somebody"},
    "where the dice come from": {"source": "typed"},
}


@pytest.mark.parametrize("what", CHANGES)
def test_an_erasure_reaches_no_die(what: str) -> None:
    """T-10: faces, result codes, amounts and proofs stay byte for byte."""
    thrown = next(entry for entry in party().entries if any(isinstance(event, e.Thrown) for event in entry.events))
    events = [replace(event, **CHANGES[what]) if isinstance(event, e.Thrown) else event for event in thrown.events]
    with pytest.raises(ValueError, match="Only words"):
        with_removed(replace(thrown, events=events), thrown)


TOLD = e.Told(
    roll="r1",
    headline="Kira over the wall",
    verdict="Mira succeeds: 12 against 9",
    result={"tier": "full_success", "margin": 3, "consequence": "position: behind the sacks"},
    effects=[{"what": "goal", "who": "table", "by": 2, "name": "over the wall", "rule": "RW-11"}],
    tier="Full success",
    sum="12 against 9",
)
RESULT = cast("dict[str, Any]", TOLD.result)


@pytest.mark.parametrize(
    "changes, allowed",
    [
        ({"verdict": "(removed)"}, True),
        ({"verdict": "Mira triumphs: 24 against 9"}, False),
        ({"result": RESULT | {"consequence": "position: (removed)"}}, True),
        ({"result": RESULT | {"consequence": "wound: (removed)"}}, False),
        ({"result": RESULT | {"tier": "(removed)"}}, False),
        ({"result": RESULT | {"margin": 9}}, False),
        ({"effects": [TOLD.effects[0] | {"name": "(removed 2)"}]}, True),
        ({"effects": [TOLD.effects[0] | {"by": 3}]}, False),
        ({"tier": "(removed)"}, False),
    ],
)
def test_sentences_can_be_blanked_and_codes_and_amounts_cannot(changes: dict[str, Any], allowed: bool) -> None:
    before = Entry(4, "id", "key", "me", 1, "throw", [TOLD], 2)
    after = replace(before, events=[replace(TOLD, **changes)])
    try:
        erased = with_removed(after, before)
    except ValueError:
        assert not allowed
    else:
        assert linked({}, erased) == linked({}, before)
        assert (blank_fault(erased) == "") is allowed


def test_a_removed_text_may_keep_the_amounts_of_what_was_typed_and_nothing_else() -> None:
    assert is_removed("2 (removed), 1 (removed 2)", "typed")
    assert not is_removed("2 (removed), 1 rope", "typed")
    assert not is_removed("2 (removed)", "text")
    assert not is_removed("(removed) and more", "text")


def test_words_for_a_head_are_six_and_the_same_every_time() -> None:
    head = link(START, START)
    assert code_of(head) == code_of(head)
    assert len(code_of(head).split()) == len(code_of(head, "de").split()) == 6
    assert code_of(head) != code_of(link(head, START))
