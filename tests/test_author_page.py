"""docs/author.md lists everything that authors import, with all its parts, and every action of a sample."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from astragal import author
from astragal.rule.inputs.input import Input, Summed
from astragal.table.action import Action

DOCS = Path(__file__).parent.parent / "docs"
PAGE = "".join((DOCS / name).read_text("utf-8") for name in ("author.md", "author-table.md"))
PAGE = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)  # their signs are not those around names
ROWS = [line for line in PAGE.splitlines() if line.startswith("| `")]

ACTIONS = [row for row in PAGE.partition("## The actions of a sample")[2].splitlines() if row.startswith("| `")]


def names_in(text: str) -> set[str]:
    """Every word that stands in backticks, alone or before brackets."""
    return {word for code in re.findall(r"`([^`]+)`", text) for word in re.findall(r"\w+", code)}


@pytest.mark.parametrize("name", author.__all__)
def test_every_name_is_on_the_page_with_all_its_parts(name: str) -> None:
    assert name in names_in(PAGE)
    row = next((row for row in ROWS if row.startswith(f"| `{name}` ")), "")
    if row:
        assert [part for part in getattr(getattr(author, name), "_fields", ()) if part not in names_in(row)] == []


def test_every_tuple_with_parts_has_a_row_of_its_own() -> None:
    parts = [name for name in author.__all__ if getattr(getattr(author, name), "_fields", ())]
    bare = [name for name in parts if not any(row.startswith(f"| `{name}` ") for row in ROWS)]
    assert bare == []


def test_everything_that_an_input_may_say_is_on_the_page() -> None:
    said = {*Input.__init__.__annotations__, *Summed.__init__.__annotations__} - {"return", "more"}
    assert sorted(said - names_in(PAGE)) == []


@pytest.mark.parametrize("action", get_args(Action), ids=lambda action: str(action.__struct_config__.tag))
def test_every_action_of_a_sample_is_on_the_page_with_all_its_parts(action: Any) -> None:
    tag = str(action.__struct_config__.tag)
    words = names_in(next(row for row in ACTIONS if tag in names_in(row.split("|")[1])))
    if tag == "open":  # as roll, says its row
        words |= names_in(next(row for row in ACTIONS if row.startswith("| `roll` |")))
    assert [field.name for field in msgspec.structs.fields(action) if field.name not in words] == []


HOOKS = PAGE.partition("| hook |")[2].partition("\n\n")[0]
SIGNATURE = re.compile(r"`(\w+)\(([^)`]*)\)`")


@pytest.mark.parametrize("hook", author.TableRules._fields)
def test_every_hook_is_on_the_page_with_its_signature(hook: str) -> None:
    signatures = {name: given.split(", ") for name, given in SIGNATURE.findall(HOOKS)}
    assert hook in names_in(HOOKS)
    takes, *_ = get_args(get_type_hints(author.TableRules)[hook]) or (None,)
    assert len(signatures.get(hook, ())) == (len(takes) if isinstance(takes, list) else 0)


def test_every_function_is_on_the_page_with_what_it_takes() -> None:
    signatures: dict[str, list[str]] = {}
    for name, given in SIGNATURE.findall("".join(row.split("|")[1] for row in ROWS)):
        signatures.setdefault(name, [part.strip("*") for part in given.split(", ") if part])
    for name in author.__all__:
        if inspect.isfunction(function := getattr(author, name)):
            parameters = inspect.signature(function).parameters
            required = [each.name for each in parameters.values() if each.default is each.empty and each.kind < 4]
            assert signatures[name][: len(required)] == required, name
            assert set(signatures[name]) <= set(parameters), name
