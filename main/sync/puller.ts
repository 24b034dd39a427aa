import { replaceObjects } from "../../shared/bundles/bundle.repository.ts";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { LogMover } from "../../shared/database/log-mover.ts";
import { type Db, replaceableTransaction, type Tx, transaction } from "../../shared/database/open.ts";
import type { UsageRow } from "../../shared/database/schema.ts";
import { createDraft, discardDraft } from "../../shared/drafts/draft.schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import type { CommandHandler, Host, ObjectRef } from "../../shared/kernel/host.ts";
import { reindexUsage } from "../../shared/search/record-index.ts";
import { type Change, type FeedPage, feedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { deleteLeasedIds } from "../replica/lease.repository.ts";
import { countBases, deleteBase, keyOf, listHeld, listHiddenRequests, upsertBases } from "./base.repository.ts";
import { assertFew, Brake } from "./brake.ts";
import { type FoundObject, listChanged } from "./changed-objects.repository.ts";
import { rememberGone } from "./gone.repository.ts";
import {
  keepDelivered,
  listConfirmed,
  listOverlaid,
  listOverlay,
  listUntried,
  markApplied,
  type Operation,
  updateOperation,
} from "./operation.repository.ts";
import { PageFetcher } from "./page-fetcher.ts";
import { recall, remember } from "./person.repository.ts";
import { rebase } from "./rebase.ts";
import { endWithDeleted } from "./refusal.ts";
import { bringing, remap } from "./remap.ts";
import { takeSnapshot } from "./snapshot.ts";
import { dropVanished, startOver } from "./start-over.ts";
import { bodyOf, type Transport } from "./transport.ts";
import { deleteFamilyUsage, upsertUsage } from "./usage.repository.ts";
import { wholePage } from "./whole-page.ts";
import { forgetWithdrawn, idsOf, rememberWithdrawn } from "./withdrawn.repository.ts";

export interface PullerOptions {
  host: Host;
  handlers: Map<string, CommandHandler>;
  callerIn(db: Db): Promise<Caller>;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
  /** Whether the person has agreed to a removal of most of what is here. */
  mayRemoveMuch(): boolean;
  /** Objects that changed here because of the server, and what there was of them before. */
  onChanged(refs: ObjectRef[], before: FoundObject[]): void;
  isHeard?: (() => boolean) | undefined;
  /** The server was restored from a backup: everything goes and comes again. */
  onStartOver(): void;
  /** New objects of a large first copy were stored and are to be indexed when all is here. */
  onUnindexed?(): void;
}

/** Of a first copy so many objects are searchable at once; from there on copying comes before indexing. */
const indexedAtOnce = 50;

export interface Puller {
  /** Fetches and applies one page. @returns whether more is waiting. */
  pull(transport: Transport, waitSeconds?: number): Promise<boolean>;
  /** Feed position up to which this replica has seen everything. */
  seq(): Promise<number>;
  close(): Promise<void>;
}

const aggregateOf = (operation: Operation): ObjectRef =>
  ({ kind: operation.aggregate_kind, id: operation.aggregate_id }) as ObjectRef;

const refOf = ({ kind, id }: ObjectRef): ObjectRef => ({ kind, id });

type LiveChange = Change & { bundle: Bundle };
const isLive = (change: Change): change is LiveChange => change.state === "live" && change.bundle !== undefined;

/** Work on an object that the person may not reach any more stays with her, in the tray. */
async function refuseOverlay(host: Host, tx: Tx, ref: ObjectRef, reason: string, told: number): Promise<void> {
  for (const operation of await listOverlay(tx, ref)) {
    if (operation.state === "applied") await keepDelivered(tx, [operation.id], told);
    else {
      const snapshot = await takeSnapshot(tx, operation);
      if (await endWithDeleted(tx, operation, snapshot)) continue;
      const refused = host.now();
      await updateOperation(tx, operation.id, { state: "rejected", reason, refused, snapshot });
    }
  }
}

/** Whether an operation begins the object after it was deleted at this position. */
const mayBringBack = ({ kind, state, applied_seq }: Operation, seq: number): boolean =>
  kind === "draft.create" && !(state === "applied" && applied_seq !== null && applied_seq <= seq);

/** The server's last word on objects that the person may hold; of new ones without work on them their rows suffice. */
async function fetched(tx: Tx, live: readonly LiveChange[], overlaid: Set<string>): Promise<void> {
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

/** An object that is gone, or no longer for this person. @returns what had gone with a draft of it and stays. */
async function takeAway(host: Host, tx: Tx, change: Change, told: number): Promise<ObjectRef[]> {
  const ref = { kind: change.kind, id: change.id };
  if (ref.kind === "family") await deleteFamilyUsage(tx, ref.id);
  if (change.state === "withdrawn") await rememberWithdrawn(tx, ref);
  const overlay = await listOverlay(tx, ref);
  const isGone = change.state === "deleted";
  const gone = [...(await idsOf(tx, ref)), ...overlay.map((operation) => operation.object_id)];
  await deleteBase(tx, ref);
  // Work that the feed does not know of yet may be what brings the object back.
  const isOwnAndUnsent = isGone && overlay.some((operation) => mayBringBack(operation, change.seq));
  // One mark names several notifications that were read; those that are left are to be told still.
  if (!isOwnAndUnsent && ref.kind !== "notification") {
    const reason = isGone ? "It was deleted or discarded elsewhere." : "You no longer have access to it.";
    await refuseOverlay(host, tx, ref, reason, told);
  }
  if (isGone) await rememberGone(tx, gone);
  return overlay.some(({ kind }) => kind === discardDraft.name) ? listHiddenRequests(tx, ref.id) : [];
}

/** What a page of a large first copy brings for the first time. */
async function listUnindexed(tx: Tx, page: FeedPage): Promise<Set<string>> {
  const later = new Set<string>();
  if (!page.more || (await countBases(tx, indexedAtOnce)) < indexedAtOnce) return later;
  const held = await listHeld(tx, page.changes.map(refOf));
  for (const change of page.changes) if (!held.has(keyOf(change))) later.add(keyOf(change));
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

/** Work of the person whose effect is in what the server said; what it is on is to be rebased. */
async function confirm(tx: Tx, page: FeedPage, toRebase: Map<string, ObjectRef>, told: number): Promise<void> {
  // Between pages an object may not have come yet though the page's end lies behind it: its overlay stays.
  const confirmed = (await listConfirmed(tx, page.seq)).filter(
    (operation) => !page.more || toRebase.has(keyOf(aggregateOf(operation))),
  );
  for (const operation of confirmed) toRebase.set(keyOf(aggregateOf(operation)), aggregateOf(operation));
  const discarded = confirmed.filter(({ kind }) => kind === discardDraft.name);
  await rememberGone(
    tx,
    discarded.map((operation) => operation.object_id),
  );
  if (confirmed.length > 0) {
    const ids = confirmed.map((operation) => operation.id);
    await keepDelivered(tx, ids, told);
  }
}

/** Ids that families, and the drafts and records in them, have or had. */
const idsToldOf = (live: readonly LiveChange[]): Set<string> =>
  new Set(
    live.flatMap(({ kind, id, bundle: { rows } }) => {
      if (kind !== "family") return [];
      const contents = [...(rows.draft ?? []), ...(rows.record ?? [])].map((row) => String(row.id));
      return [id, ...contents, ...(rows.alias ?? []).map((row) => String(row.old_id))];
    }),
  );

/**
 * Renames at once what the server would refuse as taken: what its person does from now on is on what she sees. Only where
 * the feed has told of everything that arrived since, so that it cannot be her own work come back. Ids that were set
 * aside for this computer and are told of were given away by a copy of its folder, wherever they turn up.
 */
async function renameTaken(host: Host, tx: Tx, live: readonly LiveChange[]): Promise<ObjectRef[]> {
  const renamed: ObjectRef[] = [];
  const told = idsToldOf(live);
  await deleteLeasedIds(tx, [...told]);
  if ((await recall(tx, "cursor")) === undefined) return renamed;
  for (const operation of await listUntried(tx, [...bringing], [...told])) {
    const { kind, object_id, aggregate_id } = operation;
    const begun = kind === createDraft.name ? [object_id, aggregate_id] : [object_id];
    const taken = begun.filter((id) => told.has(id));
    if (taken.length > 0) renamed.push(...(await remap(host, tx, operation, taken)));
  }
  return renamed;
}

/** Brings objects to what the server last said; those without work over it, which are most, together. */
async function putBack(
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

/** What a restored server turns out not to have any more, once all was fetched anew. */
async function takeAwayVanished({ mayRemoveMuch }: PullerOptions, tx: Tx): Promise<ObjectRef[]> {
  const held = await countBases(tx);
  const { vanished, lost } = await dropVanished(tx);
  if (!mayRemoveMuch()) assertFew(lost, held);
  return vanished;
}

/** The replica's reading side: a page, its effect on every object, and the cursor commit together. */
export function createPuller(options: PullerOptions): Puller {
  const { db } = options.host;
  const pages = new PageFetcher();
  const log = new LogMover(db);
  const brake = new Brake(db);

  async function apply(tx: Tx, page: FeedPage): Promise<ObjectRef[]> {
    const told = page.now ?? options.host.now();
    const toRebase = new Map<string, ObjectRef>();
    const later = options.onUnindexed ? await listUnindexed(tx, page) : new Set<string>();
    for (const { id, seq } of page.applied) await markApplied(tx, id, seq);
    const live = page.changes.filter(isLive);
    const overlaid = await listOverlaid(tx, live.map(refOf));
    for (const ref of await renameTaken(options.host, tx, live)) toRebase.set(keyOf(ref), ref);
    await fetched(tx, live, overlaid);
    for (const change of page.changes)
      if (!isLive(change))
        for (const ref of await takeAway(options.host, tx, change, told)) toRebase.set(keyOf(ref), ref);
    for (const change of page.changes) toRebase.set(keyOf(change), refOf(change));
    if (!page.more) for (const ref of await takeAwayVanished(options, tx)) toRebase.set(keyOf(ref), ref);
    await confirm(tx, page, toRebase, told);
    const touched = await putBack(options, tx, live, toRebase);
    const indexed = touched.filter((ref) => !later.has(keyOf(ref)));
    await options.project(tx, indexed);
    if (later.size > 0) await remember(tx, "unindexed", true);
    touched.push(...(await takeUsage(tx, page.usage)));
    await remember(tx, "cursor", page.cursor);
    await remember(tx, "seq", page.seq);
    return touched;
  }

  async function pullPage(transport: Transport, waitSeconds: number): Promise<boolean> {
    const [cursor, lives] = [await recall(db, "cursor"), await recall(db, "lives")];
    const { isAhead, answer } = await pages.fetch(transport, cursor, waitSeconds);
    if (answer.status === 410 && cursor !== undefined) {
      brake.reset();
      if (await transaction(db, (tx) => startOver(tx, cursor))) options.onStartOver();
      return true;
    }
    // Nothing has happened since.
    if (answer.status === 204) return isAhead;
    const sent = feedPage.parse(bodyOf(answer));
    const page = (await wholePage(db, sent)) ?? (await pages.fetchWhole(transport, cursor));
    if (!options.mayRemoveMuch()) await brake.judge(page, (later) => pages.fetchWhole(transport, later));
    if (page.more) pages.goOn(transport, page.cursor);
    // While more is to come the pages that a loss of power takes are fetched again, from the cursor that went with them.
    const store = page.more ? replaceableTransaction : transaction;
    let before: FoundObject[] = [];
    const touched = await store(db, async (tx) => {
      // Another pull was faster. Its page may be of an earlier moment than this one, so there is more to fetch.
      if ((await recall(tx, "cursor")) !== cursor) return undefined;
      // All of it was taken off this computer meanwhile, or begun anew.
      if ((await recall(tx, "lives")) !== lives) return undefined;
      if (options.isHeard?.()) before = await listChanged(tx, page.changes.map(refOf));
      return apply(tx, page);
    });
    if (page.more) await log.committed();
    if (touched === undefined) return true;
    if (touched.length > 0) options.onChanged(touched, before);
    if (await recall(db, "unindexed")) options.onUnindexed?.();
    // A page fetched ahead may be of before the caller asked.
    return page.more || isAhead;
  }

  return {
    async pull(transport, waitSeconds = 0) {
      let more = false;
      try {
        more = await pullPage(transport, waitSeconds);
        return more;
      } finally {
        if (!more) await log.end();
      }
    },
    close: () => log.end(),
    seq: async () => (await recall(db, "seq")) ?? 0,
  };
}
