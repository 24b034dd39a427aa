import { insertEntry } from "../shared/audit/audit.repository.ts";
import { auditRule } from "../shared/audit/audited-commands.policy.ts";
import { markRecorded } from "../shared/audit/recorded-refusals.ts";
import { RefusalLimit } from "../shared/audit/refusal-limit.ts";
import type { Db } from "../shared/database/open.ts";
import type { Call } from "../shared/kernel/call.ts";
import type { Caller } from "../shared/kernel/caller.ts";
import { networkOf } from "../shared/kernel/client-address.ts";
import type { Command } from "../shared/kernel/command.ts";
import { Failure } from "../shared/kernel/failure.ts";
import type { AuditEvent } from "../shared/kernel/host.ts";

/** A command of `host.write`, as the audit log needs it. */
export interface AuditedCommand {
  command: Command<unknown>;
  caller: Call;
  input: unknown;
}

export interface AuditRecorder {
  /** Appends one entry in the given transaction. Refusals beyond the hourly limit are only counted. */
  record(db: Db, caller: Caller, event: AuditEvent): Promise<void>;
  /** Appends the effect of a command, in its transaction. */
  done(tx: Db, command: AuditedCommand, result: unknown): Promise<void>;
  /** Appends that a command was refused, after its rollback. */
  refused(db: Db, command: AuditedCommand, error: unknown): Promise<void>;
}

export interface AuditRecorderOptions {
  /** Microseconds UTC. */
  now(): number;
  /** The operating system's user name at the console; undefined in the server itself. */
  consoleUser?: string | undefined;
}

/** Enough of a session's digest to tell sessions apart, and too little to use it. */
const sessionPrefix = 16;
/** Limits ids, since they come from paths of any length. */
const maxIdLength = 100;

function credentialOf({ tokenId, sessionId }: Caller): string | null {
  if (tokenId !== undefined) return `token:${tokenId}`;
  return sessionId === undefined ? null : `session:${sessionId.slice(0, sessionPrefix)}`;
}

/** How the caller signed in. A password in the call itself leaves no token and no session. */
function viaOf(caller: Caller, isConsole: boolean): string {
  if (isConsole) return "console";
  return caller.via === "anonymous" && caller.userId !== null ? "password" : caller.via;
}

/** The user who calls; null for the console and the service itself. */
const actorOf = (caller: Caller): string | null => (caller.via === "system" ? null : caller.userId);

/** Writes the audit log of a server: who, from where, with which credential, what, and the outcome. */
export function auditRecorder({ now, consoleUser }: AuditRecorderOptions): AuditRecorder {
  const limit = new RefusalLimit();

  async function insert(db: Db, caller: Caller, { action, object, details = {}, status }: AuditEvent): Promise<void> {
    const isConsole = consoleUser !== undefined && caller.via === "system";
    await insertEntry(db, {
      at: now(),
      actor: actorOf(caller),
      via: viaOf(caller, isConsole),
      credential: isConsole ? `os-user:${consoleUser}` : credentialOf(caller),
      address: caller.address ?? null,
      action,
      object_type: object?.type ?? null,
      object_id: object?.id.slice(0, maxIdLength) ?? null,
      outcome: status === undefined ? "done" : "refused",
      status: status ?? null,
      details: JSON.stringify(details),
    });
  }

  async function record(db: Db, caller: Caller, event: AuditEvent): Promise<void> {
    if (event.status === undefined) return insert(db, caller, event);
    const count = limit.takeLeftOut(now());
    const service: Caller = { ...caller, userId: null, via: "system" };
    if (count > 0) await insert(db, service, { action: "audit.left-out", details: { count } });
    const source = caller.address === undefined ? actorOf(caller) : networkOf(caller.address);
    if (limit.allows(source ?? caller.via)) await insert(db, caller, event);
  }

  return {
    record,
    async done(tx, { command: { name }, caller, input }, result) {
      const subject = auditRule(name)?.(input, result);
      if (subject) await record(tx, caller, { action: name, ...subject });
    },
    async refused(db, { command: { name }, caller, input }, error) {
      // The process log has internal errors. The audit log has what callers attempted.
      if (!(error instanceof Failure) || error.status >= 500) return;
      const subject = auditRule(name)?.(input, undefined);
      if (!subject) return;
      markRecorded(error);
      await record(db, caller, { action: name, ...subject, status: error.status });
    },
  };
}
