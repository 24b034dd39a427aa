import { findOperation, listUnsent } from "../../../main/sync/operation.repository.ts";
import { personIn } from "../../../main/sync/person.ts";
import { Unreachable } from "../../../main/sync/transport.ts";
import { prepared, preparedFirst } from "../../../shared/database/prepared.ts";
import { system } from "../../../shared/kernel/caller.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { accessActions } from "./access-actions.ts";
import { accountActions } from "./account-actions.ts";
import type { Actions } from "./action.ts";
import { attachmentActions } from "./attachment-actions.ts";
import { attachmentsRight } from "./attachment-invariants.ts";
import { Chance } from "./chance.ts";
import { orderKept } from "./clock-invariants.ts";
import { draftActions } from "./draft-actions.ts";
import { isExpected } from "./faults.ts";
import { fileActions } from "./file-actions.ts";
import { heal } from "./heal.ts";
import {
  bytesRight,
  commentsOnce,
  converged,
  documentsBounded,
  nothingDoubled,
  nothingLost,
  operationsEnded,
  publishedKept,
  refusedRightly,
} from "./invariants.ts";
import { markersIn } from "./ledger.ts";
import { liveActions } from "./live-actions.ts";
import { moderationActions } from "./moderation-actions.ts";
import { rankOf } from "./oracle.ts";
import type { Place } from "./place.ts";
import { reviewActions } from "./review-actions.ts";
import { reviewerActions } from "./reviewer-actions.ts";
import type { Scenario, Step } from "./step.ts";
import { Violation } from "./violation.ts";
import { World } from "./world.ts";
import { worldActions } from "./world-actions.ts";

/** The steps that replace a step without an object. */
const { edit, create } = draftActions;
const actions: Actions = {
  ...draftActions,
  ...reviewActions,
  ...reviewerActions,
  ...fileActions,
  ...accessActions,
  ...liveActions,
  ...worldActions,
  ...moderationActions,
  ...accountActions,
  ...attachmentActions,
};

export interface SeedResult {
  /** The broken invariant; undefined when all hold. */
  violation: string | undefined;
  log: string[];
  faults: Map<string, number>;
  /** The number of acknowledged changes. */
  changes: number;
}

/** Steps on the server that its operator takes, whichever user the step names. */
const ofOperator = new Set([
  ...["server: restart", "server: sweep", "server: new document", "server: groups", "server: roles", "server: expire"],
  ...[
    "server: delete record",
    "server: restore record",
    "server: backup",
    "server: restored",
    "server: recreate group",
  ],
  ...["server: deactivate", "server: clock"],
]);

/** The place of a step; `isLetIn`: whether its user can sign in there. */
async function placeOf(world: World, step: Step): Promise<{ place: Place; isLetIn: boolean }> {
  const replica = step.at === "server" ? undefined : world.replicas[step.at % world.replicas.length];
  const { db, services, host } = replica ?? world.server;
  const caller = replica ? await personIn(db) : await world.server.callerOf(world.idOf(step.by));
  const name = replica?.name ?? "server";
  const made = {
    now: () => host.now(),
    takeId: () => host.takeRecordId(),
    newUuid: () => host.newUuid(),
    newToken: () => host.newToken(),
  };
  return { place: { db, services, caller: caller ?? system, name, replica, ...made }, isLetIn: caller !== undefined };
}

const highestPosition = preparedFirst((db) =>
  db.selectFrom("operation").select((eb) => eb.fn.max("position").as("position")),
);
const recordedAfter = prepared((db, position: number) =>
  db.selectFrom("operation").select(["id", "kind", "object_id", "payload"]).where("position", ">", position),
);

/** The position of the newest operation, to follow those that a step records. */
const lastPosition = async ({ replica }: Place): Promise<number> =>
  (replica && (await highestPosition(replica.db))?.position) ?? 0;

