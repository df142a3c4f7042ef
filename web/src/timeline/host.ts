// What the parts of the timeline's state know of one another: the profile, the state in the address, and
// how to change it. The controller is this to them.
import type { Profile, TimelineInfo } from "../api/timeline";
import type { ViewState } from "./state";
import type { Span } from "./viewport";

export interface Host {
  readonly profile: Profile;
  readonly info: TimelineInfo;
  readonly extent: Span;
  readonly state: ViewState;
  /** Changes the state and the address: a step that Back returns from, or not. */
  set(change: Partial<ViewState>, how: "go" | "adjust"): void;
  /** Goes to the next hit of the search, or to the one before. */
  nextHit(by: 1 | -1): void;
  /** Asks for a frame. */
  draw(): void;
  /** Components are to be drawn anew as well. */
  bump(): void;
}
