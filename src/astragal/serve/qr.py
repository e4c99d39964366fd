"""QR codes: a text as a square of black and white modules (ISO/IEC 18004), and that as SVG.

Bytes only, error correction level M, versions 1 to 10: enough for an address with a token, up to 213 bytes.
"""

from __future__ import annotations

from itertools import groupby

from astragal.errors import Malformed

MAX_BYTES = 213
QUIET = 4
"""White modules around the code."""


def qr_modules(text: str, mask: int | None = None) -> list[list[bool]]:
    """The modules of a text's code, True for black, without the quiet zone; without a mask, with the best of them."""
    from qrcode.constants import ERROR_CORRECT_M  # loaded for the first who asks for a code
    from qrcode.main import QRCode
    from qrcode.util import MODE_8BIT_BYTE, QRData

    data = text.encode()
    if len(data) > MAX_BYTES:
        raise Malformed(f"A QR code here holds at most {MAX_BYTES} bytes, and the text has {len(data)}.")
    code = QRCode(error_correction=ERROR_CORRECT_M, border=0, mask_pattern=mask)
    code.add_data(QRData(data, mode=MODE_8BIT_BYTE))
    matrix: list[list[bool]] = code.get_matrix()
    return matrix


def qr_svg(text: str) -> str:
    """The code as SVG, black on white, one unit for each module."""
    modules = qr_modules(text)
    size, path = len(modules) + 2 * QUIET, ""
    for y, row in enumerate(modules, QUIET):
        x = QUIET
        for black, run in groupby(row):
            n = len(list(run))
            path += f"M{x} {y}h{n}v1h-{n}z" if black else ""
            x += n
    box = f'viewBox="0 0 {size} {size}" shape-rendering="crispEdges"'
    white = f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{white}<path d="{path}"/></svg>'
