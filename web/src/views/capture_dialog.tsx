// Recording from the page: framework, process and options; then the progress, and the result. New recordings
// appear among the profiles automatically. The server records, so closing the dialog does not stop it.
import { useEffect, useState } from "preact/hooks";
import {
  beginCapture,
  capture as captureAtom,
  lookAtCapture,
  stopCapture,
  type CaptureRequest,
  type CaptureTarget,
} from "../api/capture";
import { errorText } from "../api/client";
import { server } from "../api/profiles";
import { translateIn } from "../base/translate";
import { fill, words } from "../base/words";
import { closeFloat, openFloat } from "../widgets/float";
import { useAtom } from "../widgets/hooks";
import { goToProfile } from "./navigate";

const kLook = 500; // ms between two polls of a running capture
const kAll = 0;

type Way = "torch" | "xla" | "http";

function Field(props: { label: string; value: string; hint?: string; put: (value: string) => void }) {
  return (
    <label>
      <span class="muted">{props.label}</span>
      <input
        class="field code"
        type="text"
        spellcheck={false}
        aria-label={props.label}
        placeholder={props.hint}
        value={props.value}
        onInput={(event) => props.put(event.currentTarget.value)}
      />
    </label>
  );
}

function Check(props: { label: string; value: boolean; put: (value: boolean) => void }) {
  return (
    <label class="capture-check">
      <input
        type="checkbox"
        checked={props.value}
        onChange={(event) => props.put(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}

function Targets(props: { targets: CaptureTarget[]; pid: number; put: (pid: number) => void }) {
  const say = words.capture;
  const choice = (pid: number, text: string, more: string) => (
    <label class="capture-target" key={pid}>
      <input type="radio" name="target" checked={props.pid === pid} onChange={() => props.put(pid)} />
      <span class="code">{text}</span>
      <span class="muted">{more}</span>
    </label>
  );
  if (props.targets.length === 0) return <p class="muted">{say.noProcesses}</p>;
  return (
    <fieldset class="capture-targets">
      <legend class="muted">{say.processes}</legend>
      {props.targets.map((t) =>
        choice(
          t.pid,
          `${t.pid} ${t.command}`,
          [t.user, t.devices, t.release && `torch ${t.release}`, t.busy && say.busy]
            .filter(Boolean)
            .join(" · "),
        ),
      )}
      {props.targets.length > 1 && choice(kAll, say.all, "")}
    </fieldset>
  );
}

/** A link to the recording, once it is among the profiles. */
function OpenButton({ files }: { files: string[] }) {
  const run = useAtom(server)?.runs.find(({ name }) => files[0]?.includes(`/${name}/`));
  const worker = run?.workers[0];
  if (!run || !worker) return null;
  const open = () => {
    closeFloat();
    goToProfile(run.name, worker.name, worker.spans[0]?.name ?? "");
  };
  return (
    <button class="button" onClick={open}>
      {words.capture.open}
    </button>
  );
}

/** Its state, or its result. */
function Outcome({ failed }: { failed: string }) {
  const say = words.capture;
  const state = useAtom(captureAtom);
  if (!state) return null;
  const said = (text: string) => translateIn(state.messages, text);
  return (
    <div class="capture-outcome" role="status">
      {state.running && <p>{state.progress ? said(state.progress) : say.begun}</p>}
      {(failed || state.error) && (
        <p class="source-problem" role="alert">
          {failed || said(state.error)}
        </p>
      )}
      {state.notes.map((note) => (
        <p class="muted" key={note}>
          {said(note)}
        </p>
      ))}
      {state.files.length > 0 && <p>{say.recorded}</p>}
      {state.files.map((file) => (
        <p class="code" key={file}>
          {file}
        </p>
      ))}
      <OpenButton files={state.files} />
    </div>
  );
}

function CaptureDialog() {
  const say = words.capture;
  const state = useAtom(captureAtom);
  const [way, setWay] = useState<Way>("torch");
  const [pid, setPid] = useState(kAll);
  const [address, setAddress] = useState("");
  const [traces, setTraces] = useState("");
  const [seconds, setSeconds] = useState("2");
  const [iterations, setIterations] = useState("");
  const [shapes, setShapes] = useState(false);
  const [stacks, setStacks] = useState(false);
  const [failed, setFailed] = useState("");
  const running = state?.running ?? false;
  const targets = state?.processes ?? null;

  useEffect(() => {
    const look = () => lookAtCapture().catch((error: Error) => setFailed(errorText(error)));
    void look();
    if (!running) return;
    const timer = setInterval(look, kLook);
    return () => clearInterval(timer);
  }, [running]);
  useEffect(() => {
    if (targets && !targets.some((t) => t.pid === pid)) setPid(targets.length === 1 ? targets[0].pid : kAll);
  }, [targets]);

  const send = (answer: Promise<void>) => {
    setFailed("");
    answer.catch((error: Error) => setFailed(errorText(error)));
  };
  const begin = (request: CaptureRequest) => send(beginCapture(request));
  const record = () => {
    const duration = Number(seconds) * 1000;
    if (!(duration >= 1)) return setFailed(say.badDuration);
    const content = { duration_ms: Math.round(duration), shapes, stacks };
    if (way !== "torch") return begin({ way, address: address.trim(), traces: traces.trim(), ...content });
    begin({ way, pid, iterations: Number(iterations) || 0, ...content });
  };
  const unready = way === "torch" ? !targets?.length : address.trim() === "";

  return (
    <div class="source-settings capture">
      <h3>{say.title}</h3>
      <p class="muted">{fill(say.doc, { folder: state?.folder ?? "" })}</p>
      <label>
        <span class="muted">{say.way}</span>
        <select
          class="field"
          aria-label={say.way}
          value={way}
          disabled={running}
          onChange={(event) => setWay(event.currentTarget.value as Way)}
        >
          <option value="torch">{say.torch}</option>
          <option value="xla">{say.xla}</option>
          <option value="http">{say.http}</option>
        </select>
      </label>
      {way === "torch" && (
        <>
          <p class="muted">{say.torchSwitch}</p>
          {targets && <Targets targets={targets} pid={pid} put={setPid} />}
          <button class="button" disabled={running} onClick={() => begin({ way: "processes" })}>
            {say.look}
          </button>
        </>
      )}
      {way === "xla" && (
        <>
          <p class="muted">{say.xlaServer}</p>
          <Field label={say.server} value={address} hint={say.serverHint} put={setAddress} />
        </>
      )}
      {way === "http" && (
        <>
          <Field label={say.engine} value={address} hint={say.engineHint} put={setAddress} />
          <Field label={say.traces} value={traces} put={setTraces} />
        </>
      )}
      <div class="capture-options">
        <Field label={say.seconds} value={seconds} put={setSeconds} />
        {way === "torch" && <Field label={say.iterations} value={iterations} put={setIterations} />}
        {way !== "xla" && <Check label={say.shapes} value={shapes} put={setShapes} />}
        <Check label={say.stacks} value={stacks} put={setStacks} />
      </div>
      <Outcome failed={failed} />
      <div class="ranges-foot">
        {running ? (
          <button class="plain text" onClick={() => send(stopCapture())}>
            {say.stop}
          </button>
        ) : (
          <button class="button" disabled={unready} onClick={record}>
            {say.record}
          </button>
        )}
        <button class="plain text" onClick={closeFloat}>
          {words.done}
        </button>
      </div>
    </div>
  );
}

export function openCapture(): void {
  const middle = innerWidth / 2;
  openFloat({
    anchor: { left: middle - 280, right: middle + 280, top: 48, bottom: 48 },
    title: words.capture.title,
    align: "left",
    content: () => <CaptureDialog />,
  });
}
