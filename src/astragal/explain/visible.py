"""Visible text: what people write is shown to others, so it holds no signs that hide, overwrite or reverse.

Names and titles are one line. Notes have several. Controls, direction marks and unassigned characters are refused;
the two joiners stay, since emoji and several scripts need them.
"""

from __future__ import annotations

from unicodedata import category, normalize

from astragal.errors import Malformed

JOINERS = "\u200c\u200d"
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
"""Letters, marks and signs by category that show nothing: fillers, the empty Braille pattern, the grapheme joiner."""
REFUSED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
MAX_MARKS = 4
"""Marks on one character; more of them grow into the lines above and below."""


def one_line(text: str, what: str) -> str:
    """The text, composed and with single spaces; Malformed unless it is one line of visible characters."""
    if not (text.isascii() and text.isprintable()):
        check_visible(text.strip(), what)
        text = normalize("NFC", text)
    text = " ".join(text.split())
    check_visible(text, what)
    return text


def check_visible(text: str, what: str) -> None:
    """Refuse anything but one line of visible characters."""
    check_plain(text, what, lines=False)
    check_not_blank(text, what)


def check_not_blank(text: str, what: str) -> None:
    """Refuse a text that shows nothing."""
    if not any(category(character)[0] not in "CZM" and character not in BLANKS for character in text):
        raise Malformed(f"{what} has no visible character.")


def check_plain(text: str, what: str, lines: bool = True) -> None:
    """Refuse signs that are not seen but change how a text looks; line breaks and tabs are allowed in ``lines``."""
    if text.isascii() and text.isprintable():
        return
    marks = 0
    for character in text:
        kind = category(character)
        if kind in REFUSED and character not in JOINERS and not (lines and character in "\n\r\t"):
            where = "a line break" if character in "\n\r\u2028\u2029" else f"the sign U+{ord(character):04X}"
            raise Malformed(f"{what} has {where} in it; it must be {'text' if lines else 'one line'} that can be seen.")
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > MAX_MARKS:
            raise Malformed(f"{what} has more than {MAX_MARKS} marks on one character.")


def safe_for_terminal(text: str) -> str:
    """The text with every sign that a terminal would obey replaced by �."""
    if text.isascii() and text.isprintable():
        return text
    signs = (character for character in set(text) if character not in "\n\t" + JOINERS)
    return text.translate({ord(sign): "\ufffd" for sign in signs if category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")})
