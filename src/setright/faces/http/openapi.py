"""The OpenAPI 3.1 document, made from the table of routes and the models in it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast
from urllib.parse import parse_qsl

from pydantic.json_schema import models_json_schema

from setright import __version__
from setright.app.catalog import Operation
from setright.app.keys import MOST_KEY
from setright.faces.http.codes import kinds_by_code
from setright.faces.http.envelope import STATUS
from setright.faces.http.openapi_words import HEADERS, REASONS
from setright.faces.http.route import Nothing, OpenRoute, Route
from setright.faces.http.samples import AT
from setright.faces.http.schemas import ErrorEnvelope
from setright.faces.http.show import Done, Either, Fed, Handed, Headed, Listed, One, Show, Tagged
from setright.kernel.json import MAX_INTEGER

Json = dict[str, Any]

REF = "#/components/schemas/{model}"
ABOUT = (
    "The corrections ledger for AI agents: correct it once, and it stays right. "
    "Every error answer has one form; times are RFC 3339 in UTC; fields without a value are absent, never null."
)
EVERYWHERE = ("invalid-request", "misdirected-host", "not-acceptable", "headers-too-large", "internal-error")
WITH_TOKEN = (
    "invalid-path",
    "invalid-parameter",
    "unknown-parameter",
    "auth-missing",
    "auth-invalid",
    "auth-expired",
    "auth-revoked",
    "rate-limited",
    "storage-unavailable",
    "server-stopping",
)
LISTING = ("invalid-cursor",)
WRITING = (
    "invalid-body",
    "unknown-field",
    "origin-not-allowed",
    "unsupported-media-type",
    "request-too-large",
    "idempotency-key-body-mismatch",
    "idempotency-key-in-flight",
    "idempotency-key-replay-withheld",
    "idempotency-store-unavailable",
)


def document(routes: Iterable[Route | OpenRoute]) -> Json:
    """The whole document."""
    table = list(routes)
    schemas, refs = _schemas(table)
    paths: dict[str, Json] = {}
    for route in table:
        item = _operation(route, refs) if isinstance(route, Route) else _open_operation(route, refs)
        paths.setdefault(route.path, {})[route.method.lower()] = item
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Setright",
            "version": __version__,
            "description": ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "tags": [{"name": name} for name in dict.fromkeys(route.tag for route in table)],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "headers": HEADERS,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token (srt_...) or a session (srs_...).",
                }
            },
        },
    }


def _schemas(routes: list[Route | OpenRoute]) -> tuple[Json, Mapping[Any, Json]]:
    """The schemas of all models, and where each model stands."""
    inputs = dict.fromkeys(route.body for route in routes if route.body is not None)
    others = [
        route.show.answers for route in routes if isinstance(route, Route) and isinstance(route.show, Either)
    ]
    answers = dict.fromkeys(
        [ErrorEnvelope, *(route.answers for route in routes if route.answers is not None), *others]
    )
    wanted: list[Any] = [
        *((model, "validation") for model in inputs),
        *((model, "validation") for model in answers),
    ]
    refs, whole = models_json_schema(wanted, ref_template=REF)
    return _tidy(whole["$defs"]), {model: ref for (model, _), ref in refs.items()}


def _tidy(value: object) -> Any:
    """Without what pydantic adds and nobody reads: titles of fields, and `null` as the default of what may be absent."""
    if isinstance(value, list):
        return [_tidy(entry) for entry in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    return {
        name: {inner: _tidy(schema) for inner, schema in entry.items()}
        if name == "properties"
        else _tidy(entry)
        for name, entry in cast("Json", value).items()
        if not (name == "title" and isinstance(entry, str)) and not (name == "default" and entry is None)
    }


def _operation(route: Route, refs: Mapping[Any, Json]) -> Json:
    writes = route.writes
    made: Json = {
        "operationId": route.name,
        "tags": [route.tag],
        "summary": route.summary,
        "description": _needs_and_more(route),
        "parameters": [*_path_parameters(route), *_query_parameters(route), *_header_parameters(route)],
        "responses": {**_successes(route, refs), **_failures(codes_of(route))},
    }
    if not made["parameters"]:
        del made["parameters"]
    if writes and route.body is not None:
        content: Json = {"schema": refs[route.body]}
        if route.example.body is not None:
            content["example"] = route.example.body
        made["requestBody"] = {"required": not route.optional_body, "content": {"application/json": content}}
    return made


def _needs_and_more(route: Route) -> str:
    scope = route.does.scope
    needs = f"Needs the scope `{scope}`." if scope else "Needs any valid token."
    return f"{route.more} {needs}".strip()


def codes_of(route: Route) -> list[str]:
    """Every code with which a route may refuse."""
    codes = [*EVERYWHERE, *WITH_TOKEN]
    if route.writes:
        codes += WRITING
    if isinstance(route.does, Operation) or route.does.scope:
        codes.append("scope-missing")
    if isinstance(route.show, (Listed, Headed, Fed)):
        codes += LISTING
    return [*codes, *route.refuses]


_NUMBER: Json = {"type": "integer", "minimum": 1, "maximum": MAX_INTEGER}


def _path_parameters(route: Route) -> list[Json]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": _NUMBER if name in route.numbers else {"type": "string", "minLength": 1},
            "example": int(route.example.path[name]) if name in route.numbers else route.example.path[name],
        }
        for name in route.parameters
    ]


def _query_parameters(route: Route) -> list[Json]:
    if route.query is Nothing:
        return []
    whole = _tidy(route.query.model_json_schema())
    examples: dict[str, list[str]] = {}
    for name, text in parse_qsl(route.example.query):
        examples.setdefault(name, []).append(text)
    needed = whole.get("required", ())
    return [
        _query_parameter(name, schema, examples.get(name), required=name in needed)
        for name, schema in whole["properties"].items()
    ]


def _query_parameter(name: str, schema: Json, given: list[str] | None, *, required: bool) -> Json:
    schema = _not_null(schema)
    made: Json = {"name": name, "in": "query", "required": required}
    if "description" in schema:
        made["description"] = schema.pop("description")
    made["schema"] = schema
    if schema.get("type") == "array":
        made |= {"style": "form", "explode": True}
    if given is not None:
        many, number = schema.get("type") == "array", schema.get("type") == "integer"
        made["example"] = given if many else int(given[0]) if number else given[0]
    return made


def _not_null(schema: Json) -> Json:
    """A parameter is there or it is not; `null` is nothing that a query string can say."""
    choices: list[Json] = schema.get("anyOf", [])
    real = [choice for choice in choices if choice != {"type": "null"}]
    if len(real) != 1:
        return schema
    return {**{name: entry for name, entry in schema.items() if name != "anyOf"}, **real[0]}


def _header_parameters(route: Route) -> list[Json]:
    if route.writes:
        meaning = "The same key with the same body again within 24 hours gives the first answer again, byte by byte."
        schema: Json = {
            "type": "string",
            "minLength": 1,
            "maxLength": MOST_KEY,
            "pattern": "^[!-~]([ -~]*[!-~])?$",
        }
        match = (
            "An ETag that you have: 412 when the thing was changed since."
            if route.method == "PATCH"
            else None
        )
        return [
            _header_parameter("Idempotency-Key", meaning, schema),
            *([_header_parameter("If-Match", match, {"type": "string"})] if match else []),
        ]
    if _may_be_known(route):
        return [
            _header_parameter(
                "If-None-Match", "An ETag that you have: 304 while nothing changed.", {"type": "string"}
            )
        ]
    return []


def _header_parameter(name: str, meaning: str, schema: Json) -> Json:
    return {"name": name, "in": "header", "required": False, "description": meaning, "schema": schema}


def _successes(route: Route, refs: Mapping[Any, Json]) -> Json:
    show = route.show
    if isinstance(show, Either):
        example = replace(route.example, answer=show.example)
        other = replace(route, show=show.other, answers=show.answers, example=example)
        return _successes(replace(route, show=show.one), refs) | _successes(other, refs)
    if isinstance(show, Done) or route.answers is None:
        return {"204": {"description": "Done.", "headers": _sent("X-Request-Id")}}
    schema = refs[route.answers]
    example = route.example.answer
    headers = ["X-Request-Id", *_tag(show)]
    statuses = ["200"]
    if isinstance(show, (Listed, Fed)):
        schema = _page(schema, cursor=isinstance(show, Listed))
        example = {"data": [example], "hasMore": False}
    elif isinstance(show, One):
        statuses = [str(show.status)] if isinstance(show.status, int) else [str(one) for one in show.statuses]
    elif isinstance(show, Handed):
        statuses = ["201"]
    if route.writes:
        headers.append("Idempotent-Replay")
    content = {"application/json": {"schema": schema, "example": example}}
    made: Json = {}
    for status in statuses:
        stands = status in ("201", "202") and not isinstance(show, Handed)
        own = [*headers, "Location"] if stands else headers
        made[status] = {"description": _GOOD[status], "headers": _sent(*own), "content": content}
    if isinstance(show, Handed):
        made |= _nothing_handed(headers)
    if _may_be_known(route):
        made["304"] = {
            "description": "Nothing changed since the ETag that you have.",
            "headers": _sent("ETag"),
        }
    return made


def _may_be_known(route: Route) -> bool:
    """Whether an answer may be left out because the caller has it already."""
    return bool(_tag(route.show)) and not isinstance(route.does, Operation)


def _tag(show: Show) -> list[str]:
    """The header that names the state of what is shown, if there is one."""
    stamped = isinstance(show, Tagged) or (isinstance(show, One) and show.stamp is not None)
    return ["ETag"] if stamped else []


_GOOD = {"200": "The answer.", "201": "Recorded.", "202": "Held until its run finishes."}


def _nothing_handed(headers: list[str]) -> Json:
    """What is answered where nothing is handed out, or not yet."""
    looked: Json = {"lookedUntil": {"type": "string", "format": "date-time"}}
    schema: Json = {"type": "object", "required": list(looked), "properties": looked}
    content: Json = {"application/json": {"schema": schema, "example": {"lookedUntil": AT}}}
    return {
        "202": {
            "description": "Nothing was found so far, and the search is not at its end: ask again at once.",
            "headers": _sent(*headers),
            "content": content,
        },
        "204": {"description": "There is nothing for you now.", "headers": _sent(*headers)},
    }


def _page(entry: Json, *, cursor: bool) -> Json:
    properties: Json = {"data": {"type": "array", "items": entry}}
    if cursor:
        properties["nextCursor"] = {
            "type": "string",
            "description": "cursor of the next page; absent at the end.",
        }
    properties["hasMore"] = {"type": "boolean"}
    return {"type": "object", "required": ["data", "hasMore"], "properties": properties}


def _failures(codes: Iterable[str]) -> Json:
    by_status: dict[int, list[str]] = {}
    kinds = kinds_by_code()
    for code in codes:
        by_status.setdefault(STATUS[kinds[code]], []).append(code)
    return {str(status): _failure(status, by_status[status]) for status in sorted(by_status)}


def _failure(status: int, codes: list[str]) -> Json:
    example = {
        "error": {"code": codes[0], "message": REASONS[status], "requestId": "req_01KE5MCQ800000000000000005"}
    }
    headers = ["X-Request-Id", *(["Retry-After"] if status in (429, 503) else [])]
    headers += ["WWW-Authenticate"] if status == 401 else []
    return {
        "description": f"{REASONS[status]} Codes: {', '.join(f'`{code}`' for code in codes)}.",
        "headers": _sent(*headers),
        "content": {
            "application/json": {"schema": {"$ref": REF.format(model="ErrorEnvelope")}, "example": example},
        },
    }


def _sent(*names: str) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _open_operation(route: OpenRoute, refs: Mapping[Any, Json]) -> Json:
    schema: Json = {"type": "string"} if route.produces != "application/json" else {"type": "object"}
    media = route.produces.partition(";")[0]
    content: Json = {media: {"schema": refs[route.answers] if route.answers else schema}}
    made: Json = {"operationId": route.name, "tags": [route.tag], "summary": route.summary}
    headers = ["X-Request-Id"]
    if route.more:
        made["description"] = route.more
    if route.body is not None:
        sent: Json = {"schema": refs[route.body], "example": route.example.body}
        made["requestBody"] = {"required": True, "content": {media: sent}}
        content[media]["example"] = route.example.answer
        headers.append("Location")
    answer = {"description": "The answer.", "headers": _sent(*headers), "content": content}
    return {
        **made,
        "security": [{}, {"token": []}] if "auth-missing" in route.refuses else [],
        "responses": {
            "200" if route.body is None else "201": answer,
            **_failures([*EVERYWHERE, *route.refuses]),
        },
    }
