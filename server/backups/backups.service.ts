import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { BackupState } from "../../shared/administration/administration.schema.ts";
import type { Backups } from "../../shared/administration/server-desk.ts";
import type { BackupRunRow } from "../../shared/database/schema.ts";
import { system } from "../../shared/kernel/caller.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { startJob } from "../../shared/kernel/job.ts";
import { oneProcessAtATime } from "../job-lock.ts";
import { backupFolder, backupName, isOnSameDisk, isThere, removePartials, whyUnwritable } from "./backup-folder.ts";
import { notifyAdministrators } from "./backup-notice.service.ts";
import {
  deleteRunsBeyond,
  endRun,
  failOpenRuns,
  findFailure,
  hasEnded,
  hasOpenRun,
  insertRun,
  isDone,
  listRuns,
} from "./backup-run.repository.ts";
import { dueAt, hourMicros, readSchedule, storeSchedule } from "./backup-schedule.ts";
import { type BackupUnderWay, interrupted, writeBackupBeside } from "./backup-thread.ts";

const minuteMs = 60_000;
const maxRuns = 500;
/** Another process of the server looks each minute for a moment whether a backup is due. */
const lookMs = 100;
const maxLooks = 50;

export interface BackupParts {
  host: Host;
  dataDir: string;
  log: Pick<Logger, "error" | "warn">;
}

export interface RunningBackups extends Backups {
  /** Why an attempt failed; undefined if it did not, or is not known any more. */
  failureOf(runId: string): Promise<string | undefined>;
  stop(): Promise<void>;
}

interface Running {
  id: string;
  written: number;
  total: number;
  thread: BackupUnderWay;
}

/** Writes one backup at a time and keeps the account of it. */
function backupWriter({ host, dataDir, log }: BackupParts) {
  const { db } = host;
  const folder = backupFolder(host.settings, dataDir);
  let running: Running | undefined;

  async function begun(userId: string | null): Promise<BackupRunRow> {
    const id = randomUUID();
    const now = host.now();
    const row: BackupRunRow = {
      ...{ id, started: now, ended: null, user_id: userId, file: path.join(folder, backupName(now, id)) },
      ...{ bytes: null, blobs: null, missing: null, error: null },
    };
    await insertRun(db, row);
    return row;
  }

  /** Deletes the oldest complete backups of this server beyond the number to keep. */
  async function prune(): Promise<void> {
    const { keep } = await readSchedule(host);
    const now = host.now();
    for (const { file } of (await listRuns(db, now)).filter(isDone).slice(keep)) await rm(file, { force: true });
    await deleteRunsBeyond(db, maxRuns, now);
  }

  async function write({ id, file }: BackupRunRow): Promise<void> {
    const progress = { id, written: 0, total: 0 };
    const thread = writeBackupBeside(dataDir, file, (written, total) => Object.assign(progress, { written, total }));
    running = Object.assign(progress, { thread });
    const { bytes, blobs, missing, damaged } = await thread.done;
    const lost = missing.length + damaged.length;
    await endRun(db, id, { ended: host.now(), bytes, blobs, missing: lost, error: null });
    await host.audit(db, system, { action: "backup.create", details: { run: id, bytes, blobs } });
    await prune();
  }

  async function fail(run: BackupRunRow, error: unknown): Promise<void> {
    log.error({ err: error, file: run.file }, "the backup failed");
    const status = error instanceof Failure ? error.status : 500;
    await endRun(db, run.id, { ended: host.now(), error: error instanceof Error ? error.message : String(error) });
    await host.audit(db, system, { action: "backup.create", details: { run: run.id }, status });
    await notifyAdministrators(host, run);
  }

  return {
    folder,
    begun,
    running: () => running,
    async perform(run: BackupRunRow): Promise<void> {
      try {
        await write(run);
      } catch (error) {
        await fail(run, error);
      } finally {
        running = undefined;
      }
    },
  };
}

type Writer = ReturnType<typeof backupWriter>;

async function stateOf({ host, dataDir }: BackupParts, { folder, running }: Writer): Promise<BackupState> {
  const now = host.now();
  const rows = await listRuns(host.db, now);
  const runs = await Promise.all(
    rows.map(async (row) => ({ ...row, isKept: isDone(row) && (await isThere(row.file)) })),
  );
  const last = runs.find(({ ended }) => ended !== null);
  const schedule = await readSchedule(host);
  const due = dueAt(rows, schedule, now);
  const current = running();
  return {
    runs,
    running: current && { id: current.id, written: current.written, total: current.total },
    lastSuccess: runs.find(isDone),
    failure: last && last.error !== null ? last : undefined,
    folder,
    isSameDisk: await isOnSameDisk(folder, dataDir),
    schedule,
    isOverdue: due !== undefined && due + hourMicros < now && rows.every(({ ended }) => ended !== null),
  };
}

