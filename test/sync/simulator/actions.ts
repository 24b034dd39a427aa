import { personIn } from "../../../main/sync/person.ts";
import { Unreachable } from "../../../main/sync/transport.ts";
import { callerFor } from "../../../server/sync/feed.service.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { Crash } from "./faults.ts";
import type { Action, Ledger, Place } from "./ledger.ts";
import { comment, decide, putReview } from "./review-actions.ts";
import type { SimReplica } from "./sim-replica.ts";
import type { World } from "./world.ts";

async function placeOf(world: World, replica: SimReplica | undefined): Promise<Place> {
  if (replica) {
    const { db, services, name, host } = replica;
    return {
      db,
      services,
      caller: await personIn(db),
      name,
      takeId: () => host.takeRecordId(),
      newUuid: () => host.newUuid(),
    };
  }
  const { db, services, host } = world.server;
  const caller = await callerFor(db, world.userId);
  return { db, services, caller, name: "server", takeId: () => host.takeRecordId(), newUuid: () => host.newUuid() };
}

const person = (marker: string) => ({ person_or_org: { type: "personal", family_name: marker, given_name: "A" } });

const newBody = (marker: string) => ({
  files: { enabled: false },
  metadata: {
    title: `Title ${marker}`,
    resource_type: { id: "dataset" },
    publication_date: "2026",
    creators: [person(marker)],
  },
});

type Json = Record<string, unknown>;

/** The edits people make, each leaving its marker; the rest of the body is as they saw it. */
function edited(world: World, metadata: Json, marker: string): Json {
  const creators = (metadata.creators as Json[] | undefined) ?? [];
  const title = String(metadata.title ?? "");
  const kind = world.chance.below(5);
  if (kind === 0) return { ...metadata, title: `${marker} ${title}` };
  if (kind === 1) return { ...metadata, title: `${title} ${marker}` };
  if (kind === 2) return { ...metadata, creators: [person(marker), ...creators] };
  if (kind === 3) return { ...metadata, creators: [...creators.toReversed(), person(marker)] };
  const subjects = (metadata.subjects as Json[] | undefined) ?? [];
  return { ...metadata, subjects: [...subjects, { subject: marker }] };
}

async function anyDraft(world: World, place: Place) {
  const drafts = await place.db.selectFrom("draft").selectAll().orderBy("id").execute();
  return world.chance.pick(drafts);
}

const create: Action = async (_world, ledger, { services, caller, db }) => {
  const marker = ledger.newMarker();
  const { id } = await services.drafts.createFrom(caller, newBody(marker));
  const row = await db.selectFrom("draft").select("parent_id").where("id", "=", id).executeTakeFirstOrThrow();
  ledger.drafts.add(id);
  ledger.intents.push({ family: row.parent_id, draft: id, marker });
  return `create ${id} ${marker}`;
};

const edit: Action = async (world, ledger, place) => {
  const draft = await anyDraft(world, place);
  if (!draft) return "nothing to edit";
  const marker = ledger.newMarker();
  const metadata = edited(world, JSON.parse(draft.metadata), marker);
  await place.services.drafts.replace(place.caller, draft.id, { metadata });
  ledger.intents.push({ family: draft.parent_id, draft: draft.id, marker });
  return `edit ${draft.id} ${marker}`;
};

const publish: Action = async (world, _ledger, place) => {
  const draft = await anyDraft(world, place);
  if (!draft) return "nothing to publish";
  const expected = await place.services.publishing.hashOf(place.db, draft);
  const outcome = await place.services.publishing.publish(place.caller, { id: draft.id, expected });
  return `publish ${draft.id}: ${outcome.state}`;
};

const discard: Action = async (world, ledger, place) => {
  const draft = await anyDraft(world, place);
  if (!draft) return "nothing to discard";
  // Wished for, whether or not the answer arrives.
  ledger.discarded.add(draft.id);
  await place.services.discarding.discard(place.caller, { id: draft.id }, undefined);
  return `discard ${draft.id}`;
};

async function anyRecord(world: World, { db }: Place) {
  return world.chance.pick(await db.selectFrom("record").select("id").orderBy("id").execute());
}

const editAgain: Action = async (world, _ledger, place) => {
  const record = await anyRecord(world, place);
  if (!record) return "nothing published to edit";
  await place.services.editing.start(place.caller, { id: record.id });
  return `edit again ${record.id}`;
};

const newVersion: Action = async (world, ledger, place) => {
  const record = await anyRecord(world, place);
  if (!record) return "nothing published for a new version";
  const command = { id: await place.takeId(), recordId: record.id };
  const { id } = await place.services.versions.start(place.caller, command);
  ledger.drafts.add(id);
  return `new version ${id} of ${record.id}`;
};

const weighted: [number, Action][] = [
  [3, create],
  [10, edit],
  [2, publish],
  [1, discard],
  [2, editAgain],
  [1, newVersion],
  [2, putReview],
  [3, decide],
  [4, comment],
];
const bag = weighted.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));

/** One person does one thing somewhere; what she is not told is done does not enter the ledger. */
export async function act(world: World, ledger: Ledger, replica: SimReplica | undefined): Promise<void> {
  const action = world.chance.pick(bag) ?? create;
  const place = await placeOf(world, replica);
  try {
    world.log.push(`${place.name}: ${await action(world, ledger, place)}`);
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Crash || error instanceof Unreachable)) throw error;
    world.log.push(`${place.name}: ${action.name} ended with: ${error.message}`);
    if (error instanceof Crash) replica?.restart();
  }
}
