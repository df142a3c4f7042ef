// All Chinese texts, loaded when Chinese is first used.
import type { ProgramWords } from "../translate";
import { advice } from "./advice";
import { allocator } from "./allocator";
import { compiled } from "./compiled";
import { costs } from "./costs";
import { device } from "./device";
import { docs } from "./docs";
import { fleet } from "./fleet";
import { graphs } from "./graphs";
import { hangs } from "./hangs";
import { history } from "./history";
import { idle } from "./idle";
import { loading } from "./loading";
import { serving } from "./serving";
import { messages } from "./messages";
import { pipeline } from "./pipeline";
import { programs } from "./programs";
import { ranks } from "./ranks";
import { sentences } from "./sentences";
import { sources } from "./sources";
import { sqlViews } from "./sql_views";
import { structure } from "./structure";
import { templates } from "./templates";
import { titles } from "./titles";
import { whatIf } from "./whatif";
import { whatIfRanks } from "./whatif_ranks";

export { chinese as words } from "./words";
export const program: ProgramWords = {
  ...titles,
  ...device,
  ...docs,
  ...sources,
  ...sentences,
  ...advice,
  ...allocator,
  ...costs,
  ...programs,
  ...pipeline,
  ...ranks,
  ...graphs,
  ...hangs,
  ...history,
  ...idle,
  ...loading,
  ...serving,
  ...compiled,
  ...structure,
  ...whatIf,
  ...whatIfRanks,
  ...messages,
  ...sqlViews,
  ...fleet,
  ...templates,
};
