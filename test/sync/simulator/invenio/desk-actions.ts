import { listUnsentOn } from "../../../../main/sync/operation.repository.ts";
import { personIn } from "../../../../main/sync/person.ts";
import { findShadow } from "../../../../main/upstreams/invenio/shadow.repository.ts";
import type { DraftRow } from "../../../../shared/database/schema.ts";
import { Failure } from "../../../../shared/kernel/failure.ts";
import { oneChunk } from "../sim-uploads.ts";
import type { InvenioWorld } from "./invenio-world.ts";
import type { SimDesk } from "./sim-desk.ts";
import { type Made, marksIn } from "./work-ledger.ts";

export interface Scene {
  world: InvenioWorld;
  desk: SimDesk;
}
/** Does one thing and says what; undefined when there is nothing to do it with. */
export type Action = (scene: Scene) => Promise<string | undefined>;
export type Actions = Record<string, Action>;

type Metadata = Record<string, unknown>;

/** The draft of what was made, as this desk has it. */
export const draftOf = ({ desk }: Scene, { name }: Pick<Made, "name">): Promise<DraftRow | undefined> =>
  desk.db.selectFrom("draft").selectAll().where("metadata", "like", `%"${name}"%`).orderBy("id").executeTakeFirst();

/** A made draft that this desk has, with its row. */
async function anyMade(scene: Scene): Promise<{ made: Made; draft: DraftRow } | undefined> {
  const found: { made: Made; draft: DraftRow }[] = [];
  for (const made of scene.world.ledger.made) {
    const draft = await draftOf(scene, made);
    if (draft) found.push({ made, draft });
  }
  return scene.world.pick(found, ({ made }) => made.name);
}

const subjectsOf = (metadata: Metadata) => (metadata.subjects ?? []) as { subject?: string }[];

/** Edits of one value, each with a mark. */
const edits: Record<string, (metadata: Metadata, mark: string) => Metadata> = {
  publisher: (metadata, mark) => ({ ...metadata, publisher: mark }),
  version: (metadata, mark) => ({ ...metadata, version: mark }),
  // The site makes such quotes straight.
  title: (metadata, mark) => ({ ...metadata, title: `${metadata.title ?? ""} “${mark}”` }),
  description: (metadata, mark) => ({ ...metadata, description: `<p>${mark}</p>` }),
  subjects: (metadata, mark) => ({ ...metadata, subjects: [...subjectsOf(metadata), { subject: mark }] }),
  fewer: (metadata, mark) => ({ ...metadata, subjects: [...subjectsOf(metadata).slice(1), { subject: mark }] }),
};
const fieldOf = (name: string): string => (name === "fewer" ? "subjects" : name);

export const newDraftBody = (name: string): Metadata => ({
  files: { enabled: true },
  access: { record: "public", files: "public" },
  metadata: {
    title: `Title of ${name}`,
    resource_type: { id: "dataset" },
    publication_date: "2026",
    publisher: "Press",
    creators: [{ person_or_org: { type: "personal", family_name: name, given_name: "Ada" } }],
  },
});

async function edit(scene: Scene): Promise<string | undefined> {
  const { world, desk } = scene;
  const found = await anyMade(scene);
  if (!found) return undefined;
  const { made, draft } = found;
  const { ledger, chance } = world;
  const kind = chance.pick(Object.keys(edits)) ?? "title";
  const mark = ledger.newMark();
  const before = JSON.parse(draft.metadata) as Metadata;
  const metadata = edits[kind]?.(before, mark) ?? before;
  const conflicts = await desk.db.selectFrom("conflict").selectAll().where("draft_id", "=", draft.id).execute();
  await desk.services.drafts.replace(await personIn(desk.db), draft.id, {
    metadata,
    access: JSON.parse(draft.access),
    files: { enabled: draft.files_enabled === 1 },
  });
  const field = fieldOf(kind);
  ledger.drop(draft.metadata, JSON.stringify(metadata));
  for (const { path, mine } of conflicts) if (path.includes(field)) ledger.drop(mine);
  ledger.edits.push({ mark, name: made.name, desk: desk.name });
  const [was, is] = [JSON.stringify(before[field] ?? null), JSON.stringify(metadata[field])];
  ledger.changes.push({ name: made.name, field, desk: desk.name, before: was, after: is });
  return `writes ${mark} into ${field} of ${made.name}`;
}

/** Adds a file as the routes of a replica do. */
export async function attachFile(desk: SimDesk, draftId: string, key: string, bytes: Buffer): Promise<void> {
  const caller = await personIn(desk.db);
  const { files, content, uploads } = desk.services;
  const entry = { id: desk.host.newUuid(), key, metadata: null, hidden: false, announced: null };
  await files.init(caller, { draftId, bucketId: desk.host.newUuid(), files: [entry] });
  const { target } = await content.target(caller, draftId, key);
  const whole = { isComplete: undefined, offset: undefined, uploadLength: undefined, sha256: undefined };
  const outcome = await uploads.put(target, oneChunk(bytes), { ...whole, contentLength: bytes.length });
  if (outcome.state !== "complete") throw new Failure("invalid", "the bytes did not arrive");
  await content.commit(caller, draftId, key);
}

/** The bytes of a file that a desk attaches. */
export const bytesWith = (mark: string): Buffer => Buffer.from(`the bytes of ${mark}`);

async function attach(scene: Scene): Promise<string | undefined> {
  const { world, desk } = scene;
  const found = await anyMade(scene);
  if (found?.draft.files_enabled !== 1) return undefined;
  const { made, draft } = found;
  const shown = await desk.db.selectFrom("file_entry").select("key").where("owner_id", "=", draft.id).execute();
  const key = ["a.csv", "b.csv", "c.csv"].find((name) => !shown.some((entry) => entry.key === name));
  if (key === undefined) return undefined;
  const mark = world.ledger.newMark();
  await attachFile(desk, draft.id, key, bytesWith(mark));
  world.ledger.files.push({ mark, name: made.name, desk: desk.name, key });
  return `attaches ${key} (${mark}) to ${made.name}`;
}

