import { countByState, hasUnconfirmed, listOpen, type Operation } from "../../../../main/sync/operation.repository.ts";
import { waitingForRefused } from "../../../../main/sync/order.policy.ts";
import { recall } from "../../../../main/sync/person.repository.ts";
import { findShadow } from "../../../../main/upstreams/invenio/shadow.repository.ts";
import type { InvenioWorld } from "./invenio-world.ts";
import type { SimDesk } from "./sim-desk.ts";
import { marksIn, textOf } from "./work-ledger.ts";

/** What this desk keeps for its user: rejected work and what depends on it, conflicts, and values that the site did not store. */
async function keptAt({ db }: SimDesk): Promise<string> {
  const open = await listOpen(db);
  const conflicts = await db.selectFrom("conflict").selectAll().execute();
  const drafts = await db.selectFrom("draft").select(["id", "parent_id", "metadata"]).execute();
  const held: string[] = [];
  for (const { id, parent_id, metadata } of drafts) {
    const shadow = await findShadow(db, { kind: "family", id: parent_id });
    if ((shadow?.faults[id] ?? []).length > 0) held.push(metadata);
  }
  return JSON.stringify([open, conflicts, held]);
}

/** Operations that are not sent. Publications wait for the user, and others for a rejected creation. */
export async function unsentAt({ db }: SimDesk): Promise<Operation[]> {
  const open = await listOpen(db);
  const waiting = waitingForRefused(open);
  return open.filter((one) => one.state !== "rejected" && one.kind !== "draft.publish" && !waiting.has(one));
}

/** Whether a desk says that all its work is there: nothing waits, and the feed has shown everything. */
export async function isUpToDate({ db, needsSignIn, isPartitioned }: SimDesk): Promise<boolean> {
  const { pending = 0, sending = 0 } = await countByState(db);
  if (needsSignIn || isPartitioned || pending + sending > 0) return false;
  return !(await hasUnconfirmed(db, (await recall(db, "seq")) ?? 0));
}

/**
 * Acknowledged work that is neither there, nor was there and was changed by somebody, nor is kept for its user (U3, U4,
 * U5).
 * @param at only the work of this desk
 */
export async function lostWork({ ledger, site, desks, request }: InvenioWorld, at?: SimDesk): Promise<string[]> {
  const { drafts, records } = site.state;
  const there = new Set([...drafts.values(), ...records.values()].flatMap((content) => marksIn(textOf(content))));
  // A desk need not know yet that somebody took away what it had brought there.
  const isMine = (work: { mark: string; desk: string }): boolean =>
    !at || (at.name === work.desk && !ledger.stood.has(work.mark));
  const missing = (work: { mark: string; desk: string }): boolean =>
    isMine(work) && !there.has(work.mark) && !ledger.dropped.has(work.mark);
  const edits = ledger.edits.filter(missing);
  const files = ledger.files.filter(missing);
  const said = site.state.requests.get(request)?.comments ?? [];
  const counts = [...new Set(ledger.comments.filter(({ desk }) => !at || at.name === desk).map(({ mark }) => mark))]
    .map((mark) => ({
      mark,
      count: said.filter(({ content }) => content.includes(mark)).length,
      wanted: ledger.wantedComments(mark),
      most: ledger.comments.filter((one) => one.mark === mark).length,
    }))
    .filter(({ count, wanted, most }) => count < wanted || count > most);
  if (edits.length + files.length + counts.length === 0) return [];
  const kept = (await Promise.all(desks.map(keptAt))).join();
  const isLost = ({ mark }: { mark: string }) => !kept.includes(mark);
  return [
    ...edits.filter(isLost).map(({ mark, name, desk }) => `U3 ${mark} of ${desk} in ${name} is lost`),
    ...files
      .filter(({ mark, key }) => isLost({ mark }) && !kept.includes(key))
      .map(({ mark, name, key, desk }) => `U5 ${key} (${mark}) of ${desk} in ${name} is not there`),
    ...counts
      .filter(({ mark, count, most }) => count > most || (!at && isLost({ mark }) && !ledger.dropped.has(mark)))
      .map(({ mark, count, wanted }) => `U4 ${mark} stands ${count} times in place of ${wanted}`),
  ];
}

/** A draft that was made here stands there once (U2). */
export function doubledDrafts(world: InvenioWorld): string[] {
  return world.ledger.made.flatMap((made) => {
    const families = new Set(world.copiesOf(made).map(({ familyId }) => familyId));
    return families.size > 1 ? [`U2 ${made.name} is there ${families.size} times`] : [];
  });
}

