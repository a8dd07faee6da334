"""Who issues tokens for /mcp, on the wire; the names are those of RFC 9728."""

from pydantic import BaseModel, Field


class Resource(BaseModel):
    """The metadata of /mcp as a protected resource."""

    resource: str = Field(description="The exact address of /mcp.")
    authorization_servers: list[str] = Field(description="The issuer, letter for letter as it calls itself.")
    bearer_methods_supported: list[str]
    resource_name: str
    scopes_supported: list[str] | None = Field(
        default=None, description="Scopes by the issuer's names; absent: its tokens are not narrowed by any."
    )
