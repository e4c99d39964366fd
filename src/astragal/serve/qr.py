"""QR codes: a text as a square of black and white modules (ISO/IEC 18004), and that as SVG.

Bytes only, error correction level M, versions 1 to 10: enough for an address with a token, up to 213 bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, groupby, pairwise, zip_longest

from astragal.errors import Malformed

BLOCKS = ((16, 10, 1), (28, 16, 1), (44, 26, 1), (64, 18, 2), (86, 24, 2), (108, 16, 4), (124, 18, 4),
          (154, 22, 4), (182, 22, 5), (216, 26, 5))  # fmt: skip
"""For each version at level M: codewords of data, codewords of error correction in each block, blocks."""
CENTRES: tuple[tuple[int, ...], ...] = (
    (),
    (6, 18),
    (6, 22),
    (6, 26),
    (6, 30),
    (6, 34),
    (6, 22, 38),
    (6, 24, 42),
    (6, 26, 46),
    (6, 28, 50),
)
"""Where the alignment patterns of each version lie, in both directions."""
QUIET = 4
"""White modules around the code."""
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)
FINDER_LIKE = ([1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1])

Grid = list[list[int]]
"""Rows of modules: 1 is black."""


def longest(version: int) -> int:
    """The most bytes that fit a version."""
    return BLOCKS[version - 1][0] - (3 if version > 9 else 2)


MAX_BYTES = longest(len(BLOCKS))


def qr_modules(text: str) -> Grid:
    """The modules of a text's code, without the quiet zone, with the mask that is misread least."""
    data = text.encode()
    version = version_for(data)
    return min((drawn(data, version, mask) for mask in range(len(MASKS))), key=_penalty)


def version_for(data: bytes) -> int:
    """The smallest version that holds the data; refuses what none holds."""
    version = next((n for n in range(1, len(BLOCKS) + 1) if len(data) <= longest(n)), 0)
    if not version:
        raise Malformed(f"A QR code here holds at most {MAX_BYTES} bytes, and the text has {len(data)}.")
    return version


def qr_svg(text: str) -> str:
    """The code as SVG, black on white, one unit for each module."""
    modules = qr_modules(text)
    size = len(modules) + 2 * QUIET
    path = "".join(
        f"M{x + QUIET} {y + QUIET}h{n}v1h-{n}z" for y, row in enumerate(modules) for x, n in _black_runs(row)
    )
    box = f'viewBox="0 0 {size} {size}" shape-rendering="crispEdges"'
    white = f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{white}<path d="{path}"/></svg>'


def _black_runs(row: list[int]) -> Iterator[tuple[int, int]]:
    """Where black modules begin in a row, and how many they are."""
    x = 0
    for black, run in groupby(row):
        n = len(list(run))
        if black:
            yield x, n
        x += n


# Data and error correction.


def _codewords(data: bytes, version: int) -> Iterator[int]:
    """Data and error correction, the blocks interleaved."""
    total, corrections, n = BLOCKS[version - 1]
    words = _padded(data, version, total)
    short, longer = total // n, total % n
    blocks, at = [], 0
    for place in range(n):
        length = short + (place >= n - longer)
        blocks.append(words[at : at + length])
        at += length
    checks = [_remainder(block, corrections) for block in blocks]
    for group in (blocks, checks):
        yield from (word for column in zip_longest(*group) for word in column if word is not None)


