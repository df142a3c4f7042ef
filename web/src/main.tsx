// The entry point: reads settings and address, starts polling, and draws the frame immediately, before any
// profile is loaded.
import { render } from "preact";
import { startPolling } from "./api/profiles";
import { startSource } from "./api/source";
import { startHistory } from "./base/history";
import { startKeys } from "./base/keys";
import { startLanguage } from "./base/language";
import { startSettings } from "./base/settings";
import "./styles/theme.css";
import "./styles/frame.css";
import "./styles/losses.css";
import "./styles/panel.css";
import "./styles/table.css";
import "./styles/console.css";
import "./styles/chart.css";
import "./styles/timeline.css";
import "./styles/float.css";
import "./styles/opening.css";
import { App } from "./views/app";
import { startTips } from "./widgets/tip";

startSource();
startSettings();
void startLanguage().then(() => {
  startHistory();
  startKeys();
  startPolling();
  render(<App />, document.getElementById("root") as HTMLElement);
  startTips();
});
