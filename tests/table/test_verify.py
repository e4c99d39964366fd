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
from astragal.errors import Malformed
from astragal.repository.head_key import HeadKey
from astragal.table import event as e
from astragal.table.chain import START
from astragal.table.entry import encode_entry
from astragal.table.log.appendix import appendix, check_story, sealed_story
from astragal.table.log.export import ExportReader, sound_state
from astragal.table.log.story import story
from astragal.table.log.verify import FileCheck, check_file
from astragal.table.rolls.ticket import ticket_of
from tests.share import share
from tests.table.cheats import BY_HEAD, CHEATS, KEY, SHARED, evening, open_throws, sealed_file, shared, with_thrown
from tests.table.test_old_exports import NAMES, read

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
    assert found.log.throws == {"checked": 6, "typed": 1, "again": 1}
    assert found.log.chains == HONEST.state.chains


def test_a_sealed_file_is_imported_as_it_was() -> None:
    reader = ExportReader(FILE.splitlines(keepends=True))
    entries = list(reader.entries())
    assert [*map(encode_entry, entries)] == [*map(encode_entry, HONEST.entries)]
    assert sound_state(entries).chains == HONEST.state.chains


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_server_that_cheats_is_caught(cheat: str) -> None:
    kept = HONEST.state.chains.get("", (0, START))
    file = sealed_file(CHEATS[cheat](HONEST.entries))
    assert wrong(checked(file, kept if cheat in BY_HEAD else None))
    if cheat in BY_HEAD:
        assert checked(file).is_right, "the seal is the cheat's own"


@pytest.mark.parametrize("cheat", CHEATS)
def test_the_command_line_says_what_a_cheat_did(cheat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, (n, head) = tmp_path / "table.jsonl", HONEST.state.chains[""]
    path.write_bytes(sealed_file(CHEATS[cheat](HONEST.entries)))
    assert main(["verify", str(path), *(["--head", f"{n}:{head}"] if cheat in BY_HEAD else [])]) == 1
    said = capsys.readouterr().out
    assert SAID[cheat] in said
    assert "Something is wrong." in said


SAID = {
    "faces chosen after the nonce": "The faces do not follow from key and nonce",
    "another key than the ticket": "or the key is another",
    "dice chosen among several turns": "are not numbered as they fell",
    "a ticket used twice": "The ticket was used before.",
    "an entry rewritten": "The head that was kept is another",
    "an entry dropped": "entries were dropped",
    "two histories for two seats": "two of them were shown",
    "typed dice claimed as verified": "The faces do not follow from key and nonce",
    "an aborted throw hidden": "its throw was aborted and hidden",
}


@given(st.data())
@settings(max_examples=share(20_000, 150), deadline=None)
def test_any_change_of_one_byte_is_found(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(FILE) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != FILE[at]))
    changed = FILE[:at] + bytes([byte]) + FILE[at + 1 :]
    try:
        assert not checked(changed).is_right
    except Malformed:
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
    assert found.log.throws == {"checked": 6}
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
    assert found.throws == {"checked": 6}


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


@pytest.mark.parametrize("name", NAMES[:3])
def test_files_of_older_versions_are_read_and_prove_nothing(name: str) -> None:
    found = checked(read(f"{name}.jsonl.gz"))
    assert found.is_right
    assert not found.log.throws["checked"]
    assert found.seal is None


def test_what_the_page_is_tested_with_is_what_python_makes() -> None:
    """``python -m tests.table.cheats > page/test/verify/shared.json`` writes it anew."""
    assert json.loads(SHARED.read_text("utf-8")) == shared()


def test_the_vectors_hold() -> None:
    for throw in shared()["throws"]:
        key = bytes.fromhex(throw["key"])
        assert throw["ticket"] == ticket_of(key)
        assert follows(throw["faces"], throw["pool"], key, throw["place"], throw["nonce"])
