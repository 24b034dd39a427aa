import type { Db } from "../../shared/database/open.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";
import {
  countUnregistered,
  listOwnDois,
  listUnregisteredDois,
  type OwnDoi,
  retryRegistrations,
} from "./doi-registration.repository.ts";

function stateOf(row: OwnDoi): string {
  if (row.refused_revision === row.revision_id) return "refused";
  if (row.sent_revision === null) return row.last_error === null ? "waiting" : "failing";
  if (row.sent_revision !== row.revision_id) return row.last_error === null ? "outdated" : "failing";
  return row.is_public === 1 ? "registered" : "hidden";
}

const present = (row: OwnDoi): Record<string, unknown> => ({
  doi: row.doi,
  record: row.record_id,
  ...(row.is_of_all === 1 ? { of: "all versions" } : {}),
  state: stateOf(row),
  ...(row.last_error === null ? {} : { reason: row.last_error, attempts: row.attempts }),
  ...(stateOf(row) === "failing" ? { next_attempt: isoTime(row.run_at ?? 0) } : {}),
});

/** The registration state of every DOI, for the operator. */
export const listRegistrations = async (db: Db): Promise<Record<string, unknown>[]> =>
  (await listOwnDois(db)).map(present);

/** Makes failed and refused registrations due now: all, or that of one record. @returns how many. */
export const retry = (db: Db, recordId: string | undefined): Promise<number> => retryRegistrations(db, recordId);

/** The DOIs that the agency does not have as they are, failures first. */
export const listUnregistered = async (db: Db, most: number): Promise<Record<string, unknown>[]> =>
  (await listUnregisteredDois(db, most)).map(present);

export const countStates = countUnregistered;
