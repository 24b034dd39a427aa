import type { FileEntryRow } from "../../../shared/database/schema.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { type Actions, anyDraft, anyOf, type Scene, takesFiles } from "./action.ts";
import { oneChunk } from "./sim-uploads.ts";

const names = ["data.csv", "map.png", "notes.txt"];

/** A random file of a draft, but not of an edit draft, whose published files must stay. */
async function anyFile({ world, place }: Scene): Promise<FileEntryRow | undefined> {
  const drafts = place.db.selectFrom("draft").select("id");
  const rows = place.db.selectFrom("file_entry").selectAll().where("owner_id", "in", drafts).orderBy("id");
  return world.pick(await rows.execute(), ({ owner_id }) => owner_id);
}

/** Adds a file with unique bytes, or with bytes that another file may have too. */
async function attach(scene: Scene): Promise<string | undefined> {
  const { world, ledger, place } = scene;
  const { files, content, uploads } = place.services;
  const draft = await anyDraft(scene, takesFiles);
  if (!draft) return undefined;
  const shown = await place.db.selectFrom("file_entry").select("key").where("owner_id", "=", draft.id).execute();
  const free = names.filter((name) => !shown.some(({ key }) => key === name));
  const key = world.chance.pick(free) ?? "data.csv";
  const bytes = world.chance.happens(0.2) ? Buffer.from("the same everywhere") : Buffer.from(world.chance.bytes(40));
  const entryId = place.newUuid();
  const blank = { metadata: null, hidden: false, announced: null };
  const entry = { id: entryId, key, ...blank };
  await files.init(place.caller, { draftId: draft.id, bucketId: place.newUuid(), files: [entry] });
  const { target } = await content.target(place.caller, draft.id, key);
  const whole = { isComplete: undefined, offset: undefined, uploadLength: undefined, sha256: undefined };
  const outcome = await uploads.put(target, oneChunk(bytes), { ...whole, contentLength: bytes.length });
  if (outcome.state !== "complete") throw new Failure("invalid", "the bytes did not arrive");
  await content.commit(place.caller, draft.id, key);
  const { sha256 } = outcome.facts;
  ledger.files.push({ id: entryId, family: draft.parent_id, draft: draft.id, sha256, place: place.name });
  return `attach ${key} (${sha256.slice(0, 8)}) to ${draft.id}`;
}

async function dropFiles({ place, ledger }: Scene, draftId: string, entry: string | undefined): Promise<void> {
  const rows = await place.db
    .selectFrom("file_entry")
    .select(["id", "sha256"])
    .where("owner_kind", "=", "draft")
    .where("owner_id", "=", draftId)
    .execute();
  for (const row of rows) if (entry === undefined || row.id === entry) ledger.dropped.add(row.id).add(row.sha256 ?? "");
}

export const fileActions: Actions = {
  attach,
  async "remove file"(scene) {
    const file = await anyFile(scene);
    if (!file) return undefined;
    await dropFiles(scene, file.owner_id, file.id);
    await scene.place.services.content.delete(scene.place.caller, file.owner_id, file.key);
    return `remove ${file.key} from ${file.owner_id}`;
  },
  async "remove all files"(scene) {
    const file = await anyFile(scene);
    if (!file) return undefined;
    await dropFiles(scene, file.owner_id, undefined);
    await scene.place.services.content.deleteAll(scene.place.caller, file.owner_id);
    return `remove all files from ${file.owner_id}`;
  },
  async "describe file"(scene) {
    const file = await anyFile(scene);
    if (!file) return undefined;
    const { id: entryId, owner_id: draftId, key } = file;
    const metadata = { note: scene.world.chance.below(1000) };
    await scene.place.services.files.describe(scene.place.caller, { draftId, entryId, key, metadata });
    return `describe ${key} of ${draftId}`;
  },
  async "order files"(scene) {
    const { place, world } = scene;
    const file = await anyFile(scene);
    const draft =
      file && (await place.db.selectFrom("draft").selectAll().where("id", "=", file.owner_id).executeTakeFirst());
    if (!draft) return undefined;
    const entries = await place.db.selectFrom("file_entry").select("key").where("owner_id", "=", draft.id).execute();
    const order = entries.map(({ key }) => key).sort();
    if (world.chance.happens(0.5)) order.reverse();
    const body = { metadata: JSON.parse(draft.metadata), files: { enabled: true, order, default_preview: file.key } };
    await place.services.drafts.replace(place.caller, draft.id, body);
    return `order the files of ${draft.id}`;
  },
  async "import files"(scene) {
    const draft = await anyOf(scene, "draft");
    if (!draft) return undefined;
    const { place } = scene;
    await place.services.files.import(place.caller, { draftId: draft.id, bucketId: place.newUuid() });
    return `import files into ${draft.id}`;
  },
};
