// The report of a place: kept answers immediately, others when they arrive. While the next one is computed, the
// last one stays (marked as waiting), so that nothing jumps; leaving the place cancels the request.
import { useLayoutEffect, useState } from "preact/hooks";
import { fetchReport, inLanguage, keptReport, RequestError, type Report, type Route } from "../api/client";

export interface Answer {
  report: Report | null;
  error: RequestError | null;
  /** The drawn report belongs to an earlier request. */
  waiting: boolean;
}

/** `query` null: do not request yet. `version` changes when the profile does. */
export function useReport(
  query: string | null,
  version: string,
  route: Route = "report",
): Answer & { retry: () => void } {
  const [answer, setAnswer] = useState<Answer & { query: string | null }>({
    report: null,
    error: null,
    waiting: query !== null,
    query: null,
  });
  const [attempt, setAttempt] = useState(0);
  const known = query === null ? undefined : keptReport(query, route);
  // Runs before anything else: a pending answer to the previous request is cancelled with it.
  useLayoutEffect(() => {
    if (query === null) return;
    const before = keptReport(query, route);
    if (before) {
      setAnswer({ report: before, error: null, waiting: false, query });
      return;
    }
    const leave = new AbortController();
    setAnswer((now) => ({ ...now, waiting: true }));
    fetchReport(query, leave.signal, route)
      .then((report) => setAnswer({ report, error: null, waiting: false, query }))
      .catch((error: Error) => {
        if (error.name === "AbortError") return;
        const failure =
          error instanceof RequestError
            ? error
            : new RequestError(0, { code: "page", message: error.message });
        setAnswer({ report: null, error: failure, waiting: false, query });
      });
    return () => leave.abort();
  }, [query, version, attempt]);
  const retry = () => setAttempt((n) => n + 1);
  if (known) return { report: known, error: null, waiting: false, retry };
  return {
    report: answer.report && inLanguage(answer.report),
    error: answer.error,
    waiting: answer.waiting || answer.query !== query,
    retry,
  };
}