async function follow(world: World, { replica }: Place, after: number): Promise<void> {
  if (!replica) return;
  const { ledger } = world;
  for (const { id, kind, object_id, payload } of await recordedAfter(replica.db, after)) {
    ledger.operations.push({ replica, id, kind, object_id });
    if (kind === "draft.edit") ledger.edits.push({ place: replica.name, id, draft: object_id, payload });
  }
  const again = replica.db.selectFrom("operation").select(["id", "wire_id"]).whereRef("wire_id", "!=", "id");
  for (const { id, wire_id } of await again.execute()) ledger.attempts.set(id, wire_id);
}

const unsentDecisions = prepared((db) =>
  db.selectFrom("operation").select("id").where("delivery", "=", "ask").where("state", "in", ["pending", "sending"]),
);

/** Unsent decisions, of which a second press could be told the refusal. */
const waitingDecisions = async ({ replica }: Place): Promise<Set<string>> =>
  new Set(replica && (await unsentDecisions(replica.db)).map(({ id }) => id));

/**
 * The refusal of a decision was told to a second press, which waited for it. So it is in no tray. If the app crashed just
 * then, the user saw the crash.
 */
async function noteTold(world: World, { replica }: Place, waiting: ReadonlySet<string>): Promise<void> {
  if (!replica) return;
  for (const id of waiting) if ((await findOperation(replica.db, id)) === undefined) world.ledger.dropped.add(id);
}

async function take(world: World, step: Step): Promise<void> {
  const { place, isLetIn } = await placeOf(world, step);
  const who = place.replica ? place.name : `server (${step.by})`;
  const action = actions[step.do];
  if (!action) throw new Error(`the simulator cannot ${step.do}`);
  if (!isLetIn && !ofOperator.has(step.do)) {
    world.log.push(`${who}: is not let in`);
    return;
  }
  const [before, waiting] = [await lastPosition(place), await waitingDecisions(place)];
  try {
    const scene = { world, ledger: world.ledger, place };
    const words = (await action(scene)) ?? (isLetIn ? ((await edit(scene)) ?? (await create(scene))) : "nothing");
    world.log.push(`${who}: ${words}`);
    if (!step.do.endsWith(": restored")) await follow(world, place, before);
  } catch (error) {
    if (!isExpected(error)) throw error;
    world.log.push(`${who}: ${step.do} ended with: ${error.message}`);
    if (!step.do.startsWith("sync:")) await noteTold(world, place, waiting);
    const { replica } = place;
    if (replica) await replica.survive(() => Promise.reject(error instanceof Failure ? new Unreachable("") : error));
    else world.server.restart();
  }
}

/** I11: if a replica is up to date and has no unsent work, the server has all its acknowledged changes. */
async function syncedMeansSafe(world: World, step: Step): Promise<void> {
  const replica = step.do === "sync: pull" && step.at !== "server" ? world.replicas[step.at] : undefined;
  const hasCaughtUp = world.log.at(-1)?.endsWith(": fetched") === true;
  if (!replica || !hasCaughtUp || (await listUnsent(replica.db)).length > 0) return;
  await nothingLost(world, { place: replica.name });
}

const endsDraft = new Set(["draft.publish", "draft.discard"]);

/** I2 at every moment: users see the drafts that they created, unless rejected or discarded. */
async function ownWorkShows(world: World, step: Step): Promise<void> {
  const replica = step.at === "server" ? undefined : world.replicas[step.at];
  if (!replica || step.do !== "sync: pull") return;
  const rows = replica.db.selectFrom("operation").selectAll().where("state", "in", ["pending", "applied"]);
  const operations = await rows.execute();
  for (const { kind, object_id } of operations) {
    if (kind !== "draft.create" || world.ledger.discarded.has(object_id)) continue;
    // A discarded draft whose leased id was taken has another id than the one that was discarded.
    if (operations.some((other) => other.object_id === object_id && endsDraft.has(other.kind))) continue;
    const row = await replica.db.selectFrom("draft").select("id").where("id", "=", object_id).executeTakeFirst();
    const isPublished = replica.db.selectFrom("record").select("id").where("id", "=", object_id).executeTakeFirst();
    if (!row && !(await isPublished))
      throw new Violation(`I2 ${replica.name} does not show the draft ${object_id} begun there`);
  }
}

