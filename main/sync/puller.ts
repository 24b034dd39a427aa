import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import type { UsageRow } from "../../shared/database/schema.ts";
import { discardDraft } from "../../shared/drafts/draft.schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import type { CommandHandler, Host, ObjectRef } from "../../shared/kernel/host.ts";
import { reindexUsage } from "../../shared/search/record-index.ts";
import { type Change, type FeedPage, feedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { countBases, deleteBase, findBase, upsertBase } from "./base.repository.ts";
import { rememberGone } from "./gone.repository.ts";
import {
  keepDelivered,
  listConfirmed,
  listOverlay,
  markApplied,
  type Operation,
  updateOperation,
} from "./operation.repository.ts";
import { recall, remember } from "./person.repository.ts";
import { rebase } from "./rebase.ts";
import { takeSnapshot } from "./snapshot.ts";
import { dropVanished, startOver } from "./start-over.ts";
import { bodyOf, type Transport } from "./transport.ts";
import { deleteFamilyUsage, upsertUsage } from "./usage.repository.ts";
import { forgetWithdrawn, idsOf, rememberWithdrawn } from "./withdrawn.repository.ts";

export interface PullerOptions {
  host: Host;
  handlers: Map<string, CommandHandler>;
  callerIn(db: Db): Promise<Caller>;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
  /** Whether the person has agreed to a removal of most of what is here. */
  mayRemoveMuch(): boolean;
  /** Objects that changed here because of the server. */
  onChanged(refs: ObjectRef[]): void;
  /** The server was restored from a backup: everything goes and comes again. */
  onStartOver(): void;
  /** New objects of a large first copy were stored and are to be indexed when all is here. */
  onUnindexed?(): void;
}

/** Of a first copy so many objects are searchable at once; from there on copying comes before indexing. */
const indexedAtOnce = 500;
/** A small page first: there is something to see soon. */
const [firstPage, laterPage] = [50, 200];

const fewestForBrake = 20;

/** A page would remove most of what is here; nothing of it was applied. */
export class MassRemoval extends Error {
  constructor(count: number) {
    super(`The server wants to remove ${count} of your records and requests from this computer. Resume to let it.`);
  }
}

export interface Puller {
  /** Fetches and applies one page. @returns whether more is waiting. */
  pull(transport: Transport, waitSeconds?: number): Promise<boolean>;
  /** Feed position up to which this replica has seen everything. */
  seq(): Promise<number>;
}

const aggregateOf = (operation: Operation): ObjectRef =>
  ({ kind: operation.aggregate_kind, id: operation.aggregate_id }) as ObjectRef;

const key = (ref: ObjectRef): string => `${ref.kind}:${ref.id}`;

/** Work on an object that the person may not reach any more stays with her, in the tray. */
async function refuseOverlay(host: Host, tx: Tx, ref: ObjectRef, reason: string, told: number): Promise<void> {
  for (const operation of await listOverlay(tx, ref)) {
    if (operation.state === "applied") await keepDelivered(tx, [operation.id], told);
    else {
      const snapshot = await takeSnapshot(tx, operation);
      const refused = host.now();
      await updateOperation(tx, operation.id, { state: "rejected", reason, refused, snapshot });
    }
  }
}

/** Whether an operation begins the object after it was deleted at this position. */
const mayBringBack = ({ kind, state, applied_seq }: Operation, seq: number): boolean =>
  kind === "draft.create" && !(state === "applied" && applied_seq !== null && applied_seq <= seq);

async function applyChange(host: Host, tx: Tx, change: Change, told: number): Promise<ObjectRef> {
  const ref = { kind: change.kind, id: change.id };
  if (change.state === "live" && change.bundle) {
    await upsertBase(tx, {
      kind: ref.kind,
      object_id: ref.id,
      seq: change.seq,
      bundle: JSON.stringify(change.bundle),
    });
    await forgetWithdrawn(tx, ref);
    return ref;
  }
  if (ref.kind === "family") await deleteFamilyUsage(tx, ref.id);
  if (change.state === "withdrawn") await rememberWithdrawn(tx, ref);
  const overlay = await listOverlay(tx, ref);
  const isGone = change.state === "deleted";
  if (isGone) await rememberGone(tx, [...(await idsOf(tx, ref)), ...overlay.map((operation) => operation.object_id)]);
  await deleteBase(tx, ref);
  // Work that the feed does not know of yet may be what brings the object back.
  const isOwnAndUnsent = isGone && overlay.some((operation) => mayBringBack(operation, change.seq));
  if (!isOwnAndUnsent) {
    const reason = isGone ? "It was deleted or discarded elsewhere." : "You no longer have access to it.";
    await refuseOverlay(host, tx, ref, reason, told);
  }
  return ref;
}

/** What a page of a large first copy brings for the first time. */
async function listUnindexed(tx: Tx, page: FeedPage): Promise<Set<string>> {
  const later = new Set<string>();
  if (!page.more || (await countBases(tx)) < indexedAtOnce) return later;
  for (const change of page.changes) if (!(await findBase(tx, change))) later.add(key(change));
  return later;
}

/** What the server counted of what is here. */
async function takeUsage(tx: Tx, rows: readonly UsageRow[]): Promise<ObjectRef[]> {
  if (rows.length === 0) return [];
  for (const row of rows) await upsertUsage(tx, row);
  const families = [...new Set(rows.map((row) => row.parent_id))];
  await reindexUsage(tx, families);
  return families.map((id) => ({ kind: "family", id }));
}

/** A server that takes most of everything away may have lost it: the person is asked first (hosts-and-sync 7). */
async function brake(tx: Tx, page: FeedPage, options: PullerOptions): Promise<void> {
  const removed = page.changes.filter(({ state }) => state === "deleted").length;
  if (removed <= fewestForBrake || removed <= (await countBases(tx)) / 2 || options.mayRemoveMuch()) return;
  throw new MassRemoval(removed);
}

function pathOf(cursor: string | undefined, waitSeconds: number): string {
  const limit = cursor === undefined ? firstPage : laterPage;
  const query = { wait: String(waitSeconds), limit: String(limit), ...(cursor === undefined ? {} : { cursor }) };
  return `/api/sync/changes?${new URLSearchParams(query)}`;
}

/** The replica's reading side: a page, its effect on every object, and the cursor commit together. */
export function createPuller(options: PullerOptions): Puller {
  const { db } = options.host;

  /** What a restored server turns out not to have any more, once all was fetched anew. */
  async function takeAwayVanished(tx: Tx): Promise<ObjectRef[]> {
    const held = await countBases(tx);
    const { vanished, lost } = await dropVanished(tx);
    if (lost > fewestForBrake && lost > held / 2 && !options.mayRemoveMuch()) throw new MassRemoval(lost);
    return vanished;
  }

  async function apply(tx: Tx, page: FeedPage): Promise<ObjectRef[]> {
    await brake(tx, page, options);
    const told = page.now ?? options.host.now();
    const toRebase = new Map<string, ObjectRef>();
    const later = options.onUnindexed ? await listUnindexed(tx, page) : new Set<string>();
    for (const { id, seq } of page.applied) await markApplied(tx, id, seq);
    for (const change of page.changes) {
      const ref = await applyChange(options.host, tx, change, told);
      toRebase.set(key(ref), ref);
    }
    if (!page.more) for (const ref of await takeAwayVanished(tx)) toRebase.set(key(ref), ref);
    // Between pages an object may not have come yet though the page's end lies behind it: its overlay stays.
    const confirmed = (await listConfirmed(tx, page.seq)).filter(
      (operation) => !page.more || toRebase.has(key(aggregateOf(operation))),
    );
    for (const operation of confirmed) toRebase.set(key(aggregateOf(operation)), aggregateOf(operation));
    const discarded = confirmed.filter(({ kind }) => kind === discardDraft.name);
    await rememberGone(
      tx,
      discarded.map((operation) => operation.object_id),
    );
    if (confirmed.length > 0) {
      const ids = confirmed.map((operation) => operation.id);
      await keepDelivered(tx, ids, told);
    }
    const caller = await options.callerIn(tx);
    const touched: ObjectRef[] = [];
    for (const ref of toRebase.values()) {
      touched.push(...(await rebase({ tx, caller, handlers: options.handlers }, ref)));
    }
    const indexed = touched.filter((ref) => !later.has(key(ref)));
    await options.project(tx, indexed);
    if (later.size > 0) await remember(tx, "unindexed", true);
    touched.push(...(await takeUsage(tx, page.usage)));
    await remember(tx, "cursor", page.cursor);
    await remember(tx, "seq", page.seq);
    return touched;
  }

  return {
    async pull(transport, waitSeconds = 0) {
      const cursor = await recall(db, "cursor");
      const timeoutMs = waitSeconds > 0 ? waitSeconds * 1000 + 6000 : 15_000;
      const answer = await transport.call("GET", pathOf(cursor, waitSeconds), undefined, timeoutMs);
      if (answer.status === 410 && cursor !== undefined) {
        if (await transaction(db, (tx) => startOver(tx, cursor))) options.onStartOver();
        return true;
      }
      const page = feedPage.parse(bodyOf(answer));
      const touched = await transaction(db, async (tx) => {
        // Another pull was faster. Its page may be of an earlier moment than this one, so there is more to fetch.
        if ((await recall(tx, "cursor")) !== cursor) return undefined;
        return apply(tx, page);
      });
      if (touched === undefined) return true;
      if (touched.length > 0) options.onChanged(touched);
      if (await recall(db, "unindexed")) options.onUnindexed?.();
      return page.more;
    },
    seq: async () => (await recall(db, "seq")) ?? 0,
  };
}
