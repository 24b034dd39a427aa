import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Operation } from "../../../main/sync/operation.repository.ts";
import { deleteAccessLink } from "../../../shared/access/access-link.schema.ts";
import { createGrants, deleteGrant } from "../../../shared/access/grant.schema.ts";
import { listRows } from "../../../shared/bundles/bundle.repository.ts";
import { exportBundle } from "../../../shared/bundles/bundle.service.ts";
import { bundleTables } from "../../../shared/bundles/bundle-tables.ts";
import type { Db } from "../../../shared/database/open.ts";
import { prepared, preparedFirst } from "../../../shared/database/prepared.ts";
import { discardDraft } from "../../../shared/drafts/draft.schema.ts";
import { deleteReview } from "../../../shared/requests/request.schema.ts";
import { type Ledger, markersIn } from "./ledger.ts";
import { heldBy } from "./oracle.ts";
import type { SimReplica } from "./sim-replica.ts";
import { appliedOn, everythingOn, keptText } from "./text-of.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

const canonical = (value: unknown): string => JSON.stringify(value);
const tables = { family: "parent", request: "request", notification: "notification" } as const;
type Kind = keyof typeof tables;
const kinds: Kind[] = ["family", "request", "notification"];

async function idsOf(db: Db, kind: Kind): Promise<string[]> {
  const rows = await db.selectFrom(tables[kind]).select("id").orderBy("id").execute();
  return rows.map((row) => row.id);
}

/** Rows must belong to an object that the replica holds. */
async function assertNoStrays(replica: SimReplica, kind: Kind, held: string[]): Promise<void> {
  for (const { table, key } of bundleTables[kind]) {
    const { rows } = await sql<{ id: string }>`select distinct ${sql.ref(key)} as id from ${sql.table(table)}`.execute(
      replica.db,
    );
    // Only this replica knows the alias of an id that it replaced because the server had it in use.
    const strays = rows.filter(({ id }) => !held.includes(id) && !(table === "alias" && id === ""));
    if (strays.length > 0) throw new Violation(`I1 ${replica.name} has rows in ${table} of ${canonical(strays)}`);
  }
}

/** I1: after healing, a replica has all objects that it should have, with the rows that the server would send. */
export async function converged(world: World, replica: SimReplica): Promise<void> {
  const { db, services } = world.server;
  const caller = await world.server.callerOf(replica.userId);
  // The replica of a deactivated user stays as it was.
  if (!caller) return;
  const renamed = new Set(
    (await listRows(replica.db, { table: "alias", key: "parent_id" }, "")).map((row) => row.old_id),
  );
  for (const kind of kinds) {
    const [server, here] = [await heldBy(db, replica.userId, kind), await idsOf(replica.db, kind)];
    const missing = server.filter((id) => !here.includes(id));
    const surplus = here.filter((id) => !server.includes(id));
    if (missing.length + surplus.length > 0) {
      throw new Violation(`I1 ${replica.name} lacks ${kind} [${missing}] and has [${surplus}] too many`);
    }
    await assertNoStrays(replica, kind, here);
    for (const id of here) {
      const bundle = await exportBundle(db, services.access, caller, { kind, id });
      for (const part of bundleTables[kind]) {
        const mine = canonical(await listRows(replica.db, part, id));
        const told = bundle.rows[part.table] ?? [];
        // Objects created here under a replaced id are found by it.
        const theirs = canonical(part.table === "alias" ? told.filter(({ old_id }) => !renamed.has(old_id)) : told);
        if (mine !== theirs) throw new Violation(`I1 ${replica.name} ${part.table} of ${id}:\n  ${mine}\n  ${theirs}`);
      }
    }
  }
}

const trayText = ({ server, replicas }: World): Promise<string> => keptText(server, replicas);

const findAlias = preparedFirst((db, id: string) => db.selectFrom("alias").select("new_id").where("old_id", "=", id));

/** Whether a user discarded a draft, also under the id that replaced its own. */
async function isDiscarded({ ledger, server, replicas }: World, draft: string, place: string): Promise<boolean> {
  if (ledger.discarded.has(draft)) return true;
  for (const { db } of [server, ...replicas.filter(({ name }) => name === place)]) {
    const alias = await findAlias(db, draft);
    if (alias && ledger.discarded.has(alias.new_id)) return true;
  }
  return false;
}

