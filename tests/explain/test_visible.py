"""Visible text: one line, nothing hidden, nothing that a terminal would obey."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from astragal.errors import Malformed
from astragal.explain.visible import check_plain, check_visible, one_line, safe_for_terminal

GOOD = [
    "Mira",
    "Zoë",
    "Jürgen",
    "小林",
    "Οδυσσέας",
    "نور",
    "O'Neill",
    "R2-D2",
    "👨‍👩‍👧",
    "🏳️‍🌈",
    "می‌خواهم",
    "é",
    "¿Qué?",
]
BAD = {
    "controls": "Mi\x07ra",
    "an escape": "\x1b[31mMira",
    "a C1 control": "Mi\x9bra",
    "a line break": "Mira\nGM",
    "another line break": "Mira\u2028GM",
    "a direction override": "Mira\u202e",
    "a direction isolate": "\u2066Mira",
    "a direction mark": "Mi\u200fra",
    "a zero-width space": "Mi\u200bra",
    "a byte order mark": "\ufeffMira",
    "a soft hyphen": "Mi\u00adra",
    "a tag": "Mira\U000e0041",
    "a surrogate": "Mi\ud800ra",
    "private use": "\ue000",
    "unassigned": "\u0378",
    "a pile of marks": "M" + "\u0300" * 9,
    "nothing": "",
    "spaces": "   ",
    "other spaces": "\u00a0\u3000\u2003",
    "a filler": "\u3164",
    "empty Braille": "\u2800\u2800",
    "joiners": "\u200d\u200c",
    "only marks": "\u0301",
    "variation selectors": "\ufe0f\ufe0f",
    "marks that show nothing": "\u17b4\u180b",
}


@pytest.mark.parametrize("text", GOOD)
def test_names_of_all_scripts_are_taken(text: str) -> None:
    assert one_line(f"  {text} ", "A name") == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_seen_or_is_no_line_is_refused_with_a_sentence(what: str) -> None:
    with pytest.raises(Malformed) as refused:
        one_line(BAD[what], "A name")
    assert str(refused.value).startswith("A name has ") and str(refused.value).endswith(".")
    assert str(refused.value).isprintable()


def test_spaces_are_made_alike_and_letters_composed() -> None:
    assert one_line(" The\u3000Drowned \u00a0 Bell ", "A title") == "The Drowned Bell"
    assert one_line("Zoe\u0308", "A name") == "Zoë"


def test_a_note_has_lines_but_no_hidden_signs() -> None:
    check_plain("One.\n\tTwo.\r\nThree.", "The note")
    with pytest.raises(Malformed):
        check_plain("One.\u202eTwo.", "The note")
    with pytest.raises(Malformed):
        check_visible("One.\nTwo.", "The note")


def test_a_terminal_gets_no_sign_that_it_would_obey() -> None:
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") and sign not in "\n\t\u200c\u200d":
            assert safe_for_terminal(f"a{sign}b") == "a\ufffdb"
    assert safe_for_terminal("Zoë rolls.\n\t✓") == "Zoë rolls.\n\t✓"
