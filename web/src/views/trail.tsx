// The path to the current level of a report: each step returns to its level.
import { Fragment } from "preact";
import type { TrailStep } from "../api/types";
import { words } from "../base/words";
import { Icon } from "../widgets/icon";
import { goWithin } from "./navigate";

export function Trail({ steps }: { steps: TrailStep[] }) {
  if (steps.length < 2) return null;
  return (
    <nav class="trail" aria-label={words.trail}>
      {steps.map((step, i) => (
        <Fragment key={i}>
          {i > 0 && <Icon name="chevron" />}
          {i < steps.length - 1 ? (
            <button class="plain text" onClick={() => goWithin(step.parameters)}>
              {step.title}
            </button>
          ) : (
            <span aria-current="location">{step.title}</span>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
