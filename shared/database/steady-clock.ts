import type { Db } from "./open.ts";
import { findSetting, storeSetting } from "./setting.repository.ts";

const hourMicros = 3_600 * 1_000_000;
const name = "steady_clock";

/** When a clock counts as right, in microseconds. */
interface Patience {
  /** Between two calls; a longer time looks like a clock that was set. */
  gapMicros: number;
  /** How long the clock must have gone on without a gap. */
  waitMicros: number;
}

/** For a server, which asks every hour. */
export const serverPatience: Patience = { gapMicros: 2 * hourMicros, waitMicros: 6 * hourMicros };
/** For a desk, which asks when it starts and every hour. It may be closed overnight. */
export const deskPatience: Patience = { gapMicros: 48 * hourMicros, waitMicros: 12 * hourMicros };

/**
 * Whether the clock went on for some time without a gap. A clock that was set ahead makes everything look old; a host
 * that was stopped cannot tell the two apart, so what is deleted by age waits for both.
 */
export async function isClockSteady(
  host: { db: Db; now(): number },
  { gapMicros, waitMicros }: Patience,
): Promise<boolean> {
  const at = host.now();
  const stored = await findSetting(host.db, name);
  const last: { at: number; since: number } | undefined = stored === undefined ? undefined : JSON.parse(stored);
  const since = last !== undefined && Math.abs(at - last.at) <= gapMicros ? last.since : at;
  await storeSetting(host.db, name, JSON.stringify({ at, since }));
  return at - since >= waitMicros;
}
