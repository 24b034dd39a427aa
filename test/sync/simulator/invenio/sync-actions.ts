import { createHash } from "node:crypto";
import type { Operation } from "../../../../main/sync/operation.repository.ts";
import { rememberRestore } from "../../../../main/sync/restored.repository.ts";
import { type Actions, bytesWith, discarding, type Scene } from "./desk-actions.ts";
import type { InvenioWorld } from "./invenio-world.ts";
import type { SimDesk } from "./sim-desk.ts";
import { unsentAt } from "./work-invariants.ts";
import { marksIn, textOf } from "./work-ledger.ts";

/** Runs a step of syncing, unless the user must sign in first. */
const syncing =
  (work: (scene: Scene) => Promise<unknown>, words: string) =>
  async (scene: Scene): Promise<string> => {
    if (scene.desk.needsSignIn) return "waits for a new token";
    const result = await work(scene);
    return typeof result === "number" ? `${words}: ${result}` : words;
  };

/** The drafts and the unsent work of a desk, as text. */
async function everythingAt({ db, blobs }: SimDesk): Promise<string> {
  const drafts = await db.selectFrom("draft").select("metadata").execute();
  const operations = await db.selectFrom("operation").selectAll().execute();
  const conflicts = await db.selectFrom("conflict").selectAll().execute();
  const entries = await db.selectFrom("file_entry").select("sha256").where("sha256", "is not", null).execute();
  const bytes = entries.map(({ sha256 }) => String(blobs.copy().get(sha256 ?? "") ?? ""));
  return JSON.stringify([drafts, operations, conflicts, bytes]);
}

const questions = /Send (them once more|yours) only if|Look there before you send it again/;

const findRejected = ({ db }: SimDesk): Promise<Operation | undefined> =>
  db.selectFrom("operation").selectAll().where("state", "=", "rejected").executeTakeFirst();

/** Whether a list of the site shows what an operation would make. */
const isListed = (world: InvenioWorld, { kind, payload }: Operation): boolean => {
  const { site, request } = world;
  if (kind === "draft.create") return marksIn(payload).some((name) => world.copiesOf({ name }).length > 0);
  const listed = site.state.requests.get(request)?.comments.filter(({ isUnlisted }) => !isUnlisted) ?? [];
  return marksIn(payload).some((mark) => listed.some(({ content }) => content.includes(mark)));
};

const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

async function discardRejected({ world, desk }: Scene, row: Operation): Promise<string> {
  const select = (table: "draft" | "record") =>
    desk.db.selectFrom(table).select("metadata").where("id", "=", row.object_id);
  const content = (await select("draft").executeTakeFirst()) ?? (await select("record").executeTakeFirst());
  await desk.tray.discard(row.id);
  // The user was asked whether to create it, and does not want it.
  for (const made of world.ledger.made)
    if (row.kind === "draft.create" && row.payload.includes(`"${made.name}"`))
      made.isDiscarded ||= world.copiesOf(made).length === 0;
  const isIn = (name: string): boolean => content === undefined || content.metadata.includes(`"${name}"`);
  const named = world.ledger.files.filter(
    ({ key, name, desk: at }) => at === desk.name && isIn(name) && row.payload.includes(`"${key}"`),
  );
  // The user may have attached another file of that name since, also to another draft.
  const isOfDiscarded = ({ name }: { name: string }): boolean =>
    content === undefined && world.ledger.made.some((made) => made.name === name && made.isDiscarded);
  const file =
    named.find(({ mark }) => row.payload.includes(sha256Of(bytesWith(mark)))) ??
    named.findLast(isOfDiscarded) ??
    named.at(-1);
  world.ledger.drop(`${row.payload} ${row.snapshot ?? ""} ${file?.mark ?? ""}`);
  return `discards rejected work (${row.kind})`;
}

/** The draft as it is now, if its discarding was refused: trying again discards what was written into it since, too. */
const draftToDiscard = async ({ db }: SimDesk, { kind, object_id }: Operation) =>
  kind === "draft.discard"
    ? await db.selectFrom("draft").selectAll().where("id", "=", object_id).executeTakeFirst()
    : undefined;

