import { accessService } from "../shared/access/access.service.ts";
import type { BlobStore } from "../shared/blobs/blob-store.ts";
import { type Db, type Tx, transaction } from "../shared/database/open.ts";
import { keepCallResult } from "../shared/idempotency/call-result.ts";
import type { Call, Origin } from "../shared/kernel/call.ts";
import type { Command } from "../shared/kernel/command.ts";
import type { CommitHints } from "../shared/kernel/committed.ts";
import type { Environment } from "../shared/kernel/environment.ts";
import type { Host, Work, WriteResult } from "../shared/kernel/host.ts";
import type { HostAbilities } from "../shared/kernel/host-abilities.ts";
import type { ObjectRef } from "../shared/kernel/object-ref.ts";
import { recordIdFrom } from "../shared/kernel/record-id.ts";
import { isUsualForm, type Settings } from "../shared/kernel/settings.ts";
import { uuidV7 } from "../shared/kernel/uuid.ts";
import { enterWriteDoor, noteResult } from "../shared/kernel/write-door.ts";
import { type AuditedCommand, auditRecorder } from "./audit-recorder.ts";
import { type AudienceRules, lastSeqFor, publishChanges } from "./sync/feed.service.ts";
import { isIdTaken } from "./sync/id-lease.repository.ts";
import { insertResult } from "./sync/operation-result.repository.ts";

export interface AuthorityOptions {
  db: Db;
  blobs: BlobStore;
  hints: CommitHints;
  baseUrl: string;
  settings: Settings;
  /** Whether other server processes write to the database. */
  sharesDatabase?: boolean;
  environment: Environment;
  /** The operating system's user name at the console; undefined in the server itself. */
  consoleUser?: string;
  /** Called when a refusal could not be recorded, for example on a full disk. The answer stays the refusal. */
  onUnrecorded(error: unknown): void;
  /** Updates derived rows (the search index) in the transaction of the change. */
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
}

const abilities: HostAbilities = {
  decides: true,
  merges: true,
  numbersRevisions: true,
  holdsEverything: true,
  appliesDeadlines: true,
  verifiesBytes: true,
  limitsStorage: true,
  notifies: true,
  countsUsage: true,
  sharesDatabase: false,
  cachesAnswers: true,
};

const nobody: ReadonlySet<string> = new Set();

/** A commit, with the users whose feeds it wrote to. */
type Committed<R> = WriteResult<R> & { people: ReadonlySet<string> };

/** Stores the result with the effect, so that a repeated call or operation finds it. */
async function keepResult(tx: Tx, origin: Origin | undefined, result: unknown, seq: number, now: number) {
  if (origin?.kind === "operation") {
    const { id, userId, digest } = origin;
    const text = JSON.stringify(result ?? null);
    await insertResult(tx, { id, user_id: userId, digest, outcome: "applied", result: text, seq, created: now });
  } else if (origin?.kind === "idempotent") {
    await keepCallResult(tx, origin, result);
  }
}

/** The host of the server. Each write commits its rows, feed entries, index changes and stored result together. */
export function authorityHost(options: AuthorityOptions): Host {
  const { db, environment, hints } = options;
  const audit = auditRecorder({ now: () => environment.now(), consoleUser: options.consoleUser });

  async function commit<R>(command: AuditedCommand, work: Work<R>, now: number): Promise<Committed<R>> {
    return transaction(db, async (tx) => {
      const outcome = await work(tx, { now });
      const { touched } = outcome;
      if (touched.length > 0) {
        await options.project(tx, touched);
        await audit.done(tx, command, outcome.result);
      }
      const published = touched.length > 0 ? await publishChanges(tx, rules, touched) : undefined;
      const seq = published?.seq ?? (await lastSeqFor(tx, command.caller));
      await keepResult(tx, command.caller.origin, outcome.result, seq, now);
      return { ...outcome, people: published?.people ?? nobody };
    });
  }

  async function write<R>(command: AuditedCommand, work: Work<R>): Promise<R> {
    let committed: Committed<R>;
    try {
      const earlier = enterWriteDoor(command.caller, command.command);
      if (earlier) return earlier.result as R;
      committed = await commit(command, work, environment.now());
    } catch (error) {
      await audit.refused(db, command, error).catch(options.onUnrecorded);
      throw error;
    }
    noteResult(command.caller, committed.result);
    if (committed.touched.length > 0) hints.announce(committed.touched, committed.people);
    return committed.result;
  }

  async function takeRecordId(): Promise<string> {
    for (;;) {
      const id = recordIdFrom(environment.random(5));
      if (!(await isIdTaken(db, id))) return id;
    }
  }

  const host: Host = {
    role: "server",
    // Answers are kept as they are sent: another form is made for each call.
    abilities: {
      ...abilities,
      sharesDatabase: options.sharesDatabase === true,
      cachesAnswers: isUsualForm(options.settings),
    },
    db,
    blobs: options.blobs,
    settings: options.settings,
    baseUrl: options.baseUrl,
    now: () => environment.now(),
    newUuid: () => uuidV7(Math.floor(environment.now() / 1000), environment.random(10)),
    newToken: () => Buffer.from(environment.random(32)).toString("base64url"),
    newClientId: () => Buffer.from(environment.random(4)).readUInt32BE(0),
    takeRecordId,
    write: <I, R>(caller: Call, command: Command<I>, input: I, work: Work<R>) =>
      write({ caller, command, input }, work),
    decide: async (caller, command, input, work) => ({
      state: "done",
      result: await write({ caller, command, input }, work),
    }),
    audit: audit.record,
    withdrawUnsent: async () => false,
    isServerReachable: () => false,
    syncMark: async () => undefined,
    onCommitted: hints.onCommitted,
    announceCommit: () => hints.announce([]),
  };
  const rules: AudienceRules = { access: accessService(host), settings: options.settings };
  return host;
}