def _padded(data: bytes, version: int, total: int) -> list[int]:
    """Mode, length, bytes and padding, as codewords."""
    width = 16 if version > 9 else 8
    number = (4 << width | len(data)) << 8 * len(data) | int.from_bytes(data, "big")
    length = 4 + width + 8 * len(data)
    number <<= (end := min(4, 8 * total - length))
    number <<= (fill := -(length + end) % 8)
    words = list(number.to_bytes((length + end + fill) // 8, "big"))
    return words + [(0xEC, 0x11)[place % 2] for place in range(total - len(words))]


def _field() -> tuple[list[int], list[int]]:
    """Powers and logarithms of 2 in the field of 256 elements."""
    powers, logs, value = [0] * 510, [0] * 256, 1
    for n in range(255):
        powers[n] = powers[n + 255] = value
        logs[value] = n
        value = value << 1 ^ (0x11D if value & 128 else 0)
    return powers, logs


_POWERS, _LOGS = _field()


def _times(one: int, other: int) -> int:
    return _POWERS[_LOGS[one] + _LOGS[other]] if one and other else 0


def _remainder(block: list[int], n: int) -> list[int]:
    """The error correction of a block: the remainder by the product of all (x - 2^k), k below n."""
    divisor = [1]
    for k in range(n):
        divisor = [a ^ _times(b, _POWERS[k]) for a, b in zip([*divisor, 0], [0, *divisor], strict=True)]
    left = [*block, *[0] * n]
    for place in range(len(block)):
        factor = left[place]
        for offset, term in enumerate(divisor):
            left[place + offset] ^= _times(term, factor)
    return left[len(block) :]


# Drawing.


def drawn(data: bytes, version: int, mask: int) -> Grid:
    """The code of the data, of a version and with a mask."""
    bits = [byte >> place & 1 for byte in _codewords(data, version) for place in range(7, -1, -1)]
    size = 17 + 4 * version
    grid: list[list[int | None]] = [[None] * size for _ in range(size)]
    _draw_patterns(grid, version)
    _draw_format(grid, mask)
    stream = chain(bits, iter(lambda: 0, 1))
    for y, x in _way(size):
        if grid[y][x] is None:
            grid[y][x] = next(stream) ^ MASKS[mask](y, x)
    return [[module or 0 for module in row] for row in grid]


def _draw_patterns(grid: list[list[int | None]], version: int) -> None:
    size = len(grid)
    for y, x in ((3, 3), (3, size - 4), (size - 4, 3)):
        _draw_rings(grid, y, x, 4, (2, 4))
    for n in range(8, size - 8):
        grid[6][n] = grid[n][6] = (n + 1) % 2
    centres = CENTRES[version - 1]
    for y in centres:
        for x in centres:
            if (y, x) not in ((6, 6), (6, centres[-1]), (centres[-1], 6)):  # the corners have finder patterns
                _draw_rings(grid, y, x, 2, (1,))
    if version > 6:
        number = version << 12 | _bch(version << 12, 0x1F25)
        for n in range(18):
            grid[n // 3][size - 11 + n % 3] = grid[size - 11 + n % 3][n // 3] = number >> n & 1


def _draw_rings(grid: list[list[int | None]], y: int, x: int, radius: int, white: tuple[int, ...]) -> None:
    """Square rings around a centre, as far as they lie inside."""
    size = len(grid)
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            if 0 <= y + dy < size and 0 <= x + dx < size:
                grid[y + dy][x + dx] = int(max(abs(dy), abs(dx)) not in white)


def _draw_format(grid: list[list[int | None]], mask: int) -> None:
    """Level M and the mask, twice; level M is 00."""
    size, number = len(grid), (mask << 10 | _bch(mask << 10, 0x537)) ^ 0x5412
    for n in range(15):
        bit = number >> n & 1
        grid[n if n < 6 else n + 1 if n < 8 else size - 15 + n][8] = bit
        grid[8][size - 1 - n if n < 8 else 7 if n == 8 else 14 - n] = bit
    grid[size - 8][8] = 1


def _bch(number: int, divisor: int) -> int:
    """The remainder of a number by a divisor, both as polynomials over two elements."""
    while number.bit_length() >= divisor.bit_length():
        number ^= divisor << number.bit_length() - divisor.bit_length()
    return number


def _way(size: int) -> Iterator[tuple[int, int]]:
    """The places in the order of the data: in columns of two from the right, up and down in turn, past column 6."""
    columns = [right for right in range(size - 1, 0, -2) if right > 6] + [5, 3, 1]
    for turn, right in enumerate(columns):
        for step in range(size):
            y = step if turn % 2 else size - 1 - step
            yield from ((y, right), (y, right - 1))


# Masks are judged by how easily the code is misread.


def _penalty(grid: Grid) -> int:
    lines = [*grid, *map(list, zip(*grid, strict=True))]
    black = sum(map(sum, grid)) * 20 // len(grid) ** 2
    uneven = min(abs(black - 10), abs(black - 9)) if sum(map(sum, grid)) * 20 % len(grid) ** 2 else abs(black - 10)
    return sum(map(_runs, lines)) + 3 * _squares(grid) + 40 * sum(map(_finders, lines)) + 10 * uneven


def _runs(line: list[int]) -> int:
    points, length, last = 0, 0, -1
    for module in [*line, -1]:
        if module == last:
            length += 1
            continue
        points += length - 2 if length >= 5 else 0
        last, length = module, 1
    return points


def _squares(grid: Grid) -> int:
    return sum(
        row[x] == row[x + 1] == below[x] == below[x + 1] for row, below in pairwise(grid) for x in range(len(row) - 1)
    )


def _finders(line: list[int]) -> int:
    return sum(line[at : at + 11] in FINDER_LIKE for at in range(len(line) - 10))
