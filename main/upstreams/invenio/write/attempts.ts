import type { Db, Tx } from "../../../../shared/database/open.ts";
import type { UpstreamAttemptRow } from "../../../../shared/database/schema.ts";
import type { Tries } from "../../../sync/tries.ts";
import { nextLookOf } from "./attempt.policy.ts";
import { deleteAttempt, findAttempt, upsertAttempt } from "./journal.repository.ts";

/** The effect of an operation, for an outbox that got no answer. */
export interface Done {
  seq: number;
  result: unknown;
  names?: ReadonlyMap<string, string>;
}

/** Whether a wait is over. A clock that was set back since ends it, too. */
const isOver = ({ until, noted }: { until: number; noted: number }, now: number): boolean =>
  until <= now || noted > now;

/**
 * The journal of calls that must not be made twice. Each call is stored before it is sent. Its effect is stored in the
 * same transaction as the server's answer.
 */
export class Attempts {
  readonly #db: Db;
  readonly #now: () => number;
  /** When delayed operations may be sent, and when that was noted. In microseconds UTC. */
  readonly #notBefore = new Map<string, { until: number; noted: number }>();

  readonly #tries: Tries;

  constructor(db: Db, now: () => number, tries: Tries) {
    this.#db = db;
    this.#now = now;
    this.#tries = tries;
  }

  /** Notes a try whose effect is not known. @returns whether it was the last one. */
  triedInVain(operationId: string): boolean {
    const next = this.#tries.failed(operationId, this.#now());
    if (next !== undefined) this.holdBack(operationId, next);
    return next === undefined;
  }

  /** The operation has an outcome. */
  triesEnded(operationId: string): void {
    this.#tries.ended(operationId);
  }

  find(operationId: string): Promise<UpstreamAttemptRow | undefined> {
    return findAttempt(this.#db, operationId);
  }

  /** What the operation did; undefined if it is not done. */
  async findDone(operationId: string): Promise<Done | undefined> {
    const row = await this.find(operationId);
    if (row?.state !== "done") return undefined;
    const { result, names } = JSON.parse(row.known);
    return { seq: row.seq ?? 0, result, ...(names ? { names: new Map(names) } : {}) };
  }

  /** Stores that a call is sent now. @param known what is needed to recognise its effect */
  async begin(operationId: string, step: string, known: unknown): Promise<void> {
    const sent = this.#now();
    const next_look = nextLookOf(step, sent, 0) ?? sent;
    const at = { operation_id: operationId, step, sent, next_look, looks: 0, seq: null };
    await upsertAttempt(this.#db, { ...at, state: "sent", known: JSON.stringify(known) });
    this.holdBack(operationId, next_look);
  }

  /**
   * Stores that a call is sent, and sends it. A call that throws did nothing (`RestLine.write`), and leaves the journal as
   * it was: nothing of it may be looked for.
   */
  async send<T>(operationId: string, step: string, known: unknown, call: () => Promise<T>): Promise<T> {
    const before = await this.find(operationId);
    await this.begin(operationId, step, known);
    try {
      return await call();
    } catch (error) {
      await this.forget(operationId);
      if (before) await upsertAttempt(this.#db, before);
      throw error;
    }
  }

  /** Stores more of what is needed to recognise the effect. */
  async learn(row: UpstreamAttemptRow, known: unknown): Promise<void> {
    await upsertAttempt(this.#db, { ...row, known: JSON.stringify(known) });
  }

  /** Stores that the first of several calls is done. */
  async made(operationId: string, known: unknown): Promise<void> {
    const row = await this.find(operationId);
    if (row) await upsertAttempt(this.#db, { ...row, state: "made", known: JSON.stringify(known) });
    this.#notBefore.delete(operationId);
  }

  /** Stores the effect of operations, in the transaction that stores the answer. */
  async finish(tx: Tx, operationIds: readonly string[], step: string, { seq, result, names }: Done): Promise<void> {
    const now = this.#now();
    const known = JSON.stringify({ result, ...(names ? { names: [...names] } : {}) });
    const row = { step, state: "done", sent: now, known, seq, looks: 0, next_look: now } as const;
    for (const operation_id of operationIds) await upsertAttempt(tx, { ...row, operation_id });
  }

  /** Stores that the server did nothing, so the call may be made again. */
  async forget(operationId: string): Promise<void> {
    await deleteAttempt(this.#db, operationId);
    this.#notBefore.delete(operationId);
  }

  /** Whether it is time to look for the effect. */
  isDue({ operation_id, next_look, sent }: UpstreamAttemptRow): boolean {
    if (isOver({ until: next_look, noted: sent }, this.#now())) return true;
    this.holdBack(operation_id, next_look);
    return false;
  }

  /** Notes a look that found nothing. @returns whether it was the last one. */
  async lookedInVain(row: UpstreamAttemptRow): Promise<boolean> {
    // A clock that was ahead then would make the next look wait for as long.
    const sent = Math.min(row.sent, this.#now());
    const next = nextLookOf(row.step, sent, row.looks + 1);
    if (next === undefined) return true;
    await upsertAttempt(this.#db, { ...row, sent, looks: row.looks + 1, next_look: next });
    this.holdBack(row.operation_id, next);
    return false;
  }

  /** @param until in microseconds */
  holdBack(operationId: string, until: number): void {
    this.#notBefore.set(operationId, { until, noted: this.#now() });
  }

  mayGo(operationId: string): boolean {
    const wait = this.#notBefore.get(operationId);
    return wait === undefined || isOver(wait, this.#now());
  }

  /** Milliseconds until the first delayed operation may be sent. */
  dueInMs(): number | undefined {
    const now = this.#now();
    const times = [...this.#notBefore.values()].map((wait) => (isOver(wait, now) ? now : wait.until));
    // A due operation is being sent, or has left the outbox.
    for (const [id, wait] of this.#notBefore) if (isOver(wait, now)) this.#notBefore.delete(id);
    return times.length === 0 ? undefined : Math.max(0, (Math.min(...times) - now) / 1000);
  }
}