/** A backup that an administrator asked for. */
interface Request {
  userId: string | null;
  /** Whether this process writes it. */
  isTaken: boolean;
  readonly begun: PromiseWithResolvers<BackupRunRow>;
}

const isWriting = () => new Failure("conflict", "A backup is being written already.");

/** The work of the job, which runs in one process at a time, and the request that it takes. */
function backupWork({ host }: BackupParts, writer: Writer) {
  const { db } = host;
  let asked: Request | undefined;
  let isCleared = false;

  /** Nothing is being written now: what seems to be was interrupted. */
  async function clear(): Promise<void> {
    const isOpen = await hasOpenRun(db);
    if (isOpen) await failOpenRuns(db, { now: host.now(), error: interrupted });
    if (isOpen || !isCleared) await removePartials(writer.folder);
    isCleared = true;
  }

  async function isDue(): Promise<boolean> {
    const now = host.now();
    const due = dueAt(await listRuns(db, now), await readSchedule(host), now);
    return due !== undefined && due <= now;
  }

  async function performAsked({ userId, begun }: Request): Promise<void> {
    const run = writer.begun(userId);
    run.then(begun.resolve, begun.reject);
    await writer.perform(await run);
  }

  return {
    asked: () => asked,
    ask(userId: string | null): Request {
      asked = { userId, isTaken: false, begun: Promise.withResolvers() };
      asked.begun.promise.catch(() => undefined);
      return asked;
    },
    withdraw(request: Request): void {
      if (asked === request && !request.isTaken) asked = undefined;
    },
    async run(): Promise<void> {
      await clear();
      const taken = asked;
      if (taken === undefined) {
        if (await isDue()) await writer.perform(await writer.begun(null));
        return;
      }
      taken.isTaken = true;
      try {
        await performAsked(taken);
      } finally {
        asked = undefined;
      }
    },
  };
}

/** Warns at the start of a folder that the operator chose and that this account cannot write to. */
async function warnOfFolder({ host, log }: BackupParts, folder: string): Promise<void> {
  const reason = host.settings.backup.folder === undefined ? undefined : await whyUnwritable(folder);
  if (reason !== undefined) log.warn({ folder, reason }, "no backup can be written to backup.folder of the settings");
}

/** Backups of a running server, by schedule and when an administrator asks (app, Missing 10). */
export function backupService(parts: BackupParts): RunningBackups {
  const { host, log } = parts;
  const { db } = host;
  const writer = backupWriter(parts);
  const work = backupWork(parts, writer);
  const warned = warnOfFolder(parts, writer.folder);
  const run = oneProcessAtATime(host, "backup", work.run);
  const job = startJob({ name: "the backup", everyMs: minuteMs, log, work: run });

  /** The end of a run is stored a moment before this process is done with it: whoever has seen it may begin the next. */
  async function letEnd(): Promise<void> {
    const asked = work.asked();
    const id = writer.running()?.id ?? (asked?.isTaken ? (await asked.begun.promise).id : undefined);
    if (id !== undefined && (await hasEnded(db, id))) await job.run();
  }

  /** The run of a request. @throws Failure 409 if another process writes one. */
  async function begunBy(request: Request): Promise<BackupRunRow> {
    for (let looks = 0; looks < maxLooks; looks += 1) {
      await Promise.race([request.begun.promise, job.run(), sleep(lookMs * 10)]);
      if (request.isTaken) return request.begun.promise;
      const isElsewhere = await hasOpenRun(db);
      if (request.isTaken) return request.begun.promise;
      if (isElsewhere) break;
      await sleep(lookMs);
    }
    throw isWriting();
  }

  return {
    state: () => stateOf(parts, writer),
    failureOf: (runId) => findFailure(db, runId),
    async begin(caller) {
      await letEnd();
      if (writer.running() !== undefined || work.asked() !== undefined) throw isWriting();
      // Set before anything is awaited, so that of two calls at the same moment one is refused.
      const request = work.ask(caller.userId);
      try {
        const { id } = await begunBy(request);
        await host.audit(db, caller, { action: "backup.ask", details: { run: id } });
      } finally {
        work.withdraw(request);
      }
    },
    async setSchedule(caller, schedule) {
      await storeSchedule(host, schedule);
      await host.audit(db, caller, { action: "backup.schedule", details: schedule });
      void job.run();
    },
    async stop() {
      const stopped = job.stop();
      await writer.running()?.thread.stop();
      await stopped;
      await warned;
    },
  };
}