export const syncActions: Actions = {
  "sync: push": syncing(async ({ desk }) => {
    await desk.uploadWhatGoes();
    return desk.pushOnce();
  }, "sends"),
  "sync: pull": syncing(({ desk }) => desk.pullAll(), "fetches"),
  "sync: look now": syncing(({ desk }) => {
    desk.upstream.lookNow?.();
    return desk.pullAll();
  }, "looks now"),
  "sync: all": syncing(({ desk }) => desk.syncAll(), "sends and fetches all"),
  async "desk: offline"({ desk }) {
    desk.isPartitioned = !desk.isPartitioned;
    return desk.isPartitioned ? "is offline" : "is online";
  },
  async "desk: online"({ world, desk }) {
    desk.isPartitioned = false;
    if (desk.needsSignIn) await desk.signIn(world.newToken());
    return "is online";
  },
  async "desk: kill"({ desk }) {
    await desk.restart();
    return "is killed and started";
  },
  async "desk: back up"({ world, desk }) {
    desk.backUp();
    world.ledger.backedUp(desk.name);
    return "is backed up";
  },
  /** The disk breaks, and a backup takes its place some time later. */
  async "desk: restore"({ world, desk }) {
    // Longer than an index is built.
    world.pass(600);
    if (!(await desk.putBackup())) return undefined;
    await rememberRestore(desk.db);
    world.watch.restarted(desk);
    world.watch.forgetCreations();
    const { drafts, records } = world.site.state;
    const there = [...drafts.values(), ...records.values()].map(textOf).join();
    world.ledger.restored(desk.name, there + (await everythingAt(desk)));
    for (const { kind, payload } of await unsentAt(desk))
      if (kind === "comment.create")
        for (const mark of marksIn(payload)) world.ledger.unsentInBackup.push({ mark, desk: desk.name });
    return "is restored from its backup";
  },
  async "desk: clock"({ world, desk }) {
    const hours = world.chance.pick([-2, -0.5, -0.01, 0, 0.01, 0.5, 2]) ?? 0;
    world.clocks.set(desk.name, hours * 3_600_000_000);
    // A budget by a clock that jumps proves nothing.
    world.watch.restarted(desk);
    world.watch.forgetCreations();
    return `has a clock that is ${hours} hours off`;
  },
  async "desk: sign in"({ world, desk }) {
    if (!desk.needsSignIn) return undefined;
    await desk.signIn(world.newToken());
    return "signs in again";
  },
  async "token: revoke"({ world, desk }) {
    world.site.revoke(desk.account.token);
    return "has its token revoked";
  },
  async "time: seconds"({ world }) {
    const seconds = 3 + world.chance.below(60);
    world.pass(seconds);
    return `${seconds} seconds pass`;
  },
  async "time: minutes"({ world }) {
    const minutes = 2 + world.chance.below(20);
    world.pass(minutes * 60);
    return `${minutes} minutes pass`;
  },
  async "time: day"({ world }) {
    world.pass(86_500);
    return "a day passes";
  },
  /** Where the app asks whether it should be sent, the user looks there first. */
  async "tray: retry"({ world, desk }) {
    const row = await findRejected(desk);
    if (!row) return undefined;
    const isQuestion = questions.test(row.reason ?? "");
    if (isQuestion && isListed(world, row)) return discardRejected({ world, desk }, row);
    if (isQuestion)
      for (const mark of marksIn(row.payload)) world.ledger.comments.push({ mark, desk: desk.name, isOptional: true });
    const draft = await draftToDiscard(desk, row);
    const made = world.ledger.made.find(({ name }) => draft?.metadata.includes(`"${name}"`));
    const note = draft && made && (await discarding({ world, desk }, draft, made));
    await desk.tray.retry(row.id);
    await note?.();
    return "tries rejected work again";
  },
  async "tray: discard"({ world, desk }) {
    const row = await findRejected(desk);
    return row && discardRejected({ world, desk }, row);
  },
};