/** I2: every acknowledged change is there, was dropped by a later action of the user, or is in their tray. */
export async function nothingLost(world: World, { place }: { place?: string } = {}): Promise<void> {
  const { ledger, server } = world;
  const found = (await everythingOn(server.db)) + (await trayText(world));
  const gone = await goneFamilies(world);
  for (const { draft, family, marker, place: at } of ledger.intents) {
    if (ledger.dropped.has(marker) || found.includes(marker) || (place !== undefined && at !== place)) continue;
    if ((await isDiscarded(world, draft, at)) || gone.has(family)) continue;
    throw new Violation(`I2 ${marker} on ${draft} (${at}) is nowhere`);
  }
  for (const { id, draft, family, sha256, place: at } of ledger.files) {
    const isDropped = ledger.dropped.has(id) || ledger.dropped.has(sha256) || (place !== undefined && at !== place);
    if (isDropped || found.includes(sha256) || (await isDiscarded(world, draft, at)) || gone.has(family)) continue;
    throw new Violation(`I2 the file ${id} of ${draft} (${at}) is nowhere`);
  }
  for (const { id, family, place: at } of [...ledger.grants, ...ledger.links]) {
    const isOther = place !== undefined && at !== place;
    if (isOther || ledger.dropped.has(id) || gone.has(family) || found.includes(id)) continue;
    if (ledger.isGivenTwice(id, (one) => found.includes(one))) continue;
    throw new Violation(`I2 the grant or link ${id} of ${family} (${at}) is nowhere`);
  }
}

/** Families whose last draft was discarded, and so everything in them. */
async function goneFamilies({ server, ledger }: World): Promise<Set<string>> {
  const present = new Set(await idsOf(server.db, "family"));
  const families = ledger.intents.filter(({ draft }) => ledger.discarded.has(draft)).map(({ family }) => family);
  return new Set(families.filter((family) => !present.has(family)));
}

/**
 * Whether an operation is on a review that another one replaced. It is gone with its conversation, also on a restored
 * server that gets both reviews anew.
 */
const isOfReplaced = ({ kind, aggregate_kind, aggregate_id }: Operation, requests: ReadonlySet<string>): boolean =>
  aggregate_kind === "request" && kind !== "review.put" && !requests.has(aggregate_id);

const removals: Record<string, "draft" | "access_link" | "access_grant"> = {
  [discardDraft.name]: "draft",
  [deleteAccessLink.name]: "access_link",
  [deleteGrant.name]: "access_grant",
};

/** Whether an operation removes what the server does not have: it was removed elsewhere too. */
async function isOfRemoved(
  { db }: World["server"],
  { kind, object_id }: Pick<Operation, "kind" | "object_id">,
): Promise<boolean> {
  const table = removals[kind];
  if (table === undefined) return false;
  return !(await db.selectFrom(table).select("id").where("id", "=", object_id).executeTakeFirst());
}

/** Whether an operation did what another computer had done: it gave the same access, or removed the same review. */
async function isOfDone({ ledger, server: { db } }: World, { kind, payload }: Operation): Promise<boolean> {
  const { draftId, grants = [] } = JSON.parse(payload) as { draftId?: string; grants?: { id: string }[] };
  if (kind === deleteReview.name) {
    const begun = db.selectFrom("request").select("id").where("status", "=", "draft");
    return !(await begun.where("topic_record_id", "=", draftId ?? "").executeTakeFirst());
  }
  const given = new Set((await db.selectFrom("access_grant").select("id").execute()).map(({ id }) => id));
  return kind === createGrants.name && grants.every(({ id }) => ledger.isGivenTwice(id, (one) => given.has(one)));
}

