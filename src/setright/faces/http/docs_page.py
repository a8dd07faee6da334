"""The OpenAPI document as one page to read: no script, and nothing from elsewhere."""

import base64
import hashlib
import json
from collections.abc import Iterator
from html import escape
from typing import Any

Json = dict[str, Any]

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem 1.5rem 4rem; max-width: 62rem; }
h1 { margin: 1rem 0 0; } h2 { margin: 3rem 0 0; text-transform: capitalize; }
section { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: 1rem; }
h3 { margin: 0; font-size: 1.05rem; } h4 { margin: 1rem 0 .25rem; font-size: .9rem; }
code, pre { font: .875rem/1.45 ui-monospace, monospace; }
code.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
pre { background: var(--soft); border-radius: 6px; margin: .25rem 0; overflow-x: auto; padding: .75rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; font-size: .9rem; }
nav { columns: 26rem; margin-top: 1rem; } nav a { break-inside: avoid; display: block; } p { margin: .25rem 0; }
nav a, h3, td code { overflow-wrap: anywhere; } td:first-child { min-width: 10.5rem; }
summary { cursor: pointer; margin-top: .75rem; }
"""
POLICY = (
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    + "'"
)


def page(document: Json) -> bytes:
    """The whole page."""
    info = document["info"]
    body = [
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1>",
        f"<p>{escape(info['description'])}</p>",
        '<p>The same as a document for programs: <a href="/openapi.json">/openapi.json</a>.</p>',
        f"<nav>{''.join(_links(document))}</nav>",
        *_operations(document),
        *_models(document["components"]["schemas"]),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
    title = f"<title>{escape(info['title'])}: the HTTP API</title>"
    return f'<!doctype html><html lang="en"><head>{head}{title}</head><body>{"".join(body)}</body></html>'.encode()


def _each(document: Json) -> Iterator[tuple[str, str, str, Json]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield operation["tags"][0], method.upper(), path, operation


def _links(document: Json) -> Iterator[str]:
    for _, method, path, operation in _each(document):
        yield f'<a href="#{escape(operation["operationId"])}"><code>{method} {escape(path)}</code></a>'


def _operations(document: Json) -> Iterator[str]:
    heading = ""
    for tag, method, path, operation in _each(document):
        if tag != heading:
            heading = tag
            yield f"<h2>{escape(tag)}</h2>"
        yield f'<section id="{escape(operation["operationId"])}">'
        yield f'<h3><code class="method">{method}</code> <code>{escape(path)}</code></h3>'
        yield f"<p>{escape(operation['summary'])} {_marked(operation.get('description', ''))}</p>"
        yield from _parameters(operation.get("parameters", []))
        if "requestBody" in operation:
            yield from _content("Body", operation["requestBody"]["content"])
        yield from _answers(operation["responses"])
        yield "</section>"


def _parameters(parameters: list[Json]) -> Iterator[str]:
    if not parameters:
        return
    rows = "".join(
        f"<tr><td><code>{escape(one['name'])}</code></td><td>{escape(one['in'])}</td>"
        f"<td>{_type(one['schema'])}</td><td>{escape(one.get('description', ''))}</td></tr>"
        for one in parameters
    )
    yield f"<h4>Parameters</h4><table>{rows}</table>"


def _content(title: str, content: Json) -> Iterator[str]:
    for kind, entry in content.items():
        yield f"<h4>{escape(title.rstrip('.'))}: {_type(entry.get('schema', {})) or escape(kind)}</h4>"
        if "example" in entry:
            yield f"<pre>{escape(json.dumps(entry['example'], indent=2, ensure_ascii=False))}</pre>"


def _answers(responses: Json) -> Iterator[str]:
    good = {status: entry for status, entry in responses.items() if status < "400"}
    for status, entry in good.items():
        yield from _content(f"{status} {entry['description']}", entry.get("content", {"": {}}))
    rows = "".join(
        f"<tr><td>{status}</td><td>{_marked(entry['description'])}</td></tr>"
        for status, entry in responses.items()
        if status not in good
    )
    yield f"<details><summary>Refusals</summary><table>{rows}</table></details>"


def _models(schemas: Json) -> Iterator[str]:
    yield "<h2>Objects</h2>"
    for name, schema in schemas.items():
        yield f'<section id="{escape(name)}"><h3>{escape(name)}</h3><p>{escape(schema.get("description", ""))}</p>'
        required = schema.get("required", [])
        rows = "".join(
            f"<tr><td><code>{escape(field)}</code></td><td>{_type(inner)}</td>"
            f"<td>{'required' if field in required else ''}</td><td>{escape(inner.get('description', ''))}</td></tr>"
            for field, inner in schema.get("properties", {}).items()
        )
        yield f"<table>{rows}</table></section>"


def _type(schema: Json) -> str:
    """A schema in a few words, with links to the objects that it names."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(choice) for choice in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return ", ".join(
            f"<code>{escape(str(word))}</code>" for word in schema.get("enum", [schema.get("const")])
        )
    if schema.get("type") == "array":
        return f"array of {_type(schema.get('items', {})) or 'anything'}{_bounds(schema)}"
    if schema.get("type") == "object" and "data" in schema.get("properties", {}):
        return f"a page of {_type(schema['properties']['data']['items'])}"
    return f"{escape(str(schema.get('format', schema.get('type', 'any JSON'))))}{_bounds(schema)}"


def _bounds(schema: Json) -> str:
    low = schema.get("minimum", schema.get("minLength", schema.get("minItems")))
    high = schema.get("maximum", schema.get("maxLength", schema.get("maxItems", schema.get("maxProperties"))))
    if low is None and high is None:
        return ""
    if high is None:
        return f" ({low} or more)"
    return f" (at most {high})" if low is None else f" ({low}–{high})"  # noqa: RUF001


def _marked(text: str) -> str:
    """Text with what stands in backquotes as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))
