"""QR codes are those that another encoder draws, whatever the length."""

from __future__ import annotations

from hashlib import sha256
from xml.etree import ElementTree

import pytest

from astragal.errors import Malformed
from astragal.serve.api.joining import MAX_BYTES, qr_modules, qr_svg
from tests.serve.running import Running

REFEREE: dict[int, tuple[int, int, str]] = {
    1: (1, 1, "848f621f7ecfca7e"),
    14: (1, 1, "d72ac5d807230079"),
    15: (2, 2, "1a0e6c181604a459"),
    26: (2, 2, "504332e3b234cc9f"),
    27: (3, 2, "87510fd0e0a7f200"),
    42: (3, 2, "9ac20ef05a8fa3de"),
    43: (4, 2, "c463be9582188a0e"),
    62: (4, 2, "8aa34bd49878a302"),
    63: (5, 2, "dad423cb4c599e09"),
    84: (5, 2, "213ed3aa840d22e7"),
    85: (6, 5, "27703063e8a1ee63"),
    106: (6, 2, "af3f08f7a06084f5"),
    107: (7, 3, "e205a7cd2166f0b3"),
    122: (7, 2, "043c5f0213830b37"),
    123: (8, 4, "d1e39ac8cfcf79fd"),
    152: (8, 2, "196042171b8ae9fb"),
    153: (9, 2, "c98a1e7bbabd8323"),
    180: (9, 3, "1236867c077dbb21"),
    181: (10, 1, "a117a952082ba8af"),
    213: (10, 2, "55048b6b047183a5"),
}
"""By the length of a text: version, mask and hash of the modules, as Project Nayuki's qrcodegen 1.8.0 draws them."""


def text_of(length: int) -> str:
    return "".join("https://table.example/t/#0aZ-_"[place * 7 % 30] for place in range(length))


@pytest.mark.parametrize("length", REFEREE)
def test_modules_are_those_of_another_encoder(length: int) -> None:
    version, mask, expected = REFEREE[length]
    modules = qr_modules(text_of(length), mask)
    assert len(modules) == 17 + 4 * version
    drawn = "\n".join("".join(str(int(module)) for module in row) for row in modules)
    assert sha256(drawn.encode()).hexdigest()[:16] == expected


def test_the_mask_is_one_of_eight_and_the_code_says_which() -> None:
    masks = [qr_modules(text_of(60), mask) for mask in range(8)]
    assert qr_modules(text_of(60)) in masks
    assert len({str(modules) for modules in masks}) == 8


def test_a_text_that_is_too_long_is_refused() -> None:
    assert len(qr_modules("x" * MAX_BYTES)) == 57
    with pytest.raises(Malformed, match=r"at most 213\."):
        qr_modules("x" * (MAX_BYTES + 1))


def test_the_server_draws_it(server: Running) -> None:
    answer = server.guest().http.post("/api/qr", json={"text": "https://table.example/join"})
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text == qr_svg("https://table.example/join")
    assert server.guest().http.post("/api/qr", json={"text": "é" * 200}).status_code == 422


def test_the_picture_has_every_black_module_and_a_quiet_zone() -> None:
    modules = qr_modules("https://table.example/join")
    root = ElementTree.fromstring(qr_svg("https://table.example/join"))
    size = len(modules) + 8
    assert root.get("viewBox") == f"0 0 {size} {size}"
    path = root[1].get("d") or ""
    runs = [part.split("v")[0].split("h") for part in path.split("M")[1:]]
    black = sum(int(length) for _, length in runs)
    assert black == sum(map(sum, modules))
    assert all(4 <= int(number) < size - 4 for place, _ in runs for number in place.split())
