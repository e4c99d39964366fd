"""One browser for all tests of the page, and one server for each file of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.page.chromium import chromium
from tests.page.group import Gather, Group
from tests.page.house import House, opened


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """It ends with these tests: while it runs, no others could start an event loop."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with opened(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture
def fragile_house(tmp_path: Path) -> Iterator[House]:
    """A server for a single test, which may kill it."""
    with opened(tmp_path) as house:
        yield house


@pytest.fixture
def gather(browser: Browser, house: House) -> Iterator[Gather]:
    """People around a new table. Once they leave, no browser of theirs may have met with any trouble."""
    groups: list[Group] = []

    def gathered(game: str, phone: str = "", *, still: bool = True, alone: bool = False) -> Group:
        groups.append(Group(browser, house, game, phone, still=still, alone=alone))
        return groups[-1]

    yield gathered
    for group in groups:
        group.leave()
    assert [trouble for group in groups for trouble in group.troubles] == []
