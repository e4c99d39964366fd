"""Which failures are tried a second time."""

from __future__ import annotations

import pytest

from tools.again import MOST, worth_another_run

PAGE, OTHER = "tests/page/test_taps.py::test_taps", "tests/rule/test_advise.py::test_advice"


@pytest.mark.parametrize(
    ("failed", "again"),
    [([], False), ([PAGE], True), ([OTHER], False), ([PAGE, OTHER], False), ([PAGE] * MOST, True),
     ([PAGE] * (MOST + 1), False)],
)  # fmt: skip
def test_only_a_few_browser_tests_get_a_second_run(failed: list[str], again: bool) -> None:
    assert worth_another_run(failed) is again
