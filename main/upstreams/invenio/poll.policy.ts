const second = 1_000_000;
const day = 86_400 * second;

/** How often changes are looked for, in microseconds. */
const pollMicros = { front: 30 * second, noWindow: 15 * 60 * second };
/** A list is late: what changed within this time before the last look is compared again. */
export const lagMicros = 120 * second;

/** When this replica looked last, in microseconds UTC. */
export interface Looks {
  /** The page of the first copy to fetch next; undefined once all were copied. */
  copyPage?: number;
  /** The part of the list that the first copy walks over, and the oldest time it has listed there, in microseconds UTC. */
  copySlice?: { until?: number | undefined; edge?: number | undefined };
  /** The newest change that a list has shown. */
  mark?: number;
  polled?: number;
  /** The end of the last walk over everything. */
  swept?: number;
  /** Whether all requests were read, and no look at their changes has ended early since. */
  areRequestsCopied?: boolean;
  /** An order of requests that the server knows. */
  requestSort?: string;
  /** The next look at changes leaves the requests out. */
  isRequestPause?: boolean;
}

/** @param isSlow after a 429 looks run at half pace */
export function nextPoll({ polled }: Looks, { hasWindow, isSlow }: { hasWindow: boolean; isSlow: boolean }): number {
  const pace = hasWindow ? pollMicros.front : pollMicros.noWindow;
  return (polled ?? 0) + (isSlow ? 2 * pace : pace);
}

/** Everything is walked over once a day, to learn what is gone. A clock that was ahead puts it off no longer. */
export const isSweepDue = ({ swept = 0 }: Looks, now: number): boolean => swept > now || now - swept > day;
