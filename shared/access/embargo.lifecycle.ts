import type { HostAbilities } from "../kernel/host-abilities.ts";
import { dayOf } from "../kernel/timestamps.ts";
import type { StoredAccess } from "./stored-access.schema.ts";

export type AccessStatus = "open" | "restricted" | "embargoed" | "metadata-only";

/** Whether an embargo has come to its end. */
export const isLapsed = ({ embargo }: StoredAccess, now: number): boolean =>
  embargo.active && embargo.until !== undefined && embargo.until <= dayOf(now);

/** What is left of an access object once its embargo has ended: public; `until` and `reason` stay (records 7.1). */
export const lifted = ({ embargo }: StoredAccess): StoredAccess => ({
  record: "public",
  files: "public",
  embargo: { ...embargo, active: false },
});

/** The access object that counts at an instant, whether or not the job that lifts embargoes has come by. */
const accessAt = (access: StoredAccess, now: number): StoredAccess => (isLapsed(access, now) ? lifted(access) : access);

/** Whether the host's clock decides, and what it shows. */
interface Clock {
  readonly abilities: Pick<HostAbilities, "appliesDeadlines">;
  now(): number;
}

/** Reads the `access` column as it counts now; a replica shows what the server last said of it (hosts-and-sync 8). */
export const readAccess = (clock: Clock, column: string): StoredAccess =>
  clock.abilities.appliesDeadlines ? accessAt(JSON.parse(column), clock.now()) : JSON.parse(column);

/** The one word for an access object (records 7.1). */
export function accessStatus(access: StoredAccess, isFilesEnabled: boolean): AccessStatus {
  if (access.embargo.active) return "embargoed";
  if (access.record === "public" && !isFilesEnabled) return "metadata-only";
  return access.record === "public" && access.files === "public" ? "open" : "restricted";
}
