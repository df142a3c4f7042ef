"""transcript.py PROGRAM: a session of the protocol's own client with `sightline mcp` about one of our samples, as Markdown. It takes the
finding with the largest gain, looks at its evidence and asks what its change would win. docs/agents-session.md is its output:

    cd CHECKOUT && tests/agents/.venv/bin/python tests/agents/transcript.py build/release/sightline > docs/agents-session.md
"""
import asyncio
import json
import sys
import textwrap

from mcp import Client, StdioServerParameters

SAMPLE = "samples/gpt_cuda"


def written(value):
    """JSON in lines of at most 150 characters, broken between members."""
    text = json.dumps(value, ensure_ascii=False)
    return "\n".join(textwrap.wrap(text, 150, break_long_words=False, break_on_hyphens=False))


class Session:
    def __init__(self, client):
        self.client, self.number = client, 0

    async def call(self, why, tool, **arguments):
        """Prints the call and its answer, which is returned."""
        self.number += 1
        result = await self.client.call_tool(tool, arguments)
        size = len(result.content[0].text.encode())
        print(f"## {self.number}. {why}\n\n`{tool}` with `{json.dumps(arguments)}` answers in {size:,} bytes:\n")
        print(f"```json\n{written(result.structured_content)}\n```\n")
        return result.structured_content


async def main(program):
    server = StdioServerParameters(command=program, args=["mcp", "--no-cache"])
    async with Client(server, mode="auto") as client:
        print(f"""# A session of an agent

The Model Context Protocol's own client (`mcp`, revision {client.protocol_version}) calls the [tools](agents.md) of `sightline mcp` about `{SAMPLE}`, a recording of a
small transformer on a GPU, as the page on agents advises. `tests/agents/transcript.py` prints this page; answers are complete and only broken into lines.
""")
        session = Session(client)
        await session.call("What is there?", "open", path=SAMPLE)
        diagnosis = await session.call("Why is it slow?", "diagnose", path=SAMPLE)
        finding = diagnosis["findings"][0]
        await session.call("The figures behind the first finding", "view", path=SAMPLE, evidence=finding["id"])
        change = finding.get("gain", {}).get("what_if", "host*0.5")
        await session.call("What would its change win?", "what_if", path=SAMPLE, changes=[change])


asyncio.run(main(sys.argv[1]))
