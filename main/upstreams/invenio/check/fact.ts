import type { Call, Seen } from "./check-line.ts";

/** What a fact is tried with. */
export interface Trial {
  call: Call;
  /** Id and path of the draft of this check. */
  id: string;
  draft: string;
  /** A complete body for it. */
  body: { metadata: Record<string, unknown> };
  /** Waits for a server that is late. */
  pause(ms: number): Promise<void>;
}

/** One fact of the design about the other side. */
export interface Fact {
  /** The number of the fact, `F1` to `F24`. */
  number: string;
  says: string;
  /** @returns undefined if it holds; else what was seen. */
  try(trial: Trial): Promise<string | undefined>;
}

/** @returns undefined if all answers have the expected status; else what was seen. */
export function statusesAre(expected: readonly [Seen, number][]): string | undefined {
  const seen = expected.map(([{ status }]) => status);
  const wanted = expected.map(([, status]) => status);
  return seen.join() === wanted.join() ? undefined : `answered ${seen.join(", ")} instead of ${wanted.join(", ")}`;
}

export const fieldsIn = ({ body }: Seen): string[] =>
  Array.isArray(body?.errors) ? body.errors.map(({ field }: { field?: unknown }) => String(field)) : [];

export const metadataIn = ({ body }: Seen): Record<string, unknown> =>
  (body?.metadata ?? {}) as Record<string, unknown>;

export const hitsIn = ({ body }: Seen): Record<string, unknown>[] =>
  (body?.hits as { hits?: Record<string, unknown>[] } | undefined)?.hits ?? [];
