// Makes dist/single/index.html: the page as one file with its script and styles, and a place where `sightline
// export --format html` puts the answers. Its content security policy allows only the scripts and styles whose
// hashes it contains, and no requests.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const made = await build({
  absWorkingDir: root,
  entryPoints: ["src/main.tsx"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: "dist/single",
  write: false,
  legalComments: "none",
});
const text = (end) => made.outputFiles.find((file) => file.path.endsWith(end)).text;
// No script or style may contain the end tag of its element.
const script = text(".js")
  .replace(/<\/(script)/gi, "<\\/$1")
  .replace(/<!--/g, "<\\!--");
const style = text(".css").replace(/<\/(style)/gi, "<\\/$1");
const theme = readFileSync(`${root}/public/theme.js`, "utf8");
const hash = (content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(theme)} ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const icon = Buffer.from(readFileSync(`${root}/public/icon.svg`)).toString("base64");

mkdirSync(`${root}/dist/single`, { recursive: true });
writeFileSync(
  `${root}/dist/single/index.html`,
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Sightline</title>
<link rel="icon" href="data:image/svg+xml;base64,${icon}">
<script>${theme}</script>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<script type="application/octet-stream" id="answers">@answers@</script>
<script>${script}</script>
</body>
</html>
`,
);
