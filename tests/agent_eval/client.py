"""A client of `sightline mcp` by hand: JSON-RPC on its stdin and stdout, revision 2026-07-28 (no handshake)."""
import json
import subprocess

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Client:
    """The tools of one program. `calls` and `bytes` count what was asked and answered."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([str(program), "mcp", *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.id = self.calls = self.bytes = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def request(self, method, **params):
        self.id += 1
        message = {"jsonrpc": "2.0", "id": self.id, "method": method, "params": {**params, "_meta": META}}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self.id, answer
        return answer

    def text(self, tool, **arguments):
        """The text of the tool's answer, as an agent reads it."""
        text = self.request("tools/call", name=tool, arguments=arguments)["result"]["content"][0]["text"]
        self.calls += 1
        self.bytes += len(text.encode())
        return text

    def call(self, tool, **arguments):
        return json.loads(self.text(tool, **arguments))
