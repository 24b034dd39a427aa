import { findSetting, storeSetting } from "../shared/database/setting.repository.ts";
import type { Host } from "../shared/kernel/host.ts";

const hourMicros = 3_600 * 1_000_000;
const gapMicros = 2 * hourMicros;
const waitMicros = 6 * hourMicros;
const name = "steady_clock";

/**
 * Called every hour. @returns whether the clock went on for six hours without a gap. A clock that was set ahead makes
 * everything look old; a server that was stopped cannot tell the two apart, so what is deleted by age waits for both.
 */
export async function isClockSteady({ db, now }: Pick<Host, "db" | "now">): Promise<boolean> {
  const at = now();
  const stored = await findSetting(db, name);
  const last: { at: number; since: number } | undefined = stored === undefined ? undefined : JSON.parse(stored);
  const since = last !== undefined && Math.abs(at - last.at) <= gapMicros ? last.since : at;
  await storeSetting(db, name, JSON.stringify({ at, since }));
  return at - since >= waitMicros;
}
