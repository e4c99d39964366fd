"""Verifying a file: what is right is called right, and every cheat and every changed byte is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from astragal.cli.main import main
from astragal.dice.provable import follows
from astragal.errors import Illegal, Malformed
from astragal.table import event as e
from astragal.table.entry import encode_entry
from astragal.table.log.appendix import appendix, check_story, sealed_story
from astragal.table.log.export import ExportReader, sound_state
from astragal.table.log.seal import HeadKey
from astragal.table.log.story import story
from astragal.table.log.verify import FileCheck, check_file, outcome_of
from astragal.table.rolls.ticket import ticket_of
from tests.share import share
from tests.table.cheats import (
    CHEATS,
    EVENINGS,
    IN_STORIES,
    KEY,
    SHARED,
    evening,
    open_throws,
    sealed_file,
    shared,
    story_of,
    story_of_entries,
    with_thrown,
)

HONEST = evening()


def a_story(key: HeadKey, *more: str) -> bytes:
    """The story of the honest evening, with its dice; more lines are somebody's words."""
    state, member = HONEST.state, HONEST.member("Mira")
    lines = [*story(HONEST.entries, state, member), *more]
    return b"".join(sealed_story(lines, appendix(HONEST.entries, state, member), "road", key))


FILE = sealed_file(HONEST.entries)
STORY = a_story(KEY)


def checked(file: bytes, kept: tuple[int, str] | None = None) -> FileCheck:
    return check_file(file.splitlines(keepends=True), kept)


def wrong(found: FileCheck) -> list[str]:
    return [finding.text for finding in found.findings if finding.weight == "wrong"]


def test_an_honest_log_is_right() -> None:
    found = checked(FILE, HONEST.state.chains[""])
    assert wrong(found) == []
    assert found.log.throws == {"checked": 7, "typed": 1, "again": 1}
    assert found.log.chains == HONEST.state.chains


def test_a_sealed_file_is_imported_as_it_was() -> None:
    reader = ExportReader(FILE.splitlines(keepends=True))
    entries = list(reader.entries())
    assert [*map(encode_entry, entries)] == [*map(encode_entry, HONEST.entries)]
    assert sound_state(entries).chains == HONEST.state.chains


@pytest.mark.parametrize("evening", EVENINGS)
def test_an_honest_evening_is_right_or_says_what_is_not_proven(evening: str) -> None:
    made, outcome = EVENINGS[evening]
    party = made()
    found = checked(sealed_file(party.entries), party.state.chains[""])
    assert (wrong(found), found.outcome) == ([], outcome)
    story = check_story(story_of(party).splitlines(keepends=True)).log
    assert outcome_of(story.findings) == outcome
    assert story.throws["checked"] == found.log.throws["checked"]
    assert story.throws["restored"] == found.log.throws["restored"]


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_server_that_cheats_is_caught(cheat: str) -> None:
    made, said, _, by_head, outcome = CHEATS[cheat]
    file = sealed_file(made(HONEST.entries))
    found = checked(file, HONEST.state.chains[""] if by_head else None)
    assert found.outcome == outcome
    assert [finding.text for finding in found.findings if said in finding.text]
    if by_head:
        assert checked(file).is_right, "the seal is the cheat's own"


@pytest.mark.parametrize("cheat", IN_STORIES)
def test_a_story_tells_of_a_cheat_too(cheat: str) -> None:
    story = story_of_entries(CHEATS[cheat].made(HONEST.entries))
    assert outcome_of(check_story(story.splitlines(keepends=True)).log.findings) == CHEATS[cheat].outcome


@pytest.mark.parametrize("cheat", CHEATS)
def test_the_command_line_says_what_a_cheat_did(cheat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, (n, head) = tmp_path / "table.jsonl", HONEST.state.chains[""]
    made, said, _, by_head, outcome = CHEATS[cheat]
    path.write_bytes(sealed_file(made(HONEST.entries)))
    code = {"wrong": 1, "unproven": 3}[outcome]
    given = [str(path), *(["--head", f"{n}:{head}"] if by_head else [])]
    assert main(["verify", *given]) == code
    told = capsys.readouterr().out
    assert said in told
    assert {"wrong": "Something is wrong.", "unproven": "not everything is proven."}[outcome] in told
    assert main(["verify", *given, "--json"]) == code
    answer = json.loads(capsys.readouterr().out)
    assert (answer["outcome"], answer["exit"], answer["right"]) == (outcome, code, False)


def test_restores_and_imports_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.jsonl"
    path.write_bytes(sealed_file(CHEATS["a fresh book for each throw, announced"].made(HONEST.entries)))
    assert main(["verify", str(path)]) == 3
    assert "The table was restored or imported 3 times." in capsys.readouterr().out


@given(st.data())
@settings(max_examples=share(20_000, 150), deadline=None)
def test_any_change_of_one_byte_is_found(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(FILE) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != FILE[at]))
    changed = FILE[:at] + bytes([byte]) + FILE[at + 1 :]
    try:
        assert not checked(changed).is_right
    except (Malformed, Illegal):  # no table at all, or one of another format
        assert at <= FILE.index(b"\n")


