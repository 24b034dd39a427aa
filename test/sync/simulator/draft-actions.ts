import type { DraftRow } from "../../../shared/database/schema.ts";
import { type Actions, anyDraft, anyOf, hasItsFiles, hasSomeFiles, type Json, type Scene } from "./action.ts";
import { creatorEdits, type Edit, edited, person, setOne } from "./draft-edits.ts";
import { markersIn } from "./ledger.ts";

const newBody = (marker: string, hasFiles: boolean): Json => ({
  files: { enabled: hasFiles },
  metadata: {
    title: `Title ${marker}`,
    description: "What was found there",
    resource_type: { id: "dataset" },
    publication_date: "2026",
    publisher: "Press",
    creators: [person(marker)],
  },
});

/** JSON with sorted keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** Marks the values at the edited fields, and their lost values, as overwritten: the user saw them. */
export async function dropSeen(
  { place, ledger }: Scene,
  draft: string,
  fields: string[],
  before: string,
  after: string,
) {
  const kept = new Set(markersIn(after));
  for (const marker of markersIn(before)) if (!kept.has(marker)) ledger.dropped.add(marker);
  const rows = await place.db.selectFrom("conflict").selectAll().where("draft_id", "=", draft).execute();
  for (const { user_id, path, mine } of rows) {
    const isHers = user_id === place.caller.userId && fields.some((field) => path.includes(field));
    if (isHers) for (const marker of markersIn(mine)) ledger.dropped.add(marker);
  }
}

/** I12: a PUT is read back unchanged when nobody else edits. */
async function readBack({ place, ledger }: Scene, draft: string, put: Json): Promise<void> {
  const row = await place.db.selectFrom("draft").select("metadata").where("id", "=", draft).executeTakeFirst();
  const [stands, meant] = [canonical(JSON.parse(row?.metadata ?? "null")), canonical(put)];
  if (stands !== meant) ledger.broken.push(`I12 ${draft} at ${place.name} was put as ${meant} and reads ${stands}`);
}

/** The newest draft at this place. */
async function newestOf({ place }: Scene): Promise<DraftRow | undefined> {
  return place.db.selectFrom("draft").selectAll().orderBy("created", "desc").orderBy("id").executeTakeFirst();
}

type Draft = DraftRow | undefined;

async function change(scene: Scene, draft: Draft, edit: Edit = edited): Promise<string | undefined> {
  const { world, ledger, place } = scene;
  if (!draft) return undefined;
  const marker = ledger.newMarker();
  const { fields, metadata } = edit(world.chance, JSON.parse(draft.metadata), marker);
  await dropSeen(scene, draft.id, fields, draft.metadata, JSON.stringify(metadata));
  ledger.willEdit(draft.id, place.name);
  const { problems } = await place.services.drafts.replace(place.caller, draft.id, { metadata });
  ledger.intents.push({ family: draft.parent_id, draft: draft.id, marker, place: place.name });
  if (problems.every(({ field: at }) => !at.startsWith("metadata"))) await readBack(scene, draft.id, metadata);
  return `edit ${fields.join(", ")} of ${draft.id} ${marker}`;
}

/** Decisions on a draft and its reviews that were never sent: a discard withdraws them. */
async function unsentDecisions({ db }: Scene["place"], { id, request_id }: DraftRow): Promise<string[]> {
  const decisions = db.selectFrom("operation").select(["id", "kind", "object_id", "payload"]);
  const unsent = await decisions.where("delivery", "=", "ask").where("attempts", "=", 0).execute();
  const puts = unsent.filter(({ kind, object_id }) => kind === "review.put" && object_id === id);
  const objects = [id, request_id, ...puts.map(({ payload }) => JSON.parse(payload).id)];
  return unsent.filter(({ object_id }) => objects.includes(object_id)).map((decision) => decision.id);
}

