// Which texts are frames, where they lead, and that a name in a trace can choose neither scheme nor host.
import assert from "node:assert/strict";
import { test } from "node:test";
import { kPatterns, parseFrame, patternProblem, sourceLink } from "./source_links";

const code = { sourcePattern: "vscode://file/{path}:{line}", pathMap: "" };
const frame = (path: string, line = 12) => ({ path, line });

test("frames are file(line): function, and file:line", () => {
  assert.deepEqual(parseFrame("/a b/model.py(12): forward"), { path: "/a b/model.py", line: 12 });
  assert.deepEqual(parseFrame("torch/nn/modules/module.py(1501): _call_impl;main.py(3): <module>"), {
    path: "torch/nn/modules/module.py",
    line: 1501,
  });
  assert.deepEqual(parseFrame("C:\\work\\train.py(7): main"), { path: "C:\\work\\train.py", line: 7 });
  assert.deepEqual(parseFrame("src/op.cpp:44"), { path: "src/op.cpp", line: 44 });
  assert.deepEqual(parseFrame("/x/op.cpp:44: run"), { path: "/x/op.cpp", line: 44 });
});

test("names that are no frames", () => {
  for (const text of [
    "aten::mm",
    "<string>(1): <lambda>",
    "<frozen importlib._bootstrap>(1000): _find",
    "void kernel<float, 4>(int, float)",
    "nn.Module: Linear_0",
    "<built-in method add of type object at 0x7f>",
    "ampere_sgemm_128x64_tn",
    "",
  ]) {
    assert.equal(parseFrame(text), null, text);
  }
});

test("an absolute path opens in the editor, its odd characters escaped", () => {
  assert.equal(sourceLink(frame("/home/me/a b#1?.py"), code), "vscode://file/home/me/a%20b%231%3F.py:12");
  assert.equal(sourceLink(frame("C:\\work\\train.py"), code), "vscode://file/C:/work/train.py:12");
  const idea = { ...code, sourcePattern: "idea://open?file={path}&line={line}" };
  assert.equal(sourceLink(frame("/a&b=c.py"), idea), "idea://open?file=/a%26b%3Dc.py&line=12");
});

test("a relative path stays text until a rule makes it absolute", () => {
  assert.equal(sourceLink(frame("model.py"), code), null);
  assert.equal(sourceLink(frame("model.py"), { ...code, pathMap: " => src/" }), null);
  assert.equal(
    sourceLink(frame("model.py"), { ...code, pathMap: "=> /home/me/" }),
    "vscode://file/home/me/model.py:12",
  );
});

test("the first rule whose prefix matches applies", () => {
  const pathMap = "/job/src => /home/me/repo\n/job => /elsewhere\nnonsense\n=> /home/me/";
  assert.equal(
    sourceLink(frame("/job/src/a.py"), { ...code, pathMap }),
    "vscode://file/home/me/repo/a.py:12",
  );
  assert.equal(sourceLink(frame("/job/b.py"), { ...code, pathMap }), "vscode://file/elsewhere/b.py:12");
  assert.equal(sourceLink(frame("/opt/c.py"), { ...code, pathMap }), "vscode://file/opt/c.py:12");
});

test("a web site accepts mapped paths that are not absolute", () => {
  const web = { sourcePattern: "https://host.example/blob/main/{path}#L{line}", pathMap: "/job/ =>" };
  assert.equal(sourceLink(frame("/job/a.py"), web), "https://host.example/blob/main/a.py#L12");
  assert.equal(sourceLink(frame("a.py"), web), null);
});

test("no links when there is no pattern", () => {
  assert.equal(sourceLink(frame("/a.py"), { sourcePattern: "", pathMap: "" }), null);
});

test("only known schemes, and a host before the gaps", () => {
  for (const [, pattern] of kPatterns) assert.equal(patternProblem(pattern), null);
  for (const pattern of [
    "javascript://x/{path}",
    "javascript:alert(1)//{path}",
    "JavaScript://%0aalert(1)/{path}",
    "data://text/html,{path}",
    "file:///{path}",
    "{path}",
    " javascript://x/{path}",
    "vscode:{path}",
  ]) {
    assert.equal(patternProblem(pattern), "scheme", pattern);
    assert.equal(sourceLink(frame("/a.py"), { sourcePattern: pattern, pathMap: "" }), null, pattern);
  }
  for (const pattern of [
    "https://{path}",
    "https://host{path}",
    "https://{path}.evil/",
    "https://me@{path}/x",
  ]) {
    assert.equal(patternProblem(pattern), "host", pattern);
    assert.equal(sourceLink(frame("/a.py"), { sourcePattern: pattern, pathMap: "" }), null, pattern);
  }
  assert.equal(patternProblem("vscode://file/x"), "gap");
});

test("a path in a trace cannot leave its gap", () => {
  const paths = [
    "javascript:alert(1).py",
    "/{line}{path}.py",
    "//evil.example/x.py",
    '/"><img src=x>.py',
    "/a\nb.py",
  ];
  for (const path of paths) {
    const link = sourceLink(frame(path), { ...code, pathMap: "=> /r/" });
    assert.match(link ?? "", /^vscode:\/\/file\/[\w%./:()-]+:12$/, path);
  }
  const web = { sourcePattern: "https://host.example/{path}", pathMap: "" };
  assert.equal(new URL(sourceLink(frame("//evil.example/x.py"), web) ?? "").host, "host.example");
});