async function removeFile(scene: Scene): Promise<string | undefined> {
  const { world, desk } = scene;
  const found = await anyMade(scene);
  if (!found) return undefined;
  const { made, draft } = found;
  const rows = await desk.db.selectFrom("file_entry").selectAll().where("owner_id", "=", draft.id).execute();
  const row = world.chance.pick(rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
  if (!row) return undefined;
  // What the user saw: their own bytes, or those that the site listed under this MD5.
  const seen = [...world.site.state.drafts.values()].flatMap(({ files }) => [...files.values()]);
  const there = seen.find(({ checksum }) => checksum === `md5:${row.md5}`);
  const own = row.sha256 !== null && desk.blobs.hasNow(row.sha256);
  const bytes =
    own && row.sha256 !== null ? await desk.blobs.readBytes(row.sha256, { start: 0, end: 1000 }) : undefined;
  await desk.services.content.delete(await personIn(desk.db), draft.id, row.key);
  world.ledger.drop(`${bytes?.toString() ?? ""} ${there?.bytes?.toString() ?? ""}`);
  return `removes ${row.key} from ${made.name}`;
}

/** The user presses "Publish" and waits. */
export async function press({ desk }: Scene, { made, draft }: { made: Made; draft: DraftRow }): Promise<string> {
  const { publishing } = desk.services;
  desk.wish = { name: made.name, shown: marksIn(draft.metadata), isUsed: false };
  try {
    const expected = await publishing.hashOf(desk.db, draft);
    const { state } = await publishing.publish(await personIn(desk.db), { id: draft.id, expected });
    return `publishes ${made.name}: ${state}`;
  } finally {
    desk.wish = undefined;
  }
}

/**
 * Whoever discards a draft at a desk also drops the values in it that have lost against others there, and what they wrote
 * into it at this desk and was not sent. An unsent value that has lost is in no conflict yet.
 */
async function dropLost({ world: { ledger }, desk: { db } }: Scene, { id, parent_id }: DraftRow): Promise<void> {
  const shadow = await findShadow(db, { kind: "family", id: parent_id });
  for (const row of shadow?.bundle.rows.conflict ?? []) if (row.draft_id === id) ledger.drop(String(row.mine));
  for (const { payload } of await listUnsentOn(db, id)) ledger.drop(payload);
}

/** What goes with a draft that is discarded at a desk. @returns notes it, once it is discarded. */
export async function discarding(scene: Scene, draft: DraftRow, made: { name: string }): Promise<() => Promise<void>> {
  const { ledger } = scene.world;
  const rows = await scene.desk.db.selectFrom("file_entry").select("key").where("owner_id", "=", draft.id).execute();
  const keys = new Set(rows.map(({ key }) => key));
  const files = ledger.files.filter((file) => file.name === made.name && keys.has(file.key));
  return async () => {
    ledger.drop(draft.metadata + files.map(({ mark }) => mark).join());
    await dropLost(scene, draft);
  };
}

async function discard(scene: Scene): Promise<string | undefined> {
  const { desk } = scene;
  const found = await anyMade(scene);
  if (!found) return undefined;
  const { made, draft } = found;
  const note = await discarding(scene, draft, made);
  await desk.services.discarding.discard(await personIn(desk.db), { id: draft.id });
  made.isDiscarded = true;
  await note();
  return `discards ${made.name}`;
}

async function anyRecord({ world, desk }: Scene) {
  const rows = await desk.db.selectFrom("record").selectAll().orderBy("id").execute();
  const own = world.ledger.made.flatMap((made) => {
    const row = rows.findLast(({ metadata }) => metadata.includes(`"${made.name}"`));
    return row ? [{ made, row }] : [];
  });
  return world.pick(own, ({ made }) => made.name);
}

async function comment({ world, desk }: Scene, mark: string): Promise<string> {
  const body = { payload: { content: `Says ${mark}` } };
  const input = { id: desk.host.newUuid(), requestId: world.request, parentId: null, body };
  await desk.services.comments.create(await personIn(desk.db), input);
  world.ledger.comments.push({ mark, desk: desk.name });
  return `comments ${mark}`;
}

export const deskActions: Actions = {
  async create({ world, desk }) {
    const name = world.ledger.newMark();
    await desk.services.drafts.createFrom(await personIn(desk.db), newDraftBody(name));
    world.ledger.made.push({ name, desk: desk.name, isDiscarded: false });
    return `creates ${name}`;
  },
  edit,
  attach,
  "remove file": removeFile,
  async publish(scene) {
    const found = await anyMade(scene);
    return found && press(scene, found);
  },
  discard,
  async "edit again"(scene) {
    const found = await anyRecord(scene);
    if (!found) return undefined;
    await scene.desk.services.editing.start(await personIn(scene.desk.db), { id: found.row.id });
    return `edits the record of ${found.made.name}`;
  },
  async "new version"(scene) {
    const found = await anyRecord(scene);
    if (!found) return undefined;
    const { desk } = scene;
    const command = { id: await desk.host.takeRecordId(), recordId: found.row.id };
    await desk.services.versions.start(await personIn(desk.db), command);
    return `begins a version of ${found.made.name}`;
  },
  comment: (scene) => comment(scene, scene.world.ledger.newMark()),
  /** The same words once more are another comment. */
  async "say again"(scene) {
    const said = scene.world.chance.pick(scene.world.ledger.comments);
    return said && comment(scene, said.mark);
  },
};
