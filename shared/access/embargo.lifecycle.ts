import type { HostAbilities } from "../kernel/host-abilities.ts";
import { dayOf } from "../kernel/timestamps.ts";
import type { StoredAccess } from "./stored-access.schema.ts";

export type AccessStatus = "open" | "restricted" | "embargoed" | "metadata-only";

/** Whether an embargo has ended. */
export const isLapsed = ({ embargo }: StoredAccess, now: number): boolean =>
  embargo.active && embargo.until !== undefined && embargo.until <= dayOf(now);

/** The access object after its embargo ended: public; `until` and `reason` stay (records 7.1). */
export const lifted = ({ embargo }: StoredAccess): StoredAccess => ({
  record: "public",
  files: "public",
  embargo: { ...embargo, active: false },
});

/** The access object at an instant, whether or not the job has lifted the embargo in the database. */
const accessAt = (access: StoredAccess, now: number): StoredAccess => (isLapsed(access, now) ? lifted(access) : access);

/** The host's clock, and whether it decides about deadlines. */
interface Clock {
  readonly abilities: Pick<HostAbilities, "appliesDeadlines">;
  now(): number;
}

/** Reads the `access` column as of now. A replica shows the server's last state (hosts-and-sync 8). */
export const readAccess = (clock: Clock, column: string): StoredAccess =>
  clock.abilities.appliesDeadlines ? accessAt(JSON.parse(column), clock.now()) : JSON.parse(column);

/** The access status of a record (records 7.1). */
export function accessStatus(access: StoredAccess, isFilesEnabled: boolean): AccessStatus {
  if (access.embargo.active) return "embargoed";
  if (access.record === "public" && !isFilesEnabled) return "metadata-only";
  return access.record === "public" && access.files === "public" ? "open" : "restricted";
}
