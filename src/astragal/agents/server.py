"""The protocol's server: tools, resources and prompts, with the API of each connection."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from mcp_types import Prompt as PromptListed
from mcp_types import Resource as ResourceListed
from mcp_types import Tool as ToolListed

from astragal import __version__
from astragal.agents.action_tools import ACTION_TOOLS
from astragal.agents.api import MAX_ANSWER, TOO_LARGE, Api
from astragal.agents.question_tools import QUESTION_TOOLS
from astragal.agents.reading_tools import READING_TOOLS
from astragal.agents.resources import RESOURCES, Resource, read_resource
from astragal.agents.texts import INSTRUCTIONS, NAME, PROMPTS, TITLE, Prompt
from astragal.errors import Illegal, Refusal, Unknown
from astragal.serve.problems import INTERNAL_ERROR as WENT_WRONG

TOOLS = {tool.name: tool for tool in (*QUESTION_TOOLS, *READING_TOOLS, *ACTION_TOOLS)}
MAX_ARGUMENT = 1000
"""Characters of a prompt's argument."""

_encode = msgspec.json.Encoder().encode


class AgentServer:
    """Answers assistants; ``api_of`` gives the API of a request's seat, ``report`` gets bugs."""

    def __init__(self, api_of: Callable[[Any], Api], report: Callable[[Exception], Any]) -> None:
        self._api_of = api_of
        self._report = report
        self.server: Server[Any] = Server(
            NAME,
            version=__version__,
            title=TITLE,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            get_tool_input_schema=lambda name: TOOLS[name].input_schema if name in TOOLS else None,
        )

    def _offers(self, context: Any, needs_seat: bool) -> bool:
        """True if a connection can use something: without a seat, only things that need none."""
        return not needs_seat or bool(self._api_of(context.request).table)

    # Tools.

    async def _list_tools(self, context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[_tool(tool.name) for tool in TOOLS.values() if self._offers(context, tool.seat)])

    async def _call_tool(self, context: Any, params: CallToolRequestParams) -> CallToolResult:
        """Call a tool. A refusal is a result with its sentence, so that the model can do better; so is a bug."""
        try:
            if params.name not in TOOLS:
                raise Unknown(f'There is no tool "{params.name[:40]}"; there are {", ".join(TOOLS)}.')
            tool = TOOLS[params.name]
            result = await tool.run(self._api_of(context.request), tool.read(params.arguments))
            text = _encode(result)
            if len(text) > MAX_ANSWER:
                raise Illegal(TOO_LARGE)
            return CallToolResult(content=[TextContent(text=text.decode())], structured_content=result)
        except Refusal as refusal:
            return _refused(refusal.public, refusal.kind)
        except Exception as error:
            self._report(error)
            return _refused(WENT_WRONG, "unavailable")

    # Resources.

    async def _list_resources(self, context: Any, params: Any) -> ListResourcesResult:
        found = [each for each in RESOURCES if not each.is_template and self._offers(context, each.seat)]
        return ListResourcesResult(resources=[ResourceListed(uri=each.address, **_about(each)) for each in found])

    async def _list_templates(self, context: Any, params: Any) -> ListResourceTemplatesResult:
        found = [each for each in RESOURCES if each.is_template and self._offers(context, each.seat)]
        listed = [ResourceTemplate(uri_template=each.address, **_about(each)) for each in found]
        return ListResourceTemplatesResult(resource_templates=listed)

    async def _read_resource(self, context: Any, params: ReadResourceRequestParams) -> ReadResourceResult:
        address = str(params.uri)
        text, media = await self._or_error(read_resource(self._api_of(context.request), address))
        return ReadResourceResult(contents=[TextResourceContents(uri=address, mime_type=media, text=text)])

    async def _or_error(self, work: Any) -> Any:
        """The result of work; refusals and bugs become errors of the protocol, each with a sentence."""
        try:
            return await work
        except Refusal as refusal:
            raise MCPError(INVALID_PARAMS, refusal.public, {"kind": refusal.kind}) from None
        except Exception as error:
            self._report(error)
            raise MCPError(INTERNAL_ERROR, WENT_WRONG) from None

    # Prompts.

    async def _list_prompts(self, context: Any, params: Any) -> ListPromptsResult:
        return ListPromptsResult(prompts=[_prompt(each) for each in PROMPTS])

    async def _get_prompt(self, context: Any, params: GetPromptRequestParams) -> GetPromptResult:
        text = await self._or_error(_filled(params.name, params.arguments or {}))
        return GetPromptResult(messages=[PromptMessage(role="user", content=TextContent(text=text))])


@cache
def _tool(name: str) -> ToolListed:
    """A tool in the list; made once, since its schemas are long."""
    tool = TOOLS[name]
    hints = ToolAnnotations(
        read_only_hint=not tool.acts, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    return ToolListed(
        name=tool.name,
        title=tool.title,
        description=tool.about,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=hints,
    )


def _refused(sentence: str, kind: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=sentence)], is_error=True, _meta={"astragal/kind": kind})


def _about(resource: Resource) -> dict[str, Any]:
    return {
        "name": resource.name,
        "title": resource.title,
        "description": resource.about,
        "mime_type": resource.media,
    }


def _prompt(prompt: Prompt) -> PromptListed:
    arguments = [PromptArgument(name=each.name, description=each.about, required=False) for each in prompt.arguments]
    return PromptListed(name=prompt.name, title=prompt.title, description=prompt.about, arguments=arguments)


async def _filled(name: str, arguments: dict[str, str]) -> str:
    """A prompt's text, followed by the person's arguments."""
    prompt = next((each for each in PROMPTS if each.name == name), None)
    if prompt is None:
        raise Unknown(f'There is no prompt "{name[:40]}"; there are {", ".join(each.name for each in PROMPTS)}.')
    known = [each.name for each in prompt.arguments]
    for given, text in arguments.items():
        if given not in known:
            raise Unknown(f'There is no argument "{given[:40]}" here; there are {", ".join(known)}.')
        if len(text) > MAX_ARGUMENT:
            raise Illegal(f"{given} has at most {MAX_ARGUMENT:,} characters.")
    said = [f"{each}: {arguments[each]}" for each in known if arguments.get(each)]
    return "\n\n".join((prompt.text, *said))