@pytest.mark.parametrize("at", range(0, 700, 7))
def test_a_byte_that_is_missing_at_the_end_or_the_start_is_found(at: int) -> None:
    for changed in (FILE[: len(FILE) - 1 - at], FILE[: -1 - at] + FILE[len(FILE) - at :]):
        assert not checked(changed).is_right or b'"seal"' not in changed.splitlines()[-1]


def checked_story(text: bytes) -> list[str]:
    found = check_story(text.splitlines(keepends=True)).log
    return [finding.text for finding in found.findings if finding.weight == "wrong"]


def test_a_story_is_right_and_counts_what_was_revealed_once() -> None:
    found = check_story(STORY.splitlines(keepends=True))
    assert found.log.findings == []
    assert found.log.throws == {"checked": 7}
    assert found.key == KEY.public


@given(st.data())
@settings(max_examples=share(20_000, 100), deadline=None)
def test_any_change_of_one_byte_in_a_story_is_found(data: st.DataObject) -> None:
    """In its prose, in its appendix, in its seal and after it; also one that is missing, and one too many."""
    at = data.draw(st.integers(0, len(STORY) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != STORY[at]))
    new, skip = data.draw(st.sampled_from([(bytes([byte]), 1), (b"", 1), (bytes([byte]), 0)]))
    assert checked_story(STORY[:at] + new + STORY[at + skip :])


def test_a_story_without_its_seal_is_wrong() -> None:
    lines = [line for line in STORY.splitlines(keepends=True) if not line.startswith(b'{"astragal":')]
    assert checked_story(b"".join(lines)) == ["The seal at the end of the story is missing."]


def test_a_story_whose_appendix_is_sealed_by_somebody_else_has_another_key() -> None:
    assert check_story(a_story(HeadKey(b"b" * 32)).splitlines(keepends=True)).key != KEY.public


def test_what_somebody_wrote_is_no_throw_and_no_seal() -> None:
    forged = ['{"faces":[[[6]]],"proof":["","00","00","a/b/0","1d6"]}', '{"astragal":"story",']
    assert checked_story(a_story(KEY, *forged)) == []


def test_single_throws_that_were_copied_are_checked_without_a_seal() -> None:
    throws = b"".join(line for line in STORY.splitlines(keepends=True) if line.startswith(b'{"faces":'))
    found = check_story(throws.splitlines(keepends=True)).log
    assert [finding.weight for finding in found.findings] == ["note"]
    assert found.throws == {"checked": 7}


def test_another_title_in_the_first_line_is_found() -> None:
    assert wrong(checked(FILE.replace(b'"title":"Test"', b'"title":"Rest"', 1))) == [
        "The file was changed after it was sealed."
    ]


def test_typed_dice_that_bring_a_proof_are_wrong() -> None:
    at = open_throws(HONEST.entries)[0]
    typed = with_thrown(HONEST.entries[at], source="typed", typed_by="somebody")
    found = checked(sealed_file([*HONEST.entries[:at], typed, *HONEST.entries[at + 1 :]]))
    assert "Typed dice claim that the machine threw them." in wrong(found)


def test_other_revealed_dice_than_those_that_fell_are_wrong() -> None:
    at = next(n for n, entry in enumerate(HONEST.entries) if entry.do == "reveal")
    entry = HONEST.entries[at]
    [shown] = [event for event in entry.events if isinstance(event, e.Revealed)]
    name, sides, face, *rest = shown.dice[0]
    told = replace(shown, dice=[(name, sides, face % sides + 1, *rest), *shown.dice[1:]])
    other = replace(entry, events=[told])
    found = checked(sealed_file([*HONEST.entries[:at], other, *HONEST.entries[at + 1 :]]))
    assert wrong(found) == ["The dice that are told are not the dice that fell."]


def test_a_file_without_its_seal_is_not_called_sealed() -> None:
    lines = FILE.splitlines(keepends=True)[:-1]
    found = check_file(lines)
    assert [finding.text for finding in found.findings if "no seal" in finding.text]


def test_what_the_page_is_tested_with_is_what_python_makes() -> None:
    """``python -m tests.table.cheats > page/test/verify/shared.json`` writes it anew."""
    assert json.loads(SHARED.read_text("utf-8")) == shared()


def test_the_vectors_hold() -> None:
    for throw in shared()["throws"]:
        key = bytes.fromhex(throw["key"])
        assert throw["ticket"] == ticket_of(key)
        assert follows(throw["faces"], throw["pool"], key, throw["place"], throw["nonce"])


def test_a_file_of_another_format_is_refused_and_not_called_changed() -> None:
    header, *rest = sealed_file(HONEST.entries).splitlines(keepends=True)
    with pytest.raises(Illegal, match="The file has format 3, and this Astragal reads format 4"):
        check_file([header.replace(b'"format":4', b'"format":3'), *rest])
