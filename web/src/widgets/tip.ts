// The hover text of elements with `data-tip`: exact values, whole names, reasons. One element for the page,
// filled with text only. It appears after a moment, and immediately when the pointer moves on to a neighbour,
// so that a column can be read by moving down it.
const kWaitMs = 350;
const kWarmMs = 400;

let tip: HTMLDivElement | null = null;
let timer = 0;
let hiddenAt = 0;
let target: Element | null = null;

export function startTips(): void {
  tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("role", "tooltip");
  document.body.append(tip);
  addEventListener("pointerover", (event) => follow(event.target));
  addEventListener("focusin", (event) => {
    if ((event.target as Element).matches?.(":focus-visible")) follow(event.target);
  });
  for (const end of ["pointerdown", "keydown", "scroll", "popstate"]) addEventListener(end, hide, true);
  document.addEventListener("pointerleave", hide);
}

function follow(over: EventTarget | null): void {
  const next = over instanceof Element ? over.closest("[data-tip]") : null;
  if (next === target) return;
  const wasShown = tip?.classList.contains("shown") ?? false;
  hide();
  if (!next?.getAttribute("data-tip")) return;
  target = next;
  const warm = wasShown || performance.now() - hiddenAt < kWarmMs;
  timer = window.setTimeout(show, warm ? 30 : kWaitMs);
}

function show(): void {
  const text = target?.getAttribute("data-tip");
  if (!tip || !target?.isConnected || !text) return;
  tip.textContent = text;
  tip.classList.toggle("code", target.hasAttribute("data-code"));
  tip.classList.add("shown");
  const at = target.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const left = Math.max(8, Math.min(at.left, innerWidth - width - 8));
  const below = at.bottom + 4;
  tip.style.left = `${left}px`;
  tip.style.top = `${below + height + 8 <= innerHeight ? below : Math.max(8, at.top - height - 4)}px`;
}

function hide(): void {
  clearTimeout(timer);
  if (tip?.classList.contains("shown")) {
    tip.classList.remove("shown");
    hiddenAt = performance.now();
  }
  target = null;
}
