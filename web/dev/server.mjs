// The fixture server: serves dist and hand-made reports, so that the page can be worked on and tested
// without the program. It sends the strict headers the program sends. `node dev/server.mjs [port]
// [program]`; with a program's address, its reports are served under the page in dist instead.
// Runs: resnet50 (every kind of panel), huge (100,000 rows), torn (failed), slow (loads while polled),
// bare (no device, empty tables). POST /dev/finish lets the slow run become ready.
import { createReadStream, existsSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { makeState } from "./fixtures/state.mjs";
import { makeReport, makeRows } from "./fixtures/reports.mjs";
import { toCsv } from "./fixtures/csv.mjs";
import { timelineRoute } from "./fixtures/timeline.mjs";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const types = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html" };
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'";

function sendJson(request, response, status, body) {
  const text = JSON.stringify(body);
  const zipped = /gzip/.test(request.headers["accept-encoding"] ?? "");
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    ...(zipped ? { "content-encoding": "gzip" } : {}),
  });
  response.end(zipped ? gzipSync(text, { level: 1 }) : text);
}

async function bodyOf(request) {
  let text = "";
  for await (const part of request) text += part;
  return text;
}

function sendReport(request, response, query, state) {
  const answer = makeReport(query, state);
  if (answer.error) return sendJson(request, response, answer.status, { error: answer.error });
  if (query.get("format") !== "csv") return sendJson(request, response, 200, answer.report);
  const table = answer.report.tables[query.get("table")];
  if (!table)
    return sendJson(request, response, 404, { error: { code: "no_table", message: "No such table." } });
  response.writeHead(200, { "content-type": "text/csv; charset=utf-8" });
  response.end(toCsv(table));
}

function sendFile(response, path) {
  const file = normalize(join(dist, path === "/" || !/\./.test(path) ? "/index.html" : path));
  if (!file.startsWith(dist) || !existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  const headers = { "content-type": types[extname(file)] ?? "application/octet-stream" };
  if (file.endsWith(".html")) headers["content-security-policy"] = policy;
  response.writeHead(200, headers);
  createReadStream(file).pipe(response);
}

/** Forwards a request to the real program, so that a new page can be tried without building it into the program. */
function pass(request, response, program) {
  const onward = ask(new URL(request.url, program), { headers: { accept: "application/json" } }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.writeHead(502).end());
  onward.end();
}

/** Returns the server once it listens; `only` restricts it to some runs. Port 0: any free port. */
export function startFixtures({ port = 0, only = null, prefix = "", program = null } = {}) {
  const progress = { polls: 0, finished: false };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    if (!url.pathname.startsWith(prefix)) return response.writeHead(404).end();
    const path = url.pathname.slice(prefix.length);
    if (program && path.startsWith("/api/")) return pass(request, response, program);
    if (path === "/dev/finish") {
      progress.finished = true;
      return response.writeHead(204).end();
    }
    if (path === "/api/state") {
      progress.polls++;
      return sendJson(request, response, 200, makeState(progress, only));
    }
    if (path === "/api/report")
      return sendReport(request, response, url.searchParams, makeState(progress, only));
    if (path === "/api/table") {
      const { rows, status, error } = makeRows(url.searchParams);
      return sendJson(request, response, status ?? 200, rows ?? { error });
    }
    if (path === "/api/capture") return sendJson(request, response, 200, { folder: null });
    if (path === "/api/open")
      return sendJson(request, response, 200, {
        files: false,
        paths: false,
        room: 0,
        uploads: [],
        recent: [],
      });
    const answer = timelineRoute(path, url.searchParams, request.method, await bodyOf(request));
    if (answer?.bytes) {
      response.writeHead(200, { "content-type": "application/octet-stream", "cache-control": "no-store" });
      return response.end(answer.bytes);
    }
    if (answer) return sendJson(request, response, 200, answer.json);
    return sendFile(response, path);
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!existsSync(join(dist, "index.html"))) {
    console.error("web/dist is absent: run `npm run build` first");
    process.exit(1);
  }
  const server = await startFixtures({ port: Number(process.argv[2] ?? 8790), program: process.argv[3] });
  console.log(`fixtures at http://127.0.0.1:${server.address().port}/`);
}