/** I2: every accepted operation reached the server, is in the tray, or was withdrawn by the user. */
export async function operationsEnded(world: World): Promise<void> {
  const { ledger, server } = world;
  const applied = await appliedOn(server.db);
  const requests = new Set(await idsOf(server.db, "request"));
  for (const { replica, id, kind, object_id } of ledger.operations) {
    const row = await replica.db.selectFrom("operation").selectAll().where("id", "=", id).executeTakeFirst();
    if (row?.state === "rejected" || ledger.dropped.has(id)) continue;
    if (applied.has(row?.wire_id ?? ledger.attempts.get(id) ?? id)) continue;
    if (row && (row.state === "pending" || row.state === "sending")) continue;
    // A deactivated user cannot send a restored server what it lost.
    if (row && (await server.callerOf(replica.userId)) === undefined) continue;
    // A restored server has neither the operation nor its object.
    if (row?.state === "delivered" && ledger.discarded.has(row.object_id)) continue;
    if (row?.state === "delivered" && (isOfReplaced(row, requests) || (await isOfDone(world, row)))) continue;
    // It is forgotten a month later, as what was delivered is.
    const isOver = row === undefined || row.state === "delivered";
    if (isOver && (await isOfRemoved(server, row ?? { kind, object_id }))) continue;
    throw new Violation(
      `I2 ${row?.kind} ${id} of ${replica.name} is ${row?.state ?? "gone"} and unknown to the server`,
    );
  }
}

interface SaidChange {
  path: string[];
  before?: unknown;
  after?: unknown;
}

const changesIn = (edit: string): SaidChange[] => JSON.parse(edit).changes;

/** Whether the stored snapshot has the values of a rejected edit, except those that its author set again `later`. */
function tells(snapshot: string | null, edit: string, later: string[], { dropped }: Ledger): boolean {
  const anew = later.flatMap(changesIn).map(({ path }) => path);
  const changes = changesIn(edit).filter(({ path }) => !anew.some((one) => one.every((key, at) => key === path[at])));
  const before = new Set(markersIn(JSON.stringify(changes.map((change) => change.before))));
  const said = markersIn(JSON.stringify(changes.map((change) => change.after)));
  const own = said.filter((marker) => !before.has(marker) && !dropped.has(marker));
  return snapshot !== null && own.every((marker) => snapshot.includes(marker));
}

/** I9: temporary failures reject nothing. I2: a rejected edit can become a new draft. */
export async function refusedRightly({ replicas, ledger }: World): Promise<void> {
  for (const { db, name } of replicas) {
    const all = await db.selectFrom("operation").selectAll().orderBy("position").execute();
    const rows = all.filter(({ state }) => state === "rejected");
    const wrong = rows.find(({ reason }) => /disk is full|are not here yet/.test(reason ?? ""));
    if (wrong) throw new Violation(`I9 ${wrong.kind} of ${name} was refused: ${wrong.reason}`);
    // A user who discarded the draft did not see it any more.
    const discarded = new Set(all.filter(({ kind }) => kind === "draft.discard").map(({ object_id }) => object_id));
    const edits = rows.filter(({ kind, object_id }) => kind === "draft.edit" && !discarded.has(object_id));
    const bare = edits.find(({ id, object_id, payload, snapshot }) => {
      const after = edits.slice(edits.findIndex((edit) => edit.id === id) + 1);
      const refusedToo = after.filter((edit) => edit.object_id === object_id).map((edit) => edit.payload);
      // The server may have executed later edits, in which the author replaced these values.
      return !tells(snapshot, payload, [...refusedToo, ...ledger.editsAfter(id)], ledger);
    });
    if (bare) throw new Violation(`I2 ${bare.kind} ${bare.id} of ${name} is lost to a new draft: ${bare.reason}`);
  }
}

/** I2 and I3 for conversations: each acknowledged comment exists once with its author's text, unless it was withdrawn. */
export async function commentsOnce(world: World): Promise<void> {
  const { ledger, server } = world;
  const tray = await trayText(world);
  const events = await server.db.selectFrom("event").selectAll().execute();
  const requests = new Set(await idsOf(server.db, "request"));
  const texts = new Map<string, string[]>();
  for (const { id, marker } of ledger.comments) texts.set(id, [...(texts.get(id) ?? []), marker]);
  for (const { request, id, marker } of ledger.comments) {
    const rows = events.filter((event) => event.id === id || event.content === marker);
    if (rows.length > 1) throw new Violation(`I3 comment ${marker} stands ${rows.length} times`);
    const isWord = rows.length === 1 && (texts.get(id) ?? []).includes(rows[0]?.content ?? "");
    if (isWord || tray.includes(marker) || ledger.dropped.has(id) || ledger.dropped.has(marker)) continue;
    if (ledger.unacknowledged.has(marker)) continue;
    if (requests.has(request)) throw new Violation(`I2 comment ${marker} (${id}) on ${request} is nowhere`);
  }
}

