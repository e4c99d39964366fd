"""The reader: finds directives, with their tables or sentences, in one pass over a Markdown text."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from astragal.audit.directive import Directive
from astragal.audit.lines import MAX_LINE, Fence, ListIndents, TextLine, parse_fence, parse_lines
from astragal.audit.markup import COMMENT, COMMENT_END, comments
from astragal.audit.pipe_table import PipeTable, parse_table

NAME = "astragal"
TABLE = re.compile(rf"{NAME}(?=\s|$)")
INLINE = re.compile(rf"{NAME}\s*:")
NO_TABLE = "This directive has no table right below it."
NOT_CLOSED = "This directive is never closed; --> is missing."


class TableDirective(NamedTuple):
    """A directive and the table below it."""

    directive: Directive
    table: PipeTable


class InlineDirective(NamedTuple):
    """An expression in a sentence, and the text from ``after`` on, up to the end of the next line."""

    start: int
    expression: str
    after: int
    following: str


class Unreadable(NamedTuple):
    """A passage that cannot be read, and why."""

    start: int
    sentence: str


Passage = TableDirective | InlineDirective | Unreadable


def read(text: str) -> list[Passage]:
    """Return all passages that carry a directive, from top to bottom. Text in code blocks is ignored."""
    return _Reader(text).read()


class _Reader:
    """A position in the text, and the directives that still wait for their table."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = parse_lines(text)
        self.blank_after = self._next_blanks()
        self.place = 0
        self.lists = ListIndents()
        self.in_code = False
        self.waiting: list[Directive] = []
        self.found: list[Passage] = []
        self.closing = -1

    def _next_blanks(self) -> list[int]:
        """For each line, the index of the first blank line from there on."""
        after, found = len(self.lines), []
        for place in range(len(self.lines) - 1, -1, -1):
            after = place if self.lines[place].is_blank else after
            found.append(after)
        return found[::-1]

    def read(self) -> list[Passage]:
        """All passages, from top to bottom."""
        while self.place < len(self.lines):
            self._step(self.lines[self.place])
        self._refuse_waiting()
        return self.found

    def _step(self, line: TextLine) -> None:
        """Read one line, or the block that it begins."""
        if line.is_blank:
            self.place += 1
            return
        if len(line.text) > MAX_LINE:
            self._refuse_long(line)
        elif self._is_indented_code(line):
            self._refuse_waiting()
            self.in_code = True
            self.place += 1
            return
        elif fence := parse_fence(line):
            self._skip_code(fence)
        elif line.text.lstrip().startswith(COMMENT):
            self._read_block_comment(line)
        else:
            self._read_text(line)
        self.in_code = False

    def _refuse_long(self, line: TextLine) -> None:
        self._refuse_waiting()
        if NAME in line.text:
            sentence = f"This line has more than {MAX_LINE:,} characters and was not read."
            self.found.append(Unreadable(line.start, sentence))
        self.place += 1

    def _is_indented_code(self, line: TextLine) -> bool:
        self.lists.enter(line)
        can_begin = self.place == 0 or self.lines[self.place - 1].is_blank or self.in_code
        begins_item = self.lists.indent > line.indent
        return can_begin and not begins_item and line.indent >= self.lists.indent + 4

    def _skip_code(self, fence: Fence) -> None:
        self._refuse_waiting()
        self.place += 1
        while self.place < len(self.lines):
            line = self.lines[self.place]
            if line.depth < fence.depth:
                return
            self.place += 1
            if fence.closes(line):
                return

    def _read_text(self, line: TextLine) -> None:
        """Read a table, or a line of prose with its comments."""
        if found := parse_table(self.lines, self.place):
            table, end = found
            self._add_table(table)
            for place in range(self.place, end):
                self._read_comments(place, self.lines[place], inside_table=True)
            self.place = end
            return
        self._refuse_waiting()
        self.place = self._read_comments(self.place, line)

    def _add_table(self, table: PipeTable) -> None:
        if self.waiting:
            lines = tuple(line for directive in self.waiting for line in directive.lines)
            self.found.append(TableDirective(Directive(self.waiting[0].start, lines), table))
        self.waiting = []

    def _refuse_waiting(self) -> None:
        self.found.extend(Unreadable(directive.start, NO_TABLE) for directive in self.waiting)
        self.waiting = []

    def _read_block_comment(self, line: TextLine) -> None:
        """Read a comment at the start of a line, which may include blank lines."""
        start = len(line.text) - len(line.text.lstrip())
        closed = self._close_of(line.start + start + len(COMMENT))
        if closed is None:
            self._refuse_waiting()
            self._refuse_open(line, start)
            self.place = len(self.lines)
            return
        end, column = closed
        content = self._content(self.place, start + len(COMMENT), end, column)
        rest = self.lines[end].text[column + len(COMMENT_END) :]
        self._add_comment(line.start + start, content, end, column + len(COMMENT_END))
        if rest.strip():
            if not content.lstrip().startswith(NAME):
                self._refuse_waiting()
            self.place = self._read_comments(end, self.lines[end], column + len(COMMENT_END))
        else:
            self.place = end + 1

    def _refuse_open(self, line: TextLine, start: int) -> None:
        words = line.text[start + len(COMMENT) :].lstrip()
        if TABLE.match(words) or INLINE.match(words):
            self.found.append(Unreadable(line.start + start, NOT_CLOSED))

    def _read_comments(self, place: int, line: TextLine, start: int = 0, inside_table: bool = False) -> int:
        """Read the directives in a line of prose; return the index of the next line."""
        if COMMENT not in line.text or len(line.text) > MAX_LINE:
            return place + 1
        for begin, end in comments(line.text, start):
            if end >= 0:
                content = line.text[begin + len(COMMENT) : end - len(COMMENT_END)]
                self._add_comment(line.start + begin, content, place, end, in_text=True)
            elif not inside_table:
                return self._read_wrapped(place, line, begin)
        return place + 1

    def _read_wrapped(self, place: int, line: TextLine, begin: int) -> int:
        """Read a comment in prose that continues in the next lines, at most to the end of the paragraph."""
        closed = self._close_of(line.start + begin + len(COMMENT))
        if closed is None or closed[0] >= self.blank_after[place]:
            self._refuse_open(line, begin)
            return place + 1
        end, column = closed
        content = self._content(place, begin + len(COMMENT), end, column)
        self._add_comment(line.start + begin, content, end, column + len(COMMENT_END), in_text=True)
        return self._read_comments(end, self.lines[end], column + len(COMMENT_END))

    def _add_comment(self, start: int, content: str, place: int, end: int, in_text: bool = False) -> None:
        words = content.strip()
        if named := INLINE.match(words):
            expression = " ".join(words[named.end() :].split())
            after = self.lines[place].start + end
            self.found.append(InlineDirective(start, expression, after, self._following(place, end)))
        elif TABLE.match(words):
            lines = tuple(line for line in words[len(NAME) :].split("\n") if line.strip())
            if in_text:
                self.found.append(Unreadable(start, NO_TABLE))
            else:
                self.waiting.append(Directive(start, lines))

    def _following(self, place: int, end: int) -> str:
        """The rest of the line; if that is blank, with the next line of the paragraph."""
        line = self.lines[place]
        rest = line.text[end:]
        if rest.strip() or self.blank_after[place] <= place + 1:
            return rest
        after = self.lines[place + 1] if place + 1 < len(self.lines) else line
        if len(after.text) > MAX_LINE:
            return rest
        return self.text[line.start + end : after.start + len(after.text)]

    def _close_of(self, offset: int) -> tuple[int, int] | None:
        """The line and column of the next end of a comment. Offsets only grow, so nothing is searched twice."""
        if self.closing < offset:
            found = self.text.find(COMMENT_END, offset)
            self.closing = found if found >= 0 else len(self.text)
        if self.closing >= len(self.text):
            return None
        place = self._line_at(self.closing)
        return place, self.closing - self.lines[place].start

    def _line_at(self, offset: int) -> int:
        return bisect_right(self.lines, offset, lo=self.place, key=lambda line: line.start) - 1

    def _content(self, first: int, start: int, last: int, end: int) -> str:
        """The content of a comment, without the quote marks of its lines."""
        if first == last:
            return self.lines[first].text[start:end]
        depth = self.lines[first].depth
        between = (line.extra_quote(depth) + line.text for line in self.lines[first + 1 : last])
        closing = self.lines[last].extra_quote(depth) + self.lines[last].text[:end]
        return "\n".join((self.lines[first].text[start:], *between, closing))
