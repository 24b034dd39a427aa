import { sql } from "kysely";
import type { ServerAnswer } from "../../../main/sync/transport.ts";
import { readHead } from "../../../server/sync/feed.repository.ts";
import { findResult } from "../../../server/sync/operation-result.repository.ts";
import type { Db } from "../../../shared/database/open.ts";
import { preparedFirst } from "../../../shared/database/prepared.ts";
import type { DraftRow } from "../../../shared/database/schema.ts";
import type { Call } from "../../../shared/kernel/call.ts";
import type { CommandHandler } from "../../../shared/kernel/host.ts";
import { type Change, type FeedPage, feedPage } from "../../../shared/sync-protocol/feed.schema.ts";
import { pushAnswer } from "../../../shared/sync-protocol/push.schema.ts";
import { requirementOf } from "./authority.ts";
import type { Holder, Ledger } from "./ledger.ts";
import { isReviewer, mayHold, rankOf } from "./oracle.ts";

type HashOf = (db: Db, draft: DraftRow) => Promise<string>;

/** Commands whose effect would appear twice if they were executed twice. */
const creating = new Set(["draft.create", "comment.create", "access-grant.create", "access-link.create", "review.put"]);

const text = (row: Record<string, unknown>, name: string): string => String(row[name] ?? "");

const findActive = preparedFirst((db, userId: string) =>
  db.selectFrom("user").select("active").where("id", "=", userId),
);
const isActive = async (db: Db, userId: string): Promise<boolean> => (await findActive(db, userId))?.active === 1;

/** The feed position in the cursor of a request. */
function positionOf(path: string): number {
  const cursor = new URL(path, "http://s").searchParams.get("cursor") ?? "";
  const [, seq = "0"] = cursor.split(".");
  return Number(seq);
}

/** Checks the invariants that must hold at every call (design, sync 2.3: I5, I6, I7). */
export class Watch {
  readonly #ledger: Ledger;
  /** False while calls run concurrently: the server may be restored before an answer is checked. */
  isLooking = true;

  /** Operations that took effect at the server, in its present epoch. */
  #done = new Set<string>();
  /** Operations that create something, by content: the id under which each was sent. */
  #sent = new Map<string, string>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The server was restored: operations may be executed again. */
  startOver(): void {
    this.#done = new Set();
  }

