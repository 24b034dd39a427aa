import type { Logger } from "pino";
import type { Services } from "../../shared/api.ts";
import type { DoiRegistrationRow } from "../../shared/database/schema.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { startJob } from "../../shared/kernel/job.ts";
import { dataciteOf, dataciteOfAllVersions } from "../../shared/representations/datacite.ts";
import { presented } from "../../shared/representations/presented-record.ts";
import { oneProcessAtATime } from "../job-lock.ts";
import {
  expireVersions,
  listDueDois,
  listVersionDois,
  type OwnDoi,
  requestedByHand,
  upsertRegistration,
} from "./doi-registration.repository.ts";
import { type DoiRegistrar, Refused, Unavailable } from "./registrar.ts";

export interface DoiRegistrationParts {
  host: Host;
  services: Pick<Services, "bodies" | "records">;
  registrar: DoiRegistrar;
  log: Logger;
  /** First pause after a failure. It doubles with each further failure. */
  backoffMs?: number;
}

export interface DoiRegistration {
  /** Sends every due DOI to the agency, one at a time. */
  sendDue(): Promise<void>;
  stop(): Promise<void>;
}

/** From one minute to about four hours. */
const maxDoublings = 8;
const atOnce = 100;
const everyMinuteMs = 60_000;

/** Sends one DOI at a time and stores the outcome. */
function createSender(parts: DoiRegistrationParts) {
  const { host, registrar, log, backoffMs = everyMinuteMs } = parts;
  const { bodies, records } = parts.services;
  const { db } = host;
  /** While the agency is unavailable, all DOIs wait but those that an administrator retries. */
  let failures = 0;
  let silentUntil = 0;

  const pauseAfter = (count: number): number => 2 ** Math.min(count - 1, maxDoublings) * backoffMs * 1000;

  /** Reads the record as an anonymous user, because the agency publishes the metadata. */
  async function register(row: OwnDoi): Promise<void> {
    const { record, family } = await records.require(db, anonymous, row.described_by);
    const body = presented(await bodies.ofRecord(db, record, family));
    const { self_html: own = "", parent_html: ofAll = "" } = body.links ?? {};
    if (row.is_of_all === 0) {
      await registrar.register(row.doi, { url: own, metadata: dataciteOf(body) });
      return;
    }
    const metadata = dataciteOfAllVersions(body, await listVersionDois(db, row.parent_id));
    await registrar.register(row.doi, { url: ofAll, metadata });
    if (row.sent_revision === null) await expireVersions(db, row.parent_id);
  }

  const store = (row: OwnDoi, change: Partial<DoiRegistrationRow>) =>
    upsertRegistration(db, {
      record_id: row.record_id,
      sent_revision: row.sent_revision,
      is_public: row.is_public ?? 0,
      refused_revision: row.refused_revision,
      attempts: row.attempts ?? 0,
      run_at: row.run_at ?? 0,
      last_error: row.last_error,
      updated: host.now(),
      ...change,
    });

  async function fail(row: OwnDoi, error: Error): Promise<void> {
    log.warn({ doi: row.doi, record: row.record_id, err: error.message }, "a DOI could not be registered");
    if (error instanceof Refused) {
      await store(row, { refused_revision: row.revision_id, run_at: 0, last_error: error.message });
      return;
    }
    const attempts = (row.attempts ?? 0) + 1;
    let run_at = host.now() + pauseAfter(attempts);
    if (error instanceof Unavailable) {
      failures++;
      silentUntil = host.now() + pauseAfter(failures);
      run_at = silentUntil;
    }
    await store(row, { attempts, run_at, last_error: error.message });
  }

  /** @returns whether the agency is available for more. */
  async function send(row: OwnDoi): Promise<boolean> {
    const isPublic = row.tombstone === null && JSON.parse(row.access).record === "public";
    try {
      if (isPublic) await register(row);
      else await registrar.hide(row.doi);
    } catch (error) {
      await fail(row, error instanceof Error ? error : new Error(String(error)));
      return !(error instanceof Unavailable);
    }
    failures = 0;
    silentUntil = 0;
    const done = { sent_revision: row.revision_id, is_public: isPublic ? 1 : 0, refused_revision: null };
    await store(row, { ...done, attempts: 0, run_at: 0, last_error: null });
    log.info({ doi: row.doi, record: row.record_id }, isPublic ? "DOI registered" : "DOI hidden");
    return true;
  }

  const longestMicros = pauseAfter(maxDoublings + 1);
  return { send, longestMicros, isSilent: (now: number) => now < silentUntil && silentUntil <= now + longestMicros };
}

/**
 * Registers DOIs in the background. The tables say what is due: DOIs whose record has another revision than the agency.
 * So publishing never waits, nothing can be lost from a queue, and records published before the account was configured
 * are registered too.
 */
export function doiRegistration(parts: DoiRegistrationParts): DoiRegistration {
  const { host, log, backoffMs = everyMinuteMs } = parts;
  const sender = createSender(parts);
  /** After a commit that names families, only they are looked at. */
  const changed = new Set<string>();
  let isEveryDue = false;

  const job = startJob({
    name: "the registration of DOIs",
    everyMs: Math.min(everyMinuteMs, backoffMs),
    log,
    work: oneProcessAtATime(host, "doi", async (stopping) => {
      const families = isEveryDue || changed.size === 0 ? undefined : [...changed];
      isEveryDue = false;
      changed.clear();
      for (;;) {
        const now = host.now();
        const due = await listDueDois(host.db, { now, longestMicros: sender.longestMicros, limit: atOnce, families });
        const rows = sender.isSilent(now) ? due.filter(({ run_at }) => run_at === requestedByHand) : due;
        for (const row of rows) if (stopping.aborted || !(await sender.send(row))) return;
        if (rows.length < atOnce) return;
      }
    }),
  });
  const stopListening = host.onCommitted((touched) => {
    const families = touched.filter(({ kind }) => kind === "family");
    for (const { id } of families) changed.add(id);
    // A commit that names nothing may be an administrator's "Retry".
    if (touched.length === 0) isEveryDue = true;
    if (families.length > 0 || isEveryDue) void job.run();
  });

  return {
    sendDue() {
      isEveryDue = true;
      return job.run();
    },
    stop() {
      stopListening();
      return job.stop();
    },
  };
}
