"""The page about assistants lists every tool, resource and prompt as the server does."""

from __future__ import annotations

from pathlib import Path

from astragal.agents.resources import RESOURCES
from astragal.agents.server import TOOLS
from astragal.agents.texts import PROMPTS
from astragal.cli.commands.serve import LINK

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")


def test_every_tool_is_on_the_page() -> None:
    for tool in TOOLS.values():
        acts = "; acts, once for each key" if tool.acts else ""
        assert f"| `{tool.name}` | {'a seat' if tool.seat else 'everybody'} | {tool.title}{acts} |" in PAGE


def test_every_resource_and_prompt_is_on_the_page() -> None:
    for resource in RESOURCES:
        whom = "a seat" if resource.seat else "everybody"
        assert f"| `{resource.address}` | {whom} | {resource.about} |" in PAGE
    for prompt in PROMPTS:
        assert f"| `{prompt.name}` | {prompt.about} |" in PAGE


def test_nothing_is_on_the_page_that_is_not_there() -> None:
    rows = [line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    known = {*TOOLS, *(resource.address for resource in RESOURCES), *(prompt.name for prompt in PROMPTS)}
    assert {row for row in rows if not row.startswith("astragal mcp")} == known
    assert LINK in PAGE
