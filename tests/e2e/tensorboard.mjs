// Real TensorBoards of the environments in build/python, and a proxy in front of one.
import { execFileSync, spawn } from "node:child_process";
import http from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listening } from "./browser.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Starts TensorBoard on a free port; returns its address, ending with `/`, and a function that ends it. */
export async function startTensorBoard(environment, folder, ...more) {
  execFileSync(
    join(root, ".venv/bin/python"),
    [join(root, "tools/wheel_environments"), environment],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const { PYTHONPATH: _, ...variables } = process.env;
  const child = spawn(
    join(root, "build/python", environment, "bin/tensorboard"),
    ["--logdir", folder, "--port", "0", ...more],
    { stdio: ["ignore", "pipe", "pipe"], env: variables },
  );
  const [, port, path] = await listening(
    child,
    /at http:\/\/\S+?:(\d+)(\/\S*)/,
    "TensorBoard",
  );
  const address = `http://127.0.0.1:${port}${path}`;
  return { address, stop: () => child.kill() };
}

/** A proxy that serves `target` below another path; returns its address, and a function that ends it. */
export async function startProxy(target, prefix) {
  const { hostname, port, pathname } = new URL(target);
  const server = http.createServer((request, response) => {
    if (!request.url.startsWith(prefix))
      return response.writeHead(404).end("outside");
    const { method } = request;
    const headers = { ...request.headers, "x-forwarded-host": "lab.example" };
    const path = pathname + request.url.slice(prefix.length);
    const onward = http.request(
      { hostname, port, path, method, headers },
      (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${server.address().port}${prefix}`,
    stop: () => server.close() && server.closeAllConnections(),
  };
}

/** Opens TensorBoard's Sightline tab; returns its frame once it is the program's page. Its console errors go to `complaints`. */
export async function openTab(page, address, complaints) {
  page.on("console", (message) => {
    if (
      message.type() === "error" &&
      message.location().url.includes("plugin/sightline")
    )
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${address}#sightline`);
  const own = (frame) => frame.url().includes("plugin/sightline/index.html");
  for (;;) {
    const frame = page.frames().find(own);
    if (frame) return frame;
    await page.waitForEvent("framenavigated");
  }
}
