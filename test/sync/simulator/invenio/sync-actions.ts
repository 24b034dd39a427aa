import type { Actions, Scene } from "./desk-actions.ts";

/** Runs a step of syncing, unless the user must sign in first. */
const syncing =
  (work: (scene: Scene) => Promise<unknown>, words: string) =>
  async (scene: Scene): Promise<string> => {
    if (scene.desk.needsSignIn) return "waits for a new token";
    const result = await work(scene);
    return typeof result === "number" ? `${words}: ${result}` : words;
  };

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
  async "desk: kill"({ desk }) {
    await desk.restart();
    return "is killed and started";
  },
  async "desk: clock"({ world, desk }) {
    const hours = world.chance.pick([-2, -0.5, -0.01, 0, 0.01, 0.5, 2]) ?? 0;
    world.clocks.set(desk.name, hours * 3_600_000_000);
    // A budget by a clock that jumps proves nothing.
    world.watch.restarted(desk);
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
  async "tray: retry"({ desk }) {
    const row = await desk.db.selectFrom("operation").select("id").where("state", "=", "rejected").executeTakeFirst();
    if (!row) return undefined;
    await desk.tray.retry(row.id);
    return "tries rejected work again";
  },
  async "tray: discard"({ world, desk }) {
    const row = await desk.db.selectFrom("operation").selectAll().where("state", "=", "rejected").executeTakeFirst();
    if (!row) return undefined;
    const draft = await desk.db
      .selectFrom("draft")
      .select("metadata")
      .where("id", "=", row.object_id)
      .executeTakeFirst();
    await desk.tray.discard(row.id);
    const isIn = (name: string): boolean => draft === undefined || draft.metadata.includes(`"${name}"`);
    const file = world.ledger.files.findLast(
      ({ key, name, desk: at }) => at === desk.name && isIn(name) && row.payload.includes(`"${key}"`),
    );
    world.ledger.drop(`${row.payload} ${row.snapshot ?? ""} ${file?.mark ?? ""}`);
    return `discards rejected work (${row.kind})`;
  },
};