/** What the desk and the site have, after everything has healed. */
export async function differences(world: InvenioWorld): Promise<string[]> {
  const { site, desks, ledger } = world;
  const found: string[] = [];
  const listed = site.index.list(site.clock.now());
  const mine = listed.filter(({ content }) => site.state.families.get(content.familyId)?.owner === adaOf(world));
  for (const desk of desks) {
    const kept = await keptAt(desk);
    for (const { content, isDraft } of mine) {
      const table = isDraft ? "draft" : "record";
      const now = isDraft ? site.state.drafts.get(content.id) : site.state.records.get(content.id);
      // What the index never heard of, no desk can hear of (F7).
      if (!now || now.revision !== content.revision) continue;
      if (String(now.metadata.version).startsWith("carrel:")) {
        const isLost = ledger.made.some(
          (made) => made.isLost && marksIn(String(now.metadata.title)).includes(made.name),
        );
        if (!isLost) found.push(`U2 the marker is left in ${content.id}`);
        continue;
      }
      const row = await desk.db.selectFrom(table).select("metadata").where("id", "=", content.id).executeTakeFirst();
      if (!row) {
        found.push(`U8 ${content.id} is not at ${desk.name}`);
        continue;
      }
      const title = String(JSON.parse(row.metadata).title);
      if (title !== now.metadata.title && !kept.includes(marksIn(title).at(-1) ?? title))
        found.push(`U10 ${desk.name} shows the title ${title}; ${now.metadata.title} is there`);
      const [here, there] = [marksIn(row.metadata), marksIn(JSON.stringify(now.metadata))];
      for (const mark of here)
        if (!there.includes(mark) && !kept.includes(mark)) found.push(`U10 ${desk.name} shows ${mark}, not there`);
      for (const mark of there)
        if (!here.includes(mark) && !kept.includes(mark)) found.push(`U10 ${desk.name} does not show ${mark}`);
    }
    for (const made of ledger.made.filter(({ isDiscarded, desk: at }) => !isDiscarded && at === desk.name))
      if (world.copiesOf(made).length === 0 && !kept.includes(made.name)) found.push(`U2 ${made.name} is nowhere`);
  }
  return found;
}

const adaOf = ({ site }: InvenioWorld): number | undefined =>
  [...site.state.people.values()].find(({ name }) => name === "ada")?.id;

/** What a desk holds before a step, to see what the step took away. */
export interface Holding {
  drafts: Set<string>;
  records: Set<string>;
  /** Objects of rejected work, by the operation. */
  rejected: Map<string, { kind: string; objectId: string }>;
  /** Whether a comment was sent whose effect is not known yet. */
  isUnsure: boolean;
}

export async function holdingOf({ db }: SimDesk): Promise<Holding> {
  const drafts = await db.selectFrom("draft").select("id").execute();
  const records = await db.selectFrom("record").select("id").execute();
  const rows = await db
    .selectFrom("operation")
    .select(["id", "kind", "object_id as objectId"])
    .where("state", "=", "rejected")
    .execute();
  const unsure = await db
    .selectFrom("upstream_attempt")
    .select("operation_id")
    .where("step", "=", "comment")
    .where("state", "=", "sent")
    .executeTakeFirst();
  const idsOf = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id));
  return {
    drafts: idsOf(drafts),
    records: idsOf(records),
    rejected: new Map(rows.map((row) => [row.id, row])),
    isUnsure: unsure !== undefined,
  };
}

/**
 * Whether a step without faults has asked about comments without need (U4): this desk made each comment with these words,
 * and knows so.
 */
export async function needlessQuestions(
  { ledger, site, request }: InvenioWorld,
  { db, name }: SimDesk,
  before: Holding,
): Promise<string[]> {
  if (before.isUnsure) return [];
  const rows = await db
    .selectFrom("operation")
    .selectAll()
    .where("kind", "=", "comment.create")
    .where("state", "=", "rejected")
    .execute();
  const asked = rows
    .filter(({ id, reason }) => !before.rejected.has(id) && reason?.includes("did not know"))
    .flatMap(({ payload }) => marksIn(payload));
  if (asked.length === 0) return [];
  const made = await db.selectFrom("upstream_id").select("remote_id").where("kind", "=", "comment").execute();
  const ids = new Set(made.map(({ remote_id }) => remote_id));
  const said = site.state.requests.get(request)?.comments ?? [];
  const isOwn = (mark: string): boolean =>
    ledger.comments.some((one) => one.mark === mark) &&
    said.filter(({ content }) => content.includes(mark)).every(({ id }) => ids.has(id));
  return asked.filter(isOwn).map((mark) => `U4 ${name} asks about ${mark}, though it made each of them itself`);
}

/** Commands that need a published record, and no draft. */
const ofRecords = new Set(["draft.edit-published", "draft.new-version"]);

/** What vanished though it is there (U8), and what a dead token changed (U7). */
export async function wronglyTaken(
  { site }: InvenioWorld,
  desk: SimDesk,
  before: Holding,
  isTokenDead: boolean,
): Promise<string[]> {
  const after = await holdingOf(desk);
  const { drafts, records } = site.state;
  // A draft that was published is gone; the edit of it that somebody has begun since is another one.
  const isPublished = (id: string): boolean => after.records.has(id) && !before.records.has(id);
  const gone = [...before.drafts].filter((id) => !after.drafts.has(id) && drafts.has(id) && !isPublished(id));
  const unseen = [...before.records].filter((id) => !after.records.has(id) && records.has(id));
  const discards = await desk.db
    .selectFrom("operation")
    .select("object_id")
    .where("kind", "=", "draft.discard")
    .where("state", "!=", "rejected")
    .execute();
  const wished = new Set(discards.map(({ object_id }) => object_id));
  const found = [...gone, ...unseen]
    .filter((id) => !wished.has(id))
    .map((id) => `U8 ${desk.name} lost ${id}, which is there`);
  // What is gone there is 404 for a guest, too: also a draft that somebody has published.
  const isThere = ({ kind, objectId }: { kind: string; objectId: string }) =>
    drafts.has(objectId) || (ofRecords.has(kind) && records.has(objectId));
  const refused = [...after.rejected].filter(([id, one]) => !before.rejected.has(id) && isThere(one));
  if (isTokenDead)
    found.push(...refused.map(([, one]) => `U7 ${desk.name} gave up work on ${one.objectId} with a dead token`));
  return found;
}