  #broken(words: string): void {
    this.#ledger.broken.push(words);
  }

  /** I6: no user executes what the rows do not allow. */
  guarded(db: Db, handlers: Map<string, CommandHandler>, hashOf: HashOf): Map<string, CommandHandler> {
    /** A draft is published or discarded only in the state that its user saw. */
    async function unseenChange(name: string, { id, expected }: Record<string, unknown>): Promise<string | undefined> {
      if (!["draft.publish", "draft.discard"].includes(name) || expected === undefined) return undefined;
      const draft = await db.selectFrom("draft").selectAll().where("id", "=", String(id)).executeTakeFirst();
      return draft && (await hashOf(db, draft)) !== expected ? "saw another content" : undefined;
    }
    const guarded = (handler: CommandHandler): CommandHandler => ({
      ...handler,
      execute: async (caller: Call, payload: unknown) => {
        const sent = payload as Record<string, unknown>;
        const why =
          (await requirementOf(db, caller.userId ?? "", handler.name, sent)) ??
          (await unseenChange(handler.name, sent));
        const isOver = !(await isActive(db, caller.userId ?? ""));
        const result = await this.#once(db, caller, () => handler.execute(caller, payload));
        if (isOver) this.#broken(`I6 ${handler.name} was done by somebody deactivated: ${JSON.stringify(payload)}`);
        if (why) this.#broken(`I6 ${handler.name} was done by somebody who ${why}: ${JSON.stringify(payload)}`);
        return result;
      },
    });
    return new Map([...handlers].map(([name, handler]) => [name, guarded(handler)]));
  }

  /** I3: an operation that took effect is never executed again, even if its answer was lost. */
  async #once(db: Db, { origin }: Call, execute: () => Promise<unknown>): Promise<unknown> {
    const id = origin?.kind === "operation" ? origin.id : undefined;
    if (id === undefined || !this.isLooking) return execute();
    if (this.#done.has(id)) this.#broken(`I3 the operation ${id} is done again`);
    const before = await readHead(db);
    try {
      return await execute();
    } finally {
      if ((await readHead(db)) !== before || (await findResult(db, id))?.outcome === "applied") this.#done.add(id);
    }
  }

  /** I3: an operation that creates something keeps the id of its first attempt, unless it was rejected. */
  attempts(replica: Holder, body: unknown): void {
    const { operations } = body as { operations: { id: string; kind: string; payload: unknown }[] };
    for (const { id, kind, payload } of operations) {
      if (!creating.has(kind)) continue;
      const words = `${replica.name} ${kind} ${JSON.stringify(payload)}`;
      const first = this.#sent.get(words) ?? id;
      if (first !== id) this.#broken(`I3 ${kind} of ${replica.name} is sent as ${first} and as ${id}`);
      this.#sent.set(words, id);
    }
  }

  /** Rejected operations get another id when the user retries them. */
  refused(ids: Set<string>): void {
    for (const [words, id] of this.#sent) if (ids.has(id)) this.#sent.delete(words);
  }

  /** The state that a rejected operation must not change. */
  async beforePush(db: Db): Promise<string> {
    const { rows } = await sql`select (select value from setting where name = 'feed_head') as head,
      (select count(*) || ' ' || total(revision_id) from draft) as drafts,
      (select count(*) || ' ' || total(revision_id) from record) as records,
      (select count(*) || ' ' || total(revision_id) from request) as requests,
      (select count(*) || ' ' || total(revision_id) from event) as events,
      (select count(*) from access_grant) as grants, (select count(*) from file_entry) as files`.execute(db);
    return JSON.stringify(rows);
  }

  async afterPush(db: Db, before: string, answer: ServerAnswer): Promise<void> {
    if (answer.status !== 200) return;
    const { outcomes } = pushAnswer.parse(answer.body);
    this.refused(new Set(outcomes.filter(({ outcome }) => outcome === "rejected").map(({ id }) => id)));
    if (!this.isLooking || outcomes.some(({ outcome }) => outcome === "applied")) return;
    const after = await this.beforePush(db);
    if (after !== before) this.#broken(`I6 refused or repeated operations changed the server: ${before} ${after}`);
  }

  /** I7: the feed is ordered and has no gap. I5: it contains nothing that its reader may not hold. */
  async page(db: Db, replica: Holder, path: string, body: unknown): Promise<void> {
    if (!this.isLooking) return;
    const page = feedPage.parse(body);
    if (!(await isActive(db, replica.userId))) this.#broken(`I5 ${replica.name} was sent a page, being deactivated`);
    await this.#order(db, replica, page, positionOf(path));
    for (const change of page.changes) if (change.state === "live") await this.#reader(db, replica, change);
  }

  async #order(db: Db, replica: Holder, page: FeedPage, after: number): Promise<void> {
    const positions = page.changes.map(({ seq }) => seq);
    const isOrdered = positions.every((seq, index) => seq >= (positions[index - 1] ?? after + 1) && seq <= page.seq);
    if (!isOrdered || page.seq < after)
      this.#broken(`I7 ${replica.name} at ${after} got ${positions} up to ${page.seq}`);
    const rows = await db
      .selectFrom("feed")
      .select("seq")
      .where("user_id", "=", replica.userId)
      .where("seq", ">", after)
      .where("seq", "<=", page.seq)
      .execute();
    if (rows.length !== positions.length) {
      this.#broken(`I7 ${replica.name} at ${after} got ${positions.length} of ${rows.length} up to ${page.seq}`);
    }
  }

  async #reader(db: Db, replica: Holder, { kind, id, bundle }: Change): Promise<void> {
    const { userId, name } = replica;
    if (!(await mayHold(db, userId, { kind, id }))) this.#broken(`I5 ${name} was sent ${kind} ${id}`);
    if (kind !== "family" || !bundle) return;
    const rank = await rankOf(db, userId, id);
    const { access_link = [], access_grant = [], draft = [], record = [], conflict = [] } = bundle.rows;
    if (rank < 4 && access_link.length + access_grant.length > 0)
      this.#broken(`I5 ${name} was sent who may reach ${id}`);
    for (const row of draft) {
      const isHers = rank >= 2 || (await isReviewer(db, userId, { draft: text(row, "id") }));
      if (!isHers) this.#broken(`I5 ${name} was sent the draft ${text(row, "id")}`);
    }
    for (const row of record) {
      const isPublic = JSON.parse(text(row, "access")).record === "public";
      const isForAll = row.tombstone === null || text(row, "metadata") === "{}";
      if (rank < 1 && !(isPublic && isForAll)) this.#broken(`I5 ${name} was sent the record ${text(row, "id")}`);
    }
    if (conflict.some((row) => row.user_id !== userId)) this.#broken(`I5 ${name} was sent others' values of ${id}`);
  }
}