async function discard(scene: Scene, draft: Draft): Promise<string | undefined> {
  if (!draft) return undefined;
  // Counts as discarded whether or not the answer arrives.
  scene.ledger.discarded.add(draft.id);
  for (const id of await unsentDecisions(scene.place, draft)) scene.ledger.dropped.add(id);
  await scene.place.services.discarding.discard(scene.place.caller, { id: draft.id });
  return `discard ${draft.id}`;
}

async function create({ ledger, place }: Scene, hasFiles: boolean): Promise<string> {
  const marker = ledger.newMarker();
  const { id } = await place.services.drafts.createFrom(place.caller, newBody(marker, hasFiles));
  const row = await place.db.selectFrom("draft").select("parent_id").where("id", "=", id).executeTakeFirstOrThrow();
  ledger.intents.push({ family: row.parent_id, draft: id, marker, place: place.name });
  return `create ${id} ${marker}`;
}

async function publish({ place }: Scene, draft: Draft): Promise<string | undefined> {
  if (!draft) return undefined;
  const { publishing } = place.services;
  const expected = await publishing.hashOf(place.db, draft);
  const outcome = await publishing.publish(place.caller, { id: draft.id, expected });
  return `publish ${draft.id}: ${outcome.state}`;
}

export const draftActions = {
  create: async (scene) => create(scene, scene.world.chance.happens(0.4)),
  "create with files": async (scene) => create(scene, true),
  edit: async (scene) => change(scene, await anyOf(scene, "draft")),
  "edit newest": async (scene) => change(scene, await newestOf(scene)),
  "add creator": async (scene) => change(scene, await anyOf(scene, "draft"), creatorEdits.add),
  "rename creator": async (scene) => change(scene, await anyOf(scene, "draft"), creatorEdits.rename),
  "remove creator": async (scene) => change(scene, await anyOf(scene, "draft"), creatorEdits.remove),
  "move creator": async (scene) => change(scene, await anyOf(scene, "draft"), creatorEdits.move),
  /** Sets a scalar. */
  "set one": async (scene) => change(scene, await anyOf(scene, "draft"), setOne),
  publish: async (scene) => publish(scene, await anyDraft(scene, hasItsFiles)),
  "publish with files": async (scene) => publish(scene, await anyDraft(scene, hasSomeFiles)),
  discard: async (scene) => discard(scene, await anyOf(scene, "draft")),
  "discard newest": async (scene) => discard(scene, await newestOf(scene)),
  async "edit again"(scene) {
    const record = await anyOf(scene, "record");
    if (!record) return undefined;
    await scene.place.services.editing.start(scene.place.caller, { id: record.id });
    return `edit again ${record.id}`;
  },
  async "new version"(scene) {
    const { place } = scene;
    const record = await anyOf(scene, "record");
    if (!record) return undefined;
    const command = { id: await place.takeId(), recordId: record.id };
    const { id } = await place.services.versions.start(place.caller, command);
    return `new version ${id} of ${record.id}`;
  },
  async restrict(scene) {
    const { world, place } = scene;
    const draft = await anyOf(scene, "draft");
    if (!draft) return undefined;
    const access = JSON.parse(draft.access);
    const record = access.record === "public" ? "restricted" : "public";
    const body = { metadata: JSON.parse(draft.metadata), access: { ...access, record, files: record } };
    await place.services.drafts.replace(place.caller, draft.id, body);
    return `make ${draft.id} ${record} (${world.chance.below(10)})`;
  },
  async "choose value"(scene) {
    const { world, ledger, place } = scene;
    const own = await place.services.conflicts.list(place.caller);
    const open = world.chance.pick(own.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1)));
    if (!open) return undefined;
    const side = world.chance.happens(0.5) ? "mine" : "theirs";
    const given = side === "mine" ? JSON.stringify(open.theirs) : open.row.mine;
    for (const marker of markersIn(given)) ledger.dropped.add(marker);
    await place.services.conflicts.choose(place.caller, open.row.id, side);
    return `choose ${side} for ${open.row.path} of ${open.row.draft_id}`;
  },
} satisfies Actions;
