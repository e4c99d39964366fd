"""The gallery's pictures are those that its commands make today."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parent.parent / "docs"


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_gallery", FOLDER / "images" / "make_gallery.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


PICTURES = {picture.file.name: picture for picture in maker().pictures()}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_up_to_date(name: str) -> None:
    assert PICTURES[name].file.read_text("utf-8") == PICTURES[name].made(), "run make docs"


def test_every_picture_of_the_page_has_its_command() -> None:
    page = (FOLDER / "gallery.md").read_text("utf-8")
    drawn = re.findall(r"!\[[^\]]+\]\(images/(\S+)\)", page)
    assert [name for name in drawn if not name.startswith("page-")] == list(PICTURES)  # those of the page are taken
