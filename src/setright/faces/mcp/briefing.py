"""What assistants can read and be asked without a tool: the rules as resources, and two prompts."""

from urllib.parse import unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from setright.faces.mcp import lessons
from setright.faces.mcp.ledger import Ledger

RULES = "corrections://rules"
MARKDOWN = "text/markdown"
MOST_AGENT = 200

RESOURCES = types.ListResourcesResult(
    resources=[
        types.Resource(
            name="rules",
            title="Rules of every agent",
            uri=RULES,
            description="The briefing that every agent reads when a session starts: the rules in force for all agents.",
            mime_type=MARKDOWN,
        )
    ]
)
TEMPLATES = types.ListResourceTemplatesResult(
    resource_templates=[
        types.ResourceTemplate(
            name="rules-of-agent",
            title="Rules of one agent",
            uri_template=f"{RULES}/{{agent}}",
            description="The briefing of one agent: its own rules first, then every agent's.",
            mime_type=MARKDOWN,
        )
    ]
)
PROMPTS = types.ListPromptsResult(
    prompts=[
        types.Prompt(
            name="briefing",
            title="Read the rules",
            description="The rules in force, as an agent reads them when a session starts.",
            arguments=[
                types.PromptArgument(
                    name="agent",
                    description="The agent whose rules come first; empty: every agent's.",
                    required=False,
                )
            ],
        ),
        types.Prompt(
            name="record_correction",
            title="Record a correction",
            description="Have the assistant record what it was just corrected for.",
            arguments=[
                types.PromptArgument(
                    name="what_happened", description="What went wrong, in your words.", required=False
                )
            ],
        ),
    ]
)
ASK = (
    "Record what you were just corrected for with corrections_record: say in what_happened what you did, in expected "
    "what would have been right, and in rule one line that would keep it from happening again. Use noticed_by person, "
    "because a person corrected you. Then say which rule you recorded and whether it was one already."
)


async def read_resource(ledger: Ledger, uri: str) -> types.ReadResourceResult:
    """A briefing by its address; an address that is none is refused with it (-32602)."""
    agent = unquote(uri.removeprefix(f"{RULES}/")) if uri.startswith(f"{RULES}/") else ""
    if uri != RULES and not (1 <= len(agent) <= MOST_AGENT):
        raise MCPError(types.INVALID_PARAMS, f"There is no resource {uri[:200]}.", {"uri": uri[:200]})
    told = await lessons.briefing_of(ledger, agent)
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=told)]
    )


async def get_prompt(ledger: Ledger, name: str, given: dict[str, str]) -> types.GetPromptResult:
    """A prompt with its arguments filled in; what a person typed stands apart as data."""
    if name == "briefing":
        text = await lessons.briefing_of(ledger, given.get("agent", ""))
    elif name == "record_correction":
        said = given.get("what_happened", "").strip()
        text = f"{ASK}\n\nWhat happened, as the person said it: {said}" if said else ASK
    else:
        raise MCPError(
            types.INVALID_PARAMS, f"There is no prompt {name[:100]}; there are briefing, record_correction."
        )
    return types.GetPromptResult(
        messages=[types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))]
    )
