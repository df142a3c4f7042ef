// What a timeline requests before it can draw: the lanes of a profile, or the ranks of a span.
import { useLayoutEffect, useState } from "preact/hooks";
import { errorText } from "../api/client";
import { words } from "../base/words";

interface Fetched<T> {
  answer: T | null;
  error: Error | null;
  /** How often it was requested again. */
  attempt: number;
  again: () => void;
}

/** The answer of `fetch`, requested again when `of` changes; null until it arrives. */
export function useFetched<T>(fetch: (signal: AbortSignal) => Promise<T>, of: unknown): Fetched<T> {
  const [answer, setAnswer] = useState<T | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useLayoutEffect(() => {
    const leave = new AbortController();
    setError(null);
    setAnswer(null);
    fetch(leave.signal).then(setAnswer, (failure: Error) => {
      if (failure.name !== "AbortError") setError(failure);
    });
    return () => leave.abort();
  }, [attempt, of]);
  return { answer, error, attempt, again: () => setAttempt((n) => n + 1) };
}

/** Says why the request failed, and offers to repeat it. */
export function FetchFailed({ error, again }: { error: Error | null; again: () => void }) {
  return (
    error && (
      <div class="state" role="alert">
        <h2>{words.timeline.failed}</h2>
        <p>{errorText(error)}</p>
        <button class="button" onClick={again}>
          {words.retry}
        </button>
      </div>
    )
  );
}
