// The interface through which the parts of the timeline's state see one another: the profile, the state in the
// address, and how to change it. The controller implements it.
import type { Profile, TimelineInfo } from "../api/timeline";
import type { ViewState } from "./state";
import type { Span } from "./viewport";

export interface Host {
  readonly profile: Profile;
  readonly info: TimelineInfo;
  readonly extent: Span;
  readonly state: ViewState;
  /** Changes the state and the address, with or without a history entry. */
  set(change: Partial<ViewState>, how: "go" | "adjust"): void;
  /** Goes to the next hit of the search, or to the one before. */
  nextHit(by: 1 | -1): void;
  /** Requests a frame. */
  draw(): void;
  /** Redraws components as well. */
  bump(): void;
}
