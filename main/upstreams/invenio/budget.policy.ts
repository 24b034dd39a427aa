/** Purpose of a call, most urgent first: the user waits, their work is sent, changes are polled. */
export type Urgency = "user" | "send" | "poll";

/** The server's limits by its latest headers, and the calls made here. Times in milliseconds. */
export interface Budget {
  /** Calls of a period and how many are left, by the server's headers. */
  limit: number | undefined;
  remaining: number | undefined;
  /** When the server resets its count. */
  resetMs: number;
  /** No call before this time, after a 429. */
  silentUntilMs: number;
  /** Looks at half pace until this time, after a 429. */
  slowUntilMs: number;
  /** Times of the calls of the last minute. */
  recentMs: readonly number[];
  /** When the server last answered. */
  lastAnswerMs: number;
}

export const emptyBudget: Budget = {
  limit: undefined,
  remaining: undefined,
  resetMs: 0,
  silentUntilMs: 0,
  slowUntilMs: 0,
  recentMs: [],
  lastAnswerMs: 0,
};

const minuteMs = 60_000;
const slowMs = 60 * minuteMs;
/** No server is left alone for longer at a time: a `Retry-After` of a week is a fault, or malice. */
const longestSilenceMs = 24 * 60 * minuteMs;
/** Assumed until the server's headers say more. */
const assumedPerMinute = 60;
/** The shares of the limit that are left to more urgent calls. Everyone behind one address shares the limit. */
const reserved: Record<Urgency, number> = { user: 0, send: 0.1, poll: 0.4 };

/** @returns 0 if the call may be made now; otherwise how long to wait, in milliseconds. */
export function waitOf(budget: Budget, urgency: Urgency, nowMs: number): number {
  const { limit, remaining, resetMs, silentUntilMs, recentMs, lastAnswerMs } = budget;
  // The clock was set back since.
  if (nowMs < lastAnswerMs) return 0;
  if (nowMs < silentUntilMs) return silentUntilMs - nowMs;
  if (limit !== undefined && remaining !== undefined) {
    if (nowMs >= resetMs || urgency === "user") return 0;
    return remaining > limit * reserved[urgency] ? 0 : resetMs - nowMs;
  }
  const recent = recentMs.filter((at) => nowMs - at < minuteMs);
  const isFree = recent.length < assumedPerMinute * (1 - reserved[urgency]);
  return isFree ? 0 : Math.max(1, minuteMs - (nowMs - Math.min(...recent)));
}

/** Rate limit headers of an answer; undefined where absent. */
export interface LimitHeaders {
  limit: number | undefined;
  remaining: number | undefined;
  /** Seconds from now. It comes with every answer. */
  retryAfter: number | undefined;
}

/** `Retry-After` says when the period ends. Only after a 429 it silences the calls. */
export function afterAnswer(budget: Budget, status: number, headers: LimitHeaders, nowMs: number): Budget {
  const { limit, remaining, retryAfter } = headers;
  const isRefused = status === 429;
  const periodMs = retryAfter === undefined ? minuteMs : Math.min(retryAfter * 1000, longestSilenceMs);
  return {
    limit: limit ?? budget.limit,
    remaining: remaining ?? budget.remaining,
    resetMs: nowMs + periodMs,
    silentUntilMs: isRefused ? nowMs + Math.max(1000, periodMs) : budget.silentUntilMs,
    slowUntilMs: isRefused ? nowMs + slowMs : budget.slowUntilMs,
    recentMs: [...budget.recentMs.filter((at) => nowMs - at < minuteMs), nowMs],
    lastAnswerMs: nowMs,
  };
}

/** Whether looks run at half pace. */
export const isSlow = ({ slowUntilMs }: Budget, nowMs: number): boolean => nowMs < slowUntilMs;
