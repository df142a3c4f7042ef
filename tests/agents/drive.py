"""drive.py PROGRAM MODE PATH [TOKEN]: drives `sightline mcp` (or, if PROGRAM is an address, the server there) with the protocol's own
client, and prints what it got as one JSON object.

MODE is how the client negotiates the version: auto, legacy, or a version. Runs in tests/agents/.venv.
"""
import asyncio
import json
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


def server_at(program, token):
    if not program.startswith("http"):
        return StdioServerParameters(command=program, args=["mcp", "--no-cache"])
    return streamable_http_client(program, http_client=httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=120))


async def main(program, mode, path, token=""):
    server = server_at(program, token)
    got = {"errors": []}
    async with Client(server, mode=mode) as client:
        got["version"] = client.protocol_version
        got["instructions"] = client.instructions
        tools = (await client.list_tools()).tools
        got["tools"] = [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]
        for name, arguments in [
            ("open", {"path": path}),
            ("diagnose", {"path": path}),
            ("view", {"path": path, "view": "overview", "table": "bounds", "rows": 3}),
            ("view", {"path": path, "evidence": "overview/bounds#0"}),
            ("query", {"path": path, "sql": "SELECT count(*) AS n FROM slices"}),
            ("window", {"path": path, "start_ns": 0, "end_ns": 1_000_000}),
            ("view", {"path": path, "view": "nothing"}),
            ("diagnose", {"path": path, "step": 3}),
        ]:
            result = await client.call_tool(name, arguments)  # the client checks structured content against the tool's schema
            got.setdefault("answers", []).append(
                {"tool": name, "error": bool(result.is_error), "text": result.content[0].text, "structured": result.structured_content}
            )
        try:
            await client.call_tool("nothing", {})
        except Exception as error:  # noqa: BLE001 - the client's own kind of error
            got["errors"].append(str(error))
    print(json.dumps(got))


asyncio.run(main(*sys.argv[1:]))
