import { accessService } from "../shared/access/access.service.ts";
import type { BlobStore } from "../shared/blobs/blob-store.ts";
import { type Db, type Tx, transaction } from "../shared/database/open.ts";
import { keepCallResult } from "../shared/idempotency/call-result.ts";
import { authorizeCommand, noteResult } from "../shared/kernel/authorize-command.ts";
import type { Call, Origin } from "../shared/kernel/call.ts";
import type { Command } from "../shared/kernel/command.ts";
import type { CommitHints } from "../shared/kernel/committed.ts";
import type { Environment } from "../shared/kernel/environment.ts";
import type { Host, Work, WriteResult } from "../shared/kernel/host.ts";
import type { HostAbilities } from "../shared/kernel/host-abilities.ts";
import type { ObjectRef } from "../shared/kernel/object-ref.ts";
import { recordIdFrom } from "../shared/kernel/record-id.ts";
import { uuidV7 } from "../shared/kernel/uuid.ts";
import { isUsualForm, type Settings } from "../shared/settings/settings.schema.ts";
import { type AuditedCommand, auditRecorder } from "./audit-recorder.ts";
import type { AppliedResult } from "./sync/feed.repository.ts";
import { type AudienceRules, lastSeqFor, publishChanges } from "./sync/feed.service.ts";
import { findFreeIds } from "./sync/free-ids.ts";
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
  knowsRules: true,
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

/** The result of an operation, which is stored with its effect, so that a repeated operation finds it. */
function appliedResult(origin: Origin | undefined, result: unknown, now: number): AppliedResult | undefined {
  if (origin?.kind !== "operation") return undefined;
  const { id, userId, digest } = origin;
  return { id, user_id: userId, digest, result: JSON.stringify(result ?? null), created: now };
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
      const { caller } = command;
      if (caller.origin?.kind === "idempotent") await keepCallResult(tx, caller.origin, outcome.result);
      const applied = appliedResult(caller.origin, outcome.result, now);
      if (touched.length > 0) return { ...outcome, people: await publishChanges(tx, rules, touched, applied) };
      if (applied) await insertResult(tx, { ...applied, outcome: "applied", seq: await lastSeqFor(tx, caller) });
      return { ...outcome, people: nobody };
    });
  }

  async function write<R>(command: AuditedCommand, work: Work<R>): Promise<R> {
    let committed: Committed<R>;
    try {
      const earlier = authorizeCommand(command.caller, command.command);
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

  const takeRecordIds = (count: number) => findFreeIds(db, () => recordIdFrom(environment.random(5)), count);

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
    byServer: (time) => time,
    newUuid: () => uuidV7(Math.floor(environment.now() / 1000), environment.random(10)),
    newToken: () => Buffer.from(environment.random(32)).toString("base64url"),
    newClientId: () => Buffer.from(environment.random(4)).readUInt32BE(0),
    takeRecordId: async () => (await takeRecordIds(1))[0] ?? "",
    takeRecordIds,
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
