import { replaceObjects } from "../../shared/bundles/bundle.repository.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { LogMover } from "../../shared/database/log-mover.ts";
import { type Db, replaceableTransaction, type Tx, transaction } from "../../shared/database/open.ts";
import type { UsageRow } from "../../shared/database/schema.ts";
import { createDraft, discardDraft } from "../../shared/drafts/draft.schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import type { CommandHandler, Host } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import type { FoundObject } from "../../shared/live-events/changed-objects.repository.ts";
import { reindexUsage } from "../../shared/search/sqlite/record-index.ts";
import type { Change, FeedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { deleteLeasedIds } from "../replica/lease.repository.ts";
import { countBases, deleteBase, keyOf, listHeld, listHiddenRequests, upsertBases } from "./base.repository.ts";
import { type Clocks, compareClocks, type HostWithClocks } from "./clocks.ts";
import { rememberDeleted } from "./deleted.repository.ts";
import { endRejectedDiscards } from "./done-elsewhere.repository.ts";
import { refuseOverlay } from "./gone-object.ts";
import { retryLostWork } from "./lost-work.repository.ts";
import {
  listConfirmed,
  listOverlaid,
  listOverlay,
  listUnsentCreations,
  markApplied,
  markDelivered,
  type Operation,
} from "./operation.repository.ts";
import { recall, remember } from "./person.repository.ts";
import { rebase } from "./rebase.ts";
import { aggregateOf } from "./refusal.ts";
import { creatingCommands, remap } from "./remap.ts";
import { assertNoMassRemoval, RemovalGuard } from "./removal-guard.ts";
import { listShown } from "./shown-objects.repository.ts";
import { dropVanished, startOver } from "./start-over.ts";
import type { Upstream } from "./upstream.ts";
import { deleteFamilyUsage, upsertUsage } from "./usage.repository.ts";
import { forgetWithdrawn, idsOf, rememberWithdrawn } from "./withdrawn.repository.ts";

export interface PullerOptions {
  host: HostWithClocks;
  handlers: Map<string, CommandHandler>;
  callerIn(db: Db): Promise<Caller>;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
  /** Whether the user agreed to a mass removal. */
  isMassRemovalAllowed(): boolean;
  /** Called with the objects that the server changed, and their ids before. */
  onChanged(refs: ObjectRef[], before: FoundObject[]): void;
  hasListeners?: (() => boolean) | undefined;
  /** The server was restored from a backup: everything is fetched and sent again. */
  onStartOver(): void;
  /** Objects of a large first copy were stored and will be indexed once all are here. */
  onUnindexed?(): void;
}

/** This many objects of a first copy are indexed immediately. After that, copying comes before indexing. */
const indexedImmediately = 50;

/** The calls for pages of changes. */
type PageSource = Pick<Upstream, "page" | "wholePage" | "prefetch">;

export interface Puller {
  /** Fetches and applies one page. @returns whether more pages wait. */
  pull(upstream: PageSource, waitSeconds?: number): Promise<boolean>;
  /** Feed position up to which all pages were applied. */
  seq(): Promise<number>;
  close(): Promise<void>;
}

const refOf = ({ kind, id }: ObjectRef): ObjectRef => ({ kind, id });

type LiveChange = Change & { bundle: Bundle };
const isLive = (change: Change): change is LiveChange => change.state === "live" && change.bundle !== undefined;

/** Whether an operation may create the object again after it was deleted at this position. */
const mayBringBack = ({ kind, state, applied_seq }: Operation, seq: number): boolean =>
  kind === "draft.create" && !(state === "applied" && applied_seq !== null && applied_seq <= seq);

/** Stores the new bases. New objects without an overlay need no copy besides their rows. */
async function storeBases(tx: Tx, live: readonly LiveChange[], overlaid: Set<string>): Promise<void> {
  const held = await listHeld(tx, live.map(refOf));
  const isBare = (change: Change) => !held.has(keyOf(change)) && !overlaid.has(keyOf(change));
  await upsertBases(
    tx,
    live.map((change) => ({
      kind: change.kind,
      object_id: change.id,
      seq: change.seq,
      bundle: isBare(change) ? null : change.bundle,
    })),
  );
  if (live.length > 0) await forgetWithdrawn(tx, live);
}

/** Applies a deletion or a withdrawal. @returns hidden objects that must come back. */
async function removeObject(host: Host, tx: Tx, change: Change, clocks: Clocks): Promise<ObjectRef[]> {
  const ref = { kind: change.kind, id: change.id };
  if (ref.kind === "family") await deleteFamilyUsage(tx, ref.id);
  if (change.state === "withdrawn") await rememberWithdrawn(tx, ref);
  const overlay = await listOverlay(tx, ref);
  const isDeleted = change.state === "deleted";
  const removedIds = [...(await idsOf(tx, ref)), ...overlay.map((operation) => operation.object_id)];
  await deleteBase(tx, ref);
  // An unconfirmed operation may create the object again.
  const isOwnAndUnsent = isDeleted && overlay.some((operation) => mayBringBack(operation, change.seq));
  // One mark-read operation covers several notifications, and the others still exist.
  if (!isOwnAndUnsent && ref.kind !== "notification") {
    await refuseOverlay(host, tx, { ...ref, state: isDeleted ? "deleted" : "withdrawn" }, clocks);
  }
  if (isDeleted) {
    await endRejectedDiscards(tx, ref);
    await rememberDeleted(tx, removedIds);
  }
  return overlay.some(({ kind }) => kind === discardDraft.name) ? listHiddenRequests(tx, ref.id) : [];
}

/** Objects that a page of a large first copy brings and that are indexed later. */
async function listUnindexed(tx: Tx, page: FeedPage): Promise<Set<string>> {
  const later = new Set<string>();
  if (!page.more || (await countBases(tx, indexedImmediately)) < indexedImmediately) return later;
  const held = await listHeld(tx, page.changes.map(refOf));
  for (const change of page.changes) if (!held.has(keyOf(change))) later.add(keyOf(change));
  return later;
}

/** Stores usage counts of the server. */
async function storeUsage(tx: Tx, rows: readonly UsageRow[]): Promise<ObjectRef[]> {
  if (rows.length === 0) return [];
  for (const row of rows) await upsertUsage(tx, row);
  const families = [...new Set(rows.map((row) => row.parent_id))];
  await reindexUsage(tx, families);
  return families.map((id) => ({ kind: "family", id }));
}

/** Marks operations whose effect is in this page as delivered. Their objects are rebased. */
async function confirmOperations(
  tx: Tx,
  page: FeedPage,
  toRebase: Map<string, ObjectRef>,
  clocks: Clocks,
): Promise<void> {
  // Before the last page an object may still be missing, so its overlay stays.
  const confirmed = (await listConfirmed(tx, page.seq)).filter(
    (operation) => !page.more || toRebase.has(keyOf(aggregateOf(operation))),
  );
  for (const operation of confirmed) toRebase.set(keyOf(aggregateOf(operation)), aggregateOf(operation));
  const discarded = confirmed.filter(({ kind }) => kind === discardDraft.name);
  await rememberDeleted(
    tx,
    discarded.map((operation) => operation.object_id),
  );
  if (confirmed.length > 0) {
    const ids = confirmed.map((operation) => operation.id);
    await markDelivered(tx, ids, clocks);
  }
}

/** All current and former ids of families and of their drafts and records. */
const listIdsIn = (live: readonly LiveChange[]): Set<string> =>
  new Set(
    live.flatMap(({ kind, id, bundle: { rows } }) => {
      if (kind !== "family") return [];
      const contents = [...(rows.draft ?? []), ...(rows.record ?? [])].map((row) => String(row.id));
      return [id, ...contents, ...(rows.alias ?? []).map((row) => String(row.old_id))];
    }),
  );

/**
 * Rekeys a local draft whose id the server has given to another object, so that the user continues on their own draft.
 * It is not the user's own object coming back: a page names the operations whose effects it has. Leased ids that appear
 * in the feed were used by a copy of this data folder.
 */
async function rekeyTaken(host: Host, tx: Tx, live: readonly LiveChange[]): Promise<ObjectRef[]> {
  const renamed: ObjectRef[] = [];
  const serverIds = listIdsIn(live);
  await deleteLeasedIds(tx, [...serverIds]);
  for (const operation of await listUnsentCreations(tx, [...creatingCommands], [...serverIds])) {
    const { kind, object_id, aggregate_id } = operation;
    const begun = kind === createDraft.name ? [object_id, aggregate_id] : [object_id];
    const taken = begun.filter((id) => serverIds.has(id));
    if (taken.length > 0) renamed.push(...(await remap(host, tx, operation, taken)));
  }
  return renamed;
}

/** Applies the server's state. Objects without an overlay, which are most, are written together. */
async function applyLive(
  options: PullerOptions,
  tx: Tx,
  live: readonly LiveChange[],
  toRebase: Map<string, ObjectRef>,
): Promise<ObjectRef[]> {
  const overlaid = await listOverlaid(tx, live.map(refOf));
  const plain = live.filter((change) => !overlaid.has(keyOf(change)));
  const bundles = plain.map(({ bundle }) => bundle);
  await replaceObjects(tx, bundles);
  const touched = plain.map(refOf);
  for (const ref of touched) toRebase.delete(keyOf(ref));
  const caller = await options.callerIn(tx);
  for (const ref of toRebase.values()) {
    touched.push(...(await rebase({ tx, caller, handlers: options.handlers }, ref)));
  }
  return touched;
}

/** Removes objects that a restored server no longer has, once everything was fetched again. */
async function removeVanished({ isMassRemovalAllowed }: PullerOptions, tx: Tx): Promise<ObjectRef[]> {
  const held = await countBases(tx);
  const { vanished, lost } = await dropVanished(tx);
  if (!isMassRemovalAllowed()) assertNoMassRemoval(lost, held);
  return vanished;
}

/** Applies pages of the feed. A page, its effect on every object and the cursor commit together. */
export function createPuller(options: PullerOptions): Puller {
  const { db } = options.host;
  const log = new LogMover(db);
  const removalGuard = new RemovalGuard(db);

  async function apply(tx: Tx, page: FeedPage): Promise<ObjectRef[]> {
    const clocks = await compareClocks(tx, options.host, page);
    const toRebase = new Map<string, ObjectRef>();
    const later = options.onUnindexed ? await listUnindexed(tx, page) : new Set<string>();
    for (const { id, seq } of page.applied) await markApplied(tx, id, seq);
    const live = page.changes.filter(isLive);
    await retryLostWork(tx, live.map(refOf), () => options.host.newUuid());
    const overlaid = await listOverlaid(tx, live.map(refOf));
    for (const ref of await rekeyTaken(options.host, tx, live)) toRebase.set(keyOf(ref), ref);
    await storeBases(tx, live, overlaid);
    for (const change of page.changes)
      if (!isLive(change))
        for (const ref of await removeObject(options.host, tx, change, clocks)) toRebase.set(keyOf(ref), ref);
    for (const change of page.changes) toRebase.set(keyOf(change), refOf(change));
    if (!page.more) for (const ref of await removeVanished(options, tx)) toRebase.set(keyOf(ref), ref);
    await confirmOperations(tx, page, toRebase, clocks);
    const touched = await applyLive(options, tx, live, toRebase);
    const indexed = touched.filter((ref) => !later.has(keyOf(ref)));
    await options.project(tx, indexed);
    if (later.size > 0) await remember(tx, "unindexed", true);
    touched.push(...(await storeUsage(tx, page.usage)));
    await remember(tx, "cursor", page.cursor);
    await remember(tx, "seq", page.seq);
    return touched;
  }

  async function pullPage(upstream: PageSource, waitSeconds: number): Promise<boolean> {
    const [cursor, lives] = [await recall(db, "cursor"), await recall(db, "lives")];
    const fetched = await upstream.page(cursor, waitSeconds);
    if (fetched.state === "restored") {
      removalGuard.reset();
      if (await transaction(db, (tx) => startOver(tx, cursor))) options.onStartOver();
      return true;
    }
    if (fetched.state === "unchanged") return fetched.isPrefetched;
    const { page, isPrefetched } = fetched;
    if (!options.isMassRemovalAllowed()) await removalGuard.check(page, (later) => upstream.wholePage(later));
    if (page.more) upstream.prefetch(page.cursor);
    // Does not wait for the disk while more pages come: a power loss takes the page together with its cursor.
    const store = page.more ? replaceableTransaction : transaction;
    let before: FoundObject[] = [];
    const touched = await store(db, async (tx) => {
      // Another pull was faster. Its page may be older than this one, so there is more to fetch.
      if ((await recall(tx, "cursor")) !== cursor) return undefined;
      // The data was removed or the server was restored meanwhile.
      if ((await recall(tx, "lives")) !== lives) return undefined;
      if (options.hasListeners?.()) before = await listShown(tx, page.changes);
      return apply(tx, page);
    });
    if (page.more) await log.committed();
    if (touched === undefined) return true;
    if (touched.length > 0) options.onChanged(touched, before);
    if (await recall(db, "unindexed")) options.onUnindexed?.();
    // A prefetched page may be older than this call.
    return page.more || isPrefetched;
  }

  return {
    async pull(upstream, waitSeconds = 0) {
      let more = false;
      try {
        more = await pullPage(upstream, waitSeconds);
        return more;
      } finally {
        if (!more) await log.end();
      }
    },
    close: () => log.end(),
    seq: async () => (await recall(db, "seq")) ?? 0,
  };
}