/** I3: nothing takes effect twice: no duplicate marker in a list, version number, notification or file. */
export async function nothingDoubled({ server, ledger }: World): Promise<void> {
  const { db } = server;
  const contents = [
    ...(await db.selectFrom("draft").select(["id", "metadata"]).execute()),
    ...(await db.selectFrom("record").select(["id", "metadata"]).execute()),
  ];
  for (const { id, metadata } of contents) {
    for (const { marker } of ledger.intents) {
      const count =
        metadata.split(`"family_name":"${marker}"`).length + metadata.split(`"subject":"${marker}"`).length - 2;
      if (count > 1) throw new Violation(`I3 ${marker} stands ${count} times in ${id}`);
    }
  }
  const doubles = {
    "two published versions have one number": sql`select parent_id from record group by parent_id, version_index having count(*) > 1`,
    "two notifications tell of one comment": sql`select comment_id from notification where comment_id is not null
      group by user_id, comment_id, kind having count(*) > 1`,
    "two files have one name": sql`select owner_id from file_entry group by owner_kind, owner_id, key having count(*) > 1`,
    "a draft has two documents": sql`select draft_id from document group by draft_id having count(*) > 1`,
    "two next versions are begun": sql`select parent_id from draft where is_edit = 0 group by parent_id having count(*) > 1`,
  };
  for (const [words, query] of Object.entries(doubles)) {
    const { rows } = await query.execute(db);
    if (rows.length > 0) throw new Violation(`I3 ${words}: ${canonical(rows)}`);
  }
}

/** I4: every file at the server can be read, and is what its row says. */
export async function bytesRight({ server }: World): Promise<void> {
  const rows = await server.db.selectFrom("file_entry").selectAll().where("status", "=", "completed").execute();
  for (const { id, sha256, size } of rows) {
    if (!sha256 || !server.blobs.hasNow(sha256)) throw new Violation(`I4 the bytes of ${id} are not there`);
    const bytes = await server.blobs.readBytes(sha256, { start: 0, end: 1_000_000 });
    const digest = createHash("sha256").update(bytes).digest("hex");
    if (digest !== sha256 || bytes.length !== size) throw new Violation(`I4 the bytes of ${id} are others`);
  }
}

const publishedContents = prepared((db) =>
  db.selectFrom("record").select(["id", "revision_id", "metadata", "custom_fields"]),
);
const publishedFiles = prepared((db, id: string) =>
  db
    .selectFrom("file_entry")
    .select(["key", "sha256"])
    .where("owner_kind", "=", "record")
    .where("owner_id", "=", id)
    .orderBy("key"),
);

/** I8: the content of a published revision and the files of a version never change. */
export async function publishedKept({ server, ledger }: World): Promise<void> {
  function keep(key: string, said: string): void {
    const before = ledger.published.get(key);
    if (before !== undefined && before !== said) throw new Violation(`I8 ${key} said\n  ${before}\n  ${said}`);
    ledger.published.set(key, said);
  }
  for (const { id, revision_id, metadata, custom_fields } of await publishedContents(server.db)) {
    keep(`${id} ${revision_id}`, canonical([metadata, custom_fields]));
    keep(`the files of ${id}`, canonical(await publishedFiles(server.db, id)));
  }
}

/** I10: documents have no more history than compaction permits. */
export async function documentsBounded({ server }: World): Promise<void> {
  const { rows } = await sql<{ id: string; size: number; said: number }>`select d.id, length(c.state) as size,
    length(d.metadata) as said from draft d, document c where c.draft_id = d.id`.execute(server.db);
  const large = rows.find(({ size, said }) => size > 32 * 1024 + 20 * said);
  if (large) throw new Violation(`I10 the document of ${large.id} takes ${large.size} bytes for ${large.said}`);
}