const unsentEdits = prepared((db) =>
  db
    .selectFrom("operation")
    .innerJoin("draft", "draft.id", "operation.object_id")
    .where("operation.kind", "=", "draft.edit")
    .where("operation.state", "=", "pending")
    .select(["draft.id", "draft.parent_id", "draft.metadata", "operation.payload", "operation.snapshot"]),
);

const findRefusedEdit = preparedFirst((db, draft: string) =>
  db
    .selectFrom("operation")
    .select("id")
    .where("kind", "=", "draft.edit")
    .where("object_id", "=", draft)
    .where("state", "=", "rejected"),
);

const findDeletedRecord = preparedFirst((db, id: string) =>
  db.selectFrom("record").select("id").where("id", "=", id).where("tombstone", "is not", null),
);

/**
 * I2 at every moment: edits of a draft that only one user edits show there, sent or not. If they may only view it now,
 * an earlier edit was rejected or the record was deleted, the edits are in the tray.
 */
async function ownEditsShow({ ledger, replicas }: World, step: Step): Promise<void> {
  const replica = step.at === "server" ? undefined : replicas[step.at];
  if (!replica || step.do !== "sync: pull") return;
  for (const { id, parent_id, metadata, payload, snapshot } of await unsentEdits(replica.db)) {
    const places = ledger.editedAt.get(id);
    if (places?.size !== 1 || !places.has(replica.name)) continue;
    const isLost =
      (await rankOf(replica.db, replica.userId, parent_id)) < 3 ||
      (await findRefusedEdit(replica.db, id)) ||
      (await findDeletedRecord(replica.db, id));
    const shown = isLost ? metadata + snapshot : metadata;
    const hidden = markersIn(payload).find((marker) => !ledger.dropped.has(marker) && !shown.includes(marker));
    if (hidden) throw new Violation(`I2 ${replica.name} does not show ${hidden} in the draft ${id}`);
  }
}

async function check(world: World): Promise<void> {
  for (const replica of world.replicas) await converged(world, replica);
  await nothingLost(world);
  await operationsEnded(world);
  await refusedRightly(world);
  await nothingDoubled(world);
  await commentsOnce(world);
  await bytesRight(world);
  await attachmentsRight(world);
  await orderKept(world);
  await publishedKept(world);
  await documentsBounded(world);
}

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error instanceof Violation ? error.message : (error.stack ?? error.message);
};

async function play(world: World, { steps, faultRate, seed }: Scenario, look?: Look): Promise<void> {
  for (const step of steps) {
    world.chance = new Chance(step.dice);
    world.focus = step.focus;
    world.other = step.by;
    world.environment.begin(step.dice);
    world.faults.begin(step.dice ^ 0x1234567, step.faults ? faultRate : 0);
    await take(world, step);
    await look?.(world);
    const [first] = world.ledger.broken;
    if (first !== undefined) throw new Violation(first);
    await publishedKept(world);
    await syncedMeansSafe(world, step);
    await ownWorkShows(world, step);
    await ownEditsShow(world, step);
  }
  world.environment.begin(seed + 1);
  await heal(world);
  await check(world);
  const [first] = world.ledger.broken;
  if (first !== undefined) throw new Violation(first);
}

/** Called after each step. */
type Look = (world: World) => Promise<void>;

/** Runs one seed: users work among faults, then everything heals, then the invariants are checked. */
export async function run(scenario: Scenario, look?: Look): Promise<SeedResult> {
  const world = await World.create(scenario);
  let violation: string | undefined;
  try {
    await play(world, scenario, look);
  } catch (error) {
    violation = world.ledger.broken[0] ?? wordsOf(error);
  }
  await world.close();
  const { ledger, log, faults } = world;
  const changes = ledger.intents.length + ledger.comments.length + ledger.files.length + ledger.grants.length;
  return { violation, log, faults: faults.seen, changes };
}
