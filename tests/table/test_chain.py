"""Chains of hashes: what was told cannot be changed later, and words that were removed show as removed."""

from __future__ import annotations

from msgspec.structs import replace

from astragal.table import action as a
from astragal.table import event as e
from astragal.table.chain import START, WHOLE, leaf_content, leaf_of, leaves_of, link, linked, with_leaves
from astragal.table.entry import Entry, decode_entry, encode_entry
from astragal.table.log.code import code_of
from astragal.table.table import folded
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
        contents = [leaf_content(entry, audience) for entry in table.entries if audience in leaves_of(entry)]
        head = START
        for content in contents:
            head = link(head, leaf_of(content))
        assert table.state.chains[audience] == (len(contents), head)
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
    erased = with_leaves(replace(said, events=[replace(said.events[0], text="(removed)")]), said)
    assert erased.leaves == leaves_of(said)
    assert linked({}, erased) == linked({}, said)
    assert decode_entry(encode_entry(erased)) == erased
    twice = with_leaves(replace(erased, events=[replace(erased.events[0], text="")]), erased)
    assert linked({}, twice) == linked({}, said)


def test_words_for_a_head_are_six_and_the_same_every_time() -> None:
    head = leaf_of(b"anything")
    assert code_of(head) == code_of(head)
    assert len(code_of(head).split()) == len(code_of(head, "de").split()) == 6
    assert code_of(head) != code_of(leaf_of(b"anything else"))
