"""The reader: goes down a text once and finds tables with their directives, and figures in prose with theirs."""

from __future__ import annotations

import re
from typing import NamedTuple

from astragal.audit.directive import Directive
from astragal.audit.lines import LONGEST, Fence, Lists, TextLine, parse_fence, parse_lines
from astragal.audit.markup import COMMENT, COMMENT_END, comments
from astragal.audit.pipe_table import PipeTable, parse_table

NAME = "astragal"
TABLE = re.compile(rf"{NAME}(?=\s|$)")
INLINE = re.compile(rf"{NAME}\s*:")
ALONE = "This directive has no table right below it."


class Tabled(NamedTuple):
    """A table and what is said above it."""

    directive: Directive
    table: PipeTable


class Inline(NamedTuple):
    """An expression in the text, and what follows it up to the end of the next line."""

    start: int
    expression: str
    after: int
    following: str


class Trouble(NamedTuple):
    """A place that cannot be read, and why."""

    start: int
    sentence: str


Part = Tabled | Inline | Trouble


def read(text: str) -> list[Part]:
    """Everything in a text that says it wants to be checked, from top to bottom."""
    return _Reader(text).read()


class _Reader:
    """A place in the text, and what is still open there."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = parse_lines(text)
        self.blank_after = self._next_blanks()
        self.place = 0
        self.skip = 0
        self.lists = Lists()
        self.in_code = False
        self.waiting: list[Directive] = []
        self.found: list[Part] = []
        self.closing = -1

    def _next_blanks(self) -> list[int]:
        """For each line, the number of the first blank line from there on."""
        after, found = len(self.lines), []
        for place in range(len(self.lines) - 1, -1, -1):
            after = place if self.lines[place].is_blank else after
            found.append(after)
        return found[::-1]

    def read(self) -> list[Part]:
        while self.place < len(self.lines):
            self._step(self.lines[self.place])
        self._give_up_waiting()
        return self.found

    def _step(self, line: TextLine) -> None:
        """Take one line, or the block that begins with it."""
        if line.is_blank:
            self.place += 1
            return
        if len(line.text) > LONGEST:
            self._refuse_long(line)
        elif self._is_indented_code(line):
            self._give_up_waiting()
            self.in_code = True
            self.place += 1
            return
        elif fence := parse_fence(line):
            self._skip_code(fence)
        elif line.text.lstrip().startswith(COMMENT):
            self._take_block_comment(line)
        else:
            self._take_text(line)
        self.in_code = False

    def _refuse_long(self, line: TextLine) -> None:
        self._give_up_waiting()
        if NAME in line.text:
            self.found.append(Trouble(line.start, f"This line has more than {LONGEST:,} characters and was not read."))
        self.place += 1

    def _is_indented_code(self, line: TextLine) -> bool:
        self.lists.enter(line)
        begins = self.place == 0 or self.lines[self.place - 1].is_blank or self.in_code
        inner = self.lists.indent if not self._is_item(line) else line.indent
        return begins and line.indent >= inner + 4

    def _is_item(self, line: TextLine) -> bool:
        return self.lists.indent > line.indent

    def _skip_code(self, fence: Fence) -> None:
        self._give_up_waiting()
        self.place += 1
        while self.place < len(self.lines):
            line = self.lines[self.place]
            if line.depth < fence.depth:
                return
            self.place += 1
            if fence.closes(line):
                return

    def _take_text(self, line: TextLine) -> None:
        """A table, or prose with comments in it."""
        if found := parse_table(self.lines, self.place):
            table, end = found
            self._settle_waiting(table)
            for place in range(self.place, end):
                self._take_comments(place, self.lines[place], inside_table=True)
            self.place = end
            return
        self._give_up_waiting()
        self.place = self._take_comments(self.place, line)

    def _settle_waiting(self, table: PipeTable) -> None:
        if self.waiting:
            lines = tuple(line for directive in self.waiting for line in directive.lines)
            self.found.append(Tabled(Directive(self.waiting[0].start, lines), table))
        self.waiting = []

    def _give_up_waiting(self) -> None:
        self.found.extend(Trouble(directive.start, ALONE) for directive in self.waiting)
        self.waiting = []

    def _take_block_comment(self, line: TextLine) -> None:
        """A comment at the start of a line goes on to its end, over whatever stands between."""
        start = len(line.text) - len(line.text.lstrip())
        closed = self._close_of(line.start + start + len(COMMENT))
        if closed is None:
            self._give_up_waiting()
            self._refuse_open(line, start)
            self.place = len(self.lines)
            return
        end, column = closed
        content = self._content(self.place, start + len(COMMENT), end, column)
        rest = self.lines[end].text[column + len(COMMENT_END) :]
        self._take_comment(line.start + start, content, end, column + len(COMMENT_END))
        if rest.strip():
            if not content.lstrip().startswith(NAME):
                self._give_up_waiting()
            self.place = self._take_comments(end, self.lines[end], column + len(COMMENT_END))
        else:
            self.place = end + 1

    def _refuse_open(self, line: TextLine, start: int) -> None:
        words = line.text[start + len(COMMENT) :].lstrip()
        if TABLE.match(words) or INLINE.match(words):
            self.found.append(Trouble(line.start + start, "This directive is never closed; --> is missing."))

    def _take_comments(self, place: int, line: TextLine, start: int = 0, inside_table: bool = False) -> int:
        """The directives in a line of text; the number of the line to go on with."""
        if COMMENT not in line.text or len(line.text) > LONGEST:
            return place + 1
        for begin, end in comments(line.text, start):
            if end >= 0:
                content = line.text[begin + len(COMMENT) : end - len(COMMENT_END)]
                self._take_comment(line.start + begin, content, place, end, in_text=True)
            elif not inside_table:
                return self._take_wrapped(place, line, begin)
        return place + 1

    def _take_wrapped(self, place: int, line: TextLine, begin: int) -> int:
        """A comment in the text may go on in the next lines, up to the end of the paragraph."""
        closed = self._close_of(line.start + begin + len(COMMENT))
        if closed is None or closed[0] >= self.blank_after[place]:
            self._refuse_open(line, begin)
            return place + 1
        end, column = closed
        content = self._content(place, begin + len(COMMENT), end, column)
        self._take_comment(line.start + begin, content, end, column + len(COMMENT_END), in_text=True)
        return self._take_comments(end, self.lines[end], column + len(COMMENT_END))

    def _take_comment(self, start: int, content: str, place: int, end: int, in_text: bool = False) -> None:
        words = content.strip()
        if named := INLINE.match(words):
            expression = " ".join(words[named.end() :].split())
            self.found.append(Inline(start, expression, self.lines[place].start + end, self._following(place, end)))
        elif TABLE.match(words):
            lines = tuple(line for line in words[len(NAME) :].split("\n") if line.strip())
            if in_text:
                self.found.append(Trouble(start, ALONE))
            else:
                self.waiting.append(Directive(start, lines))

    def _following(self, place: int, end: int) -> str:
        """The rest of the line; of the file up to the end of the next line if nothing is left on this one."""
        line = self.lines[place]
        rest = line.text[end:]
        if rest.strip() or self.blank_after[place] <= place + 1:
            return rest
        after = self.lines[place + 1] if place + 1 < len(self.lines) else line
        if len(after.text) > LONGEST:
            return rest
        return self.text[line.start + end : after.start + len(after.text)]

    def _close_of(self, offset: int) -> tuple[int, int] | None:
        """The line and the column of the next end of a comment. Places only ever grow, so nothing is searched twice."""
        if self.closing < offset:
            found = self.text.find(COMMENT_END, offset)
            self.closing = found if found >= 0 else len(self.text)
        if self.closing >= len(self.text):
            return None
        place = self._line_at(self.closing)
        return place, self.closing - self.lines[place].start

    def _line_at(self, offset: int) -> int:
        low, high = self.place, len(self.lines) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.lines[middle].start <= offset else (low, middle - 1)
        return low

    def _content(self, first: int, start: int, last: int, end: int) -> str:
        """What stands in a comment, without the quote marks of its lines."""
        if first == last:
            return self.lines[first].text[start:end]
        depth = self.lines[first].depth
        between = (line.beyond(depth) + line.text for line in self.lines[first + 1 : last])
        closing = self.lines[last].beyond(depth) + self.lines[last].text[:end]
        return "\n".join((self.lines[first].text[start:], *between, closing))
